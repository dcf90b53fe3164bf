"""An attacker with a few ratings: the search by brute force, 1/k, ties, knowledge that grows."""

from itertools import pairwise
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pplab.attacks import reidentification as matching
from pplab.attacks.reidentification import reidentification_curve
from pplab.intervals import mean_interval
from pplab.microaggregation.microaggregate import group_means
from pplab.smooth.groups import random_groups
from tests.helpers import some_ratings

SCALE = (1, 5)


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
        results = [
            by_hand(table, protected, u, items[:count])
            for u, items in zip(attacked, known, strict=True)
        ]
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


def test_candidates_fall_as_knowledge_grows_on_the_full_table():
    """On the original rows the own row is at distance 0, so each rating can only rule rows out."""
    table = some_ratings(60, 12, seed=6, filled=1.1)
    curve = attack(table, table, range(1, 13), rng=4)
    assert all(more <= less for less, more in pairwise(curve.candidates))
    assert all(more >= less for less, more in pairwise(curve.risk))
    assert curve.risk.iloc[-1] == 1
    assert ((curve.low <= curve.risk) & (curve.risk <= curve.high)).all()
    again = attack(table, table, (1, 3, 12), rng=np.random.default_rng(4))
    assert again.risk.tolist() == curve.risk.iloc[[0, 2, 11]].tolist()
    assert attack(table, table, (3,), rng=5).risk[0] != curve.risk[2]


def test_ties_are_expectations_and_survive_floating_point():
    """4 lies a third from 11/3 and from 13/3, though not in binary fractions."""
    table = [[5.0], [5.0], [1.0], [3.0]]
    result = attack(table, table, (1,), rng=1)
    assert result[["risk", "candidates"]].values.tolist() == [[0.75, 1.5]]
    result = attack([[4.0], [4.0]], [[11 / 3], [13 / 3]], (1,), rng=1)
    assert result[["risk", "candidates"]].values.tolist() == [[0.5, 2]]
    # a user without ratings fits every row
    table = np.array([[np.nan, np.nan], [5.0, 1.0], [4.0, 2.0], [1.0, 2.0]])
    result = attack(table, completed(table), (2,), rng=1)
    assert result[["risk", "candidates"]].values.tolist() == [[(0.25 + 3) / 4, (4 + 3) / 4]]
    assert np.isnan(result.error[0])
