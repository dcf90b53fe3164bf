"""Checks of published tables against the definitions written out cell by cell."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from pplab.metrics.anonymity import is_k_anonymous, is_smooth_k_anonymous
from pplab.metrics.risk import k_achieved
from pplab.microaggregation.mdav import mdav, v_mdav
from pplab.microaggregation.microaggregate import microaggregate, pool_groups
from pplab.microaggregation.optimal import optimal_microaggregation, optimal_microaggregation_1d
from pplab.smooth import anonymize
from pplab.smooth.groups import cut_to_size, degree_groups, random_groups
from pplab.smooth.mondrian import mondrian
from pplab.smooth.optimum import smooth_optimum
from smoothbound.chunks import smooth_k_anonymize_chunks
from tests.sizes import TABLES

tables = arrays(np.int8, (5, 3), elements=st.integers(0, 1))


def smooth(original, copy, k):
    for row in copy:
        group = [user for user, own in enumerate(copy) if (own == row).all()]
        if len(group) < k:
            return False
        for item in np.flatnonzero(row):
            if 2 * sum(original[user, item] for user in group) < len(group):
                return False
    return True


@given(tables, tables, st.integers(0, 3), st.sampled_from([0.2, 0.5]), st.integers(2, 5))
def test_against_the_definitions(original, copy, split, share, k):
    if split < 3:  # the votes of one or two classes, so that both answers come up
        for part in (slice(0, split), slice(split, None)):
            if original[part].size:
                copy[part] = original[part].mean(axis=0) >= share
    assert is_smooth_k_anonymous(original, copy, k) == smooth(original, copy, k)
    assert is_k_anonymous(copy, k) == (k_achieved(copy) >= k)


# Pairs of rows whose sums are equal: a small number next to a large one, a stored 0, infinity.
ALIKE = [(1e300, 1), (1e300, 2), (0, 1), (-0.0, 1), (None, 1), (1e308, 1e308), (1e308, 1.1e308)]
ALIKE += [(0, None), (None, 0), (1, 0), (1, None)]


@pytest.mark.parametrize("one", ALIKE)
@pytest.mark.parametrize("other", ALIKE)
def test_rows_are_equal_where_all_that_they_store_is(one, other):
    rows = [one, other] * 2
    fewest = min(Counter(rows).values())  # -0.0 is 0
    stored = [[x for x in row if x is not None] for row in rows]
    columns = [at for row in rows for at, x in enumerate(row) if x is not None]
    starts = np.cumsum([0, *map(len, stored)])
    table = sparse.csr_array((np.concatenate(stored), columns, starts), shape=(len(rows), 2))
    assert k_achieved(table) == fewest
    patterns = [tuple(x is None for x in row) for row in rows]
    classes = Counter(rows if len(table.data) == 2 * len(rows) else patterns)  # full: by value
    assert is_k_anonymous(table, 3) == (min(classes.values()) >= 3)
    if len(table.data) == 2 * len(rows) and not (table.data == 0).any():
        assert k_achieved(table.toarray()) == fewest


def test_rows_of_a_frame_are_people_and_its_columns_quasi_identifiers():
    zips = pd.Categorical(["08001", "08001", "08002", "08002"], ["08001", "08002", "08003"])
    frame = pd.DataFrame({"zip": zips, "age": [30, 30, 30, 40]})
    assert (k_achieved(frame), k_achieved(frame[["zip"]]), k_achieved(frame[:2])) == (1, 2, 2)
    gap = frame.assign(age=[30, None, 30, 40]).set_axis(["Ada", "Bo", "Cy", "Di"])
    for bad, got in ((gap, "none in row 'Bo'"), (frame[:0], "shape .0, 2.")):
        with pytest.raises(ValueError, match=f"a value in each cell, got {got}; fill in"):
            k_achieved(bad)


# Every publication of groups, at degenerate but legal sizes: k of all rows, rows equal or empty.


VOTES = [
    {"method": "greedy"},
    *({"method": "paper", "assignment": assignment} for assignment in ("arrival", "nearest")),
    *({"method": method} for method, each in anonymize.METHODS.items() if not each.settings),
]
GROUPS = {
    "mdav": lambda table, k: mdav(table, k),
    "mdav, classic": lambda table, k: mdav(table, k, leftover="group"),
    "v_mdav": lambda table, k: v_mdav(table, k, gain=0),
    "v_mdav, greedy": lambda table, k: v_mdav(table, k, gain=3),
    "mondrian": lambda table, k: mondrian(table, k),
    "mondrian, attributes": lambda table, k: mondrian(pd.DataFrame(table), k, cut="median"),
    "degrees": degree_groups,
    "random": lambda table, k: random_groups(table, k, rng=1),
    "cut": lambda table, k: cut_to_size(np.zeros(len(table), dtype=int), k, rng=1),
    "optimal": optimal_microaggregation,
    "optimal on a line": lambda table, k: optimal_microaggregation_1d(table.sum(axis=1), k),
    "smooth optimum": lambda table, k: smooth_optimum(table, k).labels,
}


@pytest.mark.parametrize("table", [*map(np.int8, TABLES.values())], ids=TABLES)
def test_every_publication_is_k_anonymous_at_degenerate_sizes(table):
    for k in range(2, len(table) + 1):
        for ask in VOTES:
            for ties in ("half", "more-than-half"):
                result = anonymize.smooth_k_anonymize(table, k, rng=1, ties=ties, **ask)
                copy = published(result.labels, result.biadjacency, k)
                assert smooth(table, copy, k), (ask, k)
        result = smooth_k_anonymize_chunks(table, k, chunk_rows=k, rng=1)
        assert smooth(table, published(result.labels, result.biadjacency, k), k)
        for method in anonymize.SUPPRESSION_METHODS:
            result = anonymize.suppress_k_anonymize(table, k, method=method, rng=1)
            assert (published(result.labels, result.biadjacency, k) <= table).all(), (method, k)
        for name, groups in GROUPS.items():
            labels = groups(table, k)
            assert min(Counter(labels.tolist()).values()) >= k, (name, k)
            published(labels, pool_groups(table, labels), k)
        result = microaggregate(table, k, rating_range=(0, 1), impute="midpoint")
        rows = published(result.labels, result.protected, k)
        assert result.k_achieved == min(Counter(map(bytes, rows)).values())
        assert is_smooth_k_anonymous(table, table, k) == smooth(table, table, k)


def published(labels, copy, k):
    """The published rows: k or more are equal to each, and a group publishes one row."""
    rows = np.asarray(copy.toarray() if hasattr(copy, "toarray") else copy)
    assert min(Counter(labels.tolist()).values()) >= k
    assert min(Counter(map(bytes, rows)).values()) >= k
    assert len({(label, bytes(row)) for label, row in zip(labels, rows, strict=True)}) == (
        len(set(labels.tolist()))
    )
    return rows
