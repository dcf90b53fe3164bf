"""Made preferences: who likes what, with popular items, tastes of communities and of circles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pplab.datasets.planted import Circles, among, within
from pplab.datasets.social_tables import distinct

__all__ = ["Taste", "draw_preferences"]

_SHELF_ROUNDS = 6  # after these nobody looks at the shelf again
_TASTE_ROUNDS = 10  # after these, items are taken by popularity alone
_WEIGHTED_ROUNDS = 14  # after these, any item does


@dataclass(frozen=True)
class Taste:
    """How much people have in common.

    Parameters
    ----------
    from_circle, from_community : float
        Shares of the preferences taken from the shelf of one's circle, and from what one's
        community likes; the others follow overall popularity.
    shelf : int
        Items that a circle has in common.
    spread : float
        How far a community's taste strays from overall popularity: standard deviation of the
        logarithm.
    """

    from_circle: float
    from_community: float
    shelf: int
    spread: float


def draw_preferences(
    circles: Circles,
    counts: np.ndarray,
    popularity: np.ndarray,
    *,
    taste: Taste,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """Draw who likes what: exact numbers per user, items about as popular as wanted.

    Parameters
    ----------
    circles : Circles
    counts : int array, shape (users,)
        Preferences of each user, at most as many as there are items.
    popularity : int array, shape (items,)
        Users wanted for each item, 1 or more; its sum is that of `counts`.
    taste : Taste
    rng : numpy.random.Generator

    Returns
    -------
    (int array, int array)
        User and item of each preference, sorted.
    """
    items = len(popularity)
    slots = np.repeat(np.arange(len(counts)), counts)
    owner = slots[rng.choice(len(slots), items, replace=False)]  # everything has somebody
    codes = np.sort(owner * np.int64(items) + np.arange(items))
    likings = _likings(circles, items, taste.spread, rng)
    lacking = counts - np.bincount(owner, minlength=len(counts))
    left = popularity - 1.0
    turn = 0
    while len(codes) < len(slots):
        if turn >= _WEIGHTED_ROUNDS or not left.any():
            left = np.full(items, float(lacking.sum()))
        users = np.repeat(np.arange(len(counts)), lacking)
        found = _wishes(circles, users, left, likings, taste, turn, rng)
        fresh = distinct(users * np.int64(items) + found)
        fresh = fresh[~among(fresh, codes)]
        fresh = fresh[within(fresh % items, left, rng)]
        lacking -= np.bincount(fresh // items, minlength=len(counts))
        left -= np.bincount(fresh % items, minlength=items)
        codes = np.sort(np.concatenate([codes, fresh]), kind="stable")  # two sorted stretches
        turn += 1
    return codes // items, codes % items


def _wishes(
    circles: Circles,
    users: np.ndarray,
    left: np.ndarray,
    likings: np.ndarray,
    taste: Taste,
    turn: int,
    rng: np.random.Generator,
) -> np.ndarray:
    """Draw one item for each entry of `users`, from where she looks in this turn."""
    kind = _kinds(taste, turn, len(users), rng)
    found = np.empty(len(users), dtype=np.int64)
    shelf, near, wide = (np.flatnonzero(kind == number) for number in range(3))
    if len(shelf):  # a new shelf each turn, of what is left: the old one is used up
        shelves = _shelves(circles, left, likings, taste.shelf, rng)
        place = (taste.shelf * rng.random(len(shelf)) ** 2).astype(np.int64)
        found[shelf] = shelves[circles.circle[users[shelf]], place]
    found[near] = _by_community(left, likings, circles.community[users[near]], rng)
    found[wide] = _by_weight(left, rng.random(len(wide)))
    return found


def _likings(circles: Circles, items: int, spread: float, rng: np.random.Generator) -> np.ndarray:
    """How much more or less each community likes each item than people do on the whole."""
    people = np.bincount(circles.community)
    liking = np.exp(spread * rng.standard_normal((len(people), items), dtype=np.float32))
    # on the whole as popular as wanted; einsum, as BLAS may sum otherwise with more threads
    return liking * (len(circles.community) / np.einsum("c,ci->i", people, liking))


def _shelves(
    circles: Circles,
    weights: np.ndarray,
    likings: np.ndarray,
    size: int,
    rng: np.random.Generator,
) -> np.ndarray:
    """The items of each circle, taken from what its community likes."""
    community = circles.community[
        np.searchsorted(circles.circle, np.arange(circles.circle[-1] + 1))
    ]
    return _by_community(weights, likings, np.repeat(community, size), rng).reshape(-1, size)


def _kinds(taste: Taste, turn: int, count: int, rng: np.random.Generator) -> np.ndarray:
    """Where each preference is looked for: 0 the shelf, 1 the community, 2 anywhere."""
    near = taste.from_circle if turn < _SHELF_ROUNDS else 0.0
    wide = taste.from_community + taste.from_circle - near if turn < _TASTE_ROUNDS else 0.0
    return np.searchsorted(np.cumsum([near, wide]), rng.random(count), side="right")


def _by_community(
    weights: np.ndarray, likings: np.ndarray, community: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Draw one item for each entry of `community`, by popularity times liking."""
    uniform = rng.random(len(community))
    order = np.argsort(community, kind="stable")
    ends = np.searchsorted(community[order], np.arange(len(likings) + 1))
    found = np.empty(len(community), dtype=np.int64)
    for number, liking in enumerate(likings):
        mine = order[ends[number] : ends[number + 1]]
        if len(mine):
            found[mine] = _by_weight(weights * liking, uniform[mine])
    return found


def _by_weight(weights: np.ndarray, uniform: np.ndarray) -> np.ndarray:
    sums = np.cumsum(weights)
    found = np.searchsorted(sums, uniform * sums[-1], side="right")
    return np.minimum(found, len(weights) - 1)
