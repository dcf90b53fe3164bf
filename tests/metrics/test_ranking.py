"""NDCG against the formula written out, with bounds, conventions and refusals."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from pplab.metrics.ranking import Judge, ndcg

utility_tables = arrays(np.float64, (4, 6), elements=st.sampled_from([0.0, 0.1, 0.5, 1.0, 3.0]))


def dcg(utilities, ranked):
    return sum(
        utilities[item] / max(1, math.log2(rank) + 1) for rank, item in enumerate(ranked, start=1)
    )


def slow_ndcg(table, lists, top_n, empty):
    shares = []
    for utilities, ranked in zip(table, lists, strict=True):
        best = dcg(utilities, sorted(range(len(utilities)), key=lambda i: -utilities[i])[:top_n])
        shares.append(dcg(utilities, ranked[:top_n]) / best if best else empty)
    return np.array(shares)


@given(
    utility_tables,
    st.lists(st.permutations(range(6)), min_size=4, max_size=4),
    st.integers(1, 6),
    st.sampled_from([("skip", math.nan), ("zero", 0.0), ("one", 1.0)]),
)
def test_against_the_formula(table, lists, top_n, convention):
    undefined, empty = convention
    expected = slow_ndcg(table, lists, top_n, empty)
    for utilities in (table, sparse.csr_array(table)):
        share = ndcg(utilities, np.array(lists), top_n=top_n, undefined=undefined)
        assert np.allclose(share, expected, rtol=1e-12, atol=0, equal_nan=True)
    if undefined == "skip":
        judge = Judge(sparse.csr_array(table), longest=6)
        judged = judge.ndcg(np.array(lists), (top_n, 6))[0]
        assert np.array_equal(share, judged, equal_nan=True)


def test_the_weights_as_printed():
    """The 1 stands outside the logarithm: rank 2 counts 1/2 (not 1/log2 3 = 0.63), rank 4 1/3."""
    one_good = np.eye(4) * 5
    lists = np.array([[0, 1, 2, 3]] * 4)
    weights = [1, 1 / 2, 1 / (math.log2(3) + 1), 1 / 3]
    assert np.allclose(ndcg(one_good, lists, top_n=4), weights, rtol=1e-15)
    # beyond place N nothing counts
    assert ndcg(one_good, lists, top_n=3)[3] == 0


def test_stored_order_and_stored_zeros_do_not_matter():
    unsorted = sparse.csr_array(([1.0, 4.0, 0.0], [2, 0, 1], [0, 3]), shape=(1, 3))
    lists = np.array([[2, 0, 1]])
    assert ndcg(unsorted, lists, top_n=2)[0] == pytest.approx((1 + 4 / 2) / (4 + 1 / 2))


def test_large_rows_and_few_items():
    rng = np.random.default_rng(1)
    table = sparse.random_array((50, 3000), density=0.2, rng=rng, format="csr")
    lists = np.array([rng.permutation(3000)[:100] for _ in range(50)])
    expected = slow_ndcg(table.toarray(), lists, 100, np.nan)
    assert np.allclose(ndcg(table, lists, top_n=100), expected, rtol=1e-12)
