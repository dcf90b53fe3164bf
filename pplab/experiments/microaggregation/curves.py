"""Sentences on curves: monotone, linear, steep at first, one below the other at equal risk."""

from __future__ import annotations

import numpy as np
import pandas as pd

from pplab.experiments.finding import Finding, listed
from pplab.experiments.microaggregation import paper

__all__ = ["at_risk", "curve_findings", "lower_at_equal_risk", "text_findings"]

LINEAR = 0.05  # share of the variance that a straight line may leave
STEEPER = 3.0  # times
NEAR = 0.1  # relative: what "about" allows
TINY_RISK = 0.15  # per cent: what counts as 0.1 %


def curve_findings(points: pd.DataFrame, data: str) -> dict[str, Finding]:
    """Decide what is said of Figures 3 to 6 for one data set.

    Parameters
    ----------
    points : DataFrame
        As ``plane_points`` gives them.
    data : str
        "movielens" or "jester", the end of the statements' names.

    Returns
    -------
    dict
        Statement to finding.
    """
    mdav, noise = (points[points["method"] == method] for method in ("mdav", "noise"))
    labelled = mdav[mdav["parameter"] <= paper.K_LABELS[-1]]
    found = {
        "figure-3:sse-rises": _monotone(labelled, "sse", 1),
        "figure-3:dr-falls": _monotone(labelled, "dr", -1),
        "figure-4:sse-rises": _monotone(noise, "sse", 1),
        "figure-4:dr-falls": _monotone(noise, "dr", -1, within_chance=True),
        "figure-5:mae-order": lower_at_equal_risk(mdav, noise, "mae"),
        "figure-6:sse-order": lower_at_equal_risk(mdav, noise, "sse"),
        "figure-5:mae-linear": _linear(labelled),
        "figure-5:mae-steep-then-flat": _steep_then_flat(noise),
    }
    return {f"{name}:{data}": finding for name, finding in found.items()}


def text_findings(points: pd.DataFrame) -> dict[str, Finding]:
    """Decide the sentences on MovieLens that name a risk or an error."""
    mdav, noise = (points[points["method"] == method] for method in ("mdav", "noise"))
    return {
        "section-4:sse-at-30:mdav": _about(at_risk(mdav, "sse", 30), 100_000),
        "section-4:sse-at-30:noise": _about(at_risk(noise, "sse", 30), 400_000),
        "section-4:k-150-needed": _needed(mdav, 100, 150),
        "section-4:sigma-50-needed": _needed(noise, 40, 50),
    }


def at_risk(curve: pd.DataFrame, column: str, risk: float) -> float:
    """Value of a column where the disclosure risk (per cent) has the given value.

    Straight lines join the measured points; NaN where the curve does not reach the risk.

    Examples
    --------
    >>> at_risk(pd.DataFrame({"dr": [40.0, 20.0], "sse": [1.0, 3.0]}), "sse", 30)
    2.0
    """
    ordered = curve.sort_values("dr")
    values = np.interp(risk, ordered["dr"], ordered[column], left=np.nan, right=np.nan)
    return float(values)


def lower_at_equal_risk(mdav: pd.DataFrame, noise: pd.DataFrame, column: str) -> Finding:
    """Decide whether MDAV lies below noise at each risk; a risk out of reach decides against."""
    pairs = {r: (at_risk(mdav, column, r), at_risk(noise, column, r)) for r in paper.RISKS}
    told = listed(f"{_number(a)} and {_number(b)} at {r} %" for r, (a, b) in pairs.items())
    return all(ours < theirs for ours, theirs in pairs.values()), (
        f"{column.upper()} of MDAV and of noise: {told}."
    )


def _monotone(
    curve: pd.DataFrame, column: str, sign: int, *, within_chance: bool = False
) -> Finding:
    """Whether each step goes up (sign 1) or down, or is within three standard errors of it."""
    ordered = curve.sort_values("parameter")
    steps = sign * np.diff(ordered[column])
    wrong = np.flatnonzero(~(steps > 0))
    if within_chance:
        errors = ordered[f"{column}_se"].to_numpy()
        wrong = np.flatnonzero(~(steps >= -3 * np.hypot(errors[1:], errors[:-1])))
    ends = sign * (ordered[column].iloc[-1] - ordered[column].iloc[0]) > 0
    first, last = (ordered.iloc[end] for end in (0, -1))
    told = (
        f"{column.upper()} goes from {first[column]:,.5g} at {first['parameter']:g} "
        f"to {last[column]:,.5g} at {last['parameter']:g}"
    )
    if len(wrong) == 0:
        return bool(ends), f"{told}, without a step in the wrong direction."
    places = listed(f"{p:g}" for p in ordered["parameter"].to_numpy()[wrong + 1])
    return False, f"{told}, with a step in the wrong direction at {places}."


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _linear(curve: pd.DataFrame) -> Finding:
    k, mae = curve["parameter"].to_numpy(), curve["mae"].to_numpy()
    left = mae - np.polyval(np.polyfit(k, mae, 1), k)
    share = float(left.var() / mae.var())
    return share <= LINEAR, f"A straight line in k leaves {share:.1%} of the variance of the MAE."


def _steep_then_flat(curve: pd.DataFrame) -> Finding:
    mae = curve.set_index("parameter")["mae"]
    early = (mae[2.0] - mae[0.25]) / (2.0 - 0.25)
    late = (mae[50.0] - mae[10.0]) / (50.0 - 10.0)
    return bool(early > 0 and early >= STEEPER * late), (
        f"The MAE rises by {early:.4g} per unit of sigma from 0.25 to 2, and by {late:.4g} "
        "from 10 to 50."
    )


def _about(value: float, printed: float) -> Finding:
    return abs(value / printed - 1) <= NEAR, f"The error is {value:,.0f} there."


def _needed(curve: pd.DataFrame, before: float, at: float) -> Finding:
    risk = curve.set_index("parameter")["dr"]
    return bool(risk[at] <= TINY_RISK < risk[before]), (
        f"The risk is {risk[before]:.3g} % at {before:g} and {risk[at]:.3g} % at {at:g}."
    )
