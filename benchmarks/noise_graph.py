"""Noise graph on a Likes-sized matrix (19,724 x 8,523, 3.82M edges) against what a user would pick.

Run with ``make bench`` (a trial) or ``python benchmarks/noise_graph.py``. Every way runs in a
process of its own, so that its peak memory can be read off; times are medians after a warm-up.
Ratios hold within one run; single times depend on the machine.
"""

import argparse
import json
import time
import tracemalloc
from collections.abc import Callable
from statistics import median

import networkx as nx
import numba
import numpy as np
import pandas as pd
from _common import child, options, show
from scipy import sparse

from pplab import bipartite_noise_graph
from pplab.graphs import from_cell_keys

USERS, ITEMS, EDGES = 19_724, 8_523, 3_817_840
FLIPS = (0.005, 0.1, 0.4)
NETWORKX_USERS = 200  # networkx is run on so many rows, and its time scaled up


def make_graph() -> sparse.csr_array:
    rng = np.random.default_rng(1)
    keys = np.unique(rng.integers(0, USERS * ITEMS, int(EDGES * 1.02)))
    keys = np.sort(rng.choice(keys, EDGES, replace=False))
    return from_cell_keys(keys, np.ones(EDGES, dtype=np.int8), (USERS, ITEMS))


def ours(graph: sparse.csr_array, p: float) -> sparse.csr_array:
    return bipartite_noise_graph(graph, flip_probability=p, rng=2)


def scipy_random(graph: sparse.csr_array, p: float) -> sparse.csr_array:
    """A noise graph of exactly p * cells edges, added by a sparse comparison."""
    noise = sparse.random(*graph.shape, density=p, format="csr", rng=2)
    return graph != (noise > 0)


def row_wise(graph: sparse.csr_array, p: float) -> sparse.csr_array:
    """For each row: how many flips, which columns, exclusive or with the row's columns."""
    rng = np.random.default_rng(2)
    columns, counts = [], []
    for row in range(graph.shape[0]):
        flips = rng.choice(ITEMS, rng.binomial(ITEMS, p), replace=False)
        mine = graph.indices[graph.indptr[row] : graph.indptr[row + 1]]
        published = np.setxor1d(mine, flips, assume_unique=True)
        columns.append(published.astype(np.int32))
        counts.append(len(published))
    indptr = np.concatenate([[0], np.cumsum(counts)])
    indices = np.concatenate(columns)
    ones = np.ones(len(indices), dtype=np.int8)
    return sparse.csr_array((ones, indices, indptr), shape=graph.shape)


def dense(graph: sparse.csr_array, p: float) -> sparse.csr_array:
    """A uniform number for every cell of the matrix."""
    rng = np.random.default_rng(2)
    flips = rng.random(graph.shape) < p
    return sparse.csr_array(graph.toarray().astype(bool) ^ flips)


def networkx_part(graph: sparse.csr_array, p: float) -> nx.Graph:
    """networkx's own random bipartite graph and symmetric difference, on the first rows."""
    part = nx.bipartite.from_biadjacency_matrix(graph[:NETWORKX_USERS])
    noise = nx.bipartite.random_graph(NETWORKX_USERS, ITEMS, p, seed=2)
    return nx.symmetric_difference(part, noise)


WAYS: dict[str, Callable] = {
    "pplab, 2 threads": ours,
    "pplab, 1 thread": ours,
    "scipy.sparse.random_array, xor": scipy_random,
    "row by row, binomial and choice": row_wise,
    "dense numpy": dense,
    "networkx (extrapolated)": networkx_part,
}


def measure(way: str, p: float, repeats: int) -> dict[str, object]:
    """Run one way in this process: median seconds."""
    if way.startswith("pplab"):
        numba.set_num_threads(min(2 if "2" in way else 1, numba.config.NUMBA_NUM_THREADS))
    graph = make_graph()
    small = graph[:400]
    if "networkx" not in way:
        WAYS[way](graph if way.startswith("pplab") else small, p)
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        WAYS[way](graph, p)
        times.append(time.perf_counter() - start)
    scale = USERS / NETWORKX_USERS if "networkx" in way else 1
    return {"seconds": median(times) * scale}


def peak_over_output(p: float) -> float:
    """Peak memory of a call above what stood before it, over the size of the output."""
    graph = make_graph()
    ours(graph[:400], p)
    _write_threads_compiled(graph, p)
    tracemalloc.start()  # numpy tells it of every array
    result = ours(graph, p)
    _, peak = tracemalloc.get_traced_memory()
    return peak / (result.data.nbytes + result.indices.nbytes + result.indptr.nbytes)


def _write_threads_compiled(graph: sparse.csr_array, p: float) -> None:
    """Compile and load the threaded loops on a small piece before memory is read."""
    ours(graph[:200], p)
    ours(sparse.csr_array((4096, 2048), dtype=np.int8), p)


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--one", nargs=2, metavar=("WAY", "P"), help=argparse.SUPPRESS)
    parser.add_argument("--peak", type=float, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(measure(arguments.one[0], float(arguments.one[1]), arguments.repeats)))
        return
    if arguments.peak is not None:
        print(json.dumps(peak_over_output(arguments.peak)))
        return
    if arguments.trial:
        arguments.repeats = 1
    rows, slow = [], ("dense", "networkx")
    for p in FLIPS[:1] if arguments.trial else FLIPS:
        peak = child(__file__, "--peak", p)
        for way in (each for each in WAYS if not (arguments.trial and each.startswith(slow))):
            repeats = 1 if way.startswith(slow) else arguments.repeats
            result = child(__file__, "--one", way, p, "--repeats", repeats)
            rows.append({"p": p, "way": way, "seconds": result["seconds"]})
            if way.startswith("pplab"):
                rows[-1]["peak / output"] = peak
            print(f"p = {p:<6} {way:<34} {result['seconds']:9.3f} s", flush=True)
    table = pd.DataFrame(rows)
    base = table[table["way"] == "pplab, 2 threads"].set_index("p")["seconds"]
    table["times ours"] = table["seconds"] / table["p"].map(base)
    show(table.round(3), "noise_graph", stored=not arguments.trial)


if __name__ == "__main__":
    main()
