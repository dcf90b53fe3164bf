"""The paper's groups as run: online facility location, then small facilities are closed."""

from typing import NamedTuple

import numpy as np

from pplab.checks import as_rng, check_choice, check_k
from pplab.compiled import GOLDEN, common_at_the_end, first_from, in_threads, inner, mixed, njit
from pplab.graphs import GraphLike, as_ones
from pplab.smooth.rows import Array, DistinctRows, distinct_rows, nearest_keys

# Which open facility is nearest to a row: an inverted index of the facilities' items.


FAR = 2**62  # distance of a facility that is not there
# Which of equally near facilities a row takes: the one that shares its rarest item, that opened
# first, that opened last, or any.
TIES = ("rarest", "first", "last", "random")


class OpenFacilities(NamedTuple):
    """Facilities, numbered in the order in which they opened; each stands at a distinct row.

    Attributes
    ----------
    distinct : DistinctRows
    ties : int
        Place in `TIES`.
    slots, filled : int32 (as distinct.item_patterns) and int64 (items,)
        Facilities that have an item, ascending; those that closed are dropped when next met.
    at, is_open : int32 and bool, shape (patterns,)
        Where a facility stands, and whether it is open still.
    here : int32, shape (patterns,)
        The facility that stands at a distinct row, or -1.
    opened, lightest : int64, shape (1,)
        How many opened; the open one of least degree (the first of several), or -1.
    seen, nearest : int64, shapes (patterns,) and (patterns, 3)
        Distance, rank and number of the nearest of the first `seen` facilities: new ones alone are
        looked at. Nothing is forgotten when one closes.
    shared, first, touched : int32, shape (patterns,)
        Scratch: items shared with a facility, which of them came first, facilities met.
    """

    distinct: DistinctRows
    ties: int
    slots: Array
    filled: Array
    at: Array
    is_open: Array
    here: Array
    opened: Array
    lightest: Array
    seen: Array
    nearest: Array
    shared: Array
    first: Array
    touched: Array


def copy_of(facilities: OpenFacilities) -> OpenFacilities:
    """The same ones, to be closed on their own."""
    return OpenFacilities(*facilities[:2], *(array.copy() for array in facilities[2:]))


def _no_facilities(distinct: DistinctRows, ties: str) -> OpenFacilities:
    """Room for as many facilities as there are distinct rows."""
    count = len(distinct.degrees)
    return OpenFacilities(
        distinct,
        TIES.index(ties),
        np.empty_like(distinct.item_patterns),
        np.zeros(len(distinct.item_starts) - 1, dtype=np.int64),
        np.empty(count, dtype=np.int32),
        np.zeros(count, dtype=np.bool_),
        np.full(count, -1, dtype=np.int32),
        np.zeros(1, dtype=np.int64),
        np.full(1, -1, dtype=np.int64),
        np.zeros(count, dtype=np.int64),
        np.tile([FAR, FAR, -1], (count, 1)),
        np.zeros(count, dtype=np.int32),
        np.empty(count, dtype=np.int32),
        np.empty(count, dtype=np.int32),
    )


@inner
def _open_at(facilities: OpenFacilities, pattern: int) -> int:
    """Open a facility at a distinct row that has none."""
    distinct, number = facilities.distinct, facilities.opened[0]
    facilities.opened[0] += 1
    facilities.at[number], facilities.here[pattern] = pattern, number
    facilities.is_open[number] = True
    for item in distinct.items[distinct.starts[pattern] : distinct.starts[pattern + 1]]:
        facilities.slots[distinct.item_starts[item] + facilities.filled[item]] = number
        facilities.filled[item] += 1
    lightest = facilities.lightest[0]
    later = facilities.ties == 2  # of equally light ones the last
    if lightest < 0 or (
        distinct.degrees[pattern] < distinct.degrees[facilities.at[lightest]] + later
    ):
        facilities.lightest[0] = number
    return number


@inner
def _rank(ties: int, place: int, pattern: int, number: int) -> int:
    """Rank among equally near facilities, before their own numbers: the lowest wins."""
    if ties == 1:
        return 0
    if ties == 2:
        return -number
    if ties == 3:
        scattered = mixed(np.uint64(pattern) * GOLDEN + np.uint64(number))
        return np.int64(scattered >> np.uint64(2))  # type: ignore[return-value]  # int() stays unsigned
    return place


