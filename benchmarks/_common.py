"""What the benchmarks share: options, a run in a process of its own, peaks of memory, results."""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd

RESULTS = Path(__file__).parent / "results"


def options(message: str | None) -> argparse.ArgumentParser:
    """A parser that knows ``--trial``."""
    parser = argparse.ArgumentParser(description=message)
    parser.add_argument("--trial", action="store_true", help="a small size; nothing is stored")
    return parser


def child(script: str, *arguments: object) -> Any:
    """What a script prints as JSON, run in a process of its own with these arguments."""
    command = [sys.executable, script, *map(str, arguments)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


@contextmanager
def workers(count: int, folder: Path, *, memory: str) -> Iterator[Any]:
    """A cluster of dask on this machine only, each worker a new process with one thread."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            memory_limit=memory,
            local_directory=str(folder),
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def show(table: pd.DataFrame, name: str, *, stored: bool) -> None:
    """Print a table; keep it among the results where it is a whole one."""
    if stored:
        table.to_csv(RESULTS / f"{name}.csv", index=False)
    print(table.to_string(index=False))


def put(text: str, marks: tuple[str, str], tables: str) -> str:
    """Write tables between two marks of a text."""
    before, rest = text.split(marks[0])
    return f"{before}{marks[0]}\n\n{tables}\n\n{marks[1]}{rest.split(marks[1])[1]}"


def forget_peak() -> None:
    """Let the kernel count the peak from now on; elsewhere growth is stated too small."""
    where = Path("/proc/self/clear_refs")
    if where.exists():
        where.write_text("5")


def peak() -> int:
    """Largest memory of this process, in bytes."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(x for x in status.read_text().splitlines() if x.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    import resource  # Unix alone has it

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
