"""A certificate that anybody can check: whole numbers in a file, and sums over pairs of rows.

`surplus` stands apart from the search of `symmetric_certificate`: it takes nothing from it but the
numbers, finds the pairs of rows itself, and rounds against the certificate. A row that shares
neither a block nor an item with a slope has the level -p_u - p_v; each row has k - 1 partners at
-p_u less the least p in place of them all.
"""

import zipfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import sparse

from pplab.compiled import in_ranges, inner, njit
from pplab.files import whole
from pplab.smooth.rows import distinct_rows

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
    cuts : int64 array, one per distinct row
        How often its cases are split.
    splits : whole numbers, shape (cuts of all rows, 2)
        A case of the row, the first is 0, and the place of one of its items: the case keeps its
        number where the item is published, and where it is not, there is a case with the next one.
    case_slopes : int64 array, one per entry and case
        r_i, not negative, in 2**-28, row by row and case by case.
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
    cuts: np.ndarray
    splits: np.ndarray
    case_slopes: np.ndarray


class _Lists(NamedTuple):
    """Holders of each item, their slopes and number; members of blocks; where trees begin."""

    starts: np.ndarray
    owners: np.ndarray
    slopes: np.ndarray
    have: np.ndarray
    needed: np.ndarray  # an item without slopes is not read, and gets none in any case
    blocks: np.ndarray
    members: np.ndarray
    splits: np.ndarray
    case_slopes: np.ndarray
    least: int  # dual variable


def surplus(proof: Certificate) -> int:
    """Bound 2 (k - 1) (B(J) - J N) from above, in the unit: if it is not positive, it is proved.

    Raises
    ------
    OverflowError
        If the sums might leave 64 bits.
    """
    _check_size(proof)
    degrees, rows, times = np.diff(proof.starts), proof.rows, 2 * (proof.k - 1)
    owners = np.repeat(np.arange(len(rows)), degrees)
    proof = proof._replace(items=np.unique(proof.items, return_inverse=True)[1])
    order = np.argsort(proof.items, kind="stable")
    lists = _Lists(
        np.append(0, np.cumsum(np.bincount(proof.items))),
        owners[order],
        proof.slopes[order],
        np.bincount(proof.items, weights=rows[owners]).astype(np.int64),
        np.bincount(proof.items, weights=proof.slopes) > 0,
        np.append(0, np.cumsum(np.bincount(proof.blocks))),
        np.argsort(proof.blocks, kind="stable"),
        np.append(0, np.cumsum(proof.cuts)),
        np.append(0, np.cumsum((proof.cuts + 1) * degrees)),
        proof.duals.min(),
    )

    parts = in_ranges(_rows, len(rows), _BLOCK, proof, lists, label="pairs of rows")
    trace = (proof.factors.astype(np.int64) ** 2).sum(axis=1).astype(object)
    bound = np.concatenate(parts).astype(object) + 2 * trace  # Python's whole numbers
    return int(rows.astype(object) @ (bound - times * proof.ratio * degrees.astype(object)))


def _check_size(proof: Certificate) -> None:
    rows = int(proof.rows.astype(object).sum())
    norms = (proof.factors.astype(float) ** 2).sum(axis=1)  # Z_uv is at most the largest
    slopes = max(proof.slopes.max(initial=0), proof.case_slopes.max(initial=0))
    point = (2.0**BITS + proof.ratio + slopes) * 2 * min(4 * proof.k, 2 * rows) ** 2
    worth = (2.0**BITS + 4.0 * slopes) * np.diff(proof.starts).max()  # of a row with another
    if max(point, 4 * (proof.k - 1) * (worth + proof.duals.max() + norms.max())) >= 2**62:
        raise OverflowError("these multipliers are so large that the sums might leave 64 bits")


