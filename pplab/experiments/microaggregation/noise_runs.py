"""Runs of Gaussian noise: error and disclosure risk of each draw."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from pplab.metrics.risk import disclosure_risk
from pplab.microaggregation.noise import Prepared, add_noise

__all__ = ["DIRECTIONS", "noise_runs"]

DIRECTIONS = {
    "protected to original": "protected-to-original",
    "original to protected": "original-to-protected",
}


def noise_runs(
    prepared: Prepared,
    *,
    sigma: float,
    seeds: Iterable[int],
    linkage: Iterable[str] = (),
    rated: np.ndarray | None = None,
    **options: Any,
) -> dict[str, list[float]]:
    """Protect the same ratings once per seed and measure each release.

    Parameters
    ----------
    prepared : Prepared
        Completed and standardised ratings.
    sigma : float
        Standard deviation of the noise.
    seeds : iterable of int
        One per run.
    linkage : iterable of str
        Keys of DIRECTIONS in which records are linked.
    rated : bool array, shape (users, items), optional
        Cells over which the error is summed once more.
    **options
        truncate, rounding and scale, as for ``gaussian_noise``.

    Returns
    -------
    dict of list of float
        "sse", "lowest" and "highest" published value, the disclosure risk in per cent under the
        name of each direction, and with rated cells given "sse rated".
    """
    linkage = tuple(linkage)
    found: dict[str, list[float]] = {name: [] for name in ("sse", "lowest", "highest", *linkage)}
    for seed in seeds:
        noisy = add_noise(prepared, sigma=sigma, rng=int(seed), **options)
        found["sse"].append(noisy.sse)
        if rated is not None:
            gaps = noisy.protected[rated] - noisy.completed[rated]
            found.setdefault("sse rated", []).append(float(np.square(gaps).sum()))
        found["lowest"].append(float(np.min(noisy.protected)))
        found["highest"].append(float(np.max(noisy.protected)))
        for name in linkage:
            risks = disclosure_risk(noisy.completed, noisy.protected, direction=DIRECTIONS[name])
            found[name].append(100 * float(risks.mean()))
    return found
