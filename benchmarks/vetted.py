"""What noise by OpenDP costs against pplab's own, in time and accuracy, on Last.fm.

Run with ``make bench`` (a trial) or ``python benchmarks/vetted.py``; it takes five minutes. Lists
of 50 by common neighbours at epsilon 1: by clusters from all artists, with noise on utilities or
edges from the 1,000 best-liked ones (of all, each takes 33 million draws). The samplers run in
turn, the least processor time of each counts, and NDCG is a mean over users and releases. The last
rows flip every user-artist cell with probability 1/10. Times depend on the machine.
"""

import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import numpy as np
import pandas as pd
from _common import options, show

from pplab import bipartite_noise_graph, communities, load_dataset, ndcg, recommend, utilities
from pplab.response import BipartiteNoiseGraph
from pplab_papers.social.paper import Graphs, graphs_of

EPSILON, FLIP, TOP, MEASURE = 1.0, 0.1, 50, "cn"
RELEASES = {"cluster": 10, "nou": 5, "noe": 5}
FEWER = 1000  # artists for "nou" and "noe"
SAMPLERS = ("teaching", "vetted")


def timed(way: Callable[..., Any], sampler: str, seed: int) -> tuple[Any, float]:
    """One release and its processor time; only the teaching sampler takes a seed."""
    start = time.process_time()
    release = way(sampler=sampler, rng=seed if sampler == "teaching" else None)
    return release, time.process_time() - start


def lists(graphs: Graphs, method: str, releases: int) -> list[dict[str, Any]]:
    """Both samplers in turn; a first release of few artists compiles."""
    likes, clusters = graphs.preferences, None
    if method == "cluster":
        clusters = communities(graphs.social, rng=1)
    else:
        likes = likes[:, np.argsort(-likes.sum(axis=0), kind="stable")[:FEWER]]
    common = {"epsilon": EPSILON, "measure": MEASURE, "method": method, "clusters": clusters}
    recommend(graphs.social, likes[:, :TOP], **common, top_n=1, rng=1)
    truth = utilities(graphs.social, likes, measure=MEASURE)

    def way(**options: Any) -> Any:
        return recommend(graphs.social, likes, **common, top_n=TOP, **options)

    users, items = likes.shape
    result: dict[str, list[Any]] = {sampler: [] for sampler in SAMPLERS}
    for seed in range(releases):
        for sampler in SAMPLERS:
            release, seconds = timed(way, sampler, seed)
            worth = np.nanmean(ndcg(truth, release.items, top_n=TOP))
            result[sampler].append((seconds, worth, release.vetted))
            print(method, sampler, round(seconds, 3), round(worth, 4), flush=True)
    rows = []
    for sampler, runs in result.items():
        seconds, worth, stated = zip(*runs, strict=True)
        text = stated[0]
        row = {"method": method, "sampler": sampler, "epsilon": EPSILON}
        row |= {"stated": text and text.stated_epsilon, "grid": text and text.grid}
        drawn = (users if clusters is None else clusters.max() + 1) * items
        row |= {"numbers": drawn, "cpu seconds": min(seconds), "NDCG@50": np.mean(worth)}
        error = np.std(worth, ddof=1) / len(worth) ** 0.5 if len(worth) > 1 else np.nan
        rows.append(row | {"error": error, "releases": len(runs)})
    return rows


def flips(graphs: Graphs) -> list[dict[str, Any]]:
    """Randomized response on every cell."""

    def way(**options: Any) -> Any:
        return bipartite_noise_graph(graphs.preferences, flip_probability=FLIP, **options)

    way(sampler="teaching", rng=1)
    rows = []
    for sampler in SAMPLERS:
        seconds = min(timed(way, sampler, seed)[1] for seed in range(3))
        mechanism = BipartiteNoiseGraph(FLIP, sampler=sampler)
        row = {"method": "flips", "sampler": sampler, "epsilon": mechanism.epsilon}
        row |= {"stated": mechanism.vetted and mechanism.vetted.stated_epsilon}
        row |= {"numbers": np.prod(graphs.preferences.shape), "cpu seconds": seconds, "releases": 3}
        rows.append(row)
        print(row, flush=True)
    return rows


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--methods", nargs="*", default=list(RELEASES), help="fewer, for a trial")
    arguments = parser.parse_args()
    if arguments.trial:
        arguments.methods = ["cluster"]
    data = load_dataset("lastfm")
    graphs = graphs_of(data)
    releases = dict.fromkeys(RELEASES, 1) if arguments.trial else RELEASES
    rows = [row for method in arguments.methods for row in lists(graphs, method, releases[method])]
    table = pd.DataFrame(rows + ([] if arguments.trial else flips(graphs)))
    plain = table[table["sampler"] == "teaching"].set_index("method")["cpu seconds"]
    teaching = table["method"].map(plain)
    table["times teaching"] = table["cpu seconds"] / teaching
    table = table.round({"cpu seconds": 3, "NDCG@50": 4, "error": 4, "times teaching": 1})
    table["source"] = data.source
    table["opendp"] = version("opendp")
    show(table, "vetted", stored=len(arguments.methods) == len(RELEASES))


if __name__ == "__main__":
    main()
