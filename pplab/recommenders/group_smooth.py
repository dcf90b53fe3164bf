"""Group and smooth: sort utilities by rough private estimates, publish noisy means of groups.

Kellaris and Papadopoulos 2013, doi 10.14778/2535573.2488337, as Jorgensen and Yu 2014 compare it.
"""

import math
from typing import Any

import numpy as np
from scipy import sparse

from pplab.checks import as_rng, check_epsilon, check_integer, check_stored_values
from pplab.compiled import in_ranges, new_key, njit
from pplab.graphs import Array, GraphLike, as_matrix, check_preferences, check_public_frame
from pplab.recommenders.similarity import check_users
from pplab.recommenders.top_items import check_noise_scale, laplace_rows

_BLOCK, _ITEMS = 512, 128  # items at once, and those that a thread takes


def group_smooth_utilities(
    similarity: GraphLike,
    preferences: GraphLike,
    *,
    epsilon: float,
    group_size: int,
    rng: int | np.random.Generator | None = None,
    users: Any = None,
) -> np.ndarray:
    """Publish utilities of all items by grouping and smoothing.

    For each item, half of epsilon buys rough estimates of all utilities (from a sample in which
    each preference counts once), the users are sorted by them, and the other half buys the means
    of the true utilities of ``group_size`` users at a time.

    Parameters
    ----------
    similarity : users x users, at least 0
        Public; row u holds the similarities that weigh the preferences for user u.
    preferences : users x items, weights in [0, 1]
        Its rows are those of the similarities.
    epsilon : float
        Privacy level of one preference (user, item), in (0, inf]; inf adds no noise, but the
        sample is drawn and groups are averaged all the same. Only groups of one are then exact.
    group_size : int
        m, from 1 to the number of users; chosen beforehand, without looking at the preferences.
    rng : int, numpy.random.Generator or None
    users : list of int, optional
        Rows wanted; what a user gets does not depend on which others are asked for.

    Returns
    -------
    float32 array, shape (users, items)

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval or the two graphs do not share their users.

    Notes
    -----
    The level holds. Rough estimates: a preference (v, i) is in one query of a user drawn among
    those similar to v, whatever else is stored, so it moves one estimate by at most the largest
    similarity; with noise of scale 2 max sim / epsilon that costs epsilon / 2. Sorting only reads
    them. Means: given the groups, the preference moves the utilities of its item by column v of
    the similarities, and the means of groups of m by 1/m of that column's sum together, however
    the users fall into groups: noise of scale 2 D / epsilon with D = max_v sum_u sim(u, v) / m
    costs the other half. Items do not share preferences. What needs care are users left over when
    m does not divide their number: in a smaller group of their own they would move its mean by
    more than 1/m, so they join the last group, the one of the least estimates. Written from memory
    of the paper and from the paragraph in Jorgensen and Yu 2014.

    References
    ----------
    Kellaris and Papadopoulos 2013, Practical differential privacy via grouping and smoothing,
    PVLDB 6(5), doi 10.14778/2535573.2488337. Jorgensen and Yu 2014, A privacy-preserving framework
    for personalized, social recommendations, EDBT 2014, doi 10.5441/002/edbt.2014.51.

    Examples
    --------
    >>> friends, likes = [[0, 2], [2, 0]], [[1, 0], [1, 1]]
    >>> group_smooth_utilities(friends, likes, epsilon=float("inf"), group_size=2, rng=1)
    array([[2., 1.],
           [2., 1.]], dtype=float32)
    """
    weights = as_matrix(similarity, name="similarity").astype(np.float64)
    check_stored_values("similarity", weights, low=0, high=math.inf)
    check_public_frame("preferences", preferences)
    table = as_matrix(preferences, name="preferences").astype(np.float64)
    if weights.shape[0] != weights.shape[1]:
        raise ValueError(
            f"similarity must be users x users, got shape {weights.shape}; give both graphs the "
            "same users in the same order"
        )
    check_preferences(table, weights.shape[0])
    check_epsilon(epsilon, allow_infinity=True)
    check_noise_scale(2 * largest_column(weights) / float(epsilon), float(epsilon))
    size = check_integer("group_size", group_size, minimum=1, maximum=table.shape[0])
    rows, source = check_users(users, table.shape[0]), as_rng(rng)
    order = rough_order(weights, table, float(epsilon), source)
    truth = (weights @ table).T.tocsr()
    scale = 2 * largest_column(weights) / size / float(epsilon)
    return smoothed(truth, order, size, scale, key=new_key(source), rows=rows)


