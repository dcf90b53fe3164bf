"""Figures 4 and 7: how well one learns from anonymous features, tested on the original ones.

One hidden layer of ten units learns the class of adult (Esfandiari et al., Appendix D, arXiv
2207.06358). `learning` compares the paper's copies with Mondrian's and with node-level differential
privacy; `beyond_learning` asks whether the similarity that greedy copies add is worth anything to
the same learner.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import scipy
from threadpoolctl import threadpool_limits
from tqdm.auto import tqdm

from claimbook.part import Rng, mean_of_runs
from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.response.noise_graph import bipartite_noise_graph
from pplab.smooth.anonymize import SmoothAnonymized, smooth_k_anonymize
from pplab.smooth.mondrian import mondrian
from pplab.smooth.vote import publish_votes
from pplab_papers.smooth import paper
from pplab_papers.smooth.algorithm_1 import node_replacement
from pplab_papers.smooth.copies import OWN_PROGRAM, Recipe, World

CONFIDENCE = 0.95  # of all intervals, as printed
_ROUNDS = 200  # at most; training stops when the held-out tenth has not improved in 10 rounds
_LEAST = 1e-6  # of a deviation, so that its logarithm is finite

Draw = tuple[str, World, int | None, Any]  # method, its world, k and features


def learning(
    adult: Dataset,
    adult_test: Dataset,
    *,
    rng: Rng = None,
    runs: int = 10,
    ks: Sequence[int] = paper.K_LEARNING,
) -> pd.DataFrame:
    """Learn high incomes from anonymous features and true labels; test on original features.

    Each run draws smooth copies in each world of assignment and cut, of equally near facilities the
    one that opened first, and trains one hidden layer of ten rectified units on each copy. Mondrian
    always gives the same copies. Methods are compared within runs, which have weights of their own.

    Figures 4 and 7 and Appendix D.
    """
    check_integer("runs", runs, minimum=2)
    seed = int(as_rng(rng).integers(2**31))
    draws = _Draws(adult, ks)
    cells: dict[tuple[Any, ...], list[float]] = defaultdict(list)
    units: set[int] = set()
    for run in tqdm(range(runs), desc="learning"):
        for method, world, k, features in draws.of([seed, run]):
            weights = np.random.default_rng([seed, run, k or 0, 1]).integers(2**31)
            model = _trained(features, adult.labels, int(weights))
            cells[method, tuple(world.items()), k].append(_accuracy(model, adult_test))
            units.add(model.coefs_[0].shape[1])
    most_frequent = np.bincount(np.asarray(adult.labels)).argmax()
    majority = 100 * float(np.mean(adult_test.labels == most_frequent))
    cells["majority", (), None] = [majority] * runs
    shares = {cell: np.array(values) for cell, values in cells.items()}
    accuracy = [
        {"quantity": "accuracy", "method": method, "k": k} | dict(world) | _interval(values)
        for (method, world, k), values in shares.items()
    ]
    width = [{"quantity": "hidden units", "value": value} for value in sorted(units)]
    return pd.DataFrame([*accuracy, *comparisons(shares), *width])


def comparisons(shares: Mapping[tuple[Any, ...], np.ndarray]) -> Iterator[dict[str, Any]]:
    """Smooth and node-level copies against each other method, at each k and over all k.

    Parameters
    ----------
    shares : mapping
        Method, world as pairs, and k (None where there is none) -> accuracy per run, per cent.
    """
    cells: dict[Any, dict[Any, np.ndarray]] = defaultdict(dict)
    for (method, world, k), values in shares.items():
        cells[method, world][k] = values
    for (method, world), ours in cells.items():
        for (against, other_world), other_cells in cells.items():
            if method not in ("smooth", "node-dp") or against in ("smooth", method):
                continue
            ks = [*(ours if None in other_cells else other_cells)]
            pairs = {
                k: (ours.get(k, ours.get(None)), other_cells.get(k, other_cells.get(None)))
                for k in ks
            }
            named = {"method": method, "against": against, **dict(world), **dict(other_world)}
            yield from _compared(pairs, named | (OWN_PROGRAM if against == "mondrian" else {}))


def _compared(pairs: Mapping[Any, Any], named: dict[str, Any]) -> Iterator[dict[str, Any]]:
    gaps = {k: ours - other for k, (ours, other) in pairs.items()}
    for k, gap in gaps.items():
        yield named | {"quantity": "difference", "k": k} | mean_of_runs(gap)
    over_k = np.mean([*gaps.values()], axis=0)
    yield named | {"quantity": "difference of all k"} | mean_of_runs(over_k)
    if named["method"] == "smooth" and named["against"] == "mondrian":
        sds = [[max(float(v.std(ddof=1)), _LEAST) for v in pair] for pair in pairs.values()]
        ratios = [2 * float(np.log(ours / other)) for ours, other in sds]
        runs = len(over_k)
        # of the difference of two logarithms of variances, mean over k
        error = (4 / (runs - 1) / len(ratios)) ** 0.5
        row = {"quantity": "log variance ratio of all k", "value": float(np.mean(ratios))}
        yield named | row | {"se": error, "runs": runs}


class _Draws:
    """Copies that each method publishes: those without chance once, the others for each seed."""

    def __init__(self, adult: Dataset, ks: Sequence[int]) -> None:
        self.original, self.ks = adult.biadjacency, ks
        self.recipe = Recipe(self.original)
        self.costs = {k: self.recipe.costs(k) for k in ks}
        items = self.original.shape[1]
        self.flip = node_replacement(epsilon=paper.NODE_EPSILON, items=items) / 2
        forms = {"columns": self.original, "attributes": adult.users}
        self.fixed: list[Draw] = [("none", {}, None, self.original)]
        for (form, table), cut, k in product(forms.items(), ("median", "balanced"), ks):
            world = {"mondrian_on": form, "mondrian_cut": cut}
            copy = self._kept(mondrian(table, k, cut=cut), "all")
            self.fixed.append(("mondrian", world, k, copy))

    def of(self, seed: list[int]) -> Iterator[Draw]:
        """Copies of one run."""
        yield from self.fixed
        rng = np.random.default_rng([*seed, 0])
        noisy = bipartite_noise_graph(self.original, flip_probability=self.flip, rng=rng)
        yield "node-dp", {}, None, noisy
        for k in self.ks:
            arriving = int(np.random.default_rng([*seed, k]).integers(2**31))
            for world, labels in self.recipe.groups(self.costs[k], k, arriving):
                yield "smooth", world, k, self._kept(labels, "half")

    def _kept(self, labels: np.ndarray, keep: str) -> Any:
        return publish_votes(self.original, labels, keep=keep).biadjacency


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


def _interval(shares: Sequence[float] | np.ndarray) -> dict[str, float]:
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
            rows.append({"quantity": "accuracy"} | common | means[method])
            kept = mean_of_runs([100 * copy.jaccard for copy in made])
            rows.append({"quantity": "jaccard"} | common | kept)
        gain = means["greedy"]["value"] - means["recipe"]["value"]
        se = float(np.hypot(means["greedy"]["se"], means["recipe"]["se"]))
        rows.append({"quantity": "gain", "k": k, "value": gain, "se": se, "runs": runs})
    return pd.DataFrame(rows)


def _recipe(features: Any, k: int, seed: int) -> SmoothAnonymized:
    return smooth_k_anonymize(features, k, method="paper", rng=seed)


def _greedy(features: Any, k: int, seed: int) -> SmoothAnonymized:
    return smooth_k_anonymize(features, k, rng=seed)
