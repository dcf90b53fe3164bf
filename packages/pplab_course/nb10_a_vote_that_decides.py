"""Exercises of notebook 10: ties, votes, what insiders read, and a vote with noise."""

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from pplab.attacks.votes import pivotal_cells
from pplab.response.levels import largest_odds
from pplab_course.answers import Refusal, array, call, number, numbers, parts, without
from pplab_course.exercises import close, enter, hidden, recognised, right

# 10-P: what insiders read with certainty

ITEMS = 12


@enter("10-P")
def _read(answer: Any) -> str | None:
    """Run read(published, known, size) on drawn groups and compare it with the library."""
    by_hand, answers, readings = without(pivotal_cells, answer), [], []
    form = f"a 1, a 0 or a -1 for each of the {ITEMS} items, please"
    for vote in _votes():
        row = array(call(by_hand, *vote), f"{form}.")
        if row.shape != (ITEMS,) or np.isnan(row).any():
            raise Refusal(f"{form}, got shape {row.shape}, {np.isnan(row).sum()} None or NaN.")
        answers.append(row)
        readings.append(_readings(*vote))
    return recognised(answers, zip(zip(*readings, strict=True), _HINTS, strict=True), within=0)


def _votes() -> list[tuple[np.ndarray, np.ndarray, int]]:
    """Published rows, insiders' rows and sizes of groups, twelve items each."""
    rng, groups = np.random.default_rng(hidden(10)), []
    for size in range(2, 8):
        for insiders in range(size):
            rows = (rng.random((size, ITEMS)) < rng.choice([0.3, 0.5, 0.8], ITEMS)).astype(int)
            groups.append(((2 * rows.sum(axis=0) >= size).astype(int), rows[:insiders], size))
    return groups


def _readings(published: np.ndarray, known: np.ndarray, size: int) -> tuple[np.ndarray, ...]:
    """Values that a published row discloses for certain, and those that wrong ways read in it."""
    certain = pivotal_cells(published, known=known, size=size)
    split = (known.min(axis=0, initial=1) == 0) & (known.max(axis=0, initial=0) == 1)
    missing = size // 2 + 1 - known.sum(axis=0)  # votes that more than half still want
    all_have = (published == 1) & (missing == size - len(known))
    ties_lost = np.where(all_have, 1, np.where((published == 0) & (missing == 1), 0, -1))
    ones, zeros = (np.where(certain == bit, bit, -1) for bit in (1, 0))
    return certain, np.where(split, published, -1), ties_lost, ones, zeros, published


_HINTS = (
    "",
    "Your rule is right for two insiders of three; what if the group is larger?",
    "Your rule is right for 'more than half'; here at least half is enough, so ties count.",
    "You found items that all other members have. Can votes also show that none has an item?",
    "You found items that no other member has. Can votes also show that all have an item?",
    "You returned the published row. Where nothing is certain, return -1.",
)


# 10-B: the vote that one person decided. Nine people, three groups of three, six known rows

# Insiders of a group agree on all items, or on all but one. The rows of 4, 6 and 8 are secret.
_ROWS = "11010010 00111001 10100110 11010010 00101101 10110110 01010011 00111001 00100111"
_INSIDERS = (0, 1, 2, 3, 5, 7)


@enter("10-B")
def _decided(answer: Any) -> str | None:
    person, item, value = numbers(answer, 3)
    release = nine_voters()
    rows, items = release.published.shape
    if person not in range(rows) or item not in range(items) or value not in (0, 1):
        return "Persons are numbered 0 to 8, and items 0 to 7; a value is 0 or 1."
    if person in release.known:
        return "That row is known: it belongs to an insider. Whose row is unknown?"
    person, item = int(person), int(item)
    group = release.groups[person]
    group_rows = [row for u, row in release.known.items() if release.groups[u] == group]
    if group_rows[0][item] == group_rows[1][item]:
        return "Both insiders agree there, so the vote was decided without this person."
    if value != release.published[person, item]:
        return "The cell is right. The insiders' votes differ: what does the published bit say?"
    return ""


class NineVoters(NamedTuple):
    """A published table, the group of each person, and the rows of the insiders.

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
            own_row = _text(self.known[person]) if person in self.known else "?"
            lines.append(f"{person:6}  {group:5}  {_text(row)}   {own_row}")
        return "\n".join(lines)


def nine_voters() -> NineVoters:
    """Give the release.

    Examples
    --------
    >>> sorted(nine_voters().known)
    [0, 1, 2, 3, 5, 7]
    """
    secret = np.array([[int(cell) for cell in row] for row in _ROWS.split()])
    groups = np.arange(9) % 3
    votes = np.array([secret[groups == group].sum(axis=0) for group in range(3)])
    known = {person: secret[person] for person in _INSIDERS}
    return NineVoters((2 * votes >= 3).astype(int)[groups], groups, known)


def _text(row: np.ndarray) -> str:
    return "".join(map(str, row.tolist()))


# 10-D: a group that three insiders never read

INSIDERS = 3
_LEAST = 2 * INSIDERS + 3  # smaller groups are always read


@enter("10-D")
def _withstands(answer: Any) -> str | None:
    size, needed = numbers(answer, 2)
    if size % 1 or needed % 1 or not 1 <= needed <= size:
        return "Give whole numbers: the group's size g, then the votes h, at most g of them."
    if size <= INSIDERS:
        return "With three insiders the group needs a fourth member."
    for votes in range(INSIDERS + 1):
        many = f"Suppose that {votes} of the 3 insiders have an item"
        if needed - votes == 1:
            return f"{many} that is not published. They then know that no other member has it."
        if needed - votes == size - INSIDERS:
            return f"{many} that is published. They then know that all other members have it."
    if size > _LEAST:
        return "True, no three insiders are certain there. But a smaller group achieves this, too."
    return ""


# 10-O: a vote with noise


@enter("10-O")
def _random_vote(answer: Any) -> str | None:
    form = "this exercise takes three things: (probabilities, ε of a cell, ε of a row)."
    chances, cell, row = parts(answer, 3, form)
    chances = numbers(chances, 4)
    if not all(0 <= chance <= 1 for chance in chances):
        return "Probabilities lie between 0 and 1."
    level = _level(chances)
    if level == math.inf:
        return "A bit is certain for one number of votes, not for the next, so no finite ε holds."
    if level == 0:
        return "The votes change nothing: this is private but useless."
    if chances != sorted(chances):
        return "More votes should not make a published 1 less likely."
    cell, row = number(cell), number(row)
    if close(cell, math.exp(level)):
        return "Your number gives the odds; ε is their logarithm."
    if right(cell, level) is None:
        if cell > level:
            return "Your ε is an upper limit but is not exact: no ratio is that large."
        return f"Your ε is too small. Look at both bits: some odds are {math.exp(level):.3g} : 1."
    if close(row, level):
        return "The ε of a cell is right. A row may change in all eight items, and odds multiply."
    odds = "The ε of a cell is right. What are the odds of eight independent bits?"
    return odds if right(row, 8 * level) is None else ""


def _level(chances: list[float]) -> float:
    """Exact level for one vote: the largest ratio of neighbouring counts, for both bits."""
    exact = [Fraction(chance).limit_denominator(10**9) for chance in chances]
    return math.log(max(map(largest_odds, pairwise((chance, 1 - chance) for chance in exact))))
