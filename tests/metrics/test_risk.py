"""Disclosure risk against a loop over all pairs in exact arithmetic, and its bound by 1/k."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from pplab import table
from pplab.metrics.risk import disclosure_risk

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

    def distance(user, other):
        cells = [(x, y) for x, y in zip(original[user], protected[other], strict=True) if x == x]
        if not cells:
            return None
        return Fraction(sum(int(x - y) ** 2 for x, y in cells), len(cells))

    users = range(len(original))
    risk = []
    for user in users:
        if direction == FORTH:
            distances = [distance(user, other) for other in users]
        else:
            distances = [distance(other, user) for other in users]
        known = [d for d in distances if d is not None]
        nearest = [o for o in users if distances[o] is not None and distances[o] == min(known)]
        if ties == "first":
            risk.append(float(bool(nearest) and nearest[0] == user))
        else:
            risk.append(1 / len(nearest) if user in nearest else 0.0)
    return risk


@given(tables, st.sampled_from([FORTH, BACK]), st.sampled_from(["expected", "first"]))
def test_against_all_pairs(made, direction, ties):
    original, protected, rated = made
    result = disclosure_risk(original, protected, direction=direction, ties=ties)
    assert result.tolist() == slow_risk(original, protected, direction, ties)
    gaps = np.where(rated, original, np.nan)
    result = disclosure_risk(gaps, protected, direction=direction, ties=ties, cells="rated")
    assert result.tolist() == slow_risk(gaps, protected, direction, ties)
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
    with pytest.raises(ValueError, match=r'original must .* got 2 unrated .*cells="rated"'):
        disclosure_risk(original, protected, direction=FORTH)


def test_tables_are_aligned_by_their_labels():
    original = pd.DataFrame({"user": [7, 9, 8], "item": [1, 1, 1], "rating": [5, 1, 3]})
    listed = pd.DataFrame({"user": [8, 7, 9], "item": [1, 1, 1], "rating": [3, 5, 1]})
    ends = {"user": "user", "item": "item", "value": "rating"}
    first, second = table(original, **ends, users=[9, 8, 7], items=[1]), table(listed, **ends)
    risk = disclosure_risk(first, second, direction=FORTH)
    assert risk.to_dict() == {9: 1, 8: 1, 7: 1}
    others = table(listed.assign(user=[1, 2, 3]), **ends)
    with pytest.raises(ValueError, match="got users 7, 8, 9 in original only and 1, 2,"):
        disclosure_risk(first, others, direction=FORTH)


def test_tables_of_other_shapes_are_refused():
    with pytest.raises(ValueError, match=r"same shape, got .2, 2. and .3, 2."):
        disclosure_risk(np.ones((2, 2)), np.ones((3, 2)), direction=FORTH)
