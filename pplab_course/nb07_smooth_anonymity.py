"""Exercises of notebook 07: ties, votes, a lemma, a deciding vote, certificates, groups."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from pplab.smooth._rows import nearest_rows
from pplab.smooth.optimum import majority_jaccard, smooth_optimum
from pplab_course.answers import as_labels, call, number, numbers, parts, text
from pplab_course.exercises import close, enter

# 07-R: a tie in a pair


@enter(
    "07-R",
    praise="right. One of two is half: for pairs a tie is all that somebody has.",
    hints=(
        "Take an item that one of the two has. Is one of two at least half?",
        "The other rule, 'more than half', gives the other word.",
    ),
)
def _pair(answer: Any) -> str | None:
    word = text(answer).lower().removeprefix("the ")
    if word.startswith("intersect"):
        return "One of two is half, and half is enough: what becomes of an item that one has?"
    if not re.match(r"unions?\b", word):
        return "One of the two words, please. What becomes of an item that only one of them has?"
    return ""


# 07-C: the similarity after a vote


enter(
    "07-C",
    praise="right. What is left, divided by what there is.",
    hints=(
        "Which items do at least two of the three have? Write the published rows down.",
        "Count the edges that stay, those that are created and those that are suppressed; J is "
        "the first divided by all three together.",
    ),
    right=3 / 5,
    mistakes=(
        (1, "Nothing false was published, but count what is suppressed."),
        (5 / 9, "That is the J of publishing every item that anybody has; ask for a majority."),
        (2 / 5, "That is the share that was suppressed."),
        (1 / 3, "J compares edges, not cells or items."),
    ),
)


# 07-P: how often does a lemma fail? Promises that the count is tried on

Promise = Callable[[Fraction], Fraction]

_CELLS = 6

# The one as printed first; none of the others stands in the notebook but the repaired one.
PROMISES: list[tuple[str, Promise]] = [
    ("as printed", lambda phi: 1 - phi / 2),
    ("repaired", lambda phi: 1 - phi),
    ("with a third", lambda phi: 1 - phi / 3),
    ("with two thirds", lambda phi: 1 - 2 * phi / 3),
    ("of the certificate", lambda phi: 1 / (1 + phi)),
]


@enter(
    "07-P",
    praise="right, on five promises. Nothing breaks the repaired lemma; the printed one breaks "
    "most of the time.",
    hints=(
        "Two loops, over all E but the empty one and over all copies; fractions throughout.",
        "As numbers below 64: changed cells are (old ^ new).bit_count(), shared ones "
        "(old & new).bit_count(), the union (old | new).bit_count().",
    ),
)
def _failures(answer: Callable[..., Any]) -> str | None:
    """Run failures(promise) on all promises; "" when every count is right."""
    rounded = False

    def watched(phi: Any) -> Any:
        nonlocal rounded
        rounded |= isinstance(phi, float)
        return promise(phi)

    for name, promise in PROMISES:
        count = number(call(answer, watched))
        if count == broken(promise):
            continue
        if name == "as printed" and count == 1:
            return "All pairs, not the first one that fails, and not whether one does."
        if count == broken(promise, copies=range(1, 1 << _CELLS)):
            return f"On the lemma {name}: include the empty copy, it is the simplest case of all."
        if count == _doubled(promise):
            return f"On the lemma {name}: each changed cell counts once, it lies in one row."
        if count < 0 or count > 63 * 64:
            return f"There are 63 · 64 pairs; you counted {count:g}."
        if count == broken(promise, strict=False):
            return f"On the lemma {name}: J equal to the promise keeps it; count J < promise only."
        if rounded:
            return "Your shares are floats, and floats round: take Fraction(changed, edges)."
        if name == "repaired":
            return "Nothing breaks the repaired lemma. Do you compare fractions, with a strict <?"
        return (
            f"On the lemma {name} your count is {count:g}, and it is another. H is the number of "
            "all changed cells, divided by |E|; J has the union below."
        )
    return ""


def broken(promise: Promise, *, copies: range = range(1 << _CELLS), strict: bool = True) -> int:
    """Count the pairs of graphs on six cells whose similarity is below what is promised.

    Examples
    --------
    >>> broken(lambda phi: 1 - phi), broken(lambda phi: 1 - phi / 2)
    (0, 2777)
    """
    count = 0
    for (edges, changed, shared), times in _cases(copies).items():
        similar, promised = Fraction(shared, shared + changed), promise(Fraction(changed, edges))
        count += times * (similar < promised or (similar == promised and not strict))
    return count


@cache
def _cases(copies: range) -> Counter[tuple[int, int, int]]:
    """Count pairs by the edges of the original, the cells changed and the edges shared."""
    return Counter(
        (old.bit_count(), (old ^ new).bit_count(), (old & new).bit_count())
        for old in range(1, 1 << _CELLS)
        for new in copies
    )


def _doubled(promise: Promise) -> int:
    return broken(lambda phi: promise(2 * phi))


# 07-B: the vote that one person decided. Nine people, three groups of three, six known rows

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


@enter(
    "07-B",
    praise="right: one vote each way, and the third decided. The table is 3-anonymous all along.",
    hints=(
        "Group by group: on which items do the two known rows differ?",
        "There the published bit is the bit of the third.",
    ),
)
def _decided(answer: Any) -> str | None:
    person, item, value = numbers(answer, 3)
    release = nine_voters()
    rows, items = release.published.shape
    if person not in range(rows) or item not in range(items) or value not in (0, 1):
        return "Persons are 0 to 8, items 0 to 7, values 0 or 1."
    if person in release.known:
        return "That row is known: it is one of the insiders'. Whose row is not?"
    own = [
        row for u, row in release.known.items() if release.groups[u] == release.groups[int(person)]
    ]
    if own[0][int(item)] == own[1][int(item)]:
        return "Both insiders agree there, so the vote was decided without this person."
    if value != release.published[int(person), int(item)]:
        return "The place is right. With one vote each way, what does the published bit say?"
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


# 07-N: two certificates by hand


@enter(
    "07-N",
    praise="right. Neither number asks who makes the groups: both come from the data alone.",
    hints=(
        "Six distances; for each row the mean of the two smallest. Then look at how many of the "
        "four have each item.",
        "The forced H is half the sum of the four means. For the columns: which have fewer than "
        "k/2 owners, and how many edges must be created in the others?",
    ),
)
def _two_certificates(answer: Any) -> str | None:
    forced, bound = numbers(answer, 2)
    if close(forced, 7 / 10) and close(bound, 7 / 2):
        return "The two numbers are swapped: the changes first, then the similarity."
    rows = {
        7: "First number: twice too much. A pair of rows counts from both sides, so take half.",
        14 / 3: "First number: a smallest group has k - 1 companions for a row, not k.",
        3 / 2: "First number: a row is not its own companion; leave the distance to itself out.",
        7 / 3: "First number: a row is not its own companion; leave the distance to itself out.",
        16 / 23: "First number: that is a J already. How many changes are forced?",
    }
    columns = {
        1: "Second number: an item that one of four has, in groups of three?",
        7 / 8: "Second number: an item with two owners is shown by three rows: created edges.",
        8 / 12: "Second number: an item with fewer than k/2 owners is lost. One of these is.",
        8 / 10: "Second number: the lost item's edge is in the union still, but it is not kept.",
        7 / 9: "Second number: what is lost stays in |E|, the number of all edges.",
        3 / 8: "Second number: that is suppression's rule; here half of a group is enough.",
    }
    for value, wanted, mistakes in ((forced, 7 / 2, rows), (bound, 7 / 10, columns)):
        for mistake, hint in mistakes.items():
            if close(value, mistake):
                return hint
        if not close(value, wanted):
            return None
    return ""


# 07-D: the best groups of a 6 x 8 table, and a certificate that they nearly meet

_ROWS = ("01110100", "01111100", "10110010", "11000000", "10110010", "01110010")
K = 2


@enter(
    "07-D",
    praise="right. A little room is left between the two, and no grouping at all fills it.",
    hints=(
        "Six people have few groupings into twos and threes: publish_votes tells the J of each. "
        "The certificate needs the distance of everybody to the nearest row.",
        "groupings(6, 2) lists all of them.",
    ),
)
def _groups(answer: Any) -> str | None:
    form = "this exercise wants a pair: (group of each person, certificate)."
    groups, certificate = parts(answer, 2, form)
    labels, bound = as_labels(groups, len(shelf_of_six())), number(certificate)
    sizes = [int((labels == group).sum()) for group in set(labels.tolist())]
    if min(sizes) < 2:
        return "A group is below k = 2: verify with is_k_anonymous before you measure J."
    reached, best, changes = similarity(labels), best_similarity(), least_changes()
    if reached < 0.98 * best:
        return f"2-anonymous, J = {reached:.3f}. Other groups keep more; who is near whom?"
    if close(bound, 1 / (1 + changes), within=0.002):
        return ""
    if close(bound, 1 / (1 + 2 * changes), within=0.002):
        return "Good groups. In the certificate each pair is counted from both sides: take half."
    if close(bound, changes, within=0.002):
        return "Good groups. That number is h; the certificate is 1/(1 + h)."
    if close(bound, best, within=0.002):
        return "Good groups. But that is their J; the certificate asks nothing about groups."
    if bound < reached - 1e-9:
        return "Good groups. But the certificate is below what they reach: no bound can be."
    return "Good groups. Compute the certificate again, for k = 2: one nearest row each."


def shelf_of_six() -> np.ndarray:
    """Books that six people have read, of eight, as a 0/1 array.

    Examples
    --------
    >>> shelf_of_six().shape, int(shelf_of_six().sum())
    ((6, 8), 23)
    """
    return np.array([[int(cell) for cell in row] for row in _ROWS])


def similarity(labels: np.ndarray) -> float:
    """Jaccard similarity of what these groups publish by majority."""
    return float(majority_jaccard(shelf_of_six(), labels))


def best_similarity() -> float:
    """The largest similarity of all groupings, by trying them."""
    return float(smooth_optimum(shelf_of_six(), K).jaccard)


def least_changes() -> float:
    """Half the distances to the nearest rows, per edge: h of the certificate 1 / (1 + h)."""
    table = shelf_of_six()
    return float(nearest_rows(table, K - 1).distances.mean(axis=1).sum() / (2 * table.sum()))


# 07-O: a vote with noise


@enter(
    "07-O",
    praise="private, and both levels are exact. Judge the rest yourself:",
    hints=(
        "One person changes one vote: c becomes c + 1. Compare the two probabilities of "
        "publishing 1, and those of publishing 0, for c = 0, 1, 2.",
        "The level of a cell is the largest logarithm of these ratios, in both directions. In a "
        "row eight independent bits may move at once.",
    ),
    rubric=(
        "\n  1 you say that the groups must be fixed before anybody looks at this person's row, or "
        "formed by a private step whose ε is added"
        "\n  2 you say what J your vote leaves on the 6 × 8 table, and how many draws that took"
        "\n  3 you say whether you would publish at this ε of a row, and what you would change"
    ),
)
def _random_vote(answer: Any) -> str | None:
    form = "this exercise wants three things: (probabilities, ε of a cell, ε of a row)."
    chances, cell, row = parts(answer, 3, form)
    chances = numbers(chances, 4)
    if not all(0 <= chance <= 1 for chance in chances):
        return "Probabilities lie between 0 and 1."
    level = _level(chances)
    if level == math.inf:
        return "A bit that is certain for some count and not for the next: no finite ε."
    if level == 0:
        return "The votes change nothing: private, and useless."
    if chances != sorted(chances):
        return "More votes should not make a published 1 less likely."
    cell, row = number(cell), number(row)
    if close(cell, math.exp(level)):
        return "Those are the odds; ε is their logarithm."
    if cell < level * 0.994:
        return f"Not that private. Look at both bits: some odds are {math.exp(level):.3g} : 1."
    if cell > level * 1.006:
        return "True for a cell, but not exact: no ratio is as large as that."
    if close(row, level):
        return "The cell is right. A row may change in all eight items, and odds multiply."
    return "" if close(row, 8 * level) else "The cell is right. Odds of eight independent bits?"


def _level(chances: list[float]) -> float:
    """Exact level for one vote: the largest ratio of neighbouring counts, for both bits."""
    exact = [Fraction(chance).limit_denominator(10**9) for chance in chances]
    worst = Fraction(1)
    for bits in (exact, [1 - chance for chance in exact]):
        for one, other in pairwise(bits):
            if (one == 0) != (other == 0):
                return math.inf
            if one:
                worst = max(worst, one / other, other / one)
    return math.log(worst)
