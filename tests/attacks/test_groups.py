"""Attacks on groups: insiders, rounded means, members that agree, an attacker with few ratings."""

from fractions import Fraction
from itertools import combinations, product
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pplab.attacks import reidentification as matching
from pplab.attacks.group_means import insider_intervals
from pplab.attacks.homogeneity import group_inference, homogeneous_cells, revealed_by_mean
from pplab.attacks.reidentification import reidentification_curve
from pplab.attacks.votes import pivotal_cells, pivotal_counts, votes_needed
from pplab.intervals import mean_interval
from pplab.microaggregation.microaggregate import group_means
from pplab.smooth.groups import random_groups
from tests.helpers import some_ratings
from tests.oracles import cells_in_all_worlds


def vote(rows):
    return 2 * rows.sum(axis=0) >= len(rows)


def test_what_is_read_is_what_all_worlds_have_in_common():
    """All groups of up to 5 on one item, all numbers of insiders; then several items."""
    groups = [
        np.array(bits)[:, None] for size in (2, 3, 4, 5) for bits in product((0, 1), repeat=size)
    ]
    groups += [np.random.default_rng(seed).integers(2, size=(4, 3)) for seed in range(6)]
    for rows in groups:
        for known in range(len(rows)) if rows.shape[1] == 1 else (2,):
            quick = pivotal_cells(vote(rows), known=rows[:known], size=len(rows))
            assert (cells_in_all_worlds(vote(rows), rows[:known], len(rows)) == quick).all()
            read = quick >= 0
            assert (rows[known:, read] == quick[read]).all()


@pytest.mark.parametrize("insiders", [0, 1, 2, 3, 9])
@pytest.mark.parametrize("seed", range(2))
def test_counts_are_means_over_all_draws_of_insiders(seed, insiders):
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.repeat([0, 1, 2, 3, 4], [1, 2, 3, 4, 5]))
    table = (rng.random((15, 6)) < 0.4).astype(int)
    result = pivotal_counts(table, labels, insiders=insiders)
    edges = others = 0.0
    for group, size in enumerate(range(1, 6)):
        rows = table[labels == group]
        draws = [*combinations(range(size), min(insiders, size - 1))]
        for known in draws:
            rest = np.setdiff1d(range(size), known)
            read = vote(rows).astype(int)
            if size > 1:
                read = pivotal_cells(vote(rows), known=rows[list(known)], size=size)
            edges += len(rest) * (read == 1).sum() / len(draws)
            others += rows[rest].sum() / len(draws)
    assert result.edges_read == pytest.approx(edges)
    assert result.edges_share == pytest.approx(edges / others)


def test_votes_needed_is_the_least_number_that_wins():
    for size in range(1, 10):
        for ties, share in (("half", size), ("more-than-half", size + 1)):
            wins = [votes for votes in range(size + 1) if 2 * votes >= share]
            assert votes_needed(size, ties=ties) == min(wins)


# Group means: insiders read the last member from a rounded mean.


SCALE = (1, 5)


@pytest.mark.parametrize("decimals", [0, 1])
@pytest.mark.parametrize("others", [(4, 2), (1, 1), (5, 4, 1), (2, 3, 5, 1, 4, 4, 1, 2)])
def test_the_possible_ratings_are_those_that_publish_the_same_mean(decimals, others):
    """Brute force over the last rating; a tie may have gone either way."""
    size, step = len(others) + 1, Fraction(1, 10**decimals)
    for truth in range(1, 6):
        exact = round(Fraction(sum(others) + truth, size) / step) * step
        result = insider_intervals(
            float(exact), known=others, size=size, decimals=decimals, rating_range=SCALE
        )
        fits = [r for r in range(1, 6) if abs(Fraction(sum(others) + r, size) - exact) <= step / 2]
        assert int(result.possible) == len(fits)
        assert truth in fits
        assert result.low - 1e-9 <= truth <= result.high + 1e-9
        assert bool(result.pinned) == (len(fits) == 1)
        assert np.array_equal(result.value, truth if len(fits) == 1 else np.nan, equal_nan=True)


# Groups that agree, means at the ends of the scale, and group rows as predictions.


@given(st.integers(2, 12), st.integers(1, 5), st.integers(0, 2**32), st.sampled_from([0.2, 0.9]))
def test_homogeneous_cells_cell_by_cell(users, items, seed, filled):
    table = some_ratings(users, items, seed, filled)
    labels = random_groups(np.ones((users, items)), 2, rng=seed % 1000)
    result = homogeneous_cells(table, labels=labels * 3, rating_range=SCALE)
    rated = ~np.isnan(table)
    alike = pd.DataFrame(table).groupby(labels).transform("nunique") == 1
    assert np.array_equal(result.cells, rated & alike)
    assert result.share == pytest.approx(result.cells.sum() / rated.sum())
    assert result.by_raters.cells.sum() == rated.sum()
    assert result.by_raters.disclosed.sum() == result.cells.sum()


@given(st.integers(2, 12), st.integers(1, 4), st.integers(0, 2**32))
def test_what_a_mean_reveals_is_true_and_all_that_agree_at_an_end_are_found(users, items, seed):
    full = np.random.default_rng(seed).choice([1.0, 3.0, 5.0, 5.0], (users, items))
    labels = random_groups(full, 2, rng=seed % 1000)
    values = revealed_by_mean(group_means(full, labels), rating_range=SCALE).revealed
    shown = ~np.isnan(values)
    np.testing.assert_array_equal(values[shown], full[shown])
    agree = homogeneous_cells(full, labels=labels, rating_range=SCALE).cells
    np.testing.assert_array_equal(shown, agree & (full != 3))


