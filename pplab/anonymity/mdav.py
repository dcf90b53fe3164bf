"""MDAV microaggregation: groups of k points around those that lie furthest out."""

from __future__ import annotations

import numpy as np

from pplab.checks import check_choice, check_k
from pplab.graphs import GraphLike, as_matrix

__all__ = ["mdav"]


def mdav(points: GraphLike, k: int, *, leftover: str = "closest") -> np.ndarray:
    """Group points by maximum distance to the average vector.

    The point furthest from the mean of all that are left takes its k - 1 nearest, then the point
    furthest from that one takes its own, and so on until fewer than 3k points are left.

    Parameters
    ----------
    points : array or sparse, shape (points, dimensions)
        Finite numbers; distances are Euclidean.
    k : int
        Smallest size of a group, from 2 to the number of points.
    leftover : {"closest", "group"}
        What becomes of the last k to 2k - 1 points: "group" makes one group of them (the classic
        form); "closest" is not there yet.

    Returns
    -------
    int array, shape (points,)
        Group of each point, in the order in which the groups were made. The rows may come in any
        order: of points equally far, the one that comes first by its coordinates is taken.

    Raises
    ------
    NotImplementedError
        If leftover is "closest".
    TypeError, ValueError
        If k leaves its interval, leftover is not known or a point is not finite.

    References
    ----------
    Domingo-Ferrer and Torra 2005, Ordinal, continuous and heterogeneous k-anonymity through
    microaggregation, doi 10.1007/s10618-005-0007-5, Algorithm 4.1.

    Examples
    --------
    >>> mdav([[0.0], [10.0], [0.5], [9.0], [4.0], [5.0]], 2, leftover="group")
    array([1, 0, 1, 0, 2, 2])
    """
    check_choice("leftover", leftover, ("closest", "group"))
    if leftover == "closest":
        raise NotImplementedError('leftover="closest" is not written yet; pass leftover="group"')
    table = as_matrix(points, name="points").toarray().astype(float)
    check_k(k, len(table))
    order = np.lexsort(table.T[::-1])  # from here on, a tie goes to the first in this order
    labels = np.empty(len(table), dtype=np.int64)
    for number, members in enumerate(_groups(table[order], k)):
        labels[order[members]] = number
    return labels


def _groups(points: np.ndarray, k: int) -> list[np.ndarray]:
    """Row numbers of each group; points are sorted."""
    groups = []
    left = np.arange(len(points))
    while len(left) >= 2 * k:
        far = _furthest(points, left, points[left].mean(axis=0))
        group, left = _take_nearest(points, left, points[far], k)
        groups.append(group)
        if len(left) >= 2 * k:  # at least 3k before: room for a group on the other side
            opposite = _furthest(points, left, points[far])
            group, left = _take_nearest(points, left, points[opposite], k)
            groups.append(group)
    return [*groups, left]


def _distances(points: np.ndarray, left: np.ndarray, place: np.ndarray) -> np.ndarray:
    return np.square(points[left] - place).sum(axis=1)


def _furthest(points: np.ndarray, left: np.ndarray, place: np.ndarray) -> int:
    return int(left[np.argmax(_distances(points, left, place))])


def _take_nearest(
    points: np.ndarray, left: np.ndarray, place: np.ndarray, k: int
) -> tuple[np.ndarray, np.ndarray]:
    """The k points nearest to a place, and those that remain, still in order."""
    nearest = np.argsort(_distances(points, left, place), kind="stable")
    return left[nearest[:k]], np.sort(left[nearest[k:]])
