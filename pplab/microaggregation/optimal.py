"""The groups of least squared error: quickly on a line, by trying all for a handful of points.

They are what the heuristics `mdav` and `v_mdav` are measured against.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from pplab.checks import check_k, check_line
from pplab.compiled import njit
from pplab.graphs import Array, GraphLike
from pplab.tables import as_points, coordinate_order, scaled

_MOST_POINTS = 12  # 3^12 pairs of a set and a part of it: about a second


def optimal_microaggregation_1d(values: GraphLike, k: int) -> np.ndarray:
    """Group numbers into groups of at least k with the smallest sum of squares within groups.

    On a line some best grouping cuts the sorted numbers into runs, and no run needs 2k members:
    it could be cut in two without loss. So the best one is a shortest path over places to cut.

    Parameters
    ----------
    values : array of float, shape (points,)
        Finite numbers of at most 1e50 in size.
    k : int
        Smallest size of a group, from 2 to the number of values.

    Returns
    -------
    int64 array, shape (points,)
        Group of each value, 0 for the smallest ones; every group has k to 2k - 1 members. Time
        grows with points times k, memory with points.

    Raises
    ------
    TypeError, ValueError
        If k leaves its interval or the values are no finite numbers.

    References
    ----------
    Hansen and Mukherjee 2003, A polynomial algorithm for optimal univariate microaggregation,
    doi 10.1109/TKDE.2003.1209020.

    Examples
    --------
    >>> optimal_microaggregation_1d([1, 2, 3, 10, 11, 12, 20], 3)
    array([0, 0, 0, 1, 1, 1, 1])
    """
    line = check_line("values", values)
    k = check_k(k, len(line))
    order = np.argsort(line)
    if not np.diff(line[order]).all():  # equal values stay in the order of their listing
        order = np.argsort(line, kind="stable")
    labels = np.empty(len(line), dtype=np.int64)
    labels[order] = _labels_of_runs(line[order], k)
    return labels


def optimal_microaggregation(points: GraphLike, k: int) -> np.ndarray:
    """Group a handful of points with the smallest sum of squares within groups, by trying all.

    Parameters
    ----------
    points : array or sparse, shape (points, dimensions)
        Finite numbers, at most 12 points; distances are Euclidean.
    k : int
        Smallest size of a group, from 2 to the number of points.

    Returns
    -------
    int64 array, shape (points,)
        Group of each point. Groups of k to 2k - 1 are enough: a group of 2k or more can be cut in
        two of at least k, and two means serve their own members no worse than one mean did.

    Raises
    ------
    TypeError, ValueError
        If k leaves its interval, a point is not finite or there are more than 12.

    References
    ----------
    Oganian and Domingo-Ferrer 2001, On the complexity of optimal microaggregation for statistical
    disclosure control, Statistical Journal of the UNECE 18: with several dimensions the problem
    is NP-hard, so nobody knows a way that is quick for many points.

    Examples
    --------
    >>> optimal_microaggregation([[0, 0], [9, 9], [1, 0], [9, 8]], 2)
    array([0, 1, 0, 1])
    """
    cloud = scaled(as_points(points).astype(np.float64))
    k = check_k(k, len(cloud))
    if len(cloud) > _MOST_POINTS:
        raise ValueError(
            f"all groupings of at most {_MOST_POINTS} points are searched, got {len(cloud)}; take "
            "fewer points, or optimal_microaggregation_1d where they lie on a line"
        )
    order = coordinate_order(cloud)
    labels = np.empty(len(cloud), dtype=np.int64)
    _, labels[order] = best_partition(_set_costs(cloud[order], k), len(cloud))
    return labels


@njit()
def _labels_of_runs(line: Array, k: int) -> Array:
    """Number the best runs of sorted values, each of k to 2k - 1.

    Mean and error are carried on value by value from each start. Differences of running sums of
    squares would lose small errors beside large values.
    """
    best = np.full(len(line) + 1, np.inf)  # best[j]: least error of the first j values
    best[0] = 0.0
    length = np.zeros(len(line) + 1, np.int32)
    for start in range(len(line) - k + 1):
        mean = error = 0.0
        for size in range(1, min(2 * k - 1, len(line) - start) + 1):
            gap = line[start + size - 1] - mean
            mean += gap / size
            error += gap * gap * ((size - 1) / size)
            # of equal errors the shortest run, which starts last
            if size >= k and best[start] + error <= best[start + size]:
                best[start + size], length[start + size] = best[start] + error, size
    labels, end, runs = np.empty(len(line), np.int64), len(line), 0
    while end:
        labels[end - length[end] : end] = runs
        end, runs = end - length[end], runs + 1
    return runs - 1 - labels


def _set_costs(cloud: np.ndarray, k: int) -> dict[int, float]:
    """Squared error of each set of k to 2k - 1 points; a set is a number, a point one bit of it."""
    points = len(cloud)
    sets = np.arange(2**points)
    members = (sets[:, None] >> np.arange(points) & 1).astype(float)
    sizes = members.sum(axis=1)
    allowed = (sizes >= k) & (sizes < 2 * k)
    squares = np.square(cloud[:, None] - cloud[None]).sum(axis=2)
    # the error of a group: its squared distances, each pair once, over its size
    errors = np.einsum("si,ij,sj->s", members[allowed], squares, members[allowed], optimize=True)
    return dict(zip(sets[allowed].tolist(), (errors / sizes[allowed] / 2).tolist(), strict=True))


def best_partition(costs: Mapping[int, Any], count: int) -> tuple[Any, np.ndarray]:
    """Partition this many members into sets with the smallest sum of costs, exact for integers.

    A set is a number, a member one bit of it; those that have no cost are not allowed. Dynamic
    programming: the best partition holds the set of its lowest member, whichever it is, and the
    best partition of what is left. Gives the sum, and the number of each member's set.
    """
    best: list[Any] = [0] + [math.inf] * (2**count - 1)
    choice = [0] * 2**count
    for target in range(1, 2**count):
        lowest = target & -target
        others = rest = target ^ lowest
        while True:
            part = others | lowest
            if part in costs and best[target ^ part] + costs[part] < best[target]:
                best[target], choice[target] = best[target ^ part] + costs[part], part
            if not others:
                break
            others = (others - 1) & rest  # the next smaller part of the rest
    labels = np.empty(count, dtype=np.int64)
    left, number = 2**count - 1, 0
    while left:
        part = choice[left]
        labels[[bit for bit in range(count) if part >> bit & 1]] = number
        left, number = left ^ part, number + 1
    return best[-1], labels
