"""Microaggregated ratings and Gaussian noise against the steps of the paper, one by one."""

import functools
import statistics
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from pplab.microaggregation import (
    complete,
    gaussian_noise,
    group_means,
    mdav,
    microaggregate,
    noise,
    standardise,
)
from pplab.microaggregation.microaggregate import IMPUTATIONS

NAN = np.nan
SCALE = (1, 5)
shapes = array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=8)
cells = st.one_of(st.just(NAN), st.sampled_from([1.0, 1.1, 0.1 + 0.2 + 1, 2.0, 3.7, 5.0]))
tables = arrays(np.float64, shapes, elements=cells)
LEFTOVERS = st.sampled_from(["group", "closest"])


@given(tables, st.integers(2, 8), st.sampled_from(IMPUTATIONS), LEFTOVERS)
def test_against_the_steps_of_the_paper(ratings, k, impute, leftover):
    """Means of groups of the scores, brought back to ratings, one step after the other."""
    ratings[0, 0] = 4.0
    k = min(k, len(ratings))
    completed = complete(ratings, impute=impute, rating_range=SCALE)
    table = standardise(completed)
    labels = mdav(table.scores, k, leftover=leftover)
    means = np.array([table.scores[labels == label].mean(axis=0) for label in labels])
    result = microaggregate(ratings, k, impute=impute, rating_range=SCALE, leftover=leftover)
    assert np.array_equal(result.completed, completed)
    assert np.array_equal(result.labels, labels)
    assert result.protected == pytest.approx(means * table.deviations + table.means, abs=1e-12)
    eq1 = sum(
        np.square(completed[labels == label] - completed[labels == label].mean(axis=0)).sum()
        for label in set(labels)
    )
    eq2 = np.square(completed - result.protected).sum()
    assert result.sse == pytest.approx(eq2, rel=1e-12, abs=1e-20)
    assert eq1 == pytest.approx(eq2, rel=1e-12, abs=1e-20)  # the paper's two errors are one number
    rows = [row.tobytes() for row in result.protected]
    assert result.k_achieved == min(map(rows.count, rows)) >= np.bincount(labels).min() >= k


@given(tables, st.integers(2, 4), LEFTOVERS, st.randoms(use_true_random=False))
def test_the_order_of_the_users_is_no_matter(ratings, k, leftover, random):
    k, order = min(k, len(ratings)), random.sample(range(len(ratings)), len(ratings))
    one = microaggregate(ratings, k, rating_range=SCALE, leftover=leftover)
    two = microaggregate(ratings[order], k, rating_range=SCALE, leftover=leftover)
    # Users whose completed ratings agree are interchangeable: compare pairs of what went in and
    # what came out, as a collection, to the last bit.
    pairs = [
        sorted(np.hstack([result.completed, result.protected]).tolist()) for result in (one, two)
    ]
    assert pairs[0] == pairs[1]
    assert (one.sse, one.k_achieved) == (two.sse, two.k_achieved)


@given(tables, st.data())
def test_names_of_groups_change_no_mean(table, data):
    table = np.nan_to_num(table, nan=0.1)
    labels = np.unique(np.arange(len(table)) % 3, return_inverse=True)[1]
    names = np.array(data.draw(st.permutations(range(labels.max() + 1))))
    assert np.array_equal(group_means(table, labels), group_means(table, names[labels]))


# Completion against pandas.


def completed_by_pandas(table, impute, low, high):
    frame = pd.DataFrame(table)
    overall = np.nanmean(table) if frame.notna().any(axis=None) else NAN
    if impute == "user-mean":
        return frame.T.fillna(frame.mean(axis=1)).T.fillna(overall)
    fills = {"midpoint": (low + high) / 2, "item-mean": frame.mean(), "global-mean": overall}
    fills["item-median"] = frame.median()
    return frame.fillna(fills[impute]).fillna(overall)


@given(tables, st.sampled_from(IMPUTATIONS))
def test_against_pandas(table, impute):
    if np.isnan(table).all() and impute != "midpoint":
        with pytest.raises(ValueError, match="at least one rating"):
            complete(table, impute=impute, rating_range=(1, 5))
        return
    full = complete(table, impute=impute, rating_range=(1, 5))
    expected = completed_by_pandas(table, impute, 1, 5).to_numpy()
    assert full == pytest.approx(expected, rel=1e-12)
    known = ~np.isnan(table)
    assert (full[known] == table[known]).all()  # every given rating, to the last bit
    order = np.random.default_rng(len(table)).permutation(len(table))  # changes no bit
    assert np.array_equal(complete(table[order], impute=impute, rating_range=(1, 5)), full[order])


@pytest.mark.parametrize("impute", ["item-mean", "item-median", "user-mean", "global-mean"])
def test_ratings_that_agree_fill_gaps_with_themselves(impute):
    table = np.full((3, 4), 0.1)
    table[0, 1] = NAN  # the plain mean of three times 0.1 is not 0.1 in floats
    assert (complete(table, impute=impute, rating_range=(0, 1)) == 0.1).all()


# z-scores against the definition; items that do not vary.


