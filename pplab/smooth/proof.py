"""A certificate that anybody can check: whole numbers in a file, and sums over pairs of rows.

`excess` stands apart from the search of `symmetric_certificate`: it takes nothing from it but the
numbers, finds the pairs of rows itself, and rounds against the certificate. Pairs that share
neither a block nor an item with a positive slope add 0, as the proof says.
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
_MOST_BYTES, _MOST_ROWS, _MOST_RANK = 2**32, 2**40, 64  # of what a file may hold


class Certificate(NamedTuple):
    """Multipliers for the table of these rows; `symmetric_certificate` explains what they mean.

    Attributes
    ----------
    k, ratio : int
        What is claimed: no smooth k-anonymous copy is more similar than ratio / 2**28.
    starts, items : int64 (distinct rows + 1,) and whole numbers
        Items of each distinct row.
    rows : int64 array, one per distinct row
        How many rows of the table equal it.
    slopes : int64 array, one per entry of the distinct rows
        a_ui, not negative, in 2**-28.
    duals : int64 array, one per distinct row
        p_u, not negative, in 2**-28.
    blocks : int64 array, one per distinct row
        Number of its block.
    factors : whole numbers, shape (distinct rows, rank)
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
        If a multiplier or a ratio is negative, a distinct row stands for no row, or none has items.
    OverflowError
        If the sums might leave 64 bits.
    """
    degrees, rows = np.diff(proof.starts), proof.rows
    total, least = sum(rows.tolist()), min(proof.slopes.min(initial=0), proof.duals.min(initial=0))
    if min(int(least), int(rows.min()) - 1, proof.ratio, len(proof.items) - 1) < 0:
        raise ValueError(
            "a certificate has no negative multipliers, and each distinct row stands for a row"
        )
    owners = np.repeat(np.arange(len(rows)), degrees)
    norms = (proof.factors.astype(float) ** 2).sum(axis=1)  # Z_uv is at most the largest
    most = [float(np.max(each, initial=0)) for each in (proof.slopes, proof.duals, norms)]
    worth = float(np.bincount(owners, weights=proof.slopes).max())  # of a row with another
    point = (2**BITS + proof.ratio + most[0]) * 2 * min(4 * proof.k, 2 * total) ** 2
    if max(2 * (worth + most[1] + most[2]) * total, point, 2.0**BITS * degrees.max()) >= 2**62:
        raise OverflowError("these multipliers are so large that the sums might leave 64 bits")
    proof = proof._replace(items=np.unique(proof.items, return_inverse=True)[1])
    held = np.bincount(proof.items)
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
    trace = (proof.factors.astype(np.int64) ** 2).sum(axis=1).astype(object)
    times = 2 * (proof.k - 1)
    bound = times * (heights + proof.duals.astype(object)) + beyond + 2 * trace
    allowed = times * proof.ratio * degrees.astype(object)
    return int(rows.astype(object) @ (bound - allowed))


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
    """For each row the sum of max(0, W + 2 Z - p - p') over the other rows that it meets."""
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
    """Read a certificate and check that its parts fit together; whether it holds, `excess` tells.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If `save_certificate` did not write it, or its parts do not fit together.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            size = sum(each.file_size for each in archive.infolist())
        if size > _MOST_BYTES:
            raise ValueError(f"it unpacks to {size:,} bytes, more than {_MOST_BYTES:,}")
        with np.load(file, allow_pickle=False) as stored:
            parts = {name: _whole(stored[name]) for name in Certificate._fields}
    except OSError:
        raise
    except Exception as error:  # a damaged archive raises what it likes
        raise ValueError(f"{file} is not a certificate that pplab wrote: {error}") from None
    if any(parts[name].ndim != (name == "factors") + 1 for name in Certificate._fields[2:]):
        raise ValueError(f"{file} holds parts that do not fit together")
    k, ratio = (parts.pop(name).tolist() for name in ("k", "ratio"))
    starts, items, rows, blocks = (parts[name] for name in ("starts", "items", "rows", "blocks"))
    count, entries = len(rows), len(items)
    fits = (
        not isinstance(k, list)
        and not isinstance(ratio, list)
        and min(entries, count) > 0
        and len(starts) == count + 1
        and (starts[0], starts[-1]) == (0, entries)
        and bool(np.all(starts[:-1] <= starts[1:]))
        and {len(parts["slopes"])} == {entries}
        and {len(parts[name]) for name in ("duals", "blocks", "factors")} == {count}
        and parts["factors"].shape[1] <= _MOST_RANK
        and min(items.min(), blocks.min()) >= 0
        and blocks.max() < count
        and rows.min() > 0
        and 2 <= k <= sum(rows.tolist()) < _MOST_ROWS
        and 0 <= ratio <= 2**BITS
    )
    if fits:
        owners = np.repeat(np.arange(count), np.diff(starts))
        fits = bool(np.all((np.diff(items) > 0) | (np.diff(owners) > 0)))  # none twice in a row
    if not fits:
        raise ValueError(f"{file} holds parts that do not fit together")
    return Certificate(k, ratio, **parts)


def _whole(part: np.ndarray) -> np.ndarray:
    """Whole numbers of 64 bits in the order of this machine."""
    if part.dtype.kind != "i":
        raise ValueError("it holds numbers that are not whole")
    return part.astype(np.int64)


def same_table(proof: Certificate, table: sparse.csr_array) -> bool:
    """Whether a certificate speaks of this table; of another order of rows it need not say so.

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
