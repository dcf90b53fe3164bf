"""Stand-ins for social networks with preferences: Last.fm and Flixster in full size.

One model for all: people live in circles and communities (`planted`), and like what is popular,
what their community and what their circle likes (`tastes`). Sizes are exact; degrees, components,
modularity and what friends have in common are held to catalog.toml. Nobody's friendships or
preferences are in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd

from pplab.datasets.catalog import entry
from pplab.datasets.dataset import Dataset, csr_of_cells
from pplab.datasets.margins import degrees_from_quantiles
from pplab.datasets.planted import Circles, lognormal_counts, planted_links, settle
from pplab.datasets.social_tables import friendships
from pplab.datasets.tastes import Taste, draw_preferences

__all__ = ["make_flixster", "make_lastfm"]

_SEED = 2014  # the year of the paper; any other would do


@dataclass(frozen=True)
class _Recipe:
    """What was found by hand, so that the results lie near the summaries of the real data."""

    community_sizes: tuple[int, int, float]  # how many, standard deviation, largest share
    circle_size: float
    mix: tuple[float, float]
    taste: Taste


_LASTFM = _Recipe((16, 164, 0.285), 22, (0.58, 0.12), Taste(0.95, 0.0, shelf=18, spread=0.8))
_FLIXSTER = _Recipe((46, 6399, 0.183), 30, (0.4, 0.35), Taste(0.5, 0.2, shelf=60, spread=0.8))
_ACTIVE = 0.5  # correlation of the normal scores of degree and number of preferences: a guess
# Ratings of 2 and more, in steps of a half: a round shape, the real one is not known here.
_STARS = np.array([2, 2.5, 3, 3.5, 4, 4.5, 5])
_STAR_SHARES = np.array([0.06, 0.07, 0.17, 0.17, 0.21, 0.13, 0.19])


@lru_cache(maxsize=1)
def make_lastfm(name: str, _split: str | None) -> Dataset:
    """Make the stand-in of Last.fm, always the same one."""
    known, rng = entry(name), np.random.default_rng(_SEED)
    facts, measured = known.statistics, known.measured
    users, links, pairs = (facts[word] for word in ("users", "social_edges", "listening_counts"))
    circles = _circles(_LASTFM, users, measured["components"][1:], rng)
    degrees = degrees_from_quantiles(measured["degrees"], count=users, total=2 * links)
    popularity = _popularity(
        measured["item_degrees"], measured["item_tops"], facts["items"], total=pairs
    )
    counts = _mostly(measured["most_counts"], measured["fewer_counts"], users, pairs)
    who = _settled(circles, degrees, rng)
    friends = planted_links(circles, degrees[who], links=links, mix=_LASTFM.mix, rng=rng)
    likes = draw_preferences(
        circles, rng.permutation(counts), rng.permutation(popularity), taste=_LASTFM.taste, rng=rng
    )
    heard = _listening(
        likes[0], users, measured["listening"], pairs - facts["preference_edges"], rng
    )
    return _dataset(name, friends, likes, heard, (users, facts["items"]), rng)


@lru_cache(maxsize=1)
def make_flixster(name: str, _split: str | None) -> Dataset:
    """Make the stand-in of Flixster in its full size, always the same one."""
    facts, rng = entry(name).statistics, np.random.default_rng(_SEED)
    users, links, pairs = (facts[word] for word in ("users", "social_edges", "preference_edges"))
    items = facts["items"]
    circles = _circles(_FLIXSTER, users, [], rng)
    degrees = lognormal_counts(
        users, total=2 * links, deviation=facts["degree_std"], least=1, most=users // 20
    )
    counts = lognormal_counts(
        users, total=pairs, deviation=facts["preference_std"], least=1, most=items // 2
    )
    popularity = lognormal_counts(items, total=pairs, deviation=550, least=1, most=users // 4)
    who = _settled(circles, degrees, rng)
    active = _ACTIVE * _scores(who) + np.sqrt(1 - _ACTIVE**2) * rng.standard_normal(users)
    friends = planted_links(circles, degrees[who], links=links, mix=_FLIXSTER.mix, rng=rng)
    likes = draw_preferences(
        circles, counts[_ranks(active)], rng.permutation(popularity), taste=_FLIXSTER.taste, rng=rng
    )
    stars = rng.choice(_STARS, len(likes[0]), p=_STAR_SHARES)
    return _dataset(name, friends, likes, stars, (users, items), rng)


def _circles(recipe: _Recipe, users: int, alone: list[int], rng: np.random.Generator) -> Circles:
    count, deviation, largest = recipe.community_sizes
    main = users - sum(alone)
    most = round(largest * users)
    sizes = lognormal_counts(count, total=main, deviation=deviation, least=3, most=most)
    return settle(rng.permutation(sizes), alone=alone, circle_size=recipe.circle_size, rng=rng)


def _settled(circles: Circles, degrees: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Which of the ascending degrees everybody gets: the least apart from the main component."""
    apart = len(degrees) - circles.main
    who = np.concatenate([apart + rng.permutation(circles.main), np.arange(apart)])
    return who[np.lexsort((-who, circles.circle))]  # descending within each circle