values = st.sampled_from([-10.0, -0.3, 0.0, 0.1, 1 / 3, 1.0, 2.0, 9.99])
tables_standardise = arrays(
    np.float64, array_shapes(min_dims=2, max_dims=2, max_side=7), elements=values
)


@given(tables_standardise)
def test_against_the_definition(table):
    result = standardise(table)
    for item, column in enumerate(table.T.tolist()):
        mean, deviation = statistics.fmean(column), statistics.pstdev(column)
        assert result.means[item] == pytest.approx(mean, abs=1e-14)
        assert result.deviations[item] == pytest.approx(deviation, abs=1e-14)
        expected = [(x - mean) / deviation if deviation else 0.0 for x in column]
        assert result.scores[:, item] == pytest.approx(np.array(expected), abs=1e-12)
    order = np.random.default_rng(len(table)).permutation(len(table))  # changes no bit
    assert np.array_equal(standardise(table[order]).scores, result.scores[order])


# Gaussian noise: a slow twin on the scores, its law, its options, and what it refuses.


some = st.one_of(st.just(NAN), st.sampled_from([1.0, 1.1, 2.0, 3.5, 5.0]))
noisy = arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=8), elements=some)
seeds = st.integers(0, 2**32)
ROUND = {None: lambda x: x, "nearest": np.rint, "down": np.floor}


@pytest.fixture(scope="module")
def ratings():
    rng = np.random.default_rng(3)
    return rng.integers(1, 6, (400, 300)) * (rng.random((400, 300)) < 0.5)


@given(noisy, st.sampled_from([0.25, 1, 7]), st.booleans(), st.sampled_from(list(ROUND)), seeds)
def test_noise_against_the_steps_of_the_paper(table, sigma, truncate, rounding, seed):
    """Complete, standardise, add the same noise to the scores, restore, truncate, round."""
    run = functools.partial(gaussian_noise, rating_range=SCALE, rng=seed)
    completed = complete(table, impute="midpoint", rating_range=SCALE)
    # noise of sigma 1 around 3
    middle = run(np.full(table.shape, 3.0), sigma=1, truncate=False, scale="ratings")
    scores = standardise(completed)
    exact = (scores.scores + sigma * (middle.protected - 3)) * scores.deviations + scores.means
    cut = np.clip(exact, *SCALE) if truncate else exact
    result = run(table, sigma=sigma, truncate=truncate, rounding=rounding)
    apart = np.abs(exact - np.rint(exact)) > 1e-9  # a hair from a whole number, floor may differ
    assert result.protected[apart] == pytest.approx(ROUND[rounding](cut)[apart], abs=1e-9)
    assert result.sse == pytest.approx(np.square(completed - result.protected).sum(), rel=1e-12)


@given(noisy, st.sampled_from(IMPUTATIONS), st.sampled_from(["z-scores", "ratings"]), seeds)
def test_no_noise_is_the_completed_table(table, impute, scale, seed):
    table[0, 0] = 2.0
    result = gaussian_noise(
        table, sigma=0, rating_range=SCALE, impute=impute, scale=scale, rng=seed
    )
    completed = complete(table, impute=impute, rating_range=SCALE)
    assert np.array_equal(result.protected, completed)
    assert np.array_equal(result.completed, completed)
    assert result.sse == 0


@given(noisy, st.sampled_from([0.1, 3.0, 1e50]), st.sampled_from(list(ROUND)), seeds)
def test_truncated_noise_stays_on_the_scale(table, sigma, rounding, seed):
    result = gaussian_noise(
        table, sigma=sigma, rating_range=(0.5, 5.5), rounding=rounding, scale="ratings", rng=seed
    )
    if rounding is None:
        assert result.protected.min() >= 0.5
        assert result.protected.max() <= 5.5
    else:
        assert np.isin(result.protected, [1, 2, 3, 4, 5]).all()


def test_blocks_have_streams_of_their_own(ratings):
    many = np.tile(ratings, (3, 1))  # 1,200 rows: several blocks
    moved = gaussian_noise(many, sigma=1, rating_range=SCALE, truncate=False, rng=6)
    drawn = moved.protected - moved.completed
    rows = noise._BLOCK_CELLS // many.shape[1]
    assert len(many) > 2 * rows
    assert not np.isclose(drawn[:rows], drawn[rows : 2 * rows]).any(axis=1).all()
    assert len(np.unique(drawn[:, 0])) == len(many)


def test_threads_change_nothing(ratings, monkeypatch):
    two = gaussian_noise(ratings, sigma=1, rating_range=SCALE, rng=7)
    monkeypatch.setattr(noise, "ThreadPoolExecutor", lambda _: ThreadPoolExecutor(1))
    one = gaussian_noise(ratings, sigma=1, rating_range=SCALE, rng=7)
    assert np.array_equal(one.protected, two.protected)
    assert one.sse == two.sse


def test_the_seed_decides(ratings):
    run = functools.partial(gaussian_noise, ratings, sigma=1, rating_range=SCALE)
    assert np.array_equal(run(rng=np.random.default_rng(8)).protected, run(rng=8).protected)
    assert not np.array_equal(run(rng=8).protected, run(rng=9).protected)
    assert not np.array_equal(run().protected, run().protected)
