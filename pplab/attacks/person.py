"""Was a person in the data? A likelihood ratio learned from models without and with the person.

The release is drawn many times, each time with a fair coin that decides whether the person takes
part. One half of the draws teaches what the attacker's number looks like in both cases and where
to cut; on the other half exact binomial bounds judge it. What is found bounds a level from below.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pplab.checks import as_array, check_alpha, check_finite_numbers, check_privacy_delta, shown
from pplab.intervals import binomial_lower, binomial_upper


@dataclass(frozen=True)
class PersonAudit:
    """Result of a membership attack on one person.

    Attributes
    ----------
    hits, members : int
        Times the attacker said "in" of the judged draws with the person, and their number.
    false_alarms, others : int
        The same without the person.
    hit_rate, alarm_rate : pair of float
        Exact intervals of both rates; both hold but in a share alpha of audits.
    lower_bound : float
        No (epsilon, delta) below this epsilon holds, but in a share alpha of audits; 0 at least.
    refuted : bool
        Whether both rates together leave the trade-off curve that was claimed; False without one.

    Examples
    --------
    >>> PersonAudit(9, 10, 0, 10, (0.5, 1.0), (0.0, 0.3), 0.0, False).hits
    9
    """

    hits: int
    members: int
    false_alarms: int
    others: int
    hit_rate: tuple[float, float]
    alarm_rate: tuple[float, float]
    lower_bound: float
    refuted: bool


def audit_person(
    statistic: Any,
    member: Any,
    *,
    delta: float,
    alpha: float,
    trade_off: Callable[[Any], np.ndarray] | None = None,
) -> PersonAudit:
    """Attack the membership of one person by a likelihood ratio, and bound epsilon from below.

    Parameters
    ----------
    statistic : array of float, shape (draws,)
        A number that the attacker computes from each release, for example how far it leans towards
        the person's row.
    member : array of bool, shape (draws,)
        Whether the person was in; drawn by a fair coin, independently of all else.
    delta : float
        In [0, 1); of the level that is to be bounded.
    alpha : float
        Share of audits in (0, 1) in which one of the intervals may miss.
    trade_off : function, optional
        Claimed least share of misses for given shares of false alarms; symmetric, as those of the
        mechanisms here are.

    Returns
    -------
    PersonAudit

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval, or either half lacks four draws of each kind.

    Notes
    -----
    The draws must be independent given all that is not drawn anew. The first half fits a normal law
    to the statistic with and without the person; its log ratio is cut where that half promises
    most. The answer "in" and the answer "out" both bound epsilon, by the same two one-sided bounds.

    References
    ----------
    Carlini and others 2022, Membership inference attacks from first principles, arXiv 2112.03570;
    Jagielski, Ullman and Oprea 2020, Auditing differentially private machine learning, arXiv
    2006.07709; Clopper and Pearson 1934, doi 10.1093/biomet/26.4.404.

    Examples
    --------
    >>> coin = np.arange(2000) % 2 == 0
    >>> seen = coin + np.random.default_rng(1).normal(size=2000) / 4
    >>> audit_person(seen, coin, delta=1e-5, alpha=0.05).lower_bound > 3
    True
    """
    delta, alpha = check_privacy_delta(delta, allow_zero=True), float(check_alpha(alpha))
    listed, inside = as_array("statistic", statistic), as_array("member", member)
    answers = listed.astype(int) if listed.dtype == bool else listed
    values = check_finite_numbers("statistic", answers)
    if not (trade_off is None or callable(trade_off)):
        raise TypeError(f"trade_off must be a function or None, got {shown(trade_off)}")
    if trade_off is not None:
        _check_curve(trade_off)
    if values.ndim != 1 or inside.shape != values.shape or inside.dtype != bool:
        raise ValueError(
            "member must hold True or False for each number of statistic, got shapes "
            f"{inside.shape} and {values.shape}, {inside.dtype}; pass one of each per draw"
        )
    half = len(values) // 2
    halves = [(values[part], inside[part]) for part in (slice(half), slice(half, None))]
    if min(np.sum(known == side) for _, known in halves for side in (True, False)) < 4:
        raise ValueError(
            f"member must be true and false at least four times in each half, got {len(values)} "
            "draws; draw more"
        )
    ratios = [_log_ratio(seen, *halves[0]) for seen, _ in halves]
    cut = _cut(ratios[0], halves[0][1], delta, alpha, trade_off)
    known, says = halves[1][1], ratios[1] >= cut
    hits, alarms = (int(np.sum(says & (known == side))) for side in (True, False))
    members, others = int(np.sum(known)), int(np.sum(~known))
    bound, lost = bound_epsilon(hits, alarms, members, others, delta, alpha, trade_off)
    counts, trials = np.array([hits, alarms]), np.array([members, others])
    low, high = (f(counts, trials, alpha=alpha / 4) for f in (binomial_lower, binomial_upper))
    (hit_low, alarm_low), (hit_high, alarm_high) = low.tolist(), high.tolist()
    return PersonAudit(
        hits, members, alarms, others, (hit_low, hit_high), (alarm_low, alarm_high),
        lower_bound=max(float(bound), 0.0), refuted=bool(lost > 0),
    )  # fmt: skip


def _check_curve(trade_off: Callable[[Any], Any]) -> None:
    shares = np.linspace(0, 1, 11)
    try:
        misses = np.asarray(trade_off(shares), dtype=np.float64)
        legal = misses.shape == (11,) and ((misses >= 0) & (misses <= 1 - shares + 1e-9)).all()
        got = shown(misses)
    except Exception as error:  # the caller's own function may raise anything
        legal, got = False, f"{type(error).__name__}: {error}"
    if not legal:
        raise ValueError(
            "trade_off must give a share of misses from 0 to 1 minus each share of false alarms, "
            f"got {got} for {shown(shares)}; pass a curve of pplab.tradeoff"
        )


def _log_ratio(seen: np.ndarray, taught: np.ndarray, member: np.ndarray) -> np.ndarray:
    """Log of the ratio of two normal densities that were fitted to what was taught."""
    floor = 1e-9 * (float(np.abs(taught).max()) or 1.0)
    logs = []
    for side in (True, False):
        mean, spread = taught[member == side].mean(), taught[member == side].std(ddof=1) + floor
        logs.append(-(((seen - mean) / spread) ** 2) / 2 - math.log(spread))
    return np.asarray(logs[0] - logs[1])


def _cut(
    ratios: np.ndarray, member: np.ndarray, delta: float, alpha: float, trade_off: Any
) -> float:
    """Threshold that promises most on these draws."""
    cuts = np.unique(np.quantile(ratios, np.linspace(0, 1, 201)))
    sides = [np.sort(ratios[member == side]) for side in (True, False)]
    hits, alarms = (len(side) - np.searchsorted(side, cuts) for side in sides)
    members, others = map(len, sides)
    bound, lost = bound_epsilon(hits, alarms, members, others, delta, alpha, trade_off)
    return float(cuts[np.argmax(bound if trade_off is None else lost)])


def bound_epsilon(
    hits: Any, alarms: Any, members: int, others: int, delta: float, alpha: float, trade_off: Any
) -> tuple[np.ndarray, np.ndarray]:
    """Bound epsilon from below by both events; and by how much rates leave the curve.

    Parameters
    ----------
    hits, alarms : int or array of them
        How often the attack said yes, of the draws with the person and of those without.
    members, others : int
        Draws with the person, and without.
    delta : float
        Of the level that is bounded.
    alpha : float
        Error in (0, 1), shared by the four ends of two intervals: each end gets a quarter.
    trade_off : callable or None
        A claimed curve: rate of false alarms -> least rate of misses.

    Returns
    -------
    (ndarray, ndarray)
        The bound, which may be below 0; the distance to the curve, 0 where none is claimed.

    References
    ----------
    Jagielski, Ullman and Oprea 2020, Auditing differentially private machine learning, arXiv
    2006.07709.

    Examples
    --------
    >>> round(float(bound_epsilon(90, 10, 100, 100, 0.0, 0.2, None)[0]), 2)  # of ln 9 = 2.2
    1.63
    """
    low_hit = binomial_lower(hits, members, alpha=alpha / 4)
    high_alarm = binomial_upper(alarms, others, alpha=alpha / 4)
    with np.errstate(divide="ignore", invalid="ignore"):
        speaks_for = np.log(np.maximum(low_hit - delta, 0) / high_alarm)
        against = np.log(np.maximum(1 - high_alarm - delta, 0) / (1 - low_hit))
    bound = np.fmax(speaks_for, against)
    if trade_off is None:
        return bound, np.zeros_like(bound)
    return bound, low_hit - (1 - trade_off(high_alarm))
