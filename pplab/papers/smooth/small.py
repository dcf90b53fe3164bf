"""Beyond the paper: greedy copies against known optima, and what chunks cost.

`beyond_small` holds the greedy method and the certificates against the optimum over all groupings,
on graphs so small that it can be found; `chunks` anonymizes one large graph whole, in chunks of
similar rows and in random chunks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.papers.part import Finding, mean_of_runs, statement_rows
from pplab.papers.smooth.approximation import Instance, instances_with_optimum
from pplab.papers.smooth.paper import K_TABLE
from pplab.papers.smooth.separation import largest_k_anonymous_subgraph
from pplab.smooth.anonymize import smooth_k_anonymize, suppress_k_anonymize
from pplab.smooth.certificates import jaccard_certificates
from pplab.smooth.chunks import CHUNK_ROWS, smooth_k_anonymize_chunks

MET = 0.9  # share of cases
SLACK = 1e-9  # what sums of floats may be off by


def beyond_small(
    *, rng: int | np.random.Generator | None = None, instances: int = 500, certified: int = 2_000
) -> pd.DataFrame:
    """Hold the greedy method and the certificates against the optimum over all groupings.

    Parameters
    ----------
    rng : int, Generator or None
        Seed or generator.
    instances : int, default 500
        Graphs on which the greedy method runs.
    certified : int, default 2000
        Graphs whose certificates are computed, at least as many; the first ones are the same.

    Returns
    -------
    DataFrame
        Statements.

    Raises
    ------
    TypeError, ValueError
        If a count leaves its interval.
    """
    check_integer("instances", instances, minimum=1)
    check_integer("certified", certified, minimum=instances)
    making, running = as_rng(rng).spawn(2)
    graphs = list(instances_with_optimum(making, certified))
    seeds = running.integers(2**31, size=instances).tolist()
    smooth, suppressed = [], []
    for one, seed in zip(graphs, seeds, strict=False):
        ours = smooth_k_anonymize(one.graph, one.k, method="greedy", effort="thorough", rng=seed)
        smooth.append((ours.jaccard, float(one.best)))
        ours = suppress_k_anonymize(one.graph, one.k, method="greedy", effort="thorough", rng=seed)
        suppressed.append((ours.jaccard, _best_suppression(one)))
    found = {
        "beyond:optimum": worst_and_met(smooth),
        "beyond:optimum-suppression": worst_and_met(suppressed),
        "beyond:certificates-small": _certificates(graphs),
    }
    return statement_rows(found)


def _best_suppression(one: Instance) -> float:
    return largest_k_anonymous_subgraph(one.graph, one.k).edges / int(one.graph.sum())


def worst_and_met(pairs: Iterable[tuple[float, float]]) -> Finding:
    """Whether enough similarities are the optimum; how far the worst one is from it.

    Examples
    --------
    >>> worst_and_met([(0.5, 0.5), (0.4, 0.5)])
    (False, 'The optimum is met in 1 of 2 cases; the worst copy keeps 80.0 % of it.')
    """
    ours, best = np.array(list(pairs)).T
    met = int((ours >= best - SLACK).sum())
    ratio = np.divide(ours, best, out=np.ones(len(best)), where=best > 0)
    return met >= MET * len(best), (
        f"The optimum is met in {met} of {len(best)} cases; the worst copy keeps "
        f"{100 * ratio.min():.1f} % of it."
    )


def _certificates(graphs: Iterable[Instance]) -> Finding:
    gaps: dict[str, list[float]] = {}
    for one in graphs:
        for copies in ("smooth", "suppression"):
            best = float(one.best) if copies == "smooth" else _best_suppression(one)
            bounds = jaccard_certificates(one.graph, one.k, copies=copies, effort="thorough")
            for name, bound in bounds.items():
                gaps.setdefault(f"{copies}, {name}", []).append(bound - best)
    return _violated_and_tight(gaps)


def _violated_and_tight(gaps: dict[str, list[float]]) -> Finding:
    """Whether no bound lies below its optimum, and how often each of them meets it.

    Examples
    --------
    >>> _violated_and_tight({"smooth, nearest": [0.0, 0.1]})
    (True, '0 of 2 bounds lie below the optimum; so many meet it: smooth, nearest 50 %.')
    >>> _violated_and_tight({"smooth, nearest": [0.0, -0.1]})[0]
    False
    """
    below = sum(gap < -SLACK for row in gaps.values() for gap in row)
    tight = ", ".join(
        f"{name} {np.mean(np.abs(row) <= SLACK):.0%}".replace("%", " %")
        for name, row in gaps.items()
    )
    total = sum(map(len, gaps.values()))
    return below == 0, f"{below} of {total} bounds lie below the optimum; so many meet it: {tight}."


# What chunks cost.


SIZES = (CHUNK_ROWS, 10_000)  # rows: that of runs over files, and one that makes many chunks
WHOLE = "unchunked"
ORDERS = {"minhash": "min-hash", "random": "random"}


def chunks(
    dataset: Dataset,
    *,
    name: str,
    rng: int | np.random.Generator | None = None,
    repetitions: int = 2,  # the spread over seeds is far below what chunks lose
) -> pd.DataFrame:
    """Anonymize one table whole, and in chunks whose rows are similar or anybody's.

    Parameters
    ----------
    dataset : Dataset
        Its biadjacency matrix is anonymized.
    name : str
        Of the data, for the statement.
    rng : int, Generator or None
        Seed or generator.
    repetitions : int, default 2
        Runs of each reading, at least 2.

    Returns
    -------
    DataFrame
        Similarity in per cent (quantity, method, k, reading, value, se, sd), the share of it that
        chunks lose, and statements.
    """
    check_integer("repetitions", repetitions, minimum=2)
    table = dataset.biadjacency
    readings = {WHOLE: (table.shape[0], "minhash")}  # one chunk of all rows is the table itself
    readings |= {reading_of(order, size): (size, order) for size in SIZES for order in ORDERS}
    seeds = as_rng(rng).integers(2**31, size=repetitions).tolist()

    def kept_by(size: int, order: str) -> np.ndarray:
        options: dict[str, Any] = {"chunk_rows": size, "order": order}
        options |= {"method": "greedy", "effort": "fast"}
        runs = (smooth_k_anonymize_chunks(table, K_TABLE, **options, rng=s) for s in seeds)
        return np.array([100 * run.jaccard for run in runs])

    found = {reading: kept_by(*how) for reading, how in readings.items()}
    common = {"method": "smooth", "k": K_TABLE}
    kept = [
        {"quantity": "jaccard", "reading": reading} | common | mean_of_runs(values)
        for reading, values in found.items()
    ]
    lost = [
        {"quantity": "lost to chunks", "reading": reading}
        | common
        | mean_of_runs(_lost(values, found[WHOLE]))
        for reading, values in found.items()
        if reading != WHOLE
    ]
    said = statement_rows(_statements(name, found))
    return pd.concat([said, pd.DataFrame(kept), pd.DataFrame(lost)], ignore_index=True)


def reading_of(order: str, size: int) -> str:
    """What a way of chunking is called.

    Examples
    --------
    >>> reading_of("minhash", 100_000)
    'min-hash chunks of 100,000 rows'
    """
    return f"{ORDERS[order]} chunks of {size:,} rows"


def _lost(values: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Share in per cent; where the whole table keeps nothing, nothing can be lost."""
    return 100 * (whole - values) / np.where(whole > 0, whole, 1.0)


def _statements(name: str, found: dict[str, np.ndarray]) -> dict[str, Finding]:
    """What min-hashes are worth, in every run."""
    pairs = {
        size: tuple(found[reading_of(order, size)].mean() for order in ORDERS) for size in SIZES
    }
    better = all(
        (found[reading_of("minhash", size)] > found[reading_of("random", size)]).all()
        for size in SIZES
    )
    numbers = "; ".join(
        f"{size:,} rows {similar:.2f} % against {anybody:.2f} %"
        for size, (similar, anybody) in pairs.items()
    )
    witness = f"Unchunked {found[WHOLE].mean():.2f} %; min-hash against random, {numbers}."
    return {f"beyond:chunks:{name}": (better, witness)}
