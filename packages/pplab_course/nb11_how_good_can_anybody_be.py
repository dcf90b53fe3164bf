"""Exercises of notebook 11: certificates by rows and by columns, a lemma, groups by hand."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from numbers import Real
from typing import Any

import numpy as np
from scipy import sparse

from pplab.metrics.anonymity import is_k_anonymous
from pplab.metrics.error import jaccard_similarity
from pplab.smooth.certificates import column_certificate
from pplab.smooth.optimum import majority_jaccard, smooth_optimum
from pplab.smooth.rows import nearest_rows
from pplab_course.answers import Refusal, as_labels, bits, call, number, numbers, parts
from pplab_course.exercises import close, enter, right

# 11-P: how often does a lemma fail? Promises that the count is tried on

Promise = Callable[[Fraction], Fraction]

_CELLS = 6

# The one as printed first; none of the others is in the notebook but the repaired one.
PROMISES: list[tuple[str, Promise]] = [
    ("as printed", lambda phi: 1 - phi / 2),
    ("repaired", lambda phi: 1 - phi),
    ("with a third", lambda phi: 1 - phi / 3),
    ("with two thirds", lambda phi: 1 - 2 * phi / 3),
    ("of the certificate", lambda phi: 1 / (1 + phi)),
]


@enter("11-P")
def _failures(answer: Any) -> str | None:
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
            return "Count all pairs that fail, not only the first pair."
        if count == broken(promise, copies=range(1, 1 << _CELLS)):
            return f"For the lemma {name}: include the empty copy, the simplest case."
        if count == broken(promise, weight=2):
            return f"For the lemma {name}: count each changed cell once, since it lies in one row."
        if count < 0 or count > 63 * 64:
            return f"There are 63 · 64 pairs; you counted {count:g}."
        if count == broken(promise, strict=False):
            return f"For the lemma {name}: J = promise keeps the promise; count only J < promise."
        if rounded:
            return "Your shares are floats, and floats round: take Fraction(changed, edges)."
        if name == "repaired":
            return "No pair breaks the repaired lemma. Do you compare fractions, with a strict <?"
        return (
            f"For the lemma {name} your count, {count:g}, is wrong. h is the number of "
            "all changed cells divided by |E|, and J divides by the union."
        )
    return ""


def broken(
    promise: Promise, *, copies: range = range(1 << _CELLS), strict: bool = True, weight: int = 1
) -> int:
    """Count the pairs of graphs on six cells whose similarity is below what is promised.

    Examples
    --------
    >>> broken(lambda phi: 1 - phi), broken(lambda phi: 1 - phi / 2)
    (0, 2777)
    """
    count = 0
    for (edges, changed, shared), times in _cases(copies).items():
        similar = Fraction(shared, shared + changed)
        promised = promise(Fraction(weight * changed, edges))
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


# 11-N: two certificates by hand


@enter("11-N")
def _two_certificates(answer: Any) -> str | None:
    forced, bound = numbers(answer, 2)
    if close(forced, 7 / 10) and close(bound, 7 / 2):
        return "You swapped the two numbers: give the changes first, then the similarity."
    rows = {
        7: "First number: it is twice too large, since each pair of rows is counted twice.",
        14 / 3: "First number: in the smallest group a row has k - 1 companions, not k.",
        3 / 2: "First number: a row is not its own companion; leave out its distance to itself.",
        7 / 3: "First number: a row is not its own companion; leave out its distance to itself.",
        16 / 23: "First number: that is already a J. How many changes are forced?",
    }
    columns = {
        1: "Second number: in groups of three, what becomes of an item that only one person has?",
        7 / 8: "Second number: three rows show an item with two owners; count created edges.",
        8 / 12: "Second number: one of these items has fewer than k/2 owners, so it is lost.",
        8 / 10: "Second number: the lost item's edge is still in the union, but it is not kept.",
        7 / 9: "Second number: a lost edge still counts in |E|, the number of all edges.",
        3 / 8: "Second number: that is the rule for suppression; here half of a group is enough.",
    }
    for value, expected, mistakes in ((forced, 7 / 2, rows), (bound, 7 / 10, columns)):
        if not close(value, expected):
            return next((hint for wrong, hint in mistakes.items() if close(value, wrong)), None)
    return ""


# 11-B: a copy that is not smooth, above the ceiling of smooth ones


@enter("11-B")
def _above(answer: Any) -> str | None:
    table, copy, size = parts(answer, 3, "this exercise takes three things: (table, copy, k).")
    before, after, k = _bits(table), _bits(copy), number(size)
    if before.shape != after.shape:
        raise Refusal("table and copy must have the same number of rows and of columns.")
    rows = before.shape[0]
    if k % 1 or not 2 <= k <= rows:
        raise Refusal(f"k must be a whole number from 2 to {rows}, the number of rows.")
    if not is_k_anonymous(after, int(k)):
        return f"The copy is not {k:g}-anonymous: some row equals fewer than {k:g} - 1 others."
    bound = column_certificate(before, int(k), "smooth")
    reached = jaccard_similarity(before, after)
    if reached > bound + 1e-9:
        return ""
    return f"J = {reached:.3f} is not above the ceiling from the columns, {bound:.3f}."


def _bits(answer: Any) -> sparse.csr_array:
    """A small table of zeros and ones that is not empty."""
    table = bits(answer, "a table of zeros and ones, please, such as [[1, 0], [0, 1]].", most=100)
    if not table.any():
        raise Refusal("a table with a 1 in it, please: J compares edges.")
    return sparse.csr_array(table)


# 11-D: the best groups of a 6 x 8 table, and a certificate that they nearly meet

_ROWS = ("01110100", "01111100", "10110010", "11000000", "10110010", "01110010")
K = 2


@enter("11-D")
def _groups(answer: Any) -> str | None:
    groups, certificate = parts(answer, 2, "this exercise takes a pair: (groups, certificate).")
    if isinstance(groups, Real):
        raise Refusal("the groups come first, then the certificate.")
    shelf = shelf_of_six()
    labels, bound = as_labels(groups, len(shelf)), number(certificate)
    if np.bincount(labels).min() < 2:
        return "A group has fewer than k = 2 members: try is_k_anonymous before you measure J."
    reached, best = float(majority_jaccard(shelf, labels)), float(smooth_optimum(shelf, K).jaccard)
    # half the distances to the nearest rows, per edge: h of the certificate 1 / (1 + h)
    changes = float(nearest_rows(shelf, K - 1).distances.sum() / (2 * shelf.sum()))
    if reached < 0.98 * best:
        return f"These groups have J = {reached:.3f}. Others keep more: which rows are similar?"
    if close(bound, 1 / (1 + 2 * changes), within=0.002):
        return "Good groups. In the certificate each pair is counted twice: take half the sum."
    if close(bound, changes, within=0.002):
        return "Good groups. Your number is h; the certificate is 1/(1 + h)."
    if close(bound, best, within=0.002):
        return "Your number is the J of your groups; the certificate does not depend on groups."
    if bound < reached - 1e-9:
        return "Good groups. But your certificate is below their J, so it is not a bound."
    if right(bound, 1 / (1 + changes)) is None:
        return "Good groups. Compute the certificate again: at k = 2, each row has one nearest row."
    return ""


def shelf_of_six() -> np.ndarray:
    """Books that six people have read, of eight, as a 0/1 array.

    Examples
    --------
    >>> shelf_of_six().shape, int(shelf_of_six().sum())
    ((6, 8), 23)
    """
    return np.array([[int(cell) for cell in row] for row in _ROWS])
