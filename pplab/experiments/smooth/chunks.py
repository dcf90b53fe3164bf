"""What chunks cost: one table anonymized whole, in chunks of similar rows, in random chunks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.experiments.finding import Finding, statement_rows
from pplab.experiments.runs import mean_of_runs
from pplab.experiments.smooth.paper import K_TABLE
from pplab.smooth.chunks import CHUNK_ROWS, smooth_k_anonymize_chunks

__all__ = ["WHOLE", "chunks", "reading_of"]

FEW = 2  # runs of each reading; the spread over seeds is far below what chunks lose
SIZES = (CHUNK_ROWS, 10_000)  # rows: that of runs over files, and one that makes many chunks
WHOLE = "unchunked"
ORDERS = {"minhash": "min-hash", "random": "random"}


def chunks(
    dataset: Dataset,
    *,
    name: str,
    rng: int | np.random.Generator | None = None,
    repetitions: int = FEW,
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
