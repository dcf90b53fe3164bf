"""Checks of similarities that are used as workloads, and of what they are multiplied with."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["check_fits_users", "check_reached", "check_single_precision", "check_workload"]


def check_workload(workload: Any) -> np.ndarray:
    """Bring a workload into a dense float64 array; refuse what is no finite matrix."""
    dense = workload.toarray() if hasattr(workload, "toarray") else np.asarray(workload)
    if dense.ndim != 2 or not dense.size or dense.dtype.kind not in "biuf":
        raise ValueError(
            f"workload must be a matrix of numbers with rows and columns, got shape {dense.shape} "
            f"of {dense.dtype}; pass the similarities of users to users"
        )
    dense = dense.astype(np.float64)
    if not np.isfinite(dense).all():
        raise ValueError(
            "workload must hold finite numbers, got NaN or inf; put 0 where users are not similar"
        )
    return dense


def check_reached(residual: float, gamma: float, rank: int) -> None:
    """Refuse a rank at which no factors come as close to the workload as asked for."""
    if not residual <= gamma * (1 + 1e-6) + 1e-9:
        raise ValueError(
            f"rank must let the factors come within gamma = {gamma:g} of the workload, got rank "
            f"{rank} with {residual:g} left; raise rank or gamma"
        )


def check_fits_users(shape: tuple[int, ...], users: int, *, name: str = "similarity") -> None:
    """Refuse similarities that are not of the users of the preferences."""
    if tuple(shape) != (users, users):
        raise ValueError(
            f"{name} must be users x users for the {users} users of preferences, got shape "
            f"{tuple(shape)}; give both graphs the same users in the same order"
        )


def check_single_precision(scale: float, epsilon: float) -> None:
    """Refuse an epsilon so small that its noise would overflow in float32."""
    if not scale <= 1e30:
        raise ValueError(
            f"epsilon must leave noise of a scale up to 1e30, got {epsilon!r} and a scale of "
            f"{scale:g}; pass a larger epsilon"
        )
