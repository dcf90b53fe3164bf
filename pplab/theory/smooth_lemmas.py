"""Lemmas 5.2 and 5.3 held against every pair of small graphs, in fractions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

from pplab.checks import check_choice, check_integer

__all__ = [
    "Checked",
    "checked",
    "distances_add_up",
    "graph_rows",
    "lemma_5_2",
    "lemma_5_3",
]

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
