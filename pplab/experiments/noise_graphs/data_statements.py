"""Claiming sentences of Sections 4 and 5 that data decide: each holds or not, with its numbers.

When a sentence holds was fixed beside its claim before anything was measured.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset, align
from pplab.experiments.finding import Finding, statement_rows
from pplab.experiments.noise_graphs.figure2 import risk_distribution
from pplab.experiments.noise_graphs.noise_guess import right_guesses
from pplab.experiments.noise_graphs.rating_error import mean_absolute_error
from pplab.experiments.noise_graphs.substitute import GROUP_SIZES
from pplab.experiments.noise_graphs.table2 import movielens_traits
from pplab.graphs import as_biadjacency
from pplab.microaggregation.mdav import mdav
from pplab.response.ratings import WeightedNoiseGraph
from pplab.smooth.groups import pool_groups

__all__ = ["data_statements"]

TOP_RATING = 5
LOSS = 10.0  # per cent of an accuracy or of an error
CONSTANT = 3.0  # the middle of the scale, as a noise weight
STRONG = 0.3  # flip probability: epsilon 0.85


def data_statements(
    train: Dataset,
    test: Dataset,
    complete: Dataset,
    *,
    rng: int | np.random.Generator | None = None,
    runs: int = 5,
) -> pd.DataFrame:
    """Decide each sentence on MovieLens-100K.

    Parameters
    ----------
    train, test, complete : Dataset
        A split of the ratings, and all of them.
    rng : int, Generator or None
        Seed or generator.
    runs : int, default 5
        Releases behind each mean, at least 2.

    Returns
    -------
    DataFrame
        Columns statement, value (1 where it holds, else 0) and witness (the numbers).
    """
    check_integer("runs", runs, minimum=2)
    # with the seed itself: the same numbers as those of the part movielens_traits
    traits = movielens_traits(complete, rng=rng, runs=runs)
    children = as_rng(rng).spawn(4)
    losses = traits[traits["quantity"] == "imprecision"]
    errors = _rating_errors(train, test, children[0].spawn(runs))
    found: dict[str, Finding] = {
        "section-4.2:constant-weight": _constant_weight(
            train, children[1].integers(2**31, size=runs)
        ),
        "section-4.2:better-tuned": _better_tuned(train, children[2]),
        "section-5:accuracy-preserved": _accuracy_preserved(losses),
        "section-5:strong-privacy-and-accuracy": _strong_privacy(losses, *errors),
        "figure-1:falls-with-epsilon": _falls(traits[traits["quantity"] == "accuracy"]),
        "figure-2:risk-falls-with-p": _ordered(risk_distribution(train, rng=children[3])),
    }
    return statement_rows(found)


def _constant_weight(train: Dataset, seeds: np.ndarray) -> Finding:
    """The best guess is right more often for a constant weight; both get the same seeds."""
    constant = WeightedNoiseGraph(0.1, TOP_RATING, noise_weights=[CONSTANT])
    drawn = WeightedNoiseGraph(0.1, TOP_RATING)
    right = [
        np.mean([right_guesses(train.ratings, mechanism, rng=int(seed)) for seed in seeds])
        for mechanism in (constant, drawn)
    ]
    told = f"{right[0]:.3f} for the constant weight 3, {right[1]:.3f} for weights from the data"
    return bool(right[0] > right[1]), f"share of published ratings told right at p = 0.1: {told}"


def _better_tuned(train: Dataset, rng: np.random.Generator) -> Finding:
    """Every mean SA_R from 0.10 to 0.84 is within 0.01 of one that p reaches, not of one of k."""
    targets = np.arange(10, 85) / 100
    degrees = np.diff(train.ratings.indptr)
    by_p = np.array([_risk_near(target, train, degrees, rng) for target in tqdm(targets)])
    by_k = np.array([_group_risk(train, degrees, k) for k in GROUP_SIZES])
    off = np.abs(by_p - targets).max()
    far = np.abs(targets[:, None] - by_k).min(axis=1)
    told = f"of {len(targets)} targets p misses none by more than {off:.4f}"
    k_told = f"k from 2 to 6 (groups by MDAV) misses {int((far > 0.01).sum())} by more than 0.01"
    return bool(off <= 0.01 and (far > 0.01).any()), f"{told}; {k_told}"


def _risk_near(
    target: float, train: Dataset, degrees: np.ndarray, rng: np.random.Generator
) -> float:
    """Mean SA_R of one release at the p whose expected noise gives the target."""
    films = train.ratings.shape[1]
    low, high = 0.0, 0.5
    for _ in range(40):
        p = (low + high) / 2
        low, high = (p, high) if (degrees / (degrees + p * films)).mean() > target else (low, p)
    noise = WeightedNoiseGraph(high, TOP_RATING).draw_noise(train.ratings, rng=rng)
    return float((degrees / (degrees + np.diff(noise.indptr))).mean())


def _group_risk(train: Dataset, degrees: np.ndarray, k: int) -> float:
    labels = mdav(as_biadjacency(train.ratings), k, leftover="group")
    return float((degrees / np.diff(pool_groups(train.ratings, labels).indptr)).mean())


def _accuracy_preserved(losses: pd.DataFrame) -> Finding:
    """No trait loses more than 10 % up to p = 0.1."""
    weak = losses[(losses["p"] > 0) & (losses["p"] <= 0.1)]
    return bool((weak["value"] <= LOSS).all()), f"losses in %: {_listed(weak)}"


def _strong_privacy(losses: pd.DataFrame, clean: float, noisy: float) -> Finding:
    """Neither the rating error nor a trait loses more than 10 % at p = 0.3."""
    strong = losses[losses["p"] == STRONG]
    grown = 100 * (noisy / clean - 1)
    told = (
        f"mean absolute rating error {clean:.3f} without noise, {noisy:.3f} with ({grown:+.1f} %)"
    )
    holds = grown <= LOSS and (strong["value"] <= LOSS).all()
    return bool(holds), f"{told}; losses of traits in %: {_listed(strong)}"


def _rating_errors(
    train: Dataset, test: Dataset, children: list[np.random.Generator]
) -> tuple[float, float]:
    """Error of ratings predicted from the true ratings, and from weighted releases on average."""
    held_out = align(test, train, missing="drop").ratings
    mechanism = WeightedNoiseGraph(STRONG, TOP_RATING)
    noisy = [
        mean_absolute_error(mechanism.sample(train.ratings, rng=child), held_out)
        for child in tqdm(children, desc="rating errors")
    ]
    return mean_absolute_error(train.ratings, held_out), float(np.mean(noisy))


def _falls(accuracies: pd.DataFrame) -> Finding:
    """Each trait is guessed worse at p = 0.4 than at p = 0.005."""
    table = accuracies.pivot_table(index="trait", columns="p", values="value")
    first, last = table[0.005], table[0.4]
    told = ", ".join(f"{trait} {first[trait]:.3f} to {last[trait]:.3f}" for trait in table.index)
    return bool((last < first).all()), f"mean accuracy from p = 0.005 to 0.4: {told}"


def _ordered(quantiles: pd.DataFrame) -> Finding:
    """Quantiles of SA_R from 5 to 95 % fall as p grows."""
    table = quantiles.pivot_table(index="share", columns="p", values="value").loc[0.05:0.95]
    steps = np.diff(table.to_numpy(), axis=1)
    medians = ", ".join(f"{p:g}: {value:.3f}" for p, value in table.loc[0.5].items())
    told = f"{int((steps >= 0).sum())} of {steps.size} steps do not fall; medians by p: {medians}"
    return bool((steps < 0).all()), told


def _listed(losses: pd.DataFrame) -> str:
    rows = zip(losses["trait"], losses["p"], losses["value"], strict=True)
    return ", ".join(f"{trait} {value:.1f} at p = {p:g}" for trait, p, value in rows)
