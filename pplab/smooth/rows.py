"""Binary rows laid out for searches: equal rows once, rare items first, who has which item."""

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from pplab.checks import check_integer
from pplab.compiled import GOLDEN, common_at_the_end, first_from, in_ranges, inner, mixed, njit
from pplab.graphs import Array, GraphLike, as_ones


class DistinctRows(NamedTuple):
    """The distinct rows of a table, numbered by degree and then by their first row.

    The number of a distinct row is called its pattern; its multiplicity is the number of its
    `members`, the rows of the table that equal it. Items are numbered by how many rows have them,
    rare ones first (ties: by column).

    Attributes
    ----------
    starts, items : int64 (patterns + 1,) and int32 arrays
        Items of each distinct row, ascending.
    degrees : int64 array, shape (patterns,)
    from_degree : int64 array, shape (largest degree + 2,)
        First distinct row with this degree or a higher one.
    multiplicities : int64 array, shape (patterns,)
    member_starts, members : int64 (patterns + 1,) and (rows,)
        Rows of each distinct row, ascending.
    pattern_of : int64 array, shape (rows,)
        Number of the distinct row that each row equals.
    item_starts, item_patterns : int64 (items + 1,) and int32 arrays
        Distinct rows that have an item, ascending, thus by degree.
    """

    starts: Array
    items: Array
    degrees: Array
    from_degree: Array
    multiplicities: Array
    member_starts: Array
    members: Array
    pattern_of: Array
    item_starts: Array
    item_patterns: Array


def distinct_rows(table: sparse.csr_array) -> DistinctRows:
    """Lay out a CSR array with sorted rows; memory grows with its entries.

    Examples
    --------
    >>> distinct = distinct_rows(sparse.csr_array([[1, 1, 0], [0, 1, 0], [1, 1, 0]]))
    >>> distinct.pattern_of, distinct.degrees
    (array([1, 0, 1]), array([1, 2]))
    """
    counts = np.bincount(table.indices, minlength=table.shape[1])
    rank = np.argsort(np.argsort(counts, kind="stable")).astype(np.int32)
    ones = np.ones(table.nnz, dtype=np.int8)
    ranked = sparse.csr_array((ones, rank[table.indices], table.indptr), shape=table.shape)
    ranked.sort_indices()
    signs = _signs(ranked)
    order = np.argsort(signs, kind="stable")
    items = ranked.indices.astype(np.int32, copy=False)
    first, pattern_of = _same_rows(ranked.indptr.astype(np.int64), items, signs, order)
    degrees = np.diff(ranked.indptr).astype(np.int64)[first]
    by_degree = np.lexsort((first, degrees))
    pattern_of = np.argsort(by_degree)[pattern_of]
    first, degrees = first[by_degree], degrees[by_degree]
    distinct = sparse.csr_array(ranked[first])
    by_item = distinct.tocsc()
    return DistinctRows(
        distinct.indptr.astype(np.int64),
        distinct.indices.astype(np.int32, copy=False),
        degrees,
        np.searchsorted(degrees, np.arange(degrees[-1] + 2)),
        *_bucket_sort(pattern_of, len(first)),
        pattern_of,
        by_item.indptr.astype(np.int64),
        by_item.indices.astype(np.int32, copy=False),
    )


def _bucket_sort(values: Array, count: int) -> tuple[Array, Array, Array]:
    sizes = np.bincount(values, minlength=count)
    return sizes, np.concatenate([[0], np.cumsum(sizes)]), np.argsort(values, kind="stable")


def _signs(table: sparse.csr_array) -> Array:
    """A sign for each row: equal rows have equal ones, and others hardly ever do."""
    words = mixed((table.indices.astype(np.uint64) + np.uint64(1)) * GOLDEN)
    sums = np.append(np.uint64(0), np.cumsum(words))  # modulo 2^64
    return sums[table.indptr[1:]] - sums[table.indptr[:-1]]


@njit()
def _same_rows(indptr: Array, items: Array, signs: Array, order: Array) -> tuple[Array, Array]:
    """First row of each pattern, and the pattern of each row; rows are compared item by item.

    Should two unequal rows have one sign, a distinct row may be listed twice, which costs time
    only.
    """
    pattern_of = np.empty(len(order), dtype=np.int64)
    first = np.empty(len(order), dtype=np.int64)
    count = 0
    for place in range(len(order)):
        row = order[place]
        same = count > 0 and signs[first[count - 1]] == signs[row]
        if same:
            ours, other = items[indptr[row] : indptr[row + 1]], first[count - 1]
            other_items = items[indptr[other] : indptr[other + 1]]
            same = len(other_items) == len(ours) == common_at_the_end(ours, other_items)
        if not same:
            first[count] = row
            count += 1
        pattern_of[row] = count - 1
    return first[:count].copy(), pattern_of


# The rows nearest to a pattern: through the rarest items, and no further than it takes.


_LONG = 64  # lists of holders that are shorter are read without asking first whether it pays