def test_inference_cell_by_cell():
    table = some_ratings(12, 6, seed=4, filled=0.5)
    labels = np.arange(12) // 3
    filling = np.arange(6) / 2 + 1
    full = np.where(np.isnan(table), filling, table)
    means = group_means(full, labels)
    result = group_inference(table, means, rating_range=SCALE, filling=filling)
    group, item = (abs(guess - table) for guess in (means, np.nanmean(table, axis=0)))
    alone = abs(np.clip(filling + 3 * (means - filling), *SCALE) - table)
    assert result.group_error == pytest.approx(np.nanmean(group))
    assert result.item_error == pytest.approx(np.nanmean(item))
    assert result.lone_error == pytest.approx(np.nanmean(alone))
    assert result.lone_exact == pytest.approx(np.mean(alone[~np.isnan(table)] < 1e-6))


# An attacker with a few ratings: the search by brute force, 1/k, ties, knowledge that grows.


def completed(table):
    return np.where(np.isnan(table), 3.0, table)


def release(kind, full, k=3, seed=8):
    if kind == "groups":
        return group_means(full, random_groups(full, k, rng=seed))
    if kind == "noise":
        return full + np.random.default_rng(seed).normal(0, 1, full.shape)
    return full


def attack(table, protected, known, **options):
    with patch.object(matching, "_KNOWN", tuple(known)):
        return reidentification_curve(table, protected, rating_range=SCALE, **options)


def by_hand(table, protected, user, items):
    """Success, candidates, and the absolute errors over the other ratings; row by row."""
    scores = np.array([sum((row[i] - table[user, i]) ** 2 for i in items) for row in protected])
    best = np.flatnonzero(np.isclose(scores, scores.min(), rtol=1e-9, atol=1e-9))
    others = np.setdiff1d(np.flatnonzero(~np.isnan(table[user])), items)
    errors = np.abs(protected[best].mean(axis=0) - table[user])[others]
    item_errors = np.abs(np.nanmean(table, axis=0) - table[user])[others]
    return (user in best) / len(best), len(best), errors, item_errors


@pytest.mark.parametrize("kind", ["full", "groups", "noise"])
@pytest.mark.parametrize("users", [None, 5])
def test_the_curve_is_the_search_by_hand(kind, users):
    """Each user has a stream; those known in smaller numbers are the first of one permutation."""
    table, counts, seed = some_ratings(14, 6, seed=3), (1, 2, 4, 99), 9
    protected = release(kind, completed(table))
    curve = attack(table, protected, counts, users=users, rng=seed)
    sample, *streams = np.random.default_rng(seed).spawn(15)
    attacked = range(14) if users is None else np.sort(sample.choice(14, users, replace=False))
    known = [streams[u].permutation(np.flatnonzero(~np.isnan(table[u]))) for u in attacked]
    for line, count in zip(curve.itertuples(), counts, strict=True):
        asked = zip(attacked, known, strict=True)
        results = [by_hand(table, protected, u, items[:count]) for u, items in asked]
        success, candidates, errors, item_errors = zip(*results, strict=True)
        assert line.known == count
        assert line.risk == pytest.approx(np.mean(success))
        assert (line.low, line.high) == pytest.approx(mean_interval(success, alpha=0.05))
        assert line.candidates == np.mean(candidates)
        if count == 99:
            assert np.isnan([line.error, line.item_error]).all()  # nothing is left to predict
        else:
            assert line.error == pytest.approx(np.concatenate(errors).mean())
            assert line.item_error == pytest.approx(np.concatenate(item_errors).mean())


@given(st.integers(4, 20), st.integers(1, 6), st.integers(2, 4), st.integers(0, 2**32))
def test_k_equal_rows_bound_the_risk_of_everyone_by_1_over_k(users, items, k, seed):
    table = some_ratings(users, items, seed)
    protected = release("groups", completed(table), k, seed % 1000)
    curve = attack(table, protected, (1, 3, 50), users=1, rng=seed)
    assert (curve.risk <= 1 / k + 1e-12).all()
    assert (curve.candidates >= k).all()


def test_ties_are_expectations_and_survive_floating_point():
    """4 lies a third from 11/3 and from 13/3, though not in binary fractions."""
    table = [[5.0], [5.0], [1.0], [3.0]]
    result = attack(table, table, (1,), rng=1)
    assert result[["risk", "candidates"]].to_numpy().tolist() == [[0.75, 1.5]]
    result = attack([[4.0], [4.0]], [[11 / 3], [13 / 3]], (1,), rng=1)
    assert result[["risk", "candidates"]].to_numpy().tolist() == [[0.5, 2]]
    # a user without ratings fits every row
    table = np.array([[np.nan, np.nan], [5.0, 1.0], [4.0, 2.0], [1.0, 2.0]])
    result = attack(table, completed(table), (2,), rng=1)
    assert result[["risk", "candidates"]].to_numpy().tolist() == [[(0.25 + 3) / 4, (4 + 3) / 4]]
    assert np.isnan(result.error[0])
