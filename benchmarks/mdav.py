"""MDAV on 73,421 x 100 (the size of Jester) and 943 x 1,682 against a textbook numpy MDAV.

Run with ``make bench`` (a trial) or ``python benchmarks/mdav.py``; ``--full`` also runs the
textbook to its end at k = 9 and 50 and compares sums of squares (about half an hour). Every way
runs in a process of its own, so that its peak memory can be read off. The textbook takes a full
pass and a full sort in float64 for each group; it is timed at five stages of the run, on as many
points as are left there, and scaled up. Ratios hold within one run; times depend on the machine.
"""

import argparse
import json
import resource
import time
from statistics import median

import numpy as np
import pandas as pd
from _common import child, options, show
from threadpoolctl import threadpool_limits

from pplab.microaggregation import mdav

JESTER, MOVIELENS = (73_421, 100), (943, 1_682)
STAGES = (1.0, 0.8, 0.6, 0.4, 0.2)  # parts of the points that are left


def make_points(data: str) -> np.ndarray:
    """Made points: "jester" has few strong components and 44 % of its cells at the midpoint."""
    rng = np.random.default_rng(1)
    if data == "gaussian":  # as hard as it gets: no direction tells more than another
        return rng.standard_normal(JESTER)
    rows, columns = JESTER if data == "jester" else MOVIELENS
    strength = np.array([3, 2, 1.5, 1, 1, 0.8])
    ratings = (rng.standard_normal((rows, 6)) * strength) @ rng.standard_normal((6, columns))
    ratings = np.clip(ratings + 3 * rng.standard_normal(ratings.shape), -10, 10)
    ratings[rng.random(ratings.shape) < (0.44 if data == "jester" else 0.94)] = 0
    return (ratings - ratings.mean(axis=0)) / ratings.std(axis=0)


def textbook(points: np.ndarray, k: int, groups: int | None = None) -> np.ndarray:
    """Classic MDAV, or its first groups: a full pass and a full sort for each."""
    left, labels, group = np.arange(len(points)), np.zeros(len(points), dtype=int), 0

    def squared(place: np.ndarray) -> np.ndarray:
        return np.square(points[left] - place).sum(axis=1)

    def take(end: np.ndarray) -> np.ndarray:
        order = np.argsort(squared(end), kind="stable")
        labels[left[order[:k]]] = group
        return np.sort(left[order[k:]])

    while len(left) >= 2 * k and (groups is None or group < groups):
        end = points[left[np.argmax(squared(points[left].mean(axis=0)))]]
        left, group = take(end), group + 1
        if len(left) >= 2 * k:
            left, group = take(points[left[np.argmax(squared(end))]]), group + 1
    labels[left] = group
    return labels


def textbook_seconds(points: np.ndarray, k: int) -> float:
    """Seconds of a whole run, from three rounds (two groups each) at each stage."""
    rounds = []
    for stage in STAGES:
        part = points[: int(stage * len(points))]
        start = time.perf_counter()
        textbook(part, k, groups=6)
        rounds.append((time.perf_counter() - start) / 3)
    whole = np.trapezoid([0.0, *reversed(rounds)], [0.0, *reversed(STAGES)])
    return float(whole * len(points) / (2 * k))


def sum_of_squares(points: np.ndarray, labels: np.ndarray) -> float:
    order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    sizes = np.diff(starts, append=len(labels))
    means = np.add.reduceat(points[order], starts) / sizes[:, None]
    return float(np.square(points[order] - np.repeat(means, sizes, axis=0)).sum())


def measure(way: str, data: str, k: int, repeats: int) -> dict[str, float]:
    """Run one way in this process: median seconds, and peak memory above the start."""
    points = make_points(data)
    if way == "textbook":
        return {"seconds": textbook_seconds(points, k)}
    if way == "textbook in full":
        points = points[np.lexsort(points.T[::-1])]
        start = time.perf_counter()
        labels = textbook(points, k)
        seconds = time.perf_counter() - start
        return {"seconds": seconds, "sse": sum_of_squares(points, labels)}
    mdav(points[:400], k, leftover="group")  # compiled code is made, or read from its cache
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    times = []
    with threadpool_limits(2 if "2" in way else 1):
        for _ in range(repeats):
            start = time.perf_counter()
            labels = mdav(points, k, leftover="group")
            times.append(time.perf_counter() - start)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    sse = sum_of_squares(points, labels)
    return {"seconds": median(times), "grown": grown / points.nbytes, "sse": sse}


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--full", action="store_true", help="run the textbook to its end too")
    parser.add_argument("--one", nargs=3, metavar=("WAY", "DATA", "K"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        way, data, k = arguments.one
        print(json.dumps(measure(way, data, int(k), arguments.repeats)))
        return
    rows, cases = [], [*((d, k) for d in ("jester", "gaussian") for k in (2, 9, 50)), ("wide", 2)]
    for data, k in cases[-1:] if arguments.trial else cases:
        ways = ["pplab, 2 threads", "pplab, 1 thread", "textbook"]
        if data == "wide" or (arguments.full and data == "jester" and k > 2):
            ways.append("textbook in full")
        for way in ways:
            result = child(__file__, "--one", way, data, k, "--repeats", arguments.repeats)
            rows.append({"data": data, "k": k, "way": way, **result})
            print(f"{data:<9} k = {k:<3} {way:<17} {result['seconds']:10.3f} s", flush=True)
    table = pd.DataFrame(rows)
    ours = table[table["way"] == "pplab, 2 threads"].set_index(["data", "k"])["seconds"]
    table["times ours"] = table["seconds"] / ours.loc[[*table.set_index(["data", "k"]).index]].array
    table = table.rename(columns={"grown": "peak / input"})
    show(table.round(3), "mdav", stored=not arguments.trial)


if __name__ == "__main__":
    main()