def largest_column(weights: sparse.csr_array) -> float:
    """Total change of an item's utilities by one preference."""
    return float(weights.sum(axis=0).max())


# The two halves: a rough private order of users, noisy means of groups.


def rough_order(
    weights: sparse.csr_array, table: sparse.csr_array, epsilon: float, rng: np.random.Generator
) -> np.ndarray:
    """Users of each item from the greatest rough estimate to the least (items x users)."""
    rough = sampled_utilities(weights, table, rng=rng).T.tocsr()
    scale, key = 2 * float(weights.max()) / epsilon, new_key(rng)
    order = np.empty(rough.shape, dtype=np.int32)
    for first in range(0, len(order), _BLOCK):
        block = rough[first : first + _BLOCK].toarray()
        block += scale * laplace_rows(key, range(first, first + len(block)), block.shape[1])
        # noise leaves no equal estimates, which a stable sort would keep in the order of users
        order[first : first + _BLOCK] = np.argsort(-block, axis=1, kind=None if scale else "stable")
    return order


def sampled_utilities(
    similarity: sparse.csr_array, preferences: sparse.csr_array, *, rng: np.random.Generator
) -> sparse.csr_array:
    """Count each preference (v, i) for one user drawn among those similar to v (users x items).

    Examples
    --------
    >>> friends = sparse.csr_array([[0, 2, 0], [2, 0, 1], [0, 1, 0]])
    >>> likes = sparse.csr_array([[0], [1], [0]])
    >>> sampled_utilities(friends, likes, rng=np.random.default_rng(1)).toarray().T
    array([[0, 0, 1]])
    """
    columns = sparse.csc_array(similarity, copy=True)
    columns.eliminate_zeros()  # users with a similarity of 0 are not similar
    likes = preferences.tocoo()
    similar = np.diff(columns.indptr)[likes.row]
    place = (rng.random(likes.nnz) * similar).astype(np.int64)
    used = similar > 0
    chosen = (columns.indptr[likes.row] + np.minimum(place, similar - 1))[used]
    values = columns.data[chosen] * likes.data[used]
    cells = (columns.indices[chosen], likes.col[used])
    return sparse.csr_array(sparse.coo_array((values, cells), shape=preferences.shape))


def smoothed(
    truth: sparse.csr_array,
    order: np.ndarray,
    size: int,
    scale: float,
    *,
    key: np.ndarray,
    rows: np.ndarray,
) -> np.ndarray:
    """Noisy means of groups, assigned to their members (users x items); truth is transposed."""
    items, count = order.shape
    starts = np.arange(count // size) * size  # users left over join the last group
    sizes = np.diff(starts, append=count)
    answers = np.empty((len(rows), items), dtype=np.float32)
    for first in range(0, items, _BLOCK):
        group = order[first : first + _BLOCK]
        table = truth[first : first + _BLOCK].toarray()
        noise = scale * laplace_rows(key, range(first, first + len(group)), len(starts))
        groups = table, group, starts, sizes, noise
        in_ranges(_means_of_groups, len(table), _ITEMS, *groups, label="items", quiet=True)
        answers[:, first : first + _BLOCK] = table[:, rows].T
    return answers


@njit(nogil=True)
def _means_of_groups(
    table: Array, order: Array, starts: Array, sizes: Array, noise: Array, first: int, last: int
) -> None:
    """Put the noisy mean of its group in the place of each utility of some items, in place."""
    for item in range(first, last):
        row, users = table[item], order[item]
        for group in range(len(starts)):
            members = users[starts[group] : starts[group] + sizes[group]]
            total = 0.0
            for user in members:
                total += row[user]
            mean = total / sizes[group] + noise[item, group]
            for user in members:
                row[user] = mean
