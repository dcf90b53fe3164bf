"""Several runs of one measurement in one row: mean, its standard error, spread of a run."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

import numpy as np

__all__ = ["mean_of_runs"]


def mean_of_runs(draws: Sequence[float] | np.ndarray) -> dict[str, float]:
    """Mean over runs (value), its standard error (se) and the spread of a single run (sd).

    A single run has no spread: NaN.

    Examples
    --------
    >>> mean_of_runs([1.0, 3.0])
    {'value': 2.0, 'se': 1.0, 'sd': 1.4142135623730951}
    """
    values = np.asarray(draws, dtype=float)
    spread = float(values.std(ddof=1)) if len(values) > 1 else nan
    return {"value": float(values.mean()), "se": spread / len(values) ** 0.5, "sd": spread}
