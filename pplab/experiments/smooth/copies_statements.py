"""What the paper says of its curves of similarity against k, and of its settings."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pandas as pd

from pplab.experiments.finding import Finding, listed
from pplab.experiments.smooth import paper
from pplab.experiments.smooth.recipe import ASSIGNMENTS, Recipe

__all__ = ["PLAIN", "SMOOTH", "about_curves", "about_settings", "values_of"]

SIMILAR = 2.0  # per cent: how far results with b from 2 to 8 may lie apart
HOURS = 3
TIMES = ((60, "a minute"), (600, "ten minutes"), (3600, "an hour"), (3600 * HOURS, "three hours"))
PLAIN = next(iter(ASSIGNMENTS))  # the reading in which statements are judged
SMOOTH = f"{PLAIN}, half kept"


def values_of(
    runs: pd.DataFrame, method: str, reading: str, k: int, quantity: str = "jaccard"
) -> np.ndarray:
    """One value per run."""
    chosen = (runs["method"] == method) & (runs["reading"] == reading) & (runs["k"] == k)
    return runs.loc[chosen, quantity].to_numpy()


def about_curves(name: str, runs: pd.DataFrame, fixed: pd.DataFrame) -> dict[str, Finding]:
    """Smooth copies against suppression on the same clusters and against Mondrian, if it ran."""
    smooth = {k: values_of(runs, "smooth", SMOOTH, k) for k in paper.K}
    other = {k: values_of(runs, "non-smooth", PLAIN, k) for k in paper.K}
    told = _told("smooth", smooth) + "; " + _told("suppression on clusters", other)
    gaps = {k: smooth[k] - other[k] for k in paper.K}  # within a run: the clusters are the same
    behind = [k for k, gap in gaps.items() if gap.min() < 0 or gap.mean() <= 0]
    rises = [b for a, b in itertools.pairwise(paper.K) if _above(smooth[b] - smooth[a])]
    less = values_of(runs, "smooth", SMOOTH, paper.K_TABLE, "suppressed")
    more = values_of(runs, "non-smooth", PLAIN, paper.K_TABLE, "suppressed")
    found: dict[str, Finding] = {
        f"figures-3-5:smooth-beats-non-smooth:{name}": (
            not behind,
            f"{told}{_but('not more in every run', behind)}.",
        ),
        f"figures-3-5:falls-with-k:{name}": (
            not rises,
            f"{_told('smooth', smooth)}{_but('a rise', rises)}.",
        ),
        f"table-3:suppresses-less:{name}": (
            _above(more - less),
            f"Suppressed: smooth {less.mean():.1f} %, on clusters {more.mean():.1f} %.",
        ),
    }
    if not len(fixed):
        return found
    forms = list(dict.fromkeys(fixed["reading"]))
    by_form = {form: {k: values_of(fixed, "mondrian", form, k) for k in paper.K} for form in forms}
    told += "".join(f"; {_told(f'Mondrian on {form}', cuts)}" for form, cuts in by_form.items())
    behind = [
        k
        for k in paper.K
        if smooth[k].mean() <= max(float(cuts[k].mean()) for cuts in by_form.values())
    ]
    found[f"figures-3-5:smooth-beats-mondrian:{name}"] = (
        not behind,
        f"{told}{_but('not more than the best form', behind)}.",
    )
    cuts = by_form[forms[0]]
    last = paper.K[-1]
    if name == "adult":
        found["figure-3a:mondrian-at-large-k"] = (_above(cuts[last] - other[last]), f"{told}.")
    if name in ("adult", "playstore"):
        found[f"section-6:non-smooth-at-small-k:{name}"] = (
            _above(other[2] - cuts[2]),
            f"{told}.",
        )
    return found


def _above(gaps: np.ndarray) -> bool:
    """Mean above 0 by more than three standard errors."""
    return float(gaps.mean()) > 3 * float(gaps.std(ddof=1)) / len(gaps) ** 0.5


def _but(what: str, ks: list[int]) -> str:
    return f"; {what} at k = {listed(str(k) for k in ks)}" if ks else ""


def _told(what: str, by_k: dict[int, np.ndarray]) -> str:
    values = listed(f"{values.mean():.1f}" for values in by_k.values())
    return f"{what} {values} % at k = {listed(str(k) for k in by_k)}"


def about_settings(
    name: str, recipe: Recipe, rng: np.random.Generator, repetitions: int
) -> dict[str, Finding]:
    """What b and k change in result and time."""
    seeds = rng.integers(2**31, size=repetitions).tolist()
    by_spread: dict[int, float] = {}
    longest = 0.0
    for k, spread in [(paper.K_TABLE, spread) for spread in paper.SPREADS] + [(paper.K[-1], 2)]:
        kept, began = [], time.monotonic()
        costs = recipe.costs(k, spread)
        pricing = time.monotonic() - began
        for seed in seeds if k == paper.K_TABLE else seeds[:1]:
            began = time.monotonic()
            labels = recipe.labels(costs, k, assignment=ASSIGNMENTS[PLAIN], rng=seed)
            kept.append(recipe.shares(labels, "half")["jaccard"])
            longest = max(longest, pricing + time.monotonic() - began)
        if k == paper.K_TABLE:
            by_spread[spread] = float(np.mean(kept))
    told = listed(f"{value:.1f} % with b = {b}" for b, value in by_spread.items())
    within = next((words for limit, words in TIMES if longest < limit), "")
    return {
        f"appendix-D:b-does-not-matter:{name}": (
            max(by_spread.values()) - min(by_spread.values()) <= SIMILAR,
            f"Similarity at k = {paper.K_TABLE}: {told} (runs behind each mean: {repetitions}; "
            f"similar: within {SIMILAR:g} points).",
        ),
        f"section-6:within-hours:{name}": (
            bool(within),
            f"The longest of the runs with k = {paper.K_TABLE} and {paper.K[-1]} took less than "
            f"{within or 'what is allowed: no'}.",
        ),
    }
