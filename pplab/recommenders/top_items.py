"""The N items of highest utility of each user, and the noise that is added to utilities.

A user's best items so far stand in a list, best first; most items fall below the last of them and
cost one comparison. Items are offered in ascending order, so that of equal ones those of lowest
number stay, and come first. Every user is worked on by one thread: their number changes nothing.
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from scipy import sparse

from pplab.checks import as_array, check_integer, shown
from pplab.compiled import in_ranges, inner, njit
from pplab.graphs import Array, as_matrix, check_shape


def top_items(
    utilities: sparse.csr_array | np.ndarray, top_n: int
) -> tuple[np.ndarray, np.ndarray]:
    """List the items of highest utility of each user; of equal ones, those of lowest number.

    Parameters
    ----------
    utilities : csr_array or ndarray, shape (users, items)
        Finite. What a CSR array does not store is 0, and takes its place among the others.
    top_n : int
        From 1 to the number of items.

    Returns
    -------
    items : int64 array, shape (users, top_n)
        Best first.
    values : float array, shape (users, top_n)
        Their utilities.

    Raises
    ------
    TypeError, ValueError
        If top_n is not between 1 and the number of items, or utilities are not finite.

    Examples
    --------
    >>> top_items(np.array([[0.0, 2.0, 3.0, 2.0]]), 3)
    (array([[2, 1, 3]]), array([[3., 2., 2.]]))
    >>> top_items(sparse.csr_array([[0.0, 0.0, 1.0, -1.0]]), 2)
    (array([[2, 0]]), array([[1., 0.]]))
    """
    table = as_estimates("utilities", utilities)
    check_top_n(top_n, table.shape[1])
    dtype = np.float32 if table.dtype == np.float32 else np.float64
    top = RunningTop(table.shape[0], top_n, dtype)
    if isinstance(table, np.ndarray):
        top.add(table, first=0)
    else:
        data = table.data.astype(dtype, copy=False)
        starts, indices = table.indptr.astype(np.int64), table.indices.astype(np.int64)
        top.offer(_offer_stored, starts, indices, data, table.shape[1], columns=table.shape[1])
    return top.result()


class RunningTop:
    """The best items of each user while blocks of items arrive in ascending order.

    Parameters
    ----------
    users : int
        Number of users.
    top_n : int
        Length of the lists, at most the number of items that come.
    dtype : float32 or float64
        Precision in which utilities are compared.

    Examples
    --------
    >>> top = RunningTop(1, 2)
    >>> top.add(np.array([[0.5, 0.0]]), first=0)
    >>> top.add(np.array([[0.5, 0.9]]), first=2)
    >>> top.result()
    (array([[3, 0]]), array([[0.9, 0.5]]))
    """

    def __init__(self, users: int, top_n: int, dtype: np.typing.DTypeLike = np.float64) -> None:
        self.values = np.full((users, top_n), -np.inf, dtype=dtype)
        self.items = np.full((users, top_n), np.iinfo(np.int64).max)

    def add(self, block: np.ndarray, *, first: int) -> None:
        """Offer utilities of shape (users, some items), the first of which has number first."""
        utilities = np.ascontiguousarray(block, dtype=self.values.dtype)
        self.offer(_offer_rows, utilities, first, columns=block.shape[1])

    def offer(self, work: Callable[..., None], *arguments: Any, columns: int) -> None:
        """Call for ranges of the users, each with about so many cells, in threads."""
        lists, rows = (self.values, self.items), max(1, _CELLS // max(columns, 1))
        in_ranges(work, len(self.values), rows, *arguments, *lists, label="lists", quiet=True)

    def result(self) -> tuple[np.ndarray, np.ndarray]:
        """Items and utilities by falling utility, equal ones by item number."""
        return self.items, self.values


def check_top_n(top_n: Any, items: int) -> int:
    """Refuse a length of the lists below 1 or above the number of items."""
    number = check_integer("top_n", top_n, minimum=1)
    if number > items:
        raise ValueError(
            f"top_n must be at most the number of items, {items}, got {shown(number)}; pass a "
            "smaller number, or preferences that keep the items nobody likes as empty columns"
        )
    return number


def as_estimates(name: str, estimates: Any) -> np.ndarray | sparse.csr_array:
    """Bring a table of estimates into an array or CSR; refuse other input, NaN and infinity."""
    if sparse.issparse(estimates):
        return as_matrix(estimates, name=name)
    is_dense = isinstance(estimates, (np.ndarray, list, tuple))
    table = as_array(name, estimates if is_dense else None)
    if table.ndim == 2:
        check_shape(name, table.shape)
    if table.ndim != 2 or table.dtype.kind not in "biuf":
        raise ValueError(
            f"{name} must be a users x items table of numbers, got {shown(estimates)}; pass a 2-D "
            "array or a csr_array"
        )
    # two passes without a mask the size of the values, which can be hundreds of millions
    if table.size and not (table.min() > -np.inf and table.max() < np.inf):
        raise ValueError(
            f"{name} must be finite to be ranked, got {table.min()} to {table.max()}; "
            "write 0 where there is none"
        )
    return table


# Laplace noise with a random stream for each row, which is the same in any block of rows.


def laplace_rows(key: np.ndarray, rows: Iterable[int], columns: int) -> np.ndarray:
    """Draw standard Laplace noise, one addressed stream per row.

    Neither the order of the rows nor how they are cut into blocks changes what a row gets.

    Parameters
    ----------
    key : ndarray of uint64
        Address of the streams, from ``pplab.compiled.new_key``.
    rows : iterable of int
        Numbers of the rows.
    columns : int
        Draws per row.

    Returns
    -------
    float64 array, shape (rows, columns)
        Of scale 1, so of variance 2.

    Examples
    --------
    >>> key = np.array([1, 2], dtype=np.uint64)
    >>> bool((laplace_rows(key, [4, 7], 3)[1] == laplace_rows(key, [7], 3)[0]).all())
    True
    """
    numbers = list(rows)
    words = [int(word) for word in key]
    noise = np.empty((len(numbers), columns))
    for place, row in enumerate(numbers):
        stream = np.random.default_rng(np.random.SeedSequence([*words, int(row)]))
        noise[place] = stream.laplace(size=columns)
    return noise


_LARGEST_SCALE = 1e30  # sums and products of noise stay finite in float32 too


def check_noise_scale(scale: float, epsilon: float) -> float:
    """Refuse an epsilon so small that its noise would overflow."""
    if not scale <= _LARGEST_SCALE:
        raise ValueError(
            f"epsilon must leave noise of a scale up to {_LARGEST_SCALE:g}, got "
            f"{shown(epsilon)} and a scale of {scale:g}; pass a larger epsilon"
        )
    return scale


# The compiled lists.

_CHUNK = 64  # items compared with the last at once
_ITEMS = 2048  # averages of so many items stay in the processor's cache for some users
_CELLS = 2**20  # utilities of the users that a thread takes at a time


@inner
def _offer_row(row: Array, first: int, values: Array, items: Array) -> None:
    """Insert items first, first + 1, ... into one user's list, if their utilities are above."""
    for start in range(0, len(row), _CHUNK):
        chunk, last, above = row[start : start + _CHUNK], values[-1], 0
        for place in range(len(chunk)):
            above += chunk[place] > last
        if above:
            for place in range(len(chunk)):
                if chunk[place] > values[-1]:
                    at = len(values) - 1
                    while at > 0 and values[at - 1] < chunk[place]:
                        values[at], items[at] = values[at - 1], items[at - 1]
                        at -= 1
                    values[at], items[at] = chunk[place], first + start + place


