"""Power of the auditor: which faults it catches, beside a test with slack, on a flipped cell."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import pandas as pd

from claimbook.part import Rng
from pplab.checks import as_rng
from pplab.intervals import log_ratio_bound

SLACK = 0.1
TRUE_EPSILONS = (0.9, 1.0, 1.01, 1.02, 1.05, 1.1, 1.15, 1.2, 1.3, 1.5, 2.0)


def power_table(
    *,
    rng: Rng,
    claimed: float = 1.0,
    samples: Sequence[int] = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000),
    alphas: Sequence[float] = (0.05, 1e-3, 1e-6),
    true_epsilons: Sequence[float] = TRUE_EPSILONS,
    runs: int = 2_000,
) -> pd.DataFrame:
    """Share of runs in which a claimed level is refuted, for levels around it, by two tests.

    "exact binomial" is ``audit_epsilon``. "additive slack" is a test as libraries ship it: it
    passes while the share of an output under one input stays below e^claimed times its share
    under the other plus 0.1, whatever the number of samples; it states no alpha.

    References
    ----------
    Clopper and Pearson 1934, doi 10.1093/biomet/26.4.404; tests of IBM's differential-privacy
    library, described from its file tests/mechanisms/test_Laplace.py.

    Examples
    --------
    >>> table = power_table(rng=1, samples=[30_000], alphas=[1e-3], true_epsilons=[1, 1.1, 1.3])
    >>> table.pivot(index="test", columns="true_epsilon", values="value").round(1).values.tolist()
    [[0.0, 0.0, 1.0], [0.0, 1.0, 1.0]]
    """
    generator = as_rng(rng)
    rows = []
    for size, true in product(samples, true_epsilons):
        truth = 1 / (1 + np.exp(-true))  # P(publish the true bit)
        counts = _draw_counts(generator, size, truth, runs)
        row = {"samples": size, "true_epsilon": float(true)}
        for alpha in alphas:
            flagged = _exact_test(*counts, claimed=claimed, alpha=alpha)
            rows.append({"test": "exact binomial", "alpha": alpha, **row, **_share(flagged)})
        flagged = _slack_test(*counts, claimed=claimed)
        rows.append({"test": "additive slack", "alpha": np.nan, **row, **_share(flagged)})
    return pd.DataFrame(rows)[["test", "samples", "alpha", "true_epsilon", "value", "se"]]


def _exact_test(
    chosen: np.ndarray, judged: np.ndarray, samples: int, *, claimed: float, alpha: float
) -> np.ndarray:
    """The auditor on counts of ones: per run, does either direction refute the claim?"""
    trials = samples - samples // 2
    one_is_first = chosen[0] > chosen[1]  # which output speaks for the first input
    first, second = np.where(one_is_first, judged, judged[::-1])
    bounds = [
        log_ratio_bound(first, second, trials, alpha=alpha / 2),
        log_ratio_bound(trials - second, trials - first, trials, alpha=alpha / 2),
    ]
    return np.maximum(*bounds) > claimed


def _slack_test(
    chosen: np.ndarray, judged: np.ndarray, samples: int, *, claimed: float
) -> np.ndarray:
    """The test with slack on all samples: does any output exceed e^claimed times the other?"""
    shares = (chosen + judged) / samples
    flagged = np.zeros(shares.shape[1], dtype=bool)
    for output in (shares, 1 - shares):
        for likely, unlikely in (output, output[::-1]):
            flagged |= likely > np.exp(claimed) * unlikely + SLACK
    return flagged


def _draw_counts(
    rng: np.random.Generator, samples: int, truth: float, runs: int
) -> tuple[np.ndarray, np.ndarray, int]:
    """Ones among the choosing and among the judged releases of the inputs 1 and 0."""
    probabilities = np.array([[truth], [1 - truth]])
    sizes = (samples // 2, samples - samples // 2)
    chosen, kept = (rng.binomial(size, probabilities, size=(2, runs)) for size in sizes)
    return chosen, kept, samples


def _share(flagged: np.ndarray) -> dict[str, float]:
    value = float(flagged.mean())
    return {"value": value, "se": float(np.sqrt(value * (1 - value) / len(flagged)))}
