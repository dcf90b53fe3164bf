"""How much of a graph survives: the Jaccard similarity of two edge sets."""

from __future__ import annotations

import numpy as np

from pplab.graphs import GraphLike, as_aligned, cell_keys

__all__ = ["jaccard_similarity"]


def jaccard_similarity(original: GraphLike, protected: GraphLike) -> float:
    """Jaccard similarity of two edge sets: shared edges over all edges.

    Parameters
    ----------
    original, protected : csr_array, shape (users, items), or other graphs of one shape
        Stored entries are edges, whatever their values.

    Returns
    -------
    float
        In [0, 1]; 1 when both are empty.

    Raises
    ------
    ValueError
        If the shapes differ.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definition 3.6, arXiv 2207.06358.

    Examples
    --------
    >>> jaccard_similarity([[1, 1, 0]], [[1, 0, 1]])  # one edge shared, three in all
    0.3333333333333333
    """
    left, right = as_aligned(original=original, protected=protected)
    shared = len(np.intersect1d(cell_keys(left), cell_keys(right), assume_unique=True))
    union = left.nnz + right.nnz - shared
    return shared / union if union else 1.0
