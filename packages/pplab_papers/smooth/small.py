"""Beyond the paper: greedy copies against known optima, and what chunks cost.

`beyond_small` holds the greedy method and the certificates against the optimum over all groupings,
on graphs so small that it can be found; `chunks` anonymizes one large graph whole, in chunks of
similar rows and in random chunks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from claimbook.part import Rng, mean_of_runs
from pplab.checks import as_rng
from pplab.datasets.catalog import Dataset
from pplab.smooth import publish_votes, smooth_k_anonymize, suppress_k_anonymize
from pplab.smooth.groups import random_groups
from pplab_papers.smooth.approximation import Instance, instances_with_optimum
from pplab_papers.smooth.paper import K_TABLE
from pplab_papers.smooth.theorem_4_4 import largest_k_anonymous_subgraph
from smoothbound.certificates import jaccard_certificates
from smoothbound.chunks import CHUNK_ROWS, smooth_k_anonymize_chunks

SLACK = 1e-9  # what sums of floats may be off by


def beyond_small(*, rng: Rng = None, instances: int = 100) -> pd.DataFrame:
    """Hold the greedy method and the certificates against the optimum over all groupings.

    Random groups show what is met by chance.
    """
    making, running = as_rng(rng).spawn(2)
    seeds = running.integers(2**31, size=instances).tolist()
    kept: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    gaps: dict[tuple[str, str], list[float]] = defaultdict(list)
    for one, seed in zip(instances_with_optimum(making, instances), seeds, strict=True):
        for copies, (anonymize, optimum, keep) in _COPIES.items():
            best = optimum(one)
            kept[copies, "greedy"].append((anonymize(one.graph, one.k, rng=seed).jaccard, best))
            labels = random_groups(one.graph, one.k, rng=seed)
            chance = publish_votes(one.graph, labels, keep=keep)
            objective = chance.kept / (int(one.graph.sum()) + chance.created)
            kept[copies, "random"].append((objective, best))
            for name, bound in jaccard_certificates(one.graph, one.k, copies=copies).items():
                gaps[copies, name].append(bound - best)
    rows: list[dict[str, Any]] = [
        {"quantity": "optimum met", "copies": copies, "groups": groups, "runs": instances}
        | met_and_worst(pairs)
        for (copies, groups), pairs in kept.items()
    ]
    rows += [
        {"quantity": "certificate less optimum", "copies": copies, "method": name}
        | {"least": min(row), "value": 100 * float(np.mean(np.abs(row) <= SLACK))}
        for (copies, name), row in gaps.items()
    ]
    return pd.DataFrame(rows)


def best_suppression(one: Instance) -> float:
    """Largest similarity of a copy that only suppresses entries."""
    return largest_k_anonymous_subgraph(one.graph, one.k) / int(one.graph.sum())


_COPIES = {
    "smooth": (smooth_k_anonymize, lambda one: float(one.best), "half"),
    "suppression": (suppress_k_anonymize, best_suppression, "all"),
}


def met_and_worst(pairs: list[tuple[float, float]]) -> dict[str, float]:
    """Share of similarities that are the optimum, and the worst one over its optimum, per cent.

    Examples
    --------
    >>> met_and_worst([(0.5, 0.5), (0.4, 0.5)])
    {'value': 50.0, 'worst': 80.0}
    """
    ours, best = np.array(pairs).T
    ratio = np.divide(ours, best, out=np.ones(len(best)), where=best > 0)
    return {"value": 100 * float(np.mean(ours >= best - SLACK)), "worst": 100 * float(ratio.min())}


# The price of chunks.


SIZES = (CHUNK_ROWS, 10_000)  # rows: that of runs over files, and one that makes many chunks
WHOLE = "unchunked"
ORDERS = {"minhash": "min-hash", "random": "random"}


def chunks(
    dataset: Dataset,
    *,
    rng: Rng = None,
    sizes: Sequence[int] = SIZES,
    repetitions: int = 1,  # the spread over seeds is far below what chunks lose
) -> pd.DataFrame:
    """Anonymize one table whole, and in chunks of similar or random rows."""
    table = dataset.biadjacency
    ways = {WHOLE: (table.shape[0], "minhash")}  # one chunk of all rows is the table itself
    ways |= {way_of(order, size): (size, order) for size in sizes for order in ORDERS}
    seeds = as_rng(rng).integers(2**31, size=repetitions).tolist()

    def kept_by(size: int, order: str) -> np.ndarray:
        options: dict[str, Any] = {"chunk_rows": size, "order": order}
        options |= {"method": "greedy", "effort": "fast"}
        runs = (smooth_k_anonymize_chunks(table, K_TABLE, **options, rng=s) for s in seeds)
        return np.array([100 * run.jaccard for run in runs])

    by_way = {way: kept_by(*arguments) for way, arguments in ways.items()}
    rows: list[dict[str, Any]] = []
    for way, values in by_way.items():
        row = {"way": way, "method": "smooth", "k": K_TABLE}
        rows.append(row | {"quantity": "jaccard"} | mean_of_runs(values))
        if way != WHOLE:
            lost = _lost(values, by_way[WHOLE])
            rows.append(row | {"quantity": "lost to chunks"} | mean_of_runs(lost))
    for size in sizes:
        similar, anybody = (by_way[way_of(order, size)] for order in ORDERS)
        row = {"quantity": "gain", "rows": size, "method": "smooth", "k": K_TABLE}
        rows.append(row | {"value": similar.min() - anybody.max()})
    return pd.DataFrame(rows)


def way_of(order: str, size: int) -> str:
    """Name of a way of chunking.

    Examples
    --------
    >>> way_of("minhash", 100_000)
    'min-hash chunks of 100,000 rows'
    """
    return f"{ORDERS[order]} chunks of {size:,} rows"


def _lost(values: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Share in per cent; where the whole table keeps nothing, nothing can be lost."""
    return 100 * (whole - values) / np.where(whole > 0, whole, 1.0)
