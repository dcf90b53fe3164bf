"""Notebook 04: nine people, one fake, and what partitions of them cost; sizes for hand and eye."""

from __future__ import annotations

from functools import cache

import numpy as np

__all__ = ["FRIENDS", "best_total", "circle", "errors", "last_year", "similarities"]

FRIENDS = [(0, 1), (1, 2), (1, 3), (2, 3), (2, 4), (3, 5), (4, 5), (5, 6), (6, 7), (7, 8), (6, 8)]
_THEMES = ("cooking", "debt", "football", "history", "insomnia", "jazz", "poker", "yoga")
_LAST_YEAR = ("dj", "dij", "ch", "chi", "fpy", "chy", "py", "py", "fpy", "")
_CHUNK = 10_000  # partitions judged at once


def circle(extra: list[tuple[int, int]], *, users: int = 10) -> np.ndarray:
    """Friendships of the nine people and the pairs that come on top, as a 0/1 array."""
    social = np.zeros((users, users), dtype=int)
    for one, other in [*FRIENDS, *extra]:
        social[one, other] = social[other, one] = 1
    return social


def last_year() -> np.ndarray:
    """Which of the eight podcasts each of the ten accounts liked last year, as a 0/1 array."""
    firsts = [theme[0] for theme in _THEMES]
    return np.array([[int(first in liked) for first in firsts] for liked in _LAST_YEAR])


def similarities(social: np.ndarray) -> np.ndarray:
    """Common neighbours of each two users; 0 of a user with itself."""
    table = social @ social
    np.fill_diagonal(table, 0)
    return table


def errors(
    labels: np.ndarray, *, similar: np.ndarray, likes: np.ndarray, epsilon: float
) -> tuple[np.ndarray, np.ndarray]:
    """Squared bias and noise variance of each partition, as means over users and items.

    Parameters
    ----------
    labels : int array, shape (partitions, users)
    similar, likes : arrays, shapes (users, users) and (users, items)
    epsilon : float
        For one preference.
    """
    same = (labels[:, :, None] == labels[:, None, :]).astype(float)
    mean = same / same.sum(axis=2, keepdims=True)  # times likes: everyone's cluster average
    moved = np.matmul(similar, np.matmul(mean, likes) - likes)
    shares = np.matmul(similar, mean)
    noise = np.einsum("puv,pvv->p", shares**2, mean) / labels.shape[1]
    return (moved**2).mean(axis=(1, 2)), 2 / epsilon**2 * noise


@cache
def best_total(epsilon: float) -> float:
    """Least sum of the two errors on last year's likes, over all partitions of ten accounts."""
    similar, likes, least = similarities(circle([(9, 0)])), last_year(), np.inf
    everything = _partitions(len(likes))
    for first in range(0, len(everything), _CHUNK):
        labels = everything[first : first + _CHUNK]
        parts = errors(labels, similar=similar, likes=likes, epsilon=epsilon)
        least = min(least, float(np.add(*parts).min()))
    return least


def _partitions(users: int) -> np.ndarray:
    """All partitions, each once: a user joins a cluster there is, or opens the next one."""
    rows = np.zeros((1, 0), dtype=np.int64)
    for _ in range(users):
        opened = rows.max(axis=1, initial=-1) + 2  # clusters to choose from
        chosen = np.concatenate([np.arange(count) for count in opened])
        rows = np.column_stack([np.repeat(rows, opened, axis=0), chosen])
    return rows