@njit(nogil=True)
def _rows(proof: Certificate, lists: _Lists, begin: int, until: int) -> np.ndarray:
    """For each row 2 (k - 1) (p_u + M_u), M_u the most over its cases."""
    result, last = np.full(until - begin, np.int64(-1) << 62), np.full(len(proof.rows), -1)
    levels, met = np.zeros((2, len(last)), dtype=np.int64), np.empty(len(last), dtype=np.int64)
    for row in range(begin, until):
        count, start, end = 0, proof.starts[row], proof.starts[row + 1]
        for entry in range(start, end):
            item = proof.items[entry]
            for place in range(lists.starts[item], lists.starts[item + 1] * lists.needed[item]):
                other = lists.owners[place]
                if last[other] != row:
                    last[other], levels[0, other], met[count], count = row, 0, other, count + 1
                levels[0, other] += lists.slopes[place] - proof.slopes[entry]
        block = proof.blocks[row]
        for other in lists.members[lists.blocks[block] : lists.blocks[block + 1]]:
            if last[other] != row:
                last[other], levels[0, other], met[count], count = row, 0, other, count + 1
            for column in range(proof.factors.shape[1]):
                z = np.int64(proof.factors[row, column]) * np.int64(proof.factors[other, column])
                levels[0, other] += 2 * z
        for other in met[:count]:
            levels[0, other] -= proof.duals[row] + proof.duals[other]
        states = np.zeros((proof.cuts[row] + 1, end - start), dtype=np.int64)
        for cut in range(proof.cuts[row]):
            case, item = proof.splits[lists.splits[row] + cut]
            for place in range(end - start):
                states[cut + 1, place] = states[case, place]
            states[case, item], states[cut + 1, item] = 1, -1
        for case in range(len(states)):
            first = lists.case_slopes[row] + case * (end - start)
            slopes = proof.case_slopes[first : first + end - start]
            most = _case(proof, lists, row, met[:count], levels, states[case], slopes)
            result[row - begin] = max(int(result[row - begin]), int(most))
    return result


@inner(arrays=True)
def _case(
    proof: Certificate,
    lists: _Lists,
    row: int,
    met: np.ndarray,
    levels: np.ndarray,
    state: np.ndarray,
    slopes: np.ndarray,
) -> int:
    """2 (k - 1) (p_u + sum of b_i) + sum of the k - 1 highest levels."""
    total = proof.duals[row]
    for other in met:
        levels[1, other] = levels[0, other]
    for place in range(len(slopes)):
        item = proof.items[proof.starts[row] + place]
        slope = slopes[place] * lists.needed[item] * (state[place] >= 0)
        total += _height(proof.k, proof.ratio, lists.have[item], slope, state[place])
        for position in range(lists.starts[item], lists.starts[item + 1] * (slope > 0)):
            levels[1, lists.owners[position]] += 2 * slope
    best = np.full(proof.k - 1, -proof.duals[row] - lists.least)  # of rows that are not met
    for other in met:
        rows, level = proof.rows[other] - (other == row), levels[1, other]
        while rows > 0 and level > best[-1]:
            place, rows = len(best) - 1, rows - 1
            while place > 0 and best[place - 1] < level:
                best[place], place = best[place - 1], place - 1
            best[place] = level
    return int(2 * (proof.k - 1) * total + best.sum())


