"""Checks of CSR arrays."""

from __future__ import annotations

import numpy as np
from scipy import sparse


def check_stored_values(name: str, matrix: sparse.csr_array, *, low: float, high: float) -> None:
    """Refuse stored values that are not finite or outside [low, high]."""
    good = (matrix.data >= low) & (matrix.data <= high) & np.isfinite(matrix.data)
    if not good.all():
        raise ValueError(
            f"{name} must have finite stored values between {low:g} and {high:g}, "
            f"got {matrix.data[~good][0]!r}; rescale or drop such entries"
        )


def check_same_shape(
    left: sparse.csr_array | np.ndarray,
    right: sparse.csr_array | np.ndarray,
    *,
    names: tuple[str, str] = ("original", "protected"),
) -> None:
    """Refuse two matrices or tables of different shapes."""
    if left.shape != right.shape:
        raise ValueError(
            f"{names[0]} and {names[1]} must have the same shape, got {left.shape} and "
            f"{right.shape}; align users and items first"
        )
