"""Copies by the search through its two doors: legal for any table, and refusals."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from pplab.anonymity.smooth import smooth_k_anonymize
from pplab.anonymity.suppress import suppress_k_anonymize
from pplab.metrics.anonymity import is_k_anonymous, is_smooth_k_anonymous
from pplab.theory.jaccard_certificate import jaccard_certificates

tables = arrays(
    np.int8,
    array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=14),
    elements=st.integers(0, 1),
)
TIES = st.sampled_from(["half", "more-than-half"])
BOUNDED = 1e-9  # certificates are floats


def check_smooth(table, k, **options):
    found = smooth_k_anonymize(table, k, rng=1, **options)
    sizes = np.bincount(found.labels)
    assert len(found.labels) == len(table)
    assert sizes.min() >= k
    assert is_smooth_k_anonymous(table, found.biadjacency, k)
    assert found.jaccard <= min(jaccard_certificates(table, k, effort="fast").values()) + BOUNDED
    return found


def check_suppressed(table, k, **options):
    found = suppress_k_anonymize(table, k, rng=1, **options)
    assert np.bincount(found.labels).min() >= k
    assert is_k_anonymous(found.biadjacency, k)
    assert found.created == 0
    assert (found.biadjacency.toarray() <= table).all()
    bound = min(jaccard_certificates(table, k, copies="suppression").values())
    assert found.jaccard <= bound + BOUNDED
    return found


@settings(deadline=None, max_examples=80)
@given(tables, st.data(), TIES)
def test_smooth_copies_are_legal_and_below_their_certificate(table, data, ties):
    check_smooth(table, data.draw(st.integers(2, len(table))), ties=ties)


@settings(deadline=None, max_examples=60)
@given(tables, st.data())
def test_suppressed_copies_are_legal_and_below_their_certificate(table, data):
    check_suppressed(table, data.draw(st.integers(2, len(table))))


@settings(deadline=None, max_examples=30)
@given(tables, st.integers(0, 2**64), TIES)
@example(np.ones((7, 1), dtype=np.int8), 0, "half")
def test_k_of_all_rows_and_of_just_over_half(table, seed, ties):
    for k in {len(table), len(table) // 2 + 1}:  # n = k, and n up to 2k - 1: one group
        assert check_smooth(table, k, ties=ties, seconds=1e-9).labels.max() == 0
        found = smooth_k_anonymize(table, k, ties=ties, rng=seed)
        assert found.labels.max() == 0


@pytest.mark.parametrize("k", [2, 3, 7, 13, 14, 25])
@pytest.mark.parametrize(
    "table",
    [
        np.zeros((25, 4)),
        np.ones((25, 1)),
        np.ones((25, 6)),
        np.eye(25),
        np.vstack([np.zeros((24, 3)), np.ones((1, 3))]),
        np.vstack([np.zeros((12, 30)), np.ones((13, 30))]),
        np.tri(25),
    ],
    ids=["empty", "one column", "equal", "alone", "one full row", "two kinds", "stairs"],
)
def test_tables_at_the_edge(table, k):
    table = table.astype(np.int8)
    for ties in ["half", "more-than-half"]:
        found = check_smooth(table, k, ties=ties)
        if len(np.unique(table, axis=0)) == 1:
            assert found.jaccard == 1
    found = check_suppressed(table, k)
    if len(np.unique(table, axis=0)) == 1:
        assert found.jaccard == 1


def test_rows_of_ten_thousand_items_beside_light_ones():
    rng = np.random.default_rng(1)
    table = np.zeros((30, 10_000), dtype=np.int8)
    table[:3] = 1
    table[3:6] = rng.random((3, 10_000)) < 0.9
    table[6:, :40] = rng.random((24, 40)) < 0.3
    found = check_smooth(table, 3)
    assert len(set(found.labels[:3])) == 1 == len(set(found.labels[3:6]))
    check_suppressed(table, 3)


@pytest.mark.parametrize("door", [smooth_k_anonymize, suppress_k_anonymize])
@pytest.mark.parametrize(
    ("k", "options", "kind", "sentence"),
    [
        (5, {}, ValueError, "k must be an integer between 2 and 4, got 5"),
        (1, {}, ValueError, "k must be an integer between 2 and 4, got 1"),
        (2.5, {}, TypeError, "k must be an integer between 2 and 4, got 2.5"),
        (2, {"method": "best"}, ValueError, "method must be one of 'greedy'"),
        (2, {"effort": "slow"}, ValueError, "effort must be one of 'fast', 'thorough', got 'slow'"),
        (2, {"effort": None}, ValueError, "effort must be one of 'fast', 'thorough', got None"),
        (2, {"seconds": 0}, ValueError, "seconds must be positive and finite, got 0"),
        (2, {"seconds": -1.0}, ValueError, "seconds must be positive and finite, got -1.0"),
        (2, {"seconds": np.inf}, ValueError, "seconds must be positive and finite, got inf"),
        (2, {"seconds": np.nan}, ValueError, "seconds must be positive and finite, got nan"),
        (2, {"seconds": "10"}, TypeError, "seconds must be a number"),
        (2, {"rng": -1}, TypeError, "rng must be a non-negative integer seed"),
        (2, {"rng": "1"}, TypeError, "rng must be a non-negative integer seed"),
        (2, {"spread": 2}, ValueError, "spread is a setting of the method"),
        (2, {"assignment": "arrival"}, ValueError, "assignment is a setting of the method"),
        (2, {"orders": 3}, ValueError, "orders is a setting of the method"),
    ],
)
def test_bad_input_is_refused(door, k, options, kind, sentence):
    with pytest.raises(kind, match=sentence):
        door(np.eye(4, dtype=np.int8), k, **options)


@pytest.mark.parametrize("door", [smooth_k_anonymize, suppress_k_anonymize])
def test_tables_that_are_not_ones_are_refused(door):
    for cell in (2.0, -1.0, 0.5):
        table = np.eye(4)
        table[0, 0] = cell
        with pytest.raises(ValueError, match="store ones only"):
            door(table, 2)
    with pytest.raises(ValueError, match="merging is a setting of the method 'alg2'"):
        smooth_k_anonymize(np.eye(4), 2, merging="near")
    with pytest.raises(ValueError, match="effort is a setting of the method 'greedy'"):
        smooth_k_anonymize(np.eye(4), 2, method="paper", effort="thorough")
    with pytest.raises(ValueError, match="seconds is a setting of the method 'greedy'"):
        suppress_k_anonymize(np.eye(4), 2, method="mondrian", seconds=1.0)
    with pytest.raises(ValueError, match="cut is a setting of the method 'mondrian'"):
        suppress_k_anonymize(np.eye(4), 2, cut="median")