class _Search(NamedTuple):
    """A search for the rows nearest to a pattern; `shared` and `counts` are zero in between."""

    distinct: DistinctRows
    pattern: int
    keys: Array  # distance * rows + row of the nearest so far: a heap whose root is the farthest
    shared: Array  # items that a distinct row is known to share with the one in question
    touched: Array  # distinct rows with shared > 0
    limits: Array  # highest degree that was read, per item
    counts: Array  # rows at each distance


@njit(nogil=True)
def _nearest_of_patterns(distinct: DistinctRows, keys: Array, first: int, last: int) -> None:
    """Fill keys[pattern] for the patterns from first to last with those of their nearest rows.

    The key of a row is distance * rows + row. The rows of the pattern itself are among them,
    at distance 0; keys ascend. There must be as many rows as keys are wanted.
    """
    highest = distinct.degrees[-1]
    shared = np.zeros(len(distinct.degrees), dtype=np.int32)
    touched = np.empty(len(distinct.degrees), dtype=np.int32)
    limits = np.empty(highest + 1, dtype=np.int64)
    counts = np.zeros(2 * highest + 2, dtype=np.int64)
    number = keys.shape[1]
    lightest = first_from(distinct.member_starts, number) - 1
    for pattern in range(first, last):
        search = _Search(distinct, pattern, keys[pattern], shared, touched, limits, counts)
        search.keys[:] = np.iinfo(np.int64).max
        # so near are the lightest rows
        bound = distinct.degrees[pattern] + distinct.degrees[lightest]
        if distinct.multiplicities[pattern] >= number:
            bound = 0
        met, read, bound = _read(search, bound)
        bound = _tighten(search, bound, met, read)
        _push(search, np.int64(pattern), np.int64(0))
        _push_sharing(search, bound, met, read)
        _push_strangers(search, bound)
        for other in touched[:met]:
            shared[other] = 0


@inner
def _read(search: _Search, bound: int) -> tuple[Any, Any, int]:
    """Read the holders of the pattern's items, rare ones first, as far as they may be near enough.

    A distinct row of degree e that shares none of the first p items is at least
    d + e - 2 min(e, d - p) away. So of the holders of item p only degrees from d - bound to
    bound + d - 2p matter, and none once p > bound.

    Returns
    -------
    met : int
        Distinct rows touched.
    read : int
        Number of items read.
    bound : int
        So many rows as wanted are at most this far.
    """
    distinct, number = search.distinct, len(search.keys)
    degree, start = distinct.degrees[search.pattern], distinct.starts[search.pattern]
    most, ahead = len(distinct.from_degree) - 2, 0
    for item in distinct.items[start : start + degree]:
        ahead += distinct.item_starts[item + 1] - distinct.item_starts[item]
    if ahead > _LONG * number * degree:
        bound = _bound_from_neighbours(search, bound)
    met, spent, due = np.int64(0), 0, _LONG
    for p in range(degree):
        item = distinct.items[start + p]
        a, b = distinct.item_starts[item], distinct.item_starts[item + 1]
        if spent + b - a > due and met > 0 and ahead > met + number * degree:
            bound = _tighten(search, bound, met, p)
            due = 2 * spent + _LONG
        if p > bound:
            return met, p, bound
        search.limits[p] = bound + degree - 2 * p
        end = distinct.from_degree[min(bound + degree - 2 * p, most) + 1]
        if degree > bound and b - a > _LONG:
            a += first_from(distinct.item_patterns[a:b], distinct.from_degree[degree - bound])
        ahead -= b - a
        spent += b - a
        for place in range(a, b):
            other = distinct.item_patterns[place]
            if other >= end:
                break
            if search.shared[other] == 0:
                search.touched[met] = other
                met += 1
            search.shared[other] += 1
    return met, degree, bound


@inner
def _tighten(search: _Search, bound: int, met: int, read: int) -> int:
    """Least distance within which distinct rows already met surely have as many rows as wanted.

    First from what is known to be shared; then the best of them, measured in full.
    """
    distinct, pattern, number = search.distinct, search.pattern, len(search.keys)
    degree, farthest = distinct.degrees[pattern], np.int64(0)
    for other in search.touched[:met]:
        most = degree + distinct.degrees[other] - 2 * search.shared[other]
        if other != pattern:
            farthest = max(farthest, most)
            search.counts[most] += distinct.multiplicities[other]
    multiplicity = distinct.multiplicities[pattern]
    result, rows = _distance_reaching(search.counts, farthest, multiplicity, number), multiplicity
    for other in search.touched[:met]:
        most = degree + distinct.degrees[other] - 2 * search.shared[other]
        if other != pattern and most <= result:
            search.counts[_distance(search, other, read)] += distinct.multiplicities[other]
            rows += distinct.multiplicities[other]
            if rows >= 2 * number:
                break
    return min(bound, _distance_reaching(search.counts, farthest, multiplicity, number))


