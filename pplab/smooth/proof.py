"""A certificate that anybody can check: whole numbers in a file, and sums over all pairs of rows.

`excess` stands apart from the search of `symmetric_certificate`: it takes nothing from it but the
numbers, reads every pair of rows itself, and rounds against the certificate.
"""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import sparse

from pplab._compiled import in_threads, njit
from pplab.smooth._rows import distinct_rows

BITS = 28  # the unit is 2**-28, that of factors 2**-14
_BLOCK = 512  # distinct rows per job
_MOST = 10**8  # items, in a file


class Certificate(NamedTuple):
    """Multipliers for the table of these rows; what they mean, `symmetric_certificate` proves.

    Attributes
    ----------
    k, ratio : int
        What is claimed: no smooth k-anonymous copy is more similar than ratio / 2**28.
    starts, items : int64 (distinct rows + 1,) and int32 arrays
        Items of each distinct row.
    rows : int64 array, one per distinct row
        How many rows of the table equal it.
    slopes : int64 array, one per entry of the distinct rows
        a_ui, not negative, in 2**-28.
    duals : int64 array, one per distinct row
        p_u, not negative, in 2**-28.
    blocks : int64 array, one per distinct row
        Number of its block.
    factors : int32 array, shape (distinct rows, rank)
        L in 2**-14: Z_uv is the inner product of two rows of L, if they are in one block.
    """

    k: int
    ratio: int
    starts: np.ndarray
    items: np.ndarray
    rows: np.ndarray
    slopes: np.ndarray
    duals: np.ndarray
    blocks: np.ndarray
    factors: np.ndarray


def excess(proof: Certificate) -> int:
    """2 (k - 1) (B(J) - J N) in the unit; the certificate holds if this is not positive.

    Raises
    ------
    ValueError
        If a multiplier is negative, or the sums might leave 64 bits.
    """
    degrees, rows = np.diff(proof.starts), proof.rows
    if min(proof.slopes.min(initial=0), proof.duals.min(initial=0), rows.min() - 1) < 0:
        raise ValueError("a certificate has no negative multipliers and no rows that are not there")
    slope, dual, factor = (
        int(np.abs(numbers).max(initial=0))
        for numbers in (proof.slopes, proof.duals, proof.factors)
    )
    pair = 2 * (int(degrees.max()) * slope + dual + proof.factors.shape[1] * factor**2)
    point = (2 * 2**BITS + abs(proof.ratio) + slope) * 16 * proof.k**2
    if max(pair * int(rows.sum()), point * int(degrees.max())) >= 2**63:
        raise ValueError("these multipliers are so large that the sums might leave 64 bits")
    owners, held = np.repeat(np.arange(len(rows)), degrees), np.bincount(proof.items)
    order = np.argsort(proof.items, kind="stable")
    have = np.bincount(proof.items, weights=rows[owners]).astype(np.int64)
    needed = np.bincount(proof.items, weights=proof.slopes) > 0  # other items add 0 to each pair
    by_item = np.append(0, np.cumsum(held)), owners[order], proof.slopes[order], needed
    members = np.argsort(proof.blocks, kind="stable")
    by_block = np.append(0, np.cumsum(np.bincount(proof.blocks))), members

    def sums(first: int) -> np.ndarray:
        part = np.arange(first, min(first + _BLOCK, len(rows)))
        heights = _heights(proof, have, part)
        return np.array([heights, _pairs(proof, by_item, by_block, part)], dtype=object)

    parts = in_threads(sums, range(0, len(rows), _BLOCK), label="pairs of rows")
    heights, beyond = np.concatenate(parts, axis=1)  # Python's whole numbers from here on
    own = 2 * (proof.k - 1) * (heights + proof.duals.astype(object))
    trace = 2 * (proof.factors.astype(np.int64) ** 2).sum(axis=1)
    most = 2 * (proof.k - 1) * proof.ratio * int(rows @ degrees)
    return int(rows.astype(object) @ (own + beyond + trace.astype(object))) - most


