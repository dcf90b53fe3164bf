"""Tolls of rows that make pairs of rows worth little more than they pay, and who pairs then."""

from __future__ import annotations

import numba
import numpy as np

from pplab._compiled import in_threads
from pplab.anonymity.kinds import Kinds
from pplab.theory.certificate_pairs import Pairs
from pplab.theory.certificate_row_steps import other_rows

__all__ = ["lower_tolls", "pairs_and_tolls"]

_BLOCK = 4096  # kinds per job
_SWEEPS = 6
_NEWTON = 4  # steps for each toll
_CLOSE = 1e-3  # pairs that do not matter


def lower_tolls(
    kinds: Kinds, pairs: Pairs, k: int, tolls: np.ndarray, floors: np.ndarray, width: float
) -> np.ndarray:
    """Tolls from the floors on, moved so that each row has about k - 1 pairs above them.

    One row after the other, there and back, with what exceeds the tolls softened: a pair at the
    two tolls counts half, and fully or not at all from half the width on.
    """
    tolls = tolls.copy()
    for sweep in range(_SWEEPS):
        _sweep(kinds, pairs, k, tolls, floors, width, sweep % 2 == 1)
    return tolls


def pairs_and_tolls(
    kinds: Kinds, pairs: Pairs, k: int, tolls: np.ndarray, width: float
) -> tuple[float, np.ndarray]:
    """Sum of all tolls and of what pairs are worth beyond them; how alike the paired rows are.

    Returns
    -------
    float
        Over all rows the toll, and over all pairs of rows the excess over k - 1.
    float array, one per entry of the kinds
        Share of the rows paired with the entry's row that have its item; pairs are softened as
        in `lower_tolls`.
    """
    count = len(kinds.degrees)
    alike = np.empty(len(kinds.items))

    def total(first: int) -> float:
        part = (first, min(first + _BLOCK, count))
        return _settle(kinds, pairs, k, tolls, width, alike, part)

    return sum(in_threads(total, range(0, count, _BLOCK), label="paired rows")), alike


@numba.njit(cache=True, nogil=True)
def _sweep(
    kinds: Kinds,
    pairs: Pairs,
    k: int,
    tolls: np.ndarray,
    floors: np.ndarray,
    width: float,
    backwards: bool,
) -> None:
    """Move each toll by a few safeguarded Newton steps towards k - 1 softened pairs."""
    most = np.diff(pairs.starts).max()
    gains, falls, rows = np.empty(most), np.empty(most), np.empty(most)
    for number in range(len(tolls)):
        kind = len(tolls) - 1 - number if backwards else number
        met = 0
        for place in range(pairs.starts[kind], pairs.starts[kind + 1]):
            other = pairs.others[place]
            inside = other == kind  # such a pair pays the toll twice
            gain = pairs.worths[place] - (0.0 if inside else tolls[other])
            if gain + width / 2 > floors[kind] * (1 + inside):
                gains[met], falls[met] = gain, 1 + inside
                rows[met] = other_rows(kinds, other, kind)
                met += 1
        part = (gains[:met], falls[:met], rows[:met])
        tolls[kind] = _moved(part, k - 1, tolls[kind], floors[kind], width)


@numba.njit(cache=True, nogil=True)
def _moved(
    part: tuple[np.ndarray, np.ndarray, np.ndarray],
    wanted: int,
    toll: float,
    floor: float,
    width: float,
) -> float:
    """Toll at which about so many softened pairs are worth it, from the floor on."""
    gains, falls, rows = part
    low, high = floor, np.inf
    for _ in range(_NEWTON):
        more, fall = -float(wanted), 0.0
        for place in range(len(gains)):
            share = (gains[place] - falls[place] * toll) / width + 0.5
            if share > 0:
                more += rows[place] * min(share, 1.0)
                if share < 1:
                    fall += rows[place] * falls[place] / width
        if abs(more) < _CLOSE:
            break
        low, high = (toll, high) if more > 0 else (low, toll)
        step = toll + (more / fall if fall > 0 else np.sign(more) * width)
        if step >= high:
            step = (toll + high) / 2
        if step <= low:
            step = low if low == floor else (toll + low) / 2
        toll = step
    return toll


@numba.njit(cache=True, nogil=True)
def _settle(
    kinds: Kinds,
    pairs: Pairs,
    k: int,
    tolls: np.ndarray,
    width: float,
    alike: np.ndarray,
    part: tuple[int, int],
) -> float:
    places = np.full(len(kinds.item_starts), -1, dtype=np.int64)
    total = 0.0
    for kind in range(part[0], part[1]):
        start, end = kinds.starts[kind], kinds.starts[kind + 1]
        for place in range(start, end):
            alike[place] = 0
            places[kinds.items[place]] = place
        excess, paired = 0.0, 0.0
        for place in range(pairs.starts[kind], pairs.starts[kind + 1]):
            other = pairs.others[place]
            rows = other_rows(kinds, other, kind)
            beyond = pairs.worths[place] - tolls[kind] - tolls[other]
            excess += rows * max(beyond, 0.0)
            share = min(beyond / width + 0.5, 1.0) * rows / (k - 1)
            if share > 0:
                paired += share
                for item in kinds.items[kinds.starts[other] : kinds.starts[other + 1]]:
                    if places[item] >= 0:
                        alike[places[item]] += share
        alike[start:end] /= max(paired, 1.0)
        places[kinds.items[start:end]] = -1
        own = kinds.member_starts[kind + 1] - kinds.member_starts[kind]
        total += own * (tolls[kind] + excess / (2 * (k - 1)))
    return total
