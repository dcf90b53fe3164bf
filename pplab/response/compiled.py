"""Compile one loop over rows twice: plainly, for small graphs, and for threads."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numba

__all__ = ["plain_and_threaded"]


def plain_and_threaded(body: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Compile a body written with ``numba.prange``; both give the same result.

    The two get names of their own: numba files compiled code by name, and would otherwise take
    the threaded code out of its cache for the plain one.
    """

    def named(suffix: str) -> FunctionType:
        copy = FunctionType(body.__code__, body.__globals__, f"{body.__name__}_{suffix}")
        copy.__qualname__ = copy.__name__
        copy.__module__ = body.__module__
        return copy

    plain = numba.njit(cache=True)(named("plain"))
    return plain, numba.njit(cache=True, parallel=True)(named("threaded"))
