"""Checks of social graphs, of tables with a row per user, and of similarity measures."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from pplab.checks.numbers import _listed, check_choice

__all__ = [
    "check_measure",
    "check_paths",
    "check_row_labels",
    "check_same_labels",
    "check_same_users",
    "check_unweighted",
    "check_user_table",
]

_MEASURES = ("cn", "gd", "aa", "katz", "jaccard", "resource-allocation")


def check_measure(measure: Any) -> str:
    """Refuse a name that is no similarity measure."""
    return check_choice("measure", measure, _MEASURES)


def check_paths(paths: Any) -> str:
    """Refuse what says neither to count simple paths nor walks."""
    return check_choice("paths", paths, ("simple", "walks"))


def check_same_users(social: sparse.csr_array, table: Any, *, name: str = "preferences") -> None:
    """Refuse a table whose rows are not the users of the social graph."""
    if table.shape[0] != social.shape[0]:
        raise ValueError(
            f"social and {name} must have the same users, got {social.shape[0]} and "
            f"{table.shape[0]}; give every user a row in both, an empty one where there is nothing"
        )


def check_same_labels(social: list[Any], table: list[Any], *, name: str = "preferences") -> None:
    """Refuse labels of users that only one of two graphs knows: nobody can be matched to them."""
    left, right = set(social), set(table)
    if left != right:
        friends = [label for label in social if label not in right]
        only, label = ("social", friends[0]) if friends else (name, _first(table, left))
        raise ValueError(
            f"social and {name} must name the same users, got {label!r} in {only} only (and "
            f"{len(left ^ right)} such users in all); drop them, or pass matrices with a row for "
            "every user in both"
        )


def check_row_labels(name: str, labels: list[Any], *, other: str) -> None:
    """Refuse labels beside a table without any, unless they are the row numbers themselves."""
    strange = [label for row, label in enumerate(labels) if label != row]
    if strange:
        raise ValueError(
            f"{name} must carry no labels where {other} has none, got user {strange[0]!r}, who is "
            "no row number; give both as edge lists or networkx graphs, or both as matrices"
        )


def _first(labels: list[Any], known: set[Any]) -> Any:
    return next(label for label in labels if label not in known)


def check_unweighted(name: str, weights: Any) -> None:
    """Refuse edges with weights other than 1."""
    listed = _listed(weights)
    if len(listed) and not (listed == 1).all():
        raise ValueError(
            f"{name} must be without weights, 1 for each edge, got {listed[listed != 1][0]}; "
            "decide which weights count as an edge first, for example (graph > 0).astype(int)"
        )


def check_user_table(name: str, table: Any) -> np.ndarray:
    """Bring a dense users x columns table into a float64 array; refuse gaps."""
    listed = _listed(table)
    if listed.ndim != 2 or not listed.shape[1] or listed.dtype.kind not in "biuf":
        raise ValueError(
            f"{name} must be a sparse matrix or a table of numbers with a row per user, got shape "
            f"{listed.shape} of {listed.dtype}; pass users x items or users x clusters"
        )
    full = np.ma.filled(listed.astype(np.float64), np.nan)
    good = np.isfinite(full)
    if not good.all():
        raise ValueError(
            f"{name} must hold finite numbers, got {full[~good][0]}; write 0 where there is nothing"
        )
    return np.ascontiguousarray(full)
