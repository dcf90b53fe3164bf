"""k-anonymity by suppression: groups of k or more rows publish what all of them have."""

from __future__ import annotations

import numpy as np

from pplab.anonymity.mondrian import mondrian
from pplab.anonymity.paper_recipe import paper_recipe
from pplab.anonymity.search.greedy import EFFORTS, greedy_labels
from pplab.anonymity.smooth import SmoothAnonymized, anonymized
from pplab.anonymity.votes import publish_votes
from pplab.checks import check_choice, check_k, check_ones, check_settings
from pplab.graphs import GraphLike, as_matrix

__all__ = ["METHODS", "suppress_k_anonymize"]

METHODS = ("greedy", "clusters", "mondrian")


def suppress_k_anonymize(
    biadjacency: GraphLike,
    k: int,
    *,
    method: str = "greedy",
    effort: str = "fast",
    rng: int | np.random.Generator | None = None,
) -> SmoothAnonymized:
    """Publish a k-anonymous copy of a binary table that only leaves entries out.

    Parameters
    ----------
    biadjacency : csr_array of ones, shape (rows, items), or other graph
    k : int
        Smallest size of a group, from 2 to the number of rows.
    method : {"greedy", "clusters", "mondrian"}, default "greedy"
        "greedy": groups grown and annealed to have much in common. "clusters": the groups that
        `smooth_k_anonymize` makes with method "paper" from the same seed (the paper's baseline
        "non-smooth"). "mondrian": strict Mondrian on the columns.
    effort : {"fast", "thorough"}, default "fast"
        Setting of the method "greedy": see `smooth_k_anonymize`.
    rng : int, Generator or None
        Seed or generator; Mondrian draws nothing.

    Returns
    -------
    SmoothAnonymized
        `created` is 0 always.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval, or the table is empty, lists an entry twice or stores
        anything but ones.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definition 3.4 and Appendix D, arXiv 2207.06358; LeFevre, DeWitt and Ramakrishnan 2006,
    Mondrian multidimensional k-anonymity, doi 10.1109/ICDE.2006.101.

    Examples
    --------
    >>> rows = [[1, 1, 1, 0], *[[1, 1, 0, 0]] * 3, *[[0, 0, 0, 1]] * 4]
    >>> suppress_k_anonymize(rows, 2, rng=1).biadjacency.toarray()[::4]
    array([[1, 1, 0, 0],
           [0, 0, 0, 1]], dtype=int8)
    """
    check_choice("method", method, METHODS)
    check_choice("effort", effort, EFFORTS)
    longer = None if effort == EFFORTS[0] else effort
    check_settings(method, "greedy", {"effort": longer})
    table = as_matrix(biadjacency, name="biadjacency")
    check_ones("biadjacency", table)
    k = check_k(k, table.shape[0])
    if method == "greedy":
        labels = greedy_labels(table, k, keep="all", effort=effort, rng=rng)
    elif method == "clusters":
        labels = paper_recipe(table, k, rng=rng)
    else:
        labels = mondrian(table, k)
    return anonymized(publish_votes(table, labels, keep="all"), labels)
