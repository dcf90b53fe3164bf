"""Best of 10 communities at Flixster's size (137,372 users, 1,269,076 links of the stand-in).

Run with ``make bench`` (a trial) or ``python benchmarks/communities.py``. The tool a user would
pick, python-louvain, takes minutes for each order of the users: it is timed on ``--slow-runs`` of
them, without our refinement, and its time is scaled to 10; column "orders timed" says how many.
"igraph's Leiden" is that program alone, best of 10, as a user would call it; the other ways are
``communities(backend=...)`` with everything it does. Every way runs once, in a process of its own,
so that its peak memory can be read off. All use one thread, so that processor time compares them
also where the machine is busy. Single times depend on the machine.
"""

import argparse
import json
import random
import resource
import tempfile
import time
from pathlib import Path

import community
import igraph
import networkx as nx
import numpy as np
import pandas as pd
from _common import child, options, show
from scipy import sparse

from pplab.datasets.load import load_dataset
from pplab.recommenders.communities import communities, modularity
from pplab_papers.social.paper import graphs_of

USERS = 137_372
REFERENCE, SLOW = "igraph's Leiden", "python-louvain"
WAYS = (SLOW, REFERENCE, "leiden", "igraph")


def make_graph(users: int = USERS) -> sparse.csr_array:
    """Links of the stand-in, all or those among its first users."""
    links = graphs_of(load_dataset("flixster", source="standin")).social
    return links[:users][:, :users]


def bare_louvain(graph: sparse.csr_array, runs: int) -> np.ndarray:
    """python-louvain as a user would call it, best of several runs."""
    network = nx.from_scipy_sparse_array(graph)
    result = [community.best_partition(network, random_state=run) for run in range(runs)]
    best = max(result, key=lambda partition: community.modularity(partition, network))
    return np.array([best[user] for user in range(graph.shape[0])])


def bare_leiden(graph: sparse.csr_array, runs: int) -> np.ndarray:
    """igraph's Leiden as a user would call it, best of several runs."""
    random.seed(1)
    ends = np.column_stack(sparse.triu(graph).nonzero())
    network = igraph.Graph(n=graph.shape[0], edges=ends)
    result = [network.community_leiden(objective_function="modularity") for _ in range(runs)]
    best = max(result, key=lambda partition: partition.modularity)
    return np.unique(best.membership, return_inverse=True)[1]


def measure(way: str, file: str, runs: int) -> dict[str, float]:
    """Run one way in this process: what a best of 10 costs, and peak memory above the start."""
    graph = sparse.csr_array(sparse.load_npz(file))
    small = graph[:500][:, :500]
    communities(small, runs=1, backend="igraph", rng=1)  # compile, or read from the cache
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start, worked = time.perf_counter(), time.process_time()
    if way == SLOW:
        labels = bare_louvain(graph, runs)
    elif way == REFERENCE:
        labels = bare_leiden(graph, runs)
    else:
        labels = communities(graph, runs=runs, backend=way, rng=1)
    seconds, cpu = time.perf_counter() - start, time.process_time() - worked
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    return {
        "orders timed": runs,
        "seconds for 10": seconds * 10 / runs,
        "cpu seconds for 10": cpu * 10 / runs,
        "modularity": modularity(graph, labels),
        "clusters": int(labels.max()) + 1,
        "peak MB": grown,
    }


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--runs", type=int, default=10, help="orders timed, scaled to 10")
    parser.add_argument("--slow-runs", type=int, default=1, help="the same for python-louvain")
    parser.add_argument("--users", type=int, default=USERS, help="a smaller graph, for a trial")
    parser.add_argument("--one", nargs=2, metavar=("WAY", "FILE"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.trial:
        arguments.users, arguments.runs = 1_000, 1
    if arguments.one:
        print(json.dumps(measure(*arguments.one, arguments.runs)))
        return
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "graph.npz")
        sparse.save_npz(file, make_graph(arguments.users), compressed=False)
        for number, way in enumerate(WAYS, 1):
            runs = arguments.slow_runs if way == SLOW else arguments.runs
            print(f"{number} of {len(WAYS)}: {way}, {runs} orders of the users", flush=True)
            rows.append({"way": way, **child(__file__, "--one", way, file, "--runs", runs)})
            print(rows[-1], flush=True)
    table = pd.DataFrame(rows).set_index("way", drop=False)
    for kind in ("seconds", "cpu seconds"):
        column = table[f"{kind} for 10"]
        table[f"times as fast by {kind}"] = column[SLOW] / column
    table["below igraph's Leiden"] = table.loc[REFERENCE, "modularity"] - table["modularity"]
    show(table.round(6), "communities", stored=arguments.users == USERS)


if __name__ == "__main__":
    main()
