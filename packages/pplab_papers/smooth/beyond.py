"""Beyond the paper: greedy copies and suppressions against the paper's recipe and certificates.

`beyond` runs both methods on one table: smooth copies at several k, and at k = 8 copies that only
leave entries out. Beside each run stands the least certificate of its k, a similarity that no copy
can pass (`pplab.smooth.certificates`). The recipe is that of Esfandiari et al., Appendix D.
`beyond_small` holds greedy copies and certificates against the optimum over all groupings, on
graphs so small that it can be found; `chunks` anonymizes one large graph whole, in chunks of
similar rows and in random chunks.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from claimbook.part import Rng, mean_of_runs
from pplab.checks import as_rng, check_integer
from pplab.compiled import in_threads
from pplab.datasets.blocks import block_model
from pplab.datasets.catalog import Dataset
from pplab.smooth import publish_votes, smooth_k_anonymize, suppress_k_anonymize
from pplab.smooth.anonymize import SmoothAnonymized, anonymized
from pplab.smooth.groups import random_groups
from pplab_papers.smooth import paper
from pplab_papers.smooth.approximation import Instance, instances_with_optimum
from pplab_papers.smooth.copies import Recipe, density_of, equal_epsilon
from pplab_papers.smooth.theorem_4_4 import largest_k_anonymous_subgraph
from smoothbound.certificates import jaccard_certificates
from smoothbound.chunks import CHUNK_ROWS, smooth_k_anonymize_chunks

# Certificates of one table, and runs beside them.


def bounds_of(table: Any, efforts: Mapping[int, str], *, copies: str) -> pd.DataFrame:
    """Compute the certificates of a table once for each k."""
    rows = []
    for k, effort in efforts.items():
        began = time.monotonic()
        bounds = jaccard_certificates(table, k, copies=copies, effort=effort)
        seconds = round(time.monotonic() - began, 2)
        for name, bound in bounds.items():
            row = {"quantity": "certificate", "k": k, "method": name, "effort": effort}
            rows.append(row | {"value": 100 * bound, "seconds": seconds})
    return pd.DataFrame(rows)


def _with_certificates(runs: pd.DataFrame, bounds: pd.DataFrame) -> pd.DataFrame:
    """Write the least certificate of its k beside each run, and how near the run comes to it."""
    least = runs["k"].map(bounds.groupby("k")["value"].min())
    return _with_ratio(runs.assign(quantity="run", certificate=least), "jaccard")


def _with_ratio(rows: pd.DataFrame, column: str) -> pd.DataFrame:
    """Share of the certificate; none where nothing can be kept."""
    return rows.assign(ratio=rows[column] / rows["certificate"].where(rows["certificate"] > 0))


def means_of(runs: pd.DataFrame) -> pd.DataFrame:
    """Mean similarity of each method, effort and k: value, se, sd, certificate and ratio."""
    rows = []
    for (k, method, effort), group in runs.groupby(["k", "method", "effort"], sort=False):
        row = {"quantity": "jaccard", "k": k, "method": method, "effort": effort}
        row |= mean_of_runs(group["jaccard"].to_numpy())
        rows.append(row | {"certificate": float(group["certificate"].iloc[0])})
    return _with_ratio(pd.DataFrame(rows), "value")


def gains_of(runs: pd.DataFrame) -> pd.DataFrame:
    """Lead of the greedy method at each k, in points.

    A gain is the least greedy run less the largest run of the recipe; an effort gain is the least
    thorough run less the largest fast one.
    """
    rows = []
    for k, at_k in runs.groupby("k", sort=False):
        recipe, greedy = (at_k[at_k["method"] == name] for name in ("recipe", "greedy"))
        by_effort = greedy.groupby("effort")["jaccard"]
        least, most = by_effort.min(), by_effort.max()
        for effort, value in least.items():
            gain = value - recipe["jaccard"].max()
            rows.append({"quantity": "gain", "k": k, "effort": effort, "value": gain})
        if len(least) > 1:
            gain = least["thorough"] - most["fast"]
            rows.append({"quantity": "effort gain", "k": k, "value": gain})
    return pd.DataFrame(rows)


def run_rows(runs: pd.DataFrame, bounds: pd.DataFrame, *, of: str = "") -> pd.DataFrame:
    """Runs with their certificates, means and gains; `of` ends each quantity."""
    runs = _with_certificates(runs, bounds)
    table = pd.concat([runs, means_of(runs), bounds, gains_of(runs)], ignore_index=True)
    return table.assign(quantity=table["quantity"] + of)


# Runs of the paper's recipe and of the greedy method side by side.


WARMING = 300  # rows on which a first run compiles what the measured ones need


Job = tuple[int, str, int, int]  # of one copy: k, effort, run and seed


def greedy_runs(
    anonymize: Callable[..., SmoothAnonymized],
    table: Any,
    plan: Mapping[tuple[int, str], int],
    *,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Make copies at each k and effort; after the first one, runs are parallel threads."""
    jobs = [
        (k, effort, run, int(seed))
        for (k, effort), count in plan.items()
        for run, seed in enumerate(rng.integers(2**31, size=count))
    ]

    def work(job: Job, rows: Any = table) -> dict[str, Any]:
        (k, effort, run, seed), began = job, time.monotonic()
        made = anonymize(rows, k, method="greedy", effort=effort, rng=seed)
        row = {"k": k, "method": "greedy", "effort": effort, "run": run}
        return row | _measured(made, time.monotonic() - began)

    work(jobs[0], table[: max(WARMING, 2 * jobs[0][0])])
    rows = [work(jobs[0])]
    rows += in_threads(work, jobs[1:], label="greedy copies") if jobs[1:] else []
    return pd.DataFrame(rows).assign(alone=[True] + [False] * (len(rows) - 1))


