"""The machinery that several topics compile against.

numba keeps compiled functions on disk. It compiles a function again when the file of that
function has changed, but it does not see a change in another file whose functions were compiled
into it. So a compiled function of pplab calls those of its own file and of this file only, and is
declared with the `njit` of this file, which compiles it again when this file has changed as well.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

__all__ = ["njit"]

_THIS_FILE = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()


def njit(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """`numba.njit(cache=True, ...)`, whose cache is stale also when this file has changed.

    Both texts are part of what numba compares, so nothing has to be deleted, and processes that
    start at once, old notebooks and new tests for instance, do not disturb each other. Where no
    folder can be written, each process compiles for itself.
    """

    def declare(function: Callable[..., Any]) -> Any:
        compiled = numba.njit(**options)(function)
        if compiled is function:  # NUMBA_DISABLE_JIT is set
            return compiled
        try:
            compiled.enable_caching()
        except RuntimeError:  # numba found no folder to write to
            return compiled
        kept = compiled._cache._cache_file
        kept._source_stamp = (kept._source_stamp, _THIS_FILE)
        return compiled

    return declare
