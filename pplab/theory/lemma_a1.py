"""Lemma A.1 in three wordings, decided in fractions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pplab.checks import as_fraction, check_choice, check_flag, check_integer

__all__ = ["WORDINGS", "LemmaCase", "lemma_a1", "lemma_a1_cases", "lemma_a1_counterexample"]

WORDINGS = ("printed", "needed", "repaired")


@dataclass(frozen=True)
class LemmaCase:
    """Both sides of one wording at one (a, b, x).

    Attributes
    ----------
    a, b, x : Fraction
    left, right : Fraction
    holds : bool
        Whether the inequality is true.
    covered : bool
        Whether the wording's condition is met; a counterexample is covered and does not hold.
    """

    a: Fraction
    b: Fraction
    x: Fraction
    left: Fraction
    right: Fraction
    holds: bool
    covered: bool


def lemma_a1(a: Any, b: Any, x: Any, *, wording: str) -> LemmaCase:
    """Decide one wording of Lemma A.1 at one point, without rounding.

    Parameters
    ----------
    a, b, x : Fraction, int or float
        With 0 <= a <= b <= 1 and 0 < x < b; floats count as the binary fractions they are.
    wording : {"printed", "needed", "repaired"}
        "printed": (a - x) / (b - x) < a / b + 2 x. "needed", what the proof of Theorem 4.1 uses:
        (a + x) / (b - x) <= a / b + 2 x. "repaired": (a + x) / (b - x) < a / b + 2 x / b, on the
        condition x < (b - a) / 2.

    Returns
    -------
    LemmaCase

    Raises
    ------
    ValueError
        If the wording is not known or a, b, x leave their intervals.

    Notes
    -----
    (a + x) / (b - x) - a / b = x (a + b) / (b (b - x)). This is at most 2 x iff
    a + b <= 2 b (b - x), which sparse graphs miss: with b <= 1/2 it never holds, as
    2 b (b - x) < b. It is below 2 x / b iff a + b < 2 (b - x), that is x < (b - a) / 2.
    The printed left side is at most a / b, as (a - x) b - a (b - x) = -x (b - a) <= 0, so that the
    printed wording is true and says nothing.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Lemma A.1, arXiv 2207.06358.

    Examples
    --------
    >>> case = lemma_a1(0, Fraction(1, 2), Fraction(1, 4), wording="needed")
    >>> str(case.left), str(case.right), case.holds
    ('1', '1/2', False)
    """
    check_choice("wording", wording, WORDINGS)
    a, b, x = as_fraction(a), as_fraction(b), as_fraction(x)
    if not (0 <= a <= b <= 1 and 0 < x < b):
        raise ValueError(
            f"the lemma needs 0 <= a <= b <= 1 and 0 < x < b, got a = {a}, b = {b}, x = {x}; "
            "pass the two means and a deviation"
        )
    left = (a - x if wording == "printed" else a + x) / (b - x)
    right = a / b + 2 * x / (b if wording == "repaired" else 1)
    holds = left <= right if wording == "needed" else left < right
    covered = 2 * x < b - a if wording == "repaired" else True
    return LemmaCase(a, b, x, left, right, holds, covered)


def lemma_a1_cases(denominator: int, *, wording: str) -> Iterator[LemmaCase]:
    """Every point of the grid of fractions with one denominator.

    Parameters
    ----------
    denominator : int
        At least 1; a, b and x are multiples of 1 / denominator.
    wording : {"printed", "needed", "repaired"}

    Yields
    ------
    LemmaCase
        In the order of b, a, x.

    Raises
    ------
    TypeError, ValueError
        If the denominator is no positive integer or the wording is not known.

    Examples
    --------
    >>> len(list(lemma_a1_cases(4, wording="printed")))
    26
    """
    unit = Fraction(1, check_integer("denominator", denominator, minimum=1))
    for b in range(1, denominator + 1):
        for a in range(b + 1):
            for x in range(1, b):
                yield lemma_a1(a * unit, b * unit, x * unit, wording=wording)


def lemma_a1_counterexample(
    *, wording: str, largest_denominator: int, on_condition: bool = False
) -> LemmaCase | None:
    """Counterexample with the smallest common denominator, None if the grids hold none.

    Parameters
    ----------
    wording : {"printed", "needed", "repaired"}
    largest_denominator : int
        At least 1; the grids of all denominators up to this one are searched.
    on_condition : bool
        Whether to look only where Theorem 4.1 speaks, x <= (b - a) / 2.

    Returns
    -------
    LemmaCase or None

    Raises
    ------
    TypeError, ValueError
        If the denominator is no positive integer, the wording is not known or on_condition is no
        truth value.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Lemma A.1, arXiv 2207.06358.

    Examples
    --------
    >>> found = lemma_a1_counterexample(
    ...     wording="needed", largest_denominator=8, on_condition=True
    ... )
    >>> str(found.a), str(found.b), str(found.x)
    ('0', '2/3', '1/3')
    """
    check_choice("wording", wording, WORDINGS)
    check_flag("on_condition", on_condition)
    top = check_integer("largest_denominator", largest_denominator, minimum=1)
    for denominator in range(1, top + 1):
        for case in lemma_a1_cases(denominator, wording=wording):
            spoken_of = not on_condition or 2 * case.x <= case.b - case.a
            if case.covered and spoken_of and not case.holds:
                return case
    return None
