"""Table 2 and Figure 1: what noise costs those who guess traits from a published graph."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import sparse, stats
from threadpoolctl import threadpool_limits
from tqdm.auto import tqdm

from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.experiments.noise_graphs import paper
from pplab.experiments.noise_graphs.traits import (
    COMPONENTS,
    Folds,
    accuracies,
    make_folds,
    user_scores,
)
from pplab.graphs import as_biadjacency
from pplab.response.noise_graph import BipartiteNoiseGraph

__all__ = ["OCCUPATION_GROUPS", "movielens_traits", "table2"]

OCCUPATION_GROUPS = {
    "student": ("student",),
    "technical": ("engineer", "programmer", "scientist", "technician"),
    "business": ("administrator", "executive", "lawyer", "marketing", "salesman"),
    "letters": ("artist", "educator", "entertainment", "librarian", "writer"),
    "rest": ("doctor", "healthcare", "homemaker", "none", "other", "retired"),
}
Accuracies = dict[tuple[bool, str], float]
_SUFFIX = {False: "", True: ", debiased"}


def table2(
    likes: Dataset,
    *,
    rng: int | np.random.Generator | None = None,
    runs: int = 2,
    flip_probabilities: Sequence[float] = paper.FLIP_PROBABILITIES,
) -> pd.DataFrame:
    """Accuracy of guessed traits by flip probability, and its relative loss in per cent.

    Fifty singular vectors of the user x Like matrix, then logistic regression (area under the ROC
    curve) or linear regression (Pearson's r), ten folds. The paper tells neither the number of
    vectors nor the regression for numbers.

    Parameters
    ----------
    likes : Dataset
        With a biadjacency and traits in ``users``: words or numbers.
    rng : int, Generator or None
        Seed or generator; the folds are drawn first, then each run has a child of its own.
    runs : int, default 2
        Noise graphs drawn for each flip probability, at least 2.
    flip_probabilities : sequence of float
        The p of the table, above 0 and below 1/2.

    Returns
    -------
    DataFrame
        Columns quantity ("accuracy" or "imprecision", each also with ", debiased"), trait, p (0
        without noise), value (mean over runs), se (of that mean) and sd (of one run, as printed).
        Debiased: the expected noise was taken off before the decomposition; the paper does not.
    """
    return _losses(likes.biadjacency, likes.users, rng, runs, flip_probabilities)


def movielens_traits(
    complete: Dataset,
    *,
    rng: int | np.random.Generator | None = None,
    runs: int = 5,
    flip_probabilities: Sequence[float] = paper.FLIP_PROBABILITIES,
) -> pd.DataFrame:
    """Table 2 on real people: gender, age and occupation group from who rated what.

    Parameters
    ----------
    complete : Dataset
        MovieLens-100K; which films a user rated is used, how high is not.
    rng : int, Generator or None
        As for ``table2``.
    runs : int, default 5
        Noise graphs drawn for each flip probability, at least 2.
    flip_probabilities : sequence of float
        The p of the table.

    Returns
    -------
    DataFrame
        As ``table2`` gives it, with low and high: the 95 % interval of the mean over noise seeds.
        Occupations are five groups (``OCCUPATION_GROUPS``), each guessed against the rest.
    """
    groups = {job: group for group, jobs in OCCUPATION_GROUPS.items() for job in jobs}
    traits = complete.users[["gender", "age"]].assign(
        occupation=complete.users["occupation"].map(groups)
    )
    table = _losses(as_biadjacency(complete.ratings), traits, rng, runs, flip_probabilities)
    reach = stats.t.ppf(0.975, runs - 1) * table["se"]
    return table.assign(low=table["value"] - reach, high=table["value"] + reach)


def _losses(
    graph: sparse.csr_array,
    traits: pd.DataFrame,
    rng: int | np.random.Generator | None,
    runs: int,
    flip_probabilities: Sequence[float],
) -> pd.DataFrame:
    check_integer("runs", runs, minimum=2)
    generator = as_rng(rng)
    folds = make_folds(len(traits), rng=generator)  # before any noise
    (child,) = generator.spawn(1)
    clean = _release(graph, traits, folds, 0.0, child)
    rows = _summary(0.0, [clean], clean)
    for p in tqdm(flip_probabilities, desc="flip probabilities"):
        children = generator.spawn(runs)
        draws = [
            _release(graph, traits, folds, p, child)
            for child in tqdm(children, desc=f"p = {p}", leave=False)
        ]
        rows += _summary(p, draws, clean)
    return pd.DataFrame(rows)


def _release(
    graph: sparse.csr_array,
    traits: pd.DataFrame,
    folds: Folds,
    p: float,
    rng: np.random.Generator,
) -> Accuracies:
    """Accuracy by (debiased, trait) on one published graph."""
    published = BipartiteNoiseGraph(p).sample(graph, rng=rng)
    components = min(COMPONENTS, *graph.shape)
    # one thread: the same digits on every machine, and threads that wait for each other on a busy
    # one cost ten times what they bring
    with threadpool_limits(1):
        scores = user_scores(published, flip_probability=p, rng=rng, components=components)
        return {
            (debiased, trait): accuracy
            for debiased, vectors in scores.items()
            for trait, accuracy in accuracies(vectors, traits, folds).items()
        }


def _summary(p: float, draws: list[Accuracies], clean: Accuracies) -> list[dict[str, object]]:
    """Accuracy and relative loss, each with mean and spread over the draws."""
    rows: list[dict[str, object]] = []
    for (debiased, trait), without_noise in clean.items():
        values = np.array([draw[debiased, trait] for draw in draws])
        measured = {"accuracy": values, "imprecision": 100 * (1 - values / without_noise)}
        for quantity, drawn in measured.items():
            sd = float(drawn.std(ddof=1)) if len(drawn) > 1 else 0.0
            row = {"quantity": quantity + _SUFFIX[debiased], "trait": trait, "p": p}
            rows.append(row | {"value": drawn.mean(), "se": sd / np.sqrt(len(drawn)), "sd": sd})
    return rows
