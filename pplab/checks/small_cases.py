"""Checks of instances that are searched or enumerated to the end."""

from __future__ import annotations


def check_case_bits(what: str, bits: int, *, most: int) -> None:
    """Refuse an enumeration of more than 2 ** most cases."""
    if bits > most:
        raise ValueError(
            f"{what} must be at most 2^{most} cases to list them all, got 2^{bits}; take fewer "
            "users or items"
        )
