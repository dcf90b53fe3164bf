"""Gaussian noise on a completed table of ratings: the rival of k-anonymous groups."""

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from pplab.checks import as_rng, check_choice, check_flag, check_not_negative, check_rating_range
from pplab.graphs import GraphLike, by_value, labels_of, with_labels
from pplab.labelled import Labelled, Table, Told, full_table, in_stated_order
from pplab.microaggregation.microaggregate import complete, item_moments
from pplab.tables import distinct_points

_BLOCK_CELLS = 2**16  # a block has a random stream of its own; its size is part of the result
_ROUND = {"nearest": np.rint, "down": np.floor}


@dataclass(frozen=True, eq=False, repr=False)
class Noisy(Told):
    """A table of ratings with noise and how it came about.

    Attributes
    ----------
    protected : float64 array, shape (users, items)
        The completed ratings with noise.
    sse : float
        Sum over all cells of (completed - protected)^2, in squared units of the ratings.
    k_achieved : int
        Smallest number of users with equal rows, counted on the protected table.
    completed : float64 array, shape (users, items)
        The ratings with their gaps filled.
    options : dict
        What was asked for.
    users, items : list or range
        Labels of the rows and columns, in their order; of a table their numbers.
    table : Table or None
        What is published, with its labels, where a Table came in.
    """

    protected: np.ndarray
    sse: float
    k_achieved: int
    completed: np.ndarray
    options: dict[str, Any]
    users: Sequence[Any]
    items: Sequence[Any]
    table: Table | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Prepared(Told):
    """A completed table and the spread of its items: all that noise of any sigma or seed needs."""

    completed: np.ndarray
    deviations: np.ndarray
    rating_range: tuple[float, float]
    impute: str
    labels: tuple[Sequence[Any], Sequence[Any]]
    ratings: GraphLike = None


def gaussian_noise(
    ratings: GraphLike,
    *,
    sigma: float,
    rating_range: tuple[float, float],
    impute: str = "midpoint",
    truncate: bool = True,
    rounding: str | None = None,
    scale: str = "z-scores",
    rng: int | np.random.Generator | None = None,
) -> Noisy:
    """Add normal noise to every cell of a completed table of ratings.

    Parameters
    ----------
    ratings : any form that ``pplab.tables.as_table`` takes, shape (users, items)
        NaN or not stored: no rating.
    sigma : float
        Standard deviation of the noise, from 0 (no noise), in standard deviations of the item
        (scale "z-scores") or in units of the ratings (scale "ratings"). More is more private.
    rating_range : pair of float
        Lowest and highest rating.
    impute : {"midpoint", "item-mean", "item-median", "user-mean", "global-mean"}
        How gaps are filled; see `complete`.
    truncate : bool
        Whether what leaves rating_range is brought to its nearer end.
    rounding : {None, "nearest", "down"}
        Whether ratings become whole numbers, and which way; a half goes to the even neighbour.
        With truncate they are the whole numbers of rating_range.
    scale : {"z-scores", "ratings"}
        Where the noise is added. On z-scores an item that does not vary stays as it is.
    rng : int, Generator or None
        Seed or generator. Users have streams by their place in the table: a seed gives the same
        table again, whatever the number of threads.

    Returns
    -------
    Noisy
        ``.protected``, ``.sse``, ``.k_achieved``, ``.completed``, ``.options``.

    Raises
    ------
    TypeError, ValueError
        If an option leaves its interval, a rating leaves the scale, or the full table would need
        more than 8 GiB (``pplab.tables.DENSE_LIMIT``).

    References
    ----------
    Casino, Domingo-Ferrer, Patsakis, Puig and Solanas 2015, A k-anonymous approach to privacy
    preserving collaborative filtering, doi 10.1016/j.jcss.2014.12.013: Gaussian noise addition
    on the standardised table, values truncated to the scale; ``.sse`` is eq 2.

    Examples
    --------
    >>> ratings = [[5, 0, 4], [1, 2, 0]]
    >>> gaussian_noise(ratings, sigma=0, rating_range=(1, 5), rng=1).protected
    array([[5., 3., 4.],
           [1., 2., 3.]])
    >>> noisy = gaussian_noise(ratings, sigma=1, rating_range=(1, 5), rounding="nearest", rng=1)
    >>> bool(np.isin(noisy.protected, [1, 2, 3, 4, 5]).all())
    True
    """
    prepared = prepare(ratings, impute=impute, rating_range=rating_range)
    return add_noise(
        prepared, sigma=sigma, truncate=truncate, rounding=rounding, scale=scale, rng=rng
    )


