"""Section 4.2 on MovieLens-100K: a substitute for HAKR, the sentences that data decide, the repair.

`substitute` stands in for the k-anonymity of Table 4, Figure 3 and the k half of Table 5;
`data_statements` decides claiming sentences of Sections 4 and 5 (when a sentence holds was fixed
beside its claim before anything was measured); `repair` measures what the two repairs of the
weighted mechanism cost at equal privacy of an edge. Salas and Torra 2020,
doi 10.5220/0009833804150422.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.sparse.linalg import svds
from tqdm.auto import tqdm

from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset, align
from pplab.graphs import as_biadjacency, paired_values, rows_of_entries
from pplab.metrics.risk import k_achieved, sensitive_attribute_imprecision, sensitive_attribute_risk
from pplab.microaggregation.mdav import mdav
from pplab.papers.noise_graphs import paper
from pplab.papers.noise_graphs.tables import figure2, risk_distribution
from pplab.papers.noise_graphs.traits import movielens_traits
from pplab.papers.part import Finding, mean_of_runs, statement_rows
from pplab.response.categorical import CategoricalResponse, TwoStageResponse
from pplab.response.ratings import WeightedNoiseGraph, fuzzy_xor
from pplab.smooth.groups import degree_groups, pool_groups, random_groups

# The best guess at which published ratings are noise.


def right_guesses(
    ratings: sparse.csr_array, mechanism: WeightedNoiseGraph, *, rng: int | np.random.Generator
) -> float:
    """Share of the published records of one release that the best guess tells right.

    A record is noise when no true rating lies beneath it. Whoever guesses knows the flip
    probability, how dense the ratings are, how often each rating occurs and how often each noise
    weight does, and says of every published value what is likelier.

    Parameters
    ----------
    ratings : csr_array, shape (users, items)
        Whole numbers from 0 to the mechanism's top rating.
    mechanism : WeightedNoiseGraph
    rng : int or Generator
        Draws the release.

    Returns
    -------
    float
        In [0, 1].
    """
    noise_law, true_law = _laws(ratings, mechanism)
    says_noise = noise_law > true_law
    published = mechanism.sample(ratings, rng=rng)
    _, before, after = paired_values(ratings, published, absent=np.nan)
    return float((says_noise[after.astype(int)] == np.isnan(before)).mean())


def noise_weights(ratings: sparse.csr_array, mechanism: WeightedNoiseGraph) -> np.ndarray:
    """Share of each noise weight 0, 1, ... among the mechanism's noise ratings."""
    listed = mechanism.noise_weights
    pool = ratings.data if listed == "empirical" else np.asarray(listed)
    return _shares(pool, int(mechanism.top_rating))


def _laws(
    ratings: sparse.csr_array, mechanism: WeightedNoiseGraph
) -> tuple[np.ndarray, np.ndarray]:
    """Chance that a cell publishes a value as noise, and as (or over) a true rating."""
    top, p = int(mechanism.top_rating), float(mechanism.flip_probability)
    density = ratings.nnz / (ratings.shape[0] * ratings.shape[1])
    true, noise = _shares(ratings.data, top), noise_weights(ratings, mechanism)
    x, y = np.meshgrid(np.arange(top + 1), np.arange(top + 1), indexing="ij")
    met = fuzzy_xor(x, y, norm=mechanism.norm, top=top).astype(int)
    hit = np.bincount(met.ravel(), np.outer(true, noise).ravel(), top + 1)
    return (1 - density) * p * noise, density * ((1 - p) * true + p * hit)


def _shares(values: np.ndarray, top: int) -> np.ndarray:
    return np.bincount(np.asarray(values).astype(int), minlength=top + 1) / len(values)


# Predict held-out ratings from a release: means of users and films, and a few tastes.


TASTES = 10
_SHRINK = 5.0  # ratings of weight that pull each user's and film's mean to the overall mean
_LOWEST, _HIGHEST = 1.0, 5.0


def mean_absolute_error(published: sparse.csr_array, test: sparse.csr_array) -> float:
    """Error in stars of ratings predicted from a release.

    The prediction is the overall mean plus the shrunken deviations of the film and of the user,
    plus a truncated SVD of what these leave of the published ratings (0 where nothing is stored),
    cut to 1..5.

    Parameters
    ----------
    published : csr_array, shape (users, items)
        What the predictor learns from; stored zeros are ratings of 0.
    test : csr_array, shape (users, items)
        Ratings to be predicted.

    Returns
    -------
    float

    References
    ----------
    Koren, Bell and Volinsky 2009, Matrix factorization techniques for recommender systems,
    doi 10.1109/MC.2009.263, for means first and factors of the rest.
    """
    rows, columns = rows_of_entries(published), published.indices
    values = published.data.astype(float)
    mean = values.mean()
    film = _shrunken(columns, values - mean, published.shape[1])
    user = _shrunken(rows, values - mean - film[columns], published.shape[0])
    rest = values - mean - film[columns] - user[rows]
    residuals = sparse.csr_array((rest, columns, published.indptr), shape=published.shape)
    left, strengths, right = svds(
        residuals, k=min(TASTES, min(published.shape) - 1), v0=np.ones(min(published.shape))
    )
    who, what = rows_of_entries(test), test.indices
    taste = np.einsum("rk,kr->r", left[who] * strengths, right[:, what])
    predicted = np.clip(mean + film[what] + user[who] + taste, _LOWEST, _HIGHEST)
    return float(np.abs(predicted - test.data).mean())


