"""MDAV microaggregation: groups of k points around those that lie furthest out."""

from __future__ import annotations

from typing import Any

import numpy as np

from pplab.anonymity.extremes import TIE, squared_distances
from pplab.anonymity.mdav_rounds import groups_of_k
from pplab.checks import as_points, check_choice, check_k
from pplab.tables import by_group, coordinate_order, scaled

__all__ = ["mdav"]


def mdav(points: Any, k: int, *, leftover: str = "closest") -> np.ndarray:
    """Group points by maximum distance to the average vector.

    While 3k or more points are left, the one furthest from the mean of all that are left takes
    its k - 1 nearest, then the point furthest from that one takes its own. Of 2k to 3k - 1 points
    the furthest from the mean takes a last group.

    Parameters
    ----------
    points : array, nested list, scipy sparse or DataFrame of numbers, shape (points, dimensions)
        Finite numbers, float32 or float64; distances are Euclidean.
    k : int
        Smallest size of a group, from 2 to the number of points.
    leftover : {"closest", "group"}
        What becomes of the last k to 2k - 1 points. "group" makes one group of them (the classic
        form). "closest" does so only if more than half of them are closer to their own mean than
        to that of any other group; otherwise each joins the group whose mean, before any of them
        joined, is closest, and a group may reach 2k members and more. If there is no other group,
        they are one.

    Returns
    -------
    int64 array, shape (points,)
        Group of each point, in the order in which the groups were made.

    Raises
    ------
    TypeError, ValueError
        If k leaves its interval, leftover is not known or a point is not finite.

    Notes
    -----
    Groups do not depend on the order of the rows, nor on the number of threads. Distances are
    those of float64. Of points equally far or near, the first in the order of their coordinates is
    taken (a smaller first coordinate first, then the second, and so on); of rows that are alike
    throughout, it does not matter which. Two points are equally far from a third if float64 gives
    the same squared distance; they are equally far from a mean, which float64 can only round, if
    squared distances differ by no more than one part in 10^12.

    References
    ----------
    Domingo-Ferrer and Torra 2005, Ordinal, continuous and heterogeneous k-anonymity through
    microaggregation, doi 10.1007/s10618-005-0007-5. The rule "closest": Casino,
    Domingo-Ferrer, Patsakis, Puig and Solanas 2015, A k-anonymous approach to privacy preserving
    collaborative filtering, doi 10.1016/j.jcss.2014.12.013.

    Examples
    --------
    >>> mdav([[0], [1], [2], [10], [11], [13]], 2, leftover="group")
    array([1, 1, 2, 2, 0, 0])
    >>> mdav([[0], [1], [2], [10], [11], [13]], 2)
    array([1, 1, 1, 0, 0, 0])
    """
    check_choice("leftover", leftover, ("closest", "group"))
    table = as_points(points)
    check_k(k, len(table))
    order = coordinate_order(table)
    table = scaled(table[order].astype(np.float64))
    labels = np.empty(len(table), dtype=np.int64)
    found = groups_of_k(table, k)
    labels[order] = _with_leftovers(table, found, leftover)
    return labels


def _with_leftovers(points: np.ndarray, labels: np.ndarray, leftover: str) -> np.ndarray:
    """Labels of all, where those of the leftovers were -1."""
    last, groups = np.flatnonzero(labels < 0), int(labels.max()) + 1
    own = np.append(labels, groups)[:-1]
    own[last] = groups
    if leftover == "group" or not groups:
        return own
    members, starts, sizes = by_group(points, own, np.arange(len(points)))
    means = np.add.reduceat(members, starts) / sizes[:, None]
    joined, stay = own.copy(), 0
    for row in last:
        away = squared_distances(means, np.arange(groups + 1), points[row], np.zeros_like(means[0]))
        others = away[:groups].min()
        stay += bool(away[groups] < others * (1 - TIE))
        joined[row] = np.argmax(away[:groups] <= others * (1 + TIE))
    return own if 2 * stay > len(last) else joined