@inner
def _bound_from_neighbours(search: _Search, bound: int) -> int:
    """The same from distinct rows of like degree that stand close by in the table."""
    distinct, pattern, number = search.distinct, search.pattern, len(search.keys)
    ours, farthest = (
        distinct.items[distinct.starts[pattern] : distinct.starts[pattern + 1]],
        np.int64(0),
    )
    for other in range(max(pattern - number, 0), min(pattern + number + 1, len(distinct.degrees))):
        other_items = distinct.items[distinct.starts[other] : distinct.starts[other + 1]]
        distance = len(ours) + len(other_items) - 2 * common_at_the_end(ours, other_items)
        search.counts[distance] += distinct.multiplicities[other]
        farthest = max(farthest, distance)
    return min(bound, _distance_reaching(search.counts, farthest, np.int64(0), number))


@inner
def _distance_reaching(counts: Array, farthest: int, total: int, number: int) -> int:
    """Distance at which a total reaches what is wanted, or the last; counts are zero afterwards."""
    result = 0 if total >= number else len(counts) - 1
    for distance in range(farthest + 1):
        if total < number <= total + counts[distance]:
            result = distance
        total += counts[distance]
        counts[distance] = 0
    return result


@inner
def _distance(search: _Search, other: int, read: int) -> int:
    """Distance of a pattern met while reading so many items; the rest is counted now."""
    distinct, pattern = search.distinct, search.pattern
    size, shared = distinct.degrees[other], search.shared[other]
    counted = _count_read(search, size, read)
    if counted < distinct.degrees[pattern]:
        ours = distinct.items[distinct.starts[pattern] + counted : distinct.starts[pattern + 1]]
        other_items = distinct.items[distinct.starts[other] : distinct.starts[other + 1]]
        shared += common_at_the_end(ours, other_items)
    return distinct.degrees[pattern] + size - 2 * shared


@inner
def _count_read(search: _Search, degree: int, read: int) -> int:
    """Number of items, from the first, that were read for patterns of this degree."""
    while read > 0 and search.limits[read - 1] < degree:
        read -= 1
    return read


@inner
def _push_sharing(search: _Search, bound: int, met: int, read: int) -> None:
    """Push the rows that share an item, counting first what was not read."""
    distinct, pattern, keys = search.distinct, search.pattern, search.keys
    degree = distinct.degrees[pattern]
    for other in search.touched[:met]:
        size = distinct.degrees[other]
        sharable = search.shared[other] + degree - _count_read(search, size, read)
        best = degree + size - 2 * min(size, sharable)
        if other == pattern or best > bound or best > keys[0] // len(distinct.pattern_of):
            continue
        distance = _distance(search, other, read)
        if distance <= bound:
            _push(search, np.int64(other), distance)


@inner
def _push_strangers(search: _Search, bound: int) -> None:
    """Push rows that share nothing, lightest first; one that was not read is farther than bound."""
    distinct, pattern = search.distinct, search.pattern
    for other in range(len(distinct.degrees)):
        distance = distinct.degrees[pattern] + distinct.degrees[other]
        first = distinct.members[distinct.member_starts[other]]
        if distance > bound or distance * len(distinct.pattern_of) + first > search.keys[0]:
            break
        if other != pattern and search.shared[other] == 0:
            _push(search, other, distance)


@inner
def _push(search: _Search, other: int, distance: int) -> None:
    """Offer the rows of a pattern to the heap."""
    distinct, keys = search.distinct, search.keys
    for place in range(distinct.member_starts[other], distinct.member_starts[other + 1]):
        key = distance * len(distinct.pattern_of) + distinct.members[place]
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


_BLOCK = 4096  # distinct rows per job


class NearestRows(NamedTuple):
    """Neighbours of each row, nearest first.

    Attributes
    ----------
    distances : int64 array, shape (rows, k)
        Numbers of items in which the two rows differ.
    rows : int64 array, shape (rows, k)
        Row numbers.
    """

    distances: Array
    rows: Array


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
    >>> result = nearest_rows([[1, 1, 0, 0], [1, 1, 1, 0], [0, 0, 0, 1]], 1)
    >>> result.distances.ravel(), result.rows.ravel()
    (array([1, 1, 3]), array([1, 0, 0]))
    """
    table = as_ones(biadjacency)
    k = check_integer("k", k, minimum=1, maximum=table.shape[0] - 1)
    distinct = distinct_rows(table)
    rows = len(distinct.pattern_of)
    keys = nearest_keys(distinct, k + 1)[distinct.pattern_of]
    same_row = keys == np.arange(rows)[:, None]
    same_row[~same_row.any(axis=1), -1] = True  # more than k copies with lower numbers
    return NearestRows(*np.divmod(keys[~same_row].reshape(rows, k), rows))


def nearest_keys(distinct: DistinctRows, number: int) -> Array:
    """Keys distance * rows + row of the nearest rows of each pattern, its own rows among them.

    Returns
    -------
    int64 array, shape (patterns, wanted), each row ascending
    """
    count = len(distinct.degrees)
    keys = np.empty((count, number), dtype=np.int64)
    in_ranges(_nearest_of_patterns, count, _BLOCK, distinct, keys, label="nearest rows")
    keys.sort(axis=1)
    return keys
