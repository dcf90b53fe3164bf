"""A stand-in for the whole of Jester: 73,421 users, 100 jokes, and nobody's ratings.

Who rates what follows the way the real site worked: everybody starts with the same ten jokes (the
gauge set), goes on through the other early jokes in an order of their own in which some jokes tend
to come first, meets one or two of the thirty late jokes on the way, and reaches the rest of those
only at the end. How high follows a few tastes, a mean and a spread per user and a mean per joke.
Its shape is held to the summaries in catalog.toml.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from scipy import sparse

from pplab.datasets.catalog import entry
from pplab.datasets.dataset import Dataset
from pplab.datasets.jester import ITEMS, PARTS, assemble

__all__ = ["make_jester"]

_SEED = 2001  # the year of the paper that describes the real data; any other would do
_GAUGE = np.array([5, 7, 8, 13, 15, 16, 17, 18, 19, 20]) - 1  # as the owner tells
_LATE = np.arange(70, ITEMS)  # jokes 71 to 100
_LATE_ON_THE_WAY = 2.0  # late jokes that a user meets before the end, on average
_FITTED = 4000  # users on whom the order of the jokes is fitted
_STEPS = 40  # of that fit
# Ratings of the parts: the first is counted, with the others it makes the published 4,136,360.
_TOTALS = {"part-1": 1_810_455, "part-2": 1_708_993, "part-3": 616_912}
_FEW = list(range(15, 36))  # 21 quantiles of part 3, whose users rated 15 to 35 jokes

# Standard deviations on the scale of the ratings, found by hand so that the eigenvalues lie near
# the measured ones. The first taste tells the late jokes from the early ones.
_TASTES = np.array([0.7, 1.43, 0.88, 0.65, 0.55, 0.5, 0.4, 0.45], dtype=np.float32)
_USER_MEAN, _ITEM_MEAN, _NOISE = 2.76, 1.6, 3.65
_SPREAD = 0.38  # of the logarithm of a user's spread
_PICKY = 0.2  # how much better liked jokes come earlier
_PATHS = np.array(
    [6.0, 3.5, 3.0, 2.0], dtype=np.float32
)  # ways through the jokes, beside the tastes
_NEAR_ZERO = 0.022  # what lies nearer to zero is a zero: a hand that lets go in the middle


def make_jester(name: str, split: str | None) -> Dataset:
    """Make the stand-in (None) or one of its three parts, always the same one."""
    return assemble(name, _parts(name), split, source="standin")


@lru_cache(maxsize=1)
def _parts(name: str) -> dict[str, sparse.csr_array]:
    known = entry(name)
    rng = np.random.default_rng(_SEED)
    counts = {part: known.statistics[part.replace("-", "_")]["users"] for part in PARTS}
    degrees = np.concatenate(
        [_degrees(known.measured, part, count, rng) for part, count in counts.items()]
    )
    loadings = rng.standard_normal((ITEMS, len(_TASTES)))
    loadings[:, 0] = np.isin(np.arange(ITEMS), _LATE)
    loadings = _unrelated(loadings).astype(np.float32)
    people = _TASTES * rng.standard_normal((len(degrees), len(_TASTES)), dtype=np.float32)
    # no BLAS: its last digit may depend on the number of threads
    liking = np.einsum("uk,ik->ui", people, loadings, optimize=False)
    quality = _ITEM_MEAN * rng.permutation(_normal_scores(ITEMS))
    present = _presence(liking + quality, degrees, known.measured, rng)
    values = _values(liking, quality, present, known.measured["histogram"], rng)
    indptr = np.concatenate([[0], np.cumsum(degrees)]).astype(np.int32)
    whole = sparse.csr_array(
        (values, np.nonzero(present)[1].astype(np.int32), indptr), shape=present.shape
    )
    ends = np.cumsum([0, *counts.values()])
    return {part: whole[ends[place] : ends[place + 1]] for place, part in enumerate(PARTS)}


def _degrees(
    measured: dict[str, Any], part: str, count: int, rng: np.random.Generator
) -> np.ndarray:
    """Jokes rated by each user of a part, in no order, with exactly the part's sum."""
    quantiles = _FEW if part == "part-3" else measured["user_degrees"]
    places = np.linspace(0, len(quantiles) - 1, count)
    found = np.rint(np.interp(places, np.arange(len(quantiles)), quantiles)).astype(np.int64)
    missing = _TOTALS[part] - int(found.sum())
    step = int(np.sign(missing))
    free = np.flatnonzero((found + step >= quantiles[0]) & (found + step <= quantiles[-1]))
    free = free[found[free] < quantiles[-1]]  # who rated all jokes stays
    found[rng.choice(free, abs(missing), replace=False)] += step
    return rng.permutation(found)


