"""Nearest rows against a loop over all pairs; nothing hangs on blocks, threads or scale."""

from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from threadpoolctl import threadpool_limits

from pplab import nearest as search
from pplab.nearest import bounds, nearest_records, record_distances
from tests.helpers import tables_with_gaps
from tests.oracles import slow_nearest

small = arrays(np.float64, st.tuples(st.integers(1, 9), st.just(3)), elements=st.integers(-1, 2))
gaps = tables_with_gaps(-1.0, 0.0, 2.0, most=9)


def same(left, right):
    return all(map(np.array_equal, astuple(left), astuple(right)))


def in_blocks(records, queries, block, most_pairs):
    """Nearest rows with blocks of another size, and fewer pairs that may wait."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "_BLOCK", block)
        patch.setattr(search, "_MOST_PAIRS", most_pairs)
        return nearest_records(records, queries)


@given(gaps, small, st.booleans(), st.booleans(), st.integers(1, 4), st.integers(1, 4))
def test_against_all_pairs(with_gaps, full, fill, swap, step, width):
    """Gaps on either side, or on none."""
    other = np.nan_to_num(with_gaps) if fill else with_gaps
    records, queries = (full, other) if swap else (other, full)
    result = in_blocks(records, queries, (step, width), 7 * step)
    index, ties, nearest = slow_nearest(records, queries)
    assert result.index.tolist() == index.tolist()
    assert result.ties.tolist() == ties.tolist()
    assert result.distance == pytest.approx(nearest, rel=1e-15)


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_scale_and_offset(scale, offset):
    """Offsets cancel before float32 sees them; squares stay in the range of floats."""
    rng = np.random.default_rng(1)
    records, queries = (rng.integers(-50, 50, (40, 5)).astype(float) for _ in range(2))
    result = nearest_records((records + offset) * scale, (queries + offset) * scale)
    exact = np.ldexp(1.0, -int(np.frexp(scale)[1]))  # a power of two moves no tie
    moved = [(table + offset) * scale * exact for table in (records, queries)]
    index, ties, _ = slow_nearest(*moved)
    tied = ties == result.ties  # rounding of the scaled table may split or join what ties on paper
    assert tied.mean() >= 0.8
    assert (result.index == index)[tied].all()


def test_one_far_record_spoils_nothing():
    rng = np.random.default_rng(2)
    records, queries = rng.normal(size=(300, 4)), rng.normal(size=(200, 4))
    plain = nearest_records(records, queries)
    far = nearest_records(np.vstack([records, np.full(4, 1e9)]), queries)
    assert same(plain, far)


def test_near_ties_that_float32_cannot_tell_apart():
    """Two records whose distances differ by one part in 10^10, and the further one comes first."""
    rng = np.random.default_rng(3)
    queries = rng.normal(size=(50, 20))
    directions = rng.normal(size=(50, 20))
    further, nearer = queries - directions * (1 + 1e-10), queries + directions
    records = np.vstack([further, nearer])
    result = nearest_records(records, queries + 0.0)
    exact = slow_nearest(records, queries)
    assert result.index.tolist() == exact[0].tolist()
    assert np.count_nonzero(result.index >= 50) > 25  # the far-away twin was not taken
    equal = nearest_records(np.vstack([queries - directions, nearer]), queries)
    wide = np.isin(np.arange(50), result.index - 50)
    assert (equal.ties[wide] == 2).all()
    assert (equal.index[wide] == np.flatnonzero(wide)).all()


def test_bounds_hold_for_every_pair():
    """The product is at most, and with both reaches at least, half the squared distance."""
    rng = np.random.default_rng(4)
    for records, queries in _three_kinds(rng):
        limits = bounds(queries.copy(), records.copy())
        low = (limits.queries @ limits.records.T).astype(float)
        high = low + limits.query_reach[:, None] * limits.record_reach
        left, right = queries - np.nanmean(records, axis=0), records - np.nanmean(records, axis=0)
        scale = max(np.nanmax(np.abs(left)), np.nanmax(np.abs(right)))
        squares = np.square((left[:, None] - right) / scale) / 2
        counts = 1 if not np.isnan(records).any() else np.count_nonzero(~np.isnan(records), axis=1)
        exact = np.nansum(squares, axis=2) / counts
        constant = 0.0  # the part of the query that float32 never sees
        if not np.isnan(records).any():
            constant = np.nansum(np.square(left / scale), axis=1)[:, None] / 2
        assert (low <= exact - constant + 1e-14).all()
        assert (high >= exact - constant - 1e-14).all()


def _three_kinds(rng):
    records, queries = rng.normal(size=(150, 30)) + 3, rng.normal(size=(120, 30)) + 3
    yield records, queries
    yield np.where(rng.random(records.shape) < 0.4, np.nan, records), queries
    yield records, np.where(rng.random(queries.shape) < 0.4, np.nan, queries)


def test_blocks_and_threads_change_nothing(monkeypatch):
    rng = np.random.default_rng(5)
    records = rng.integers(1, 6, (500, 12)).astype(float)[rng.integers(0, 500, 900)]
    for queries in (rng.integers(1, 6, (700, 12)).astype(float), rng.normal(size=(700, 12))):
        plain = nearest_records(records, queries)
        assert same(plain, in_blocks(records, queries, (7, 11), 5))
        for threads in (1, 2):
            with monkeypatch.context() as patch, threadpool_limits(threads, "blas"):
                patch.setattr("numba.get_num_threads", lambda count=threads: count)
                assert same(plain, nearest_records(records, queries))
                patch.setattr(search, "_SMALL", 0)
                assert same(plain, in_blocks(records, queries, (64, 1000), 2**21))


def test_rows_without_cells_are_near_to_nothing():
    empty = np.full((2, 3), np.nan)
    for records, queries in ((empty, np.ones((4, 3))), (np.ones((4, 3)), empty)):
        result = nearest_records(records, queries)
        assert (result.index == -1).all()
        assert (result.ties == 0).all()
        assert np.isinf(result.distance).all()
    assert np.isinf(record_distances(empty, np.ones((2, 3)))).all()
