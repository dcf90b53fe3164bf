"""Blocks of rows in threads, for compiled loops that let go of the interpreter's lock."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numba

__all__ = ["in_threads"]

_BLOCK_ROWS = 2048


def in_threads(work: Callable[[slice], None], count: int, rows: int = _BLOCK_ROWS) -> None:
    """Call for each block of rows; which thread takes a block must not matter."""
    blocks = [slice(start, min(start + rows, count)) for start in range(0, count, rows)]
    with ThreadPoolExecutor(numba.get_num_threads()) as pool:
        for job in [pool.submit(work, block) for block in blocks]:
            job.result()
