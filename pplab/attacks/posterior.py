"""What a release of flipped cells tells about one of them, when cells may go together."""

from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np

from pplab.checks import as_fraction, check_finite_numbers, check_flip_probability, shown

_LEAST = 1e-290  # smaller products of probabilities lose digits


@dataclass(frozen=True)
class PosteriorOdds:
    """Factors by which each release of c flipped cells moves the odds that the first of them is 1.

    Numbers are fractions where belief and flip probability are, else floats.

    Attributes
    ----------
    prior : float or Fraction
        Odds of the first cell before the release.
    factors : array, shape (2,) * c
        Odds after each release, divided by the prior odds.
    chances : array, shape (2,) * c
        Probability of each release under the belief.
    cap : float or Fraction
        ``((1 - p) / p)**c``: what no belief on these cells exceeds, by group privacy.

    References
    ----------
    Kifer and Machanavajjhala 2011, doi 10.1145/1989323.1989345; Dwork and Roth 2014, Theorem 2.2
    (group privacy), doi 10.1561/0400000042.

    Examples
    --------
    >>> found = posterior_odds([[1, 0], [0, 1]], flip_probability=Fraction(1, 4))
    >>> print(found.factors[1, 1], found.cap, found.posterior[1, 1])
    9 9 9/10
    """

    prior: Any
    factors: np.ndarray
    chances: np.ndarray
    cap: Any

    @property
    def posterior(self) -> np.ndarray:
        """Probability that the first cell is 1, after each release."""
        odds = self.prior * self.factors
        return odds / (1 + odds)


def posterior_odds(joint: Any, *, flip_probability: Any) -> PosteriorOdds:
    """Move a belief on c cells by what is published when each cell flips with probability p.

    Between two tables that differ in one cell, all else fixed, no release is more than
    ``(1 - p) / p`` times as likely under the one. A belief in which cells go together compares
    tables that differ in several cells, and its odds on one of them may move by more.

    Parameters
    ----------
    joint : array, shape (2,) * c
        Belief: entry ``[x_1, ..., x_c]`` is the probability of these c cells together, or a count
        or weight, of which the ratios matter. The odds asked for are those of the first cell.
    flip_probability : float or Fraction
        p in (0, 1/2], the same for each cell, each cell flipped independently.

    Returns
    -------
    PosteriorOdds
        ``.prior``, ``.factors``, ``.chances``, ``.cap`` and ``.posterior``; of many published rows
        ``.factors[tuple(rows.T)]`` has the factor of each.

    Raises
    ------
    TypeError, ValueError
        If the belief is no array of two values per cell, has a negative entry or is certain of the
        first cell; if p leaves its interval; if the numbers are too far apart for floats.

    References
    ----------
    Kifer and Machanavajjhala 2011, doi 10.1145/1989323.1989345, on correlated records; 2014,
    doi 10.1145/2514689, on promises that name the beliefs they hold for.

    Examples
    --------
    >>> two_alike, independent = [[0.5, 0], [0, 0.5]], [[0.25, 0.25], [0.25, 0.25]]
    >>> posterior_odds(two_alike, flip_probability=0.25).factors.round(3).tolist()
    [[0.111, 1.0], [1.0, 9.0]]
    >>> posterior_odds(independent, flip_probability=0.25).factors.round(3).tolist()
    [[0.333, 0.333], [3.0, 3.0]]
    """
    belief = check_finite_numbers("joint", joint)
    if not belief.ndim or set(belief.shape) != {2}:
        raise ValueError(
            f"joint must have two entries along each axis, one axis for each cell, got shape "
            f"{belief.shape}; pass for example [[0.5, 0], [0, 0.5]] for two equal cells"
        )
    if not (belief >= 0).all():
        raise ValueError(f"joint must hold no negative weight, got {belief.min()}; pass counts")
    if not (belief[0].any() and belief[1].any()):
        raise ValueError(
            "joint must leave the first cell open, got a belief that is certain of it; no release "
            "moves certainty"
        )
    p = check_flip_probability(flip_probability)
    if not p > 0:
        raise ValueError(f"flip_probability must lie in (0, 1/2], got {shown(p)}; 0 hides nothing")
    array = np.asarray(joint, dtype=object)
    if isinstance(p, Rational) and all(isinstance(weight, Rational) for weight in array.flat):
        p = as_fraction(p)
        belief = np.array([as_fraction(x) for x in array.flat], dtype=object).reshape(array.shape)
    else:
        p = float(p)
        belief = belief / belief.max()
        if not belief[belief > 0].min() * p**belief.ndim > _LEAST:
            raise ValueError(
                f"flip_probability and joint are too small for floats, got {shown(p)} for "
                f"{belief.ndim} cells; pass fractions"
            )
    belief = belief / belief.sum()
    parts = [np.zeros_like(belief), np.zeros_like(belief)]
    for value, part in enumerate(parts):
        part[value] = belief[value]
    zero, one = (_release_weights(part, p) for part in parts)
    prior = np.sum(belief[1]) / np.sum(belief[0])
    return PosteriorOdds(
        prior=prior,
        factors=one / zero / prior,
        chances=zero + one,
        cap=((1 - p) / p) ** belief.ndim,
    )


def _release_weights(weights: np.ndarray, p: float | Fraction) -> np.ndarray:
    """Weight of each release: along each axis a cell keeps its value or flips."""
    for axis in range(weights.ndim):
        weights = (1 - p) * weights + p * np.flip(weights, axis)
    return weights
