"""The best guess at which published ratings are noise."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from pplab.graphs import paired_values
from pplab.response.ratings import WeightedNoiseGraph, fuzzy_xor

__all__ = ["noise_weights", "right_guesses"]


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
