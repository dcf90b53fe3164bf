"""Lemma A.1 in three wordings, decided in fractions: as printed, as needed, and repaired.

Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, Appendix A,
arXiv 2207.06358.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from claimbook.part import Finding, against
from pplab.checks import as_fraction, check_choice

WORDINGS = ("printed", "needed", "repaired")
DENOMINATOR, SMALLER = 16, 12


@dataclass(frozen=True)
class LemmaCase:
    """Both sides of one wording at one (a, b, x); a counterexample is covered and does not hold."""

    a: Fraction
    b: Fraction
    x: Fraction
    left: Fraction
    right: Fraction
    holds: bool  # the inequality
    covered: bool  # by the wording's condition


def lemma_a1(a: Any, b: Any, x: Any, *, wording: str) -> LemmaCase:
    """Decide one wording of Lemma A.1 at one point, without rounding.

    It needs 0 <= a <= b <= 1 and 0 < x < b. "printed": (a - x) / (b - x) < a / b + 2 x. "needed",
    as the proof of Theorem 4.1 uses it: (a + x) / (b - x) <= a / b + 2 x. "repaired":
    (a + x) / (b - x) < a / b + 2 x / b, on the condition x < (b - a) / 2.

    Notes
    -----
    (a + x) / (b - x) - a / b = x (a + b) / (b (b - x)). This is at most 2 x iff
    a + b <= 2 b (b - x), which sparse graphs miss: with b <= 1/2 it never holds, as
    2 b (b - x) < b. It is below 2 x / b iff a + b < 2 (b - x), that is x < (b - a) / 2.
    The printed left side is at most a / b, as (a - x) b - a (b - x) = -x (b - a) <= 0, so that the
    printed wording is true and says nothing.

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

    Examples
    --------
    >>> len(list(lemma_a1_cases(4, wording="printed")))
    26
    """
    unit = Fraction(1, denominator)
    for b in range(1, denominator + 1):
        for a in range(b + 1):
            for x in range(1, b):
                yield lemma_a1(a * unit, b * unit, x * unit, wording=wording)


def lemma_a1_counterexample(
    *, wording: str, largest_denominator: int, on_condition: bool = False
) -> LemmaCase | None:
    """Counterexample with the smallest common denominator, None if the grids hold none.

    Lemma A.1.

    Parameters
    ----------
    wording : {"printed", "needed", "repaired"}
    largest_denominator : int
        At least 1; the grids of all denominators up to this one are searched.
    on_condition : bool
        Whether to look only where Theorem 4.1 speaks: x < (b - a) / 2, b below 1, a above 0, and
        p = 2 (b - a) at most 1.

    Returns
    -------
    LemmaCase or None

    Examples
    --------
    >>> found = lemma_a1_counterexample(
    ...     wording="needed", largest_denominator=8, on_condition=True
    ... )
    >>> str(found.a), str(found.b), str(found.x)
    ('1/6', '2/3', '1/6')
    """
    for denominator in range(1, largest_denominator + 1):
        for case in lemma_a1_cases(denominator, wording=wording):
            p = 2 * (case.b - case.a)
            spoken_of = not on_condition or (case.a > 0 and case.b < 1 and 4 * case.x < p <= 1)
            if case.covered and spoken_of and not case.holds:
                return case
    return None


# The statements on the lemma: one function decides one of them.


def lemma_a1_printed() -> Finding:
    """Lemma A.1 as printed."""

    def true_everywhere(wording: str) -> tuple[bool, str]:
        cases = list(lemma_a1_cases(DENOMINATOR, wording=wording))
        false = sum(not case.holds for case in cases)
        empty = sum(case.left <= case.a / case.b for case in cases)
        return not false, (
            f"False in {false} of {len(cases):,} cases of sixteenths; its left side is at most "
            f"a / b in {empty:,} of them, so that it says nothing."
        )

    return against(true_everywhere, right="printed", wrong="needed")


def lemma_a1_needed() -> Finding:
    """Lemma A.1 as the proof of Theorem 4.1 uses it."""
    case = lemma_a1_counterexample(
        wording="needed", largest_denominator=DENOMINATOR, on_condition=True
    )
    if case is None:
        return True, f"True for all fractions with denominators up to {DENOMINATOR}."
    p = 2 * (case.b - case.a)
    return False, (
        f"At p = {p} and density {case.a / (1 - p / 2)}, that is a = {case.a} and b = {case.b}, "
        f"with x = {case.x}: {case.left} on the left, {case.right} on the right."
    )


def lemma_a1_repaired() -> Finding:
    """Lemma A.1 with 2x / b holds exactly on its condition."""

    def exactly(wording: str) -> tuple[bool, str]:
        cases = list(lemma_a1_cases(DENOMINATOR, wording=wording))
        wrong = sum(case.holds != (2 * case.x < case.b - case.a) for case in cases)
        covered = sum(2 * case.x < case.b - case.a for case in cases)
        return not wrong, (
            f"Of {len(cases):,} cases of sixteenths {covered:,} meet the condition; it is true in "
            f"other cases than these, or false in these, {wrong} times."
        )

    return against(exactly, right="repaired", wrong="needed")


def lemma_a1_rearranged() -> Finding:
    """Both sides of the printed lemma times b (b - x), against the printed line."""
    cases = _positive_cases()
    wrong = sum((c.right - c.left) * c.b * (c.b - c.x) != _rearranged(c.a, c.b, c.x) for c in cases)
    return not wrong, f"The sides are not as far apart as printed in {wrong} of {len(cases)} cases."


def lemma_a1_iff() -> Finding:
    """The printed line is true exactly where x < (b - a) / 2."""
    cases = _positive_cases()
    wrong = [c for c in cases if (_rearranged(c.a, c.b, c.x) > 0) != (2 * c.x < c.b - c.a)]
    shown = f", the first at a = {wrong[0].a}, b = {wrong[0].b}, x = {wrong[0].x}" if wrong else ""
    return not wrong, f"Wrong in {len(wrong)} of {len(cases)} cases{shown}."


def _positive_cases() -> list[LemmaCase]:
    return [case for case in lemma_a1_cases(SMALLER, wording="printed") if case.a > 0]


def _rearranged(a: Fraction, b: Fraction, x: Fraction) -> Fraction:
    """Right side less left side of the line that the proof of Lemma A.1 prints."""
    return (a * b - a * x + 2 * b * x - 2 * x**2) - (a * b - b * x)


STATEMENTS = (
    *(lemma_a1_printed, lemma_a1_needed, lemma_a1_repaired, lemma_a1_rearranged),
    lemma_a1_iff,
)