def _shrunken(groups: np.ndarray, values: np.ndarray, count: int) -> np.ndarray:
    totals = np.bincount(groups, values, count)
    return totals / (np.bincount(groups, minlength=count) + _SHRINK)


# Table 4, Figure 3 and the k half of Table 5. The paper compares with HAKR, which it does not
# describe. Here groups of users (by MDAV on who rated what, by number of ratings, at random) share
# the union of their films with the group's mean ratings.


Rows = list[dict[str, Any]]
GROUP_SIZES = (2, 3, 4, 5, 6)


def substitute(
    train: Dataset,
    *,
    rng: int | np.random.Generator | None = None,
    runs: int = 5,
    group_sizes: Sequence[int] = GROUP_SIZES,
) -> pd.DataFrame:
    """Edges, risk and imprecision of a k-anonymous release, under three ways to make groups.

    Parameters
    ----------
    train : Dataset
        Ratings from 1 to 5.
    rng : int, Generator or None
        Seed or generator, for random groups and for the noise that is compared with.
    runs : int, default 5
        Random groupings and noise graphs drawn, at least 2.
    group_sizes : sequence of int
        The k of the tables; 4 must be among them.

    Returns
    -------
    DataFrame
        Columns quantity ("noise_edges", "published_edges", "mean_risk", "imprecision",
        "k_achieved"), k, reading ("MDAV", "degree", "random"), value, se and sd (0 where nothing
        is drawn). Two more quantities, "p=0.1 equals k=4" and "risk falls with k", hold 1 or 0
        for the MDAV groups, with the numbers as witness.
    """
    check_integer("runs", runs, minimum=2)
    generator = as_rng(rng)
    rows: Rows = []
    for k in tqdm(group_sizes, desc="group sizes"):
        for reading, groupings in _groupings(train.ratings, k, runs, generator):
            rows += _summary(train.ratings, k, reading, groupings)
    table = pd.DataFrame(rows)
    risks = mean_risks(table)
    noise = figure2(train, rng=generator, runs=runs, flip_probabilities=[0.1])
    drawn = noise[noise["reading"] == "drawn noise edges"]["value"].item()
    return pd.concat([table, _statements(risks, drawn)], ignore_index=True)


def mean_risks(table: pd.DataFrame) -> dict[int, float]:
    """Mean SA_R of the MDAV groups by k, smallest k first."""
    rows = table[(table["quantity"] == "mean_risk") & (table["reading"] == "MDAV")]
    return dict(sorted(zip(rows["k"], rows["value"], strict=True)))


def _groupings(
    ratings: sparse.csr_array, k: int, runs: int, rng: np.random.Generator
) -> Iterator[tuple[str, list[np.ndarray]]]:
    yield "MDAV", [mdav(as_biadjacency(ratings), k, leftover="group")]
    yield "degree", [degree_groups(ratings, k)]
    yield "random", [random_groups(ratings, k, rng=child) for child in rng.spawn(runs)]


def _summary(ratings: sparse.csr_array, k: int, reading: str, groupings: list[np.ndarray]) -> Rows:
    """Mean and spread of each quantity over the groupings."""
    measured = pd.DataFrame([_measure(ratings, labels) for labels in groupings])
    rows = []
    for quantity, values in measured.items():
        sd = float(values.std(ddof=1)) if len(values) > 1 else 0.0
        row = {"quantity": quantity, "k": int(k), "reading": reading, "value": values.mean()}
        rows.append(row | {"se": sd / np.sqrt(len(values)), "sd": sd})
    return rows


def _measure(ratings: sparse.csr_array, labels: np.ndarray) -> dict[str, float]:
    published = pool_groups(ratings, labels)
    true, all_edges = np.diff(ratings.indptr), np.diff(published.indptr)
    return {
        "noise_edges": float(published.nnz - ratings.nnz),
        "published_edges": float(published.nnz),
        "mean_risk": float((true / all_edges).mean()),  # g of Definition 11: the edges added
        "imprecision": sensitive_attribute_imprecision(ratings, published),
        "k_achieved": float(k_achieved(published)),
    }


