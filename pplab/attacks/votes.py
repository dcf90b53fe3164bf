"""Insiders of a group read the others' cells from a majority vote in which they were decisive."""

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from pplab.checks import as_array, check_choice, check_integer, check_partition, shown
from pplab.graphs import GraphLike, as_biadjacency, with_labels
from pplab.labelled import one_each


def votes_needed(size: Any, *, ties: str) -> Any:
    """Members who must have an item for a group of this size to publish it.

    Parameters
    ----------
    size : int or int array
        Members, 1 at least.
    ties : {"half", "more-than-half"}

    Returns
    -------
    int or int array

    Raises
    ------
    ValueError
        If ties is not known.

    Examples
    --------
    >>> votes_needed(3, ties="half"), votes_needed(4, ties="half")
    (2, 2)
    >>> votes_needed(4, ties="more-than-half")
    3
    """
    check_choice("ties", ties, ("half", "more-than-half"))
    sizes = as_array("size", size)
    if sizes.dtype.kind not in "iu" or not (sizes >= 1).all():
        raise ValueError(f"size must be whole numbers from 1, got {shown(size)}; pass members")
    members = size if isinstance(size, int) else sizes
    return (members + 1) // 2 if ties == "half" else members // 2 + 1


def pivotal_cells(published: Any, *, known: Any, size: int) -> np.ndarray:
    """Read what all other members of a group have, where the insiders' votes allow only one answer.

    With a of the i insiders having an item, u = size - i others and h votes needed, a published
    item says that at least h - a of the others have it: when that is u, all of them do. An item
    that is not published says that at most h - 1 - a of the others have it: when that is 0, none
    does. In a group of three, two insiders who disagree always read the third member's value; a
    single insider who lacks a published item, or has one that was dropped, reads both others.

    What is read is certain, as far as the insiders know who is in their group and how votes are
    counted. Where two groups publish equal rows, the release alone does not tell them apart. The
    groups depend on the data too, which could only tell insiders more.

    Parameters
    ----------
    published : bits, shape (items,)
        The row that the group published: the items that at least half of its members have.
    known : bits, shape (insiders, items)
        Rows of the insiders; fewer than size of them, perhaps none.
    size : int
        Members of the group, 2 at least.

    Returns
    -------
    int8 array, shape (items,)
        1 where all others have the item, 0 where none has it, -1 where the votes leave it open.

    Raises
    ------
    TypeError, ValueError
        If the shapes do not fit, or no rows of the others lead to this release.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, the last
    step of Algorithms 1 and 2, arXiv 2207.06358, publishes such votes; on what k-anonymity leaves
    open: Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam 2007, doi 10.1145/1217299.1217302.

    Examples
    --------
    Two insiders of three, who agree on the first item and disagree on the two others:

    >>> pivotal_cells([1, 1, 0], known=[[1, 1, 0], [1, 0, 1]], size=3)
    array([-1,  1,  0], dtype=int8)
    """
    row, insiders = _release_rows(published, known, size)
    others, ones = size - len(insiders), insiders.sum(axis=0)
    missing = votes_needed(size, ties="half") - ones  # votes that the others must add
    wrong = np.flatnonzero(~np.where(row, missing <= others, missing >= 1))
    if len(wrong):
        raise ValueError(
            f"published must follow from the insiders' rows and some rows of the others, got none "
            f"that lead to {len(wrong)} of {len(row)} bits, the first at {wrong[0]}; check the "
            "rule for ties and the size of the group"
        )
    cells = np.full(len(row), -1, dtype=np.int8)
    cells[row & (missing >= others)] = 1
    cells[~row & (missing <= 1)] = 0
    return cells


def _release_rows(published: Any, insiders: Any, size: Any) -> tuple[np.ndarray, np.ndarray]:
    """Bring a group's published row and its insiders' rows into bool arrays that fit together."""
    members = check_integer("size", size, minimum=2)
    row, known = as_array("published", published), as_array("known", insiders)
    for name, array in (("published", row), ("known", known)):
        if array.size and not (array.dtype.kind in "biuf" and np.isin(array, (0, 1)).all()):
            raise ValueError(f"{name} must hold zeros and ones, got {shown(array)}; pass bits")
    if row.ndim != 1:
        raise ValueError(
            f"published must be the one row of a group, got shape {row.shape}; pass the bits of "
            "its items"
        )
    if not known.size:
        known = known.reshape(0, len(row))
    if known.ndim != 2 or known.shape[1] != len(row):
        raise ValueError(
            f"known must hold a row of {len(row)} items per insider, got shape {known.shape}; pass "
            "an array of shape (insiders, items)"
        )
    if not len(known) < members:
        raise ValueError(
            f"known must leave one of the {members} members to read, got {len(known)} rows; "
            "take an insider out"
        )
    return row.astype(bool), known.astype(bool)


@dataclass(frozen=True)
class PivotalCounts:
    """Edges that insiders drawn at random from each group read, on average over their draws.

    Attributes
    ----------
    edges_read : float
        Edges of the others that are read for certain; a sum over groups.
    edges_share : float
        edges_read over the edges that the others have on average; NaN without any.
    """

    edges_read: float
    edges_share: float


def pivotal_counts(biadjacency: GraphLike, labels: np.ndarray, *, insiders: int) -> PivotalCounts:
    """Count the edges that insiders read from the majority votes of their groups, exactly.

    An edge can only be read where its vote was decided by one: h votes are needed and h members
    have the item (then the others all have it, if all who lack it are insiders). With i insiders
    drawn uniformly from a group of g, that has probability C(h, i - (g - h)) / C(g, i), and g - i
    edges are read at once. Only the counts of votes are needed, one pass over the edges.

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
    Three users; two of them have the first item. Two insiders drawn at random read it of the third
    user in two draws of three, whenever the third has it.

    >>> found = pivotal_counts([[1, 0], [1, 0], [0, 1]], [0, 0, 0], insiders=2)
    >>> round(found.edges_read, 3), round(found.edges_share, 3)
    (0.667, 0.667)
    """
    biadjacency = with_labels(biadjacency, bipartite=True, name="biadjacency")
    matrix = as_biadjacency(biadjacency)
    groups = check_partition(one_each(biadjacency, labels, "labels"), matrix.shape[0])
    sample, sizes = check_integer("insiders", insiders, minimum=0), np.bincount(groups)
    places = np.repeat(groups, np.diff(matrix.indptr)) * np.int64(matrix.shape[1])
    cells, have = np.unique(places + matrix.indices, return_counts=True)
    size_of_group = sizes[cells // matrix.shape[1]]
    read, others_edges = [], []
    for size in np.unique(sizes).tolist():
        counts, needed = have[size_of_group == size], votes_needed(size, ties="half")
        drawn = min(sample, size - 1)
        others, with_item = size - drawn, drawn - (size - needed)  # insiders who have it, at least
        ways = comb(needed, with_item) if with_item >= 0 else 0
        decided = int(np.count_nonzero(counts == needed))
        read.append(float(Fraction(decided * others * ways, comb(size, drawn))))
        others_edges.append(float(Fraction(int(counts.sum()) * others, size)))
    edges, total = float(np.sum(read)), float(np.sum(others_edges))
    return PivotalCounts(edges, edges / total if total else float("nan"))
