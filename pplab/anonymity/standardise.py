"""z-scores per item: every item counts alike in a distance, whatever its spread."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pplab.checks import check_full, check_items, check_squares
from pplab.graphs import GraphLike
from pplab.tables import as_table, canonical_order

__all__ = ["Standardised", "item_moments", "standardise"]


@dataclass(frozen=True, eq=False)
class Standardised:
    """A full table as z-scores, with what it takes to go back.

    Attributes
    ----------
    scores : float64 array, shape (users, items)
        Standard deviations above the mean of the item; 0 for an item that does not vary.
    means, deviations : float64 array, shape (items,)
        Mean and population standard deviation of each item, in units of the ratings.
    """

    scores: np.ndarray
    means: np.ndarray
    deviations: np.ndarray

    def restore(self, scores: GraphLike) -> np.ndarray:
        """Bring z-scores of these items back to the scale of the ratings.

        An item that does not vary comes back as its mean exactly, whatever its scores.

        Raises
        ------
        TypeError, ValueError
            If the scores are no full table of as many items.
        """
        table = as_table(scores, name="scores")
        check_full("scores", table, remedy="give every item a score")
        check_squares("scores", table)
        check_items("scores", table, len(self.means))
        table *= self.deviations
        table += self.means
        return table


def standardise(table: GraphLike) -> Standardised:
    """Bring each item to mean 0 and population standard deviation 1.

    Parameters
    ----------
    table : array or nested lists, shape (users, items)
        Full: finite numbers of at most 1e50 in size, no gaps.

    Returns
    -------
    Standardised
        ``.scores``, ``.means``, ``.deviations`` and ``.restore(scores)``. An item of zero variance
        scores 0 everywhere. The order of the users changes no bit of a score.

    Raises
    ------
    TypeError, ValueError
        If the table is empty, has gaps or holds values that are not finite.

    References
    ----------
    Casino, Domingo-Ferrer, Patsakis, Puig and Solanas 2015, A k-anonymous approach to privacy
    preserving collaborative filtering, doi 10.1016/j.jcss.2014.12.013: grouping and noise both
    work on such scores.

    Examples
    --------
    >>> result = standardise([[1.0, 3.0], [5.0, 3.0]])
    >>> result.scores
    array([[-1.,  0.],
           [ 1.,  0.]])
    >>> result.restore(result.scores)
    array([[1., 3.],
           [5., 3.]])
    """
    scores = as_table(table, name="table")
    check_full("table", scores, remedy="fill it with pplab.anonymity.complete first")
    check_squares("table", scores)
    means, deviations = item_moments(scores)
    scores -= means
    scores /= np.where(deviations > 0, deviations, np.inf)  # x / inf = 0: an item that is constant
    return Standardised(scores, means, deviations)


def item_moments(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and population standard deviation of each item of a full table."""
    rows = table[canonical_order(table)]
    # A mean lies between what it is the mean of. Rounding could push it a hair outside, and an
    # item that is constant would seem to vary.
    means = np.clip(rows.mean(axis=0), rows.min(axis=0), rows.max(axis=0))
    rows -= means
    return means, np.sqrt(np.square(rows, out=rows).mean(axis=0))
