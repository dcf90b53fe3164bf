"""Insiders of a group read the others' cells from a majority vote in which they were decisive."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from pplab.checks import check_choice
from pplab.checks.small_cases import (
    check_case_bits,
    check_release_possible,
    check_release_rows,
)

__all__ = ["TIES", "pivotal_cells", "pivotal_cells_by_enumeration", "votes_needed"]

TIES = ("half", "more-than-half")
_MOST_BITS = 20  # worlds of the others' cells


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
    return (size + 1) // 2 if check_choice("ties", ties, TIES) == "half" else size // 2 + 1


def pivotal_cells(published: Any, *, known: Any, size: int, ties: str = "half") -> np.ndarray:
    """Read what all other members of a group have, wherever the insiders' votes leave one answer.

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
        The row that the group published.
    known : bits, shape (insiders, items)
        Rows of the insiders; fewer than size of them, perhaps none.
    size : int
        Members of the group, 2 at least.
    ties : {"half", "more-than-half"}, default "half"
        Whether an item that exactly half have is published.

    Returns
    -------
    int8 array, shape (items,)
        1 where all others have the item, 0 where none has it, -1 where the votes leave it open.

    Raises
    ------
    TypeError, ValueError
        If the shapes do not fit, ties is not known, or no rows of the others lead to this release.

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
    row, insiders = check_release_rows(published, known, size)
    others, ones = size - len(insiders), insiders.sum(axis=0)
    missing = votes_needed(size, ties=ties) - ones  # votes that the others must add
    check_release_possible(np.where(row, missing <= others, missing >= 1))
    found = np.full(len(row), -1, dtype=np.int8)
    found[row & (missing >= others)] = 1
    found[~row & (missing <= 1)] = 0
    return found


def pivotal_cells_by_enumeration(
    published: Any, *, known: Any, size: int, ties: str = "half"
) -> np.ndarray:
    """Read the others' cells by listing every world that leads to this release.

    A world is a row for each of the others. A cell is read when it is the same in all worlds that
    publish this row together with the insiders'. Written without the reasoning of
    `pivotal_cells`, so that the tests can hold one against the other.

    Parameters are those of `pivotal_cells`; the others may have 20 cells together.

    Returns
    -------
    int8 array, shape (others, items)
        1, 0, or -1 where worlds differ.

    Raises
    ------
    TypeError, ValueError
        As in `pivotal_cells`, or if there are too many worlds.

    Examples
    --------
    >>> pivotal_cells_by_enumeration([1, 1, 0], known=[[1, 1, 0], [1, 0, 1]], size=3)
    array([[-1,  1,  0]], dtype=int8)
    """
    row, insiders = check_release_rows(published, known, size)
    others, items = size - len(insiders), len(row)
    check_choice("ties", ties, TIES)
    check_case_bits("worlds", others * items, most=_MOST_BITS)
    worlds = []
    for bits in product((0, 1), repeat=others * items):
        world = np.reshape(bits, (others, items))
        twice = 2 * (insiders.sum(axis=0) + world.sum(axis=0))
        vote = twice >= size if ties == "half" else twice > size
        if (vote == row).all():
            worlds.append(world)
    check_release_possible(np.array([len(worlds) > 0]))
    same = np.min(worlds, axis=0) == np.max(worlds, axis=0)
    return np.where(same, worlds[0], -1).astype(np.int8)
