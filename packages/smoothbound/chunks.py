"""Smooth k-anonymity in chunks of similar rows, each on its own, in threads of one machine."""

from collections.abc import Iterator
from contextlib import contextmanager

import numba
import numpy as np
from scipy import sparse

from pplab.checks import as_rng, check_choice, check_integer, check_k
from pplab.compiled import GOLDEN, in_threads, mixed, njit
from pplab.graphs import GraphLike, as_ones, by_value
from pplab.smooth.anonymize import EFFORTS, METHODS, SmoothAnonymized, anonymized
from pplab.smooth.vote import publish_votes

# Min-hashes of the rows of a sparse table, and an order that keeps similar rows together.


_ONE = np.uint64(1)
_LARGEST = np.uint64(2**64 - 1)

HASHES = 8  # min-hashes of each row


def minhash_order(table: sparse.csr_array, *, hashes: int, seed: int) -> np.ndarray:
    """Sort rows by their min-hashes, so that similar rows tend to be adjacent.

    Parameters
    ----------
    table : csr_array of ones, shape (rows, items)
    hashes, seed : int
        See `signatures_of`.

    Returns
    -------
    int64 array, shape (rows,)
        Row numbers, by the first min-hash, then the second and so on; rows that agree in all of
        them by content, so that equal rows lie side by side, and then by number. Empty rows last.

    References
    ----------
    Broder 1997, doi 10.1109/SEQUEN.1997.666900.

    Examples
    --------
    >>> table = sparse.csr_array([[0, 0, 0], [1, 1, 0], [0, 0, 1], [1, 1, 0]])
    >>> order = minhash_order(table, hashes=8, seed=0)
    >>> abs(int(np.flatnonzero(order == 1)[0] - np.flatnonzero(order == 3)[0])), int(order[3])
    (1, 0)
    """
    numbers = np.arange(table.shape[0])
    return np.argsort(order_keys(table.indptr, table.indices, numbers, hashes=hashes, seed=seed))


def order_keys(
    indptr: np.ndarray, items: np.ndarray, numbers: np.ndarray, *, hashes: int, seed: int
) -> np.ndarray:
    """Keys by which rows are sorted: strings of bytes with min-hashes, content and row number.

    The same row has the same key in every part of a table, and no two rows have one key.
    """
    keys = np.empty((len(numbers), hashes + 2), dtype=">u8")
    keys[:, :-1] = signatures_of(indptr, items, hashes=hashes, seed=seed)
    keys[:, -1] = numbers
    return keys.view(f"V{keys.itemsize * keys.shape[1]}").ravel()


def signatures_of(indptr: np.ndarray, items: np.ndarray, *, hashes: int, seed: int) -> np.ndarray:
    """Min-hashes of the rows of a CSR layout, and a last column that identifies their contents.

    Returns
    -------
    uint64 array, shape (rows, hashes + 1)
        In each of the first columns, two rows agree with a chance equal to their Jaccard
        similarity. An empty row has the largest number everywhere.

    References
    ----------
    Broder 1997, On the resemblance and containment of documents,
    doi 10.1109/SEQUEN.1997.666900.
    """
    keys = np.random.SeedSequence(seed).generate_state(hashes + 1, dtype=np.uint64)
    return _signatures(indptr.astype(np.int64), items.astype(np.uint64), keys)


@njit(nogil=True)
def _signatures(indptr: np.ndarray, items: np.ndarray, keys: np.ndarray) -> np.ndarray:
    last = len(keys) - 1
    signs = np.full((len(indptr) - 1, len(keys)), _LARGEST)
    for row in range(len(indptr) - 1):
        content = np.uint64(0)
        for place in range(indptr[row], indptr[row + 1]):
            bits = mixed((items[place] + _ONE) * GOLDEN)
            content += mixed(bits ^ keys[last])
            for function in range(last):
                signs[row, function] = min(signs[row, function], mixed(bits ^ keys[function]))
        if indptr[row] < indptr[row + 1]:
            signs[row, last] = content
    return signs


CHUNK_ROWS = 100_000
CHUNK_METHODS = [name for name, method in METHODS.items() if method.any_size]
ORDERS = ("minhash", "random")


