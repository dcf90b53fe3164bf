"""How many cells of a data set insiders read from the votes of its groups."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from pplab.attacks.pivotal_vote import votes_needed
from pplab.checks import check_integer, check_partition
from pplab.graphs import GraphLike, as_biadjacency

__all__ = ["PivotalCounts", "pivotal_counts"]


@dataclass(frozen=True)
class PivotalCounts:
    """Cells that insiders drawn at random from each group read, on average over their draws.

    Attributes
    ----------
    edges_read, gaps_read : float
        Cells of the others whose 1, or whose 0, is read for certain; a sum over groups.
    edges_share : float
        edges_read over the edges that the others have on average; NaN without any.
    by_size : DataFrame
        ``size`` of the group, ``groups``, ``insiders`` in each, ``edges_read``, ``gaps_read``,
        and ``others_edges``, the edges of the others on average.
    """

    edges_read: float
    gaps_read: float
    edges_share: float
    by_size: pd.DataFrame


def pivotal_counts(biadjacency: GraphLike, labels: np.ndarray, *, insiders: int) -> PivotalCounts:
    """Count the cells that insiders read from the majority votes of their groups, exactly.

    An item can only be read where its vote was decided by one: h votes are needed and c = h
    members have it (then the others all have it, if all who lack it are insiders), or c = h - 1
    (then no other has it, if all who have it are insiders). With i insiders drawn uniformly from
    a group of g, that has probability C(h, i - (g - h)) / C(g, i) and
    C(g - h + 1, i - (h - 1)) / C(g, i), and g - i cells are read at once. Only the counts of
    votes are needed, one pass over the edges.

    Parameters
    ----------
    biadjacency : csr_array, shape (users, items), or other graph
        The original data.
    labels : int array, shape (users,)
        Groups from 0, none empty; each publishes what at least half of its members have.
    insiders : int
        Insiders in each group, from 0; in a group with no more members than that, all but one.

    Returns
    -------
    PivotalCounts

    Raises
    ------
    TypeError, ValueError
        If the labels do not fit, or insiders is negative.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, the last
    step of Algorithms 1 and 2, arXiv 2207.06358, publishes such votes.

    Examples
    --------
    Three users; two of them have the first item, one the second. Two insiders drawn at random
    read the first item of the third user in two draws of three when the third has it, and the
    second item in two of three when the third lacks it.

    >>> found = pivotal_counts([[1, 0], [1, 0], [0, 1]], [0, 0, 0], insiders=2)
    >>> found.by_size[["size", "groups", "insiders"]].values.tolist()
    [[3, 1, 2]]
    >>> round(found.edges_read, 3), round(found.gaps_read, 3)
    (0.667, 0.667)
    """
    matrix = as_biadjacency(biadjacency)
    groups = check_partition(labels, matrix.shape[0])
    drawn = check_integer("insiders", insiders, minimum=0)
    tallies = _tallies(matrix, groups)
    rows = [_of_size(tally, drawn) for tally in tallies.to_dict("records")]
    by_size = pd.DataFrame(rows)
    edges, others = by_size["edges_read"].sum(), by_size["others_edges"].sum()
    share = float(edges / others) if others else float("nan")
    return PivotalCounts(float(edges), float(by_size["gaps_read"].sum()), share, by_size)


def _tallies(matrix: sparse.csr_array, groups: np.ndarray) -> pd.DataFrame:
    """Per size of group: groups, edges, and items decided by one vote, won and lost."""
    sizes = np.bincount(groups)
    places = np.repeat(groups, np.diff(matrix.indptr)) * np.int64(matrix.shape[1])
    cells, have = np.unique(places + matrix.indices, return_counts=True)
    group = cells // matrix.shape[1]
    needed = votes_needed(sizes, ties="half")
    # where one vote suffices, an item that nobody has was lost by one vote too
    never = np.where(needed == 1, matrix.shape[1] - np.bincount(group, minlength=len(sizes)), 0)
    table = pd.DataFrame(
        {
            "size": sizes,
            "groups": 1,
            "edges": np.bincount(group, weights=have, minlength=len(sizes)),
            "won": np.bincount(group, weights=have == needed[group], minlength=len(sizes)),
            "lost": np.bincount(group, weights=have == needed[group] - 1, minlength=len(sizes)),
        }
    )
    table["lost"] += never
    return table.groupby("size", as_index=False).sum().astype(np.int64)


def _of_size(tally: dict[Any, int], insiders: int) -> dict[str, Any]:
    """Expected counts over all groups of one size."""
    size, needed = tally["size"], votes_needed(tally["size"], ties="half")
    drawn = min(insiders, size - 1)
    ways, others = comb(size, drawn), size - drawn
    won = Fraction(tally["won"] * others * _choices(needed, drawn - (size - needed)), ways)
    lost = Fraction(tally["lost"] * others * _choices(size - needed + 1, drawn - needed + 1), ways)
    return {
        "size": size,
        "groups": tally["groups"],
        "insiders": drawn,
        "edges_read": float(won),
        "gaps_read": float(lost),
        "others_edges": float(Fraction(tally["edges"] * others, size)),
    }


def _choices(members: int, drawn: int) -> int:
    return comb(members, drawn) if drawn >= 0 else 0
