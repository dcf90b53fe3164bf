"""Figures 4 and 7: how well one learns from anonymous features, tested on the original ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats
from sklearn.neural_network import MLPClassifier
from threadpoolctl import threadpool_limits
from tqdm.auto import tqdm

from pplab.checks import as_rng, check_choice, check_integer, check_k
from pplab.datasets.catalog import Dataset
from pplab.experiments.finding import statement_rows
from pplab.experiments.runs import mean_of_runs
from pplab.experiments.smooth import paper
from pplab.experiments.smooth.learning_statements import CONFIDENCE, learning_statements
from pplab.response.noise_graph import bipartite_noise_graph
from pplab.smooth.anonymize import smooth_k_anonymize
from pplab.smooth.groups import publish_votes
from pplab.smooth.mondrian import CUTS, mondrian
from pplab.theory.node_level import node_replacement

__all__ = ["accuracy_of", "learning"]

_MORE = 4  # times as many runs on node-level copies: what is learned from noise varies widely
_ROUNDS = 200  # at most; training stops when the held-out tenth has not improved in 10 rounds

Copy = Callable[[Any, int, int], Any]  # features, k and a seed -> features
Draw = Callable[[int], Any]  # a seed -> features
Setting = tuple[str, int | None]  # method and k


def learning(
    adult: Dataset,
    adult_test: Dataset,
    *,
    rng: int | np.random.Generator | None = None,
    runs: int = 5,
    ks: Sequence[int] = paper.K_LEARNING,
    cut: str = "balanced",
    smooth: Copy | None = None,
) -> pd.DataFrame:
    """Learn who earns more from anonymous features and true labels; test on original features.

    Each run draws a copy (Mondrian's is always the same) and trains one hidden layer of ten
    rectified units on it, from weights of its own.

    Parameters
    ----------
    adult, adult_test : Dataset
        Training and test part with the same columns; ``users`` holds the attributes that Mondrian
        cuts, ``labels`` the two classes.
    rng : int, Generator or None
        Seed or generator.
    runs : int, default 5
        Runs behind each mean, at least 2; four times as many on node-level copies, from which the
        accuracy varies far more.
    ks : sequence of int
        Group sizes.
    cut : {"balanced", "median"}
        As ``mondrian`` takes it.
    smooth : callable, optional
        Takes features, k and a seed, gives the smooth copy; the paper's method when left out.

    Returns
    -------
    DataFrame
        Rows of quantity "accuracy" with columns method ("smooth", "mondrian", "none", "node-dp",
        "majority"), k (none for the last three) and value, se, sd, low and high in per cent: mean
        of the runs, its standard error, the spread of a run and the ends of the 95 % interval; a
        row "hidden units"; and the statements with value and witness.

    Raises
    ------
    TypeError, ValueError
        If runs, a k or cut leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Figures 4 and 7 and Appendix D, arXiv 2207.06358.
    """
    check_integer("runs", runs, minimum=2)
    check_choice("cut", cut, CUTS)
    for k in ks:
        check_k(k, adult.biadjacency.shape[0])
    copies = _copies(adult, ks, cut, _paper_copy if smooth is None else smooth)
    counts = [_MORE * runs if method == "node-dp" else runs for method, _ in copies]
    generator = as_rng(rng)
    seeds = [generator.integers(2**31, size=(count, 2)).tolist() for count in counts]
    rows: list[dict[str, Any]] = []
    units: set[int] = set()
    bar = tqdm(total=sum(counts), desc="learning")
    for ((method, k_or_none), copy), pairs in zip(copies.items(), seeds, strict=True):
        shares = []
        for for_copy, for_weights in pairs:
            model = _trained(copy(for_copy), adult.labels, for_weights)
            shares.append(100 * model.score(_full(adult_test.biadjacency), adult_test.labels))
            units.add(model.coefs_[0].shape[1])
            bar.update()
        rows.append({"method": method, "k": k_or_none} | _interval(shares))
    bar.close()
    majority = 100 * _majority(adult.labels, adult_test.labels)
    same = dict.fromkeys(("value", "low", "high"), majority) | {"se": 0.0, "sd": 0.0}
    accuracy = pd.DataFrame([*rows, {"method": "majority", "k": None} | same])
    found = learning_statements(accuracy, runs=runs)
    width = pd.DataFrame({"quantity": "hidden units", "value": sorted(units)})
    parts = [accuracy.assign(quantity="accuracy"), width, statement_rows(found)]
    return pd.concat(parts, ignore_index=True)


def _majority(labels: Any, test_labels: Any) -> float:
    """Share of the test part that the most frequent label of the training part is right on."""
    return float(np.mean(test_labels == np.bincount(labels).argmax()))


def _paper_copy(biadjacency: Any, k: int, seed: int) -> Any:
    return smooth_k_anonymize(biadjacency, k, method="paper", rng=seed).biadjacency


def _copies(adult: Dataset, ks: Sequence[int], cut: str, smooth: Copy) -> dict[Setting, Draw]:
    """What is published under each method and k, as a function of the seed."""
    original = adult.biadjacency
    flip = node_replacement(epsilon=paper.NODE_EPSILON, items=original.shape[1]) / 2

    @cache  # there is no chance in it, so once is enough
    def by_mondrian(k: int) -> Any:
        groups = mondrian(adult.users, k, cut=cut)
        return publish_votes(original, groups, keep="all").biadjacency

    def noisy(seed: int) -> Any:
        return bipartite_noise_graph(original, flip_probability=flip, rng=seed)

    found: dict[Setting, Draw] = {("none", None): lambda _: original, ("node-dp", None): noisy}
    for k in ks:  # mypy infers no type for a lambda whose default holds on to k
        found["mondrian", k] = lambda _, k=k: by_mondrian(k)  # type: ignore[misc]
        found["smooth", k] = lambda seed, k=k: smooth(original, k, seed)  # type: ignore[misc]
    return found


def _full(features: Any) -> np.ndarray:
    return features.toarray().astype(np.float32)


def _trained(features: Any, labels: Any, seed: int) -> MLPClassifier:
    model = MLPClassifier(
        hidden_layer_sizes=(paper.HIDDEN_UNITS,),
        activation="relu",
        early_stopping=True,
        max_iter=_ROUNDS,
        random_state=seed,
    )
    with threadpool_limits(1):  # threads would add in another order, and be no faster
        return model.fit(_full(features), labels)


def accuracy_of(features: Any, train: Dataset, test: Dataset, seed: int) -> float:
    """Accuracy on the original test part, in per cent, after learning from published features."""
    model = _trained(features, train.labels, seed)
    return 100 * float(model.score(_full(test.biadjacency), test.labels))


def _interval(shares: Sequence[float]) -> dict[str, float]:
    """Mean of the runs with its 95 % t interval."""
    row = mean_of_runs(shares)
    reach = float(stats.t.ppf((1 + CONFIDENCE) / 2, len(shares) - 1)) * row["se"]
    return row | {"low": row["value"] - reach, "high": row["value"] + reach}
