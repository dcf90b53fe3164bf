"""Strict Mondrian: cut a table again and again while both sides keep k rows."""

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from pplab.checks import check_choice, check_k
from pplab.compiled import count_in_lists, inner, njit
from pplab.graphs import as_biadjacency, as_ones, is_frame
from pplab.smooth.rows import Array

if TYPE_CHECKING:
    import pandas as pd

# Strict Mondrian on binary columns, from the stored entries alone.
#
# Columns of zeros and ones are as wide as each other until they are constant, so the first column
# with an allowed cut is taken. A column that has too few ones or too few zeros in a group has too
# few in every part of it as well, and a column that was cut is constant on both sides. So nobody
# has to look back: each column in its turn cuts every group it is allowed to cut. The rule of the
# median forbids more, but a cut that it forbids in a group may be allowed in a part of it; there
# every group is counted anew.


def _cut_above_medians(matrix: sparse.csr_array, k: int) -> Array:
    """Give the group of each row where a column is cut only if half of a group lacks it.

    Parameters
    ----------
    matrix : csr_array of ones, shape (rows, columns)
    k : int
        Least rows of a side.

    Returns
    -------
    int64 array, shape (rows,)
        Zeros before ones at every cut.
    """
    rows, columns = matrix.shape
    order, labels = np.arange(rows), np.empty(rows, dtype=np.int64)
    counts, touched = np.zeros(columns, dtype=np.int64), np.empty(columns, dtype=np.int64)
    waiting, groups = [(0, rows)], 0
    while waiting:
        start, end = waiting.pop()
        members = order[start:end]
        has = _first_below_half(matrix.indptr, matrix.indices, members, counts, touched, k)
        if not has.any():
            labels[members] = groups
            groups += 1
            continue
        order[start:end] = np.concatenate([members[~has], members[has]])
        middle = end - int(has.sum())
        waiting += [(middle, end), (start, middle)]  # the last is taken first
    return labels


