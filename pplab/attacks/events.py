"""Events that could tell two inputs apart: scores of a release, cut at a threshold.

Scores are learned on some releases; where to cut, and which score to trust, is chosen on others.
"""

from __future__ import annotations

import numpy as np

from pplab.attacks.releases import ReleaseTable
from pplab.attacks.scores import Event, Score, scores
from pplab.intervals import log_ratio_bound

__all__ = ["Event", "choose_event"]

_CUTS = 64  # thresholds tried where a score has more values
_READABLE = 0.02  # what a later score must promise beyond a more readable one


def choose_event(
    table: ReleaseTable,
    *,
    learn: tuple[np.ndarray, np.ndarray],
    choose: tuple[np.ndarray, np.ndarray],
    trials: int,
    alpha: float,
) -> tuple[Event, np.ndarray]:
    """Choose the event that promises the largest bound on ``ln(P / Q)``.

    Parameters
    ----------
    table : ReleaseTable
        All releases.
    learn, choose : pair of index arrays
        Releases of the input that is to be likelier (P) and of the other (Q): those from which
        scores are learned, and those on which scores and thresholds compete.
    trials : int
        Releases of each on which the event will be judged.
    alpha : float
        Error that the judgement will be allowed.

    Returns
    -------
    Event, ndarray of bool
        The event, and which releases of the table belong to it.
    """
    best, event = -np.inf, Event("any output", lambda _: True)
    members = np.ones(len(table), dtype=bool)
    for score in scores(table, *learn):
        cut, forecast = _best_cut(score, choose, trials, alpha)
        if forecast > best + _READABLE:
            best, event, members = forecast, score.event(cut), score.values >= cut
    return event, members


def _best_cut(
    score: Score, choose: tuple[np.ndarray, np.ndarray], trials: int, alpha: float
) -> tuple[float, float]:
    """Threshold with the largest forecast, as if the counts kept their share."""
    first, second = (np.sort(score.values[rows]) for rows in choose)
    cuts = np.unique(np.concatenate([first, second]))
    if len(cuts) > _CUTS:
        cuts = np.unique(np.quantile(cuts, np.linspace(0, 1, _CUTS), method="nearest"))
    likely, unlikely = (
        (len(side) - np.searchsorted(side, cuts)) * (trials / len(side)) for side in (first, second)
    )
    forecast = log_ratio_bound(likely, unlikely, trials, alpha=alpha)
    place = int(np.argmax(forecast))
    return float(cuts[place]), float(forecast[place])
