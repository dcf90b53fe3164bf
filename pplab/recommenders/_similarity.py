"""Sums over similar users, compiled: what `similarity.py` says in formulas, at Flixster's size.

A row of similarities is made in a full-length array of weights and a list of the users it reaches,
so that a user costs time in proportion to the neighbours of neighbours, not to all users. `collect`
multiplies such rows with a sparse matrix; `common_products` and `katz_products` multiply a dense
one with the adjacency instead and form no row. A test holds each against the formulas.
"""

# Numba compiles the undeclared functions below and infers their types itself.
# mypy: disable-error-code="no-untyped-def"

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

import numba
import numpy as np
from scipy import sparse

from pplab.compiled import in_threads, inner, njit

DAMPING = 0.05  # a of the Katz measure
COMMON, DISTANCE, PATHS = range(3)  # what a row is made of


class RowPlan(NamedTuple):
    """A social graph and what to make of it, as the compiled loops take them."""

    rows: int
    shares: bool
    share: tuple[float, float]
    simple: bool
    keep_self: bool
    indptr: np.ndarray
    indices: np.ndarray
    node_weights: np.ndarray


@inner
def _reach(indptr, indices, source, amount, weights, touched, count):
    """Add an amount to all neighbours of a node; list those that are new."""
    for entry in range(indptr[source], indptr[source + 1]):
        user = indices[entry]
        touched[count] = user
        count += weights[user] == 0
        weights[user] += amount
    return count


@inner
def _common(indptr, indices, node_weights, user, weights, touched):
    count = 0
    for entry in range(indptr[user], indptr[user + 1]):
        amount = node_weights[indices[entry]]
        if amount > 0:
            count = _reach(indptr, indices, indices[entry], amount, weights, touched, count)
    return count


@inner
def _distance(indptr, indices, user, weights, touched):
    count = _reach(indptr, indices, user, 1.0, weights, touched, 0)
    weights[user] = 1.0
    touched[count] = user
    count += 1
    for entry in range(indptr[user], indptr[user + 1]):
        neighbour = indices[entry]
        for other in range(indptr[neighbour], indptr[neighbour + 1]):
            far = indices[other]
            if weights[far] == 0:
                weights[far] = 0.5
                touched[count] = far
                count += 1
    return count


@inner
def _katz(indptr, indices, simple, user, weights, touched, twos, middles):
    """Counts of walks stay whole numbers until they are damped, so that rows are symmetric."""
    a, degree = DAMPING, indptr[user + 1] - indptr[user]
    middle_count, count = 0, 0
    for entry in range(indptr[user], indptr[user + 1]):
        middle_count = _reach(indptr, indices, indices[entry], 1.0, twos, middles, middle_count)
    for place in range(middle_count):
        middle = middles[place]
        count = _reach(indptr, indices, middle, twos[middle], weights, touched, count)
    if simple:  # walks u-x-u-v and u-v-x-v, of which u-v-u-v is both
        for entry in range(indptr[user], indptr[user + 1]):
            other = indices[entry]
            weights[other] -= degree + (indptr[other + 1] - indptr[other]) - 1
    for place in range(count):
        other = touched[place]
        weights[other] = a**3 * weights[other] + a**2 * twos[other]
    for entry in range(indptr[user], indptr[user + 1]):
        weights[indices[entry]] += a
    for place in range(middle_count):
        middle = middles[place]
        if weights[middle] == 0:  # two steps away, and not three
            weights[middle] = a**2 * twos[middle]
            touched[count] = middle
            count += 1
        twos[middle] = 0
    return count


@inner
def similar_users(plan, user, weights, touched, twos, middles):
    """Write a user's similarities into weights (zero before) and list whom they reach."""
    rows, shares, (scale, less), simple, keep_self, indptr, indices, node_weights = plan
    if rows == DISTANCE:
        count = _distance(indptr, indices, user, weights, touched)
    elif rows == PATHS:
        count = _katz(indptr, indices, simple, user, weights, touched, twos, middles)
    else:
        count = _common(indptr, indices, node_weights, user, weights, touched)
    kept, degree = 0, indptr[user + 1] - indptr[user]
    for place in range(count):
        other = touched[place]
        if other == user and not keep_self:
            weights[user] = 0
            continue
        if shares:
            both, degrees = weights[other], degree + (indptr[other + 1] - indptr[other])
            weights[other] = scale * both / (degrees - less * both)
        touched[kept] = other
        kept += 1
    return kept