def prepare(ratings: GraphLike, *, impute: str, rating_range: tuple[float, float]) -> Prepared:
    """Do the work that is the same for every sigma and seed.

    Parameters
    ----------
    ratings, impute, rating_range
        As in `gaussian_noise`.

    Returns
    -------
    Prepared
        For `add_noise`, as often as wanted; no run changes it.

    Raises
    ------
    TypeError, ValueError
        As in `gaussian_noise`.

    Examples
    --------
    >>> prepared = prepare([[5, 0, 4], [1, 2, 0]], impute="midpoint", rating_range=(1, 5))
    >>> [add_noise(prepared, sigma=sigma, rng=1).options["sigma"] for sigma in (0.5, 2)]
    [0.5, 2.0]
    """
    ratings = with_labels(ratings, bipartite=True, name="ratings")
    in_order = by_value(ratings, bipartite=True)
    completed = complete(in_order, impute=impute, rating_range=rating_range)
    _, deviations = item_moments(completed)
    names = labels_of(ratings)
    kept = ratings if isinstance(ratings, Labelled) else None
    return Prepared(completed, deviations, check_rating_range(rating_range), impute, names, kept)


def add_noise(
    prepared: Prepared,
    *,
    sigma: float,
    truncate: bool = True,
    rounding: str | None = None,
    scale: str = "z-scores",
    rng: int | np.random.Generator | None = None,
) -> Noisy:
    """Add noise to a prepared table.

    Parameters
    ----------
    prepared : Prepared
        From `prepare`.
    sigma, truncate, rounding, scale, rng
        As in `gaussian_noise`, which gives the same for the same seed.

    Returns
    -------
    Noisy
        Its ``.completed`` is the table of ``prepared`` itself, not a copy.

    Raises
    ------
    TypeError, ValueError
        If an option leaves its interval.

    Examples
    --------
    >>> prepared = prepare([[5, 0, 4], [1, 2, 0]], impute="midpoint", rating_range=(1, 5))
    >>> add_noise(prepared, sigma=0, rng=1).sse
    0.0
    """
    spread = check_not_negative("sigma", sigma)
    check_choice("scale", scale, ("z-scores", "ratings"))
    cut = check_flag("truncate", truncate)
    if rounding is not None:
        check_choice("rounding", rounding, _ROUND)
    bounds = prepared.rating_range if cut else None
    if bounds is not None and rounding is not None:
        bounds = _check_whole_ratings(bounds)
    # A score plus noise, brought back, is the rating plus noise times the item's deviation.
    factors = np.full(len(prepared.deviations), spread)
    if scale == "z-scores":
        factors *= prepared.deviations
    protected, sse = _noisy_rows(prepared.completed, factors, bounds, rounding, as_rng(rng))
    options = {"sigma": spread, "rating_range": prepared.rating_range, "impute": prepared.impute}
    options |= {"truncate": cut, "rounding": rounding, "scale": scale}
    achieved = int(distinct_points(protected).sizes.min())
    stated = partial(in_stated_order, prepared.ratings, columns=True)
    arrays = stated(protected), sse, achieved, stated(prepared.completed)
    return Noisy(*arrays, options, *prepared.labels, full_table(prepared.ratings, protected))


def _noisy_rows(
    completed: np.ndarray,
    factors: np.ndarray,
    bounds: tuple[float, float] | None,
    rounding: str | None,
    rng: np.random.Generator,
) -> tuple[np.ndarray, float]:
    """The protected table and its squared error, block of rows by block of rows."""
    key = rng.integers(0, 2**64, size=2, dtype=np.uint64).tolist()
    rows = max(1, _BLOCK_CELLS // completed.shape[1])
    protected = np.empty_like(completed)

    def fill(start: int) -> float:
        before, after = completed[start : start + rows], protected[start : start + rows]
        stream = np.random.SeedSequence(key, spawn_key=(start,))
        np.random.Generator(np.random.SFC64(stream)).standard_normal(out=after)
        after *= factors
        after += before
        if rounding is not None:
            _ROUND[rounding](after, out=after)
        if bounds is not None:
            np.clip(after, *bounds, out=after)
        differences = after - before
        return float(np.square(differences, out=differences).sum())

    with ThreadPoolExecutor(2) as threads:  # numpy lets go of the lock while it draws and adds
        return protected, math.fsum(threads.map(fill, range(0, len(completed), rows)))


def _check_whole_ratings(rating_range: tuple[float, float]) -> tuple[float, float]:
    """Bring a scale to the whole numbers in it; refuse a scale without any."""
    low, high = float(math.ceil(rating_range[0])), float(math.floor(rating_range[1]))
    if not low <= high:
        raise ValueError(
            f"rating_range must hold a whole number to round to, got {rating_range}; "
            "pass rounding=None"
        )
    return low, high
