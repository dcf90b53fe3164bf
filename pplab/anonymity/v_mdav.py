"""V-MDAV: groups around points far out that grow where a neighbour belongs to them."""

from __future__ import annotations

import numpy as np

from pplab.anonymity.extremes import TIE
from pplab.checks import as_points, check_k, check_not_negative
from pplab.graphs import GraphLike
from pplab.tables import coordinate_order, scaled, squares_to

__all__ = ["v_mdav"]


def v_mdav(points: GraphLike, k: int, *, gain: float) -> np.ndarray:
    """Group points by maximum distance to the average vector, with groups of variable size.

    The point furthest from the mean of all points takes its k - 1 nearest. The group then takes
    one point after the other, always the one nearest to a member, while that point is nearer to
    the group than gain times its distance to the nearest other point that is still free.

    Parameters
    ----------
    points : array or sparse, shape (points, dimensions)
        Finite numbers; distances are Euclidean.
    k : int
        Smallest size of a group, from 2 to the number of points.
    gain : float
        From 0 (groups of k) upwards: the larger, the easier a group grows, up to 2k - 1 members.
        A point with no other free point left to compare with does not join this way.

    Returns
    -------
    int64 array, shape (points,)
        Group of each point, in the order in which the groups were made. When fewer than k points
        are left, each joins the group with the nearest mean (means as they were before). The rows
        may come in any order: of points equally far, the first by its coordinates is taken.
        Squared distances from a mean, which floats round, are equal up to one part in 10^12.

    Raises
    ------
    TypeError, ValueError
        If k or gain leaves its interval or a point is not finite.

    References
    ----------
    Solanas and Martinez-Balleste 2006, V-MDAV: a multivariate microaggregation with variable
    group size, COMPSTAT 2006. Casino et al. 2015, doi 10.1016/j.jcss.2014.12.013, name
    it as future work.

    Examples
    --------
    >>> v_mdav([[0.0], [1.0], [2.0], [10.0], [11.0]], 2, gain=0)
    array([1, 1, 1, 0, 0])
    >>> v_mdav([[0.0], [1.0], [8.0], [10.0], [11.0], [3.5]], 2, gain=1.2)
    array([0, 0, 1, 1, 1, 0])
    """
    cloud = as_points(points)
    k = check_k(k, len(cloud))
    factor = check_not_negative("gain", gain)
    order = coordinate_order(cloud)  # from here on, a tie goes to the first in this order
    cloud = scaled(cloud[order].astype(np.float64))
    groups, left = _make_groups(cloud, k, factor)
    labels = np.empty(len(cloud), dtype=np.int64)
    for number, members in enumerate(groups):
        labels[order[members]] = number
    means = np.array([cloud[members].mean(axis=0) for members in groups])
    for point in left:
        away = squares_to(cloud[point], means)
        labels[order[point]] = np.argmax(away <= away.min() * (1 + TIE))
    return labels


def _make_groups(cloud: np.ndarray, k: int, gain: float) -> tuple[list[np.ndarray], np.ndarray]:
    """Row numbers of each group, and of the fewer than k points that no group has yet."""
    groups = []
    left = np.arange(len(cloud))
    from_mean = squares_to(cloud.mean(axis=0), cloud)
    while len(left) >= k:
        free = cloud[left]
        furthest = np.argmax(from_mean[left] >= from_mean[left].max() * (1 - TIE))
        nearest = np.argsort(squares_to(free[furthest], free), kind="stable")[:k]
        taken = np.zeros(len(left), dtype=bool)
        taken[nearest] = True
        if gain > 0:
            _extend(free, taken, 2 * k - 1, gain)
        groups.append(left[taken])
        left = left[~taken]
    return groups, left


def _extend(free: np.ndarray, taken: np.ndarray, most: int, gain: float) -> None:
    """Mark the points that join the group of those already marked."""
    inward = np.full(len(free), np.inf)
    for member in np.flatnonzero(taken):
        np.minimum(inward, squares_to(free[member], free), out=inward)
    inward[taken] = np.inf
    size = int(np.count_nonzero(taken))
    while size < min(most, len(free) - 1):  # the last free point has no other to compare with
        candidate = int(np.argmin(inward))
        squares = squares_to(free[candidate], free)
        others = ~taken
        others[candidate] = False
        outward = float(squares[others].min())
        if not float(inward[candidate]) < gain * gain * outward:
            return
        taken[candidate] = True
        size += 1
        np.minimum(inward, squares, out=inward)
        inward[taken] = np.inf