@inner
def _height(k: int, ratio: int, have: int, slope: int, state: int) -> int:
    """b_i: the most of 1 - J (s - c) / c - r_i (c - 1) / (s - 1) over groups, rounded up.

    In state 1 the item is published; where no group can publish it, any number is right. In state
    0 nothing is said, and 0 counts, too; in state -1 it is not published, and there is only 0.
    At c + 1 it is J s / (c (c + 1)) - r_i / (s - 1) more than at c. That falls with c and rises
    with s, so c goes up as long as it pays, and never down again.
    """
    highest, c, one = np.int64(-slope * state), 1, np.int64(1) << BITS
    for s in range(k, min(4 * k - 1, 2 * have) * (state >= 0) + 1):
        c = max(c, (s + 1) // 2)
        while c < min(s, have) and ratio * s * (s - 1) > slope * c * (c + 1):
            c += 1
        top = (one * c - ratio * (s - c)) * (s - 1) - slope * (c - 1) * c
        highest = max(highest, -(-top // (c * (s - 1))))
    return int(highest)


# The file.


def save_certificate(proof: Certificate, file: str | Path) -> Path:
    """Write a certificate as a compressed .npz, whole or not at all.

    The file holds the rows of the table itself: whoever has it has the data.
    """
    with whole(Path(file)) as stream:
        np.savez_compressed(stream, **proof._asdict())
    return Path(file)


def load_certificate(file: str | Path) -> Certificate:
    """Read a certificate and check that its parts fit together; `surplus` tests whether it holds.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If `save_certificate` did not write it, or its parts do not fit together.
    """
    if Path(file).exists() and not Path(file).is_file():
        raise ValueError(f"{file} is a folder, a device or a pipe; pass the file of a certificate")
    try:
        with zipfile.ZipFile(file) as archive:
            size = sum(member.file_size for member in archive.infolist())
        if size > _MOST_BYTES:
            raise ValueError(f"it unpacks to {size:,} bytes, more than {_MOST_BYTES:,}")
        with np.load(file, allow_pickle=False) as stored:
            parts = {name: _whole(stored[name]) for name in Certificate._fields}
    except OSError:
        raise
    except Exception as error:  # a damaged archive raises what it likes
        raise ValueError(f"{file} is not a certificate that pplab wrote: {error}") from None
    if any(
        parts[name].ndim != (name in {"factors", "splits"}) + 1 for name in Certificate._fields[2:]
    ):
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
        and _are_trees(parts, np.diff(starts))
        and 2 <= k <= sum(rows.tolist()) < _MOST_ROWS
        and 0 <= ratio <= 2**BITS
    )
    if fits:
        owners = np.repeat(np.arange(count), np.diff(starts))
        fits = bool(np.all((np.diff(items) > 0) | (np.diff(owners) > 0)))  # none twice in a row
    if fits and min(parts[name].min(initial=0) for name in ("slopes", "duals", "case_slopes")) < 0:
        raise ValueError(f"{file} holds negative multipliers, and a certificate has none")
    if not fits:
        raise ValueError(f"{file} holds parts that do not fit together")
    return Certificate(k, ratio, **parts)


def _are_trees(parts: dict[str, np.ndarray], degrees: np.ndarray) -> bool:
    """True if each split names a case that is there and an item of the row."""
    cuts, splits = parts["cuts"], parts["splits"]
    if len(cuts) != len(degrees) or splits.shape[1] != 2 or not np.all(cuts <= len(splits)):
        return False
    if cuts.min() < 0 or sum(cuts.tolist()) != len(splits):
        return False
    owners = np.repeat(np.arange(len(cuts)), cuts)
    cases = np.arange(len(splits)) - np.repeat(np.cumsum(cuts) - cuts, cuts)
    valid = (splits >= 0).all(axis=1) & (splits[:, 0] <= cases) & (splits[:, 1] < degrees[owners])
    slopes = sum(((cuts + 1) * degrees).tolist())
    return bool(valid.all()) and len(parts["case_slopes"]) == slopes


def _whole(part: np.ndarray) -> np.ndarray:
    """Whole numbers of 64 bits in the order of this machine."""
    if part.dtype.kind != "i":
        raise ValueError("it holds numbers that are not whole")
    return part.astype(np.int64)


def same_table(proof: Certificate, table: sparse.csr_array) -> bool:
    """True if a certificate is for this table; another order of rows may be refused.

    Examples
    --------
    >>> from smoothbound.symmetric import prove
    >>> table = sparse.csr_array([[1, 1], [1, 0], [1, 1]])
    >>> proof = prove(table, distinct_rows(table), 2)
    >>> same_table(proof, table), same_table(proof, table[:2])
    (True, False)
    """
    distinct = distinct_rows(table)
    fields = distinct.starts, distinct.items, distinct.multiplicities
    ours = proof.starts, proof.items, proof.rows
    return all(np.array_equal(*pair) for pair in zip(ours, fields, strict=True))
