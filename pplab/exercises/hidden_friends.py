"""Graphs on which a student's sensitivity is tried, and what its mistakes look like."""

from __future__ import annotations

from typing import Any

import numpy as np

from pplab.exercises.answers import call, number
from pplab.exercises.ten_accounts import circle, similarities

__all__ = ["GRAPHS", "not_sensitivity"]


def _random(users: int, share: float, seed: int) -> np.ndarray:
    upper = np.triu(np.random.default_rng(seed).random((users, users)) < share, 1)
    return (upper | upper.T).astype(int)


# without friends; a star of five; all know all; a ring; sparse and dense; the ten accounts
GRAPHS = [
    np.zeros((4, 4), dtype=int),
    np.array([[int((row == 0) != (column == 0)) for column in range(6)] for row in range(6)]),
    1 - np.eye(5, dtype=int),
    np.roll(np.eye(7, dtype=int), 1, axis=1) + np.roll(np.eye(7, dtype=int), -1, axis=1),
    _random(9, 0.25, 4),
    _random(8, 0.6, 5),
    circle([(9, 0)]),
]


def not_sensitivity(answer: Any) -> str | None:
    """Try a function of a graph; "" when it gives the largest column sum on every one."""
    given = [number(call(answer, social.copy())) for social in GRAPHS]
    if _same(given, [similarities(social).sum(axis=0).max() for social in GRAPHS]):
        return ""
    if _same(given, [similarities(social).max() for social in GRAPHS]):
        return "That is the largest similarity. One edge moves everyone who is similar: add up."
    if _same(given, [(social @ social).sum(axis=0).max() for social in GRAPHS]):
        return "The diagonal is still in: here a user is not similar to itself."
    if _same(given, [similarities(social).sum() for social in GRAPHS]):
        return "That adds all of S; one preference belongs to one user, so to one column."
    if _same(given, [social.sum(axis=0).max() for social in GRAPHS]):
        return "That is the largest number of friends; who is moved are the friends' friends."
    if _same(given, [np.linalg.norm(similarities(social), axis=0).max() for social in GRAPHS]):
        return "That is the root of a sum of squares; Laplace noise needs the sum of the changes."
    return None


def _same(given: list[float], wanted: list[Any]) -> bool:
    return bool(np.allclose(given, np.array(wanted, dtype=float)))
