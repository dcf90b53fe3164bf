"""Blocks of rows that may go together, and a positive semidefinite matrix for each.

They sharpen `symmetric_certificate`: whatever the groups are, the matrix Y + I / (k - 1) is
positive semidefinite, and Z is the dual variable of that, kept for pairs of one block only.
"""

import numpy as np
from scipy import sparse

from pplab.compiled import in_threads
from pplab.smooth.rows import Array, DistinctRows
from smoothbound._certificates import Blocks, Pairs, matched, pairs_in_blocks

# Distinct rows in a block, at most, and how many of them there are when it is the lower number: the
# work on a block grows with the cube of its size.
_SIZES, _MANY = (64, 32), 2**15
_BATCH = 256  # blocks per job
_INERTIA = 0.5
_NOTHING = 1e-6  # of the largest eigenvalue: a matrix is no longer known so well


def blocks_of(labels: Array) -> Blocks:
    """Lay out blocks of distinct rows, given the block of each, with Z = 0."""
    sizes = np.bincount(labels)
    members = np.argsort(labels, kind="stable")
    starts = np.concatenate([[0], np.cumsum(sizes)])
    place = np.empty(len(labels), dtype=np.int64)
    place[members] = np.arange(len(labels)) - starts[labels[members]]
    ends = np.cumsum(sizes**2)
    z_row = (ends - sizes**2)[labels] + place * sizes[labels]
    return Blocks(labels, place, starts, members, z_row, np.zeros(ends[-1]))


def joined(distinct: DistinctRows, pairs: Pairs, duals: Array, width: float) -> Array:
    """Block of each distinct row: groups of paired rows are put together two by two.

    Again and again, heaviest first for their size, no group twice in a pass, until none fits. The
    weight of two distinct rows is their softened pairs times the root of the rows they stand for.

    Examples
    --------
    >>> from pplab.smooth.rows import distinct_rows
    >>> distinct = distinct_rows(sparse.csr_array(np.eye(4)))
    >>> pairs = Pairs(np.array([0, 1, 2, 3, 4]), np.array([2, 3, 0, 1]), np.ones(4))
    >>> joined(distinct, pairs, np.zeros(4), 0.1)
    array([0, 1, 0, 1])
    """
    count = len(duals)
    first = np.repeat(np.arange(count), np.diff(pairs.starts))
    share = (pairs.weights - duals[first] - duals[pairs.others]) / width + 0.5
    rows = np.sqrt(distinct.multiplicities)
    weight = np.clip(share, 0, 1) * rows[first] * rows[pairs.others]
    graph = sparse.coo_array((weight, (first, pairs.others)), shape=(count, count))
    labels, sizes = np.arange(count), np.ones(count, dtype=np.int64)
    most = _SIZES[count > _MANY]
    while True:
        graph = sparse.triu(sparse.csr_array(graph), 1).tocoo()
        a, b = graph.coords
        fits = (sizes[a] + sizes[b] <= most) & (graph.data > 0)
        a, b, weight = a[fits].astype(np.int64), b[fits].astype(np.int64), graph.data[fits]
        order = np.argsort(-weight / np.sqrt(sizes[a] * sizes[b]), kind="stable")
        partner = matched(a[order], b[order], sizes, most)
        if np.all(partner < 0):
            return labels
        parents = np.arange(len(sizes))
        lower = np.where(partner < 0, parents, np.minimum(partner, parents))
        merged = np.unique(lower, return_inverse=True)[1]
        labels, sizes = merged[labels], np.bincount(merged, weights=sizes).astype(np.int64)
        ends = np.sort([merged[a], merged[b]], axis=0)
        graph = sparse.coo_array((weight, tuple(ends)), shape=(len(sizes),) * 2)


class Semidefinite:
    """Matrices Z, one per block, that stay positive semidefinite as they take steps.

    Steps are taken with sqrt(m m') Z, where m and m' rows equal the two distinct rows.
    """

    def __init__(self, distinct: DistinctRows, labels: Array) -> None:
        self.distinct, self.blocks = distinct, blocks_of(labels)
        sizes, rows = np.diff(self.blocks.starts), np.sqrt(distinct.multiplicities)
        self._same = []  # blocks of one size, where their members and matrices stand
        for size in np.unique(sizes[sizes > 1]):
            where = np.flatnonzero(sizes == size)
            members = self.blocks.members[self.blocks.starts[where][:, None] + np.arange(size)]
            matrices = self.blocks.z_row[members[:, :1]] + np.arange(size**2)
            self._same.append((members, matrices))
        self._scale = np.ones(len(self.blocks.z))
        for members, matrices in self._same:
            outer = rows[members][:, :, None] * rows[members][:, None, :]
            self._scale[matrices] = outer.reshape(matrices.shape)
        self._before = self.blocks.z

    def step(self, pairs: Pairs, duals: Array, width: float, rate: float) -> None:
        """Move against the slope of the bound, and project; blocks of one row stay 0."""
        slope = pairs_in_blocks(self.distinct, self.blocks, pairs, duals, width)
        now = self.blocks.z * self._scale
        moved = now + _INERTIA * (now - self._before) - rate * slope
        after = np.zeros(len(now))

        def project(where: Array) -> None:
            size = round(where.shape[1] ** 0.5)
            values, vectors = np.linalg.eigh(moved[where].reshape(-1, size, size))
            vectors *= np.sqrt(np.maximum(values, 0))[:, None, :]
            after[where] = (vectors @ vectors.transpose(0, 2, 1)).reshape(where.shape)

        batches = [
            matrices[start : start + _BATCH]
            for _, matrices in self._same
            for start in range(0, len(matrices), _BATCH)
        ]
        in_threads(project, batches, label="matrices")
        self.blocks, self._before = self.blocks._replace(z=after / self._scale), now

    def trace(self) -> float:
        """Trace of Z over all rows."""
        diagonal = self.blocks.z_row + self.blocks.place
        return float(self.blocks.z[diagonal] @ self.distinct.multiplicities)

    def factors(self) -> Array:
        """L with Z = L L' inside each block, shape (distinct rows, largest rank)."""
        result, rank = np.zeros((len(self.distinct.degrees), _SIZES[0])), 0
        for members, matrices in self._same:
            size = members.shape[1]
            values, vectors = np.linalg.eigh(self.blocks.z[matrices].reshape(-1, size, size))
            values, vectors = values[:, ::-1], vectors[:, :, ::-1]  # the largest first
            result[members, :size] = vectors * np.sqrt(np.maximum(values, 0))[:, None, :]
            rank = max(rank, int((values > _NOTHING * values[:, :1]).sum(axis=1).max()))
        return result[:, :rank]
