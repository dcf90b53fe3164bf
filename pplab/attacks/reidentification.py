"""An attacker who knows a few ratings of a person looks for the row that fits them best."""

from typing import TYPE_CHECKING

import numpy as np

from pplab.checks import as_rng, check_integer
from pplab.graphs import GraphLike, by_value
from pplab.intervals import mean_interval
from pplab.tables import as_ratings_and_release, distinct_points

if TYPE_CHECKING:
    import pandas as pd

_ALPHA = 0.05  # one minus the confidence of the interval over users
_KNOWN = (1, 2, 4, 8, 16, 32)  # numbers of known ratings; more knowledge contains less
_SAME_FIT = 1e-9  # relative to 1 + the least distance; wider than TIE, which moves printed shares


def reidentification_curve(
    ratings: GraphLike,
    protected: GraphLike,
    *,
    rating_range: tuple[float, float],
    users: int | None = None,
    rng: int | np.random.Generator | None = None,
) -> "pd.DataFrame":
    """Attack users with 1, 2, 4, 8, 16 and 32 of their true ratings, drawn at random.

    The best row is the one with the least sum of squared differences over the known items; among
    t rows that fit equally well one is named at random. With groups of k equal rows no user is
    found with a probability above 1/k. Of users with fewer ratings all are known (and of a user
    without any, nothing: then all rows fit). The row that the attacker ends at still predicts the
    user's other ratings.

    Parameters
    ----------
    ratings : array, shape (users, items), or other table
        Original ratings; the attacker's knowledge comes from here.
    protected : array, shape (users, items), or other table
        Published table without empty cells; row u is that of user u.
    rating_range : pair of float
        Lowest and highest rating.
    users : int, optional
        Attack so many users, drawn at random; all of them without it.
    rng : int, Generator or None
        Seed or generator. Every user has a stream apart.

    Returns
    -------
    DataFrame
        A row per number of known ratings: ``known``; ``risk``, the mean probability that the
        right row is named, with the 95 % interval ``low``, ``high`` over users; ``candidates``,
        mean number of rows that fit best, equal rows counted one by one; ``error`` and
        ``item_error``, mean absolute errors over all other ratings of the attacked users, of the
        best row (the mean of those that tie) and of the item means, NaN where there are none.

    Raises
    ------
    TypeError, ValueError
        If the shapes differ, a rating leaves the scale, the protected table has empty cells,
        or an argument leaves its interval.

    References
    ----------
    Narayanan and Shmatikov 2008, doi 10.1109/SP.2008.33, without weights of rare items.

    Examples
    --------
    >>> table = [[5, 1, 2], [5, 5, 2], [1, 1, 4], [1, 5, 4]]
    >>> curve = reidentification_curve(table, table, rating_range=(1, 5), rng=1)
    >>> curve[["known", "risk", "candidates"]][:2]
       known  risk  candidates
    0      1   0.5         2.0
    1      2   1.0         1.0
    """
    import pandas as pd

    ratings = by_value(ratings, bipartite=True, name="ratings")
    table, published = as_ratings_and_release(ratings, protected, rating_range)
    sample, *streams = as_rng(rng).spawn(len(table) + 1)
    attacked = np.arange(len(table))
    if users is not None:
        sample_size = check_integer("users", users, minimum=1, maximum=len(table))
        attacked = np.sort(sample.choice(len(table), sample_size, replace=False))
    first, row_of, sizes = distinct_points(published)  # equal rows are looked at once
    rows = published[first]
    item_means = np.nansum(table, axis=0) / (~np.isnan(table)).sum(axis=0).clip(1)
    scores = [_scores(rows, sizes, row_of[u], table[u], item_means, streams[u]) for u in attacked]
    return pd.DataFrame(map(_line, _KNOWN, np.stack(scores, axis=1)))


def _scores(
    rows: np.ndarray,
    sizes: np.ndarray,
    own_row: int,
    ratings: np.ndarray,
    item_means: np.ndarray,
    rng: np.random.Generator,
) -> np.ndarray:
    """Per number of known ratings: success, candidates, sums of both errors, other ratings."""
    items = rng.permutation(np.flatnonzero(~np.isnan(ratings)))  # the first ones are known first
    lines = []
    for count in _KNOWN:
        known, others = items[:count], items[count:]
        distances = np.square(rows[:, known] - ratings[known]).sum(axis=1)
        least = distances.min()
        best = np.flatnonzero(distances <= least + _SAME_FIT * (1 + least))
        candidates = sizes[best].sum()  # published rows, equal ones one by one
        predicted = sizes[best] / candidates @ rows[np.ix_(best, others)]
        error = np.abs(predicted - ratings[others]).sum()
        item_error = np.abs(item_means[others] - ratings[others]).sum()
        success = np.sum(best == own_row) / candidates
        lines.append((success, candidates, error, item_error, len(others)))
    return np.array(lines, dtype=float)


def _line(count: int, scores: np.ndarray) -> dict[str, float]:
    success, candidates, error, item_error, others = scores.T
    low, high = mean_interval(success, alpha=_ALPHA)
    line = {"known": count, "risk": float(success.mean()), "low": low, "high": high}
    line["candidates"] = candidates.mean()
    for name, sums in (("error", error), ("item_error", item_error)):
        line[name] = sums.sum() / others.sum() if others.any() else np.nan
    return line
