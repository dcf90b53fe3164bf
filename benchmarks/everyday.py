"""Everyday functions against what a user would pick instead, each at three sizes.

Run with ``make bench`` (a trial) or ``python benchmarks/everyday.py``. Ours and the peer's run in
turn in one process; the least processor time of each counts, memory is how far a first call lets
it grow, and results are compared: where something is drawn, by how often. The one peer that is not
among pplab's own libraries has an environment of its own, build/bench, from requirements.txt; in a
trial it is left out where that is missing. Single times depend on the machine.
"""

import json
import subprocess
import time
import venv
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from _common import forget_peak, options, peak, show
from scipy import sparse
from sklearn.metrics import pairwise_distances_argmin

import pplab
from pplab.microaggregation import optimal_microaggregation_1d

HERE = Path(__file__).parent
NEEDED = HERE / "requirements.txt"
ENVIRONMENT = HERE.parent / "build" / "bench"
K, LEVELS, EPSILON, FLIP, TOP = 10, 5, 2.0, 0.02, 50
FORTH = "original-to-protected"
_PEER = """
import json, sys, time
import numpy, microaggregation
values = numpy.load(sys.argv[1])
start = time.process_time()
error = microaggregation.calculate_sse_dynamic(numpy.sort(values)[:, None], int(sys.argv[2]))
print(json.dumps([error, time.process_time() - start]))
"""
Ways = tuple[Callable[[], Any], Callable[[], Any], Callable[[Any, Any], bool]]


def equal_rows(size: int, rng: np.random.Generator) -> Ways:
    table = rng.integers(1, 4, (size, 6)).astype(float)
    columns = list(range(6))
    return (
        lambda: pplab.k_achieved(table),
        lambda: pd.DataFrame(table).groupby(columns).size().min(),
        lambda ours, peer: ours == peer,
    )