def recipe_runs(
    table: Any, ks: Sequence[int], *, repetitions: int, rng: np.random.Generator
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Run the paper's recipe in each world of assignment and cut, which stands as its effort.

    Smooth copies, and at k = 8 suppression on the same clusters.
    """
    recipe = Recipe(table)
    smooth, suppressed = [], []
    for k in ks:
        began = time.monotonic()
        costs = recipe.costs(k)
        costing = time.monotonic() - began
        for run, seed in enumerate(rng.integers(2**31, size=repetitions).tolist()):
            began = time.monotonic()
            for world, labels in recipe.groups(costs, k, seed):
                seconds = costing + time.monotonic() - began
                row = {"k": k, "method": "recipe", "effort": ", ".join(world.values()), "run": run}
                smooth.append(row | _published(table, labels, "half", seconds))
                if k == paper.K_TABLE:
                    suppressed.append(row | _published(table, labels, "all", seconds))
    return pd.DataFrame(smooth), pd.DataFrame(suppressed)


def _published(table: Any, labels: np.ndarray, keep: str, seconds: float) -> dict[str, Any]:
    return _measured(anonymized(publish_votes(table, labels, keep=keep), labels, of=table), seconds)


def _measured(made: SmoothAnonymized, seconds: float) -> dict[str, Any]:
    shares = ("jaccard", "suppressed", "created", "empty_rows")
    row: dict[str, Any] = {name: 100 * getattr(made, name) for name in shares}
    return row | {"groups": len(np.unique(made.labels)), "seconds": round(seconds, 2)}


DRAW = 0  # seed of the draw of the block model
KS = (2, paper.K_TABLE)


def beyond(
    dataset: Dataset | None,
    *,
    rng: Rng = None,
    ks: Sequence[int] = KS,
    thorough: Sequence[int] = (),
    bounded: Sequence[int] = (),
    seeds: int = 2,
    repetitions: int = 1,
) -> pd.DataFrame:
    """Make copies of one table by the paper's recipe and by the greedy method, and bound them."""
    check_integer("seeds", seeds, minimum=2)
    table = (dataset or block_model(**paper.BLOCK_MODEL, rng=DRAW)).biadjacency
    ours, rival_rng, suppressing = as_rng(rng).spawn(3)
    at_8 = paper.K_TABLE
    eight_first = sorted(ks, key=lambda k: (k != at_8, k))  # the first run has the machine alone
    efforts = {k: ("fast", "thorough") if k in thorough else ("fast",) for k in eight_first}
    plan = {(k, effort): seeds if k == at_8 else 1 for k in efforts for effort in efforts[k]}
    smooth = greedy_runs(smooth_k_anonymize, table, plan, rng=ours)
    plan = {(at_8, effort): 1 for effort in efforts[at_8]}
    suppressed = greedy_runs(suppress_k_anonymize, table, plan, rng=suppressing)
    clusters, cut = recipe_runs(table, ks, repetitions=repetitions, rng=rival_rng)
    how_hard = {k: "thorough" if k in bounded else "fast" for k in ks}
    bounds = bounds_of(table, how_hard, copies="smooth")
    least = bounds_of(table, {at_8: "fast"}, copies="suppression")
    runs, density = pd.concat([smooth, clusters], ignore_index=True), density_of(table)
    levels = [equal_epsilon(per_cent, density) for per_cent in runs["jaccard"]]
    both = run_rows(runs.assign(epsilon=levels), bounds)
    only = run_rows(pd.concat([suppressed, cut], ignore_index=True), least, of=" of suppression")
    return pd.concat([both, only], ignore_index=True)


# Greedy copies against known optima.


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
        runs = (smooth_k_anonymize_chunks(table, paper.K_TABLE, **options, rng=s) for s in seeds)
        return np.array([100 * run.jaccard for run in runs])

    by_way = {way: kept_by(*arguments) for way, arguments in ways.items()}
    rows: list[dict[str, Any]] = []
    for way, values in by_way.items():
        row = {"way": way, "method": "smooth", "k": paper.K_TABLE}
        rows.append(row | {"quantity": "jaccard"} | mean_of_runs(values))
        if way != WHOLE:
            lost = _lost(values, by_way[WHOLE])
            rows.append(row | {"quantity": "lost to chunks"} | mean_of_runs(lost))
    for size in sizes:
        similar, anybody = (by_way[way_of(order, size)] for order in ORDERS)
        row = {"quantity": "gain", "rows": size, "method": "smooth", "k": paper.K_TABLE}
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