def smooth_k_anonymize_chunks(
    biadjacency: GraphLike,
    k: int,
    *,
    chunk_rows: int = CHUNK_ROWS,
    order: str = "minhash",
    method: str = "greedy",
    effort: str = "fast",
    rng: int | np.random.Generator | None = None,
) -> SmoothAnonymized:
    """Publish a smooth k-anonymous copy whose groups never leave a chunk of similar rows.

    A chunk takes the memory and the time of a table of its size, so that both grow in step with
    the rows. What is lost are groups across chunks: few, as rows that share much have the same
    min-hashes and lie together.

    Parameters
    ----------
    biadjacency : csr_array of ones, shape (rows, items), or other graph
        Rows and columns may be empty; an empty row is a row like any other.
    k : int
        Smallest size of a group, from 2 to the number of rows.
    chunk_rows : int, default 100,000
        Rows of a chunk, at least k. A last chunk of fewer than k rows joins the one before.
    order : {"minhash", "random"}, default "minhash"
        Who shares a chunk: neighbours in the order of `minhash_order`, or anybody, which shows
        what the order is worth.
    method, effort : str, default "greedy" and "fast"
        Who forms the groups of a chunk, "greedy" or "paper", and how long greedy searches, see
        `smooth_k_anonymize`. A limit in seconds is not offered: it would let the result depend on
        the machine.
    rng : int, Generator or None
        Seed or generator. Each chunk has a stream of its own.

    Returns
    -------
    SmoothAnonymized
        The same with any number of threads.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval, or the table is empty, lists an entry twice or stores
        anything but ones.

    Notes
    -----
    With more than one chunk an interruption comes through when those under way are done, and
    changes nothing.

    References
    ----------
    Broder 1997, On the resemblance and containment of documents,
    doi 10.1109/SEQUEN.1997.666900; Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth
    Anonymity for Sparse Graphs*, Definition 3.5, arXiv 2207.06358.

    Examples
    --------
    >>> rows = [[1, 1, 1, 0], *[[1, 1, 0, 0]] * 3, *[[0, 0, 0, 1]] * 4]
    >>> result = smooth_k_anonymize_chunks(rows, 2, chunk_rows=4, rng=1)
    >>> np.bincount(result.labels).min() >= 2, result.jaccard > 0.7
    (np.True_, True)
    """
    check_choice("order", order, ORDERS)
    check_choice("method", method, CHUNK_METHODS)
    check_choice("effort", effort, EFFORTS)
    table = as_ones(by_value(biadjacency, bipartite=True, name="biadjacency"))
    k = check_k(k, table.shape[0])
    chunk_rows = min(check_integer("chunk_rows", chunk_rows, minimum=k), table.shape[0])
    seed = int(as_rng(rng).integers(2**63))
    chunks = _chunks(table, k, chunk_rows, order, seed)
    labels = np.empty(table.shape[0], dtype=np.int64)

    def work(number: int) -> int:
        part = table[chunks[number]]
        with one_thread(apart=len(chunks) > 1):
            part_labels = chunk_labels(part, k, number, method=method, effort=effort, seed=seed)
        labels[chunks[number]] = part_labels
        return int(part_labels.max()) + 1

    groups = in_threads(work, range(len(chunks)), label="chunks")
    for chunk, before in zip(chunks, np.cumsum([0, *groups[:-1]]), strict=True):
        labels[chunk] += before
    return anonymized(publish_votes(table, labels, keep="half"), labels, of=biadjacency)


def _chunks(
    table: sparse.csr_array, k: int, chunk_rows: int, order: str, seed: int
) -> list[np.ndarray]:
    """Rows of each chunk, similar ones side by side, whoever was chosen."""
    rows = minhash_order(table, hashes=HASHES, seed=seed)
    starts = chunk_starts(len(rows), k, chunk_rows)
    if order == "random":
        shuffled = np.random.default_rng([seed, 1]).permutation(len(rows))
        return [rows[np.sort(places)] for places in np.split(shuffled, starts[1:])]
    return np.split(rows, starts[1:])


def chunk_starts(rows: int, k: int, chunk_rows: int) -> np.ndarray:
    """Places where chunks begin; a last chunk of fewer than k rows joins the one before.

    Examples
    --------
    >>> chunk_starts(11, 2, 5), chunk_starts(12, 2, 5)
    (array([0, 5]), array([ 0,  5, 10]))
    """
    starts = np.arange(0, rows, chunk_rows)
    return starts[:-1] if len(starts) > 1 and rows - starts[-1] < k else starts


def chunk_labels(
    table: sparse.csr_array, k: int, number: int, *, method: str, effort: str, seed: int
) -> np.ndarray:
    """Groups of the rows of one chunk; its random numbers depend on the seed and its number."""
    used, columns = np.unique(table.indices, return_inverse=True)
    if not len(used):
        return np.zeros(table.shape[0], dtype=np.int64)  # only empty rows, which are all alike
    shape = (table.shape[0], len(used))
    small = sparse.csr_array((table.data, columns.astype(np.int32), table.indptr), shape=shape)
    stream = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
    way = METHODS[method]
    settings = {"effort": effort, "quiet": True}
    settings = {name: value for name, value in settings.items() if name in way.settings}
    return way.groups(small, k, keep="half", rng=stream, **settings)


@contextmanager
def one_thread(*, apart: bool = True) -> Iterator[None]:
    """Stop compiled code of this thread from starting threads, where chunks have their own."""
    before = numba.get_num_threads()
    if apart:
        numba.set_num_threads(1)
    try:
        yield
    finally:
        numba.set_num_threads(before)
