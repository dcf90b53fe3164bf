"""Every check of an argument, and the rule for random numbers.

One place refuses bad input, so that every refusal reads alike: one sentence that says what
was got and what to do. Conditions are written so that NaN fails them (``if not x > 0``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

import numpy as np
from scipy import sparse

__all__ = [
    "as_rng",
    "check_choice",
    "check_epsilon",
    "check_flip_probability",
    "check_integer",
    "check_k",
    "check_no_duplicates",
    "check_positive",
    "check_probability",
    "check_same_shape",
    "check_square_symmetric",
    "check_stored_values",
]


def as_rng(rng: int | np.random.Generator | None) -> np.random.Generator:
    """Turn a seed, a generator or None into a generator (SPEC 7); never global state.

    Examples
    --------
    >>> as_rng(1).integers(10) == as_rng(1).integers(10)
    np.True_
    """
    if isinstance(rng, np.random.Generator):
        return rng
    if rng is None or (isinstance(rng, Integral) and not isinstance(rng, bool) and rng >= 0):
        return np.random.default_rng(None if rng is None else int(rng))
    raise TypeError(
        f"rng must be a non-negative integer seed, a numpy.random.Generator or None, got {rng!r}; "
        "pass for example rng=1"
    )


def _real(name: str, value: Any, interval: str) -> None:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number in {interval}, got {value!r}")


def check_epsilon(epsilon: Any, *, allow_infinity: bool = False) -> Any:
    """Refuse an epsilon that is not a positive (finite) number."""
    interval = "(0, inf]" if allow_infinity else "(0, inf)"
    _real("epsilon", epsilon, interval)
    if not epsilon > 0 or (math.isinf(epsilon) and not allow_infinity):
        raise ValueError(
            f"epsilon must lie in {interval}, got {epsilon!r}; "
            "smaller is more private, 1 multiplies an attacker's odds by at most 2.72"
        )
    return epsilon


def check_flip_probability(flip_probability: Any, *, below_half: bool = False) -> Any:
    """Refuse a flip probability outside [0, 1/2], or at 1/2 where that leaves nothing to learn."""
    _real("flip_probability", flip_probability, "[0, 1/2]")
    if not 0 <= flip_probability <= 0.5:
        raise ValueError(
            f"flip_probability must lie in [0, 1/2], got {flip_probability!r}; "
            "above 1/2 publish the complement instead: it tells the same at 1 - flip_probability"
        )
    if below_half and flip_probability == 0.5:
        raise ValueError(
            "flip_probability must be below 1/2 here, got 1/2: such a release is pure noise and "
            "holds nothing to estimate"
        )
    return flip_probability


def check_probability(name: str, value: Any) -> Any:
    """Refuse a number outside [0, 1]."""
    _real(name, value, "[0, 1]")
    if not 0 <= value <= 1:
        raise ValueError(f"{name} must lie in [0, 1], got {value!r}; pass a probability")
    return value


def check_positive(name: str, value: Any) -> Any:
    """Refuse a number that is not positive and finite."""
    _real(name, value, "(0, inf)")
    if not value > 0 or math.isinf(value):
        raise ValueError(
            f"{name} must be positive and finite, got {value!r}; pass a number above 0"
        )
    return value


def check_integer(name: str, value: Any, *, minimum: int, maximum: int | None = None) -> int:
    """Refuse what is not an integer between minimum and maximum."""
    interval = f"at least {minimum}" if maximum is None else f"between {minimum} and {maximum}"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Integral):
        raise TypeError(f"{name} must be an integer {interval}, got {value!r}")
    number = int(value)
    if number < minimum or (maximum is not None and number > maximum):
        raise ValueError(f"{name} must be an integer {interval}, got {number}")
    return number


def check_k(k: Any, records: int) -> int:
    """Refuse a k below 2 or above the number of records."""
    if records < 2:
        raise ValueError(f"k-anonymity needs at least 2 records, got {records}; pass more rows")
    return check_integer("k", k, minimum=2, maximum=records)


def check_choice(name: str, value: Any, choices: Iterable[str]) -> str:
    """Refuse a name that is not among the choices."""
    known = list(choices)
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, known))}, got {value!r}")
    return value


def check_stored_values(
    name: str, matrix: sparse.csr_array, *, low: float, high: float, step: float | None = None
) -> None:
    """Refuse stored values that are not finite, outside [low, high] or off the grid of step."""
    values = matrix.data
    good = (values >= low) & (values <= high) & np.isfinite(values)
    if step is not None:
        good &= np.mod(values, step) == 0
    if not good.all():
        bad = values[~good][0]
        grid = "" if step is None else f" in steps of {step:g}"
        raise ValueError(
            f"{name} must have finite stored values between {low:g} and {high:g}{grid}, "
            f"got {bad!r}; rescale or drop such entries"
        )


def check_no_duplicates(name: str, matrix: sparse.csr_array) -> None:
    """Refuse a sorted CSR array that stores a cell twice."""
    same = matrix.indices[1:] == matrix.indices[:-1]
    same[
        matrix.indptr[1:-1][(matrix.indptr[1:-1] > 0) & (matrix.indptr[1:-1] < matrix.nnz)] - 1
    ] = False  # the first entry of a row is not compared with the last one of the row before
    if same.any():
        place = int(np.flatnonzero(same)[0])
        row = int(np.searchsorted(matrix.indptr, place, side="right")) - 1
        raise ValueError(
            f"{name} has duplicate edges, got cell ({row}, {int(matrix.indices[place])}) twice; "
            "merge or drop duplicates first"
        )


def check_square_symmetric(name: str, matrix: sparse.csr_array) -> None:
    """Refuse an adjacency that is not square, not symmetric or has self-loops."""
    rows, columns = matrix.shape
    if rows != columns:
        raise ValueError(
            f"{name} must be a square adjacency matrix, got {rows} x {columns}; "
            "for users x items use the bipartite function"
        )
    if matrix.diagonal().any() or (matrix.indices == _row_of_each_entry(matrix)).any():
        raise ValueError(f"{name} must have no self-loops, got some; drop the diagonal first")
    transposed = matrix.T.tocsr()
    transposed.sort_indices()
    if not (
        np.array_equal(matrix.indptr, transposed.indptr)
        and np.array_equal(matrix.indices, transposed.indices)
        and np.array_equal(matrix.data, transposed.data)
    ):
        raise ValueError(
            f"{name} must be symmetric (an undirected graph), got an edge in one direction only; "
            "add its transpose first"
        )


def check_same_shape(
    left: sparse.csr_array,
    right: sparse.csr_array,
    *,
    names: tuple[str, str] = ("original", "protected"),
) -> None:
    """Refuse two matrices of different shapes."""
    if left.shape != right.shape:
        raise ValueError(
            f"{names[0]} and {names[1]} must have the same shape, got {left.shape} and "
            f"{right.shape}; align users and items first"
        )


def _row_of_each_entry(matrix: sparse.csr_array) -> np.ndarray:
    return np.repeat(np.arange(matrix.shape[0], dtype=matrix.indices.dtype), np.diff(matrix.indptr))
