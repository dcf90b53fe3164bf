"""Figures 4 and 7: how well one learns from anonymous features, tested on the original ones.

One hidden layer of ten units learns the class of adult (Esfandiari et al., Appendix D, arXiv
2207.06358). `learning` compares the paper's copies with Mondrian's and with node-level differential
privacy; `beyond_learning` asks whether the similarity that greedy copies add is worth anything to
the same learner.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import count, product
from typing import Any

import numpy as np
import pandas as pd
import scipy
from scipy.special import expit
from threadpoolctl import ThreadpoolController
from tqdm.auto import tqdm

from claimbook.part import Rng, mean_of_runs
from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.response.noise_graph import bipartite_noise_graph
from pplab.smooth.anonymize import smooth_k_anonymize
from pplab.smooth.mondrian import mondrian
from pplab.smooth.vote import publish_votes
from pplab_papers.smooth import paper
from pplab_papers.smooth.algorithm_1 import node_replacement
from pplab_papers.smooth.copies import Recipe, World

CONFIDENCE = 0.95  # of all intervals, as printed
_ROUNDS = 200  # at most; training stops when the held-out tenth has not improved in 10 rounds
_BATCH = 200  # rows
_DECAY = 1e-4  # of weights
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
    told = _full(adult_test.biadjacency), adult_test.labels
    for run in tqdm(range(runs), desc="learning"):
        for method, world, k, features in draws.of([seed, run]):
            weights = np.random.default_rng([seed, run, k or 0, 1]).integers(2**31)
            model = _trained(features, adult.labels, int(weights))
            cells[method, tuple(world.items()), k].append(100 * model.score(*told))
            units.add(model.layers[0].shape[1])
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
            yield from _compared(pairs, named)


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


class Network:
    """One hidden layer of rectified units and a logistic one, as ``MLPClassifier`` trains it.

    Draws, batches and sums are those of scikit-learn with early stopping, so that the weights are
    the same, bit for bit; what it checks and records at each batch is left out.
    """

    def __init__(self, items: int, rng: np.random.RandomState) -> None:
        drawn = []
        for inputs, outputs in ((items, paper.HIDDEN_UNITS), (paper.HIDDEN_UNITS, 1)):
            bound = np.sqrt(6 / (inputs + outputs))
            drawn.append(rng.uniform(-bound, bound, (inputs + 1) * outputs))
        self.weights: np.ndarray = np.concatenate(drawn).astype(np.float32)
        self.layers = _layers(self.weights)

    def outputs(self, features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of the hidden units, and the chance of the second class."""
        first, second = self.layers
        hidden = np.maximum(features @ first[:-1] + first[-1], 0)
        return hidden, expit(hidden @ second[:-1] + second[-1])

    def gradient(self, features: np.ndarray, labels: np.ndarray) -> np.ndarray:
        """Of the mean loss of a batch, to which large weights add a little."""
        gradient, (hidden, chance) = np.empty_like(self.weights), self.outputs(features)
        error = chance - labels
        below = error * self.layers[1][:-1].T * (hidden > 0)
        inputs, errors = (features, hidden), (below, error)
        for slope, layer, x, y in zip(_layers(gradient), self.layers, inputs, errors, strict=True):
            slope[:-1] = x.T @ y + _DECAY * layer[:-1]
            slope[-1] = y.sum(axis=0)
        return gradient / len(labels)

    def score(self, features: np.ndarray, labels: Any) -> float:
        """Share of the labels that are told."""
        return float(np.mean((self.outputs(features)[1][:, 0] > 0.5) == labels))


def _layers(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Views of both layers; the last row of each is that of its constants."""
    first = len(values) - paper.HIDDEN_UNITS - 1
    return values[:first].reshape(-1, paper.HIDDEN_UNITS), values[first:, None]


_libraries = cache(ThreadpoolController)  # looking for them takes as long as some rounds


def _trained(features: Any, labels: Any, seed: int) -> Network:
    from sklearn.model_selection import train_test_split

    # ones and zeros: single bytes are gathered faster
    table, told = features.toarray().astype(np.int8), np.asarray(labels).astype(bool)
    rng, everyone = np.random.RandomState(seed), np.arange(len(told))
    model = Network(table.shape[1], rng)
    order, held = train_test_split(everyone, test_size=0.1, random_state=rng, stratify=told)
    held_out = table[held].astype(np.float32), told[held]
    best, kept, waited, steps = -np.inf, model.weights, 0, count(1)
    mean = square = np.zeros_like(kept)
    with _libraries().limit(limits=1):  # threads would add in another order, and be no faster
        for _ in range(_ROUNDS):
            order = order[rng.permutation(len(order))]
            for first, step in zip(range(0, len(order), _BATCH), steps, strict=False):
                batch = order[first : first + _BATCH]
                slope = model.gradient(table.take(batch, 0).astype(np.float32), told[batch, None])
                mean = 0.9 * mean + (1 - 0.9) * slope
                square = 0.999 * square + (1 - 0.999) * slope**2
                rate = 0.001 * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
                model.weights += -rate * mean / (np.sqrt(square) + 1e-8)
            score = model.score(*held_out)
            waited = waited + 1 if score < best + 1e-4 else 0
            if score > best:
                best, kept = score, model.weights.copy()
            if waited > 10:
                break
    model.weights[:] = kept
    return model


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
    told = _full(adult_test.biadjacency), adult_test.labels
    generator = as_rng(rng)
    methods = {"greedy": ("greedy", copies), "recipe": ("paper", runs)}
    rows: list[dict[str, Any]] = []
    for k in ks:
        for_copies, for_weights = generator.integers(2**31, size=(2, runs)).tolist()
        means = {}
        for method, (kind, copied) in methods.items():
            made = [
                smooth_k_anonymize(original, k, method=kind, rng=seed)
                for seed in for_copies[:copied]
            ]
            shares = []
            for run, seed in enumerate(tqdm(for_weights, desc=f"learning, {method}")):
                model = _trained(made[run % copied].biadjacency, adult.labels, seed)
                shares.append(100 * model.score(*told))
            means[method] = mean_of_runs(shares)
            common = {"method": method, "k": k}
            rows.append({"quantity": "accuracy"} | common | means[method])
            kept = mean_of_runs([100 * copy.jaccard for copy in made])
            rows.append({"quantity": "jaccard"} | common | kept)
        gain = means["greedy"]["value"] - means["recipe"]["value"]
        se = float(np.hypot(means["greedy"]["se"], means["recipe"]["se"]))
        rows.append({"quantity": "gain", "k": k, "value": gain, "se": se, "runs": runs})
    return pd.DataFrame(rows)