@njit()
def _first_below_half(
    indptr: Array, indices: Array, members: Array, counts: Array, touched: Array, k: int
) -> Array:
    """Members that have the first column allowed to cut the group, none where no column is.

    Counts are zeros before and after.
    """
    first, has = -1, np.zeros(len(members), np.bool_)
    for column in touched[: count_in_lists(indptr, indices, members, counts, touched)]:
        ones, zeros = counts[column], len(members) - counts[column]
        if ones >= k and zeros >= max(k, len(members) // 2) and not 0 <= first < column:
            first = column
        counts[column] = 0
    if first < 0:
        return has
    for place, row in enumerate(members):
        for entry in indices[indptr[row] : indptr[row + 1]]:
            if entry == first:
                has[place] = True
    return has


@njit()
def _sweep_columns(starts: Array, entries: Array, rows: int, k: int) -> Array:
    """Give the group of each row, zeros before ones at every cut.

    Parameters
    ----------
    starts, entries : int arrays, shapes (columns + 1,) and (ones,)
        CSC form: the rows with a one in column j are ``entries[starts[j]:starts[j + 1]]``.
    rows : int
    k : int
        Least rows of a side.

    Returns
    -------
    int64 array, shape (rows,)
    """
    most = rows // k + 1
    groups, sizes = np.zeros(rows, np.int64), np.zeros(most, np.int64)
    ones = np.zeros(most, np.int64)  # of the present column, in each group
    upper = np.full(most, -1, np.int64)  # where they go, if the group is cut
    parents, following = np.full(most, -1, np.int64), np.full(most, -1, np.int64)
    count, sizes[0] = 1, rows
    for column in range(len(starts) - 1):
        having = entries[starts[column] : starts[column + 1]]
        for row in having:
            ones[groups[row]] += 1
        before = count
        for row in having:
            group = groups[row]
            if upper[group] < 0 and ones[group] >= k and sizes[group] - ones[group] >= k:
                upper[group], parents[count], sizes[count] = count, group, ones[group]
                following[count], following[group] = following[group], count
                count += 1
        for row in having:
            group = groups[row]
            ones[group] = 0
            if upper[group] >= 0:
                groups[row] = upper[group]
        for group in range(before, count):
            sizes[parents[group]] -= sizes[group]
            upper[parents[group]] = -1
    return _in_order(groups, following)


@inner(arrays=True)
def _in_order(groups: Array, following: Array) -> Array:
    """Number the groups as they follow each other, from the first on."""
    places = np.empty(len(following), np.int64)
    group = place = 0
    while group >= 0:
        places[group] = place
        group, place = following[group], place + 1
    return places[groups]


# Strict Mondrian on codes: cut a group where it is widest, as long as both sides hold k rows.


@njit()
def _cut_groups(codes: Array, levels: Array, k: int, balanced: bool) -> Array:
    """Give the group of each row, lower sides of cuts first.

    Parameters
    ----------
    codes : int array, shape (attributes, rows)
        Place of each row's level among the sorted levels of the attribute, from 0.
    levels : int64 array, shape (attributes,)
        How many levels each attribute has.
    k : int
        Least rows of a side.
    balanced : bool
        Which cut of an attribute is looked at: the one that leaves the sides most equal, or that
        above the median.

    Returns
    -------
    int64 array, shape (rows,)
    """
    rows = codes.shape[1]
    order, labels = np.arange(rows), np.empty(rows, np.int64)
    counts = np.empty(levels.max(), np.int64)
    waiting = np.empty((rows // k + 2, 2), np.int64)
    waiting[0, 0], waiting[0, 1] = 0, rows
    depth, groups = 1, 0
    while depth:
        depth -= 1
        start, end = waiting[depth]
        members = order[start:end].copy()
        attribute, level, lower = _widest_cut(codes, levels, members, counts, k, balanced)
        if attribute < 0:
            labels[members] = groups
            groups += 1
            continue
        low, high = start, start + lower
        for row in members:
            if codes[attribute, row] <= level:
                order[low] = row
                low += 1
            else:
                order[high] = row
                high += 1
        waiting[depth, 0], waiting[depth, 1] = start + lower, end
        waiting[depth + 1, 0], waiting[depth + 1, 1] = start, start + lower  # taken first
        depth += 2
    return labels


@inner(arrays=True)
def _widest_cut(
    codes: Array, levels: Array, members: Array, counts: Array, k: int, balanced: bool
) -> tuple[int, int, int]:
    """Attribute, last level and rows of the lower side; attribute -1 if no cut is allowed."""
    if len(members) < 2 * k:
        return -1, 0, 0
    lows = np.empty(len(codes), np.int64)
    spans = np.empty(len(codes), np.int64)
    widths = np.zeros(len(codes))
    for attribute in range(len(codes)):
        lows[attribute], spans[attribute] = _low_and_span(codes[attribute], members)
        if spans[attribute]:
            widths[attribute] = spans[attribute] / (levels[attribute] - 1)
    for _ in range(len(widths)):
        widest = np.argmax(widths)  # of equal widths the first
        if widths[widest] == 0:
            break
        widths[widest] = 0
        low, span = lows[widest], spans[widest]
        counts[: span + 1] = 0
        for row in members:
            counts[codes[widest, row] - low] += 1
        level, lower = _boundary(counts[: span + 1], len(members), balanced)
        if min(lower, len(members) - lower) >= k:
            return int(widest), int(low + level), lower
    return -1, 0, 0


@inner
def _low_and_span(column: Array, members: Array) -> tuple[int, int]:
    low = high = column[members[0]]
    for row in members:
        low, high = min(low, column[row]), max(high, column[row])
    return low, high - low


@inner
def _boundary(counts: Array, size: int, balanced: bool) -> tuple[int, int]:
    """Last level of the lower side, and how many rows that side has."""
    lower = best = counts[0]
    place = 0
    for level in range(1, len(counts)):
        if not balanced and best >= size // 2:
            break
        lower += counts[level]
        # of equal balance the lower cut; the median's lower side holds half of the rows or more
        if not balanced or abs(2 * lower - size) < abs(2 * best - size):
            place, best = level, lower
    return place, best


CUTS = ("balanced", "median")


def mondrian(table: Any, k: int, *, cut: str = "balanced") -> Array:
    """Group the rows of a table by cuts between the levels of one attribute at a time.

    A group is cut in two at the attribute over which it spreads most, as long as there is one
    whose cut leaves k rows or more on both sides; rows with equal values stay on one side
    (strict). The spread is that of places: the levels of an attribute are put in order, and the
    width of a group is the distance of its highest level from its lowest over that in the table.

    Parameters
    ----------
    table : DataFrame, or csr_array of ones, shape (users, items), or another form of such a graph
        Of a DataFrame each column is an attribute and each distinct value a level. Of a graph each
        item is an attribute with the levels absent and present.
    k : int
        Least rows of a group, from 2 to the number of rows.
    cut : {"balanced", "median"}
        Where an attribute is cut. "balanced": between the two levels that leave the sides most
        equal (of two such places the lower one). "median": above the level of row floor(n / 2) of
        the n rows in sorted order; where it is the highest level, the attribute is not cut.

    Returns
    -------
    int64 array, shape (rows,)
        Group of each row, the lower side of every cut before the upper one. What a group
        publishes is another step; by suppression it is what all of its rows have in common.

    Raises
    ------
    TypeError, ValueError
        If k leaves its interval, cut is not known, a value is missing, levels of one attribute
        cannot be sorted, or a graph stores anything but ones.

    Notes
    -----
    The groups do not depend on the order of the rows; they do on the order of the columns, as of
    equally wide attributes the first one is cut. That happens all the time with a graph, where
    every item is as wide as any other.

    The published algorithm leaves open what is ours here. Categories without a hierarchy have no
    order of their own: ours is that of sorted values (that of the categories where a column is a
    pandas Categorical), and neighbouring levels are one step apart; numbers are levels like any
    other. A width is that of the rows a group holds. "balanced" goes on until no cut at all is
    allowed, and of each attribute it looks at the only cut that has to be looked at: if the most
    equal one leaves too few rows, so do the others. "median" is the rule of qiyuangong/Mondrian,
    the program that Esfandiari, Epasto, Mirrokni and Munoz Medina (*Smooth Anonymity for Sparse
    Graphs*, arXiv 2207.06358) compare with. It stops earlier, since it never separates the highest
    level where that holds more than half of a group. Program and function may differ all the
    same: the program numbers levels as they first occur in its file, and takes for the width of
    a group that of the region it was cut out of.

    References
    ----------
    LeFevre, DeWitt and Ramakrishnan 2006, Mondrian multidimensional k-anonymity,
    doi 10.1109/ICDE.2006.101.

    Examples
    --------
    >>> import pandas as pd
    >>> mondrian(pd.DataFrame({"sex": list("FMFMFM"), "job": list("aabbcc")}), 2)
    array([0, 1, 0, 1, 0, 1])
    >>> mondrian([[1, 0, 0], [1, 0, 1], [0, 1, 0], [0, 1, 1]], 2)
    array([1, 1, 0, 0])
    """
    check_choice("cut", cut, CUTS)
    if is_frame(table):
        codes, levels = _codes(table)
        k = check_k(k, codes.shape[1])
        return _cut_groups(codes, levels, k, cut == "balanced")
    matrix = as_ones(table, name="table")
    k = check_k(k, matrix.shape[0])
    if cut == "median":
        return _cut_above_medians(matrix, k)
    columns = as_biadjacency(matrix).tocsc()
    return _sweep_columns(columns.indptr, columns.indices, matrix.shape[0], k)


def _codes(table: "pd.DataFrame") -> tuple[Array, Array]:
    """Place of each value among the sorted levels that occur, and how many there are."""
    _check_attributes(table)
    codes = np.empty(table.shape[::-1], dtype=np.int64)
    levels = np.empty(len(codes), dtype=np.int64)
    for place, (attribute, column) in enumerate(table.items()):
        try:
            codes[place], result = column.factorize(sort=True)
        except TypeError as problem:
            raise TypeError(
                f"table must have levels that can be sorted, got {problem} in attribute "
                f"{attribute!r}; turn them into text with astype(str)"
            ) from problem
        levels[place] = len(result)
    return codes, levels


def _check_attributes(table: "pd.DataFrame") -> None:
    """Refuse a table without rows or columns, an edge list, and missing values."""
    if not table.size:
        raise ValueError(
            f"table must have rows and columns, got shape {table.shape}; pass one row for each "
            "user and one column for each attribute"
        )
    if any(ends <= set(table.columns) for ends in ({"user", "item"}, {"source", "target"})):
        raise ValueError(
            "table given as a DataFrame must have a row for each user, got the columns of an "
            "edge list; make it a Table with pplab.table first"
        )
    missing = table.isna().to_numpy()
    if missing.any():
        row, column = divmod(int(missing.argmax()), table.shape[1])
        raise ValueError(
            f"table must have no missing values, got one in row {row}, attribute "
            f"{table.columns[column]!r} ({int(missing.sum())} in all); give them a level of their "
            "own, for example with fillna('?')"
        )
