"""The release of exercise 07-B: nine people in three groups of three, six rows are known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

__all__ = ["NineVoters", "nine_voters"]

# Insiders of a group agree on all items, or on all but one.
_SECRET = {
    0: "11010010",
    1: "00111001",
    2: "10100110",
    3: "11010010",
    4: "00101101",
    5: "10110110",
    6: "01010011",
    7: "00111001",
    8: "00100111",
}
_OUTSIDERS = (4, 6, 8)  # their rows are nobody's business


class NineVoters(NamedTuple):
    """A published table, who is in which group, and the rows of the insiders.

    Attributes
    ----------
    published : int array, shape (9, 8)
    groups : int array, shape (9,)
    known : dict of person to int array, shape (8,)
    """

    published: np.ndarray
    groups: np.ndarray
    known: dict[int, np.ndarray]

    def __repr__(self) -> str:
        """Write the release as a table, a line per person."""
        lines = ["person  group  published  own row"]
        for person, (row, group) in enumerate(zip(self.published, self.groups, strict=True)):
            own = _text(self.known[person]) if person in self.known else "?"
            lines.append(f"{person:6}  {group:5}  {_text(row)}   {own}")
        return "\n".join(lines)


def nine_voters() -> NineVoters:
    """Give the release.

    Examples
    --------
    >>> sorted(nine_voters().known)
    [0, 1, 2, 3, 5, 7]
    """
    secret = np.array([[int(cell) for cell in row] for row in _SECRET.values()])
    groups = np.arange(9) % 3
    votes = np.array([secret[groups == group].sum(axis=0) for group in range(3)])
    known = {person: secret[person] for person in _SECRET if person not in _OUTSIDERS}
    return NineVoters((2 * votes >= 3).astype(int)[groups], groups, known)


def _text(row: np.ndarray) -> str:
    return "".join(map(str, row.tolist()))
