"""A stand-in for the withdrawn Likes data: their size, eight traits, and nobody's Likes.

Users and Likes have a place in a space of tastes. A user of activity d takes the d Likes that come
first in a race in which a Like runs the faster, the more popular it is and the closer to the user's
tastes. Each trait is a noisy reading of the tastes. How much of a trait is in the tastes is the
only thing calibrated: to the accuracies that the paper prints for data without noise. What noise
does to them follows from the strengths of the tastes, which were set before any noise was tried.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pandas as pd
from scipy import sparse

from pplab.datasets.catalog import Dataset, degrees_from_quantiles, entry

_SEED = 2016  # the year of the paper that describes the real data; any other would do
_BLOCK = 512  # users drawn at a time: the memory does not grow with users x Likes
_SAMPLED = 20  # every such user is asked how much a Like appeals to the crowd

# 21 quantiles from smallest to largest: at least 50 Likes for each user and 150 users for each
# Like (the race is kinder to the least popular Likes than their share, never below it by much).
_USER_DEGREES = [
    *(50, 54, 58, 63, 69, 75, 82, 90, 99, 109, 121),
    *(135, 151, 171, 195, 226, 268, 327, 420, 610, 3000),
]
_LIKE_DEGREES = [
    *(220, 224, 229, 234, 240, 247, 254, 262, 271, 281, 292),
    *(305, 321, 341, 366, 398, 440, 502, 600, 820, 7000),
]

# Standard deviation of a taste's part in the logarithm of a Like's speed: a slow power law, as
# the singular values of such data have.
_STRENGTHS = 0.5 * np.arange(1, 25) ** -0.5
_STEP = 2.0**-8  # of the places: coarse, so that no product of places is ever rounded

# Demographics are tastes of their own, the three strongest; for gender and politics these gather
# around two points, so far apart (in standard deviations of one gathering). Personality is spread
# over all tastes: each trait correlates that much with a direction among them. Calibrated.
_APART = {"gender": 2.5, "political": 2.0}
_IN_TASTE = {
    "age": 0.93,
    "openness": 0.61,
    "conscientiousness": 0.36,
    "extroversion": 0.425,
    "agreeableness": 0.29,
    "neuroticism": 0.43,
}
_SHARE = {"gender": ("F", "M", 0.4), "political": ("conservative", "liberal", 0.6)}
_AGES = [18, 19, 20, 21, 22, 23, 25, 28, 32, 40, 70]  # 11 quantiles


@lru_cache(maxsize=1)
def make_likes(name: str) -> Dataset:
    """Make the stand-in, always the same one: ask for a copy before changing it."""
    sizes = entry(name).statistics["standin"]
    count = (sizes["users"], sizes["items"])
    rng = np.random.default_rng(_SEED)
    activity, popularity = (
        rng.permutation(degrees_from_quantiles(quantiles, count=side, total=sizes["pairs"]))
        for quantiles, side in zip((_USER_DEGREES, _LIKE_DEGREES), count, strict=True)
    )
    people, users = _people(count[0], rng)
    likes = _on_grid(rng.standard_normal((count[1], len(_STRENGTHS))) * _STRENGTHS)
    return Dataset(
        name=name,
        source="standin",
        users=users,
        items=pd.DataFrame(index=pd.RangeIndex(1, count[1] + 1, name="item")),
        biadjacency=_race(_on_grid(people), likes, activity, popularity, rng),
    )


def _on_grid(places: np.ndarray) -> np.ndarray:
    """Round to steps: then sums of products are exact, in whatever order BLAS adds them."""
    return (np.rint(places / _STEP) * _STEP).astype(np.float32)


def _race(
    people: np.ndarray,
    likes: np.ndarray,
    activity: np.ndarray,
    popularity: np.ndarray,
    rng: np.random.Generator,
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


def _people(count: int, rng: np.random.Generator) -> tuple[np.ndarray, pd.DataFrame]:
    """Places of the users in the space of tastes, and the traits that go with them."""
    places = rng.standard_normal((count, len(_STRENGTHS)))
    traits: dict[str, np.ndarray] = {}
    for taste, (trait, apart) in enumerate(_APART.items()):
        one, other, share = _SHARE[trait]
        second = rng.random(count) < share
        gathered = places[:, taste] + apart * (second - share)
        places[:, taste] = gathered / np.sqrt(1 + apart**2 * share * (1 - share))
        traits[trait] = np.where(second, other, one)
    for trait, correlation in _IN_TASTE.items():
        direction = rng.standard_normal(len(_STRENGTHS)) * _STRENGTHS
        if trait == "age":
            direction = np.eye(len(_STRENGTHS))[len(_APART)]
        lean = np.einsum("uk,k->u", places, direction / np.sqrt((direction**2).sum()))
        noise = np.sqrt(1 - correlation**2) * rng.standard_normal(count)
        traits[trait] = correlation * lean + noise
    table = pd.DataFrame(traits, index=pd.RangeIndex(1, count + 1, name="user"))
    ages = np.interp(table["age"].rank(pct=True), np.linspace(0, 1, len(_AGES)), _AGES)
    return places, table.assign(age=np.rint(ages).astype(np.int64))