@njit(nogil=True)
def _heights(proof: Certificate, have: np.ndarray, part: np.ndarray) -> np.ndarray:
    """For each row the sum of b_ui: the most of 1 - J (s - c) / c - a (c - 1) / (s - 1), or 0.

    At c + 1 it is J s / (c (c + 1)) - a / (s - 1) more than at c. That falls with c and rises with
    s, so c goes up as long as it pays, and never down again.
    """
    result, k, one = np.zeros(len(part), dtype=np.int64), proof.k, np.int64(1) << BITS
    for place in range(len(part)):
        for entry in range(proof.starts[part[place]], proof.starts[part[place] + 1]):
            most, slope = have[proof.items[entry]], proof.slopes[entry]
            highest, c = 0, 1
            for s in range(k, min(4 * k - 1, 2 * most) + 1):
                c = max(c, (s + 1) // 2)
                while c < min(s, most) and proof.ratio * s * (s - 1) > slope * c * (c + 1):
                    c += 1
                top = (one * c - proof.ratio * (s - c)) * (s - 1) - slope * (c - 1) * c
                highest = max(highest, -(-top // (c * (s - 1))))
            result[place] += highest
    return result


@njit(nogil=True)
def _pairs(proof: Certificate, by_item: tuple, by_block: tuple, part: np.ndarray) -> np.ndarray:
    """For each row the sum over all other rows of max(0, W + 2 Z - p - p')."""
    starts, owners, slopes, needed = by_item
    result, last = np.zeros(len(part), dtype=np.int64), np.full(len(proof.rows), -1)
    weights, met = np.zeros(len(last), dtype=np.int64), np.empty(len(last), dtype=np.int64)
    for place in range(len(part)):
        row, count = part[place], 0
        for entry in range(proof.starts[row], proof.starts[row + 1]):
            item = proof.items[entry]
            if not needed[item]:
                continue
            for there in range(starts[item], starts[item + 1]):
                other = owners[there]
                if last[other] != row:
                    last[other], weights[other], met[count], count = row, 0, other, count + 1
                weights[other] += proof.slopes[entry] + slopes[there]
        block = proof.blocks[row]
        for other in by_block[1][by_block[0][block] : by_block[0][block + 1]]:
            if last[other] != row:
                last[other], weights[other], met[count], count = row, 0, other, count + 1
            z = np.int64(0)
            for column in range(proof.factors.shape[1]):
                z += np.int64(proof.factors[row, column]) * np.int64(proof.factors[other, column])
            weights[other] += 2 * z
        for other in met[:count]:
            beyond = weights[other] - proof.duals[row] - proof.duals[other]
            result[place] += max(beyond, 0) * (proof.rows[other] - (other == row))
    return result


# The file.


def save_certificate(proof: Certificate, file: str | Path) -> Path:
    """Write a certificate as a compressed .npz; there is the whole file, or none.

    The file holds the rows of the table itself: whoever has it has the data.
    """
    file = Path(file)
    unfinished = file.with_name(file.name + ".part")
    try:
        with unfinished.open("wb") as stream:
            np.savez_compressed(stream, **proof._asdict())
        return unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)


def load_certificate(file: str | Path) -> Certificate:
    """Read a certificate and see that it is one of a table; whether it holds, `excess` tells.

    Raises
    ------
    ValueError
        If the file is none that `save_certificate` wrote, or its parts do not fit together.
    """
    try:
        with np.load(file, allow_pickle=False) as stored:
            parts = {name: stored[name] for name in Certificate._fields}
    except (KeyError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(f"{file} is not a certificate that pplab wrote: {error}") from None
    if any(part.dtype.kind != "i" for part in parts.values()):
        raise ValueError(f"{file} holds numbers that are not whole")
    k, ratio = (parts.pop(name) for name in ("k", "ratio"))
    if k.ndim or ratio.ndim:
        raise ValueError(f"{file} holds more than one k or ratio")
    proof = Certificate(int(k), int(ratio), **parts)
    starts, rows, entries = proof.starts, len(proof.rows), len(proof.items)
    fits = (
        proof.k >= 2
        and starts.shape == (rows + 1,)
        and (starts[0], starts[-1]) == (0, entries)
        and np.all(np.diff(starts) >= 0)
        and (proof.items.ndim, proof.rows.ndim, proof.factors.ndim) == (1, 1, 2)
        and proof.slopes.shape == (entries,)
        and len(proof.factors) == rows > 0
        and proof.duals.shape == proof.blocks.shape == (rows,)
        and min(proof.items.min(initial=0), proof.blocks.min()) >= 0
        and max(proof.items.max(initial=0), proof.blocks.max()) < _MOST
    )
    if fits:
        owners = np.repeat(np.arange(rows), np.diff(starts))
        fits = np.all((np.diff(proof.items) > 0) | (np.diff(owners) > 0))  # no item twice in a row
    if not fits:
        raise ValueError(f"{file} holds parts that do not fit together")
    return proof


def same_table(proof: Certificate, table: sparse.csr_array) -> bool:
    """Whether a certificate speaks of this table, its rows and columns in this order.

    Examples
    --------
    >>> from pplab.smooth.symmetric import prove
    >>> table = sparse.csr_array([[1, 1], [1, 0], [1, 1]])
    >>> proof = prove(table, distinct_rows(table), 2)
    >>> same_table(proof, table), same_table(proof, table[:2])
    (True, False)
    """
    distinct = distinct_rows(table)
    there = distinct.starts, distinct.items, distinct.multiplicities
    ours = proof.starts, proof.items, proof.rows
    return all(np.array_equal(*pair) for pair in zip(ours, there, strict=True))
