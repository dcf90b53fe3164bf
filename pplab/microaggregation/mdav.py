"""MDAV and V-MDAV: groups of k points and more around those that lie furthest out.

`mdav_steps` is the algorithm as it is printed, one move at a time. `mdav` gives the same groups for
many points: its machinery stands in ``_mdav.py``, and the tests hold the two together. `v_mdav`
lets a group grow where a neighbour belongs to it.
"""

from dataclasses import dataclass

import numpy as np

from pplab.checks import check_choice, check_k, check_not_negative, check_squares
from pplab.compiled import TIE
from pplab.graphs import GraphLike
from pplab.microaggregation._mdav import groups_of_k, squared_distances
from pplab.tables import as_points, by_group, coordinate_order, scaled, squares_to


def mdav(points: GraphLike, k: int, *, leftover: str = "closest") -> np.ndarray:
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
    squared distances tie by the tolerance of the package, one part in 10^12.

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
    k = check_k(k, len(table))
    order = coordinate_order(table)
    table = scaled(table[order].astype(np.float64, copy=False))
    labels = np.empty(len(table), dtype=np.int64)
    labels[order] = _with_leftovers(table, groups_of_k(table, k), leftover)
    return labels


def _with_leftovers(points: np.ndarray, labels: np.ndarray, leftover: str) -> np.ndarray:
    """Labels of all points, where those of the last k to 2k - 1 were -1.

    A leftover stays with the others if it is strictly closer to their mean than to that of any
    group; they are a group if more than half of them stay (Casino et al. 2015, Section 3).
    """
    last, groups = np.flatnonzero(labels < 0), int(labels.max()) + 1
    distances = np.append(labels, groups)[:-1]
    distances[last] = groups
    if leftover == "group" or not groups:
        return distances
    members, starts, sizes = by_group(points, distances, np.arange(len(points)))
    means = np.add.reduceat(members, starts) / sizes[:, None]
    joined, stay = distances.copy(), 0
    for row in last:
        away = squared_distances(means, np.arange(groups + 1), points[row], np.zeros_like(means[0]))
        others = away[:groups].min()
        stay += bool(away[groups] < others * (1 - TIE))
        joined[row] = np.argmax(away[:groups] <= others * (1 + TIE))
    return distances if 2 * stay > len(last) else joined


# MDAV one move at a time, slow and clear: for reading and for pictures, never for speed.


@dataclass(frozen=True, eq=False)
class MdavStep:
    """One move of MDAV, and the groups there are after it.

    Attributes
    ----------
    move : str
        "start"; "farthest" (r, from the mean of what is left), "opposite" (s, from r), "group"
        (of r or s); "leftover" (who is left, with their mean) and "done".
    text : str
        The move in one sentence.
    labels : int64 array, shape (points,)
        Group of each point; -1 where it has none yet.
    published : float64 array, shape (points, dimensions)
        What would be published now: means of groups, and points without a group as they are.
    marks : dict
        Places that the move looks at, under the names "mean", "r" and "s".
    """

    move: str
    text: str
    labels: np.ndarray
    published: np.ndarray
    marks: dict[str, np.ndarray]


def mdav_steps(points: GraphLike, k: int, *, leftover: str = "closest") -> list[MdavStep]:
    """Run MDAV and keep every move.

    While 3k or more points are left: r is the point farthest from their mean; r and its k - 1
    nearest are a group; s is the point farthest from r among the rest; s and its k - 1 nearest
    are a group. With 2k to 3k - 1 left one such r takes a group. The last k to 2k - 1 are a group
    with leftover "group". With "closest" they are one if more than half of them are nearer to
    their mean than to the mean of any group; otherwise each joins the group with the nearest mean.

    Parameters
    ----------
    points : array or sparse, shape (points, dimensions)
        Numbers of at most 1e50 in size; distances are Euclidean.
    k : int
        Smallest size of a group, from 2 to the number of points.
    leftover : {"closest", "group"}
        What becomes of the last points: the rule of the paper, or the classic one.

    Returns
    -------
    list of MdavStep
        The last one holds the groups, numbered in the order in which they were made. Of points
        equally far, the one that comes first by its coordinates is taken.

    Raises
    ------
    TypeError, ValueError
        If k leaves its interval, leftover is not known or a point is not finite.

    References
    ----------
    Domingo-Ferrer and Torra 2005, doi 10.1007/s10618-005-0007-5; for the leftovers
    Casino, Domingo-Ferrer, Patsakis, Puig and Solanas 2015, A k-anonymous approach to privacy
    preserving collaborative filtering, doi 10.1016/j.jcss.2014.12.013, Section 3.

    Examples
    --------
    >>> steps = mdav_steps([[0], [1], [2], [10], [11], [13]], 2)
    >>> [step.move for step in steps]
    ['start', 'farthest', 'group', 'opposite', 'group', 'leftover', 'done']
    >>> steps[-1].labels
    array([1, 1, 1, 0, 0, 0])
    """
    check_choice("leftover", leftover, ("closest", "group"))
    cloud = as_points(points).astype(np.float64)
    check_squares("points", cloud)
    k = check_k(k, len(cloud))
    run = _Run(cloud, k)
    while len(run.left) >= 2 * k:
        run.group_around(run.farthest_from_mean())
        if len(run.left) >= 2 * k:  # there were 3k or more: room for a group on the other side
            run.group_around(run.opposite())
    run.place_the_last(leftover)
    return run.steps


