"""The best smooth k-anonymous copy of a small graph, exactly."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from pplab.checks import check_choice, check_integer, check_k, check_partition
from pplab.graphs import GraphLike, as_biadjacency
from pplab.microaggregation.optimal import best_partition
from pplab.smooth.vote import publish_votes

# All ways to put a few rows into groups of at least k, and the best of them by subsets.


MOST_ROWS = 12  # 3^11 pairs of a subset and a group in it: half a second


def small_rows(biadjacency: GraphLike, k: int) -> np.ndarray:
    """Rows of a small graph as a bool array; refuse a k or a size out of reach."""
    matrix = as_biadjacency(biadjacency)
    if matrix.shape[0] > MOST_ROWS:
        raise ValueError(
            f"biadjacency must have at most {MOST_ROWS} rows here, got {matrix.shape[0]}; take "
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
    k = check_k(k, rows)
    yield from (groups for groups in _partitions(rows, 0, []) if min(map(len, groups)) >= k)


def _partitions(rows: int, row: int, groups: list[list[int]]) -> Iterator[list[list[int]]]:
    """Partitions that put the rows from here on into these groups or into new ones."""
    if row == rows:
        yield [list(group) for group in groups]
        return
    for group in groups:
        group.append(row)
        yield from _partitions(rows, row + 1, groups)
        group.pop()
    groups.append([row])
    yield from _partitions(rows, row + 1, groups)
    groups.pop()


def best_grouping(values: Sequence[int], rows: int, k: int) -> tuple[int, np.ndarray]:
    """Partition into groups of at least k with the largest sum of the groups' values.

    By subsets, as ``pplab.microaggregation.optimal.best_partition`` does it.

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
    k = check_k(k, rows)
    if len(values) != 2**rows:
        raise ValueError(
            f"values must be {2**rows} numbers, one for each set of {rows} rows, got "
            f"{len(values)}; the bits of a place are the rows of its set"
        )
    costs = {group: -int(x) for group, x in enumerate(values) if group.bit_count() >= k}
    total, labels = best_partition(costs, rows)
    return -total, labels


@dataclass(frozen=True)
class SmoothOptimum:
    """A smooth k-anonymous copy with the largest possible Jaccard similarity.

    Attributes
    ----------
    jaccard : Fraction
        Its Jaccard similarity to the original; 1 for a graph without edges.
    labels : int64 array, shape (users,)
        Group of each user.
    kept, created : int
        Edges that stay and edges that the original lacks.
    """

    jaccard: Fraction
    labels: np.ndarray
    kept: int
    created: int


def majority_counts(
    biadjacency: GraphLike, labels: np.ndarray, *, ties: str = "half"
) -> tuple[int, int]:
    """Count the edges that a majority vote inside each group keeps and creates.

    Parameters
    ----------
    biadjacency : csr_array, shape (users, items), or other graph
    labels : int array, shape (users,)
        Groups from 0, none empty.
    ties : {"half", "more-than-half"}, default "half"
        Whether an item that exactly half of a group have goes to all of them or to none.

    Returns
    -------
    int, int
        Kept and created edges.

    Raises
    ------
    TypeError, ValueError
        If the labels do not fit, or ties is not known.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definition 3.5 and the last step of both algorithms, arXiv 2207.06358.

    Examples
    --------
    >>> majority_counts([[1, 1, 0], [1, 0, 0], [1, 0, 1]], [0, 0, 0])
    (3, 0)
    """
    matrix = as_biadjacency(biadjacency)
    check_choice("ties", ties, ("half", "more-than-half"))
    voted = publish_votes(matrix, check_partition(labels, matrix.shape[0]), keep=ties)
    return voted.kept, voted.created


def majority_jaccard(biadjacency: GraphLike, labels: np.ndarray, *, ties: str = "half") -> Fraction:
    """Jaccard similarity that a majority vote inside given groups reaches, as a fraction.

    Parameters, errors and reference are those of `majority_counts`.

    Returns
    -------
    Fraction
        kept / (edges + created); 1 for a graph without edges.

    Examples
    --------
    >>> majority_jaccard([[1, 1, 0], [1, 0, 0], [1, 0, 1]], [0, 0, 0])
    Fraction(3, 5)
    """
    matrix = as_biadjacency(biadjacency)
    kept, created = majority_counts(matrix, labels, ties=ties)
    return Fraction(kept, matrix.nnz + created) if matrix.nnz else Fraction(1)


def smooth_optimum(biadjacency: GraphLike, k: int) -> SmoothOptimum:
    """Find the smooth k-anonymous copy with the largest Jaccard similarity, over all of them.

    The definition lets a group publish an item that at least half of it have, and obliges it to
    none. Publishing all of them is best: with K edges kept so far and a union of U >= K, an item
    that c of g members have (c >= g - c, so c > 0) turns K/U into (K + c)/(U + g - c), which is
    at least (K + c)/(U + c) and thus above K/U whenever K < U; and K < U holds, as long as the
    c edges of this item are missing. So ties are kept, and only the groups are searched. Two
    groups that publish equal rows are one class of the definition, and that is allowed: an item
    that at least half of each have, at least half of both have.

    Among groupings, kept / (edges + created) is a ratio of sums over groups. For a price J of a
    created edge, dynamic programming over subsets finds the largest kept - J * created; the J of
    its grouping is the next price, until it no longer grows (Dinkelbach), in whole numbers.

    Parameters
    ----------
    biadjacency : csr_array, shape (users, items), or other graph
        2 to 12 users.
    k : int
        From 2 to the number of users.

    Returns
    -------
    SmoothOptimum

    Raises
    ------
    TypeError, ValueError
        If k leaves its interval or there are too many users.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definitions 3.5 and 3.6, arXiv 2207.06358; Dinkelbach 1967, On nonlinear fractional
    programming, doi 10.1287/mnsc.13.7.492.

    Examples
    --------
    >>> smooth_optimum([[1, 1, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1]], 2).jaccard
    Fraction(7, 8)
    """
    table = small_rows(biadjacency, k)
    rows, edges = len(table), int(table.sum())
    kept, created = _votes_of_subsets(table)
    jaccard = Fraction(0)
    while True:
        worth = jaccard.denominator * kept - jaccard.numerator * created
        _, labels = best_grouping(worth.tolist(), rows, k)
        votes, new = majority_counts(table, labels)
        reached = Fraction(votes, edges + new) if edges else Fraction(1)
        if not reached > jaccard:
            return SmoothOptimum(reached, labels, votes, new)
        jaccard = reached


def _votes_of_subsets(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Edges that each subset of the rows keeps and creates by its vote, ties kept."""
    rows = len(table)
    members = (np.arange(1 << rows)[:, None] >> np.arange(rows)) & 1
    have, sizes = members @ table.astype(np.int64), members.sum(axis=1, keepdims=True)
    wins = 2 * have >= sizes
    return (have * wins).sum(axis=1), ((sizes - have) * wins).sum(axis=1)