def jaccard(size: int, rng: np.random.Generator) -> Ways:
    shape, ends = (size // 50, size // 100), rng.random((2, size))
    moved = np.where(rng.random(size) < 0.3, rng.random((2, size)), ends)
    left, right = (_graph((x.T * shape).astype(int).T, shape) for x in (ends, moved))

    def peer() -> float:
        shared = left.multiply(right).nnz
        return shared / (left.nnz + right.nnz - shared)

    return lambda: pplab.jaccard_similarity(left, right), peer, lambda a, b: a == b


def _graph(ends: np.ndarray, shape: tuple[int, int]) -> sparse.csr_array:
    graph = sparse.csr_array(sparse.coo_array((np.ones(ends.shape[1]), tuple(ends)), shape))
    graph.data[:] = 1
    graph.sort_indices()
    return graph


def categorical(size: int, rng: np.random.Generator) -> Ways:
    ratings = rng.integers(1, LEVELS + 1, (size // 1000, 1000))
    truth, lie = sparse.csr_array(ratings), LEVELS / (np.exp(EPSILON) + LEVELS)

    def peer() -> np.ndarray:
        answers = rng.integers(1, LEVELS + 1, ratings.shape)
        answers[answers == ratings] = 0  # no edge
        return np.where(rng.random(ratings.shape) < lie, answers, ratings)

    def agree(ours: sparse.csr_array, peer: np.ndarray) -> bool:
        kept = [(result == ratings).mean() for result in (ours.toarray(), peer)]
        return all(abs(share - 1 + lie) < 6 * (lie / size) ** 0.5 for share in kept)

    def ours() -> sparse.csr_array:
        return pplab.categorical_response(truth, levels=LEVELS, epsilon=EPSILON, rng=1)

    return ours, peer, agree


def noise(size: int, rng: np.random.Generator) -> Ways:
    shape = (size // 1700, 1700)
    graph = sparse.csr_array(rng.random(shape) < 0.06, dtype=np.int32)

    def peer() -> sparse.csr_array:
        return sparse.csr_array(graph.toarray().astype(bool) ^ (rng.random(shape) < FLIP))

    def agree(*graphs: sparse.csr_array) -> bool:
        flips = [(result.toarray().astype(bool) != graph.toarray()).mean() for result in graphs]
        return all(abs(share - FLIP) < 6 * (FLIP / size) ** 0.5 for share in flips)

    return lambda: pplab.bipartite_noise_graph(graph, flip_probability=FLIP, rng=1), peer, agree


def common_neighbours(size: int, rng: np.random.Generator) -> Ways:
    half = _graph((rng.pareto(2.5, (2, 10 * size)) * size).astype(int) % size, (size, size))
    graph = sparse.csr_array(((half + half.T) > 0).astype(float))
    graph.setdiag(0)
    graph.eliminate_zeros()

    def peer() -> sparse.csr_array:
        product = graph @ graph
        own = np.repeat(np.arange(size), np.diff(product.indptr))
        product.data[product.indices == own] = 0
        product.eliminate_zeros()
        return product

    return lambda: pplab.similarity(graph, measure="cn"), peer, lambda a, b: (a != b).nnz == 0


def ranked(size: int, rng: np.random.Generator) -> Ways:
    truth = rng.random((size, 1000))
    lists = np.argsort(rng.random((size, 1000)), axis=1)[:, :TOP]
    discounts = np.maximum(1, np.log2(np.arange(1, TOP + 1)) + 1)

    def peer() -> np.ndarray:
        gained = (np.take_along_axis(truth, lists, axis=1) / discounts).sum(axis=1)
        best = np.sort(np.partition(truth, 1000 - TOP, axis=1)[:, -TOP:], axis=1)[:, ::-1]
        return gained / (best / discounts).sum(axis=1)

    return lambda: pplab.ndcg(truth, lists, top_n=TOP), peer, np.allclose


def ranked_sparse(size: int, rng: np.random.Generator) -> Ways:
    stored, items = 5000, 20_000
    columns = np.sort(rng.random((size, items)).argpartition(stored, axis=1)[:, :stored])
    values, starts = rng.random(columns.size), np.arange(size + 1) * stored
    truth = sparse.csr_array((values, columns.ravel(), starts), (size, items))
    lists = rng.random((size, items)).argpartition(TOP, axis=1)[:, :TOP]
    discounts = np.maximum(1, np.log2(np.arange(1, TOP + 1)) + 1)

    def peer() -> np.ndarray:
        gained = (truth[np.arange(size)[:, None], lists].toarray() / discounts).sum(axis=1)
        best = np.partition(truth.data.reshape(columns.shape), stored - TOP, axis=1)[:, -TOP:]
        return gained / (np.sort(best, axis=1)[:, ::-1] / discounts).sum(axis=1)

    return lambda: pplab.ndcg(truth, lists, top_n=TOP), peer, np.allclose


def linked(size: int, rng: np.random.Generator) -> Ways:
    original, noise = rng.standard_normal((2, size, 100))
    return (
        lambda: pplab.disclosure_risk(original, original + noise, direction=FORTH),
        lambda: pairwise_distances_argmin(original, original + noise) == np.arange(size),
        np.array_equal,
    )


def on_a_line(size: int, rng: np.random.Generator) -> Ways:
    values, file = rng.standard_normal(size) ** 3, ENVIRONMENT / "values.npy"
    np.save(file, values)

    def peer() -> tuple[float, float]:
        command = [str(ENVIRONMENT / "bin" / "python"), "-c", _PEER, str(file), str(K)]
        error, seconds = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        return error, seconds

    def agree(labels: np.ndarray, result: tuple[float, float]) -> bool:
        return bool(np.isclose(pplab.metrics.within_group_sse(values[:, None], labels), result[0]))

    return lambda: optimal_microaggregation_1d(values, K), peer, agree


JOBS: dict[str, tuple[Callable[..., Ways], str, tuple[int, ...]]] = {
    "k_achieved": (equal_rows, "pandas", (3_000, 30_000, 300_000)),
    "jaccard_similarity": (jaccard, "scipy", (10_000, 100_000, 1_000_000)),
    "categorical_response": (categorical, "numpy", (20_000, 200_000, 2_000_000)),
    "bipartite_noise_graph": (noise, "numpy", (160_000, 1_600_000, 16_000_000)),
    "similarity cn": (common_neighbours, "scipy", (1_000, 4_000, 12_000)),
    "ndcg": (ranked, "numpy", (300, 1_000, 3_000)),
    "ndcg, sparse": (ranked_sparse, "scipy", (100, 300, 1_000)),
    "disclosure_risk": (linked, "scikit-learn", (2_000, 6_000, 20_000)),
    "optimal 1-d": (on_a_line, NEEDED.read_text().strip(), (2_000, 20_000, 200_000)),
}


def measured(way: Callable[[], Any]) -> tuple[Any, float, float]:
    """A result, its processor time, and how far memory grew."""
    forget_peak()
    before, start = peak(), time.process_time()
    result = way()
    seconds = time.process_time() - start
    if isinstance(result, tuple):  # another process tells its own
        seconds = result[1]
    return result, seconds, (peak() - before) / 2**20


def compare(job: str, size: int, repeats: int) -> dict[str, Any]:
    make, peer, sizes = JOBS[job]
    make(sizes[0], np.random.default_rng(1))[0]()  # compiled code is made, or read from its cache
    ours, theirs, agree = make(size, np.random.default_rng(1))
    turns = [(measured(ours), measured(theirs)) for _ in range(repeats)]
    if not agree(turns[0][0][0], turns[0][1][0]):
        raise AssertionError(f"{job} of {size:,} does not give what {peer} gives")
    mine, other = (min(turn[side][1] for turn in turns) for side in (0, 1))
    peaks = {f"{name} MB": turns[0][side][2] for side, name in enumerate(("our", "peer"))}
    row = {"function": job, "size": size, "cpu seconds": mine, "peer seconds": other}
    return {
        **row,
        "peer / ours": other / max(mine, 1e-9),
        **peaks,
        "peer": peer if "==" in peer else f"{peer} {version(peer)}",
    }


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--only", nargs="*", choices=JOBS, help="some of the functions")
    arguments = parser.parse_args()
    if not arguments.trial:  # also after an interruption
        venv.create(ENVIRONMENT, with_pip=True)
        pip = [str(ENVIRONMENT / "bin" / "python"), "-m", "pip", "install", "--quiet", "-r"]
        subprocess.run([*pip, str(NEEDED)], check=True)
    rows = []
    for job, (make, _, sizes) in JOBS.items():
        if arguments.only and job not in arguments.only:
            continue
        if make is on_a_line and not (ENVIRONMENT / "bin").exists():
            print(f"{job}: left out, its peer is not in build/bench")
            continue
        for size in sizes[:1] if arguments.trial else sizes:
            rows.append(compare(job, size, 1 if arguments.trial else arguments.repeats))
            print(rows[-1], flush=True)
    table = pd.DataFrame(rows).round({"cpu seconds": 5, "peer seconds": 5, "peer / ours": 2})
    show(table, "everyday", stored=not arguments.trial and not arguments.only)


if __name__ == "__main__":
    main()
