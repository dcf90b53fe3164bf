"""Strict Mondrian against slow twins, and by its properties."""

from fractions import Fraction

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from pplab.smooth.mondrian import mondrian

CUTS = st.sampled_from(["balanced", "median"])
ROWS = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.tuples(*[st.sampled_from("abcde")] * width), min_size=4, max_size=30)
)
BITS = st.integers(1, 7).flatmap(
    lambda width: st.lists(st.tuples(*[st.integers(0, 1)] * width), min_size=4, max_size=40)
)


def slow_cut(values, cut):
    """The level with which the lower side ends; None where there is nothing above it."""
    levels = sorted(set(values))
    if cut == "median":
        half = sorted(values)[max(len(values) // 2, 1) - 1]
        return half if half < levels[-1] else None
    lower = {level: sum(value <= level for value in values) for level in levels[:-1]}
    return min(lower, key=lambda level: (abs(len(values) - 2 * lower[level]), level), default=None)


def slow_mondrian(rows, k, cut):
    """Groups as lists of row numbers, one row and one attribute after the other."""
    scales = [sorted(set(column)) for column in zip(*rows, strict=True)]

    def width(group, attribute):
        places = [scales[attribute].index(rows[row][attribute]) for row in group]
        return Fraction(max(places) - min(places), max(len(scales[attribute]) - 1, 1))

    def groups_of(group):
        attributes = range(len(scales))
        for attribute in sorted(attributes, key=lambda place: -width(group, place)):
            end = slow_cut([rows[row][attribute] for row in group], cut)
            if end is None:
                continue
            sides = (
                [row for row in group if rows[row][attribute] <= end],
                [row for row in group if rows[row][attribute] > end],
            )
            if min(map(len, sides)) >= k:
                return groups_of(sides[0]) + groups_of(sides[1])
        return [group]

    return groups_of(list(range(len(rows))))


def groups_by(labels):
    return [np.flatnonzero(labels == group).tolist() for group in range(max(labels) + 1)]


@settings(max_examples=100, deadline=None)
@given(rows=ROWS, bits=BITS, k=st.integers(2, 4), cut=CUTS)
def test_attributes_and_columns_as_the_slow_twin(rows, bits, k, cut):
    labels = mondrian(pd.DataFrame(rows), k, cut=cut)
    assert labels.dtype == np.int64
    assert groups_by(labels) == slow_mondrian(rows, k, cut)
    assert groups_by(mondrian(np.array(bits), k, cut=cut)) == slow_mondrian(bits, k, cut)


def test_order_of_categories_is_kept():
    sizes = pd.Series(["small", "large", "medium"] * 4)
    in_order = pd.Categorical(sizes, categories=["small", "medium", "large"])
    assert mondrian(pd.DataFrame({"size": in_order}), 4).tolist() == [0, 2, 1] * 4
    assert mondrian(pd.DataFrame({"size": sizes}), 4).tolist() == [2, 0, 1] * 4  # alphabetical


def test_wide_and_sparse_input_is_never_filled():
    rows, columns = 60_000, 400_000
    rng = np.random.default_rng(3)
    places = rng.integers(0, rows, 300_000), rng.zipf(1.6, 300_000) % columns
    graph = sparse.csr_array((np.ones(300_000), places), shape=(rows, columns))
    graph.data[:] = 1
    labels = mondrian(graph, 8)  # 24 GB as a table of bytes
    assert np.bincount(labels).min() >= 8
    assert labels.max() > 500
