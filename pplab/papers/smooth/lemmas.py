"""Definition 3.5, Lemmas 5.2 and 5.3, the votes and the constants of Section 5, and Algorithm 1.

Each lemma is held against every pair of small graphs, in fractions (`lemma_5_2`, `lemma_5_3`,
`definition_3_5`, `compare_ties`); the constants of Theorems 5.4 and 5.5 follow from the factors of
the algorithms (`distance_constant`, `alg1_factor`, `alg2_factor`). Three experiments decide the
statements: `lemmas`, `constants` and `privacy` (Sections 3 and 4 and Appendix B.1, by looking at
every input and output of Algorithm 1 on 2 x 2 cells). Esfandiari, Epasto, Mirrokni and Munoz
Medina, *Smooth Anonymity for Sparse Graphs*, arXiv 2207.06358.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, product
from math import log, prod
from typing import Any

import numpy as np
import pandas as pd

from pplab.attacks.votes import pivotal_cells, votes_needed
from pplab.checks import (
    as_fraction,
    check_choice,
    check_integer,
    check_k,
    check_positive,
    check_probability,
)
from pplab.papers.part import Finding, listed, statement_rows
from pplab.papers.smooth.jaccard_bound import node_replacement, node_untouched
from pplab.papers.smooth.paper import NODE_EPSILON, TABLE_2
from pplab.smooth.optimum import groupings, majority_jaccard

USERS, ITEMS = 2, 3  # 64 graphs, 4096 pairs


@dataclass(frozen=True)
class Checked:
    """A statement after all cases were looked at.

    Attributes
    ----------
    cases, failures, tight : int
        Cases to which the statement applies, those in which it is false, and those in which it is
        true with equality.
    left_out : int
        Cases to which it does not apply.
    counterexample : tuple or None
        The first case in which it is false.
    """

    cases: int
    failures: int
    tight: int
    left_out: int
    counterexample: Any = None

    @property
    def holds(self) -> bool:
        """Whether there were cases and none failed."""
        return self.cases > 0 and not self.failures


def checked(cases: Iterable[tuple[Any, Any, Any] | None]) -> Checked:
    """Count cases (case, left, right) of ``left <= right``; None stands for one left out.

    Examples
    --------
    >>> checked([("a", 1, 2), ("b", 2, 2), None, ("c", 3, 2)])
    Checked(cases=3, failures=1, tight=1, left_out=1, counterexample='c')
    """
    seen = failures = tight = left_out = 0
    first = None
    for case in cases:
        if case is None:
            left_out += 1
            continue
        name, left, right = case
        seen += 1
        tight += left == right
        if not left <= right:
            first = name if not failures else first
            failures += 1
    return Checked(seen, failures, tight, left_out, first)


def graph_rows(bits: int, users: int, items: int) -> tuple[tuple[int, ...], ...]:
    """Rows of the graph whose cells are these bits, the first cell the lowest bit.

    Examples
    --------
    >>> graph_rows(0b001011, 2, 3)
    ((1, 1, 0), (1, 0, 0))
    """
    cells = [bits >> cell & 1 for cell in range(users * items)]
    return tuple(tuple(cells[user * items : (user + 1) * items]) for user in range(users))


def lemma_5_2(*, form: str) -> Checked:
    """Lemma 5.2 on all pairs of 2 x 3 graphs: a similarity of 1 - phi bounds the total distance.

    Printed: at most ``2 phi/(1 - phi) |E|``. Tight: ``phi/(1 - phi) |E|``, with equality when the
    copy holds all of E. The bound grows with phi, so each pair is tried at its least one,
    phi = 1 - J; where J = 0 the bound is infinite. Pairs whose original is empty are left out, for
    the bound then is infinity times 0, unless the copy is empty too.

    Parameters
    ----------
    form : {"printed", "tight"}

    Returns
    -------
    Checked
        ``counterexample`` is (original rows, copy's rows).

    Raises
    ------
    ValueError
        If the form is not known.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Lemma 5.2, arXiv 2207.06358.

    Examples
    --------
    >>> lemma_5_2(form="printed").holds, lemma_5_2(form="tight").holds
    (True, True)
    """
    factor = {"printed": 2, "tight": 1}[check_choice("form", form, ("printed", "tight"))]

    def case(original: int, copy: int) -> tuple[Any, Any] | None:
        edges, shared = original.bit_count(), (original & copy).bit_count()
        if not edges:
            return (0, 0) if not copy else None
        phi = 1 - Fraction(shared, (original | copy).bit_count())
        bound = factor * phi / (1 - phi) * edges if shared else float("inf")
        return _distance(original, copy), bound

    return _all_pairs(case)


def lemma_5_3(*, form: str) -> Checked:
    """Lemma 5.3 on all pairs of 2 x 3 graphs: a total distance bounds the similarity from below.

    Printed: a total distance of at most ``phi' |E|`` gives ``J >= 1 - phi'/2``; false, since the
    empty copy has distance |E| and similarity 0. Repaired: ``J >= 1 - phi'``, with equality when
    the copy is a part of E. The promise falls with phi', so each pair is tried at its least one.
    Pairs whose original is empty are left out, unless the copy is empty too.

    Parameters
    ----------
    form : {"printed", "repaired"}

    Returns
    -------
    Checked
        ``counterexample`` is (original rows, copy's rows).

    Raises
    ------
    ValueError
        If the form is not known.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Lemma 5.3, arXiv 2207.06358.

    Examples
    --------
    >>> lemma_5_3(form="printed").counterexample
    (((1, 0, 0), (0, 0, 0)), ((0, 0, 0), (0, 0, 0)))
    >>> lemma_5_3(form="repaired").holds
    True
    """
    share = {"printed": Fraction(1, 2), "repaired": Fraction(1)}[
        check_choice("form", form, ("printed", "repaired"))
    ]

    def case(original: int, copy: int) -> tuple[Any, Any] | None:
        edges = original.bit_count()
        if not edges:
            return (1, 1) if not copy else None
        phi = Fraction(_distance(original, copy), edges)
        jaccard = Fraction((original & copy).bit_count(), (original | copy).bit_count())
        return 1 - share * phi, jaccard

    return _all_pairs(case)


def distances_add_up(*, times: int) -> Checked:
    """Whether the rows' distances add up to so many times the symmetric difference, on all pairs.

    Each cell belongs to one user, so they add up to it once. (Twice would be right if items had
    rows of their own.)

    Parameters
    ----------
    times : int
        1 is what is true, 2 what the paper's proofs use.

    Returns
    -------
    Checked
        A case fails when the two are not equal.

    Raises
    ------
    TypeError, ValueError
        If times is no positive integer.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, proofs of
    Lemmas 5.2 and 5.3, arXiv 2207.06358.

    Examples
    --------
    >>> distances_add_up(times=1).holds, distances_add_up(times=2).holds
    (True, False)
    """
    factor = check_integer("times", times, minimum=1)

    def case(original: int, copy: int) -> tuple[Any, Any]:
        apart = factor * (original ^ copy).bit_count()
        return abs(_distance(original, copy) - apart), 0

    return _all_pairs(case)


def _all_pairs(case: Callable[[int, int], tuple[Any, Any] | None]) -> Checked:
    def cases() -> Iterator[tuple[Any, Any, Any] | None]:
        for original, copy in product(range(1 << USERS * ITEMS), repeat=2):
            sides = case(original, copy)
            yield None if sides is None else ((original, copy), *sides)

    found = checked(cases())
    if found.counterexample is None:
        return found
    graphs = tuple(graph_rows(bits, USERS, ITEMS) for bits in found.counterexample)
    return replace(found, counterexample=graphs)


def _distance(left: int, right: int) -> int:
    """Sum over users of the Hamming distance of their two rows, row by row as the paper has it."""
    row = (1 << ITEMS) - 1
    shifts = range(0, USERS * ITEMS, ITEMS)
    return sum(((left >> at & row) ^ (right >> at & row)).bit_count() for at in shifts)


# The majority rule of Definition 3.5 on every small graph: vacuous as printed, and as meant.


Rows = Sequence[Sequence[int]]
_MOST_RULE_BITS = 16  # 2^16 pairs of graphs take a second


def meets_majority_rule(original: Rows, published: Rows, *, read_on: str) -> bool:
    """Whether each published edge is one that at least half of its class have.

    Parameters
    ----------
    original, published : rows of zeros and ones
        A class is all users with equal published rows.
    read_on : {"original", "published"}
        Which graph "have" refers to. Definition 3.5 prints the published one, where all of a
        class have the edge by the meaning of class; the algorithms use the original.

    Returns
    -------
    bool

    Raises
    ------
    ValueError
        If read_on is not known.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definition 3.5(2), arXiv 2207.06358.

    Examples
    --------
    >>> copy = [[1, 1], [1, 1], [1, 1]]
    >>> meets_majority_rule([[1, 0], [1, 0], [0, 1]], copy, read_on="published")
    True
    >>> meets_majority_rule([[1, 0], [1, 0], [0, 1]], copy, read_on="original")
    False
    """
    check_choice("read_on", read_on, ("original", "published"))
    source = original if read_on == "original" else published
    for row in {tuple(row) for row in published}:
        members = [user for user, own in enumerate(published) if tuple(own) == row]
        for item, edge in enumerate(row):
            if edge and 2 * sum(source[user][item] for user in members) < len(members):
                return False
    return True


def definition_3_5(*, users: int, items: int, k: int, read_on: str) -> Checked:
    """Hold every k-anonymous copy of every graph against the majority rule.

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

    Raises
    ------
    TypeError, ValueError
        If the sizes are too large, or an argument is not known.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definition 3.5(2), arXiv 2207.06358.

    Examples
    --------
    >>> definition_3_5(users=3, items=2, k=2, read_on="published").failures
    0
    >>> definition_3_5(users=3, items=2, k=2, read_on="original").failures
    112
    """
    check_choice("read_on", read_on, ("original", "published"))
    pairs = product(graphs(users, items, 2), _anonymous(users, items, k))
    return checked(
        ((graph, copy), not meets_majority_rule(graph, copy, read_on=read_on), False)
        for graph, copy in pairs
    )


def suppression_is_smooth(*, users: int, items: int, k: int) -> Checked:
    """Whether every k-anonymous copy by suppression meets the majority rule on the original.

    Parameters
    ----------
    users, items, k : int
        At most 2^16 pairs of graphs; k from 2 to users.

    Returns
    -------
    Checked

    Raises
    ------
    TypeError, ValueError
        If the sizes are too large.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definitions 3.4 and 3.5, arXiv 2207.06358.

    Examples
    --------
    >>> suppression_is_smooth(users=3, items=2, k=2).holds
    True
    """

    def case(graph: Rows, copy: Rows) -> tuple[Any, bool, bool] | None:
        pairs = zip(chain(*graph), chain(*copy), strict=True)
        if any(after > before for before, after in pairs):
            return None
        return (graph, copy), not meets_majority_rule(graph, copy, read_on="original"), False

    pairs = product(graphs(users, items, 2), _anonymous(users, items, k))
    return checked(case(graph, copy) for graph, copy in pairs)


def graphs(users: int, items: int, copies: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """List all graphs of a size, where so many of them at once are few enough."""
    for name, size in (("users", users), ("items", items)):
        check_integer(name, size, minimum=1)
    _check_case_bits("graphs in all", copies * users * items, most=_MOST_RULE_BITS)
    return (graph_rows(bits, users, items) for bits in range(1 << users * items))


def _anonymous(users: int, items: int, k: int) -> list[tuple[tuple[int, ...], ...]]:
    check_k(k, users)
    return [g for g in graphs(users, items, 1) if min(Counter(g).values()) >= k]


# Votes inside groups, on all small cases: what to do with ties, and which row serves best.


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
    _check_case_bits("graphs", users * items, most=10)
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
    cases = _groups_and_rows()
    return checked(((g, r), _total(g, _majority(g)), _total(g, r)) for g, r in cases)


def _total(group: Rows, row: Sequence[int]) -> int:
    return sum(a != b for own in group for a, b in zip(own, row, strict=True))


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


# The constants of Theorems 5.4 and 5.5, and the similarities from which they promise anything.


LOWER_BOUNDED_MEDIAN = Fraction("82.6")  # Ahmadian and Swamy 2012
LI = Fraction("1.488")  # Li 2013, metric uncapacitated facility location
A = Fraction("0.004")  # the a of Theorem 5.5
FAR = Fraction("0.75")  # the similarity from which Theorem 5.5 is said to hold


def distance_constant(approximation: Any, *, a: Any = 0) -> Fraction:
    """Give c for which an algorithm has ``J >= 1 - c phi / (1 - phi)`` where the best has 1 - phi.

    The chain: the best copy lies within c1 phi/(1 - phi) |E| of the data (Lemma 5.2), centres that
    are rows of the data at most double that, the algorithm multiplies by its own factor, and a
    total distance of d |E| leaves a similarity of 1 - c2 d (Lemma 5.3). As printed c1 = 2 and
    c2 = 1/2, where c2 = 1/2 is false; repaired both are 1: the product is the same, and the
    constants of both theorems survive.

    Parameters
    ----------
    approximation : number
        Factor of the algorithm, 82.6 (`LOWER_BOUNDED_MEDIAN`) or 1.488 (`LI`); positive.
    a : number, default 0
        Share of k below which Alg2 removes a cluster, in [0, 1): multiplies by (1 + a)/(1 - a).

    Returns
    -------
    Fraction

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorems 5.4 and 5.5, arXiv 2207.06358.

    Examples
    --------
    >>> float(distance_constant(LOWER_BOUNDED_MEDIAN)), float(distance_constant(LI))
    (165.2, 2.976)
    """
    check_positive("approximation", approximation)
    share = _share(a)
    first, last = 2, Fraction(1, 2)  # as printed; repaired both are 1
    centres = 2
    return first * centres * _exact(approximation) * last * (1 + share) / (1 - share)


def alg1_factor(jaccard: Any, *, approximation: Any = LOWER_BOUNDED_MEDIAN) -> Fraction:
    """Similarity that Theorem 5.4 promises Alg1, ``1 - 165.2 phi/(1 - phi)``, phi = 1 - best J.

    Parameters
    ----------
    jaccard : number
        Similarity of the best copy, in (0, 1]; a float counts as the decimal it prints as.
    approximation : number, default 82.6
        Factor of the lower-bounded median; 1 when it is solved exactly, which leaves 2 for 165.2.

    Returns
    -------
    Fraction
        Perhaps negative: then nothing is promised.

    Raises
    ------
    TypeError, ValueError
        If the similarity leaves its interval, or the factor is not positive.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 5.4, arXiv 2207.06358.

    Examples
    --------
    >>> round(float(alg1_factor(Fraction("0.994"))), 4)
    0.0028
    """
    return 1 - distance_constant(approximation) * _odds(jaccard)


def alg2_factor(jaccard: Any, *, a: Any, approximation: Any = LI) -> Fraction:
    """Similarity that Theorem 5.5 promises Alg2: ``a^2/8 (1 - 2.976 (1+a)/(1-a) phi/(1-phi))``.

    The theorem is false for merging as printed (see `merging_counterexample`); this is what it
    says.

    Parameters
    ----------
    jaccard : number
        Similarity of the best copy, in (0, 1].
    a : number
        In [0, 1).
    approximation : number, default 1.488
        Factor of facility location; 1 when it is solved exactly.

    Returns
    -------
    Fraction

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 5.5, arXiv 2207.06358.

    Examples
    --------
    >>> print(f"{float(alg2_factor(Fraction('0.75'), a=Fraction('0.004'))):.1e}")
    6.4e-11
    """
    share = _share(a)
    return share**2 / 8 * (1 - distance_constant(approximation, a=share) * _odds(jaccard))


def least_jaccard(constant: Any) -> Fraction:
    """Similarity above which ``1 - constant * phi/(1 - phi)`` is positive: c / (1 + c).

    Parameters
    ----------
    constant : number
        Positive, as `distance_constant` gives it.

    Returns
    -------
    Fraction

    Raises
    ------
    TypeError, ValueError
        If the constant is not positive.

    Examples
    --------
    >>> round(float(least_jaccard(distance_constant(LOWER_BOUNDED_MEDIAN))), 3)
    0.994
    >>> round(float(least_jaccard(distance_constant(LI, a=Fraction("0.004")))), 5)
    0.74999
    """
    value = _exact(check_positive("constant", constant))
    return value / (1 + value)


def largest_a(jaccard: Any) -> Fraction:
    """Share a below which Theorem 5.5's factor is positive where the best copy has this J.

    Parameters
    ----------
    jaccard : number
        In (0, 1].

    Returns
    -------
    Fraction
        (1 - c) / (1 + c) with c = 2.976 phi/(1 - phi); 0 when no a serves.

    Raises
    ------
    TypeError, ValueError
        If the similarity leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 5.5, arXiv 2207.06358.

    Examples
    --------
    >>> round(float(largest_a(Fraction(3, 4))), 5)
    0.00402
    """
    cost = distance_constant(LI) * _odds(jaccard)
    return max(Fraction(0), (1 - cost) / (1 + cost))


def _exact(value: Any) -> Fraction:
    """Decimal numbers as they are written: 1.488 is 1488/1000, not the nearest binary fraction."""
    return Fraction(repr(float(value))) if isinstance(value, float) else as_fraction(value)


def _share(a: Any) -> Fraction:
    if not check_probability("a", a) < 1:
        raise ValueError(
            f"a must lie in [0, 1), got {a!r}; pass a share below 1, for example 0.004"
        )
    return _exact(a)


def _odds(jaccard: Any) -> Fraction:
    """phi / (1 - phi) for phi = 1 - jaccard."""
    check_positive("jaccard", check_probability("jaccard", jaccard))
    value = _exact(jaccard)
    return (1 - value) / value


# The statements of Section 5, and the constants that it prints: one function decides one of them.


TIED = ((2, 2, 2), (4, 2, 2), (4, 2, 4))  # users, items, k
SUPPRESSED = ((3, 2, 2), (3, 2, 3), (4, 2, 2), (4, 2, 3), (4, 2, 4))
GROUPS = range(2, 9)


def lemmas() -> pd.DataFrame:
    """Decide the definition of smooth anonymity and the lemmas of Section 5.

    Returns
    -------
    DataFrame
        Columns statement (the function that decides), value (1.0 true, 0.0 false) and witness.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definition 3.5 and Lemmas 5.2 and 5.3, arXiv 2207.06358.
    """
    checks = (
        *(majority_printed, majority_original, ties_kept, suppression_relaxed),
        *(lemma_5_2_printed, lemma_5_2_tight, lemma_5_2_reversed, distances_twice),
        *(lemma_5_3_printed, lemma_5_3_repaired, majority_nearest, majority_most_similar),
        *(moved_centres, insiders_read, published_edges_uncertain),
    )
    return statement_rows({check.__name__: check() for check in checks})


def majority_printed() -> Finding:
    """Definition 3.5(2), read on the published graph, excludes something."""
    return _excludes("published")


def majority_original() -> Finding:
    """Definition 3.5(2), read on the original graph, excludes something."""
    return _excludes("original")


def _excludes(read_on: str) -> Finding:
    found = definition_3_5(users=3, items=2, k=2, read_on=read_on)
    return bool(found.failures), (
        f"It excludes {found.failures} of {found.cases} pairs of a graph on 3 x 2 cells and a "
        "2-anonymous copy."
    )


def ties_kept() -> Finding:
    """Keeping ties is never worse and sometimes better."""
    found = [compare_ties(users=users, items=items, k=k) for users, items, k in TIED]
    outcomes = ("kept_better", "equal", "dropped_better")
    better, equal, worse = (sum(getattr(f, name) for f in found) for name in outcomes)
    example = next((f.example for f in found if f.example is not None), None)
    told = f"; rows {example[0]}: {example[1]} against {example[2]}" if example else ""
    return better > 0 and not worse, (
        f"Keeping is better on {better} graphs, equal on {equal}, worse on {worse}{told}."
    )


def suppression_relaxed() -> Finding:
    """Every k-anonymous copy by suppression is smooth."""
    found = [suppression_is_smooth(users=users, items=items, k=k) for users, items, k in SUPPRESSED]
    cases, failures = (sum(getattr(f, name) for f in found) for name in ("cases", "failures"))
    return not failures and cases > 0, (
        f"{failures} of {cases:,} copies by suppression on 3 x 2 and 4 x 2 cells are not smooth."
    )


def lemma_5_2_printed() -> Finding:
    """Lemma 5.2 as printed."""
    return _on_pairs(lemma_5_2(form="printed"))


def lemma_5_2_tight() -> Finding:
    """Lemma 5.2 without its factor of 2."""
    return _on_pairs(lemma_5_2(form="tight"))


def lemma_5_2_reversed() -> Finding:
    """Lemma 5.2 from J at most 1 - phi: phi = 0 always serves, and leaves no distance."""
    return _on_pairs(_all_pairs(lambda original, copy: (_distance(original, copy), 0)))


def lemma_5_3_printed() -> Finding:
    """Lemma 5.3 as printed."""
    return _on_pairs(lemma_5_3(form="printed"))


def lemma_5_3_repaired() -> Finding:
    """Lemma 5.3 with phi' in place of phi' / 2."""
    return _on_pairs(lemma_5_3(form="repaired"))


def distances_twice() -> Finding:
    """The rows' distances are twice the symmetric difference."""
    return _on_pairs(distances_add_up(times=2))


def _on_pairs(found: Checked) -> Finding:
    shown = ""
    if found.counterexample is not None:
        original, copy = found.counterexample
        shown = f"; the first: rows {original} published as {copy}"
    return found.holds, (
        f"False for {found.failures:,} of {found.cases:,} pairs of graphs on 2 x 3 cells, met with "
        f"equality by {found.tight:,}{shown}."
    )


def majority_nearest() -> Finding:
    """The majority row is the best centre in Hamming distance."""
    found = majority_row_hamming()
    return found.holds, (
        f"A row is nearer in {found.failures} of {found.cases:,} pairs of a group and a row."
    )


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
    """A centre among the rows of a group costs at most twice what the best centre costs."""

    def least(group: Rows, rows: Iterable[Sequence[int]]) -> int:
        return min(_total(group, row) for row in rows)

    every = list(product((0, 1), repeat=3))
    found = checked((g, least(g, g), 2 * least(g, every)) for g in graphs(3, 3, 1))
    return found.holds, f"It costs more in {found.failures} of {found.cases:,} groups."


def insiders_read() -> Finding:
    """All worlds of a group of three and one item: the insiders are the first two."""
    read = wrong = disagree = 0
    for world in product((0, 1), repeat=3):
        published = int(sum(world) >= votes_needed(3, ties="half"))
        insiders = np.array(world[:2])[:, None]
        told = int(pivotal_cells([published], known=insiders, size=3)[0])
        read += told >= 0
        wrong += told not in (-1, world[2])
        disagree += world[0] != world[1]
    return read == disagree > 0 and not wrong, (
        f"Two insiders of three read the third value in {read} of 8 worlds ({wrong} times "
        f"wrongly); they disagree in {disagree}."
    )


def published_edges_uncertain() -> Finding:
    """A user whose group publishes an item may have had it or not."""
    told = {
        size: {votes[0] for votes in product((0, 1), repeat=size) if 2 * sum(votes) >= size}
        for size in GROUPS
    }
    sure = [size for size, values in told.items() if len(values) < 2]
    return not sure, f"Of {len(told)} sizes of groups, {len(sure)} leave no doubt."


def constants() -> pd.DataFrame:
    """Work out the constants of both theorems from the factors of the algorithms they use.

    Returns
    -------
    DataFrame
        Columns quantity and value.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorems 5.4 and 5.5, arXiv 2207.06358.
    """
    first, second = distance_constant(LOWER_BOUNDED_MEDIAN), distance_constant(LI)
    values = {
        "median": 2 * distance_constant(1),
        "cost of 5.4": 2 * first,  # before Lemma 5.3 halves it
        "constant of 5.4": first,
        "threshold of 5.4": least_jaccard(first),
        "phi of 5.4": 1 - least_jaccard(first),
        "cost of 5.5": 2 * second,
        "constant of 5.5": second,
        "threshold of 5.5": least_jaccard(distance_constant(LI, a=A)),
        "phi of 5.5": 1 - least_jaccard(distance_constant(LI, a=A)),
        "largest a": largest_a(FAR),
    }
    return pd.DataFrame([{"quantity": name, "value": float(v)} for name, v in values.items()])


# What Sections 1, 3 and 4 and Appendix B.1 say of privacy, by looking at every input and output.


PRIVACY_USERS, PRIVACY_ITEMS = 2, 2
ODDS = (Fraction(3, 2), Fraction(3), Fraction(10))  # e^epsilon: fractions, so that all is exact
ODDS_BELOW_ONE = (Fraction(1), Fraction(11, 10), Fraction(2))  # epsilon 0, 0.095 and 0.693
CHANCES = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
WIDTHS = (10, 100, 1_000, 10_000, 100_000)
STEADY = 0.99  # a fall by a constant factor is one by at least this factor per item
RANDOM = 0.45  # a flip probability above this is called close to 1/2

Graph = tuple[int, ...]  # cells, row after row
Neighbours = Callable[[Graph, Graph], bool]
Laws = dict[Graph, list[Fraction]]  # probability of each output, by input


def privacy() -> pd.DataFrame:
    """Decide what the paper says on the privacy of Algorithm 1 and on the notions.

    Returns
    -------
    DataFrame
        Columns statement (the function that decides), value (1.0 true, 0.0 false) and witness.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Algorithm 1, Sections 1, 3 and 4 and Appendices B.1 and D, arXiv 2207.06358.
    """
    checks = (
        *(edge_level, node_level, flip_of_a_cell, p_to_one, levels_below_one, close_to_random),
        *(edge_level_leaks_users, node_neighbours, post_processing, local_is_node_level),
        *(node_level_is_local, notions_incomparable),
    )
    return statement_rows({check.__name__: check() for check in checks})


def _chance(told: int, given: int, replaced: Fraction) -> Fraction:
    """Probability of a published cell: a fair coin with probability p, else the cell itself."""
    return replaced / 2 + (1 - replaced) * (told == given)


def _graphs(cells: int = PRIVACY_USERS * PRIVACY_ITEMS) -> Iterator[Graph]:
    return product((0, 1), repeat=cells)


def _one_cell(one: Graph, other: Graph) -> bool:
    return sum(a != b for a, b in zip(one, other, strict=True)) == 1


def _one_row(one: Graph, other: Graph) -> bool:
    rows = [slice(at, at + PRIVACY_ITEMS) for at in range(0, len(one), PRIVACY_ITEMS)]
    return sum(one[row] != other[row] for row in rows) == 1


def _laws(replaced: Fraction, cells: int = PRIVACY_USERS * PRIVACY_ITEMS) -> Laws:
    """Law of Algorithm 1 for each input."""
    return {
        given: [
            prod(
                (_chance(a, b, replaced) for a, b in zip(told, given, strict=True)),
                start=Fraction(1),
            )
            for told in _graphs(cells)
        ]
        for given in _graphs(cells)
    }


def _largest_ratio(laws: Laws, neighbours: Neighbours) -> Fraction:
    """Largest ratio of the probabilities of one output under two neighbouring inputs."""
    return max(
        Fraction(here) / there
        for one, other in product(laws, laws)
        if neighbours(one, other)
        for here, there in zip(laws[one], laws[other], strict=True)
    )


def _ratios(odds: Iterable[Fraction], neighbours: Neighbours) -> list[Fraction]:
    return [_largest_ratio(_laws(2 / (1 + each)), neighbours) for each in odds]


def _levels(ratios: Iterable[Fraction]) -> str:
    return listed(f"{log(ratio):.4g}" for ratio in ratios)


def edge_level() -> Finding:
    """Algorithm 1 has exactly its edge level."""
    found = _ratios(ODDS, _one_cell)
    return found == list(ODDS), (
        f"Largest log ratios {_levels(found)} at the levels {_levels(ODDS)}, "
        f"in fractions, over all inputs and outputs on {PRIVACY_USERS} x {PRIVACY_ITEMS} cells."
    )


def node_level() -> Finding:
    """Algorithm 1 has exactly its node level."""
    # odds stand for e^(epsilon / m), so that e^epsilon is their m-th power
    found = _ratios(ODDS, _one_row)
    wanted = [odds**PRIVACY_ITEMS for odds in ODDS]
    return found == wanted, (
        f"Largest log ratios {_levels(found)} at the levels {_levels(wanted)}, "
        f"in fractions, over all rows of {PRIVACY_ITEMS} cells that replace one another."
    )


def edge_level_leaks_users() -> Finding:
    """A whole row has a larger level than the edge."""
    found = _ratios(ODDS, _one_row)
    return all(ratio > odds for ratio, odds in zip(found, ODDS, strict=True)), (
        f"At the edge levels {_levels(ODDS)} a user of {PRIVACY_ITEMS} items has {_levels(found)}."
    )


def flip_of_a_cell() -> Finding:
    """A fair coin with probability p flips a cell with probability 1 / (1 + e^epsilon)."""
    cells = list(product(ODDS, (0, 1)))
    found = [_chance(1 - given, given, 2 / (1 + odds)) for odds, given in cells]
    wanted = [1 / (1 + odds) for odds, _ in cells]
    return found == wanted, (
        f"A cell of 0 and a cell of 1 flip with {listed(str(flip) for flip in found[::2])} at "
        f"e^epsilon of {listed(str(odds) for odds in ODDS)}."
    )


def p_to_one() -> Finding:
    """1 - p falls by a constant factor per item."""
    left = [node_untouched(epsilon=1.0, items=items) for items in WIDTHS]
    falls = [
        node_untouched(epsilon=1.0, items=items + 1) / alone
        for items, alone in zip(WIDTHS, left, strict=True)
    ]
    told = listed(f"{items * alone:.4g}" for items, alone in zip(WIDTHS, left, strict=True))
    return max(falls) <= STEADY, (
        f"At epsilon = 1, m (1 - p) is {told} for m from 10 to 10^5; one item more multiplies "
        f"1 - p by {falls[-1]:.6f} at the end: it falls like 1 / m."
    )


def levels_below_one() -> Finding:
    """The level is exact at epsilon below 1 as well."""
    found = _ratios(ODDS_BELOW_ONE, _one_cell)
    return found == list(ODDS_BELOW_ONE), (
        f"Largest log ratios {_levels(found)} at the levels {_levels(ODDS_BELOW_ONE)}."
    )


def close_to_random() -> Finding:
    """At node level a cell of adult is almost a fair coin."""
    items = TABLE_2["adult"][1]
    flip = node_replacement(epsilon=NODE_EPSILON, items=items) / 2
    return flip > RANDOM, (
        f"With {items} columns and epsilon = {NODE_EPSILON:g} a cell is replaced with "
        f"probability {2 * flip:.4f}; it flips with {flip:.4f}, where a fair coin has 0.5."
    )


def node_neighbours() -> Finding:
    """Definition 3.2's condition is that all other rows are equal."""
    rows = (slice(0, PRIVACY_ITEMS), slice(PRIVACY_ITEMS, None))

    def apart(one: Sequence[int], other: Sequence[int]) -> int:
        return sum(a != b for a, b in zip(one, other, strict=True))

    pairs = list(product(_graphs(), repeat=2))
    wrong = sum(
        any(apart(one, other) == apart(one[row], other[row]) for row in rows)
        != any(one[row] == other[row] for row in rows)
        for one, other in pairs
    )
    return not wrong, f"The two differ on {wrong} of {len(pairs)} pairs of graphs."


def post_processing() -> Finding:
    """No map of the outputs to two values raises the level."""
    largest = []
    for odds in ODDS:
        laws = _laws(2 / (1 + odds), 2)
        mapped = [
            {
                given: [sum((p for p, to in zip(law, kept, strict=True) if to), Fraction(0))]
                for given, law in laws.items()
            }
            for kept in product((0, 1), repeat=4)
            if any(kept)
        ]
        largest.append(max(_largest_ratio(each, _one_cell) for each in mapped))
    return all(ratio <= odds for ratio, odds in zip(largest, ODDS, strict=True)), (
        f"Largest log ratios {_levels(largest)} at the levels {_levels(ODDS)}."
    )


def local_is_node_level() -> Finding:
    """Users who act alone, each at a level, publish a graph at that node level."""
    channels = list(product(CHANCES, repeat=2))  # probability of a 1, given 0 and given 1
    failures = 0
    for pair in product(channels, repeat=2):
        alone = max(
            max(told[a] / told[1 - a], (1 - told[a]) / (1 - told[1 - a]))
            for told, a in product(pair, (0, 1))
        )
        laws = {
            given: [
                prod(
                    (
                        told[cell] if bit else 1 - told[cell]
                        for told, cell, bit in zip(pair, given, out, strict=True)
                    ),
                    start=Fraction(1),
                )
                for out in _graphs(2)
            ]
            for given in _graphs(2)
        }
        failures += _largest_ratio(laws, _one_cell) > alone
    return not failures, f"It is above it for {failures} of {len(channels) ** 2} pairs of users."


def node_level_is_local() -> Finding:
    """No node-private mechanism lets a user's published cell depend on another user."""
    odds = Fraction(3)
    laws = {  # the first user publishes a noisy parity of both, the second a fair coin
        given: [_chance(told[0], sum(given) % 2, 2 / (1 + odds)) / 2 for told in _graphs(2)]
        for given in _graphs(2)
    }
    level = _largest_ratio(laws, _one_cell)
    moves = abs(sum(laws[0, 0][:2]) - sum(laws[0, 1][:2]))  # a first cell of 0
    return level > odds or not moves, (
        f"At e^epsilon = {level} the second user moves the first one's published cell by {moves}."
    )


def notions_incomparable() -> Finding:
    """A majority copy has no level, and Algorithm 1 publishes copies that are not k-anonymous."""
    copies = {g: [int(a + b >= 1) for a, b in zip(g[:2], g[2:], strict=True)] for g in _graphs()}
    moved = sum(
        copies[one] != copies[other]
        for one, other in product(copies, copies)
        if _one_cell(one, other)
    )
    law = _laws(Fraction(1, 2))[0, 0, 0, 0]
    loose = sum(p for told, p in zip(_graphs(), law, strict=True) if told[:2] != told[2:])
    return moved > 0 and loose > 0, (
        f"One cell changes the whole majority copy, with certainty, for {moved} pairs of graphs; "
        f"Algorithm 1 at p = 1/2 publishes two different rows with probability {loose}."
    )


def _check_case_bits(what: str, bits: int, *, most: int) -> None:
    """Refuse an enumeration of more than 2 ** most cases."""
    if bits > most:
        raise ValueError(
            f"{what} must be at most 2^{most} cases to list them all, got 2^{bits}; take fewer "
            "users or items"
        )
