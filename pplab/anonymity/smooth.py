"""Smooth k-anonymity: groups of k or more rows publish what at least half of them have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from pplab.anonymity.alg1 import alg1_labels
from pplab.anonymity.alg2 import alg2_labels
from pplab.anonymity.paper_recipe import ASSIGNMENTS, paper_recipe
from pplab.anonymity.votes import Published, publish_votes
from pplab.checks import check_choice, check_integer, check_k
from pplab.checks.binary import check_ones
from pplab.graphs import GraphLike, as_matrix

__all__ = ["METHODS", "TIES", "SmoothAnonymized", "anonymized", "smooth_k_anonymize"]

METHODS = ("paper", "alg1", "alg2")
TIES = ("half", "more-than-half")
MERGINGS = ("near", "printed")


@dataclass(frozen=True, eq=False)
class SmoothAnonymized:
    """A published table, its groups and what became of the entries.

    Attributes
    ----------
    biadjacency : csr_array of int8 ones, shape (rows, items)
        What is published; rows of a group are equal.
    labels : int64 array, shape (rows,)
        Group of each row, 0 to groups - 1. Two groups may publish the same.
    jaccard : float
        Similarity with the original, (1 - suppressed) / (1 + created); 1 if nothing was there.
    suppressed, created : float
        Entries lost and entries added, as shares of the entries of the original.
    empty_rows : float
        Share of rows that are published without any entry.
    """

    biadjacency: sparse.csr_array
    labels: np.ndarray
    jaccard: float
    suppressed: float
    created: float
    empty_rows: float


def smooth_k_anonymize(
    biadjacency: GraphLike,
    k: int,
    *,
    method: str = "paper",
    ties: str = "half",
    rng: int | np.random.Generator | None = None,
    spread: int = 2,
    assignment: str = "arrival",
    orders: int = 10,
    merging: str = "near",
) -> SmoothAnonymized:
    """Publish a smooth k-anonymous copy of a binary table.

    Parameters
    ----------
    biadjacency : csr_array of ones, shape (rows, items), or other graph
        Rows and columns may be empty; an empty row is a row like any other.
    k : int
        Smallest size of a group, from 2 to the number of rows.
    method : {"paper", "alg1", "alg2"}
        Who forms the groups: the paper's recipe as run, for tables of any size; or its two
        algorithms as written, for up to about 200 rows.
    ties : {"half", "more-than-half"}
        What becomes of an item that exactly half of a group has: kept, as in the definition, or
        dropped. To keep it never lowers the similarity, see `publish_votes`.
    rng : int, Generator or None
        Seed or generator.
    spread, assignment, orders : int, str, int
        Settings of the method "paper": see `paper_recipe`.
    merging : {"near", "printed"}, default "near"
        Setting of the method "alg2": how small clusters are merged, see `alg2_labels`.

    Returns
    -------
    SmoothAnonymized

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval, or the table is empty, lists an entry twice or stores
        anything but ones.
    TimeoutError
        If "alg1", an integer programme, is not solved within a minute; `alg1_labels` takes more
        seconds, or a gap to the optimum.

    Notes
    -----
    A run can be interrupted between jobs of a few seconds; nothing is changed then.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definition 3.5, Section 5 and Appendix D, arXiv 2207.06358.

    Examples
    --------
    >>> rows = [[1, 1, 1, 0], *[[1, 1, 0, 0]] * 3, *[[0, 0, 0, 1]] * 4]
    >>> found = smooth_k_anonymize(rows, 2, rng=1)
    >>> found.biadjacency.toarray()[::4]
    array([[1, 1, 0, 0],
           [0, 0, 0, 1]], dtype=int8)
    >>> found.suppressed * 13, found.created, round(found.jaccard, 4)
    (1.0, 0.0, 0.9231)
    """
    check_choice("method", method, METHODS)
    check_choice("ties", ties, TIES)
    check_choice("assignment", assignment, ASSIGNMENTS)
    spread = check_integer("spread", spread, minimum=2)
    orders = check_integer("orders", orders, minimum=1)
    check_choice("merging", merging, MERGINGS)
    table = as_matrix(biadjacency, name="biadjacency")
    check_ones("biadjacency", table)
    k = check_k(k, table.shape[0])
    if method == "paper":
        labels = paper_recipe(
            table, k, spread=spread, assignment=assignment, orders=orders, rng=rng
        )
    elif method == "alg1":
        labels = alg1_labels(table, k, rng=rng)
    else:
        labels = alg2_labels(table, k, merging=merging, rng=rng)
    return anonymized(publish_votes(table, labels, keep=ties), labels)


def anonymized(published: Published, labels: np.ndarray) -> SmoothAnonymized:
    """Put counts into shares."""
    entries = published.kept + published.suppressed
    union = entries + published.created
    return SmoothAnonymized(
        published.biadjacency,
        labels,
        published.kept / union if union else 1.0,
        published.suppressed / entries if entries else 0.0,
        published.created / entries if entries else 0.0,
        float((np.diff(published.biadjacency.indptr) == 0).mean()),
    )
