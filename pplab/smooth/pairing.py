"""Pairs at k = 2: a grouping in, one that is as good or better out, by exact matching."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from types import ModuleType
from typing import NamedTuple

import numpy as np
from scipy import sparse
from tqdm.auto import tqdm

from pplab._compiled import njit
from pplab.checks import check_installed
from pplab.smooth._rows import Array, DistinctRows, distinct_rows, nearest_keys
from pplab.smooth.groups import publish_votes

# Cheapest pairs among rows of a small table, by sparse blossom.


NOBODY = -1  # partner of a row that leaves for a group of equal rows
_HEAVIEST = 2**24 - 1  # weights that PyMatching takes; whole numbers up to this stay exact


def matching_library() -> ModuleType:
    """PyMatching, which the extra "fast" brings."""
    return check_installed("PyMatching", module="pymatching", extra="fast")


def cheapest_pairs(
    table: sparse.csr_array,
    known: Array,
    leaving: Array | None,
    *,
    unit: int,
    nearest: int,
    rng: np.random.Generator,
) -> Array:
    """Pair the rows of a table at the least sum of distances, or let some of them leave.

    Parameters
    ----------
    table : csr_array of ones, shape (rows, items)
    known : int64 array, shape (pairs, 2)
        Pairs that are possible whether or not they are near.
    leaving : int64 array, shape (rows,), or None
        What it costs if a row stays without partner; None if every row must have one, and then
        the number of rows is even.
    unit : int
        Cost of each item in which the rows of a pair differ.
    nearest : int
        So many nearest rows of each row are possible partners.
    rng : Generator
        Decides between solutions that cost the same.

    Returns
    -------
    int64 array, shape (rows,)
        Partner of each row, or `NOBODY`.

    Notes
    -----
    A solution costs no more than any other that takes pairs from the lists of nearest rows, from
    `known`, or through the empty row (rows u and v at |u| + |v|, which is no less than their
    distance). With nearest >= rows - 1 it is thus the best there is. The library finds a least
    set of edges in which every row has an odd number of ends. Such a set falls apart into paths
    between rows, and by the triangle inequality the two ends of a path may be paired directly.

    References
    ----------
    Higgott and Gidney 2025, Sparse Blossom: correcting a million errors per core second with
    minimum-weight matching, doi 10.22331/q-2025-01-20-1600.
    """
    rows = table.shape[0]
    left, right, distances = _edges(table, known, nearest)
    empty, degrees = np.full(rows, rows), np.diff(table.indptr)
    left, right = np.concatenate([left, np.arange(rows)]), np.concatenate([right, empty])
    costs = unit * np.concatenate([distances, degrees]).astype(np.int64)
    ends = np.column_stack([left, right]).ravel()
    starts = np.arange(0, len(ends) + 1, 2)
    if leaving is not None:
        costs = np.concatenate([costs, leaving])
        starts = np.concatenate([starts, len(ends) + 1 + np.arange(rows)])
        ends = np.concatenate([ends, np.arange(rows)])
    incidence = sparse.csc_matrix(
        (np.ones(len(ends), dtype=np.uint8), ends, starts), shape=(rows + 1, len(costs))
    )
    matching = matching_library().Matching()
    matching.load_from_check_matrix(
        incidence,
        weights=_untied(costs, rows, rng).astype(np.float64),
        faults_matrix=sparse.csc_matrix((1, len(costs)), dtype=np.uint8),
        use_virtual_boundary_node=True,
    )
    asked = np.ones(rows + 1, dtype=np.uint8)
    asked[rows] = 0
    partner = np.full(rows, NOBODY, dtype=np.int64)
    for one, other in matching.decode_to_matched_dets_array(asked):
        partner[one] = other
        if other != NOBODY:
            partner[other] = one
    return partner


def pair_distances(table: sparse.csr_array, left: Array, right: Array) -> Array:
    """Numbers of items in which rows left[i] and right[i] differ, int64."""
    degrees = np.diff(table.indptr).astype(np.int64)
    common = table[left].multiply(table[right]).sum(axis=1)
    return degrees[left] + degrees[right] - 2 * np.asarray(common, dtype=np.int64).ravel()


def _edges(table: sparse.csr_array, known: Array, nearest: int) -> tuple[Array, Array, Array]:
    """Possible pairs, each once, and their distances."""
    rows = table.shape[0]
    distinct = distinct_rows(table)
    keys = nearest_keys(distinct, min(nearest + 1, rows))[distinct.pattern_of]
    one, other = np.repeat(np.arange(rows), keys.shape[1]), (keys % rows).ravel()
    far = np.concatenate([(keys // rows).ravel(), pair_distances(table, known[:, 0], known[:, 1])])
    one, other = np.concatenate([one, known[:, 0]]), np.concatenate([other, known[:, 1]])
    low, high = np.minimum(one, other), np.maximum(one, other)
    _, first = np.unique(low * rows + high, return_index=True)
    first = first[low[first] != high[first]]
    return low[first], high[first], far[first]


def _untied(costs: Array, rows: int, rng: np.random.Generator) -> Array:
    """Scale the costs and add noise that cannot outweigh a difference of 1.

    A solution has at most `rows` edges and as many leaving rows. Fewer ties make fewer and
    smaller blossoms.
    """
    scale = _HEAVIEST // (int(costs.max(initial=0)) + 1)
    noise = scale // (2 * rows + 1)
    return costs * scale + rng.integers(0, noise, len(costs)) if noise > 1 else costs


# Rows like no other among groups of 2 and 3: what is left to pair once equal rows are together.


class ItemCosts(NamedTuple):
    """Costs of an item, whole numbers.

    Attributes
    ----------
    differs : int
        That one row of a pair has.
    lost, missing : int
        That only u has, or only the others, in a group of u and two equal rows. Both are at
        least `differs`.
    """

    differs: int
    lost: int
    missing: int


class Lone(NamedTuple):
    """Rows without an equal one.

    Attributes
    ----------
    rows : int64 array, shape (lone,)
    partner : int64 array, shape (lone,)
        Number of another lone row, or `NOBODY`: the row joins equal ones.
    near : int64 array, shape (lone, length)
        Lone rows, nearest first; `NOBODY` stands for rows that are not lone.
    host : int64 array, shape (lone,)
        Kind of the equal rows that it would join.
    leaving : int64 array, shape (lone,), or None
        What that costs; None where no two rows are equal.
    """

    rows: Array
    partner: Array
    near: Array
    host: Array
    leaving: Array | None


def _lone_rows(
    table: sparse.csr_array,
    labels: Array,
    distinct: DistinctRows,
    *,
    item_costs: ItemCosts,
    nearest: int,
) -> Lone:
    """Pair equal rows and carry over to the others what a grouping does with them.

    Parameters
    ----------
    table : csr_array of ones, shape (rows, items)
    labels : int64 array, shape (rows,)
        Groups of 2, or of 3 with two equal rows at least.
    distinct : DistinctRows
        Of the table.

    Notes
    -----
    Nothing gets worse. Read each pair of unequal rows as an edge between their patterns. A pattern
    of one row has one edge. Where edges meet in a pattern of more rows, they are joined two by two,
    and of an odd number one stays: what comes out are paths. A path from lone row to lone row
    becomes a pair, at no more than its edges cost together, by the triangle inequality; one that
    stays in a pattern becomes a row that joins it; others are dropped.
    The rows of a pattern then make pairs, and a group of 3 if their number is odd.
    """
    sizes = np.diff(distinct.member_starts)
    lone = np.flatnonzero(sizes == 1)
    number = np.full(len(sizes), NOBODY)
    number[lone] = np.arange(len(lone))
    ends = _half_edges(labels, distinct.pattern_of)
    reached = _paths(ends, _joined(ends, sizes), lone, len(sizes))
    rows = distinct.members[distinct.member_starts[lone]]
    one_each = sparse.csr_array(table[distinct.members[distinct.member_starts[:-1]]])
    other = distinct_rows(one_each)
    keys = nearest_keys(other, min(nearest + 1, len(sizes)))[other.pattern_of[lone]]
    far, near = np.divmod(keys, len(sizes))
    host, leaving = _hosts(distinct, lone, near, far, item_costs)
    near = np.where(near == lone[:, None], NOBODY, number[near])
    return Lone(rows, np.where(reached < 0, NOBODY, number[reached]), near, host, leaving)


def _regrouped(distinct: DistinctRows, lone: Lone, partner: Array) -> Array:
    """Groups of all rows when the lone ones have these partners; two with one host pair up."""
    labels = np.full(len(distinct.pattern_of), NOBODY)
    sizes = np.diff(distinct.member_starts)
    paired = np.flatnonzero(partner != NOBODY)
    labels[lone.rows[paired]] = lone.rows[np.minimum(paired, partner[paired])]
    joins = np.flatnonzero(partner == NOBODY)
    joins = joins[np.argsort(lone.host[joins], kind="stable")]
    guest = np.full(len(sizes), NOBODY)
    for row, host in zip(lone.rows[joins], lone.host[joins], strict=True):
        if guest[host] == NOBODY:
            guest[host] = row
        else:
            labels[[guest[host], row]] = row
            guest[host] = NOBODY
    for pattern in np.flatnonzero(sizes > 1):
        members = distinct.members[slice(*distinct.member_starts[pattern : pattern + 2])]
        if guest[pattern] != NOBODY:
            members = np.append(guest[pattern], members)  # a pair, or a group of 3 with both
        pairs = np.arange(len(members)) // 2
        labels[members] = members[2 * np.minimum(pairs, len(members) // 2 - 1)]
    return labels


def _half_edges(labels: Array, pattern_of: Array) -> Array:
    """Patterns at the two ends of each pair of unequal rows; a group of 3 has at most one."""
    order = np.lexsort((pattern_of, labels))
    follows = labels[order[1:]] == labels[order[:-1]]
    unequal = pattern_of[order[1:]] != pattern_of[order[:-1]]
    place = np.flatnonzero(follows & unequal)
    return np.column_stack([pattern_of[order[place]], pattern_of[order[place + 1]]]).ravel()


def _joined(ends: Array, sizes: Array) -> Array:
    """Half-edge that each half-edge is joined to at its pattern, or NOBODY."""
    order = np.argsort(ends, kind="stable")
    pattern = ends[order]
    place = np.arange(len(ends)) - np.searchsorted(pattern, pattern)
    last = np.append(pattern[1:] != pattern[:-1], True)[: len(ends)]
    beside = np.where(place % 2 == 1, -1, 1)
    joined = np.full(len(ends), NOBODY)
    meets = ~((place % 2 == 0) & last) & (sizes[pattern] > 1)
    joined[order[meets]] = order[np.flatnonzero(meets) + beside[meets]]
    return joined


@njit()
def _paths(ends: Array, joined: Array, lone: Array, count: int) -> Array:
    """Lone pattern at the other end of the path of each lone pattern, or NOBODY."""
    start = np.full(count, -1, dtype=np.int64)
    for half in range(len(ends)):
        start[ends[half]] = half
    is_lone = np.zeros(count, dtype=np.bool_)
    is_lone[lone] = True
    reached = np.empty(len(lone), dtype=np.int64)
    for number in range(len(lone)):
        half = start[lone[number]] ^ 1
        while joined[half] >= 0:
            half = joined[half] ^ 1
        reached[number] = ends[half] if is_lone[ends[half]] else -1
    return reached


def _hosts(
    distinct: DistinctRows, lone: Array, near: Array, far: Array, item_costs: ItemCosts
) -> tuple[Array, Array | None]:
    """Cheapest pattern of equal rows to join among those on the list and the lightest of all."""
    sizes = np.diff(distinct.member_starts)
    if not (sizes > 1).any():
        return np.full(len(lone), NOBODY), None
    degrees = distinct.degrees
    lightest = int(np.argmax(sizes > 1))  # distinct rows are numbered by degree
    near = np.column_stack([near, np.full(len(lone), lightest)])
    far = np.column_stack([far, degrees[lone] + degrees[lightest]])
    lost = (far + degrees[lone][:, None] - degrees[near]) // 2
    joined = item_costs.lost * lost + item_costs.missing * (far - lost)
    costs = np.where(sizes[near] > 2, item_costs.differs * far, joined)
    costs[sizes[near] < 2] = np.iinfo(np.int64).max
    best = np.argmin(costs, axis=1)
    return near[np.arange(len(lone)), best], costs[np.arange(len(lone)), best]


# Exact pairing of many rows, one region of similar rows after the other.


def paired_by_regions(
    table: sparse.csr_array,
    lone: Lone,
    *,
    unit: int,
    nearest: int,
    regions: int,
    size: int,
    rng: np.random.Generator,
    until: Callable[[], bool] | None,
) -> Array:
    """Better partners for lone rows; what a region had before stays if nothing is cheaper.

    Parameters
    ----------
    table : csr_array of ones, shape (lone, items)
        The lone rows.
    unit : int
        Cost of each item in which the rows of a pair differ.
    regions, size : int
        How many regions, and about how many rows each.

    Returns
    -------
    int64 array, shape (lone,)
        Partners, at no more than the cost of `lone.partner`.

    Notes
    -----
    Regions are cut from the table in rounds. In a round each row is in one region, and whole
    pairs are; rows where the search starts are drawn anew. It ends early after a round in which
    no region got cheaper.
    """
    partner = lone.partner.copy()
    costs = _costs(table, partner, lone.leaving, unit)
    done, gained = 0, True
    while gained:
        gained, start = False, 0
        order, used = rng.permutation(len(partner)), np.zeros(len(partner), dtype=np.bool_)
        while start < len(order):
            if done >= regions or (until is not None and until()):
                return partner
            region, start = _grown(lone.near, partner, order, start, used, size)
            done += 1
            part = sparse.csr_array(table[region])
            leaving = None if lone.leaving is None else lone.leaving[region]
            known = _known(region, partner)
            found = cheapest_pairs(part, known, leaving, unit=unit, nearest=nearest, rng=rng)
            now = _costs(part, found, leaving, unit)
            if now.sum() < costs[region].sum():
                partner[region] = np.where(found == NOBODY, NOBODY, region[found])
                costs[region], gained = now, True
        gained = gained and done < regions and len(partner) > size
    return partner


def _known(region: Array, partner: Array) -> Array:
    """Pairs of a region as they are, in its own numbers; the region ascends."""
    other = partner[region]
    one = np.flatnonzero(other > region)
    return np.column_stack([one, np.searchsorted(region, other[one])])


def _costs(table: sparse.csr_array, partner: Array, leaving: Array | None, unit: int) -> Array:
    """Twice what each row pays, half of its pair or all for leaving."""
    costs = np.zeros(len(partner), dtype=np.int64)
    paired = np.flatnonzero(partner != NOBODY)
    costs[paired] = unit * pair_distances(table, paired, partner[paired])
    if leaving is not None:
        alone = partner == NOBODY
        costs[alone] = 2 * leaving[alone]
    return costs


@njit()
def _grown(
    near: Array, partner: Array, order: Array, start: int, used: Array, size: int
) -> tuple[Array, int]:
    """Breadth-first over near rows and partners, from further starts once nothing is in reach.

    Returns
    -------
    int64 array
        Rows of the region, ascending; they are marked in `used`.
    int
        Place in the order of the next start that is not used.
    """
    region = np.empty(size + 2, dtype=np.int64)
    count = read = 0
    while start < len(order):
        if used[order[start]]:
            start += 1
            continue
        if count >= size:
            break
        if read == count:
            count = _taken(order[start], partner, used, region, count)
        while read < count and count < size:
            for other in near[region[read]]:
                if other >= 0 and not used[other] and count < size:
                    count = _taken(other, partner, used, region, count)
            read += 1
    return np.sort(region[:count]), start


@njit()
def _taken(row: int, partner: Array, used: Array, region: Array, count: int) -> int:
    for member in (row, partner[row]):
        if member >= 0:
            region[count] = member
            used[member] = True
            count += 1
    return count


_WHOLE = 3000  # so many lone rows are paired at once
_SIZE = 1000  # rows of a region: the time grows with the square of them and more
_ROUNDS = 3  # through the table
_UNIT = 64  # of a cost, where costs are not whole numbers of items


def better_pairs(
    table: sparse.csr_array,
    labels: Array,
    *,
    rng: np.random.Generator,
    keep: str = "half",
    nearest: int = 24,
    until: Callable[[], bool] | None = None,
) -> Array:
    """Pair rows anew so that a copy for k = 2 keeps more.

    Parameters
    ----------
    table : csr_array of ones, shape (rows, items)
    labels : int64 array, shape (rows,)
        Groups of 2 or more rows.
    rng : Generator
        Draws where regions start, and decides between equals.
    keep : {"half", "more-than-half", "all"}
        What groups publish, see `publish_votes`.
    nearest : int
        So many nearest rows of each row are possible partners.
    until : callable, optional
        Asked before each region; the search ends once it says True. An interruption ends it, too.

    Returns
    -------
    int64 array, shape (rows,)
        Groups of 2 and 3, and such odd groups as were there; never worse than `labels`.

    Notes
    -----
    Groups of an even size, and groups of 3 in which two rows are equal, are free; other odd
    groups stay. A pair publishes what either row has, so what it costs is the distance of its
    rows, and the least sum of distances is best for smooth copies and for suppression.

    Equal rows are put together first. This loses nothing: where x is with a and its copy x' with b,
    the pairs (x, x') and (a, b) cost d(a, b) <= d(a, x) + d(x', b). 3 or more equal
    rows can spare one, since the rest fall into pairs and one group of 3, and to 2 equal rows a
    third one can be added. So only rows without an equal are left, and each has a partner or
    joins equal rows: a matching again.

    Where all groups are free and at most 3,000 rows are without an equal, no grouping into pairs
    and such groups of 3 is better, as far as each row's list of nearest rows reaches; with
    nearest >= rows - 1 it is the best (for smooth copies at the similarity of `labels`, rounded to
    1/64, which enters only where a third row joins two equal ones).

    References
    ----------
    Higgott and Gidney 2025, Sparse Blossom, doi 10.22331/q-2025-01-20-1600.

    Examples
    --------
    >>> rows = sparse.csr_array([[1, 1, 0, 0], [0, 0, 1, 1], [1, 1, 1, 0], [0, 0, 0, 1]])
    >>> better_pairs(rows, np.array([0, 0, 1, 1]), rng=np.random.default_rng(1))
    array([0, 1, 0, 1])
    """
    distinct = distinct_rows(table)
    split = _halved(labels, distinct.pattern_of)
    item_costs = _item_costs(table, labels, keep)
    best, most = labels, _share(table, labels, keep)
    try:
        for start in (split, _dissolved(split, distinct)):
            if start is None:
                continue
            found = _paired(table, start, distinct, item_costs, nearest, rng, until)
            share = _share(table, found, keep)
            if share > most:
                best, most = found, share
    except KeyboardInterrupt:
        tqdm.write("interrupted while rows were paired: the best groups so far are returned")
    return best


def _paired(
    table: sparse.csr_array,
    labels: Array,
    distinct: DistinctRows,
    item_costs: ItemCosts,
    nearest: int,
    rng: np.random.Generator,
    until: Callable[[], bool] | None,
) -> Array:
    """Pair the rows of free groups anew."""
    free = _free(labels, distinct)
    if not free.any():
        return labels
    part = sparse.csr_array(table[free])
    distinct = distinct_rows(part)
    lone = _lone_rows(part, labels[free], distinct, item_costs=item_costs, nearest=nearest)
    count = len(lone.rows)
    size = count if count <= _WHOLE else _SIZE
    partner = paired_by_regions(
        sparse.csr_array(part[lone.rows]),
        lone,
        unit=item_costs.differs,
        nearest=nearest,
        regions=_ROUNDS * -(-count // _SIZE),
        size=size,
        rng=rng,
        until=until,
    )
    found = labels + len(labels)
    found[free] = _regrouped(distinct, lone, partner)
    return np.unique(found, return_inverse=True)[1].astype(np.int64)


def _halved(labels: Array, pattern_of: Array) -> Array:
    """Cut groups of an even size into pairs, equal rows next to each other."""
    order = np.lexsort((pattern_of, labels))
    ordered = labels[order]
    size = np.bincount(labels)[ordered]
    place = np.arange(len(labels)) - np.searchsorted(ordered, ordered)
    cut = np.empty_like(labels)
    cut[order] = np.arange(len(labels)) - np.where(size % 2 == 0, place % 2, place)
    return cut


def _free(labels: Array, distinct: DistinctRows) -> Array:
    """Rows of pairs, of equal rows by threes, and of two equal ones with one that has no equal."""
    sizes = np.bincount(labels)[labels]
    order = np.lexsort((distinct.pattern_of, labels))
    pattern, group = distinct.pattern_of[order], labels[order]
    changes = np.zeros(len(sizes), dtype=np.int64)
    np.add.at(changes, group[1:], (pattern[1:] != pattern[:-1]) & (group[1:] == group[:-1]))
    lone = np.bincount(labels, (np.diff(distinct.member_starts) == 1)[distinct.pattern_of])
    changes = changes[labels]
    return (sizes == 2) | ((sizes == 3) & ((changes == 0) | ((changes == 1) & (lone[labels] == 1))))


def _dissolved(labels: Array, distinct: DistinctRows) -> Array | None:
    """The same with pairs in place of odd groups, one of them left if their number is odd."""
    fixed = np.flatnonzero(~_free(labels, distinct))
    odd = np.unique(labels[fixed])
    rows = fixed[np.isin(labels[fixed], odd[len(odd) % 2 :])]
    if not len(rows) or len(labels) > _WHOLE:
        return None
    apart = labels + len(labels)
    order = rows[np.argsort(labels[rows], kind="stable")]
    apart[order] = np.arange(len(order)) // 2
    return np.unique(apart, return_inverse=True)[1].astype(np.int64)


def _item_costs(table: sparse.csr_array, labels: Array, keep: str) -> ItemCosts:
    """What the groups in question lose, for the similarity that they have."""
    if keep == "half":
        similarity = max(_share(table, labels, keep), Fraction(1, 2))  # any pairs reach half
        differs = round(_UNIT * similarity)
        return ItemCosts(differs, _UNIT, differs)
    return ItemCosts(1, 1, 2 if keep == "all" else 1)


def _share(table: sparse.csr_array, labels: Array, keep: str) -> Fraction:
    """Similarity of the published table, exactly."""
    published = publish_votes(table, labels, keep=keep)
    return Fraction(published.kept, max(table.nnz + published.created, 1))
