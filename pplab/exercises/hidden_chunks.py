"""Cut a table that the notebook does not show into chunks: what does anonymity lose?"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from pplab.exercises.answers import call
from pplab.exercises.hidden_points import as_labels
from pplab.smooth.anonymize import smooth_k_anonymize
from pplab.smooth.groups import publish_votes

__all__ = ["LOSS", "SIZE", "K", "families", "jaccard_in_chunks", "not_chunking"]

K, SIZE, LOSS = 6, 560, 0.02
_FAMILIES, _MEMBERS, _ITEMS, _KEPT = 160, 14, 90, 10


@cache
def families() -> np.ndarray:
    """Families of nearly equal rows, in an order that tells nothing."""
    rng = np.random.default_rng(2044)
    kinds = np.array([rng.permutation(_ITEMS) < _KEPT for _ in range(_FAMILIES)])
    rows = np.repeat(kinds, _MEMBERS, axis=0) ^ (
        rng.random((_FAMILIES * _MEMBERS, _ITEMS)) < 1 / (60 * _ITEMS)
    )
    table: np.ndarray = rows[rng.permutation(len(rows))].astype(np.int8)
    return table


def jaccard_in_chunks(table: np.ndarray, chunk_of: np.ndarray) -> float:
    """Similarity when each chunk is anonymized alone."""
    labels = np.empty(len(table), dtype=np.int64)
    first = 0
    for chunk in np.unique(chunk_of):
        rows = np.flatnonzero(chunk_of == chunk)
        groups = smooth_k_anonymize(table[rows], K, method="paper", rng=1).labels
        labels[rows] = first + groups
        first += int(groups.max()) + 1
    published = publish_votes(table, labels, keep="half")
    return published.kept / (int(table.sum()) + published.created)


@cache
def _whole() -> float:
    return smooth_k_anonymize(families(), K, method="paper", rng=1).jaccard


def not_chunking(answer: Callable[..., Any]) -> str | None:
    """Try chunks(table, size) on the hidden table; "" when little is lost."""
    table = families()
    chunk_of = as_labels(call(answer, table.copy(), SIZE), len(table))
    sizes = np.unique(chunk_of, return_counts=True)[1]
    if sizes.max() > SIZE:
        return f"A chunk has {sizes.max()} rows, more than size = {SIZE}: number the rows in order."
    if sizes.min() < K:
        return f"A chunk has {sizes.min()} rows, too few for a group of k = {K}."
    share = 1 - jaccard_in_chunks(table, chunk_of) / _whole()
    if share <= LOSS:
        return ""
    if share > 0.1:
        return f"These chunks lose {share:.0%}: twins are torn apart. Sort rows by hashes first."
    return f"These chunks lose {share:.1%} of J. Do rows that are alike stand beside each other?"
