"""Table 5, its left half: sensitive attribute imprecision by flip probability."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from scipy import sparse
from tqdm.auto import tqdm

from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.experiments.noise_graphs import paper
from pplab.experiments.runs import mean_of_runs
from pplab.graphs import paired_values
from pplab.response.ratings import WeightedNoiseGraph, fuzzy_xor

__all__ = ["table5"]

TOP_RATING = 5

# What becomes of a rating x that meets a noise rating y, both on the scale of the ratings.
_COMMON: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "min-max": lambda x, y: fuzzy_xor(x, y, norm="min-max", top=TOP_RATING),
    "product": lambda x, y: fuzzy_xor(x, y, norm="product", top=TOP_RATING),
    "lukasiewicz": lambda x, y: fuzzy_xor(x, y, norm="lukasiewicz", top=TOP_RATING),
    "common edges keep their rating": lambda x, _: x,
    "common edges vanish": lambda x, _: np.zeros_like(x),
}


def table5(
    train: Dataset,
    *,
    rng: int | np.random.Generator | None = None,
    runs: int = 20,
    flip_probabilities: Sequence[float] = paper.FLIP_PROBABILITIES,
) -> pd.DataFrame:
    """Mean SA_I by flip probability, under several readings of the addition and of the scale.

    Parameters
    ----------
    train : Dataset
        Ratings from 1 to 5.
    rng : int, Generator or None
        Seed or generator; each run has a child of its own.
    runs : int, default 20
        Releases drawn for each flip probability, at least 2.
    flip_probabilities : sequence of float
        The p of the table.

    Returns
    -------
    DataFrame
        Columns p, quantity ("imprecision"), reading, value (mean over runs), se (of that mean)
        and sd (of one run, as the paper printed).
    """
    check_integer("runs", runs, minimum=2)
    rows = []
    for p in flip_probabilities:
        children = as_rng(rng).spawn(runs)
        draws = [
            _imprecisions(train.ratings, p, child) for child in tqdm(children, desc=f"p = {p}")
        ]
        for reading in draws[0]:
            row = {"p": p, "quantity": "imprecision", "reading": reading}
            rows.append(row | mean_of_runs([draw[reading] for draw in draws]))
    return pd.DataFrame(rows)


def _imprecisions(
    ratings: sparse.csr_array, p: float, rng: np.random.Generator
) -> dict[str, float]:
    """SA_I of one draw of noise under every reading: they share the noise, only ⊕ differs."""
    noise = WeightedNoiseGraph(p, TOP_RATING).draw_noise(ratings, rng=rng)
    _, x, y = paired_values(ratings, noise, absent=np.nan)
    common = ~np.isnan(x) & ~np.isnan(y)
    invented = y[np.isnan(x)].sum()  # error of an edge that was not there: its whole weight
    errors = {
        name: (invented + np.abs(xor(x[common], y[common]) - x[common]).sum()) / len(x)
        for name, xor in _COMMON.items()
    }
    scaled = {"min-max, weights in [0, 1]": errors["min-max"] / TOP_RATING}
    return scaled | {f"{name}, weights 1 to 5": error for name, error in errors.items()}
