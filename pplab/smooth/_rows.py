"""Binary rows laid out for searches: equal rows once, rare items first, who has which item."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import sparse

from pplab._compiled import common_at_the_end, in_threads, mixed, njit
from pplab.checks import check_integer, check_ones
from pplab.graphs import GraphLike, as_matrix


class Kinds(NamedTuple):
    """The kinds of rows of a table, numbered by degree and then by their first row.

    Items are numbered by how many rows have them, rare ones first (ties: by column).

    Attributes
    ----------
    starts, items : int64 (kinds + 1,) and int32 arrays
        Items of each kind, ascending.
    degrees : int64 array, shape (kinds,)
    from_degree : int64 array, shape (largest degree + 2,)
        First kind with this degree or a higher one.
    member_starts, members : int64 (kinds + 1,) and (rows,)
        Rows of each kind, ascending.
    kind_of : int64 array, shape (rows,)
    item_starts, item_kinds : int64 (items + 1,) and int32 arrays
        Kinds that have an item, ascending, thus by degree.
    """

    starts: np.ndarray
    items: np.ndarray
    degrees: np.ndarray
    from_degree: np.ndarray
    member_starts: np.ndarray
    members: np.ndarray
    kind_of: np.ndarray
    item_starts: np.ndarray
    item_kinds: np.ndarray


def kinds_of_rows(table: sparse.csr_array) -> Kinds:
    """Lay out a CSR array with sorted rows; memory grows with its entries.

    Examples
    --------
    >>> kinds = kinds_of_rows(sparse.csr_array([[1, 1, 0], [0, 1, 0], [1, 1, 0]]))
    >>> kinds.kind_of, kinds.degrees
    (array([1, 0, 1]), array([1, 2]))
    """
    counts = np.bincount(table.indices, minlength=table.shape[1])
    rank = np.empty(len(counts), dtype=np.int32)
    rank[np.argsort(counts, kind="stable")] = np.arange(len(counts), dtype=np.int32)
    indptr = table.indptr.astype(np.int64)
    items = rank[table.indices]
    signs = _sort_and_sign(indptr, items)
    order = np.argsort(signs, kind="stable")
    first, kind_of = _same_rows(indptr, items, signs, order)
    degrees = np.diff(indptr)[first]
    by_degree = np.lexsort((first, degrees))
    number = np.empty(len(first), dtype=np.int64)
    number[by_degree] = np.arange(len(first))
    kind_of, first, degrees = number[kind_of], first[by_degree], degrees[by_degree]
    starts = np.concatenate([[0], np.cumsum(degrees)])
    gathered = _gather(indptr, items, first, starts)
    return Kinds(
        starts,
        gathered,
        degrees,
        np.searchsorted(degrees, np.arange(degrees[-1] + 2)),
        *_bucketed(kind_of, len(first)),
        kind_of,
        *_inverted(starts, gathered, len(counts)),
    )


def _bucketed(values: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    starts = np.concatenate([[0], np.cumsum(np.bincount(values, minlength=count))])
    return starts, np.argsort(values, kind="stable")


@njit()
def _sort_and_sign(indptr: np.ndarray, items: np.ndarray) -> np.ndarray:
    """Sort each row in place; equal rows get equal signs, and others hardly ever do."""
    signs = np.zeros(len(indptr) - 1, dtype=np.uint64)
    for row in range(len(signs)):
        part = items[indptr[row] : indptr[row + 1]]
        part.sort()
        for item in part:
            sign = (np.uint64(item) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
            signs[row] += mixed(sign)
    return signs


@njit()
def _same_rows(
    indptr: np.ndarray, items: np.ndarray, signs: np.ndarray, order: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """First row of each kind, and the kind of each row; rows are compared item by item.

    Should two unequal rows have one sign, a kind may be listed twice, which costs time only.
    """
    kind_of = np.empty(len(order), dtype=np.int64)
    first = np.empty(len(order), dtype=np.int64)
    kinds = 0
    for place in range(len(order)):
        row = order[place]
        same = kinds > 0 and signs[first[kinds - 1]] == signs[row]
        if same:
            ours = items[indptr[row] : indptr[row + 1]]
            other = first[kinds - 1]
            same = np.array_equal(ours, items[indptr[other] : indptr[other + 1]])
        if not same:
            first[kinds] = row
            kinds += 1
        kind_of[row] = kinds - 1
    return first[:kinds].copy(), kind_of


@njit()
def _gather(
    indptr: np.ndarray, items: np.ndarray, rows: np.ndarray, starts: np.ndarray
) -> np.ndarray:
    gathered = np.empty(starts[-1], dtype=np.int32)
    for kind in range(len(rows)):
        row = rows[kind]
        gathered[starts[kind] : starts[kind + 1]] = items[indptr[row] : indptr[row + 1]]
    return gathered


@njit()
def _inverted(starts: np.ndarray, items: np.ndarray, columns: int) -> tuple[np.ndarray, np.ndarray]:
    ends = np.zeros(columns + 1, dtype=np.int64)
    for item in items:
        ends[item + 1] += 1
    item_starts = np.cumsum(ends)
    filled = item_starts[:-1].copy()
    kinds = np.empty(len(items), dtype=np.int32)
    for kind in range(len(starts) - 1):
        for place in range(starts[kind], starts[kind + 1]):
            kinds[filled[items[place]]] = kind
            filled[items[place]] += 1
    return item_starts, kinds


# The nearest rows of one kind of row: through the rarest items, and no further than it takes.


_LONG = 64  # lists of holders that are shorter are read without asking first whether it pays


class _Room(NamedTuple):
    """Scratch of one thread; `shared` and `counts` are zero between searches."""

    shared: np.ndarray  # items that a kind is known to share with the one in question
    touched: np.ndarray  # kinds with shared > 0
    limits: np.ndarray  # highest degree that was read, per item
    counts: np.ndarray  # rows at each distance


@njit(nogil=True)
def nearest_of_kinds(kinds: Kinds, first: int, last: int, keys: np.ndarray) -> None:
    """Fill keys[kind] for the kinds from first to last with those of its nearest rows.

    The key of a row is distance * rows + row. The rows of the kind itself are among them, at
    distance 0; keys ascend. There must be as many rows as keys are wanted.
    """
    highest = kinds.degrees[-1]
    room = _Room(
        np.zeros(len(kinds.degrees), dtype=np.int32),
        np.empty(len(kinds.degrees), dtype=np.int32),
        np.empty(highest + 1, dtype=np.int64),
        np.zeros(2 * highest + 2, dtype=np.int64),
    )
    wanted = keys.shape[1]
    lightest = np.searchsorted(kinds.member_starts, wanted, side="left") - 1
    for kind in range(first, last):
        keys[kind, :] = np.iinfo(np.int64).max
        bound = kinds.degrees[kind] + kinds.degrees[lightest]  # so near are the lightest rows
        if kinds.member_starts[kind + 1] - kinds.member_starts[kind] >= wanted:
            bound = 0
        touched, read, bound = _read(kinds, kind, bound, wanted, room)
        bound = _tightened(kinds, kind, bound, wanted, touched, read, room)
        _push(keys[kind], kinds, kind, 0)
        _push_sharing(keys[kind], kinds, kind, bound, touched, read, room)
        _push_strangers(keys[kind], kinds, kind, bound, room)
        for other in room.touched[:touched]:
            room.shared[other] = 0
        keys[kind].sort()


@njit(nogil=True)
def _read(kinds: Kinds, kind: int, bound: int, wanted: int, room: _Room) -> tuple[int, int, int]:
    """Read the holders of the kind's items, rare ones first, as far as they may be near enough.

    A kind of degree e that shares none of the first p items is at least
    d + e - 2 min(e, d - p) away. So of the holders of item p only degrees from d - bound to
    bound + d - 2p matter, and none once p > bound.

    Returns
    -------
    touched : int
    read : int
        Number of items read.
    bound : int
        So many rows as wanted are at most this far.
    """
    degree, start = kinds.degrees[kind], kinds.starts[kind]
    most, ahead = len(kinds.from_degree) - 2, 0
    for item in kinds.items[start : start + degree]:
        ahead += kinds.item_starts[item + 1] - kinds.item_starts[item]
    if ahead > _LONG * wanted * degree:
        bound = _bound_from_neighbours(kinds, kind, bound, wanted, room)
    touched, spent, due = 0, 0, _LONG
    for p in range(degree):
        item = kinds.items[start + p]
        a, b = kinds.item_starts[item], kinds.item_starts[item + 1]
        if spent + b - a > due and touched > 0 and ahead > touched + wanted * degree:
            bound = _tightened(kinds, kind, bound, wanted, touched, p, room)
            due = 2 * spent + _LONG
        if p > bound:
            return touched, p, bound
        room.limits[p] = bound + degree - 2 * p
        end = kinds.from_degree[min(bound + degree - 2 * p, most) + 1]
        if degree > bound and b - a > _LONG:
            a += np.searchsorted(kinds.item_kinds[a:b], kinds.from_degree[degree - bound])
        ahead -= b - a
        spent += b - a
        for place in range(a, b):
            other = kinds.item_kinds[place]
            if other >= end:
                break
            if room.shared[other] == 0:
                room.touched[touched] = other
                touched += 1
            room.shared[other] += 1
    return touched, degree, bound


@njit(nogil=True)
def _tightened(
    kinds: Kinds, kind: int, bound: int, wanted: int, touched: int, read: int, room: _Room
) -> int:
    """Least distance within which kinds already met surely have as many rows as wanted.

    First from what is known to be shared; then the best of them, measured in full.
    """
    degree, farthest = kinds.degrees[kind], 0
    for other in room.touched[:touched]:
        most = degree + kinds.degrees[other] - 2 * room.shared[other]
        if other != kind:
            farthest = max(farthest, most)
            room.counts[most] += kinds.member_starts[other + 1] - kinds.member_starts[other]
    own = kinds.member_starts[kind + 1] - kinds.member_starts[kind]
    found, rows = _where_reached(room.counts, farthest, own, wanted), own
    for other in room.touched[:touched]:
        most = degree + kinds.degrees[other] - 2 * room.shared[other]
        if other != kind and most <= found:
            distance = _distance(kinds, kind, other, read, room)
            size = kinds.member_starts[other + 1] - kinds.member_starts[other]
            room.counts[distance] += size
            rows += size
            if rows >= 2 * wanted:
                break
    return min(bound, _where_reached(room.counts, farthest, own, wanted))


@njit(nogil=True)
def _bound_from_neighbours(kinds: Kinds, kind: int, bound: int, wanted: int, room: _Room) -> int:
    """The same from kinds of like degree that stand close by in the table."""
    ours, farthest = kinds.items[kinds.starts[kind] : kinds.starts[kind + 1]], 0
    for other in range(max(kind - wanted, 0), min(kind + wanted + 1, len(kinds.degrees))):
        theirs = kinds.items[kinds.starts[other] : kinds.starts[other + 1]]
        distance = len(ours) + len(theirs) - 2 * common_at_the_end(ours, theirs)
        room.counts[distance] += kinds.member_starts[other + 1] - kinds.member_starts[other]
        farthest = max(farthest, distance)
    return min(bound, _where_reached(room.counts, farthest, 0, wanted))


@njit(nogil=True)
def _where_reached(counts: np.ndarray, farthest: int, total: int, wanted: int) -> int:
    """Distance at which a total reaches what is wanted, or the last; counts are zero afterwards."""
    found = 0 if total >= wanted else len(counts) - 1
    for distance in range(farthest + 1):
        if total < wanted <= total + counts[distance]:
            found = distance
        total += counts[distance]
        counts[distance] = 0
    return found


@njit(nogil=True)
def _distance(kinds: Kinds, kind: int, other: int, read: int, room: _Room) -> int:
    """Distance of a kind met while reading so many items; what was not counted is counted now."""
    size, shared = kinds.degrees[other], room.shared[other]
    counted = _counted(size, read, room)
    if counted < kinds.degrees[kind]:
        ours = kinds.items[kinds.starts[kind] + counted : kinds.starts[kind + 1]]
        theirs = kinds.items[kinds.starts[other] : kinds.starts[other + 1]]
        shared += common_at_the_end(ours, theirs)
    return kinds.degrees[kind] + size - 2 * shared


@njit(nogil=True)
def _counted(degree: int, read: int, room: _Room) -> int:
    """Of how many items, from the first, kinds of this degree were read."""
    while read > 0 and room.limits[read - 1] < degree:
        read -= 1
    return read


@njit(nogil=True)
def _push_sharing(
    keys: np.ndarray, kinds: Kinds, kind: int, bound: int, touched: int, read: int, room: _Room
) -> None:
    """Push the rows that share an item, counting first what was not read."""
    degree = kinds.degrees[kind]
    for other in room.touched[:touched]:
        size = kinds.degrees[other]
        sharable = room.shared[other] + degree - _counted(size, read, room)
        best = degree + size - 2 * min(size, sharable)
        if other == kind or best > bound or best > keys[0] // len(kinds.kind_of):
            continue
        distance = _distance(kinds, kind, other, read, room)
        if distance <= bound:
            _push(keys, kinds, other, distance)


@njit(nogil=True)
def _push_strangers(keys: np.ndarray, kinds: Kinds, kind: int, bound: int, room: _Room) -> None:
    """Push rows that share nothing, lightest first; one that was not read is farther than bound."""
    for other in range(len(kinds.degrees)):
        distance = kinds.degrees[kind] + kinds.degrees[other]
        first = kinds.members[kinds.member_starts[other]]
        if distance > bound or distance * len(kinds.kind_of) + first > keys[0]:
            break
        if other != kind and room.shared[other] == 0:
            _push(keys, kinds, other, distance)


@njit(nogil=True)
def _push(keys: np.ndarray, kinds: Kinds, other: int, distance: int) -> None:
    """Offer a kind's rows to a heap whose root is the farthest row."""
    for place in range(kinds.member_starts[other], kinds.member_starts[other + 1]):
        key = distance * len(kinds.kind_of) + kinds.members[place]
        if key >= keys[0]:
            break
        hole = 0
        while 2 * hole + 1 < len(keys):
            child = 2 * hole + 1
            if child + 1 < len(keys) and keys[child + 1] > keys[child]:
                child += 1
            if keys[child] <= key:
                break
            keys[hole] = keys[child]
            hole = child
        keys[hole] = key