@inner
def _nearest_open(
    facilities: OpenFacilities, pattern: int, since: int, best: tuple[int, int, int]
) -> tuple[int, int, int]:
    """Distance, rank among equally near ones, and number of the nearest open facility.

    The rank is the place of the rarest shared item (one that shares none comes last) unless the
    facilities say otherwise; then comes the one that opened first. The least triple is found. Of
    facilities that share nothing only one is looked at, `lightest`.

    Parameters
    ----------
    since, best : int and tuple
        Facilities below this number are known: `best` is the answer among them. At the start
        0 and (FAR, FAR, -1).

    Notes
    -----
    Items are read from the rarest. A facility whose first shared item is number p (from 0) is at
    least p away, for it lacks the p before, and further where even the lightest facility has more
    than the degree - p items that it may share. Reading stops where that reaches the best so far.
    """
    distinct = facilities.distinct
    start, degree = distinct.starts[pattern], distinct.degrees[pattern]
    lightest = facilities.lightest[0]
    least = distinct.degrees[facilities.at[lightest]]
    if lightest >= since:
        stranger = (degree + least, _rank(facilities.ties, degree, pattern, lightest), lightest)
        if stranger < best:
            best = stranger
    bound, read, touched = best[0], degree, 0
    for p in range(degree):
        if p + max(p + least - degree, 0) >= bound + (facilities.ties > 0):
            read = p
            break
        touched, bound = _meet(facilities, pattern, p, since, touched, bound)
    rest = distinct.items[start + read : start + degree]
    for number in facilities.touched[:touched]:
        size, shared = distinct.degrees[facilities.at[number]], facilities.shared[number]
        facilities.shared[number] = 0
        if degree + size - 2 * min(size, shared + len(rest)) <= best[0]:
            if len(rest):
                other = facilities.at[number]
                other_items = distinct.items[distinct.starts[other] : distinct.starts[other + 1]]
                shared += common_at_the_end(rest, other_items)
            distance = degree + size - 2 * shared
            rank = _rank(facilities.ties, facilities.first[number], pattern, number)
            if (distance, rank, number) < best:
                best = (distance, rank, number)
    return best


@inner
def _meet(
    facilities: OpenFacilities, pattern: int, p: int, since: int, touched: int, bound: int
) -> tuple[int, int]:
    """Count the facilities that have item p of a pattern; some is at most `bound` away then."""
    distinct = facilities.distinct
    degree, item = distinct.degrees[pattern], distinct.items[distinct.starts[pattern] + p]
    a = distinct.item_starts[item]
    b = a + facilities.filled[item]
    if since > 0:
        a += first_from(facilities.slots[a:b], since)
    kept = a
    for place in range(a, b):
        number = facilities.slots[place]
        if not facilities.is_open[number]:
            continue
        facilities.slots[kept] = number
        kept += 1
        size = distinct.degrees[facilities.at[number]]
        if facilities.shared[number] == 0:
            if degree + size - 2 * min(size, degree - p) > bound:
                continue
            facilities.touched[touched], facilities.first[number] = number, p
            touched += 1
        facilities.shared[number] += 1
        bound = min(bound, degree + size - 2 * facilities.shared[number])
    facilities.filled[item] = kept - distinct.item_starts[item]
    return touched, bound


# Meyerson's online facility location over the rows of a sparse binary table.


class Located(NamedTuple):
    """Facilities and who goes to which.

    Attributes
    ----------
    facilities : OpenFacilities
    assigned : int64 array, shape (rows,)
        Number of the facility of each row.
    cost : float
        Opening costs of all facilities and distances of all rows on their arrival.
    """

    facilities: OpenFacilities
    assigned: Array
    cost: float


