"""Section 5: the lemmas decided together, the majority row as a centre, and what insiders read.

Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, arXiv
2207.06358.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from claimbook.part import Finding, against, decided
from pplab.attacks.votes import pivotal_cells, votes_needed
from pplab_papers.smooth.cases import Checked, checked, graphs
from pplab_papers.smooth.definition_3_5 import STATEMENTS as OF_DEFINITION_3_5
from pplab_papers.smooth.lemma_5_2 import STATEMENTS as OF_LEMMA_5_2
from pplab_papers.smooth.lemma_5_2 import lemma_5_2
from pplab_papers.smooth.lemma_5_3 import STATEMENTS as OF_LEMMA_5_3
from pplab_papers.smooth.lemma_5_3 import lemma_5_3
from pplab_papers.smooth.theorem_5_4 import alg1_factor

GROUPS = range(2, 9)


def lemmas() -> pd.DataFrame:
    """Decide Definition 3.5, Lemmas 5.2 and 5.3, and what Section 5 says of votes."""
    return decided(
        *(*OF_DEFINITION_3_5, *OF_LEMMA_5_2, *OF_LEMMA_5_3, majority_nearest),
        *(majority_most_similar, moved_centres, theorem_5_4),
        *(insiders_read, published_edges_uncertain),
    )


# The majority row as a centre, on all groups of 3 x 3 cells; what a vote gives away.


Group = Sequence[Sequence[int]]


def majority_row_hamming(least: int = 2) -> Checked:
    """True if the majority row has the least total Hamming distance, on all groups of 3 x 3 cells.

    The row of the items that so many of three have is asked: two are the majority.

    Examples
    --------
    >>> majority_row_hamming().holds
    True
    """
    cases = _groups_and_rows()
    return checked(((g, r), _total(g, _had_by(g, least)), _total(g, r)) for g, r in cases)


def majority_row_jaccard(*, rows: str) -> Checked:
    """True if the majority row has the largest Jaccard similarity, on all groups of 3 x 3 cells.

    An item that c < g/2 of g have is worth publishing when J < c/(g - c): three users who share
    nothing are served better by everything (J = 1/3) than by their empty majority (J = 0).
    Definition 3.5 forbids it, and among the rows that it allows the majority row is best. The proof
    of Theorem 5.5 calls it the optimum center.

    Examples
    --------
    >>> majority_row_jaccard(rows="all").holds, majority_row_jaccard(rows="allowed").holds
    (False, True)
    """

    def case(group: Group, row: Sequence[int]) -> tuple[Any, Fraction, Fraction] | None:
        if rows == "allowed" and any(map(int.__gt__, row, _majority(group))):
            return None
        return (group, row), _similarity(group, row), _similarity(group, _majority(group))

    return checked(case(group, row) for group, row in _groups_and_rows())


def _groups_and_rows() -> Iterator[tuple[Group, tuple[int, ...]]]:
    return product(graphs(3, 3), list(product((0, 1), repeat=3)))


def _majority(group: Group) -> tuple[int, ...]:
    return _had_by(group, (len(group) + 1) // 2)


def _had_by(group: Group, least: int) -> tuple[int, ...]:
    return tuple(int(sum(column) >= least) for column in zip(*group, strict=True))


def _similarity(group: Group, row: Sequence[int]) -> Fraction:
    cells = [(a, b) for own in group for a, b in zip(own, row, strict=True)]
    union = sum(a | b for a, b in cells)
    return Fraction(sum(a & b for a, b in cells), union) if union else Fraction(1)


def _total(group: Group, row: Sequence[int]) -> int:
    return sum(a != b for own in group for a, b in zip(own, row, strict=True))


def majority_nearest() -> Finding:
    """The majority row is the best centre in Hamming distance."""

    def nearest(least: int) -> tuple[bool, str]:
        result = majority_row_hamming(least)
        return result.holds, (
            f"A row is nearer in {result.failures} of {result.cases:,} pairs of a group and a row."
        )

    return against(nearest, right=2, wrong=3)


def majority_most_similar() -> Finding:
    """The majority row is the best centre in Jaccard similarity."""
    free, allowed = (majority_row_jaccard(rows=rows) for rows in ("all", "allowed"))
    shown = ""
    if free.counterexample is not None:
        group, row = free.counterexample
        shown = f", such as {row} for {group}"
    return free.holds, (
        f"A row does better in {free.failures} of {free.cases:,} pairs of a group and a row"
        f"{shown}; of the rows that the definition allows, {allowed.failures} do."
    )


def moved_centres() -> Finding:
    """A centre costs at most twice as much when it moves to the nearest row of its group."""

    def moved(group: Group, centre: Sequence[int]) -> int:
        nearest = min(_total((row,), centre) for row in group)
        return max(_total(group, row) for row in group if _total((row,), centre) == nearest)

    every = list(product(graphs(3, 3), product((0, 1), repeat=3)))

    def at_most(times: int) -> tuple[bool, str]:
        result = checked(((g, c), moved(g, c), times * _total(g, c)) for g, c in every)
        return result.holds, f"It costs more for {result.failures} of {result.cases:,} centres."

    return against(at_most, right=2, wrong=1)


def theorem_5_4() -> Finding:
    """Where the best copy has J >= 0.994, Alg1 keeps a constant share of it.

    Proof. Let the best smooth k-anonymous copy C of the edges E have J = 1 - phi > 0.
    (1) Its classes are clusters of at least k, and E differs from C in (1 - J) |E or C| cells,
    which is at most phi / (1 - phi) |E|, as J |E or C| = |E and C| <= |E|.
    (2) By the triangle inequality a centre that moves to the nearest row of its cluster costs at
    most twice as much: with rows as centres the best costs at most 2 phi / (1 - phi) |E|.
    (3) The algorithm that the theorem takes from Ahmadian and Swamy ends in polynomial time, 82.6
    times above the best at most (both cited): D <= 165.2 phi / (1 - phi) |E|.
    (4) The majority row of each cluster is no farther; the vote gives a smooth k-anonymous copy.
    (5) Of x edges gone and y new ones, x + y = D, it has J = (|E| - x) / (|E| + y) >= 1 - D / |E|.
    At 0.994 this is 1 - 165.2 * 6 / 994 > 0.0028, and more for a better C; no J is above 1.

    Checked: (1) and (5) on all pairs of graphs of 2 x 3 cells, (2) and (4) on all groups of 3 x 3
    cells, the last line in fractions. The whole chain, with the exact median for (3), is the check
    ``alg1`` of `approximation`.
    """
    steps = {
        "(1)": lemma_5_2(form="tight").holds,
        "(2)": moved_centres()[0],
        "(4)": majority_nearest()[0],
        "(5)": lemma_5_3(form="repaired").holds,
    }

    def kept(best: str) -> tuple[bool, str]:
        factor = alg1_factor(Fraction(best))
        return all(steps.values()) and factor > 0, (
            f"Steps {', '.join(name for name, right in steps.items() if right)} of the proof hold "
            f"in all small cases; (3) is cited. At {best} the copy keeps {float(factor):.4f}."
        )

    return against(kept, right="0.994", wrong="0.993")


def insiders_read() -> Finding:
    """All worlds of a group of three and one item: the insiders are the first two."""

    def read_all(known: int) -> tuple[bool, str]:
        read = wrong = disagree = 0
        for world in product((0, 1), repeat=3):
            published = int(sum(world) >= votes_needed(3, ties="half"))
            insiders = np.array(world[:known])[:, None]
            value = int(pivotal_cells([published], known=insiders, size=3)[0])
            read += value >= 0
            wrong += value not in (-1, world[2])
            disagree += world[0] != world[1]
        return read == disagree > 0 and not wrong, (
            f"Two insiders of three read the third value in {read} of 8 worlds ({wrong} times "
            f"wrongly); they disagree in {disagree}."
        )

    return against(read_all, right=2, wrong=1)


def published_edges_uncertain() -> Finding:
    """A user whose group publishes an item may have had it or not."""

    def uncertain(least: Callable[[int], int]) -> tuple[bool, str]:
        values_of = {
            size: {v[0] for v in product((0, 1), repeat=size) if sum(v) >= least(size)}
            for size in GROUPS
        }
        sure = [size for size, values in values_of.items() if len(values) < 2]
        return not sure, f"Of {len(values_of)} sizes of groups, {len(sure)} leave no doubt."

    return against(uncertain, right=lambda size: (size + 1) // 2, wrong=lambda size: size)
