"""The paper's groups as run: online facility location, then small facilities are closed."""

from __future__ import annotations

import numpy as np

from pplab.anonymity.close_small import close_small
from pplab.anonymity.kinds import kinds_of_rows
from pplab.anonymity.online_facilities import online_facilities, opening_costs
from pplab.checks import as_rng, check_choice, check_k, check_ones
from pplab.graphs import GraphLike, as_matrix

__all__ = ["ASSIGNMENTS", "paper_recipe"]

ASSIGNMENTS = ("arrival", "nearest")
_SPREAD = 2  # the paper's b
_ORDERS = 10  # of arrival; the cheapest is kept


def paper_recipe(
    biadjacency: GraphLike,
    k: int,
    *,
    assignment: str = "arrival",
    rng: int | np.random.Generator | None = None,
) -> np.ndarray:
    """Group rows by facility location with a least number of clients, as the paper ran it.

    Parameters
    ----------
    biadjacency : csr_array of ones, shape (rows, items), or other graph
    k : int
        Smallest size of a group, from 2 to the number of rows.
    assignment : {"arrival", "nearest"}, default "arrival"
        Which facility a row keeps, which the paper does not say: that of its arrival, or the
        nearest of those open at the end of the order.
    rng : int, Generator or None
        Seed or generator.

    Returns
    -------
    int64 array, shape (rows,)
        Group of each row, 0 to groups - 1.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval, or the table is empty or stores anything but ones.

    Notes
    -----
    With the paper's b = 2, a facility costs 2a / (1 - a) times the distances to its b k nearest
    rows, itself included, where a = 1 / b. Of 10 random orders of arrival the cheapest is kept.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Appendix D, arXiv 2207.06358; Meyerson 2001, doi 10.1109/SFCS.2001.959917.

    Examples
    --------
    >>> rows = [[1, 1, 0, 0]] * 6 + [[0, 0, 1, 1]] * 6
    >>> np.bincount(paper_recipe(rows, 3, rng=1))
    array([6, 6])
    """
    table = as_matrix(biadjacency, name="biadjacency")
    check_ones("biadjacency", table)
    k = check_k(k, table.shape[0])
    check_choice("assignment", assignment, ASSIGNMENTS)
    arriving, closing = as_rng(rng).spawn(2)
    kinds = kinds_of_rows(table)
    costs = opening_costs(kinds, k, spread=_SPREAD)
    located = online_facilities(kinds, costs, orders=_ORDERS, assignment=assignment, rng=arriving)
    return close_small(kinds, located, k, rng=closing)
