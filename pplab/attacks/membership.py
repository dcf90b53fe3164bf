"""How well the observer of a Sybil attack tells whether one preference edge is there.

Jorgensen and Yu 2014 (doi 10.5441/002/edbt.2014.51), Definitions 5 and 6.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from pplab import checks
from pplab.attacks.sybil import SybilAttack
from pplab.intervals import binomial_lower, binomial_upper
from pplab.recommenders.clusters import indicator
from pplab.recommenders.similarity import similarity_times
from pplab.recommenders.utilities import utility_sensitivity


@dataclass(frozen=True)
class MembershipAdvantage:
    """Advantage of an observer who decides whether its victim prefers an item.

    Attributes
    ----------
    true_positives, false_positives : int
        Guesses of "preferred" where the edge is there, and where it is not.
    trials : int
        Runs of each.
    advantage : float
        Rate of the first less rate of the second: 0 for a blind guess, 1 for certainty.
    low, high : float
        Exact interval for the advantage, missed with probability at most alpha.
    bound : float
        ``(e^epsilon - 1)/(e^epsilon + 1)``: what no attack on one edge can exceed.

    Examples
    --------
    >>> MembershipAdvantage(75, 25, 100, 0.5, 0.3, 0.7, math.tanh(0.5)).bound > 0.46
    True
    """

    true_positives: int
    false_positives: int
    trials: int
    advantage: float
    low: float
    high: float
    bound: float


def membership_advantage(
    attack: SybilAttack,
    *,
    epsilon: float,
    method: str,
    trials: int,
    alpha: float,
    clusters: Any = None,
    rng: int | np.random.Generator | None = None,
) -> MembershipAdvantage:
    """Play the game of the definition: everything is known except one edge (victim, item).

    The attacker sees the observer's noisy utility of the item, from which the list is made, and
    takes off what is known. A difference remains if the edge is there, and noise; above half the
    difference the guess is "preferred". The noise is a sum of independent Laplace variables, whose
    density is log-concave and symmetric, so that no other guess from this utility does better.

    Parameters
    ----------
    attack : SybilAttack
        The victim of a run is drawn from its victims.
    epsilon : float
        For one preference edge, in (0, inf].
    method : {"exact", "cluster", "nou", "noe"}
    trials : int
        Runs with the edge and as many without, at least 1.
    alpha : float
        Most that the interval misses the advantage, in (0, 1).
    clusters : int array, shape (users + fakes,), optional
        For the method "cluster", as in ``sybil_success``.
    rng : int, numpy.random.Generator or None

    Returns
    -------
    MembershipAdvantage

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval, or the clusters are no partition of users and fakes.

    References
    ----------
    Jorgensen and Yu 2014, A privacy-preserving framework for personalized, social
    recommendations, EDBT 2014, Definitions 5 and 6, doi 10.5441/002/edbt.2014.51; Kairouz, Oh and
    Viswanath 2015, The composition theorem for differential privacy, PMLR 37 (the trade between
    the two rates, of which the bound is the middle); Clopper and Pearson 1934, doi
    10.1093/biomet/26.4.404.

    Examples
    --------
    >>> from pplab.attacks.sybil import sybil_attack
    >>> attack = sybil_attack([[0, 1], [1, 0]], [[1, 0], [0, 1]], 1, measure="cn")
    >>> result = membership_advantage(
    ...     attack, epsilon=1, method="noe", trials=20_000, alpha=1e-6, rng=1
    ... )
    >>> result.low < 1 - math.exp(-1 / 2) < result.high < result.bound
    True
    """
    checks.check_epsilon(epsilon, allow_infinity=True)
    checks.check_alpha(alpha)
    runs = checks.check_integer("trials", trials, minimum=1)
    record = METHODS[checks.check_choice("method", method, METHODS)]
    if (clusters is not None) != record.clusters:
        got = "none" if clusters is None else "some"
        raise ValueError(
            f"clusters must come with method 'cluster' and with no other, got {got} with "
            f"{method!r}; pass a partition of all users, fakes included, where it is needed"
        )
    weights, shifts = laplace_weights(attack, method, clusters)
    scale = 1 / float(epsilon) if record.private else 0.0
    stream = checks.as_rng(rng)
    right, wrong = (_guesses(weights, shifts, scale, runs, edge, stream) for edge in (1, 0))
    least, most = (
        bound(np.array([right, wrong]), runs, alpha=alpha / 4)
        for bound in (binomial_lower, binomial_upper)
    )
    low, high = float(least[0] - most[1]), float(most[0] - least[1])
    limit = math.tanh(epsilon / 2) if record.private else 1.0
    return MembershipAdvantage(right, wrong, runs, (right - wrong) / runs, low, high, limit)


_Noise = tuple[sparse.csr_array, np.ndarray]  # weights and shifts, see `laplace_weights`


def laplace_weights(attack: SybilAttack, method: str, clusters: Any) -> _Noise:
    """Weight of each independent Laplace variable of scale 1/epsilon, and the shift by the edge.

    Returns
    -------
    weights : csr_array, shape (victims, variables)
    shifts : float64 array, shape (victims,)
        Change of the observer's utility of an item when the victim prefers it.
    """
    identity = sparse.eye_array(attack.social.shape[0], format="csr")
    rows = similarity_times(attack.social, identity, measure=attack.measure, users=attack.observers)
    return METHODS[method].weights(attack, sparse.csr_array(rows), clusters)


def _on_edges(attack: SybilAttack, rows: sparse.csr_array, _: Any) -> _Noise:
    return rows, rows.toarray()[np.arange(len(attack.victims)), attack.victims]


def _on_utilities(attack: SybilAttack, rows: sparse.csr_array, _: Any) -> _Noise:
    _, shifts = _on_edges(attack, rows, None)
    sensitivity = utility_sensitivity(attack.social, measure=attack.measure)
    return sparse.csr_array(np.full((len(shifts), 1), sensitivity)), shifts


def _on_averages(attack: SybilAttack, rows: sparse.csr_array, clusters: Any) -> _Noise:
    """The mean of the victim's cluster moves, for all in it whom the observer is similar to."""
    labels = checks.check_partition(clusters, attack.social.shape[0], name="clusters")
    shares = rows @ indicator(labels) / np.bincount(labels)
    return sparse.csr_array(shares), shares[np.arange(len(attack.victims)), labels[attack.victims]]


