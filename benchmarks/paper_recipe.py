"""The paper's recipe step by step: prices, ten orders of arrival, closing, votes.

Run with ``python benchmarks/paper_recipe.py``; adult, dblp-2010 and cnr-2000 are read from
PPLAB_DATA. The paper allows its C++ three hours for each run. Every case runs in a process of its
own, so that its peak memory can be read off. Times depend on the machine.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

from pplab import load_dataset
from pplab.graphs import as_matrix
from pplab.smooth import paper_recipe, publish_votes
from pplab.smooth.anonymize import anonymized
from pplab.smooth.recipe import close_small, online_facilities, opening_costs
from pplab.smooth.rows import distinct_rows

OUT = Path(__file__).parent / "results" / "paper_recipe.csv"


def measure(data: str, k: int, assignment: str) -> dict[str, float | str]:
    """Run all steps in this process: seconds of each, what came out, peak memory."""
    warm = np.eye(6, dtype=np.int8)  # compiled code is made, or read from its cache
    publish_votes(warm, paper_recipe(warm, 2, assignment=assignment, rng=1), keep="half")
    result = load_dataset(data)
    table, clock = as_matrix(result.biadjacency), [time.perf_counter()]
    arriving, closing = np.random.default_rng(1).spawn(2)
    distinct = distinct_rows(table)
    costs = opening_costs(distinct, k, spread=2)
    clock.append(time.perf_counter())
    located = online_facilities(distinct, costs, orders=10, assignment=assignment, rng=arriving)
    clock.append(time.perf_counter())
    labels = close_small(distinct, located, k, rng=closing)
    clock.append(time.perf_counter())
    copy = anonymized(publish_votes(table, labels, keep="half"), labels, of=table)
    clock.append(time.perf_counter())
    steps = dict(zip(("prices", "ten orders", "closing", "votes"), np.diff(clock), strict=True))
    return {
        "source": result.source,
        "jaccard": copy.jaccard,
        "suppressed": copy.suppressed,
        "created": copy.created,
        **steps,
        "seconds": clock[-1] - clock[0],
        "peak GB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", nargs="+", default=["adult", "dblp-2010", "cnr-2000"])
    parser.add_argument("--k", nargs="+", type=int, default=[2, 8, 64])
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--trial", action="store_true", help="a small size; nothing is stored")
    arguments = parser.parse_args()
    if arguments.trial:
        arguments.data, arguments.k = ["adult"], [8]
    if arguments.one:
        data, k, assignment = arguments.one
        print(json.dumps(measure(data, int(k), assignment)))
        return
    rows = []
    for data in arguments.data:
        for k in arguments.k:
            for assignment in ("arrival", "nearest"):
                result = _child(data, k, assignment)
                rows.append({"data": data, "k": k, "assignment": assignment, **result})
                print(rows[-1], flush=True)
    if arguments.trial:
        return
    OUT.parent.mkdir(exist_ok=True)
    pd.DataFrame(rows).round(4).to_csv(OUT, index=False)


def _child(data: str, k: int, assignment: str) -> dict[str, float | str]:
    command = [sys.executable, __file__, "--one", data, str(k), assignment]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


if __name__ == "__main__":
    main()
