"""Random lists: what a recommender that knows nothing achieves."""

from __future__ import annotations

import numpy as np

from pplab.response.streams import new_key

__all__ = ["random_lists"]


def random_lists(
    users: np.ndarray, *, items: int, top_n: int, rng: np.random.Generator
) -> np.ndarray:
    """Draw a list of different items for each user, all lists being equally likely.

    A user's list depends on the seed and the user's row alone.

    Parameters
    ----------
    users : int64 array
        Rows to recommend to.
    items : int
        Number of items.
    top_n : int
        From 1 to the number of items.
    rng : numpy.random.Generator

    Returns
    -------
    int64 array, shape (users, top_n)

    Examples
    --------
    >>> lists = random_lists(np.arange(2), items=3, top_n=3, rng=np.random.default_rng(1))
    >>> np.sort(lists)
    array([[0, 1, 2],
           [0, 1, 2]])
    """
    words = [int(word) for word in new_key(rng)]
    lists = np.empty((len(users), top_n), dtype=np.int64)
    for place, user in enumerate(users):
        stream = np.random.default_rng(np.random.SeedSequence([*words, int(user)]))
        lists[place] = stream.choice(items, size=top_n, replace=False)
    return lists