def _presence(
    liking: np.ndarray, degrees: np.ndarray, measured: dict[str, Any], rng: np.random.Generator
) -> np.ndarray:
    """Say who rates what: as many jokes as the degrees, early jokes before late ones."""
    early = np.setdiff1d(np.arange(ITEMS), _LATE)
    met = rng.poisson(_LATE_ON_THE_WAY, len(degrees))
    late_count = np.clip(met, np.maximum(degrees - len(early), 0), len(_LATE))
    ways = _PATHS * rng.standard_normal((len(degrees), len(_PATHS)), dtype=np.float32)
    steps = _unrelated(rng.standard_normal((ITEMS, len(_PATHS)))).astype(np.float32)
    score = np.einsum("uk,ik->ui", ways, steps, optimize=False)
    score += _PICKY * liking + rng.logistic(size=liking.shape).astype(np.float32)
    density = np.interp(
        np.linspace(0, 20, ITEMS), np.arange(21), measured["item_densities"]
    )  # ascending: late jokes, early jokes, gauge set
    order = np.concatenate([_LATE, rng.permutation(np.setdiff1d(early, _GAUGE)), _GAUGE])
    wanted = np.empty(ITEMS)
    wanted[order] = density
    first = slice(0, _FITTED)  # all of part 1, on which the densities were measured
    score[:, early] += _order_of_jokes(
        score[first, early], (degrees - late_count)[first], wanted[early]
    )
    score[:, _GAUGE] += 100.0  # before all others
    present = np.empty(liking.shape, dtype=bool)
    present[:, early] = _foremost(score[:, early], degrees - late_count)
    present[:, _LATE] = _foremost(score[:, _LATE], late_count)
    return present


def _order_of_jokes(score: np.ndarray, counts: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """How much earlier each joke has to come to be rated by the wanted share of users."""
    ahead = np.zeros(len(wanted), dtype=np.float32)
    wanted = np.clip(wanted, 0.01, 0.999)
    for _ in range(_STEPS):
        found = np.clip(_foremost(score + ahead, counts).mean(axis=0), 0.01, 0.999)
        ahead += np.log(wanted / (1 - wanted)) - np.log(found / (1 - found))
    return ahead


def _foremost(score: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Mark the highest scores of each row, as many as its count."""
    falling = np.sort(score, axis=1)[:, ::-1]
    # with a column for a count of zero, at which nothing is high enough
    falling = np.concatenate([np.full((len(score), 1), np.inf, score.dtype), falling], axis=1)
    return score >= falling[np.arange(len(score)), counts][:, None]


def _values(
    liking: np.ndarray,
    quality: np.ndarray,
    present: np.ndarray,
    histogram: list[int],
    rng: np.random.Generator,
) -> np.ndarray:
    """Ratings of the present cells, row after row, with the measured histogram."""
    users = len(liking)
    mean = _USER_MEAN * rng.standard_normal((users, 1), dtype=np.float32)
    spread = np.exp(_SPREAD * rng.standard_normal((users, 1), dtype=np.float32))
    felt = liking + quality.astype(np.float32)
    felt += _NOISE * rng.standard_normal(liking.shape, dtype=np.float32)
    felt *= spread
    felt += mean
    cells = felt[present]
    ranks = np.empty(len(cells))
    ranks[np.argsort(cells, kind="stable")] = (np.arange(len(cells)) + 0.5) / len(cells)
    shares = np.concatenate([[0], np.cumsum(histogram)]) / sum(histogram)
    values = np.interp(ranks, shares, np.linspace(-10, 10, len(shares)))
    return np.where(np.abs(values) < _NEAR_ZERO, 0.0, np.round(values, 2))


def _unrelated(loadings: np.ndarray) -> np.ndarray:
    """Centre the columns and take out of each what the ones before it hold; unit variance.

    A hundred jokes are few: without this the eigenvalues would depend on the luck of the draw.
    """
    columns: list[np.ndarray] = []
    for column in loadings.T:
        rest = column - column.mean()
        for earlier in columns:
            rest = rest - (rest * earlier).mean() * earlier
        columns.append(rest / rest.std())
    return np.stack(columns, axis=1)


def _normal_scores(count: int) -> np.ndarray:
    """Evenly spread values of a standard normal, so that a hundred jokes have its spread."""
    draws = np.sort(np.random.default_rng(0).standard_normal((1000, count)), axis=1).mean(axis=0)
    return draws / draws.std()
