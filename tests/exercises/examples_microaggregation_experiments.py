"""Right answers and named mistakes of notebook 10's exercises, for the tests of all exercises."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from scipy import sparse

from pplab.course.nb10_microaggregation_experiments import DIRECTIONS
from pplab.metrics.risk import disclosure_risk
from pplab.microaggregation.microaggregate import complete
from pplab.microaggregation.noise import gaussian_noise

WAYS = ("original-to-protected", "protected-to-original")
SCALE: Any = {"rating_range": (1, 5)}
Misfits = dict[str, float]
Pairs = list[tuple[float, float]]


def misfits(
    original: np.ndarray, protected: np.ndarray, printed: float, ties: str = "expected"
) -> Misfits:
    risks = {
        way: disclosure_risk(original, protected, direction=way, ties=ties).mean() for way in WAYS
    }
    return {way: 100 * float(risk) - printed for way, risk in risks.items()}


def winner(*release: Any) -> str:
    found = misfits(*release)
    return min(found, key=lambda way: abs(found[way]))


def changed_places(*release: Any) -> Misfits:
    found = misfits(*release)
    return {way: found[other] for way, other in zip(WAYS, WAYS[::-1], strict=True)}


def plain_risks(original: np.ndarray, protected: np.ndarray, _printed: float) -> Misfits:
    return misfits(original, protected, 0.0)


def as_shares(original: np.ndarray, protected: np.ndarray, printed: float) -> Misfits:
    return {way: risk / 100 - printed for way, risk in plain_risks(original, protected, 0).items()}


def by_first(original: np.ndarray, protected: np.ndarray, printed: float) -> Misfits:
    return misfits(original, protected, printed, ties="first")


def each(change: Any) -> Any:
    return lambda *release: {way: change(gap) for way, gap in misfits(*release).items()}


def fair(fix_rule: Any, run: Any) -> bool:
    def rule(pairs: Pairs) -> bool:
        return all(changed < classic for classic, changed in pairs)

    fix_rule(rule)
    return rule(run())


def fair_array(fix_rule: Any, run: Any) -> Any:
    def rule(pairs: Pairs) -> Any:
        classic, changed = np.array(pairs).T
        return (classic > changed).all()

    fix_rule(rule)
    return rule(run())


def by(rule: Any) -> Any:
    def study(fix_rule: Any, run: Any) -> Any:
        fix_rule(rule)
        return rule(run())

    return study


def rule_late(fix_rule: Any, run: Any) -> bool:
    pairs = run()
    fix_rule(lambda pairs: all(changed < classic for classic, changed in pairs))
    return all(changed < classic for classic, changed in pairs)


def two_rules(fix_rule: Any, run: Any) -> bool:
    fix_rule(lambda pairs: all(changed < classic for classic, changed in pairs))
    return fair(fix_rule, run)


def other_verdict(fix_rule: Any, run: Any) -> bool:
    return not fair(fix_rule, run)


def never_run(fix_rule: Any, _run: Any) -> bool:
    fix_rule(lambda _: True)
    return True


def no_rule(_fix_rule: Any, run: Any) -> bool:
    return all(changed < classic for classic, changed in run())


def mean_gain(pairs: Pairs) -> bool:
    return sum(classic - changed for classic, changed in pairs) > 0


def no_worse(pairs: Pairs) -> bool:
    return all(changed <= classic for classic, changed in pairs)


def nearly_all(pairs: Pairs) -> bool:
    return sum(changed < classic for classic, changed in pairs) >= 0.9 * len(pairs)


def by_much(pairs: Pairs) -> bool:
    return all(changed < 0.99 * classic for classic, changed in pairs)


def upside_down(pairs: Pairs) -> bool:
    return all(changed > classic for classic, changed in pairs)


Tables = tuple[np.ndarray, np.ndarray]


def two_completions(ratings: sparse.csr_array, sigma: float) -> Tables:
    noisy = gaussian_noise(
        ratings, sigma=sigma, impute="item-mean", rounding="nearest", rng=1, **SCALE
    )
    return complete(ratings, impute="item-median", **SCALE), noisy.protected


def as_described(ratings: sparse.csr_array, sigma: float) -> Tables:
    noisy = gaussian_noise(ratings, sigma=sigma, rng=1, **SCALE)
    return noisy.completed, noisy.protected


def without_noise(ratings: sparse.csr_array, _sigma: float) -> Tables:
    full = complete(ratings, impute="item-mean", **SCALE)
    return full, np.rint(full)


def gaps_left(ratings: sparse.csr_array, sigma: float) -> Tables:
    return np.where(ratings.toarray() > 0, 1.0, np.nan), as_described(ratings, sigma)[1]


ROUNDED = "midpoint, rounded, truncated, noise on z-scores"

RIGHT: list[tuple[str, Any]] = [
    ("10-R", "search-shown"),
    ("10-R", " Search shown "),
    ("10-C", 35.675),
    ("10-C", 35.7),
    ("10-C", Fraction(1427, 40)),
    ("10-P", misfits),
    ("10-B", (ROUNDED, 1.5, 1.25)),
    ("10-B", [ROUNDED, np.float64(1.5), 1.75]),
    ("10-D", fair),
    ("10-D", fair_array),
    ("10-O", two_completions),
]

NAMED: list[tuple[str, Any, str]] = [
    ("10-R", "one-try", "List the conventions"),
    ("10-R", "never", "what has been excluded"),
    ("10-R", "authors-agree", "repeat it"),
    ("10-C", 71, "square sigma"),
    ("10-C", 71.35, "square sigma"),
    ("10-C", 100.9, "No root"),
    ("10-C", 8.92, "half this sigma"),
    ("10-C", 35_675, "thousands"),
    ("10-P", winner, "the loser"),
    ("10-P", lambda *release: misfits(*release)[WAYS[0]], "the loser"),
    ("10-P", lambda *release: {WAYS[0]: misfits(*release)[WAYS[0]]}, "the loser"),
    ("10-P", changed_places, "changed places"),
    ("10-P", plain_risks, "subtract"),
    ("10-P", as_shares, "times 100"),
    ("10-P", each(lambda gap: gap / 100), "times 100"),
    ("10-P", each(lambda gap: -gap), "measured minus printed"),
    ("10-P", each(abs), "Keep the sign"),
    ("10-P", each(lambda gap: round(gap, 2)), "Keep all digits"),
    ("10-P", by_first, "leave ties to chance"),
    ("10-B", (ROUNDED, 1.5), "next sigma"),
    ("10-B", (ROUNDED, 1.25, 1.5), "other way round"),
    ("10-B", (ROUNDED, 0.25, 0.5), "not yet a fit"),
    ("10-B", (ROUNDED, 1.5, 4), "Take a neighbour"),
    ("10-D", rule_late, "after the run"),
    ("10-D", no_rule, "No rule was fixed"),
    ("10-D", never_run, "Nothing was run"),
    ("10-D", two_rules, "which one counts"),
    ("10-D", other_verdict, "not the one of the fixed rule"),
    ("10-D", by(mean_gain), "signs do not"),
    ("10-D", by(nearly_all), "no exception at all"),
    ("10-D", by(by_much), "A narrow win"),
    ("10-D", by(no_worse), "a tie speaks against"),
    ("10-D", by(upside_down), "Smaller is better"),
    ("10-D", by(lambda _: False), "never satisfied"),
    ("10-O", "There must be a bug.", "what differs at sigma = 0"),
    ("10-O", as_described, "What differs"),
    ("10-O", without_noise, "add the noise"),
]

SECRETS = [("10-R", "search-shown"), ("10-C", "35.7"), ("10-C", "35.675"), ("10-B", "1.5, 1.25")]


def not_callable(fix_rule: Any, run: Any) -> bool:
    fix_rule(True)
    return bool(run())


def no_verdict(fix_rule: Any, run: Any) -> float:
    fix_rule(lambda _: True)
    return float(len(run()))


FORMS: list[tuple[str, Any, str]] = [
    ("10-P", lambda *_: {"there": 1, "back": 2}, "the names must be"),
    ("10-P", lambda *_: [1, 2], "give a dict"),
    ("10-P", lambda *_: dict.fromkeys(DIRECTIONS, "high"), "wants a number"),
    ("10-P", "original-to-protected", "wants a function"),
    ("10-D", not_callable, "wants a function of the pairs"),
    ("10-D", no_verdict, "True or False"),
    ("10-D", lambda _: True, "TypeError"),
    ("10-D", True, "wants a function"),
    ("10-O", gaps_left, "fill the gaps"),
    ("10-O", lambda *_: 246, "two full tables"),
    ("10-O", lambda *_: ("a", "b"), "arrays of numbers"),
    ("10-O", lambda *_: (np.ones(3), np.ones(3)), "shape of ratings"),
    ("10-O", "the filled cells were rounded", "wants a function"),
]
