"""What a level for one preference edge is worth to a user who has many."""

from __future__ import annotations

import numpy as np

from pplab.cells import rows_of_entries
from pplab.checks import check_epsilon, check_preferences
from pplab.graphs import GraphLike, as_matrix

__all__ = ["user_levels"]


def user_levels(preferences: GraphLike, *, epsilon: float) -> np.ndarray:
    """Level at which each user is protected as a whole, where one preference edge has epsilon.

    By group privacy a user with d preferences is protected at d epsilon against an attacker who
    asks whether the user takes part with these preferences or with none.

    Parameters
    ----------
    preferences : csr_array, shape (users, items), or networkx graph or DataFrame of edges
        Weights in [0, 1]; those above 0 count.
    epsilon : float
        In (0, inf), for one preference edge.

    Returns
    -------
    float64 array, shape (users,)
        Number of preferences times epsilon; 0 for a user without any, of whom nothing is told.

    Raises
    ------
    TypeError, ValueError
        If epsilon is not positive and finite, or a weight leaves [0, 1].

    References
    ----------
    Jorgensen and Yu 2014, A privacy-preserving framework for personalized, social
    recommendations, EDBT 2014, Definitions 5 and 6, doi 10.5441/002/edbt.2014.51; Dwork and Roth
    2014, The algorithmic foundations of differential privacy, Theorem 2.2, doi 10.1561/0400000042.

    Examples
    --------
    >>> user_levels([[1, 0, 1], [0, 0, 0], [1, 1, 1]], epsilon=0.1).round(3)
    array([0.2, 0. , 0.3])
    """
    table = as_matrix(preferences, name="preferences")
    check_preferences(table, table.shape[0])
    level = float(check_epsilon(epsilon))
    owners = rows_of_entries(table)[table.data > 0]
    counts: np.ndarray = np.bincount(owners, minlength=table.shape[0])
    return counts * level
