"""Utilities of 10,000 users at Flixster's size, and users x clusters of Katz, against scipy.

Run with ``make bench`` (a trial) or ``python benchmarks/utilities.py``; it takes a quarter of an
hour and 10 GB. The stand-in has 137,372 users, 1.27M links, 48,756 items and 7.5M preferences.
scipy multiplies (A[U] @ A) @ P, for aa with weights in between, for gd the patterns of A and its
square, and for katz dense blocks of rows; it uses one thread, pplab all. The ways run in turn; the
least time of each counts, and a ratio is the median of the ratios within a turn. Results are
compared. For the clusters scipy counts walks, which is less work than the simple paths that pplab
counts; with walks the results are the same. Single times depend on the machine.
"""

import time
from collections.abc import Callable, Mapping
from functools import partial

import numba
import numpy as np
import pandas as pd
import scipy
from _common import forget_peak, options, peak, show
from scipy import sparse

from pplab.datasets.load import load_dataset
from pplab.recommenders.clusters import indicator
from pplab.recommenders.similarity import similarity_times
from pplab.recommenders.utilities import utilities
from pplab_papers.social.paper import graphs_of

USERS, CLUSTERS, COMPARED, BLOCK, DAMPING = 10_000, 50, 200, 256, 0.05
OURS, SCIPY = "pplab", "scipy"


class Flixster:
    """The graphs of the stand-in, some of its users, and clusters of all."""

    def __init__(self, users: int) -> None:
        graphs = graphs_of(load_dataset("flixster", source="standin"))
        rng = np.random.default_rng(1)
        self.social, self.likes = graphs.social, graphs.preferences
        self.links = self.social.astype(np.float64)
        self.degrees = self.links.sum(axis=1)
        self.users = np.sort(rng.choice(self.social.shape[0], users, replace=False))
        self.members = indicator(rng.permutation(np.arange(self.social.shape[0]) % CLUSTERS))


def of_pplab(data: Flixster, measure: str, users: np.ndarray) -> sparse.csr_array:
    return utilities(data.social, data.likes, measure=measure, users=users)


def of_scipy(data: Flixster, measure: str, users: np.ndarray) -> sparse.csr_array:
    if measure == "katz":
        blocks = [users[at : at + BLOCK] for at in range(0, len(users), BLOCK)]
        rows = [sparse.csr_array(_dense_katz(data, block) @ data.likes) for block in blocks]
        return sparse.vstack(rows)
    near = data.links[users]
    if measure == "aa":
        logs = np.log(np.maximum(data.degrees, 2))  # those of degree 1 are common to nobody
        similar = (near * (1 / logs)) @ data.links
    else:
        similar = near @ data.links
    if measure == "gd":
        similar.data[:] = 0.5
        similar = similar.maximum(near).tocsr()
    own = np.repeat(users, np.diff(similar.indptr))
    similar.data[similar.indices == own] = 0
    similar.eliminate_zeros()
    return similar @ data.likes


def _dense_katz(data: Flixster, users: np.ndarray) -> np.ndarray:
    """Simple paths of up to three edges, in dense rows."""
    near, a = data.links[users], DAMPING
    two = near @ data.links
    similar = (two @ data.links).toarray()
    rows, columns = near.nonzero()
    similar[rows, columns] -= data.degrees[users][rows] + data.degrees[columns] - 1
    similar *= a**3
    ends, more = two.nonzero()
    similar[ends, more] += a**2 * two.data
    similar[rows, columns] += a
    similar[np.arange(len(users)), users] = 0
    return similar


def clusters_of_pplab(data: Flixster, paths: str = "simple") -> np.ndarray:
    walks = paths == "walks"  # some of which end where they began
    return similarity_times(
        data.social, data.members, measure="katz", paths=paths, self_similarity=walks
    )


def clusters_of_scipy(data: Flixster) -> np.ndarray:
    one = data.links @ data.members
    two = data.links @ one
    return DAMPING**3 * (data.links @ two) + DAMPING**2 * two + DAMPING * one


def compare(job: str, ways: Mapping[str, Callable[[], object]], repeats: int) -> pd.DataFrame:
    """All ways in turn."""
    turns = []
    for turn in range(repeats):
        for name, way in ways.items():
            turns.append({"job": job, "way": name, "turn": turn, **_measure(way)})
            print(turns[-1], flush=True)
    table = pd.DataFrame(turns)
    ours = table[table["way"] == OURS].set_index("turn")
    for kind in ("seconds", "cpu seconds"):
        table[f"{kind} / ours"] = table[kind] / ours[kind].loc[table["turn"]].array
    ratios = {"seconds / ours": "median", "cpu seconds / ours": "median"}
    least = {"seconds": "min", "cpu seconds": "min", "peak MB": "max", "result MB": "max"}
    return table.groupby(["job", "way"], sort=False).agg({**least, **ratios}).reset_index()


def _measure(way: Callable[[], object]) -> dict[str, float]:
    """Time one call, and how far memory grew while it ran; the result is part of that."""
    forget_peak()
    before, start, worked = peak(), time.perf_counter(), time.process_time()
    result = way()
    seconds, cpu = time.perf_counter() - start, time.process_time() - worked
    grown = (peak() - before) / 2**20
    arrays = [result] if isinstance(result, np.ndarray) else _arrays(result)
    size = sum(array.nbytes for array in arrays) / 2**20
    return {"seconds": seconds, "cpu seconds": cpu, "peak MB": grown, "result MB": size}


def _arrays(matrix: sparse.csr_array) -> list[np.ndarray]:
    return [matrix.data, matrix.indices, matrix.indptr]


def check(data: Flixster, measure: str) -> None:
    """Same cells, same numbers, for some of the users; this also compiles, or reads the cache."""
    some = data.users[:COMPARED]
    ours, peer = of_pplab(data, measure, some), sparse.csr_array(of_scipy(data, measure, some))
    peer.sort_indices()
    np.testing.assert_array_equal(ours.indptr, peer.indptr)
    np.testing.assert_array_equal(ours.indices, peer.indices)
    np.testing.assert_allclose(ours.data, peer.data, rtol=1e-9)


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--users", type=int, default=USERS, help="fewer, for a trial")
    arguments = parser.parse_args()
    if arguments.trial:
        arguments.users, arguments.repeats = 500, 1
    data, tables = Flixster(arguments.users), []
    np.testing.assert_allclose(clusters_of_pplab(data, "walks"), clusters_of_scipy(data), rtol=1e-9)
    ways = {OURS: partial(clusters_of_pplab, data), SCIPY: partial(clusters_of_scipy, data)}
    tables.append(compare(f"katz, {CLUSTERS} clusters", ways, 5 * arguments.repeats))
    for measure in ("cn", "aa", "gd", "katz"):
        check(data, measure)
        of_all = (data, measure, data.users)
        ways = {OURS: partial(of_pplab, *of_all), SCIPY: partial(of_scipy, *of_all)}
        tables.append(compare(f"{measure} utilities", ways, arguments.repeats))
    table = pd.concat(tables).round(3)
    table["users"], table["threads"] = arguments.users, numba.get_num_threads()
    table["versions"] = f"numpy {np.__version__}, scipy {scipy.__version__}"
    show(table, "utilities", stored=arguments.users == USERS)


if __name__ == "__main__":
    main()