# Rows of similarities, or those times a sparse matrix.


_LINE = 64  # bytes that memory hands over at a time
_TOGETHER = 16  # rows of the matrix that are fetched at a time
_MANY = 16  # a user similar to one in so many is served in the order of the rows


class Rows(NamedTuple):
    """A sparse matrix as the compiled loops take it."""

    indptr: np.ndarray
    indices: np.ndarray
    values: np.ndarray
    ones: bool  # then the values are not read


class Scratch(NamedTuple):
    """Arrays of a thread; weights, twos, marks and sums are all 0 between two rows."""

    weights: np.ndarray
    twos: np.ndarray
    touched: np.ndarray
    middles: np.ndarray
    marks: np.ndarray  # a bit for each user
    sums: np.ndarray
    indices: np.ndarray  # of a block of rows
    values: np.ndarray


def lay_out(matrix: sparse.csr_array) -> Rows:
    """Numbers of columns as narrow as they get: what is read decides the time."""
    narrow = np.uint16 if matrix.shape[1] <= 2**16 else np.uint32
    ones = bool((matrix.data == 1).all())
    values = np.ones(1) if ones else matrix.data.astype(np.float64)
    return Rows(matrix.indptr.astype(np.int64), matrix.indices.astype(narrow), values, ones)


def new_scratch(size: int, columns: int, rows: int) -> Scratch:
    """Buffers for rows of a graph of so many users."""
    lists = np.empty(size + 1, np.uint32), np.empty(size + 1, np.uint32)
    cells = np.empty(rows * columns + 1, np.int32), np.empty(rows * columns + 1)
    marks = np.zeros(size // 64 + 1, np.uint64)
    return Scratch(np.zeros(size), np.zeros(size), *lists, marks, np.zeros(columns), *cells)


@njit(nogil=True)
def fill_rows(plan, users, scratch, rows, alone):
    """Add up rows of the matrix, or none of it; where the cells of each that are not zero end."""
    weights, twos, touched, middles, marks, sums, indices, values = scratch
    ends = np.zeros(len(users) + 1, np.int64)
    for row in range(len(users)):
        count, used = similar_users(plan, users[row], weights, touched, twos, middles), ends[row]
        if alone:
            ends[row + 1] = _sorted(weights, touched[:count], marks, indices, values, used)
            continue
        if count * _MANY > len(weights):
            count = _by_number(weights, touched)
        for start in range(0, count, _TOGETHER):
            others = touched[start : min(start + _TOGETHER, count)]
            _fetch(rows, others, middles)
            _add_rows(rows, others, weights, sums)
        for column in range(len(sums)):  # without a branch: the next cell overwrites a zero
            value = sums[column]
            indices[used], values[used] = column, value
            used += value != 0
        sums[:] = 0
        ends[row + 1] = used
    return ends


@inner
def _sorted(weights, touched, marks, indices, values, used):
    """Move the weights of some users, in their order, behind the cells that are used."""
    one = np.uint64(1)
    for user in touched:
        marks[user >> 6] |= one << np.uint64(user & 63)
    for number in range(len(marks)):
        mark = marks[number]
        marks[number] = 0
        while mark != 0:
            lowest = mark & (~mark + one)  # its place is its exponent as a float
            user = number * 64 + (np.float64(lowest).view(np.int64) >> 52) - 1023
            mark ^= lowest
            indices[used], values[used] = user, weights[user]
            used += weights[user] != 0
            weights[user] = 0
    return used


@inner
def _by_number(weights, touched):
    """List the users with a weight in their order, in which memory is read ahead."""
    count = 0
    for other in range(len(weights)):  # without a branch: the next one overwrites a zero
        touched[count] = other
        count += weights[other] != 0
    return count


@inner
def _fetch(rows, others, unused):
    """Read a number of each line of the rows, so that memory looks for all of them at once."""
    step, seen = _LINE // rows.indices.itemsize, 0
    for other in others:
        for entry in range(rows.indptr[other], rows.indptr[other + 1], step):
            seen += rows.indices[entry]
    unused[-1] = seen  # else the compiler leaves the reading out


@inner
def _add_rows(rows, others, weights, sums):
    for other in others:
        weight = weights[other]
        weights[other] = 0
        if rows.ones:
            for entry in range(rows.indptr[other], rows.indptr[other + 1]):
                sums[rows.indices[entry]] += weight
        else:
            for entry in range(rows.indptr[other], rows.indptr[other + 1]):
                sums[rows.indices[entry]] += weight * rows.values[entry]


# Block by block in threads.
#
# Cells of a block that are not zero wait in a buffer that stays in the processor's cache. Once it
# is known how many there are, they are moved into the arrays of the result, so that the result is
# written once and nothing else of its size exists: to write to memory for the first time costs
# more than to sum.


_BLOCK_CELLS = 2**19  # of a table: 4 MB
_BLOCK_ROWS = 64
_FIRST_CELLS = 2**29  # of the result; what is not written costs address space only


def collect(
    plan: RowPlan, users: np.ndarray, matrix: sparse.csr_array | None = None
) -> sparse.csr_array:
    """Rows of the similarity matrix, or of its product with a sparse one, of users in their order.

    A row does not depend on the thread that made it. Blocks are filled ahead of their turn; the
    place of a block in the result is known when all before it have been counted, and then any
    thread packs it.
    """
    size, alone = len(plan.node_weights), matrix is None
    laid_out = lay_out(sparse.csr_array((1, size)) if matrix is None else matrix)
    columns = size if matrix is None else matrix.shape[1]
    rows = min(_BLOCK_ROWS, max(1, _BLOCK_CELLS // columns))
    blocks = deque(users[at : at + rows] for at in range(0, len(users), rows))
    threads = min(numba.get_num_threads(), len(blocks))
    ahead = 2 * threads
    spare = [new_scratch(size, columns, rows) for _ in range(ahead + threads)]
    cells = min(len(users) * columns, _FIRST_CELLS)
    indices, values = _new(np.int32, cells), _new(np.float64, cells)
    counts, used = [np.zeros(1, dtype=np.int64)], 0

    def filled(block: np.ndarray) -> tuple[np.ndarray, Scratch]:
        scratch = spare.pop()
        return np.diff(fill_rows(plan, block, scratch, laid_out, alone)), scratch

    def packed(scratch: Scratch, start: int, stop: int) -> None:
        indices[start:stop] = scratch.indices[: stop - start]
        values[start:stop] = scratch.values[: stop - start]
        spare.append(scratch)

    filling: deque[Future[tuple[np.ndarray, Scratch]]] = deque()
    packing: deque[Future[None]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        while blocks or filling:
            while blocks and len(filling) < ahead:
                filling.append(pool.submit(filled, blocks.popleft()))
            sizes, scratch = filling.popleft().result()
            start, used = used, used + int(sizes.sum())
            counts.append(sizes)
            if used > len(values):
                _finish(packing)
                indices, values = _longer(indices, start, used), _longer(values, start, used)
            packing.append(pool.submit(packed, scratch, start, used))
        _finish(packing)
    indices.resize(used, refcheck=False)
    values.resize(used, refcheck=False)
    indptr = np.cumsum(np.concatenate(counts))
    indptr = indptr.astype(np.int32 if used < 2**31 else np.int64)  # else scipy copies the indices
    result = sparse.csr_array((values, indices, indptr), shape=(len(users), columns))
    result.has_canonical_format = True
    return result


def _finish(jobs: deque[Future[None]]) -> None:
    while jobs:
        jobs.popleft().result()


def _new(dtype: np.typing.DTypeLike, cells: int) -> np.ndarray:
    try:
        return np.empty(cells, dtype=dtype)
    except MemoryError as error:
        raise MemoryError(
            f"{cells:,} cells of a table of users x items need {cells * 12 / 2**30:,.1f} GiB, and "
            f"this machine has less left; ask for fewer users at a time (users=...)"
        ) from error


def _longer(array: np.ndarray, used: int, needed: int) -> np.ndarray:
    longer = _new(array.dtype, 2 * needed)
    longer[:used] = array[:used]
    return longer


# Blocks of rows in threads, for compiled loops that let go of the interpreter's lock.


_ROWS_PER_THREAD = 2048


def _in_blocks(work: Callable[[slice], Any], count: int, rows: int = _ROWS_PER_THREAD) -> list[Any]:
    """Call for each block of rows."""
    blocks = [slice(start, min(start + rows, count)) for start in range(0, count, rows)]
    return in_threads(work, blocks, label="rows", quiet=True)


# Similarities times a dense table, by two or three products with the adjacency.
#
# Sums over all users of two steps are sums over neighbours of sums over neighbours: no similarity
# is ever formed. What such sums count too much (the user itself) is taken off before it is
# weighted, so that for tables of whole numbers, such as cluster memberships, zeros stay zeros.


_TWO, _THREE = DAMPING**2, DAMPING**3
_PARTS = 8  # blocks of users in which triangles are found, each with a count per user of its own


def _reached(plan: RowPlan, users: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Users and their neighbours, ascending, and the place of each of these among them."""
    near = np.bincount(users, minlength=len(plan.node_weights)) > 0
    near[plan.indices[np.repeat(near, np.diff(plan.indptr))]] = True
    return np.flatnonzero(near), (np.cumsum(near) - 1).astype(np.uint32)


def _sums(links: Any, users: np.ndarray, *how: Any, dtype: Any = np.float64) -> np.ndarray:
    """Sums over the neighbours of some users; `how` is what `_neighbour_sums` takes next."""
    out = np.empty((len(users), how[1].shape[1]), dtype=dtype)
    _in_blocks(lambda rows: _neighbour_sums(*links, users[rows], *how, out[rows]), len(users))
    return out


def common_products(plan: RowPlan, table: np.ndarray, users: np.ndarray) -> np.ndarray:
    """Rows of cn, aa or resource allocation times a table."""
    (near, place), weights = _reached(plan, users), plan.node_weights
    one_step = _sums((plan.indptr, plan.indices), near, table, table, False, weights, False)
    links = plan.indptr, place[plan.indices]
    return _sums(links, users, one_step, table, not plan.keep_self, weights[near], True)


def katz_products(plan: RowPlan, table: np.ndarray, users: np.ndarray) -> np.ndarray:
    """Rows of katz times a table.

    With V the sums over paths of two edges, those over three are A V - (D - 1) A C - T C: from
    each neighbour go on by two edges, take off returns to u on the way, and triangles T at u.
    """
    csr, everyone, weights = (plan.indptr, plan.indices), np.arange(len(table)), plan.node_weights
    labels = table.argmax(axis=1).astype(np.uint32)
    member = np.count_nonzero(table) == len(table) and (table[everyone, labels] == 1).all()
    # Steps from memberships are counts; small integers take half the way through memory.
    if member and most_walks(plan) < 2**31:
        one_step = np.empty(table.shape, dtype=np.int32)
        _in_blocks(
            lambda rows: _neighbour_counts(*csr, everyone[rows], labels, one_step[rows]), len(table)
        )
    else:
        one_step = _sums(csr, everyone, table, table, False, weights, False)
    near, place = _reached(plan, users)
    links, out = (plan.indptr, place[plan.indices]), np.empty((len(users), table.shape[1]))
    kind = one_step.dtype
    two_steps = _sums(csr, near, one_step, table, plan.simple, weights, False, dtype=kind)
    closed = np.zeros(len(table)) if plan.keep_self else closed_walks(plan)

    def third(rows: slice) -> None:
        block_users = users[rows]
        sums = np.empty((len(block_users), table.shape[1]), dtype=kind)
        _neighbour_sums(*links, block_users, two_steps, table, False, weights, False, sums)
        steps = one_step, two_steps[place[block_users]], sums
        _weigh_steps(plan, block_users, table, closed, *steps, out[rows])

    _in_blocks(third, len(users))
    return out


def closed_walks(plan: RowPlan) -> np.ndarray:
    """Walks of three edges from each user back: twice the triangles."""
    degrees = np.diff(plan.indptr)
    rank = np.argsort(np.argsort(degrees, kind="stable"))
    # each edge once, towards the end of higher degree: no user then has many
    ahead = np.repeat(rank, degrees) < rank[plan.indices]
    indptr, indices = np.append(0, np.cumsum(ahead))[plan.indptr], plan.indices[ahead]

    def result(part: slice) -> np.ndarray:
        return _triangles(indptr, indices, part.start, part.stop)

    triangles = _in_blocks(result, len(degrees), len(degrees) // _PARTS + 1)
    return 2.0 * np.sum(triangles, axis=0)  # of whole numbers, so that their order does not matter


def most_walks(plan: RowPlan) -> int:
    """Count the walks of up to three edges from each user; the most from any."""
    one = np.diff(plan.indptr).astype(np.float64)
    cells = (np.ones(len(plan.indices)), plan.indices.astype(np.int64), plan.indptr)
    a = sparse.csr_array(cells, shape=(len(one), len(one)))
    two = a @ one
    return int((one + two + a @ two).max(initial=0))


@njit(nogil=True)
def _neighbour_counts(indptr, indices, users, labels, out):
    """Number of neighbours of each user in each cluster."""
    out[:] = 0
    for row in range(len(users)):
        for entry in range(indptr[users[row]], indptr[users[row] + 1]):
            out[row, labels[indices[entry]]] += 1


@njit(nogil=True)
def _neighbour_sums(indptr, indices, users, source, table, subtract, weights, weighted, out):
    """Sum the rows of each user's neighbours, from each less the user's row of the table."""
    user_sums = np.zeros(out.shape[1], out.dtype)
    for row in range(len(users)):
        user, sums = users[row], out[row]
        sums[:] = 0
        if subtract:
            for column in range(len(sums)):
                user_sums[column] = table[user, column]
        for entry in range(indptr[user], indptr[user + 1]):
            step = source[indices[entry]]
            if weighted:
                weight = weights[indices[entry]]
                for column in range(len(sums)):
                    sums[column] += weight * (step[column] - user_sums[column])
            else:
                for column in range(len(sums)):
                    sums[column] += step[column] - user_sums[column]


@njit(nogil=True)
def _weigh_steps(plan, users, table, closed, one_step, two_steps, sums, out):
    """Take off what returns to the user, and add up one, two and three steps."""
    for row in range(len(users)):
        user = users[row]
        degree = plan.indptr[user + 1] - plan.indptr[user]
        for column in range(out.shape[1]):
            self_value = 0.0 if plan.keep_self else table[user, column]
            one, two = float(one_step[user, column]), float(two_steps[row, column])
            three = sums[row, column] - closed[user] * self_value
            if plan.simple:
                three = sums[row, column] - (degree - 1) * one - closed[user] * self_value
            else:
                two -= degree * self_value
            out[row, column] = _THREE * three + _TWO * two + DAMPING * one


@njit(nogil=True)
def _triangles(indptr, indices, start, stop):
    """Triangles at each user, of those that are found from some users."""
    users = len(indptr) - 1
    triangles, marked = np.zeros(users, np.int64), np.zeros(users, np.bool_)
    for user in range(start, stop):
        ahead = indices[indptr[user] : indptr[user + 1]]
        for second in ahead:
            marked[second] = True
        for second in ahead:
            for entry in range(indptr[second], indptr[second + 1]):
                third = indices[entry]
                if marked[third]:
                    triangles[user] += 1
                    triangles[second] += 1
                    triangles[third] += 1
        for second in ahead:
            marked[second] = False
    return triangles
