"""Jobs of compiled code in threads, with a bar; an interruption drops the jobs not yet begun."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numba
from tqdm.auto import tqdm

__all__ = ["in_threads"]

Job = TypeVar("Job")
Result = TypeVar("Result")


def in_threads(
    work: Callable[[Job], Result], jobs: Sequence[Job], *, label: str, quiet: bool = False
) -> list[Result]:
    """Results in the order of the jobs; which thread takes a job must not matter.

    Parameters
    ----------
    work : callable
        Compiled without the interpreter's lock, or it takes no time.
    jobs : sequence
    label : str
        Of the bar, which shows after 5 seconds.
    quiet : bool
        Never show it: in a notebook each bar is a dozen messages.
    """
    if len(jobs) == 1:
        return [work(jobs[0])]
    pool = ThreadPoolExecutor(numba.get_num_threads())
    try:
        results = pool.map(work, jobs)
        bar = tqdm(results, total=len(jobs), desc=label, delay=5, leave=False, disable=quiet)
        return list(bar)
    finally:
        pool.shutdown(cancel_futures=True)
