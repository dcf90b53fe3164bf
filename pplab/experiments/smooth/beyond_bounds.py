"""Certificates of one table, and runs beside them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import pandas as pd

from pplab.experiments.runs import mean_of_runs
from pplab.smooth.certificates import jaccard_certificates

__all__ = ["bounds_of", "means_of", "with_certificates"]


def bounds_of(table: Any, efforts: Mapping[int, str], *, copies: str) -> pd.DataFrame:
    """Compute the certificates of a table once for each k.

    Returns
    -------
    DataFrame
        Rows of quantity "certificate" with k, method (which certificate), effort and value in
        per cent, and seconds, the same for all certificates of one k.
    """
    rows = []
    for k, effort in efforts.items():
        began = time.monotonic()
        found = jaccard_certificates(table, k, copies=copies, effort=effort)
        seconds = round(time.monotonic() - began, 2)
        for name, bound in found.items():
            row = {"quantity": "certificate", "k": k, "method": name, "effort": effort}
            rows.append(row | {"value": 100 * bound, "seconds": seconds})
    return pd.DataFrame(rows)


def with_certificates(runs: pd.DataFrame, bounds: pd.DataFrame) -> pd.DataFrame:
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
        row |= mean_of_runs(group["jaccard"].to_numpy()) | {"runs": len(group)}
        rows.append(row | {"certificate": float(group["certificate"].iloc[0])})
    return _with_ratio(pd.DataFrame(rows), "value")
