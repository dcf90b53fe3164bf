"""Made friendships: people in circles, circles in communities, and degrees given beforehand.

People are numbered so that a circle, and a community, is a stretch of neighbouring numbers. First
every component gets a tree, so that it hangs together; then links are drawn between people who
still lack some, most of them within a circle or a community, until the number is exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pplab.datasets.social_tables import distinct

__all__ = ["Circles", "among", "lognormal_counts", "planted_links", "settle", "within"]

_MIXED_ROUNDS = 12  # after these, links that find no room near by go anywhere
_WEIGHTED_ROUNDS = 24  # after these, anybody may get one more


@dataclass(frozen=True)
class Circles:
    """Where people live.

    Parameters
    ----------
    circle, community : int arrays, shape (users,)
        Of each person, ascending.
    main : int
        How many people, the first ones, hang together; communities behind them stand alone.
    """

    circle: np.ndarray
    community: np.ndarray
    main: int

    def bounds(self, level: int) -> tuple[np.ndarray, np.ndarray]:
        """First and last number (the latter not included) of everybody's circle (0),
        community (1) or of all who hang together (2)."""
        if level == 2:
            inside = np.arange(len(self.circle)) < self.main
            return np.zeros(len(inside), dtype=np.int64), np.where(inside, self.main, 0)
        group = (self.circle, self.community)[level]
        ends = np.cumsum(np.bincount(group))
        return np.concatenate([[0], ends])[group], ends[group]


def settle(
    sizes: np.ndarray, *, alone: list[int], circle_size: float, rng: np.random.Generator
) -> Circles:
    """Divide communities of these sizes into circles; `alone` are sizes of small components."""
    circles: list[int] = []
    communities: list[int] = []
    for number, size in enumerate(sizes):
        parts = max(1, round(size / circle_size))
        found = 1 + rng.multinomial(size - parts, rng.dirichlet(np.full(parts, 3.0)))
        circles.extend(found)
        communities.extend([number] * parts)
    circles.extend(alone)
    communities.extend(range(len(sizes), len(sizes) + len(alone)))
    return Circles(
        circle=np.repeat(np.arange(len(circles)), circles),
        community=np.repeat(communities, circles),
        main=int(sizes.sum()),
    )


def lognormal_counts(
    count: int, *, total: int, deviation: float, least: int, most: int
) -> np.ndarray:
    """Give whole numbers, ascending, with this sum and standard deviation, as a lognormal has.

    Examples
    --------
    >>> found = lognormal_counts(16, total=1843, deviation=164, least=3, most=1843)
    >>> int(found.sum()), round(float(found.std()))
    (1843, 164)
    """
    draws = np.random.default_rng(0).standard_normal((200, min(count, 20_000)))
    scores = np.sort(draws, axis=1).mean(axis=0)  # the same in every stand-in
    scores = np.interp(np.linspace(0, 1, count), np.linspace(0, 1, len(scores)), scores)

    def numbers(spread: float) -> np.ndarray:
        low, high = -50.0, 50.0
        for _ in range(40):
            middle = (low + high) / 2
            found = np.clip(np.exp(np.minimum(middle + spread * scores, 50.0)), least, most)
            low, high = (low, middle) if found.sum() > total else (middle, high)
        return np.floor(np.clip(np.exp(low + spread * scores), least, most)).astype(np.int64)

    low, high = 0.0, 8.0
    for _ in range(25):
        middle = (low + high) / 2
        low, high = (low, middle) if numbers(middle).std() > deviation else (middle, high)
    found = numbers(low)
    missing = total - int(found.sum())  # rounding down took less than one from each
    room = np.flatnonzero(found < most)
    found[room[np.linspace(0, len(room) - 1, missing).astype(np.int64)]] += 1
    return np.sort(found)


def planted_links(
    circles: Circles,
    degrees: np.ndarray,
    *,
    links: int,
    mix: tuple[float, float],
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """Draw exactly this many friendships.

    Parameters
    ----------
    circles : Circles
    degrees : int array, shape (users,)
        Friends wanted, descending within each circle; met closely, not exactly.
    links : int
        Friendships in all.
    mix : (float, float)
        Shares of the links looked for in one's circle and in one's community.
    rng : numpy.random.Generator

    Returns
    -------
    (int array, int array)
        Lower and higher number of the two people of each link, sorted.
    """
    users = len(degrees)
    codes = np.sort(_tree(circles, rng))
    bounds = [circles.bounds(level) for level in (0, 1, 2)]
    turn = 0
    while (missing := links - len(codes)) > 0:
        ends = np.concatenate([codes // users, codes % users])
        lacking = np.maximum(degrees - np.bincount(ends, minlength=users), 0).astype(float)
        lacking[circles.main :] = 0  # small components are trees
        if turn >= _WEIGHTED_ROUNDS or not lacking.any():
            lacking[: circles.main] = 1
        shares = mix if turn < _MIXED_ROUNDS else (0.0, 0.0)
        level = np.searchsorted(np.cumsum(shares), rng.random(missing), side="right")
        low, high = _pairs(lacking, bounds, level, rng)
        fresh = distinct(low * np.int64(users) + high)
        fresh = fresh[~among(fresh, codes)]
        both = within(np.concatenate([fresh // users, fresh % users]), lacking, rng)
        fresh = fresh[both[: len(fresh)] & both[len(fresh) :]]
        codes = np.sort(np.concatenate([codes, fresh]), kind="stable")  # two sorted stretches
        turn += 1
    return codes // users, codes % users


def _tree(circles: Circles, rng: np.random.Generator) -> np.ndarray:
    """Links, as codes, that tie everybody to somebody before her in the circle, and on."""
    users = len(circles.circle)
    people = np.arange(users)
    start = circles.bounds(0)[0]
    place = people - start
    # the square prefers those who want many friends, they come first in their circle
    parent = start + (place * rng.random(users) ** 2).astype(np.int64)
    heads = np.flatnonzero(place == 0)
    community = circles.community[heads]
    first = np.searchsorted(community, community)  # among the heads
    place = np.arange(len(heads)) - first
    parent[heads] = heads[first + (place * rng.random(len(heads))).astype(np.int64)]
    tops = heads[(place == 0) & (heads < circles.main)]
    parent[tops] = tops[(np.arange(len(tops)) * rng.random(len(tops))).astype(np.int64)]
    child = people[parent < people]
    return parent[child] * np.int64(users) + child


def _pairs(
    lacking: np.ndarray,
    bounds: list[tuple[np.ndarray, np.ndarray]],
    level: np.ndarray,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """Draw pairs of people by what they lack, the second from around the first."""
    sums = np.concatenate([[0.0], np.cumsum(lacking)])  # whole numbers: exact
    first = np.searchsorted(sums, rng.random(len(level)) * sums[-1], side="right") - 1
    low = np.choose(level, [start[first] for start, _ in bounds])
    high = np.choose(level, [end[first] for _, end in bounds])
    reach = sums[low] + rng.random(len(level)) * (sums[high] - sums[low])
    second = np.minimum(np.searchsorted(sums, reach, side="right") - 1, len(lacking) - 1)
    kept = first != second
    first, second = first[kept], second[kept]
    return np.minimum(first, second), np.maximum(first, second)


def within(ids: np.ndarray, room: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Mark, at random, as many entries of each id as there is room for.

    Examples
    --------
    >>> marked = within(np.array([0, 1, 0, 0]), np.array([2, 0]), np.random.default_rng(1))
    >>> int(marked[[0, 2, 3]].sum()), bool(marked[1])
    (2, False)
    """
    order = rng.permutation(len(ids))
    order = order[np.argsort(ids[order], kind="stable")]
    counts = np.bincount(ids, minlength=len(room))
    rank = np.arange(len(ids)) - np.repeat(np.cumsum(counts) - counts, counts)
    marked = np.empty(len(ids), dtype=bool)
    marked[order] = rank < room[ids[order]]
    return marked


def among(codes: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Which codes are among the known ones, which are sorted."""
    place = np.minimum(np.searchsorted(known, codes), len(known) - 1)
    return np.asarray(known[place] == codes)