@dataclass(frozen=True)
class Recommender:
    """A recommender whose lists the observer reads.

    Attributes
    ----------
    weights : function of the attack, the observers' similarities and the clusters
        Gives what `laplace_weights` gives.
    private : bool
        Whether it draws noise; without noise nothing bounds the advantage.
    clusters : bool
        Whether it needs a partition.
    """

    weights: Callable[[SybilAttack, sparse.csr_array, Any], _Noise]
    private: bool = True
    clusters: bool = False


METHODS = {
    "exact": Recommender(_on_edges, private=False),
    "cluster": Recommender(_on_averages, clusters=True),
    "nou": Recommender(_on_utilities),
    "noe": Recommender(_on_edges),
}


def _guesses(
    weights: sparse.csr_array,
    shifts: np.ndarray,
    scale: float,
    runs: int,
    edge: int,
    rng: np.random.Generator,
) -> int:
    """Count guesses of "preferred"; a victim drawn anew in each run makes the count binomial."""
    counts = rng.multinomial(runs, np.full(len(shifts), 1 / len(shifts)))
    guessed = 0
    for victim in np.flatnonzero(counts):
        row = weights.data[slice(*weights.indptr[victim : victim + 2])]
        noise = (rng.laplace(size=(counts[victim], len(row))) * row).sum(axis=1) * scale
        guessed += int(np.count_nonzero(noise + edge * shifts[victim] > shifts[victim] / 2))
    return guessed
