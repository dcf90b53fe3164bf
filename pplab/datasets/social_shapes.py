"""The shape of a social network with preferences in a few numbers: what a stand-in has to match."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

__all__ = ["describe_network"]


def describe_network(social: sparse.csr_array, preferences: sparse.csr_array) -> dict[str, Any]:
    """Summarise who is whose friend and what friends have in common.

    Parameters
    ----------
    social : csr_array, symmetric, shape (users, users)
    preferences : csr_array, shape (users, items)
        Every user stores at least one; the stored values mean nothing here.

    Returns
    -------
    dict
        ``degrees`` and ``item_degrees`` (21 quantiles, from the smallest to the largest),
        ``components`` (sizes, descending), ``item_tops`` (users of the 1st, 2nd, 4th, ... item by
        popularity, at most ten), ``friend_share`` and ``stranger_share`` (how much of a user's
        items a friend has as well, mean over all friends, and anybody else, over all pairs).

    Examples
    --------
    >>> pair = sparse.csr_array([[0, 1], [1, 0]])
    >>> found = describe_network(pair, sparse.csr_array([[1, 1], [0, 1]]))
    >>> found["components"], found["item_tops"], found["friend_share"]
    ([2], [2, 1], 0.75)
    """
    users, items = preferences.shape
    ones = np.ones(preferences.nnz)
    pattern = sparse.csr_array(
        (ones, preferences.indices, preferences.indptr), shape=preferences.shape
    )
    counts, popular = np.diff(preferences.indptr), np.bincount(preferences.indices, minlength=items)
    rows = np.repeat(np.arange(users), counts)
    # a pair is met once from each side, each time by the share of the one who looks
    met = np.bincount(rows, popular[preferences.indices] - 1.0, minlength=users) / counts
    degrees = np.diff(social.indptr)
    looking = np.repeat(np.arange(users), degrees)
    common = np.zeros(social.nnz)
    for start in range(0, social.nnz, 100_000):  # in blocks: never all pairs at once
        part = slice(start, start + 100_000)
        both = pattern[looking[part]].multiply(pattern[social.indices[part]])
        common[part] = np.asarray(both.sum(axis=1)).ravel() / counts[looking[part]]
    points = np.linspace(0, 1, 21)
    sizes = np.bincount(connected_components(social, directed=False)[1])
    tops = np.sort(popular)[::-1]
    return {
        "degrees": np.quantile(degrees, points, method="nearest").tolist(),
        "components": np.sort(sizes)[::-1].tolist(),
        "item_degrees": np.quantile(popular, points, method="nearest").tolist(),
        "item_tops": [int(tops[2**k - 1]) for k in range(10) if 2**k <= items],
        "friend_share": round(float(common.mean()), 4),
        "stranger_share": round(float(met.sum() / (users * (users - 1))), 4),
    }
