"""Definition 3.5, the majority rule: vacuous as printed, and as meant; what to do with ties.

Every small graph with every k-anonymous copy of it is held against the rule. Esfandiari, Epasto,
Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, Section 3, arXiv 2207.06358.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, product
from typing import Any

import numpy as np

from claimbook.part import Finding, against
from pplab.checks import check_choice, check_k
from pplab.smooth.optimum import groupings, majority_jaccard
from pplab_papers.smooth.cases import Checked, Graph, checked, few_enough, graphs

Rows = Sequence[Sequence[int]]
TIED = ((2, 2, 2), (4, 2, 2), (4, 2, 4))  # users, items, k
ODD = ((3, 2, 3),)  # one group of three, which has no ties
SUPPRESSED = ((3, 2, 2), (3, 2, 3), (4, 2, 2), (4, 2, 3), (4, 2, 4))


def meets_majority_rule(original: Rows, published: Rows, *, read_on: str) -> bool:
    """True if each published edge is one that at least half of its class have: Definition 3.5(2).

    A class is all users with equal published rows. The definition prints that they have the edge
    in the published graph, where all of a class have it by the meaning of class; the algorithms
    read it on the original.

    Examples
    --------
    >>> copy = [[1, 1], [1, 1], [1, 1]]
    >>> meets_majority_rule([[1, 0], [1, 0], [0, 1]], copy, read_on="published")
    True
    >>> meets_majority_rule([[1, 0], [1, 0], [0, 1]], copy, read_on="original")
    False
    """
    source = original if read_on == "original" else published
    for row in {tuple(row) for row in published}:
        members = [user for user, own in enumerate(published) if tuple(own) == row]
        for item, edge in enumerate(row):
            if edge and 2 * sum(source[user][item] for user in members) < len(members):
                return False
    return True


def definition_3_5(*, users: int, items: int, k: int, read_on: str) -> Checked:
    """Hold every k-anonymous copy of every graph against the rule of Definition 3.5(2).

    Parameters
    ----------
    users, items, k : int
        At most 2^16 pairs of graphs; k from 2 to users.
    read_on : {"original", "published"}

    Returns
    -------
    Checked
        A case is an original with a k-anonymous copy; it fails when the rule excludes the copy.
        `holds` then says that the rule excludes nothing.

    Examples
    --------
    >>> definition_3_5(users=3, items=2, k=2, read_on="published").failures
    0
    >>> definition_3_5(users=3, items=2, k=2, read_on="original").failures
    112
    """
    check_choice("read_on", read_on, ("original", "published"))
    return checked(
        ((graph, copy), not meets_majority_rule(graph, copy, read_on=read_on), False)
        for graph, copy in _with_copies(users, items, k)
    )


def suppression_is_smooth(*, users: int, items: int, k: int, only: bool = True) -> Checked:
    """True if every k-anonymous copy by suppression meets the majority rule on the original.

    Definitions 3.4 and 3.5, as Section 7 compares them. Unless ``only``, copies may add edges.

    Examples
    --------
    >>> suppression_is_smooth(users=3, items=2, k=2).holds
    True
    """

    def case(graph: Rows, copy: Rows) -> tuple[Any, bool, bool] | None:
        pairs = zip(chain(*graph), chain(*copy), strict=True)
        if only and any(after > before for before, after in pairs):
            return None
        return (graph, copy), not meets_majority_rule(graph, copy, read_on="original"), False

    return checked(case(graph, copy) for graph, copy in _with_copies(users, items, k))


def _with_copies(users: int, items: int, k: int) -> Iterator[tuple[Graph, Graph]]:
    """Every graph with every graph that is k-anonymous."""
    check_k(k, users)
    copies = [g for g in graphs(users, items) if min(Counter(g).values()) >= k]
    return product(graphs(users, items, at_once=2), copies)


# Votes inside groups on all small cases: are ties kept or dropped?


@dataclass(frozen=True)
class TiesCompared:
    """In how many cases ties kept are better, equal or worse.

    The example is one where they are better: rows, similarity with ties kept, with ties dropped.
    """

    kept_better: int
    equal: int
    dropped_better: int
    example: tuple[Any, Fraction, Fraction] | None


def compare_ties(*, users: int, items: int, k: int) -> TiesCompared:
    """Compare, on all graphs, the best similarity with ties kept and with ties dropped.

    Definition 3.5 has "at least half", the algorithms "most". Cases are the graphs; each rule takes
    the groups that suit it best.

    Parameters
    ----------
    users, items, k : int
        At most 2^10 graphs; k from 2 to users.

    Returns
    -------
    TiesCompared

    Examples
    --------
    >>> compare_ties(users=2, items=2, k=2).example
    (((1, 0), (0, 0)), Fraction(1, 2), Fraction(0, 1))
    """
    few_enough(users * items, most=10)
    counts, example = Counter[int](), None
    ways = [_labels(groups, users) for groups in groupings(users, k)]
    for graph in graphs(users, items):
        kept, dropped = (
            max(majority_jaccard(graph, labels, ties=ties) for labels in ways)
            for ties in ("half", "more-than-half")
        )
        counts[(kept > dropped) - (kept < dropped)] += 1
        if example is None and kept > dropped:
            example = (graph, kept, dropped)
    return TiesCompared(counts[1], counts[0], counts[-1], example)


def _labels(groups: list[list[int]], users: int) -> np.ndarray:
    labels = np.empty(users, dtype=np.int64)
    for number, group in enumerate(groups):
        labels[group] = number
    return labels


# The statements: one function decides one of them.


def majority_printed() -> Finding:
    """Definition 3.5(2), read on the published graph, excludes something."""
    return _excludes("published")


def majority_original() -> Finding:
    """Definition 3.5(2), read on the original graph, excludes something."""
    return against(_excludes, right="original", wrong="published")


def _excludes(read_on: str) -> tuple[bool, str]:
    result = definition_3_5(users=3, items=2, k=2, read_on=read_on)
    return bool(result.failures), (
        f"It excludes {result.failures} of {result.cases} pairs of a graph on 3 x 2 cells and a "
        "2-anonymous copy."
    )


def ties_kept() -> Finding:
    """Keeping ties is never worse and sometimes better."""

    def better_kept(cases: Sequence[tuple[int, int, int]]) -> tuple[bool, str]:
        results = [compare_ties(users=users, items=items, k=k) for users, items, k in cases]
        outcomes = ("kept_better", "equal", "dropped_better")
        better, equal, worse = (sum(getattr(f, name) for f in results) for name in outcomes)
        example = next((f.example for f in results if f.example is not None), None)
        text = f"; rows {example[0]}: {example[1]} against {example[2]}" if example else ""
        return better > 0 and not worse, (
            f"Keeping is better on {better} graphs, equal on {equal}, worse on {worse}{text}."
        )

    return against(better_kept, right=TIED, wrong=ODD)


def suppression_relaxed() -> Finding:
    """Every k-anonymous copy by suppression is smooth."""

    def smooth(only: bool) -> tuple[bool, str]:
        results = [
            suppression_is_smooth(users=users, items=items, k=k, only=only)
            for users, items, k in SUPPRESSED
        ]
        cases, failures = (sum(getattr(f, name) for f in results) for name in ("cases", "failures"))
        return not failures and cases > 0, (
            f"{failures} of {cases:,} copies by suppression on 3 x 2 and 4 x 2 cells are not "
            "smooth."
        )

    return against(smooth, right=True, wrong=False)


STATEMENTS = (majority_printed, majority_original, ties_kept, suppression_relaxed)
