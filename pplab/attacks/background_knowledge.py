"""An attacker who knows a few ratings of a person looks for the row that fits them best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from pplab.attacks.attacker import Attacker
from pplab.checks import (
    as_rng,
    check_alpha,
    check_choice,
    check_full,
    check_integer,
    check_known_counts,
    check_not_negative,
    check_rating_range,
    check_same_shape,
    check_some_rated,
)
from pplab.graphs import GraphLike
from pplab.metrics.intervals import mean_interval
from pplab.tables import as_table

__all__ = ["Reidentification", "reidentification_curve", "reidentify"]


@dataclass(frozen=True)
class Reidentification:
    """What an attacker with some known ratings reaches, per attacked user, means over the draws.

    Attributes
    ----------
    users : int array, shape (attacked,)
        Row numbers of the attacked users.
    success, wrong, abstained : float arrays
        Probabilities that the attacker names the right row, another one, or none; they add up
        to 1. Among t rows that fit equally well one is named at random.
    candidates : float array
        Rows that fit best, equal rows counted one by one.
    error : float array
        Mean absolute error on the user's other ratings when the best rows (their mean, where
        several tie) are taken as prediction, whether or not one is named; NaN without others.
    item_error : float array
        The same for an attacker who takes the mean rating of each item.
    others : int array
        Ratings that these errors run over.

    References
    ----------
    Narayanan and Shmatikov 2008, doi 10.1109/SP.2008.33.

    Examples
    --------
    >>> found = reidentify([[5, 1], [1, 5], [4, 0]], [[4, 2], [2, 4], [4, 2]], known=1,
    ...                    rating_range=(1, 5), rng=1)
    >>> found.success, found.candidates
    (array([0.5, 1. , 0.5]), array([2., 1., 2.]))
    """

    users: np.ndarray
    success: np.ndarray
    wrong: np.ndarray
    abstained: np.ndarray
    candidates: np.ndarray
    error: np.ndarray
    item_error: np.ndarray
    others: np.ndarray

    @property
    def risk(self) -> float:
        """Share of users who are found, as an expectation."""
        return float(self.success.mean())


def reidentify(
    ratings: GraphLike,
    protected: GraphLike,
    *,
    known: int,
    rating_range: tuple[float, float],
    users: int | None = None,
    draws: int = 1,
    error: float = 0.0,
    weighting: str = "none",
    eccentricity: float = 0.0,
    rng: int | np.random.Generator | None = None,
) -> Reidentification:
    """Attack users with a number of their true ratings, drawn at random.

    The best row is the one with the least sum of squared differences over the known items.
    With groups of k equal rows no user is found with a probability above 1/k; the row that the
    attacker ends at still predicts the user's other ratings.

    Parameters
    ----------
    ratings : array, shape (users, items), or other table
        Original ratings; the attacker's knowledge comes from here.
    protected : array, shape (users, items), or other table
        Published table without empty cells; row u is that of user u.
    known : int
        Ratings of a user that the attacker knows, 1 at least; of users with fewer, all of them
        (and of a user without any, nothing: then all rows fit).
    rating_range : pair of float
        Lowest and highest rating.
    users : int, optional
        Attack so many users, drawn at random; all of them without it.
    draws : int, default 1
        Choices of known ratings per user.
    error : float, default 0
        What the attacker knows is off by up to this much, in rating units, evenly distributed.
    weighting : {"none", "rarity"}, default "none"
        Weight of an item: 1, or ``1 / log(number of its ratings)`` (at least 2 are counted).
    eccentricity : float, default 0
        Name a row only when it is nearer than the second nearest distinct row by this many
        standard deviations of the scores of all rows; with 0 the attacker always answers.
    rng : int, Generator or None
        Seed or generator. Every user has a stream apart, and the ratings known in smaller
        numbers are among those known in larger ones.

    Returns
    -------
    Reidentification
        ``.success``, ``.wrong``, ``.abstained``, ``.candidates``, ``.error``, ``.risk``, ...

    Raises
    ------
    TypeError, ValueError
        If the shapes differ, a rating leaves the scale, the protected table has empty cells, or
        an argument leaves its interval.

    References
    ----------
    Narayanan and Shmatikov 2008, doi 10.1109/SP.2008.33: the algorithm, its
    rarity weights and its eccentricity.

    Examples
    --------
    >>> table = [[5, 1, 2], [1, 5, 4], [4, 0, 3]]
    >>> reidentify(table, [[5, 1, 2], [1, 5, 4], [4, 3, 3]], known=2, rating_range=(1, 5)).risk
    1.0
    """
    count = check_integer("known", known, minimum=1)
    (found,) = _attack(
        ratings,
        protected,
        (count,),
        rating_range,
        users,
        draws,
        error,
        weighting,
        eccentricity,
        rng,
    )
    return found


def reidentification_curve(
    ratings: GraphLike,
    protected: GraphLike,
    *,
    rating_range: tuple[float, float],
    known: Sequence[int] = (1, 2, 4, 8, 16, 32),
    users: int | None = None,
    draws: int = 1,
    error: float = 0.0,
    weighting: str = "none",
    eccentricity: float = 0.0,
    alpha: float = 0.05,
    rng: int | np.random.Generator | None = None,
) -> pd.DataFrame:
    """Attack with more and more known ratings; see ``reidentify``.

    Parameters
    ----------
    ratings, protected : arrays, shape (users, items), or other tables
        Original ratings and the published table without empty cells.
    rating_range : pair of float
        Lowest and highest rating.
    known : sequence of int, ascending
        Numbers of known ratings, 1 at least; more knowledge contains less.
    users : int, optional
        Attack so many users, drawn at random; all of them without it.
    draws : int, default 1
        Choices of known ratings per user.
    error : float, default 0
        What the attacker knows is off by up to this much, in rating units.
    weighting : {"none", "rarity"}, default "none"
        Weight of an item.
    eccentricity : float, default 0
        How far the nearest row must stand out before it is named, in standard deviations.
    alpha : float, default 0.05
        One minus the confidence of the interval over users.
    rng : int, Generator or None
        Seed or generator.

    Returns
    -------
    DataFrame
        A row per number of known ratings: ``known``; ``risk``, the mean probability of success,
        with the interval ``low``, ``high`` over users; ``wrong`` and ``abstained``, mean
        probabilities; ``candidates``, mean number of rows that fit best; ``error`` and
        ``item_error``, mean absolute errors over all other ratings of the attacked users, of the
        best row and of the item means.

    Raises
    ------
    TypeError, ValueError
        As ``reidentify``, or if known does not ascend.

    References
    ----------
    Narayanan and Shmatikov 2008, doi 10.1109/SP.2008.33.

    Examples
    --------
    >>> table = [[5, 1, 2], [5, 5, 2], [1, 1, 4], [1, 5, 4]]
    >>> curve = reidentification_curve(table, table, known=(1, 3), rating_range=(1, 5), rng=1)
    >>> curve[["known", "risk", "candidates"]]
       known  risk  candidates
    0      1   0.5         2.0
    1      3   1.0         1.0
    """
    check_alpha(alpha)
    counts = check_known_counts(known)
    results = _attack(
        ratings, protected, counts, rating_range, users, draws, error, weighting, eccentricity, rng
    )
    lines = []
    for count, found in zip(counts, results, strict=True):
        low, high = mean_interval(found.success, alpha=alpha)
        line = {"known": count, "risk": found.risk, "low": low, "high": high}
        line |= {name: getattr(found, name).mean() for name in ("wrong", "abstained", "candidates")}
        line |= {name: _over_ratings(found, name) for name in ("error", "item_error")}
        lines.append(line)
    return pd.DataFrame(lines)


def _attack(
    ratings: GraphLike,
    protected: GraphLike,
    counts: tuple[int, ...],
    rating_range: tuple[float, float],
    users: int | None,
    draws: int,
    error: float,
    weighting: str,
    eccentricity: float,
    rng: int | np.random.Generator | None,
) -> list[Reidentification]:
    """Attack with each number of known ratings."""
    table = as_table(ratings, rating_range=check_rating_range(rating_range))
    published = as_table(protected, name="protected")
    check_full("protected", published, remedy="complete it before it is published")
    check_same_shape(table, published, names=("ratings", "protected"))
    check_some_rated("ratings", int((~np.isnan(table)).sum()))
    looks = check_integer("draws", draws, minimum=1)
    check_choice("weighting", weighting, ("none", "rarity"))
    attacker = Attacker(
        table,
        published,
        rarity=weighting == "rarity",
        reach=check_not_negative("error", error),
        threshold=check_not_negative("eccentricity", eccentricity),
    )
    sample, *streams = as_rng(rng).spawn(len(table) + 1)
    attacked = np.arange(len(table))
    if users is not None:
        wanted = check_integer("users", users, minimum=1, maximum=len(table))
        attacked = np.sort(sample.choice(len(table), wanted, replace=False))
    scores = [attacker.scores(int(user), counts, looks, streams[user]) for user in attacked]
    return [_summary(attacked, part) for part in np.stack(scores, axis=1)]


def _summary(users: np.ndarray, scores: np.ndarray) -> Reidentification:
    success, abstained, candidates, error, item_error, others = scores.T
    with np.errstate(invalid="ignore"):  # 0/0 is the documented NaN of a user without others
        return Reidentification(
            users=users,
            success=success,
            wrong=(1 - success - abstained).clip(0),
            abstained=abstained,
            candidates=candidates,
            error=error / others,
            item_error=item_error / others,
            others=np.rint(others).astype(np.int64),
        )


def _over_ratings(found: Reidentification, name: str) -> float:
    """Mean over ratings of a mean per user; NaN where there is nothing left to predict."""
    total = found.others.sum()
    return float(np.nansum(getattr(found, name) * found.others) / total) if total else np.nan