def _mostly(most: int, fewer: int, users: int, total: int) -> np.ndarray:
    """Numbers that are `most`, but for `fewer` of them, spread evenly below, with this sum."""
    rest = total - most * (users - fewer)
    below = np.linspace(1, 2 * rest / fewer - 1, fewer).astype(np.int64)
    missing = rest - int(below.sum())  # rounding down took less than one from each
    below[fewer - missing :] += 1
    return np.concatenate([below, np.full(users - fewer, most)])


def _popularity(quantiles: list[int], tops: list[int], items: int, *, total: int) -> np.ndarray:
    """Users per item with these 21 quantiles, these numbers at ranks 1, 2, 4, ..., and this sum."""
    ranks = 2 ** np.arange(len(tops))[::-1]
    places = np.concatenate([np.linspace(0, 0.95, 20), 1 - (ranks - 1) / (items - 1)])
    logs = np.log([*quantiles[:-1], *reversed(tops)])
    found = np.rint(np.exp(np.interp(np.linspace(0, 1, items), places, logs))).astype(np.int64)
    missing = total - int(found.sum())  # the quantiles leave a little open: spread it
    shared = np.flatnonzero(found > quantiles[15])[:-1]
    found[shared] += missing // len(shared)
    found[shared[: missing % len(shared)]] += 1
    return found


def _listening(
    rows: np.ndarray, users: int, quantiles: list[int], ones: int, rng: np.random.Generator
) -> np.ndarray:
    """Listening counts: some people listen more, exactly so many counts are 1."""
    loud = 1.377 * rng.standard_normal(users)
    ranks = _ranks(loud[rows] + 0.826 * rng.standard_normal(len(rows)))
    places = ranks / (len(rows) - 1) * (len(quantiles) - 1)
    heard = np.exp(np.interp(places, np.arange(len(quantiles)), np.log(quantiles)))
    return np.where(ranks < ones, 1, np.maximum(np.rint(heard), 2)).astype(np.int64)


def _ranks(values: np.ndarray) -> np.ndarray:
    ranks = np.empty(len(values), dtype=np.int64)
    ranks[np.argsort(values, kind="stable")] = np.arange(len(values))
    return ranks


def _scores(ranks: np.ndarray) -> np.ndarray:
    """Normal scores of ranks."""
    from scipy.special import ndtri

    return np.asarray(ndtri((ranks + 0.5) / len(ranks)))


def _dataset(
    name: str,
    friends: tuple[np.ndarray, np.ndarray],
    likes: tuple[np.ndarray, np.ndarray],
    values: np.ndarray,
    shape: tuple[int, int],
    rng: np.random.Generator,
) -> Dataset:
    """Number people at random, so that numbers tell nothing of circles."""
    users, items = shape
    number = rng.permutation(users)
    first, second = friends
    return Dataset(
        name=name,
        source="standin",
        users=pd.DataFrame(index=pd.RangeIndex(1, users + 1, name="user")),
        items=pd.DataFrame(index=pd.RangeIndex(1, items + 1, name="item")),
        social=friendships(number[first], number[second], users=users),
        preferences=csr_of_cells(number[likes[0]], likes[1], values, shape),
    )
