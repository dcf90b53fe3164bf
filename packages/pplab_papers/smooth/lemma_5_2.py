"""Lemma 5.2 on all pairs of small graphs: a similarity of 1 - phi bounds the total distance.

Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, Section 5 and
Appendix C, arXiv 2207.06358.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from claimbook.part import Finding, against
from pplab_papers.smooth.cases import Checked, checked, graph_rows

USERS, ITEMS = 2, 3  # 64 graphs, 4096 pairs


def lemma_5_2(*, form: str) -> Checked:
    """Lemma 5.2 on all pairs of 2 x 3 graphs: a similarity of 1 - phi bounds the total distance.

    Printed: at most ``2 phi/(1 - phi) |E|``. Tight: ``phi/(1 - phi) |E|``, with equality when the
    copy holds all of E. The bound grows with phi, so each pair is tried at its least one,
    phi = 1 - J; where J = 0 the bound is infinite. Pairs whose original is empty are left out, for
    the bound then is infinity times 0, unless the copy is empty too.

    Parameters
    ----------
    form : {"printed", "tight", "halved"}
        Halved: half of the tight one, which is too little.

    Returns
    -------
    Checked
        ``counterexample`` is (original rows, copy's rows).

    Examples
    --------
    >>> lemma_5_2(form="printed").holds, lemma_5_2(form="tight").holds
    (True, True)
    """
    factor = {"printed": Fraction(2), "tight": Fraction(1), "halved": Fraction(1, 2)}[form]

    def case(original: int, copy: int) -> tuple[Any, Any] | None:
        edges, shared = original.bit_count(), (original & copy).bit_count()
        if not edges:
            return (0, 0) if not copy else None
        phi = 1 - Fraction(shared, (original | copy).bit_count())
        bound = factor * phi / (1 - phi) * edges if shared else float("inf")
        return distance(original, copy), bound

    return all_pairs(case)


def lemma_5_2_printed() -> Finding:
    """Lemma 5.2 as printed."""
    return against(_in_form, right="printed", wrong="halved")


def lemma_5_2_tight() -> Finding:
    """Lemma 5.2 without its factor of 2."""
    return against(_in_form, right="tight", wrong="halved")


def _in_form(form: str) -> tuple[bool, str]:
    return on_pairs(lemma_5_2(form=form))


def lemma_5_2_reversed() -> Finding:
    """Lemma 5.2 assuming J at most 1 - phi: then phi = 0 always fits, and allows no distance."""
    return on_pairs(all_pairs(lambda original, copy: (distance(original, copy), 0)))


def distances_twice() -> Finding:
    """The rows' distances are twice the symmetric difference."""
    return on_pairs(distances_add_up(times=2))


def distances_add_up(*, times: int) -> Checked:
    """True if the rows' distances add up to so many times the symmetric difference, on all pairs.

    Each cell belongs to one user, so they add up to it once. (Twice, which the proofs of Lemmas 5.2
    and 5.3 use, would be right if items had rows of their own.)

    Examples
    --------
    >>> distances_add_up(times=1).holds, distances_add_up(times=2).holds
    (True, False)
    """
    return all_pairs(
        lambda one, other: (abs(distance(one, other) - times * (one ^ other).bit_count()), 0)
    )


# Every original with every copy; Lemma 5.3 uses these, too.


def all_pairs(case: Callable[[int, int], tuple[Any, Any] | None]) -> Checked:
    def cases() -> Iterator[tuple[Any, Any, Any] | None]:
        for original, copy in product(range(1 << USERS * ITEMS), repeat=2):
            sides = case(original, copy)
            yield None if sides is None else ((original, copy), *sides)

    result = checked(cases())
    if result.counterexample is None:
        return result
    graphs = tuple(graph_rows(bits, USERS, ITEMS) for bits in result.counterexample)
    return replace(result, counterexample=graphs)


def distance(left: int, right: int) -> int:
    """Sum over users of the Hamming distance of their two rows, row by row as the paper has it."""
    row = (1 << ITEMS) - 1
    shifts = range(0, USERS * ITEMS, ITEMS)
    return sum(((left >> at & row) ^ (right >> at & row)).bit_count() for at in shifts)


def on_pairs(result: Checked) -> tuple[bool, str]:
    shown = ""
    if result.counterexample is not None:
        original, copy = result.counterexample
        shown = f"; the first: rows {original} published as {copy}"
    return result.holds, (
        f"False for {result.failures:,} of {result.cases:,} pairs of graphs on 2 x 3 cells, met "
        f"with equality by {result.tight:,}{shown}."
    )


STATEMENTS = (lemma_5_2_printed, lemma_5_2_tight, lemma_5_2_reversed, distances_twice)
