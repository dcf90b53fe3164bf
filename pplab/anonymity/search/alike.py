"""For each kind of rows, the kinds most like it: where company is looked for."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

from pplab._compiled import draw_below, in_threads
from pplab.anonymity.kinds import Kinds
from pplab.anonymity.search.state import State

__all__ = ["Alike", "alike_kinds", "group_alike"]

_BLOCK = 4096  # kinds per job
_MOST_PAIRS = 2 * 10**8  # pairs of kinds that share an item; the most frequent items are left out


class Alike(NamedTuple):
    """Kinds most like each kind, most alike first.

    Attributes
    ----------
    starts : int64 array, shape (kinds + 1,)
    kinds : int32 array
        Never the kind itself.
    """

    starts: np.ndarray
    kinds: np.ndarray


def alike_kinds(kinds: Kinds, most: int, *, quiet: bool = False) -> Alike:
    """Find up to `most` kinds with the highest Jaccard similarity to each kind.

    Kinds that share no item are never listed. Items that very many kinds have are left out of the
    count where reading all of them would take too long.

    Examples
    --------
    >>> from scipy import sparse
    >>> from pplab.anonymity.kinds import kinds_of_rows
    >>> kinds = kinds_of_rows(sparse.csr_array([[1, 1, 0], [1, 0, 0], [0, 1, 1]]))
    >>> alike_kinds(kinds, 1)
    Alike(starts=array([0, 1, 2, 3]), kinds=array([1, 0, 1], dtype=int32))
    """
    count = len(kinds.degrees)
    pairs = np.cumsum(np.diff(kinds.item_starts) ** 2)  # rare items come first
    items = int(np.searchsorted(pairs, _MOST_PAIRS, side="right"))
    found = np.empty((count, most), dtype=np.int32)
    lengths = np.empty(count, dtype=np.int64)

    def fill(first: int) -> None:
        _fill(kinds, items, first, min(first + _BLOCK, count), found, lengths)

    in_threads(fill, range(0, count, _BLOCK), label="alike rows", quiet=quiet)
    listed = np.arange(most) < lengths[:, None]
    return Alike(np.concatenate([[0], np.cumsum(lengths)]), found[listed])


@numba.njit(cache=True, nogil=True)
def _fill(
    kinds: Kinds, items: int, first: int, last: int, found: np.ndarray, lengths: np.ndarray
) -> None:
    shared = np.zeros(len(kinds.degrees), dtype=np.int32)
    touched = np.empty(len(kinds.degrees), dtype=np.int32)
    scores = np.empty(found.shape[1], dtype=np.float64)
    for kind in range(first, last):
        met = _share(kinds, items, kind, shared, touched)
        filled = 0
        for other in touched[:met]:
            union = kinds.degrees[kind] + kinds.degrees[other] - shared[other]
            score = shared[other] / union
            shared[other] = 0
            if other != kind:
                filled = _insert(scores, found[kind], filled, score, other)
        lengths[kind] = filled


@numba.njit(cache=True, nogil=True)
def _share(kinds: Kinds, items: int, kind: int, shared: np.ndarray, touched: np.ndarray) -> int:
    """Count the items that each kind shares with one."""
    met = 0
    for item in kinds.items[kinds.starts[kind] : kinds.starts[kind + 1]]:
        if item < items:
            for other in kinds.item_kinds[kinds.item_starts[item] : kinds.item_starts[item + 1]]:
                if shared[other] == 0:
                    touched[met] = other
                    met += 1
                shared[other] += 1
    return met


@numba.njit(cache=True, nogil=True)
def _insert(scores: np.ndarray, found: np.ndarray, filled: int, score: float, other: int) -> int:
    """Put a kind into a list ordered by score, then number; returns the list's length."""
    if filled == len(scores):
        tail = filled - 1
        if score < scores[tail] or (score == scores[tail] and other > found[tail]):
            return filled
    else:
        tail = filled
        filled += 1
    while tail > 0 and (
        scores[tail - 1] < score or (scores[tail - 1] == score and found[tail - 1] > other)
    ):
        scores[tail], found[tail] = scores[tail - 1], found[tail - 1]
        tail -= 1
    scores[tail], found[tail] = score, other
    return filled


@numba.njit(cache=True, nogil=True)
def group_alike(state: State, alike: Alike, row: int, seed: np.ndarray) -> int:
    """Group of a random row like this one; now and then of an equal one, or of any.

    Two halves with nothing in common may share a group, so no group is out of the question.
    """
    kinds, kind = state.kinds, state.kinds.kind_of[row]
    start, end = alike.starts[kind], alike.starts[kind + 1]
    pick = start + draw_below(seed, end - start + 1)
    other = kind if pick == end else alike.kinds[pick]
    first, count = kinds.member_starts[other], kinds.member_starts[other + 1]
    count -= first
    if other == kind and count == 1:
        return state.group_of[draw_below(seed, len(state.group_of))]
    return state.group_of[kinds.members[first + draw_below(seed, count)]]
