"""Exercises of notebook 15: limits, both directions, a single fit, a rule before the run."""

import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from pplab.metrics.risk import disclosure_risk
from pplab.microaggregation.mdav import mdav
from pplab.microaggregation.microaggregate import group_means
from pplab_course.answers import Refusal, array, call, function, number, parts, stored, truth
from pplab_course.exercises import enter, exactly, hidden
from pplab_papers.microaggregation import paper

# 15-P: which direction of linkage fits? Small releases and a risk as it would be printed

DIRECTIONS, TIES = ("original-to-protected", "protected-to-original"), ("expected", "first")
NEAR = 1e-6
SEEDS = (2, 19, 22, 28)


@enter("15-P")
def _directions(answer: Any) -> str | None:
    """Run a test of directions on hidden releases; "" when both misfits are right every time."""
    misfits = []
    for original, protected, printed, _ in _releases():
        answers = call(answer, original, protected, printed)
        single = isinstance(answers, (str, float, int, np.number)) and not isinstance(answers, bool)
        if single or (isinstance(answers, Mapping) and len(answers) == 1):
            return "One direction proves nothing: show how far off the other direction is, too."
        if not isinstance(answers, Mapping):
            raise Refusal(f"give a dict from direction to misfit, got {type(answers).__name__}.")
        if set(answers) != set(DIRECTIONS):
            raise Refusal(f"the names must be {DIRECTIONS[0]!r} and {DIRECTIONS[1]!r}.")
        misfits.append([number(answers[name]) for name in DIRECTIONS])
    prints = np.array([[printed] for *_, printed, _ in _releases()])
    want, first = np.stack([risks for *_, risks in _releases()], axis=1) - prints
    share = (want + prints) / 100 - prints
    known = (
        (-want, "The size is right; take measured minus printed, so that + means too high."),
        (np.abs(want), "Keep the sign: it shows whether a risk is too high or too low."),
        (want[:, ::-1], "You swapped the two directions."),
        (want + prints, "You gave the two risks; subtract the printed risk from each."),
        (share, "Your risks are shares, but printed risks are in per cent: multiply yours by 100."),
        (want / 100, "The misfits should be in percentage points: multiply by 100."),
        (first, "In a release of means rows tie; leave ties to chance, with ties='expected'."),
    )
    return exactly(misfits, want, known, within=NEAR)


@cache
def _releases() -> list[tuple[np.ndarray, np.ndarray, float, np.ndarray]]:
    """Ratings of eight users, their group means, a risk as it would be printed, and all risks.

    Risks are per cent: a row with ties left to chance, one with ties for the first, and a column
    for each direction. The printed one is cut after two decimals.
    """
    made = []
    for place, seed in enumerate(SEEDS):
        original = np.random.default_rng(seed).integers(1, 6, size=(8, 3)).astype(float)
        protected = group_means(original, mdav(original, 2 + seed % 2))
        ways = [{"direction": way, "ties": ties} for ties in TIES for way in DIRECTIONS]
        risks = [100 * disclosure_risk(original, protected, **way).mean() for way in ways]
        printed = math.floor(100 * risks[place % 2]) / 100
        made.append((original, protected, printed, np.reshape(risks, (2, 2))))
    return made


# 15-B: one convention fits one printed number. Look one sigma further

FITS, MISSES = 0.02, 0.1  # relative to what is printed
CHOICES = ("impute", "rounding", "truncation", "scale")


@enter("15-B")
def _single_fit(answer: Any) -> str | None:
    """Hold (convention, sigma that fits, neighbour that misses) against the stored search."""
    if isinstance(answer, (tuple, list)) and len(answer) == 2:
        return "A single fit proves little: try the next sigma under the same convention."
    form = "this exercise takes (convention, sigma that fits, sigma next to it that misses)."
    convention, fitting, missing = parts(answer, 3, form)
    off = _search()
    if not isinstance(convention, str) or convention not in off.index:
        raise Refusal("the convention must be one of search['convention'], word for word.")
    fitting, missing = number(fitting), number(missing)
    sigmas = [float(sigma) for sigma in paper.SIGMA]
    if fitting not in sigmas or missing not in sigmas:
        raise Refusal("both sigmas must be in search['sigma'].")
    row = off.loc[convention].abs()
    if row[fitting] > FITS and row[missing] <= FITS:
        return "Swap the sigmas: first the sigma that fits, then the sigma that misses."
    if row[fitting] > FITS:
        return f"At sigma = {fitting:g} the error is off by {row[fitting]:.1%}: this is not a fit."
    if abs(sigmas.index(fitting) - sigmas.index(missing)) != 1:
        return "Take a neighbour: the next sigma of the table, up or down."
    if row[missing] <= MISSES:
        return f"At sigma = {missing:g} it is off by only {row[missing]:.1%}. Try another row."
    return ""


