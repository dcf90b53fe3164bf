"""Gaussian noise: a slow twin on the scores, its law, its options, and what it refuses."""

import functools
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from pplab.microaggregation import noise
from pplab.microaggregation.microaggregate import IMPUTATIONS, complete, standardise
from pplab.microaggregation.noise import gaussian_noise

NAN = np.nan
SCALE = (1, 5)
cells = st.one_of(st.just(NAN), st.sampled_from([1.0, 1.1, 2.0, 3.5, 5.0]))
tables = arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=8), elements=cells)
seeds = st.integers(0, 2**32)
ROUND = {None: lambda x: x, "nearest": np.rint, "down": np.floor}


@pytest.fixture(scope="module")
def ratings():
    rng = np.random.default_rng(3)
    return rng.integers(1, 6, (400, 300)) * (rng.random((400, 300)) < 0.5)


@given(tables, st.sampled_from([0.25, 1, 7]), st.booleans(), st.sampled_from(list(ROUND)), seeds)
def test_against_the_steps_of_the_paper(table, sigma, truncate, rounding, seed):
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


@given(tables, st.sampled_from(IMPUTATIONS), st.sampled_from(["z-scores", "ratings"]), seeds)
def test_no_noise_is_the_completed_table(table, impute, scale, seed):
    table[0, 0] = 2.0
    result = gaussian_noise(
        table, sigma=0, rating_range=SCALE, impute=impute, scale=scale, rng=seed
    )
    completed = complete(table, impute=impute, rating_range=SCALE)
    assert np.array_equal(result.protected, completed)
    assert np.array_equal(result.completed, completed)
    assert result.sse == 0


@given(tables, st.sampled_from([0.1, 3.0, 1e50]), st.sampled_from(list(ROUND)), seeds)
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


def test_items_that_do_not_vary_take_no_noise_on_scores():
    table = [[1.1, 5, NAN], [1.1, 1, NAN], [1.1, 4, NAN]]
    scores = gaussian_noise(table, sigma=9, rating_range=SCALE, rng=1)
    assert (scores.protected[:, [0, 2]] == [1.1, 3]).all()
    on_ratings = gaussian_noise(table, sigma=0.01, rating_range=SCALE, scale="ratings", rng=1)
    assert len(np.unique(on_ratings.protected[:, 0])) == 3


def test_the_options_are_reported():
    plain = gaussian_noise([[5, 4], [1, 2]], sigma=0.5, rating_range=SCALE, rounding="down", rng=1)
    expected = {"sigma": 0.5, "rating_range": (1.0, 5.0), "impute": "midpoint"}
    assert plain.options == expected | {"truncate": True, "rounding": "down", "scale": "z-scores"}
