"""The paper's groups as run: online facility location, then small facilities are closed."""

from __future__ import annotations

from typing import TypedDict

import numpy as np

from pplab.anonymity.close_small import close_small
from pplab.anonymity.kinds import kinds_of_rows
from pplab.anonymity.online_facilities import online_facilities, opening_costs
from pplab.checks import as_rng, check_choice, check_integer, check_k, check_settings
from pplab.checks.binary import check_ones
from pplab.graphs import GraphLike, as_matrix

__all__ = ["ASSIGNMENTS", "RecipeSettings", "paper_recipe", "recipe_settings"]

ASSIGNMENTS = ("arrival", "nearest")


class RecipeSettings(TypedDict):
    """Settings of `paper_recipe`."""

    spread: int
    assignment: str
    orders: int


def recipe_settings(
    method: str, owner: str, *, spread: int | None, assignment: str | None, orders: int | None
) -> RecipeSettings:
    """Check settings of a method that is the recipe, and fill in what was not given (None).

    Raises
    ------
    TypeError, ValueError
        If one leaves its interval, or is given with another method than its owner.
    """
    check_settings(method, owner, {"spread": spread, "assignment": assignment, "orders": orders})
    return {
        "spread": check_integer("spread", 2 if spread is None else spread, minimum=2),
        "assignment": check_choice("assignment", assignment or "arrival", ASSIGNMENTS),
        "orders": check_integer("orders", 10 if orders is None else orders, minimum=1),
    }


def paper_recipe(
    biadjacency: GraphLike,
    k: int,
    *,
    spread: int = 2,
    assignment: str = "arrival",
    orders: int = 10,
    rng: int | np.random.Generator | None = None,
) -> np.ndarray:
    """Group rows by facility location with a least number of clients, as the paper ran it.

    Parameters
    ----------
    biadjacency : csr_array of ones, shape (rows, items), or other graph
    k : int
        Smallest size of a group, from 2 to the number of rows.
    spread : int, default 2
        The paper's b: a facility costs 2a / (1 - a) times the distances to its b k nearest rows,
        itself included, with a = 1 / b. At least 2.
    assignment : {"arrival", "nearest"}, default "arrival"
        Which facility a row keeps, which the paper does not say: that of its arrival, or the
        nearest of those open at the end of the order.
    orders : int, default 10
        Random orders of arrival; the cheapest is kept.
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
    spread = check_integer("spread", spread, minimum=2)
    orders = check_integer("orders", orders, minimum=1)
    check_choice("assignment", assignment, ASSIGNMENTS)
    arriving, closing = as_rng(rng).spawn(2)
    kinds = kinds_of_rows(table)
    costs = opening_costs(kinds, k, spread=spread)
    located = online_facilities(kinds, costs, orders=orders, assignment=assignment, rng=arriving)
    return close_small(kinds, located, k, rng=closing)
