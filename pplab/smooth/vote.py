"""The vote: a group publishes the items that a majority of its rows has, or those that all have."""

from typing import NamedTuple

import numpy as np
from scipy import sparse

from pplab.checks import check_choice, check_labels
from pplab.graphs import GraphLike, as_ones, with_labels
from pplab.labelled import one_each

RULES = ("half", "more-than-half", "all")


def least_kept(sizes: np.ndarray, keep: str) -> np.ndarray:
    """Minimum number of rows with an item that publish it, for groups of these sizes.

    Examples
    --------
    >>> [least_kept(np.array([4, 5]), keep).tolist() for keep in ("half", "more-than-half", "all")]
    [[2, 3], [3, 3], [4, 5]]
    """
    return {"half": (sizes + 1) // 2, "more-than-half": sizes // 2 + 1, "all": sizes}[keep]


def publishable(table: sparse.csr_array, k: int, *, keep: str) -> sparse.csr_array:
    """Entries of the items that some group of k or more rows could publish; the rest is lost.

    What is left out changes no objective. Rows may become equal, or empty.

    Examples
    --------
    >>> table = sparse.csr_array([[1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1]])
    >>> publishable(table, 3, keep="half").toarray()[:, 1:]
    array([[1, 0],
           [1, 0],
           [1, 1],
           [0, 1]])
    """
    counts = np.bincount(table.indices, minlength=table.shape[1])
    enough = (counts >= least_kept(np.array(k), keep))[table.indices]
    if enough.all():
        return table
    indptr = np.concatenate([[0], np.cumsum(enough)])[table.indptr]
    part = sparse.csr_array((table.data[enough], table.indices[enough], indptr), shape=table.shape)
    part.has_canonical_format = True
    return part


class Published(NamedTuple):
    """A published table and its counts of entries.

    Attributes
    ----------
    biadjacency : csr_array of int32 ones, shape (rows, items)
    kept, created, suppressed : int
        Entries in both tables, in the published one only, in the original one only.
    """

    biadjacency: sparse.csr_array
    kept: int
    created: int
    suppressed: int


def publish_votes(biadjacency: GraphLike, labels: np.ndarray, *, keep: str) -> Published:
    """Publish for every row of a group the items that enough of its rows have.

    Parameters
    ----------
    biadjacency : csr_array of ones, shape (rows, items), or other graph
    labels : int array, shape (rows,)
        Group of each row.
    keep : {"half", "more-than-half", "all"}
        Which items a group keeps: those of at least half of its rows, as in the definition of
        smooth anonymity; of more than half; or of all, which only suppresses.

    Returns
    -------
    Published

    Raises
    ------
    TypeError, ValueError
        If labels are not one group number per row, keep is not known, or the table is empty or
        stores anything but ones.

    Notes
    -----
    To keep an item that exactly half has is best: it adds c kept and c created entries, and
    (K + c) / (N + C + c) >= K / (N + C) for every K <= N + C.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definition 3.5 and step 6 of its second algorithm, arXiv 2207.06358.

    Examples
    --------
    >>> result = publish_votes([[1, 1, 0], [1, 0, 1]], np.array([0, 0]), keep="half")
    >>> result.biadjacency.toarray()
    array([[1, 1, 1],
           [1, 1, 1]], dtype=int32)
    >>> result.kept, result.created, result.suppressed
    (4, 2, 0)
    """
    check_choice("keep", keep, RULES)
    biadjacency = with_labels(biadjacency, bipartite=True, name="biadjacency")
    table = as_ones(biadjacency)
    group_of = check_labels(one_each(biadjacency, labels, "labels"), table.shape[0])
    sizes = np.bincount(group_of)
    starts, members = np.concatenate([[0], np.cumsum(sizes)]), np.argsort(group_of, kind="stable")
    ones, shape = np.ones(len(members), dtype=np.int64), (len(sizes), table.shape[0])
    counts = sparse.csr_array((ones, members, starts), shape=shape) @ table  # at [group, item]
    counts.data *= counts.data >= np.repeat(least_kept(sizes, keep), np.diff(counts.indptr))
    counts.eliminate_zeros()
    counts.sort_indices()
    kept, counts.data = int(counts.sum()), np.ones(counts.nnz, dtype=np.int32)
    copy = counts[group_of]
    copy.has_canonical_format = True
    return Published(copy, kept, copy.nnz - kept, table.nnz - kept)