def _statements(risks: dict[int, float], drawn: float) -> pd.DataFrame:
    sizes, values = list(risks), np.array(list(risks.values()))
    listed = ", ".join(f"{k}: {value:.4f}" for k, value in risks.items())
    equal = round(risks[4], 2) == round(drawn, 2)
    rows = [
        {
            "quantity": "p=0.1 equals k=4",
            "k": 4,
            "reading": "",
            "value": float(equal),
            "witness": f"mean SA_R {risks[4]:.4f} at k = 4, {drawn:.4f} at p = 0.1",
        },
        {
            "quantity": "risk falls with k",
            "k": sizes[-1],
            "reading": "",
            "value": float((np.diff(values) < 0).all()),
            "witness": f"mean SA_R by k: {listed}",
        },
    ]
    return pd.DataFrame(rows)


# Sentences of Sections 4 and 5.


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
    constant = WeightedNoiseGraph(0.1, paper.TOP_RATING, noise_weights=[CONSTANT])
    drawn = WeightedNoiseGraph(0.1, paper.TOP_RATING)
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
    noise = WeightedNoiseGraph(high, paper.TOP_RATING).draw_noise(train.ratings, rng=rng)
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
    mechanism = WeightedNoiseGraph(STRONG, paper.TOP_RATING)
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


# What a repair of the weighted mechanism costs on ratings, at equal privacy of an edge.


MECHANISMS = ("weighted", "categorical", "two-stage")


def repair(
    train: Dataset,
    test: Dataset,
    *,
    rng: int | np.random.Generator | None = None,
    runs: int = 5,
    flip_probabilities: Sequence[float] = paper.FLIP_PROBABILITIES,
) -> pd.DataFrame:
    """Price of the two repairs beside the paper's mechanism, at odds ``(1-p)/p`` for an edge.

    The two-stage response spends half of epsilon on the rating: its second stage has the square
    root of the odds. The paper's mechanism has no finite level; it is run at the same p.

    Parameters
    ----------
    train, test : Dataset
        Ratings from 1 to 5, to be published and to be predicted from what was published.
    rng : int, Generator or None
        Seed or generator; each run has a child of its own.
    runs : int, default 5
        Releases drawn for each p and mechanism, at least 2.
    flip_probabilities : sequence of float
        The p of the paper.

    Returns
    -------
    DataFrame
        Columns p, mechanism ("weighted", "categorical", "two-stage"), epsilon (its exact level,
        maybe infinity), quantity, value (mean over runs), se and sd. The quantities:
        published_records, lost_sparsity (share of the empty cells that become records),
        imprecision (SA_I, on the scale of the ratings), mean_risk (SA_R over users, g being the
        cells whose value changed), kept_exactly (share of the true records that are published
        with their rating) and rating_error (mean absolute error, in stars, of test ratings
        predicted from the release).

    References
    ----------
    Salas and Torra 2020, Section 4.2 and Definitions 11 and 13, doi 10.5220/0009833804150422.
    """
    check_integer("runs", runs, minimum=2)
    held_out = align(test, train, missing="drop").ratings
    rows = []
    for p in flip_probabilities:
        for name, mechanism in _mechanisms(p):
            children = tqdm(as_rng(rng).spawn(runs), desc=f"{name}, p = {p}")
            draws = pd.DataFrame(
                [
                    _measures(train.ratings, mechanism.sample(train.ratings, rng=child), held_out)
                    for child in children
                ]
            )
            head = {"p": p, "mechanism": name, "epsilon": mechanism.epsilon}
            for quantity in draws.columns:
                rows.append(head | {"quantity": quantity} | mean_of_runs(draws[quantity]))
    return pd.DataFrame(rows)


def _mechanisms(p: float) -> Iterator[tuple[str, Any]]:
    """The three mechanisms at the odds of p, read as the decimal that is printed."""
    flip = Fraction(str(p))
    odds = (1 - flip) / flip
    half = Fraction(math.sqrt(odds))
    made = (
        WeightedNoiseGraph(p, paper.TOP_RATING),
        CategoricalResponse(levels=paper.TOP_RATING, odds=odds),
        TwoStageResponse.within(levels=paper.TOP_RATING, odds=odds, rating_odds=half),
    )
    yield from zip(MECHANISMS, made, strict=True)


def _measures(
    ratings: sparse.csr_array, published: sparse.csr_array, held_out: sparse.csr_array
) -> dict[str, float]:
    _, before, after = paired_values(ratings, published, absent=np.nan)
    invented = np.isnan(before).sum()
    empty = ratings.shape[0] * ratings.shape[1] - ratings.nnz
    return {
        "published_records": float(published.nnz),
        "lost_sparsity": float(invented / empty),
        "imprecision": sensitive_attribute_imprecision(ratings, published),
        "mean_risk": float(np.nanmean(sensitive_attribute_risk(ratings, published))),
        "kept_exactly": float((before == after).sum() / ratings.nnz),
        "rating_error": mean_absolute_error(published, held_out),
    }
