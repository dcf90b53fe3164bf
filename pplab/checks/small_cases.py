"""Checks of instances that are searched or enumerated to the end."""

from __future__ import annotations

from typing import Any

from pplab.checks.numbers import check_probability

__all__ = [
    "check_case_bits",
    "check_few_rows",
    "check_group_values",
    "check_share",
]


def check_few_rows(rows: int, *, most: int, what: str = "rows") -> None:
    """Refuse to search all groupings of more rows (or points) than a moment allows."""
    if rows > most:
        raise ValueError(
            f"all groupings of at most {most} {what} are searched, got {rows}; take fewer {what}, "
            "or a method that does not claim the best"
        )


def check_case_bits(what: str, bits: int, *, most: int) -> None:
    """Refuse an enumeration of more than 2 ** most cases."""
    if bits > most:
        raise ValueError(
            f"{what} must be at most 2^{most} cases to list them all, got 2^{bits}; take fewer "
            "users or items"
        )


def check_group_values(values: int, rows: int) -> None:
    """Refuse other than one value for each set of rows."""
    if values != 2**rows:
        raise ValueError(
            f"values must be {2**rows} numbers, one for each set of {rows} rows, got {values}; the "
            "bits of a place are the rows of its set"
        )


def check_share(name: str, value: Any) -> Any:
    """Refuse a share outside [0, 1)."""
    if not check_probability(name, value) < 1:
        raise ValueError(
            f"{name} must lie in [0, 1), got {value!r}; pass a share below 1, for example 0.004"
        )
    return value