@njit(nogil=True)
def _offer_rows(
    block: Array, first: int, values: Array, items: Array, begin: int, end: int
) -> None:
    for user in range(begin, end):
        _offer_row(block[user], first, values[user], items[user])


@njit(nogil=True)
def _offer_stored(
    starts: Array, indices: Array, data: Array, columns: int, values: Array, items: Array,
    begin: int, end: int,
) -> None:  # fmt: skip
    """Offer CSR rows, each spread over a full row of zeros."""
    row = np.zeros(columns, dtype=data.dtype)
    for user in range(begin, end):
        for entry in range(starts[user], starts[user + 1]):
            row[indices[entry]] = data[entry]
        _offer_row(row, 0, values[user], items[user])
        for entry in range(starts[user], starts[user + 1]):
            row[indices[entry]] = 0


@njit(nogil=True)
def offer_products(
    starts: Array, clusters: Array, weights: Array, table: Array, values: Array, items: Array,
    begin: int, end: int,
) -> None:  # fmt: skip
    """Process users with blocks of items, keeping a list of best items for each user."""
    columns = table.shape[1]
    row = np.empty(min(_ITEMS, columns), dtype=table.dtype)
    for first in range(0, columns, _ITEMS):
        width = min(_ITEMS, columns - first)
        for user in range(begin, end):
            some = slice(starts[user], starts[user + 1])
            _product(clusters[some], weights[some], table, first, row[:width])
            _offer_row(row[:width], first, values[user], items[user])


@inner
def _product(clusters: Array, weights: Array, table: Array, first: int, row: Array) -> None:
    """Weighted sum of a block of averages; four clusters a sweep, added in their order."""
    width, full = len(row), len(clusters) // 4 * 4
    last = first + width
    row[:] = 0
    for place in range(0, full, 4):
        a, b = table[clusters[place]][first:last], table[clusters[place + 1]][first:last]
        c, d = table[clusters[place + 2]][first:last], table[clusters[place + 3]][first:last]
        of_a, of_b = weights[place], weights[place + 1]
        of_c, of_d = weights[place + 2], weights[place + 3]
        for j in range(width):
            row[j] = row[j] + of_a * a[j] + of_b * b[j] + of_c * c[j] + of_d * d[j]
    for place in range(full, len(clusters)):
        a, of_a = table[clusters[place]][first:last], weights[place]
        for j in range(width):
            row[j] += of_a * a[j]
