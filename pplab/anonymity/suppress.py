"""k-anonymity by suppression: groups of k or more rows publish what all of them have."""

from __future__ import annotations

import numpy as np

from pplab.anonymity.mondrian import CUTS, mondrian
from pplab.anonymity.paper_recipe import ASSIGNMENTS, paper_recipe
from pplab.anonymity.smooth import SmoothAnonymized, anonymized
from pplab.anonymity.votes import publish_votes
from pplab.checks import check_choice, check_integer, check_k
from pplab.checks.binary import check_ones
from pplab.graphs import GraphLike, as_matrix

__all__ = ["METHODS", "suppress_k_anonymize"]

METHODS = ("clusters", "mondrian")


def suppress_k_anonymize(
    biadjacency: GraphLike,
    k: int,
    *,
    method: str = "clusters",
    rng: int | np.random.Generator | None = None,
    spread: int = 2,
    assignment: str = "arrival",
    orders: int = 10,
    cut: str = "balanced",
) -> SmoothAnonymized:
    """Publish a k-anonymous copy of a binary table that only leaves entries out.

    Parameters
    ----------
    biadjacency : csr_array of ones, shape (rows, items), or other graph
    k : int
        Smallest size of a group, from 2 to the number of rows.
    method : {"clusters", "mondrian"}, default "clusters"
        "clusters": the groups that `smooth_k_anonymize` makes with method "paper" from the same
        seed (the paper's baseline "non-smooth"). "mondrian": strict Mondrian on the columns.
    rng : int, Generator or None
        Seed or generator; Mondrian draws nothing.
    spread, assignment, orders : int, str, int
        Settings of the method "clusters": see `paper_recipe`.
    cut : {"balanced", "median"}, default "balanced"
        Setting of the method "mondrian": where a column is cut, see `mondrian`.

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
    check_choice("assignment", assignment, ASSIGNMENTS)
    check_choice("cut", cut, CUTS)
    spread = check_integer("spread", spread, minimum=2)
    orders = check_integer("orders", orders, minimum=1)
    table = as_matrix(biadjacency, name="biadjacency")
    check_ones("biadjacency", table)
    k = check_k(k, table.shape[0])
    if method == "clusters":
        labels = paper_recipe(
            table, k, spread=spread, assignment=assignment, orders=orders, rng=rng
        )
    else:
        labels = mondrian(table, k, cut=cut)
    return anonymized(publish_votes(table, labels, keep="all"), labels)
