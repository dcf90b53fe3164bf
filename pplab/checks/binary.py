"""Checks of binary tables: who has what."""

from __future__ import annotations

from scipy import sparse


def check_ones(name: str, matrix: sparse.csr_array) -> None:
    """Refuse stored values other than 1: an entry is there or it is not."""
    other = matrix.data != 1
    if other.any():
        raise ValueError(
            f"{name} must store ones only, got {matrix.data[other][0].item()!r}; decide first "
            "which values count as an entry, for example (ratings >= 4).astype(int), and drop "
            "stored zeros with eliminate_zeros()"
        )
