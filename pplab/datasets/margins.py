"""Draw who rates what, with the number of ratings of every user and every item given.

First the odds of each cell are fitted so that the expected margins are right (iterative scaling
of a logistic model), then each user takes the cells that come out highest, and at last single
ratings are swapped between items until the items' margins are exact as well.
"""

from __future__ import annotations

import numpy as np

__all__ = ["degrees_from_quantiles", "draw_presence"]

_SWEEPS = 12  # of the iterative scaling; the margins are within a few per cent after that


def degrees_from_quantiles(quantiles: list[int], *, count: int, total: int) -> np.ndarray:
    """Give `count` whole numbers, ascending, with these quantiles and exactly this sum.

    Between two quantiles the logarithm runs straight; between the last two, where a few very
    active users or popular films sit, it bends as far as the sum demands.
    """
    places = np.linspace(0, len(quantiles) - 1, count)
    tail = places > len(quantiles) - 2

    def numbers(bend: float) -> np.ndarray:
        bent = places.copy()
        bent[tail] = len(quantiles) - 2 + (places[tail] - (len(quantiles) - 2)) ** bend
        logs = np.interp(bent, np.arange(len(quantiles)), np.log(quantiles))
        return np.rint(np.exp(logs)).astype(np.int64)

    low, high = 0.01, 100.0  # the sum falls as the bend grows
    for _ in range(60):
        middle = (low * high) ** 0.5
        low, high = (middle, high) if numbers(middle).sum() > total else (low, middle)
    found = numbers(high)
    missing = total - int(found.sum())  # a few, because of rounding
    if not 0 <= missing < count // 10:
        raise ValueError(f"no {count} numbers with these quantiles add up to {total}")
    found[count - 1 - missing : count - 1] += 1
    return np.sort(found)


def draw_presence(
    affinity: np.ndarray,
    *,
    row_degrees: np.ndarray,
    column_degrees: np.ndarray,
    rng: np.random.Generator,
) -> np.ndarray:
    """Draw a 0/1 matrix with exact margins in which a cell's log odds follow its affinity.

    Parameters
    ----------
    affinity : float array, shape (n, m)
        The part of each cell's log odds that is not explained by its row and its column.
    row_degrees, column_degrees : int arrays of length n and m
        Ones wanted per row and column; both add up to the same number.
    rng : numpy.random.Generator

    Returns
    -------
    bool array, shape (n, m)
    """
    score = _fit_log_odds(affinity.astype(np.float32), row_degrees, column_degrees)
    uniform = rng.random(score.shape, dtype=np.float32)
    uniform = np.clip(uniform, 1e-7, 1 - 1e-7)
    score += np.log(uniform / (1 - uniform))  # logistic noise: above 0 with the fitted probability
    order = np.argsort(-score, axis=1, kind="stable")
    present = np.zeros(score.shape, dtype=bool)
    for row, degree in enumerate(row_degrees):
        present[row, order[row, :degree]] = True
    return _swap_to_margins(present.T.copy(), score.T.copy(), column_degrees, rng).T


def _fit_log_odds(affinity: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Add a number per row and per column until the expected margins fit."""
    odds = np.exp(affinity)
    row_factor = np.ones(len(rows), dtype=np.float32)
    column_factor = (columns / rows.sum()).astype(np.float32)
    for _ in range(_SWEEPS):
        scaled = odds * column_factor
        row_factor *= rows / (
            row_factor[:, None] * scaled / (1 + row_factor[:, None] * scaled)
        ).sum(1)
        scaled = odds * row_factor[:, None]
        column_factor *= columns / (column_factor * scaled / (1 + column_factor * scaled)).sum(0)
    return affinity + np.log(row_factor)[:, None] + np.log(column_factor)


def _swap_to_margins(
    present: np.ndarray, score: np.ndarray, degrees: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Move ratings between items (here the rows), always within one user, to exact degrees."""
    while (surplus := present.sum(axis=1) - degrees).any():
        givers = rng.permutation(np.repeat(np.arange(len(degrees)), np.maximum(surplus, 0)))
        takers = rng.permutation(np.repeat(np.arange(len(degrees)), np.maximum(-surplus, 0)))
        for giver, taker in zip(givers, takers, strict=True):
            if not _swap(present, score, giver, taker):  # all who have one have the other:
                _swap(
                    present, score, giver, int(rng.integers(len(degrees)))
                )  # go by way of a third
    return present


def _swap(present: np.ndarray, score: np.ndarray, giver: int, taker: int) -> bool:
    """Let the user to whom it matters least rate `taker` in place of `giver`; say if one could."""
    loss = score[giver] - score[taker]
    loss[~present[giver] | present[taker]] = np.inf
    user = int(np.argmin(loss))
    if not np.isfinite(loss[user]):
        return False
    present[giver, user], present[taker, user] = False, True
    return True
