"""What chunks cost: one table anonymized whole, in chunks of similar rows, in random chunks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from pplab.anonymity.scale.chunks import CHUNK_ROWS, smooth_k_anonymize_chunks
from pplab.checks import as_rng, check_integer
from pplab.datasets import Dataset
from pplab.experiments.finding import Finding, statement_rows
from pplab.experiments.smooth.paper import K_TABLE

__all__ = ["WHOLE", "chunks", "chunks_dblp", "chunks_stanford", "reading_of"]

FEW = 2  # runs of each reading; the spread over seeds is far below what chunks lose
SIZES = (CHUNK_ROWS, 10_000)  # rows: that of runs over files, and one that makes many chunks
WHOLE = "unchunked"
ORDERS = {"minhash": "min-hash", "random": "random"}
Rng = int | np.random.Generator | None


def chunks_dblp(dblp: Dataset, *, rng: Rng = None, repetitions: int = FEW) -> pd.DataFrame:
    """Chunks of a co-authorship graph."""
    return chunks("dblp-2010", dblp.biadjacency, rng=rng, repetitions=repetitions)


def chunks_stanford(stanford: Dataset, *, rng: Rng = None, repetitions: int = FEW) -> pd.DataFrame:
    """Chunks of a web graph."""
    return chunks("cnr-2000", stanford.biadjacency, rng=rng, repetitions=repetitions)


def chunks(
    name: str,
    biadjacency: Any,
    *,
    rng: Rng = None,
    repetitions: int = FEW,
    k: int = K_TABLE,
    sizes: Sequence[int] = SIZES,
    method: str = "greedy",
    effort: str = "fast",
) -> pd.DataFrame:
    """Anonymize one table whole, and in chunks whose rows are similar or anybody's.

    Parameters
    ----------
    name : str
        Of the data, for the statement.
    biadjacency : csr_array of ones, shape (rows, items)
    rng : int, Generator or None
        Seed or generator.
    repetitions : int, default 3
        Runs of each reading, at least 2.
    k : int, default 8
    sizes : sequence of int, default (100,000, 10,000)
        Rows of a chunk, most first.
    method, effort : str
        See `smooth_k_anonymize_chunks`.

    Returns
    -------
    DataFrame
        Similarity in per cent (quantity, method, k, reading, value, se, sd), the share of it that
        chunks lose, and statements.
    """
    check_integer("repetitions", repetitions, minimum=2)
    rows = biadjacency.shape[0]
    readings = {WHOLE: (rows, "minhash")}  # one chunk of all rows is the table itself
    readings |= {reading_of(order, size): (size, order) for size in sizes for order in ORDERS}
    seeds = as_rng(rng).integers(2**31, size=repetitions).tolist()

    def kept_by(size: int, order: str) -> np.ndarray:
        options: dict[str, Any] = {"chunk_rows": size, "order": order}
        options |= {"method": method, "effort": effort}
        runs = (smooth_k_anonymize_chunks(biadjacency, k, **options, rng=s) for s in seeds)
        return np.array([100 * run.jaccard for run in runs])

    found = {reading: kept_by(*how) for reading, how in readings.items()}
    common = {"method": "smooth", "k": k}
    kept = [
        {"quantity": "jaccard", "reading": reading} | common | _mean(values)
        for reading, values in found.items()
    ]
    lost = [
        {"quantity": "lost to chunks", "reading": reading}
        | common
        | _mean(_lost(values, found[WHOLE]))
        for reading, values in found.items()
        if reading != WHOLE
    ]
    said = statement_rows(_statements(name, found, sizes))
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


def _mean(values: np.ndarray) -> dict[str, float]:
    spread = float(values.std(ddof=1))
    return {"value": float(values.mean()), "se": spread / len(values) ** 0.5, "sd": spread}


def _statements(
    name: str, found: dict[str, np.ndarray], sizes: Sequence[int]
) -> dict[str, Finding]:
    """What min-hashes are worth, in every run."""
    pairs = {
        size: tuple(found[reading_of(order, size)].mean() for order in ORDERS) for size in sizes
    }
    better = all(
        (found[reading_of("minhash", size)] > found[reading_of("random", size)]).all()
        for size in sizes
    )
    numbers = "; ".join(
        f"{size:,} rows {similar:.2f} % against {anybody:.2f} %"
        for size, (similar, anybody) in pairs.items()
    )
    witness = f"Unchunked {found[WHOLE].mean():.2f} %; min-hash against random, {numbers}."
    return {f"beyond:chunks:{name}": (better, witness)}
