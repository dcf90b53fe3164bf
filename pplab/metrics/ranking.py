"""How much of the best possible list a recommended list keeps: NDCG@N (Jorgensen and Yu 2014)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from pplab.checks import as_array, check_choice, check_integer, shown
from pplab.compiled import njit
from pplab.graphs import Array, GraphLike, as_matrix, is_frame, with_labels
from pplab.labelled import Labelled, as_series, rows_of
from pplab.tables import shares


def ndcg(
    utilities: GraphLike, ranked_items: Any, *, top_n: int, undefined: str = "skip"
) -> np.ndarray:
    """Share of the ideal list's discounted utility that each user's list has: NDCG@N.

    ``DCG = sum over the list of utility / max(1, log2(rank) + 1)``: the item at rank 1 counts in
    full, at rank 2 by 1/2, at rank 4 by 1/3. The ideal list ranks by the same utilities.
    Other tools discount differently: rank 2 counts 0.631 in scikit-learn and in full in LensKit.

    Parameters
    ----------
    utilities : csr_array or 2-D array, shape (users, items)
        True utilities, at least 0; what is not stored is 0.
    ranked_items : int array, shape (users, top_n or more)
        Item numbers, best first; the first ``top_n`` count. For a Table the ``.items`` of
        `recommend`, by label.
    top_n : int
        N, from 1 to the length of the lists.
    undefined : {"skip", "zero", "one"}
        What stands for a user whose utilities are all 0, for whom 0 is divided by 0: NaN, 0 or 1.

    Returns
    -------
    float64 array, shape (users,)
        In [0, 1], or NaN; a Series for a Table.

    Raises
    ------
    TypeError, ValueError
        If utilities are negative or not finite, a list repeats an item or names one that does not
        exist, or is shorter than ``top_n``.

    References
    ----------
    Jorgensen and Yu 2014, A privacy-preserving framework for personalized, social
    recommendations, EDBT 2014, equation 2, doi 10.5441/002/edbt.2014.51.

    Examples
    --------
    >>> ndcg([[4, 2, 0], [0, 0, 0]], [[1, 0], [0, 1]], top_n=2)  # (2 + 4/2) / (4 + 2/2)
    array([0.8, nan])
    """
    check_choice("undefined", undefined, ("skip", "zero", "one"))
    utilities = with_labels(utilities, bipartite=True, name="utilities")
    if isinstance(utilities, Labelled) or is_frame(ranked_items):
        ranked_items = _by_number(utilities, ranked_items)
    table = _as_utilities(utilities)
    lists = _as_lists(ranked_items, utilities, *table.shape, top_n=top_n)
    parts, step = [], 256 if isinstance(table, np.ndarray) else table.shape[0]
    for start in range(0, table.shape[0], step):  # rows that stay in the processor's cache
        some = slice(start, start + step)
        judge = Judge(table[some], longest=lists.shape[1])
        _check_utilities(table, judge)
        parts += judge.ndcg(lists[some], lists.shape[1:])
    kept = np.concatenate(parts)
    kept = np.nan_to_num(kept, nan={"skip": np.nan, "zero": 0.0, "one": 1.0}[undefined])
    return as_series(utilities, kept, "ndcg")


def _by_number(utilities: Any, lists: Any) -> np.ndarray:
    """Lists of labels as item numbers, in the order of the users."""
    if not (isinstance(utilities, Labelled) and is_frame(lists)):
        raise ValueError(
            "utilities and ranked_items must both carry labels or none, got "
            f"{type(utilities).__name__} and {type(lists).__name__}; pass a Table and the .items "
            "that recommend gives for one"
        )
    rows = rows_of(utilities, lists.index.tolist(), name="users of ranked_items")
    lists_of = np.bincount(rows, minlength=utilities.shape[0])
    if (lists_of != 1).any():
        odd = int(np.argmax(lists_of != 1))
        raise ValueError(
            f"ranked_items must have one list for each of the users, got {lists_of[odd]} for "
            f"{shown(utilities.axes[0].listed[odd])}; recommend to each of them once"
        )
    number = {label: place for place, label in enumerate(utilities.axes[1].listed)}
    if lists.columns.name == "rank":  # as recommend labels them
        lists = lists.sort_index(axis=1, key=lambda ranks: ranks.astype(int))
    cells = lists.to_numpy()
    if strange := [label for label in cells.ravel().tolist() if label not in number]:
        raise ValueError(
            f"ranked_items must name items of utilities, got {shown(strange[0])}; judge lists of "
            "the same items"
        )
    columns = np.empty(cells.shape, dtype=np.int64)
    columns[rows] = [[number[label] for label in row] for row in cells.tolist()]
    return columns


class Judge:
    """NDCG of many lists by one truth; work that depends only on the truth is done once.

    For lists and utilities that pplab made itself; nothing is checked.

    Parameters
    ----------
    utilities : csr_array or 2-D array, shape (users, items)
        True utilities, at least 0, rows sorted.
    longest : int
        Longest list that will be judged.

    Examples
    --------
    >>> judge = Judge(sparse.csr_array([[4, 2, 0], [0, 0, 0]]), longest=2)
    >>> judge.ndcg(np.array([[1, 0], [0, 1]]), [1, 2])
    [array([0.5, nan]), array([0.8, nan])]
    """

    def __init__(self, utilities: sparse.csr_array | np.ndarray, *, longest: int) -> None:
        self.utilities = utilities
        self.best = _discounted(_best_gains(utilities, longest))

    def ndcg(self, lists: np.ndarray, lengths: Sequence[int]) -> list[np.ndarray]:
        """NDCG@N of each user for each N; NaN for users whose utilities are all 0."""
        sides = _discounted(gains(self.utilities, lists[:, : max(lengths)])), self.best
        return [
            # NaN stays; a sum in other order may exceed 1 by a rounding
            np.minimum(shares(*(side[:, :top_n].sum(axis=1) for side in sides)), 1)
            for top_n in lengths
        ]


def _as_utilities(utilities: GraphLike) -> sparse.csr_array | np.ndarray:
    """Bring utilities into sorted CSR or a dense array of numbers."""
    full = isinstance(utilities, np.ndarray) and utilities.ndim == 2 and utilities.size
    name = "utilities"
    table: Any = as_array(name, utilities) if full else as_matrix(utilities, name=name)
    if table.dtype.kind not in "biuf":
        raise TypeError(f"utilities must be numbers, got {table.dtype}; pass floats")
    return table


def _check_utilities(table: sparse.csr_array | np.ndarray, judge: Judge) -> None:
    """Refuse what is negative or not finite in some rows; infinity is among their best."""
    part, values = (x if isinstance(x, np.ndarray) else x.data for x in (judge.utilities, table))
    if not (part.min(initial=0) >= 0 and judge.best.max() < np.inf):  # NaN fails
        raise ValueError(
            f"utilities must be finite and at least 0, got {values.min()} to {values.max()}; "
            "rank by the true utilities, before noise"
        )


def _best_gains(table: sparse.csr_array | np.ndarray, top_n: int) -> np.ndarray:
    """Utilities of each user's best items, in falling order."""
    length = min(top_n, table.shape[1])
    best = np.empty((table.shape[0], length))
    for start in range(0, len(best), 64):
        some = slice(start, start + 64)
        rows = table[some] if isinstance(table, np.ndarray) else _filled(table, start, length)
        worse = np.negative(rows, dtype=np.float64)  # numpy is slow above many equal numbers
        worse.partition(length - 1, axis=1)
        best[some] = worse[:, :length]
    return -np.sort(best, axis=1)


