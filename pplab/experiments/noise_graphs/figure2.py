"""Figure 2: sensitive attribute risk of the users of MovieLens-100K under weighted noise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from scipy import sparse
from tqdm.auto import tqdm

from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.experiments.noise_graphs import paper
from pplab.experiments.runs import mean_of_runs
from pplab.graphs import paired_values
from pplab.metrics.risk import sensitive_attribute_risk
from pplab.response.ratings import WeightedNoiseGraph

__all__ = ["figure2", "risk_distribution"]

TOP_RATING = 5
READINGS = ("new edges", "drawn noise edges", "changed values")


def figure2(
    train: Dataset,
    *,
    rng: int | np.random.Generator | None = None,
    runs: int = 20,
    flip_probabilities: Sequence[float] = paper.FLIP_PROBABILITIES,
) -> pd.DataFrame:
    """Mean SA_R over users, by flip probability, under three readings of the noise graph g.

    Parameters
    ----------
    train : Dataset
        Ratings from 1 to 5.
    rng : int, Generator or None
        Seed or generator; each run has a child of its own.
    runs : int, default 20
        Releases drawn for each flip probability, at least 2.
    flip_probabilities : sequence of float
        The p of the figure.

    Returns
    -------
    DataFrame
        Columns p, quantity ("mean_risk"), reading, value (mean over runs), se (of that mean) and
        sd (of one run, as the paper printed).
    """
    check_integer("runs", runs, minimum=2)
    rows = []
    for p in flip_probabilities:
        means = [
            {reading: np.nanmean(risk) for reading, risk in _risks(train.ratings, *release)}
            for release in _releases(train.ratings, p, runs, rng)
        ]
        for reading in READINGS:
            row = {"p": p, "quantity": "mean_risk", "reading": reading}
            rows.append(row | mean_of_runs([run[reading] for run in means]))
    return pd.DataFrame(rows)


def risk_distribution(
    train: Dataset,
    *,
    rng: int | np.random.Generator | None = None,
    flip_probabilities: Sequence[float] = paper.FLIP_PROBABILITIES,
) -> pd.DataFrame:
    """Cumulative distribution of SA_R over users, from one release for each flip probability.

    Parameters
    ----------
    train : Dataset
        Ratings from 1 to 5.
    rng : int, Generator or None
        Seed or generator.
    flip_probabilities : sequence of float
        The p of the figure.

    Returns
    -------
    DataFrame
        Columns p, share (of users, 0 to 1 in steps of 1 %) and value (the risk that this share of
        users does not exceed), with the drawn noise edges as g.
    """
    shares = np.linspace(0, 1, 101)
    rows = []
    for p in flip_probabilities:
        (release,) = _releases(train.ratings, p, 1, rng, quiet=True)
        risk = dict(_risks(train.ratings, *release))["drawn noise edges"]
        values = np.nanquantile(risk, shares)
        rows.append(pd.DataFrame({"p": p, "share": shares.round(2), "value": values}))
    return pd.concat(rows, ignore_index=True)


def _releases(
    ratings: sparse.csr_array,
    p: float,
    runs: int,
    rng: int | np.random.Generator | None,
    *,
    quiet: bool = False,
) -> Iterator[tuple[sparse.csr_array, sparse.csr_array]]:
    """Published ratings and the noise graph behind them; run r draws from child r of the seed."""
    mechanism = WeightedNoiseGraph(p, TOP_RATING)
    for child in tqdm(as_rng(rng).spawn(runs), desc=f"releases at p = {p}", disable=quiet):
        noise = mechanism.draw_noise(ratings, rng=child)
        yield mechanism.add(ratings, noise), noise


def _risks(
    ratings: sparse.csr_array, published: sparse.csr_array, noise: sparse.csr_array
) -> Iterator[tuple[str, np.ndarray]]:
    keys, before, _ = paired_values(ratings, published, absent=np.nan)
    new = np.bincount(keys[np.isnan(before)] // ratings.shape[1], minlength=ratings.shape[0])
    true = np.diff(ratings.indptr)
    yield "new edges", true / (true + new)
    yield "drawn noise edges", sensitive_attribute_risk(ratings, published, noise=noise)
    yield "changed values", sensitive_attribute_risk(ratings, published)