def _search() -> pd.DataFrame:
    """Relative misfit of the printed errors: a row per convention, a column per sigma."""
    rows = stored("microaggregation", "noise_conventions", missing="the search was not run yet")
    rows = rows.query("quantity == 'sse'")
    names = rows[list(CHOICES)].agg(", ".join, axis=1)
    rows = rows.assign(convention=names, off=rows["value"] / rows["printed"] - 1)
    return rows.pivot_table(index="convention", columns="sigma", values="off")


# 15-D: a rule before the run, and "always" taken at its word

Pairs = list[tuple[float, float]]  # (classic, changed): two errors at each k

CASES: dict[str, Pairs] = {
    "always better": [(10.0, 9.0), (8.0, 7.5), (12.0, 11.0)],
    "worse once in four": [(10.0, 4.0), (8.0, 8.5), (12.0, 7.0), (9.0, 5.0)],
    "worse once in many": [(20.0, 19.99)] * 60 + [(20.0, 20.01)],
    "equal once": [(10.0, 9.0), (8.0, 8.0), (12.0, 11.0)],
    "always worse": [(9.0, 10.0), (7.5, 8.0), (11.0, 12.0)],
    "barely better": [(20.0, 19.99), (30.0, 29.98)],
}


@enter("15-D")
def _study(answer: Any) -> str | None:
    """Let a study decide six cases; "" when it is fair and exact."""
    verdicts = {}
    for name, pairs in CASES.items():
        study = _Study(pairs)
        answers = call(answer, study.fix_rule, study.run)
        if complaint := _order(study):
            return complaint
        verdicts[name] = truth(answers, of="the study")
        if bool(call(study.rules[0], list(pairs))) != answers:
            return "Your verdict is not that of the fixed rule: return rule(run())."
    return _misread(verdicts)


class _Study:
    """Remembers in which order the rule was fixed and the numbers were asked for."""

    def __init__(self, pairs: Pairs) -> None:
        self.pairs, self.calls = pairs, list[str]()
        self.rules: list[Callable[[Pairs], Any]] = []

    def fix_rule(self, rule: Any) -> None:
        if not callable(rule):
            raise Refusal("fix_rule takes a rule: a function of the pairs (classic, changed).")
        self.calls.append("rule")
        self.rules.append(rule)

    def run(self) -> Pairs:
        self.calls.append("run")
        return list(self.pairs)


def _order(study: _Study) -> str:
    if "rule" not in study.calls:
        return "No rule was fixed: hand a rule to fix_rule before you look at any number."
    if "run" not in study.calls:
        return "You never called run(), which gives the pairs that the rule must judge."
    if study.calls[0] == "run":
        return "The rule came after the run: any rule can be fitted to numbers already seen."
    if study.calls.count("run") > 1:
        return "You ran more than once, so you could choose a run. One rule needs one run."
    if len(study.rules) > 1:
        return "Two rules were fixed: which rule decides if they disagree?"
    return ""


def _misread(verdicts: dict[str, bool]) -> str | None:
    if verdicts["always worse"] and not verdicts["always better"]:
        return "Smaller is better: the changed rule wins where its error is below the other error."
    if verdicts["worse once in four"]:
        return "One k out of four loses, but you say always: compare each k, since a mean hides it."
    if verdicts["worse once in many"]:
        return "One k out of many loses, if only by little: 'always' allows no exception at all."
    if verdicts["equal once"]:
        return "Two errors are equal: better means smaller, so a tie contradicts 'always better'."
    if not any(verdicts.values()):
        return "This rule is never satisfied: a claim needs a fair chance to hold."
    if verdicts["always better"] and not verdicts["barely better"]:
        return "A narrow win is a win: the claim says 'better', not 'much better'."
    return "" if verdicts["always better"] else None


# 15-O: a guess that must run

Table = np.ndarray[Any, np.dtype[np.float64]]


@enter("15-O")
def _survives(answer: Any) -> str | None:
    random = np.random.default_rng(hidden(2041))
    rated = random.random((30, 12)) < 0.4
    ratings = sparse.csr_array(np.where(rated, random.integers(1, 6, size=rated.shape), 0))
    guess = function(answer)
    quiet, loud = (_two_tables(call(guess, ratings, sigma), ratings) for sigma in (0, 20))
    limit, noisy = (float(np.square(one - other).sum()) for one, other in (quiet, loud))
    if limit <= 1e-9:
        return "At sigma = 0 your tables agree, so no error remains. What makes two tables differ?"
    if np.isclose(limit, noisy, rtol=1e-6):
        return "The limit is right, but sigma has no effect: add the noise as well."
    return ""


def _two_tables(answer: Any, ratings: sparse.csr_array) -> tuple[Table, Table]:
    form = (
        "guess(ratings, sigma) must return two full tables, (reference, protected), "
        "whose squared differences are added up."
    )
    requirement = "the two tables must be arrays of numbers, without gaps."
    one, other = (array(table, requirement) for table in parts(answer, 2, form))
    if one.shape != ratings.shape or other.shape != ratings.shape:
        raise Refusal(f"both tables must have the shape of ratings, got {one.shape, other.shape}.")
    if not (np.isfinite(one).all() and np.isfinite(other).all()):
        raise Refusal("the two tables must be complete: fill the gaps first.")
    return one, other