# The k nearest rows of every row of a sparse binary table, exactly.


_BLOCK = 4096  # kinds per job


class NearestRows(NamedTuple):
    """Neighbours of each row, nearest first.

    Attributes
    ----------
    distances : int64 array, shape (rows, k)
        Numbers of items in which the two rows differ.
    rows : int64 array, shape (rows, k)
        Row numbers.
    """

    distances: np.ndarray
    rows: np.ndarray


def nearest_rows(biadjacency: GraphLike, k: int) -> NearestRows:
    """Find the k nearest other rows of each row by Hamming distance.

    Rows are compared only where they share an item. Rows that share none with a row of degree d
    are at distance d + d', so the lightest of them are the nearest.

    Parameters
    ----------
    biadjacency : csr_array of ones, shape (rows, items), or other graph
    k : int
        From 1 to rows - 1.

    Returns
    -------
    NearestRows
        Of rows equally far, those with the lowest row numbers, in that order. The row itself is
        never among its neighbours; a copy of it is, at distance 0.

    Raises
    ------
    TypeError, ValueError
        If k leaves its interval, or the table is empty or stores anything but ones.

    Notes
    -----
    The same with any number of threads. Time grows with the sum over items of the square of the
    number of different rows that have it, as far as these may be near enough.

    References
    ----------
    Bayardo, Ma and Srikant 2007, Scaling up all pairs similarity search,
    doi 10.1145/1242572.1242591, for reading rare items first and stopping early.

    Examples
    --------
    >>> found = nearest_rows([[1, 1, 0, 0], [1, 1, 1, 0], [0, 0, 0, 1]], 1)
    >>> found.distances.ravel(), found.rows.ravel()
    (array([1, 1, 3]), array([1, 0, 0]))
    """
    table = as_matrix(biadjacency, name="biadjacency")
    check_ones("biadjacency", table)
    k = check_integer("k", k, minimum=1, maximum=table.shape[0] - 1)
    kinds = kinds_of_rows(table)
    rows = len(kinds.kind_of)
    keys = nearest_keys(kinds, k + 1)[kinds.kind_of]
    own = keys == np.arange(rows)[:, None]
    own[~own.any(axis=1), -1] = True  # more than k copies with lower numbers
    others = keys[~own].reshape(rows, k)
    return NearestRows(*np.divmod(others, rows))


def nearest_keys(kinds: Kinds, wanted: int) -> np.ndarray:
    """Keys distance * rows + row of the nearest rows of each kind, its own rows among them.

    Returns
    -------
    int64 array, shape (kinds, wanted), each row ascending
    """
    count = len(kinds.degrees)
    keys = np.empty((count, wanted), dtype=np.int64)

    def fill(first: int) -> None:
        nearest_of_kinds(kinds, first, min(first + _BLOCK, count), keys)

    in_threads(fill, range(0, count, _BLOCK), label="nearest rows")
    return keys
