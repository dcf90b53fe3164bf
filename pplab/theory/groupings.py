"""All ways to put a few rows into groups of at least k, and the best of them by subsets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pplab.checks import check_integer, check_k
from pplab.graphs import GraphLike, as_biadjacency

__all__ = ["MOST_ROWS", "best_grouping", "groupings", "small_rows"]

MOST_ROWS = 12  # 3^11 pairs of a subset and a group in it: half a second


def small_rows(biadjacency: GraphLike, k: int) -> np.ndarray:
    """Rows of a small graph as a bool array; refuse a k or a size out of reach."""
    matrix = as_biadjacency(biadjacency)
    if matrix.shape[0] > MOST_ROWS:
        raise ValueError(
            f"all groupings of at most {MOST_ROWS} rows are searched, got {matrix.shape[0]}; take "
            "fewer rows, or a method that does not claim the best"
        )
    check_k(k, matrix.shape[0])
    return matrix.toarray().astype(bool)


def groupings(rows: int, k: int) -> Iterator[list[list[int]]]:
    """List every partition of rows into groups of at least k.

    Parameters
    ----------
    rows : int
        From 2 to 12.
    k : int
        From 2 to the number of rows.

    Yields
    ------
    list of lists of int
        The rows of each group; groups in the order of their first rows.

    Raises
    ------
    TypeError, ValueError
        If rows or k leave their intervals.

    Examples
    --------
    >>> list(groupings(4, 2))
    [[[0, 1, 2, 3]], [[0, 1], [2, 3]], [[0, 2], [1, 3]], [[0, 3], [1, 2]]]
    """
    check_integer("rows", rows, minimum=2, maximum=MOST_ROWS)
    check_k(k, rows)
    yield from (found for found in _placed(rows, 0, []) if all(len(group) >= k for group in found))


def _placed(rows: int, row: int, groups: list[list[int]]) -> Iterator[list[list[int]]]:
    """Partitions that put the rows from here on into these groups or into new ones."""
    if row == rows:
        yield [list(group) for group in groups]
        return
    for group in groups:
        group.append(row)
        yield from _placed(rows, row + 1, groups)
        group.pop()
    groups.append([row])
    yield from _placed(rows, row + 1, groups)
    groups.pop()


def best_grouping(values: Sequence[int], rows: int, k: int) -> tuple[int, np.ndarray]:
    """Partition into groups of at least k with the largest sum of the groups' values.

    Dynamic programming over subsets: the best partition of a set is the group of its first row,
    whichever it is, and the best partition of what is left.

    Parameters
    ----------
    values : sequence of int, length 2 ** rows
        Value of each group, a group being the number whose bits are its rows.
    rows, k : int
        2 to 12 rows, k from 2 to their number.

    Returns
    -------
    int, int64 array of shape (rows,)
        The largest sum, exact, and the group of each row.

    Raises
    ------
    TypeError, ValueError
        If rows or k leave their intervals, or there is not one value per group.

    Examples
    --------
    >>> best_grouping([bin(group).count("1") == 2 for group in range(16)], 4, 2)
    (2, array([0, 1, 1, 0]))
    """
    check_integer("rows", rows, minimum=2, maximum=MOST_ROWS)
    check_k(k, rows)
    if len(values) != 2**rows:
        raise ValueError(
            f"values must be {2**rows} numbers, one for each set of {rows} rows, got "
            f"{len(values)}; the bits of a place are the rows of its set"
        )
    best: dict[int, tuple[int, int]] = {0: (0, 0)}
    for left in range(1, 1 << rows):
        first = left & -left
        rest = left ^ first
        others = rest  # runs over the subsets of the rest, from all of it to none
        while True:
            group = others | first
            if group.bit_count() >= k and left ^ group in best:
                total = best[left ^ group][0] + int(values[group])
                if left not in best or total > best[left][0]:
                    best[left] = (total, group)
            if not others:
                break
            others = (others - 1) & rest
    return best[(1 << rows) - 1][0], _labels(best, rows)


def _labels(best: dict[int, tuple[int, int]], rows: int) -> np.ndarray:
    labels = np.zeros(rows, dtype=np.int64)
    left, number = (1 << rows) - 1, 0
    while left:
        group = best[left][1]
        labels[[row for row in range(rows) if group >> row & 1]] = number
        left, number = left ^ group, number + 1
    return labels
