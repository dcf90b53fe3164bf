"""Disclosure risk against a loop over all pairs in exact arithmetic, and its bound by 1/k."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from pplab import table
from pplab.metrics.risk import disclosure_risk
from tests.oracles import slow_distance, slow_nearest

FORTH, BACK = "original-to-protected", "protected-to-original"
few = st.integers(0, 2)
tables = st.integers(1, 7).flatmap(
    lambda rows: st.tuples(
        arrays(np.float64, (rows, 3), elements=few),
        arrays(np.float64, (rows, 3), elements=few),
        arrays(np.bool_, (rows, 3)),
    )
)


def slow_risk(original, protected, direction, ties):
    """By the definition: all distances over the cells the original rated, one by one."""
    records, queries = (protected, original) if direction == FORTH else (original, protected)
    for user, (first, equal, least) in enumerate(zip(*slow_nearest(records, queries), strict=True)):
        own = slow_distance(original[user], protected[user])
        if ties == "first":
            yield float(first == user)
        else:
            yield 1 / equal if own is not None and float(own) == least else 0.0


@given(tables, st.sampled_from([FORTH, BACK]), st.sampled_from(["expected", "first"]))
def test_against_all_pairs(made, direction, ties):
    original, protected, rated = made
    result = disclosure_risk(original, protected, direction=direction, ties=ties)
    assert result.tolist() == [*slow_risk(original, protected, direction, ties)]
    gaps = np.where(rated, original, np.nan)
    result = disclosure_risk(gaps, protected, direction=direction, ties=ties, cells="rated")
    assert result.tolist() == [*slow_risk(gaps, protected, direction, ties)]
    assert (result[~rated.any(axis=1)] == 0).all()


@pytest.mark.parametrize("k", [2, 5])
def test_groups_of_k_bound_the_risk(k):
    rng = np.random.default_rng(k)
    original = rng.normal(size=(60, 4))
    labels = np.arange(60) // k
    means = np.array([original[labels == group].mean(axis=0) for group in range(60 // k)])
    forth = disclosure_risk(original, means[labels], direction=FORTH)
    back = disclosure_risk(original, means[labels], direction=BACK)
    assert forth.max() == 1 / k  # some group is the nearest of one of its own
    assert 0 < back.mean() <= 1 / k  # one original at most is the nearest of a mean


def test_sparse_zero_is_a_rating_and_absent_is_not():
    original = sparse.csr_array(([0.0, 4.0], [0, 1], [0, 1, 2]), shape=(2, 2))
    protected = np.array([[1.0, 9.0], [9.0, 3.0]])
    assert disclosure_risk(original, protected, direction=FORTH, cells="rated").tolist() == [1, 1]


def test_tables_are_aligned_by_their_labels():
    original = pd.DataFrame({"user": [7, 9, 8], "item": [1, 1, 1], "rating": [5, 1, 3]})
    listed = pd.DataFrame({"user": [8, 7, 9], "item": [1, 1, 1], "rating": [3, 5, 1]})
    ends = {"user": "user", "item": "item", "value": "rating"}
    first, second = table(original, **ends, users=[9, 8, 7], items=[1]), table(listed, **ends)
    risk = disclosure_risk(first, second, direction=FORTH)
    assert risk.to_dict() == {9: 1, 8: 1, 7: 1}