class _Run:
    """Points that are left, the groups there are, and the moves so far."""

    def __init__(self, cloud: np.ndarray, k: int) -> None:
        self.cloud, self.k = cloud, k
        self.left = coordinate_order(cloud)  # a tie goes to the first in this order
        self.labels = np.full(len(cloud), -1, dtype=np.int64)
        self.published = cloud.copy()
        self.reference = -1  # row of the last r
        self.steps: list[MdavStep] = []
        self._keep("start", f"{len(cloud)} points, groups of {k} or more.")

    def farthest_from_mean(self) -> int:
        mean = self.cloud[self.left].mean(axis=0)
        self.reference = self._farthest(mean)
        text = "r is farthest from the mean of all that are left."
        self._keep("farthest", text, mean=mean, r=self.cloud[self.reference])
        return self.reference

    def opposite(self) -> int:
        r = self.cloud[self.reference]
        row = self._farthest(r)
        self._keep("opposite", "s is farthest from r among the rest.", r=r, s=self.cloud[row])
        return row

    def group_around(self, row: int) -> None:
        nearest = np.argsort(squares_to(self.cloud[row], self.cloud[self.left]), kind="stable")
        self._label(self.left[nearest[: self.k]], int(self.labels.max()) + 1)
        self.left = self.left[np.sort(nearest[self.k :])]
        name = "r" if row == self.reference else "s"
        text = f"{name} and its {self.k - 1} nearest are a group; {len(self.left)} are left."
        self._keep("group", text, **{name: self.cloud[row]})

    def place_the_last(self, leftover: str) -> None:
        last, groups = self.cloud[self.left], int(self.labels.max()) + 1
        mean = last.mean(axis=0)
        self._keep("leftover", f"{len(last)} are left, too few for two groups.", mean=mean)
        as_group, text = True, "They make the last group."
        if groups and leftover == "closest":
            means = np.array([self.cloud[self.labels == g].mean(axis=0) for g in range(groups)])
            squares = np.array([squares_to(point, means) for point in last])
            loyal = int((squares_to(mean, last) < squares.min(axis=1)).sum())
            as_group = 2 * loyal > len(last)
            text = f"Nearer to their own mean than to any group: {loyal} of {len(last)}. "
            text += "They make a group." if as_group else "Each joins the nearest group."
        self._label(self.left, groups if as_group else squares.argmin(axis=1))
        self._keep("done", text)

    def _farthest(self, place: np.ndarray) -> int:
        squares = squares_to(place, self.cloud[self.left])
        return int(self.left[np.argmax(squares >= squares.max() * (1 - TIE))])

    def _label(self, rows: np.ndarray, groups: int | np.ndarray) -> None:
        self.labels[rows] = groups
        for group in np.unique(groups):
            members = self.labels == group
            self.published[members] = self.cloud[members].mean(axis=0)

    def _keep(self, move: str, text: str, **marks: np.ndarray) -> None:
        self.steps.append(MdavStep(move, text, self.labels.copy(), self.published.copy(), marks))


# V-MDAV: groups around points far out that grow where a neighbour belongs to them.


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
        grouped = np.zeros(len(left), dtype=bool)
        grouped[nearest] = True
        if gain > 0:
            _extend(free, grouped, 2 * k - 1, gain)
        groups.append(left[grouped])
        left = left[~grouped]
    return groups, left


def _extend(free: np.ndarray, grouped: np.ndarray, most: int, gain: float) -> None:
    """Mark the points that join the group of those already marked."""
    inward = np.full(len(free), np.inf)
    for member in np.flatnonzero(grouped):
        np.minimum(inward, squares_to(free[member], free), out=inward)
    inward[grouped] = np.inf
    size = int(np.count_nonzero(grouped))
    while size < min(most, len(free) - 1):  # the last free point has no other to compare with
        candidate = int(np.argmin(inward))
        squares = squares_to(free[candidate], free)
        others = ~grouped
        others[candidate] = False
        if not float(inward[candidate]) < gain * gain * float(squares[others].min()):
            return
        grouped[candidate] = True
        size += 1
        np.minimum(inward, squares, out=inward)
        inward[grouped] = np.inf
