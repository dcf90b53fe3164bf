"""What Figures 4 and 7 are said to show, decided from the table of accuracies."""

from __future__ import annotations

import pandas as pd
from scipy import stats

from pplab.experiments.finding import Finding

__all__ = ["CONFIDENCE", "joint_reach", "learning_statements"]

CONFIDENCE = 0.95  # of all intervals, as printed
NEAR = 2.0  # points of accuracy: our margin for what Figure 4 shows
FAR = 3.0  # points at least, for "significantly better"
SAME = 1.0  # points at most, for "no better than the majority label"


def learning_statements(accuracy: pd.DataFrame, *, runs: int) -> dict[str, Finding]:
    """Decide the statements on learning.

    Parameters
    ----------
    accuracy : DataFrame
        Columns method, k (NaN where there is none), value, se, sd, low and high, in per cent.
    runs : int
        Runs behind each mean.

    Returns
    -------
    dict of str to Finding
    """
    plain = accuracy[accuracy["k"].isna()].set_index("method")
    smooth, rival = (
        accuracy[accuracy["method"] == name].set_index("k") for name in ("smooth", "mondrian")
    )
    found: dict[str, Finding] = {}
    for k in smooth.index:
        answers = _at_one_k(smooth.loc[k], rival.loc[k], plain, runs)
        found |= {f"figure-4:{name}:k={k:g}": finding for name, finding in answers.items()}
    found["figure-4:lower-variance"] = _calmer(smooth["sd"], rival["sd"])
    dp, majority = plain.loc["node-dp"], plain.loc["majority", "value"]
    found["figure-4:node-dp-is-majority"] = (
        bool(dp["value"] <= majority + SAME),
        f"Node-level DP {_told(dp)}, majority label {majority:.2f} %.",
    )
    return found


def joint_reach(one: float, other: float, *, runs: int) -> float:
    """Half of the 95 % interval of a difference of two means of as many runs (Welch).

    Examples
    --------
    >>> round(joint_reach(0.3, 0.3, runs=5), 3)  # 2.306 * sqrt(0.3^2 + 0.3^2)
    0.978
    """
    variance = one**2 + other**2
    if not variance > 0:
        return 0.0
    freedom = (runs - 1) * variance**2 / (one**4 + other**4)
    return float(stats.t.ppf((1 + CONFIDENCE) / 2, freedom)) * variance**0.5


def _at_one_k(
    smooth: pd.Series, rival: pd.Series, plain: pd.DataFrame, runs: int
) -> dict[str, Finding]:
    none, dp, majority = plain.loc["none"], plain.loc["node-dp"], plain.loc["majority", "value"]
    far = smooth["value"] >= dp["value"] + FAR and smooth["low"] > dp["high"]
    reach = joint_reach(smooth["se"], rival["se"], runs=runs)
    return {
        "smooth-near-plain": (
            bool(smooth["value"] >= none["value"] - NEAR),
            f"Smooth {_told(smooth)}, no anonymity {_told(none)}.",
        ),
        "smooth-at-least-mondrian": (
            bool(smooth["value"] >= rival["value"] - reach),
            f"Smooth {_told(smooth)}, Mondrian {_told(rival)}; a difference of up to {reach:.2f} "
            "points may be chance.",
        ),
        "far-better-than-node-dp": (
            bool(far),
            f"Smooth {_told(smooth)}, node-level DP {_told(dp)}.",
        ),
        "above-majority": (
            bool(smooth["low"] > majority),
            f"Smooth {_told(smooth)}, majority label {majority:.2f} %.",
        ),
    }


def _calmer(smooth: pd.Series, rival: pd.Series) -> Finding:
    pairs = (
        f"{one:.2f} and {other:.2f} at k = {k:g}"
        for k, one, other in zip(smooth.index, smooth, rival, strict=True)
    )
    fewer = int((smooth < rival).sum())
    return 2 * fewer > len(smooth), (
        f"Standard deviations of a run, smooth and Mondrian, in points: {'; '.join(pairs)}."
    )


def _told(row: pd.Series) -> str:
    return f"{row['value']:.2f} % ({row['low']:.2f} to {row['high']:.2f})"
