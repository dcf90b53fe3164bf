"""The worst output: the largest ratio of one output's probabilities under two neighbours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from pplab.theory.inputs import Rows

__all__ = ["worst_ratio"]

_CLOSE = 1e-9  # logarithms closer than this are compared again as fractions


def worst_ratio(
    inputs: Sequence[Rows], laws: Sequence[dict[Any, Fraction]], pairs: Sequence[tuple[int, int]]
) -> tuple[Any, Rows, Rows, Any]:
    """Find the largest ratio: all are screened by logarithms, the largest decided in fractions.

    Parameters
    ----------
    inputs : sequence of tuples of rows
    laws : sequence of {output: Fraction}
        One for each input, without zeros.
    pairs : sequence of pairs of int
        Numbers of neighbouring inputs.

    Returns
    -------
    odds : Fraction or infinity
        Among equal ratios that of the likeliest output.
    one, other : tuples of rows
        The output is likelier under the first.
    output : object
    """
    outputs, shares, table = _numbered(laws)
    logs = np.array([-math.inf, *(_log(share) for share in shares[1:])])
    gaps = [_gaps(logs[table[i]], logs[table[j]]).max() for i, j in pairs]
    top = max(gaps)
    best: tuple[Any, ...] = ()
    for (i, j), gap in zip(pairs, gaps, strict=True):
        if gap < top - _CLOSE:
            continue
        places = np.flatnonzero(_gaps(logs[table[i]], logs[table[j]]) >= top - _CLOSE)
        codes = table[i, places].astype(np.int64) * len(shares) + table[j, places]
        for place in places[np.sort(np.unique(codes, return_index=True)[1])]:
            ends = sorted(((shares[table[n, place]], n) for n in (i, j)), key=lambda end: -end[0])
            (high, first), (low, second) = ends
            odds = high / low if low else math.inf
            if not best or (odds, high) > best[:2]:
                best = (odds, high, (inputs[first], inputs[second]), outputs[place])
    odds, _, pair, output = best
    return odds, *pair, output


def _numbered(
    laws: Sequence[dict[Any, Fraction]],
) -> tuple[list[Any], list[Fraction], np.ndarray]:
    """Outputs, distinct probabilities (0 first) and the table input x output of their numbers."""
    outputs = list(dict.fromkeys(output for law in laws for output in law))
    column = {output: place for place, output in enumerate(outputs)}
    number: dict[tuple[int, int], int] = {(0, 1): 0}
    shares = [Fraction(0)]
    table = np.zeros((len(laws), len(outputs)), dtype=np.int32)
    for row, law in enumerate(laws):
        for output, share in law.items():
            key = (share.numerator, share.denominator)  # hashed faster than a Fraction
            if key not in number:
                number[key] = len(shares)
                shares.append(share)
            table[row, column[output]] = number[key]
    return outputs, shares, table


def _gaps(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Distances of logarithms; -1 where neither input gives the output."""
    with np.errstate(invalid="ignore"):  # inf - inf is the case that is sorted out here
        gaps = np.abs(one - other)
    return np.where(np.isnan(gaps), -1.0, gaps)


def _log(share: Fraction) -> float:
    return math.log(share.numerator) - math.log(share.denominator)
