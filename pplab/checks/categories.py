"""Checks of tables of categories."""

from __future__ import annotations

import pandas as pd

_EDGE_COLUMNS = ({"user", "item"}, {"source", "target"})


def check_attributes(name: str, table: pd.DataFrame) -> None:
    """Refuse a table without rows or columns, an edge list, and missing values."""
    if not table.size:
        raise ValueError(
            f"{name} must have rows and columns, got shape {table.shape}; pass one row for each "
            "user and one column for each attribute"
        )
    if any(ends <= set(table.columns) for ends in _EDGE_COLUMNS):
        raise ValueError(
            f"{name} given as a DataFrame must have a row for each user, got the columns of an "
            "edge list; bring it into a matrix with as_biadjacency first"
        )
    missing = table.isna().to_numpy()
    if missing.any():
        row, column = divmod(int(missing.argmax()), table.shape[1])
        raise ValueError(
            f"{name} must have no missing values, got one in row {row}, attribute "
            f"{table.columns[column]!r} ({int(missing.sum())} in all); give them a level of their "
            "own, for example with fillna('?')"
        )


def check_sorted_levels(name: str, attribute: object, problem: TypeError) -> TypeError:
    """Give the refusal of an attribute whose levels have no common order."""
    return TypeError(
        f"{name} must have levels that can be sorted, got {problem} in attribute {attribute!r}; "
        "turn them into text with astype(str)"
    )
