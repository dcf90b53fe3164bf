"""Figures 4 and 7: how well one learns from anonymous features, tested on the original ones.

One hidden layer of ten units learns the class of adult (Esfandiari et al., Appendix D, arXiv
2207.06358). `learning` compares the paper's copies with Mondrian's and with node-level differential
privacy; `beyond_learning` asks whether the similarity that greedy copies add is worth anything to
the same learner.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import scipy
from threadpoolctl import threadpool_limits
from tqdm.auto import tqdm

from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.papers.part import Rng, mean_of_runs
from pplab.papers.smooth import paper
from pplab.papers.smooth.algorithm_1 import node_replacement
from pplab.papers.smooth.copies import ARRIVAL, FIRST, Recipe
from pplab.response.noise_graph import bipartite_noise_graph
from pplab.smooth.anonymize import SmoothAnonymized, smooth_k_anonymize
from pplab.smooth.groups import publish_votes
from pplab.smooth.mondrian import mondrian

CONFIDENCE = 0.95  # of all intervals, as printed
_ROUNDS = 200  # at most; training stops when the held-out tenth has not improved in 10 rounds

Copy = Callable[[Any, int, int], Any]  # features, k and a seed -> features
Draw = Callable[[int], Any]  # a seed -> features
Setting = tuple[str, int | None]  # method and k


def learning(
    adult: Dataset,
    adult_test: Dataset,
    *,
    rng: Rng = None,
    runs: int = 20,
    ks: Sequence[int] = paper.K_LEARNING,
    cut: str = "balanced",
    smooth: Copy | None = None,
) -> pd.DataFrame:
    """Learn who earns more from anonymous features and true labels; test on original features.

    Each run draws a copy (Mondrian's is always the same) and trains one hidden layer of ten
    rectified units on it, from weights of its own.

    Figures 4 and 7 and Appendix D.
    """
    check_integer("runs", runs, minimum=2)
    copies = _copies(adult, ks, cut, smooth)
    generator = as_rng(rng)
    seeds = [generator.integers(2**31, size=(runs, 2)).tolist() for _ in copies]
    rows: list[dict[str, Any]] = []
    units: set[int] = set()
    for ((method, k_or_none), copy), pairs in zip(copies.items(), seeds, strict=True):
        shares = []
        for for_copy, for_weights in tqdm(pairs, desc=f"learning, {method}"):
            model = _trained(copy(for_copy), adult.labels, for_weights)
            shares.append(_accuracy(model, adult_test))
            units.add(model.coefs_[0].shape[1])
        rows.append({"method": method, "k": k_or_none} | _interval(shares))
    most_frequent = np.bincount(np.asarray(adult.labels)).argmax()
    majority = 100 * float(np.mean(adult_test.labels == most_frequent))
    same = dict.fromkeys(("value", "low", "high"), majority) | {"se": 0.0, "sd": 0.0}
    accuracy = pd.DataFrame([*rows, {"method": "majority", "k": None} | same])
    width = pd.DataFrame({"quantity": "hidden units", "value": sorted(units)})
    parts = [accuracy.assign(quantity="accuracy"), comparisons(accuracy, runs=runs), width]
    return pd.concat(parts, ignore_index=True).assign(runs=runs)


def comparisons(accuracy: pd.DataFrame, *, runs: int) -> pd.DataFrame:
    """Smooth copies against each other method at each k, and node-level copies against no model."""
    cells = {(row["method"], row["k"]): row for row in accuracy.to_dict("records")}
    plain = {name: row for (name, k), row in cells.items() if pd.isna(k)}
    rows = [_difference(plain["node-dp"], plain["majority"], "difference of baselines")]
    for (method, k), ours in cells.items():
        if method != "smooth":
            continue
        rival = cells["mondrian", k]
        for name, theirs in (plain | {"mondrian": rival}).items():
            rows.append(_difference(ours, theirs, "difference") | {"against": name, "k": k})
        if ours["sd"] > 0 and rival["sd"] > 0:
            ratio = 2 * float(np.log(ours["sd"] / rival["sd"]))
            error = (4 / (runs - 1)) ** 0.5  # of the difference of two logarithms of variances
            rows.append({"quantity": "log variance ratio", "k": k, "value": ratio, "se": error})
    return pd.DataFrame(rows)


def _difference(ours: Any, theirs: Any, quantity: str) -> dict[str, Any]:
    gap, error = ours["value"] - theirs["value"], float(np.hypot(ours["se"], theirs["se"]))
    return {"quantity": quantity, "value": gap, "se": error}


def _recipe(features: Any, k: int, seed: int) -> SmoothAnonymized:
    return smooth_k_anonymize(features, k, method="paper", rng=seed)


def _copies(
    adult: Dataset, ks: Sequence[int], cut: str, smooth: Copy | None
) -> dict[Setting, Draw]:
    """Copy under each method and k, as a function of the seed."""
    original = adult.biadjacency
    recipe = Recipe(original)
    costs = cache(recipe.costs)

    def by_recipe(_: Any, k: int, seed: int) -> Any:
        labels = recipe.both(costs(k), k, ties=FIRST, seed=seed)[ARRIVAL]
        return publish_votes(original, labels, keep="half").biadjacency

    smooth = by_recipe if smooth is None else smooth
    flip = node_replacement(epsilon=paper.NODE_EPSILON, items=original.shape[1]) / 2

    @cache  # there is no chance in it, so once is enough
    def by_mondrian(k: int) -> Any:
        groups = mondrian(adult.users, k, cut=cut)
        return publish_votes(original, groups, keep="all").biadjacency

    def noisy(seed: int) -> Any:
        return bipartite_noise_graph(original, flip_probability=flip, rng=seed)

    draws: dict[Setting, Draw] = {("none", None): lambda _: original, ("node-dp", None): noisy}
    for k in ks:  # mypy infers no type for a lambda whose default holds on to k
        draws["mondrian", k] = lambda _, k=k: by_mondrian(k)  # type: ignore[misc]
        draws["smooth", k] = lambda seed, k=k: smooth(original, k, seed)  # type: ignore[misc]
    return draws


def _full(features: Any) -> np.ndarray:
    return features.toarray().astype(np.float32)


def _trained(features: Any, labels: Any, seed: int) -> Any:
    from sklearn.neural_network import MLPClassifier

    model = MLPClassifier(
        hidden_layer_sizes=(paper.HIDDEN_UNITS,),
        activation="relu",
        early_stopping=True,
        max_iter=_ROUNDS,
        random_state=seed,
    )
    with threadpool_limits(1):  # threads would add in another order, and be no faster
        return model.fit(_full(features), labels)


def _accuracy(model: Any, test: Dataset) -> float:
    """Accuracy on the original test part, in per cent."""
    return 100 * float(model.score(_full(test.biadjacency), test.labels))


def _interval(shares: Sequence[float]) -> dict[str, float]:
    """Mean of the runs with its 95 % t interval."""
    row = mean_of_runs(shares)
    reach = float(scipy.stats.t.ppf((1 + CONFIDENCE) / 2, len(shares) - 1)) * row["se"]
    return row | {"low": row["value"] - reach, "high": row["value"] + reach}


# Beyond the paper: what is learned from greedy copies.


def beyond_learning(
    adult: Dataset,
    adult_test: Dataset,
    *,
    rng: Rng = None,
    runs: int = 6,
    copies: int = 2,
    ks: Sequence[int] = (8, 128),
) -> pd.DataFrame:
    """Learn from copies by the greedy method and by the paper's recipe.

    Each run draws its own weights and its own copy by the recipe; greedy copies hardly differ and
    take long, so that a few serve all runs in turn. Both methods get the same seeds.
    """
    check_integer("runs", runs, minimum=2)
    original = adult.biadjacency
    generator = as_rng(rng)
    methods = {"greedy": (_greedy, copies), "recipe": (_recipe, runs)}
    rows: list[dict[str, Any]] = []
    for k in ks:
        for_copies, for_weights = generator.integers(2**31, size=(2, runs)).tolist()
        means = {}
        for method, (make, count) in methods.items():
            made = [make(original, k, seed) for seed in for_copies[:count]]
            shares = []
            for run, seed in enumerate(tqdm(for_weights, desc=f"learning, {method}")):
                model = _trained(made[run % count].biadjacency, adult.labels, seed)
                shares.append(_accuracy(model, adult_test))
            means[method] = mean_of_runs(shares)
            common = {"method": method, "k": k}
            rows.append({"quantity": "accuracy"} | common | means[method] | {"runs": runs})
            kept = mean_of_runs([100 * copy.jaccard for copy in made])
            rows.append({"quantity": "jaccard"} | common | kept | {"runs": count})
        gain = means["greedy"]["value"] - means["recipe"]["value"]
        se = float(np.hypot(means["greedy"]["se"], means["recipe"]["se"]))
        rows.append({"quantity": "gain", "k": k, "value": gain, "se": se, "runs": runs})
    return pd.DataFrame(rows)


def _greedy(features: Any, k: int, seed: int) -> SmoothAnonymized:
    return smooth_k_anonymize(features, k, rng=seed)