def _filled(table: sparse.csr_array, start: int, least: int) -> np.ndarray:
    """Stored values of 64 rows from one on, with zeros after them: `least` columns or more."""
    ends = table.indptr[start : start + 65]
    sizes = np.diff(ends)[:, None]
    rows = np.zeros((len(sizes), max(least, sizes.max())))
    rows[np.arange(rows.shape[1]) < sizes] = table.data[ends[0] : ends[-1]]
    return rows


def gains(table: sparse.csr_array | np.ndarray, lists: np.ndarray) -> np.ndarray:
    """Utility of each listed item, in the order of the list; a sparse table has sorted rows.

    Examples
    --------
    >>> gains(sparse.csr_array([[4, 2, 0], [0, 0, 3]]), np.array([[1, 2], [2, 0]]))
    array([[2, 0],
           [3, 0]])
    """
    if isinstance(table, np.ndarray):
        return table.take(np.arange(len(lists))[:, None] * table.shape[1] + lists)
    places = _stored_at(table.indptr, table.indices, lists)  # scipy may read whole rows for a cell
    stored = places >= 0
    values = np.zeros(lists.shape, dtype=table.dtype)
    values[stored] = table.data[places[stored]]
    return values


@njit(nogil=True)
def _stored_at(indptr: Array, indices: Array, lists: Array) -> Array:
    """Where the cells of each row that a list names are stored; -1 for those that are not."""
    places = np.full(lists.shape, -1)
    for row in range(len(lists)):
        end = indptr[row + 1]
        for rank in range(lists.shape[1]):
            low, high = indptr[row], end
            while low < high:
                middle = (low + high) // 2
                if indices[middle] < lists[row, rank]:
                    low = middle + 1
                else:
                    high = middle
            if low < end and indices[low] == lists[row, rank]:
                places[row, rank] = low
    return places


def _discounted(gains: np.ndarray) -> np.ndarray:
    ranks = np.arange(1, gains.shape[1] + 1)
    return gains / np.maximum(1, np.log2(ranks) + 1)


def _as_lists(ranked: Any, people: Any, users: int, items: int, *, top_n: Any) -> np.ndarray:
    """Bring lists of items into an int64 array of their first top_n; refuse what is no list."""
    array = as_array("ranked_items", ranked)
    if array.ndim != 2 or array.dtype.kind not in "iu" or len(array) != users:
        raise ValueError(
            f"ranked_items must be whole numbers of shape ({users}, top_n or more), one row per "
            f"user, got shape {array.shape} of {array.dtype}; pass .items of a recommendation"
        )
    length = check_integer("top_n", top_n, minimum=1)
    if length > array.shape[1]:
        raise ValueError(
            f"top_n must be at most the length of the lists, {array.shape[1]}, got "
            f"{shown(length)}; recommend longer lists or look at fewer places"
        )
    if array.size and not 0 <= array.min() <= array.max() < items:
        raise ValueError(
            f"ranked_items must be item numbers from 0 to {items - 1}, got {array.min()} to "
            f"{array.max()}; number the items as the columns of utilities"
        )
    lists = np.ascontiguousarray(array[:, :length], dtype=np.int64)
    ordered = np.sort(lists, axis=1)
    same = ordered[:, 1:] == ordered[:, :-1]
    if same.any():
        user, place = (int(rows[0]) for rows in np.nonzero(same))
        got = f"item {ordered[user, place]} twice for user {user}"
        if isinstance(people, Labelled):
            got = f"{people.cell(user, ordered[user, place])} twice"
        raise ValueError(f"ranked_items must name an item once per user, got {got}; rank it once")
    return lists
