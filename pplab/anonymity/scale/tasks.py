"""The same task for many files or chunks: on the workers of dask, or in threads of this process."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from tqdm.auto import tqdm

from pplab._compiled import in_threads
from pplab.anonymity.scale.edge_files import arrow
from pplab.checks import check_installed

__all__ = ["check_client", "check_shared", "run_tasks"]

Job = TypeVar("Job")
Result = TypeVar("Result")

_RETRIES = 3  # of a task that failed; a task whose worker died is given out again by dask itself


def run_tasks(
    work: Callable[[str, Job], Result],
    target: str,
    jobs: Sequence[Job],
    *,
    client: Any,
    label: str,
) -> list[Result]:
    """Results in the order of the jobs; it must not matter where, and how often, a job is done.

    Examples
    --------
    >>> run_tasks(str.rjust, "a", [1, 2], client=None, label="padding")
    ['a', ' a']
    """
    task = partial(work, target)
    if client is None:
        arrow()  # each thread would import it, otherwise, at the same time
        if len(jobs) == 1:  # in a thread too: an interruption must not end a search halfway
            with ThreadPoolExecutor(1) as pool:
                return [pool.submit(task, jobs[0]).result()]
        return in_threads(task, jobs, label=label)
    finished = check_installed("dask[distributed]", module="distributed", extra="scale")
    futures = client.map(task, jobs, pure=False, retries=_RETRIES)
    try:
        done = finished.as_completed(futures)
        for future in tqdm(done, total=len(jobs), desc=label, delay=5, leave=False):
            if future.status == "error":
                future.result()  # raises what went wrong; the other tasks are given up
        return client.gather(futures)
    except BaseException:
        client.cancel(futures)
        raise


def check_client(client: Any) -> None:
    """Refuse what is neither None nor a client of dask."""
    if client is not None and not all(hasattr(client, name) for name in ("map", "gather", "run")):
        raise TypeError(
            f"client must be a dask.distributed.Client or None, got {client!r}; pass "
            "Client(cluster), or None for threads of this machine"
        )


def check_shared(folder: Path, client: Any) -> None:
    """Refuse a folder that some worker does not see."""
    answers = client.run(os.path.isdir, str(folder)) if client is not None else {}
    blind = [str(worker) for worker, sees in answers.items() if not sees]
    if blind:
        raise FileNotFoundError(
            f"{str(folder)!r} must be a folder that every worker sees, got {len(blind)} that do "
            f"not, the first {blind[0]}; put it on a file system that they share"
        )
