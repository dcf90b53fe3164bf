"""Votes inside groups, on all small cases: what to do with ties, and which row serves best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from pplab.checks import check_case_bits, check_choice
from pplab.smooth.optimum import groupings, majority_jaccard
from pplab.theory.smooth_lemmas import Checked, checked
from pplab.theory.smooth_rule import Rows, graphs

__all__ = ["TiesCompared", "compare_ties", "majority_row_hamming", "majority_row_jaccard"]


@dataclass(frozen=True)
class TiesCompared:
    """Similarities with ties kept against those with ties dropped.

    Attributes
    ----------
    kept_better, equal, dropped_better : int
        Cases of each outcome.
    example : tuple or None
        A case where keeping is better: rows, similarity with ties kept, with ties dropped.
    """

    kept_better: int
    equal: int
    dropped_better: int
    example: tuple[Any, Fraction, Fraction] | None


def compare_ties(*, users: int, items: int, k: int) -> TiesCompared:
    """Compare, on all graphs, the best similarity with ties kept and with ties dropped.

    Cases are the graphs; each rule takes the groups that suit it best.

    Parameters
    ----------
    users, items, k : int
        At most 2^10 graphs; k from 2 to users.

    Returns
    -------
    TiesCompared

    Raises
    ------
    TypeError, ValueError
        If the sizes are too large.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definition 3.5 ("at least half") against the algorithms' "most", arXiv 2207.06358.

    Examples
    --------
    >>> compare_ties(users=2, items=2, k=2).example
    (((1, 0), (0, 0)), Fraction(1, 2), Fraction(0, 1))
    """
    check_case_bits("graphs", users * items, most=10)
    counts, example = Counter[int](), None
    ways = [_labels(groups, users) for groups in groupings(users, k)]
    for graph in graphs(users, items, 1):
        kept, dropped = (
            max(majority_jaccard(graph, labels, ties=ties) for labels in ways)
            for ties in ("half", "more-than-half")
        )
        counts[(kept > dropped) - (kept < dropped)] += 1
        if example is None and kept > dropped:
            example = (graph, kept, dropped)
    return TiesCompared(counts[1], counts[0], counts[-1], example)


def majority_row_hamming() -> Checked:
    """Whether the majority row has the least total Hamming distance, on all groups of 3 x 3 cells.

    Returns
    -------
    Checked
        ``counterexample`` is (group, row that is nearer).

    Examples
    --------
    >>> majority_row_hamming().holds
    True
    """

    def total(group: Rows, row: Sequence[int]) -> int:
        return sum(a != b for own in group for a, b in zip(own, row, strict=True))

    cases = _groups_and_rows()
    return checked(((g, r), total(g, _majority(g)), total(g, r)) for g, r in cases)


def majority_row_jaccard(*, rows: str) -> Checked:
    """Whether the majority row has the largest Jaccard similarity, on all groups of 3 x 3 cells.

    An item that c < g/2 of g have is worth publishing when J < c/(g - c): three users who share
    nothing are served better by everything (J = 1/3) than by their empty majority (J = 0).
    Definition 3.5 forbids it, and among the rows that it allows the majority row is best.

    Parameters
    ----------
    rows : {"all", "allowed"}
        Which rows compete: all, or those whose items at least half of the group have.

    Returns
    -------
    Checked
        ``counterexample`` is (group, row that does better).

    Raises
    ------
    ValueError
        If rows is not known.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, Section 5
    ("optimum center" in the proof of Theorem 5.5), arXiv 2207.06358.

    Examples
    --------
    >>> majority_row_jaccard(rows="all").holds, majority_row_jaccard(rows="allowed").holds
    (False, True)
    """
    check_choice("rows", rows, ("all", "allowed"))

    def case(group: Rows, row: Sequence[int]) -> tuple[Any, Fraction, Fraction] | None:
        if rows == "allowed" and any(map(int.__gt__, row, _majority(group))):
            return None
        return (group, row), _similarity(group, row), _similarity(group, _majority(group))

    return checked(case(group, row) for group, row in _groups_and_rows())


def _groups_and_rows() -> Iterator[tuple[Rows, tuple[int, ...]]]:
    return product(graphs(3, 3, 1), list(product((0, 1), repeat=3)))


def _majority(group: Rows) -> tuple[int, ...]:
    return tuple(int(2 * sum(column) >= len(group)) for column in zip(*group, strict=True))


def _similarity(group: Rows, row: Sequence[int]) -> Fraction:
    cells = [(a, b) for own in group for a, b in zip(own, row, strict=True)]
    union = sum(a | b for a, b in cells)
    return Fraction(sum(a & b for a, b in cells), union) if union else Fraction(1)


def _labels(groups: list[list[int]], users: int) -> np.ndarray:
    labels = np.empty(users, dtype=np.int64)
    for number, group in enumerate(groups):
        labels[group] = number
    return labels
