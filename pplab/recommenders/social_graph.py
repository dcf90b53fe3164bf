"""Both graphs at the door of the recommenders: undirected friendships, and what users prefer."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
from scipy import sparse

from pplab.checks import check_preferences
from pplab.graphs import (
    GraphLike,
    as_adjacency,
    as_matrix,
    bipartite_sides,
    edge_list,
    from_array,
    in_order,
)


def as_social(social: GraphLike) -> sparse.csr_array:
    """Bring a social graph into a symmetric CSR array of int8 ones; refuse weights.

    `as_adjacency` takes whatever is stored as an edge. The similarities of the paper know no
    weights, so a weight here is more likely a table of ratings in the wrong place.
    """
    if isinstance(social, nx.Graph):
        weights: Any = np.array([w for *_, w in social.edges(data="weight", default=1)])
    elif isinstance(social, pd.DataFrame):
        weights = edge_list(social, "social")[2]
    else:
        social = from_array(social, "social")
        weights = social.data
    if not (weights == 1).all():
        raise ValueError(
            f"social must be without weights, 1 for each edge, got {weights[weights != 1][0]}; "
            "decide which weights count as an edge first, for example (graph > 0).astype(int)"
        )
    return as_adjacency(social, name="social")


def as_social_and_preferences(
    social: GraphLike, preferences: GraphLike
) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Bring both graphs into CSR arrays whose rows are the same users.

    Edge lists and networkx graphs carry labels. Where both graphs do, users are matched by label
    and stand in the order of the social graph (sorted), and a user whom only one of them names is
    refused. Where one does, its labels must be the row numbers 0, 1, 2, ... of the other.

    Parameters
    ----------
    social : graph, users x users
        Undirected, without weights and self-loops.
    preferences : users x items
        Weights in [0, 1].

    Returns
    -------
    social : csr_array of int8 ones, shape (users, users)
    preferences : csr_array, shape (users, items)

    Raises
    ------
    TypeError, ValueError
        If one is no such graph, or they have not the same users.

    Examples
    --------
    >>> friends = pd.DataFrame({"source": ["Ada", "Bo"], "target": ["Bo", "Cy"]})
    >>> likes = pd.DataFrame({"user": ["Cy", "Ada", "Bo"], "item": ["tea", "ale", "tea"]})
    >>> as_social_and_preferences(friends, likes)[1].toarray()
    array([[1, 0],
           [0, 1],
           [0, 1]], dtype=int8)
    """
    graph, table = as_social(social), as_matrix(preferences, name="preferences")
    friends, fans = _social_labels(social), _preference_labels(preferences)
    if friends is not None and fans is not None:
        one_sided = set(friends) ^ set(fans)
        if one_sided:
            label = next(label for label in (*friends, *fans) if label in one_sided)
            raise ValueError(
                "social and preferences must name the same users, got "
                f"{label!r} in {'social' if label in friends else 'preferences'} only (and "
                f"{len(one_sided)} such users in all); drop them, or pass matrices with a row for "
                "every user in both"
            )
        row = {label: number for number, label in enumerate(fans)}
        table = sparse.csr_array(table[[row[label] for label in friends]])
    elif friends is not None:
        _check_row_numbers("social", friends, other="preferences")
    elif fans is not None:
        _check_row_numbers("preferences", fans, other="social")
    check_preferences(table, graph.shape[0])
    return graph, table


def _check_row_numbers(name: str, labels: list[Any], *, other: str) -> None:
    """Refuse labels beside a table without any, unless they are the row numbers themselves."""
    strange = [label for row, label in enumerate(labels) if label != row]
    if strange:
        raise ValueError(
            f"{name} must carry no labels where {other} has none, got user {strange[0]!r}, who is "
            "no row number; give both as edge lists or networkx graphs, or both as matrices"
        )


def _social_labels(social: GraphLike) -> list[Any] | None:
    """Users in the order of the rows of `as_adjacency`; None where they have no names."""
    if isinstance(social, nx.Graph):
        return in_order(social)
    if isinstance(social, pd.DataFrame):
        ends = pd.concat(edge_list(social, "social")[:2])
        return list(pd.factorize(ends, sort=True)[1])
    return None


def _preference_labels(preferences: GraphLike) -> list[Any] | None:
    """Users in the order of the rows of `as_matrix`; None where they have no names."""
    if isinstance(preferences, nx.Graph):
        return bipartite_sides(preferences, "preferences")[0]
    if isinstance(preferences, pd.DataFrame):
        return list(pd.factorize(edge_list(preferences, "preferences")[0], sort=True)[1])
    return None
