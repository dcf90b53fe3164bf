"""Disclosure risk at 20,000 x 20,000 x 100 against what a user would pick, and at 73,421 users.

Run with ``make bench`` (a trial) or ``python benchmarks/disclosure_risk.py``. The ways run in turn,
each several times, and the least time of each counts; a ratio is the median of the ratios within a
turn. The run at 73,421 users has a process of its own, so that its peak memory can be read off.
Single times depend on the machine.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import numpy as np
import pandas as pd
from sklearn.metrics import pairwise_distances_argmin
from threadpoolctl import threadpool_limits
from utilities import forget_peak, peak

from pplab.metrics.risk import disclosure_risk

USERS, ALL_USERS, ITEMS = 20_000, 73_421, 100
BLOCK = (512, 1000)  # of the bare products: the blocks that pplab uses
GROUPS = (1, 2, 10)  # identical protected rows; 1 is noise addition, where all rows differ
FORTH = "original-to-protected"
OUT = Path(__file__).parent / "results" / "disclosure_risk.csv"


def make_tables(users: int, group: int) -> tuple[np.ndarray, np.ndarray]:
    """Ratings from -10 to 10 with five tastes, and a release in groups of like users."""
    rng = np.random.default_rng(1)
    tastes, liking = rng.normal(size=(users, 5)), rng.normal(size=(5, ITEMS))
    original = np.clip(2 * tastes @ liking + rng.normal(scale=2, size=(users, ITEMS)), -10, 10)
    if group == 1:
        return original, original + rng.normal(scale=4, size=original.shape)
    order = np.argsort(tastes[:, 0])
    starts = np.arange(0, users - users % group, group)
    means = np.add.reduceat(original[order], starts)
    sizes = np.diff(np.append(starts, users))
    protected = np.empty_like(original)
    protected[order] = np.repeat(means / sizes[:, None], sizes, axis=0)
    return original, protected


def ours(original: np.ndarray, protected: np.ndarray) -> np.ndarray:
    return disclosure_risk(original, protected, direction=FORTH)


def sklearn(original: np.ndarray, protected: np.ndarray) -> np.ndarray:
    return pairwise_distances_argmin(original, protected) == np.arange(len(original))


def sklearn_float32(original: np.ndarray, protected: np.ndarray) -> np.ndarray:
    return sklearn(original.astype(np.float32), protected.astype(np.float32))


def bare_product(original: np.ndarray, protected: np.ndarray) -> None:
    """The floor: all products of float32 rows, in the same blocks and threads, and nothing else."""
    left, right = original.astype(np.float32), protected.astype(np.float32)
    step, width = BLOCK

    def multiply(start: int) -> None:
        rows = left[start : start + step]
        product = np.empty((len(rows), width), dtype=np.float32)
        for first in range(0, len(right), width):
            records = right[first : first + width]
            np.matmul(rows, records.T, out=product[:, : len(records)])

    threads = numba.get_num_threads()
    with threadpool_limits(1, "blas"), ThreadPoolExecutor(threads) as pool:
        list(pool.map(multiply, range(0, len(left), step)))


WAYS: dict[str, Callable] = {
    "pplab disclosure_risk": ours,
    "scikit-learn pairwise_distances_argmin": sklearn,
    "scikit-learn, float32": sklearn_float32,
    "bare float32 product": bare_product,
}


def compare(group: int, repeats: int, users: int) -> pd.DataFrame:
    """All ways in turn on tables with groups of one size."""
    original, protected = make_tables(users, group)
    for way in WAYS.values():
        way(original[:2000], protected[:2000])
    turns = [
        {name: _seconds(way, original, protected) for name, way in WAYS.items()}
        for _ in range(repeats)
    ]
    times = pd.DataFrame(turns)
    ratios = times.div(times["pplab disclosure_risk"], axis=0).median()
    table = pd.DataFrame({"seconds": times.min(), "times ours": ratios})
    return table.rename_axis("way").reset_index().assign(users=users, group=group)


def _seconds(way: Callable, original: np.ndarray, protected: np.ndarray) -> float:
    start = time.perf_counter()
    way(original, protected)
    return time.perf_counter() - start


def all_users(group: int) -> dict[str, float]:
    """Time and growth of memory at the published size, in this process."""
    small = make_tables(2000, group)
    ours(*small)
    original, protected = make_tables(ALL_USERS, group)
    forget_peak()
    before = peak()
    seconds = _seconds(ours, original, protected)
    return {"seconds": seconds, "grown megabytes": (peak() - before) / 2**20}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--all-users", type=int, metavar="GROUP", help=argparse.SUPPRESS)
    parser.add_argument("--trial", action="store_true", help="a small size; nothing is stored")
    arguments = parser.parse_args()
    users = 2_000 if arguments.trial else USERS
    if arguments.all_users is not None:
        print(json.dumps(all_users(arguments.all_users)))
        return
    tables = []
    for group in GROUPS:
        tables.append(compare(group, arguments.repeats, users))
        print(tables[-1].round(3).to_string(index=False), flush=True)
    if arguments.trial:
        return
    for group in GROUPS:
        command = [sys.executable, __file__, "--all-users", str(group)]
        found = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        row = {"way": "pplab disclosure_risk", "users": ALL_USERS, "group": group}
        tables.append(pd.DataFrame([{**row, **json.loads(found)}]))
        print(tables[-1].round(3).to_string(index=False), flush=True)
    columns = ["users", "group", "way", "seconds", "times ours", "grown megabytes"]
    OUT.parent.mkdir(exist_ok=True)
    pd.concat(tables)[columns].round(3).to_csv(OUT, index=False)


if __name__ == "__main__":
    main()