def opening_costs(distinct: DistinctRows, k: int, *, spread: int) -> Array:
    """Cost of a facility at each pattern: (2a / (1 - a)) times the distances to its nearest rows.

    With a = 1 / spread, over the spread * k rows nearest to it, or all where there are fewer; the
    row itself is one of them, at distance 0.

    Returns
    -------
    float64 array, shape (patterns,)
    """
    rows = len(distinct.pattern_of)
    keys = nearest_keys(distinct, min(spread * k, rows))
    share = 1 / spread
    return 2 * share / (1 - share) * (keys // rows).sum(axis=1)


def online_facilities(
    distinct: DistinctRows,
    costs: Array,
    *,
    orders: int,
    assignment: str,
    rng: np.random.Generator,
    ties: str = "rarest",
) -> Located:
    """Let the rows arrive in several random orders and keep the cheapest outcome.

    A row that arrives goes to the nearest open facility, or, with probability
    min(1, distance / cost), a facility opens where it is. The first one always opens one.

    Parameters
    ----------
    distinct : DistinctRows
    costs : float64 array, shape (patterns,)
        Opening cost at each distinct row.
    orders : int
        Number of orders; of equally cheap ones the first is kept.
    assignment : {"arrival", "nearest"}
        Whether a row stays with the facility of its arrival, or goes to the nearest one of those
        that are open in the end. The cheapest order is chosen by the costs on arrival.
    rng : Generator
        Gives one child per order, so that threads change nothing.
    ties : {"rarest", "first", "last", "random"}
        Which of equally near facilities a row takes, now and when others close; see `TIES`.

    Returns
    -------
    Located

    References
    ----------
    Meyerson 2001, Online facility location, doi 10.1109/SFCS.2001.959917; as Esfandiari, Epasto,
    Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, Appendix D, arXiv 2207.06358,
    run it.
    """

    def one_order(child: np.random.Generator) -> Located:
        rows = len(distinct.pattern_of)
        order, coins = child.permutation(rows), child.random(rows)
        facilities = _no_facilities(distinct, ties)
        return Located(facilities, *_arrivals(facilities, costs, order, coins))

    runs = in_threads(one_order, rng.spawn(orders), label="orders of arrival")
    located = min(runs, key=lambda run: run.cost)
    return nearest_in_the_end(distinct, located) if assignment == "nearest" else located


def nearest_in_the_end(distinct: DistinctRows, located: Located) -> Located:
    """Assign each row to the nearest facility, before any of them closes."""
    return located._replace(assigned=_nearest_in_the_end(located.facilities)[distinct.pattern_of])


@njit(nogil=True)
def _arrivals(
    facilities: OpenFacilities, costs: Array, order: Array, coins: Array
) -> tuple[Array, float]:
    """Serve the rows in an order; coins in [0, 1) decide about openings."""
    assigned, total = np.empty(len(order), dtype=np.int64), 0.0
    for row in order:
        pattern = facilities.distinct.pattern_of[row]
        distance, number = _look(facilities, pattern)
        if number < 0 or coins[row] * costs[pattern] < distance:
            assigned[row] = _open_at(facilities, pattern)
            total += costs[pattern]
        else:
            assigned[row] = number
            total += distance
    return assigned, total


@inner
def _look(facilities: OpenFacilities, pattern: int) -> tuple[int, int]:
    """Distance and number of the nearest facility, which is remembered."""
    if facilities.here[pattern] >= 0:
        return 0, facilities.here[pattern]
    nearest, since = facilities.nearest[pattern], facilities.seen[pattern]
    if since < facilities.opened[0]:
        known = (nearest[0], nearest[1], nearest[2])
        known = _nearest_open(facilities, pattern, since, known)
        nearest[0], nearest[1], nearest[2] = known
        facilities.seen[pattern] = facilities.opened[0]
    return nearest[0], nearest[2]


@njit(nogil=True)
def _nearest_in_the_end(facilities: OpenFacilities) -> Array:
    nearest = np.empty(len(facilities.seen), dtype=np.int64)
    for pattern in range(len(nearest)):
        nearest[pattern] = _look(facilities, pattern)[1]
    return nearest


# Close facilities with too few clients until every one that is left has enough.


def close_small(
    distinct: DistinctRows, located: Located, k: int, *, rng: np.random.Generator
) -> Array:
    """Close facilities with fewer than k clients one by one, in a random order.

    The clients of a facility that closes go to the nearest one that is open then. Each facility
    is looked at once: those that are open only gain clients. The last one is never closed, since
    all rows are its clients and k is at most their number.

    Parameters
    ----------
    distinct : DistinctRows
    located : Located
        Facilities and clients; the facilities are closed in place.
    k : int
        From 2 to the number of rows.
    rng : Generator
        Draws the order.

    Returns
    -------
    int64 array, shape (rows,)
        Group of each row, 0 to groups - 1, each of k rows or more.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Appendix D, steps 4 and 5 as run, arXiv 2207.06358.
    """
    facilities, assigned = located.facilities, located.assigned.copy()
    count = int(facilities.opened[0])
    lightest = np.argsort(distinct.degrees[facilities.at[:count]], kind="stable")
    _close(facilities, assigned, k, rng.permutation(count), lightest)
    labels: Array = np.unique(assigned, return_inverse=True)[1]
    return labels


class _Clients(NamedTuple):
    """Chains of clients: the last to join a facility, and who joined before whom."""

    last: Array
    before: Array
    sizes: Array


@njit()
def _close(
    facilities: OpenFacilities, assigned: Array, k: int, order: Array, lightest: Array
) -> None:
    clients = _Clients(
        np.full(len(order), -1), np.full(len(assigned), -1), np.zeros(len(order), dtype=np.int64)
    )
    for row in range(len(assigned)):
        _join(clients, row, assigned[row])
    pattern_of, place = facilities.distinct.pattern_of, 0
    for closing in order:
        if clients.sizes[closing] >= k:
            continue
        facilities.is_open[closing] = False
        while not facilities.is_open[lightest[place]]:
            place += 1
        facilities.lightest[0] = lightest[place]
        row = clients.last[closing]
        pattern, number = -1, -1
        while row >= 0:
            following = clients.before[row]
            if pattern_of[row] != pattern:  # copies often follow each other
                pattern = pattern_of[row]
                number = _nearest_open(facilities, pattern, 0, (FAR, FAR, -1))[2]
            assigned[row] = number
            _join(clients, row, number)
            row = following


@inner
def _join(clients: _Clients, row: int, facility: int) -> None:
    clients.before[row] = clients.last[facility]
    clients.last[facility] = row
    clients.sizes[facility] += 1


ASSIGNMENTS = ("arrival", "nearest")
_SPREAD = 2  # the paper's b
_ORDERS = 10  # of arrival; the cheapest is kept


def paper_recipe(
    biadjacency: GraphLike,
    k: int,
    *,
    assignment: str = "arrival",
    rng: int | np.random.Generator | None = None,
) -> np.ndarray:
    """Group rows by facility location with a minimum number of clients, as the paper ran it.

    Parameters
    ----------
    biadjacency : csr_array of ones, shape (rows, items), or other graph
    k : int
        Smallest size of a group, from 2 to the number of rows.
    assignment : {"arrival", "nearest"}, default "arrival"
        Which facility a row keeps, which the paper does not say: that of its arrival, or the
        nearest of those open at the end of the order.
    rng : int, Generator or None
        Seed or generator.

    Returns
    -------
    int64 array, shape (rows,)
        Group of each row, 0 to groups - 1.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval, or the table is empty or stores anything but ones.

    Notes
    -----
    With the paper's b = 2, a facility costs 2a / (1 - a) times the distances to its b k nearest
    rows, itself included, where a = 1 / b. Of 10 random orders of arrival the cheapest is kept.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Appendix D, arXiv 2207.06358; Meyerson 2001, doi 10.1109/SFCS.2001.959917.

    Examples
    --------
    >>> rows = [[1, 1, 0, 0]] * 6 + [[0, 0, 1, 1]] * 6
    >>> np.bincount(paper_recipe(rows, 3, rng=1))
    array([6, 6])
    """
    table = as_ones(biadjacency)
    k = check_k(k, table.shape[0])
    check_choice("assignment", assignment, ASSIGNMENTS)
    arriving, closing = as_rng(rng).spawn(2)
    distinct = distinct_rows(table)
    costs = opening_costs(distinct, k, spread=_SPREAD)
    located = online_facilities(
        distinct, costs, orders=_ORDERS, assignment=assignment, rng=arriving
    )
    return close_small(distinct, located, k, rng=closing)
