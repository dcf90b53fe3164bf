"""A stand-in for the withdrawn Likes data: their size, eight traits, and nobody's Likes.

Users and Likes have a place in a space of tastes. A user of activity d takes the d Likes that come
first in a race in which a Like runs the faster, the more popular it is and the closer to the user's
tastes. Each trait is a noisy reading of the tastes. How much of a trait is in the tastes is the
only thing calibrated: to the accuracies that the paper prints for data without noise. What noise
does to them follows from the strengths of the tastes, which were set before any noise was tried.
"""

from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.random import Generator
from scipy import sparse

from pplab.datasets.catalog import Dataset, degrees_from_quantiles, entry
from pplab.datasets.invented import ids_from_one, numbers_of
from pplab.graphs import Array

_LIKES = numbers_of("likes")
_SEED = 2016  # the year of the paper that describes the real data; any other would do
_BLOCK = 512  # users drawn at a time: the memory does not grow with users x Likes
_SAMPLED = 20  # every such user is asked how much a Like appeals to the crowd

# Standard deviation of a taste's part in the logarithm of a Like's speed: a slow power law, as
# the singular values of such data have.
_STRENGTHS = 0.5 * np.arange(1, 25) ** -0.5
_STEP = 2.0**-8  # of the places: coarse, so that no product of places is ever rounded


@lru_cache(maxsize=1)
def make_likes(name: str, _split: str | None) -> Dataset:
    """Make the stand-in, always the same one: ask for a copy before changing it."""
    sizes = entry(name).statistics["standin"]
    count = (sizes["users"], sizes["items"])
    rng = np.random.default_rng(_SEED)
    activity, popularity = (
        rng.permutation(degrees_from_quantiles(quantiles, count=side, total=sizes["pairs"]))
        for quantiles, side in zip((_LIKES.user_degrees, _LIKES.like_degrees), count, strict=True)
    )
    people, users = _people(count[0], rng)
    likes = _on_grid(rng.standard_normal((count[1], len(_STRENGTHS))) * _STRENGTHS)
    chosen = _race(_on_grid(people), likes, activity, popularity, rng)
    return Dataset(name, "standin", users, ids_from_one(count[1], "item"), biadjacency=chosen)


def _on_grid(places: Array) -> Array:
    """Round to steps: then sums of products are exact, in whatever order BLAS adds them."""
    return (np.rint(places / _STEP) * _STEP).astype(np.float32)


def _race(
    people: Array, likes: Array, activity: Array, popularity: Array, rng: Generator
) -> sparse.csr_array:
    """Each user takes the first Likes of a race of exponential waiting times."""
    # the second term: a Like that is close to the tastes of many starts with a handicap
    crowd, weights = people[::_SAMPLED], activity[::_SAMPLED] / activity[::_SAMPLED].sum()
    appeal = np.einsum("u,ui->i", weights, np.exp(crowd @ likes.T), optimize=False)
    log_speed = np.log(popularity / appeal).astype(np.float32)
    indptr = np.concatenate([[0], np.cumsum(activity)]).astype(np.int32)
    indices = np.empty(indptr[-1], dtype=np.int32)
    for start in range(0, len(people), _BLOCK):
        speed = np.exp(people[start : start + _BLOCK] @ likes.T + log_speed)
        arrival = rng.standard_exponential(speed.shape, dtype=np.float32) / speed
        for user, times in enumerate(arrival, start=start):
            first = np.argpartition(times, activity[user])[: activity[user]]
            indices[indptr[user] : indptr[user + 1]] = np.sort(first)
    ones = np.ones(len(indices), dtype=np.int32)
    return sparse.csr_array((ones, indices, indptr), shape=(len(people), len(likes)))


def _people(count: int, rng: Generator) -> tuple[Array, pd.DataFrame]:
    """Places of the users in the space of tastes, and the traits that go with them."""
    places = rng.standard_normal((count, len(_STRENGTHS)))
    traits: dict[str, Array] = {}
    for taste, (trait, distance) in enumerate(_LIKES.apart.items()):
        one, other, share = _LIKES.share[trait]
        second = rng.random(count) < share
        gathered = places[:, taste] + distance * (second - share)
        places[:, taste] = gathered / np.sqrt(1 + distance**2 * share * (1 - share))
        traits[trait] = np.where(second, other, one)
    for trait, correlation in _LIKES.in_taste.items():
        direction = rng.standard_normal(len(_STRENGTHS)) * _STRENGTHS
        if trait == "age":
            direction = np.eye(len(_STRENGTHS))[len(_LIKES.apart)]
        lean = np.einsum("uk,k->u", places, direction / np.sqrt((direction**2).sum()))
        noise = np.sqrt(1 - correlation**2) * rng.standard_normal(count)
        traits[trait] = correlation * lean + noise
    table = pd.DataFrame(traits, index=pd.RangeIndex(1, count + 1, name="user"))
    ages = np.interp(table["age"].rank(pct=True), np.linspace(0, 1, len(_LIKES.ages)), _LIKES.ages)
    return places, table.assign(age=np.rint(ages).astype(np.int64))
