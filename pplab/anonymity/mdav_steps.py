"""MDAV one move at a time, slow and clear: for reading and for pictures, never for speed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pplab.checks import as_points, check_choice, check_k, check_squares
from pplab.graphs import GraphLike
from pplab.tables import coordinate_order, squares_to

__all__ = ["MdavStep", "mdav_steps"]

_TIE = 1e-12  # distances that differ by less than this part are equal


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
    """What is left, which groups there are, and the moves so far."""

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
        self._label(self.left[nearest[: self.k]], self.labels.max() + 1)
        self.left = self.left[np.sort(nearest[self.k :])]
        name = "r" if row == self.reference else "s"
        text = f"{name} and its {self.k - 1} nearest are a group; {len(self.left)} are left."
        self._keep("group", text, **{name: self.cloud[row]})

    def place_the_last(self, leftover: str) -> None:
        last, groups = self.cloud[self.left], self.labels.max() + 1
        mean = last.mean(axis=0)
        self._keep("leftover", f"{len(last)} are left, too few for two groups.", mean=mean)
        together, text = True, "They make the last group."
        if groups and leftover == "closest":
            means = np.array([self.cloud[self.labels == g].mean(axis=0) for g in range(groups)])
            squares = np.array([squares_to(point, means) for point in last])
            loyal = int((squares_to(mean, last) < squares.min(axis=1)).sum())
            together = 2 * loyal > len(last)
            text = f"Nearer to their own mean than to any group: {loyal} of {len(last)}. "
            text += "They make a group." if together else "Each joins the nearest group."
        self._label(self.left, groups if together else squares.argmin(axis=1))
        self._keep("done", text)

    def _farthest(self, place: np.ndarray) -> int:
        squares = squares_to(place, self.cloud[self.left])
        return int(self.left[np.argmax(squares >= squares.max() * (1 - _TIE))])

    def _label(self, rows: np.ndarray, groups: int | np.ndarray) -> None:
        self.labels[rows] = groups
        for group in np.unique(groups):
            members = self.labels == group
            self.published[members] = self.cloud[members].mean(axis=0)

    def _keep(self, move: str, text: str, **marks: np.ndarray) -> None:
        step = MdavStep(move, text, self.labels.copy(), self.published.copy(), marks)
        self.steps.append(step)
