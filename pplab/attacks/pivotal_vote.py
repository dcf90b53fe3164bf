"""Insiders of a group read the others' cells from a majority vote in which they were decisive."""

from __future__ import annotations

from typing import Any

import numpy as np

from pplab.checks import check_choice, check_integer

__all__ = ["pivotal_cells", "votes_needed"]

_TIES = ("half", "more-than-half")


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
    return (size + 1) // 2 if check_choice("ties", ties, _TIES) == "half" else size // 2 + 1


def pivotal_cells(published: Any, *, known: Any, size: int) -> np.ndarray:
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
    found = np.full(len(row), -1, dtype=np.int8)
    found[row & (missing >= others)] = 1
    found[~row & (missing <= 1)] = 0
    return found


def _release_rows(published: Any, insiders: Any, size: Any) -> tuple[np.ndarray, np.ndarray]:
    """Bring a group's published row and its insiders' rows into bool arrays that fit together."""
    members = check_integer("size", size, minimum=2)
    row, known = np.asarray(published), np.asarray(insiders)
    for name, array in (("published", row), ("known", known)):
        if array.size and not (array.dtype.kind in "biuf" and np.isin(array, (0, 1)).all()):
            raise ValueError(f"{name} must hold zeros and ones, got {array!r}; pass bits")
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
            f"known must leave somebody of the {members} members to read, got {len(known)} rows; "
            "take an insider out"
        )
    return row.astype(bool), known.astype(bool)
