"""Copies by the search through its two doors: legal for any table, and refusals."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import sparse

from pplab.metrics.anonymity import is_k_anonymous, is_smooth_k_anonymous
from pplab.smooth.anonymize import smooth_k_anonymize, suppress_k_anonymize
from pplab.smooth.certificates import jaccard_certificates

tables = arrays(
    np.int8,
    array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=14),
    elements=st.integers(0, 1),
)
TIES = st.sampled_from(["half", "more-than-half"])
NAN = np.nan
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
def test_tables_at_the_edge(table):
    table = table.astype(np.int8)
    equal = len(np.unique(table, axis=0)) == 1
    for k in (2, 3, 7, 13, 14, 25):
        for ties in ("half", "more-than-half"):
            assert check_smooth(table, k, ties=ties).jaccard == 1 or not equal
        assert check_suppressed(table, k).jaccard == 1 or not equal


def test_rows_of_ten_thousand_items_beside_light_ones():
    rng = np.random.default_rng(1)
    table = np.zeros((30, 10_000), dtype=np.int8)
    table[:3] = 1
    table[3:6] = rng.random((3, 10_000)) < 0.9
    table[6:, :40] = rng.random((24, 40)) < 0.3
    found = check_smooth(table, 3)
    assert len(set(found.labels[:3])) == 1 == len(set(found.labels[3:6]))
    check_suppressed(table, 3)


TWO_DOORS = [
    (5, {}, "k must be an integer between 2 and 4, got 5"),
    (1, {}, "k must be an integer between 2 and 4, got 1"),
    (2.5, {}, "k must be an integer between 2 and 4, got 2.5"),
    (2, {"method": "best"}, "method must be one of 'greedy'"),
    (2, {"effort": "slow"}, "effort must be one of 'fast', 'thorough', got 'slow'"),
    (2, {"effort": None}, "effort must be one of 'fast', 'thorough', got None"),
    (2, {"rng": -1}, "rng must be a non-negative integer seed"),
    (2, {"rng": "1"}, "rng must be a non-negative integer seed"),
]
SMOOTH = [
    (2, {"assignment": "arrival"}, "assignment is a setting of the method"),
    *[(2, {"seconds": s}, f"seconds must be positive and finite, got {s}") for s in (0, -1.0)],
    *[(2, {"seconds": s}, "seconds must be positive and finite") for s in (np.inf, np.nan)],
    (2, {"seconds": "10"}, "seconds must be a number"),
    (2, {"ties": "none"}, "ties must be one of"),
    (2, {"method": "paper", "effort": "thorough"}, "effort is a setting of the method 'greedy'"),
    (2, {"method": "paper", "seconds": 1.0}, "seconds is a setting of the method 'greedy'"),
    (2, {"method": "paper", "assignment": "far"}, "assignment must be one of"),
]
SUPPRESSING = [
    (2, {"method": "mondrian", "effort": "thorough"}, "effort is a setting of the method 'greedy'"),
]


def test_bad_input_is_refused():
    doors = [(smooth_k_anonymize, TWO_DOORS + SMOOTH)]
    doors += [(suppress_k_anonymize, TWO_DOORS + SUPPRESSING)]
    twice = sparse.csr_array((np.ones(3), np.array([0, 0, 1]), np.array([0, 2, 3])), shape=(2, 2))
    for door, cases in doors:
        for k, options, sentence in cases:
            with pytest.raises((TypeError, ValueError), match=sentence):
                door(np.eye(4, dtype=np.int8), k, **options)
        for cell, sentence in ((2.0, "store ones only, got 2"), (-1, "ones only"), (NAN, "finite")):
            with pytest.raises(ValueError, match=sentence):
                door(np.diag([cell, 1.0, 1.0, 1.0]), 2)
        with pytest.raises(ValueError, match="duplicate"):
            door(twice, 2)
