"""Best of 10 communities at Flixster's size (137,372 users, 1,269,076 links), made data.

Run with ``make bench`` or ``python benchmarks/communities.py``. The graph has heavy-tailed degrees
and two levels of structure, circles within groups, so that programs differ in what they find. The
tool a user would pick, python-louvain, is timed on one run without our refinement, and its time
multiplied by 10. "igraph's Leiden" is that program alone, best of 10, as a user would call it; the
other ways are ``communities(backend=...)`` with everything it does. Every way runs in a process of
its own, so that its peak memory can be read off. Ratios hold within one run; times depend on the
machine.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import community
import igraph
import networkx as nx
import numpy as np
import pandas as pd
from scipy import sparse

from pplab.recommenders.communities import communities
from pplab.recommenders.modularity import modularity

USERS, LINKS, GROUPS, CIRCLE = 137_372, 1_269_076, 60, 40
IN_CIRCLE, IN_GROUP = 0.35, 0.3  # shares of the links; the others go anywhere
REFERENCE, SLOW = "igraph's Leiden", "python-louvain"
WAYS = (SLOW, REFERENCE, "leiden", "igraph", "scikit-network")
OUT = Path(__file__).parent / "results" / "communities.csv"


def make_graph(users: int = USERS, links: int = LINKS) -> sparse.csr_array:
    """Groups of very different sizes, circles of about 40 in them, degrees with a heavy tail."""
    rng = np.random.default_rng(1)
    size = np.minimum(rng.zipf(1.5, GROUPS), 200)
    group = np.sort(rng.choice(GROUPS, size=users, p=size / size.sum()))
    circle = np.cumsum((rng.random(users) < 1 / CIRCLE) | (np.diff(group, prepend=-1) != 0)) - 1
    pull = np.minimum((1 - rng.random(users)) ** (-1 / 1.5), 300)
    mass = np.concatenate([[0], np.cumsum(pull)])
    edges = np.empty(0, dtype=np.int64)
    while len(edges) < links:
        many = int(1.3 * (links - len(edges))) + 1000
        one = np.searchsorted(mass, rng.random(many) * mass[-1], side="right") - 1
        kind, low, high = rng.random(many), np.zeros(many), np.full(many, mass[-1])
        for label, below in ((group, IN_CIRCLE + IN_GROUP), (circle, IN_CIRCLE)):
            bounds = mass[np.searchsorted(label, np.arange(label[-1] + 2))]
            near = kind < below
            low[near], high[near] = bounds[label[one[near]]], bounds[label[one[near]] + 1]
        other = np.searchsorted(mass, low + rng.random(many) * (high - low), side="right") - 1
        ends = np.sort(np.column_stack([one, np.clip(other, 0, users - 1)]))
        ends = ends[ends[:, 0] != ends[:, 1]]
        edges = np.unique(np.append(edges, ends[:, 0] * users + ends[:, 1]))
    kept = np.divmod(rng.choice(edges, links, replace=False), users)
    rows, columns = rng.permutation(users)[np.stack(kept)]
    half = sparse.coo_array((np.ones(links, dtype=np.int8), (rows, columns)), shape=(users, users))
    return (half + half.T).tocsr()


def run_once(graph: sparse.csr_array) -> np.ndarray:
    """python-louvain as a user would call it."""
    found = community.best_partition(nx.from_scipy_sparse_array(graph), random_state=1)
    return np.array([found[user] for user in range(graph.shape[0])])


def bare_leiden(graph: sparse.csr_array, runs: int) -> np.ndarray:
    """igraph's Leiden as a user would call it, best of several runs."""
    random.seed(1)
    ends = np.column_stack(sparse.triu(graph).nonzero())
    network = igraph.Graph(n=graph.shape[0], edges=ends)
    found = [network.community_leiden(objective_function="modularity") for _ in range(runs)]
    best = max(found, key=lambda partition: partition.modularity)
    return np.unique(best.membership, return_inverse=True)[1]


def measure(way: str, file: str, runs: int) -> dict[str, float]:
    """Run one way in this process; what a best of 10 costs, and peak memory above the start."""
    graph = sparse.csr_array(sparse.load_npz(file))
    small = graph[:500][:, :500]
    communities(small, runs=1, backend="scikit-network", rng=1)  # compile, or read from the cache
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    if way == SLOW:
        labels, scale = run_once(graph), 10.0
    elif way == REFERENCE:
        labels, scale = bare_leiden(graph, runs), 10 / runs
    else:
        labels, scale = communities(graph, runs=runs, backend=way, rng=1), 10 / runs
    seconds = time.perf_counter() - start
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    return {
        "runs timed": round(10 / scale),
        "seconds for 10": seconds * scale,
        "modularity": modularity(graph, labels),
        "clusters": int(labels.max()) + 1,
        "peak MB": grown,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10, help="timed runs, scaled up to 10")
    parser.add_argument("--users", type=int, default=USERS, help="a smaller graph, for a trial")
    parser.add_argument("--one", nargs=2, metavar=("WAY", "FILE"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(measure(*arguments.one, arguments.runs)))
        return
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "graph.npz")
        links = LINKS * arguments.users // USERS
        sparse.save_npz(file, make_graph(arguments.users, links), compressed=False)
        for way in WAYS:
            rows.append({"way": way, **_child(way, file, arguments.runs)})
            print(rows[-1], flush=True)
    table = pd.DataFrame(rows).set_index("way")
    table["times as fast"] = table.loc[SLOW, "seconds for 10"] / table["seconds for 10"]
    table["below igraph's Leiden"] = table.loc[REFERENCE, "modularity"] - table["modularity"]
    if arguments.users == USERS:
        OUT.parent.mkdir(exist_ok=True)
        table.round(6).to_csv(OUT)
    print(table.round(5).to_string())


def _child(way: str, file: str, runs: int) -> dict[str, float]:
    command = [sys.executable, __file__, "--one", way, file, "--runs", str(runs)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


if __name__ == "__main__":
    main()
