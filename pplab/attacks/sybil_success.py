"""How much of a victim's preferences the lists of fake users give away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pplab.attacks.sybil import SybilAttack
from pplab.recommenders.recommend import recommend
from pplab.tables import shares


@dataclass(frozen=True)
class SybilSuccess:
    """How much the attacker reads off the observers' lists, one number per victim.

    Attributes
    ----------
    shown : int64 array, shape (victims,)
        Items listed with positive utility: the attacker takes them for the victim's.
    precision : float64 array, shape (victims,)
        Share of the shown items that the victim prefers; NaN where nothing is shown.
    recall : float64 array, shape (victims,)
        Share of the victim's preferences that are shown; NaN for a victim without any.
    popular : float64 array, shape (victims,)
        Precision of naming the items that most other users prefer, without any attack.

    Examples
    --------
    >>> from pplab.attacks.sybil import sybil_attack
    >>> attack = sybil_attack([[0, 1], [1, 0]], [[1, 1, 0], [0, 1, 1]], 1, measure="cn")
    >>> success = sybil_success(attack, epsilon=float("inf"), method="exact", top_n=3)
    >>> success.shown, success.precision, success.recall
    (array([2]), array([1.]), array([1.]))
    """

    shown: np.ndarray
    precision: np.ndarray
    recall: np.ndarray
    popular: np.ndarray


def sybil_success(
    attack: SybilAttack,
    *,
    epsilon: float,
    method: str,
    top_n: int,
    clusters: Any = None,
    rng: int | np.random.Generator | None = None,
) -> SybilSuccess:
    """Recommend to the observers and compare what they see with what the victims prefer.

    Parameters
    ----------
    attack : SybilAttack
    epsilon : float
        For one preference edge, in (0, inf].
    method : str
        A method of ``pplab.recommenders.recommend``.
    top_n : int
        Length of the lists.
    clusters : int array, shape (users + fakes,), or function, optional
        For the method "cluster": a partition of ``attack.social``, fakes included, or a function
        that makes one from it, such as ``communities``.
    rng : int, numpy.random.Generator or None
        For the noise of the one release that all observers see.

    Returns
    -------
    SybilSuccess

    Raises
    ------
    TypeError, ValueError
        As ``recommend`` raises them.

    References
    ----------
    Jorgensen and Yu 2014, A privacy-preserving framework for personalized, social
    recommendations, EDBT 2014, Section 3 (adversary), doi 10.5441/002/edbt.2014.51.

    Examples
    --------
    >>> from pplab.attacks.sybil import sybil_attack
    >>> attack = sybil_attack([[0, 1], [1, 0]], [[1, 1, 0], [0, 1, 1]], 1, measure="cn")
    >>> def together(social):
    ...     return np.zeros(social.shape[0], dtype=int)
    >>> sybil_success(attack, epsilon=float("inf"), method="cluster", top_n=2, clusters=together,
    ...               rng=1).precision  # an average is not a person
    array([0.5])
    """
    lists = recommend(
        attack.social,
        attack.preferences,
        epsilon=epsilon,
        measure=attack.measure,
        top_n=top_n,
        method=method,
        clusters=attack.partition(clusters),
        users=attack.observers,
        return_utilities=True,
        rng=rng,
    )
    estimates = np.asarray(lists.utilities)
    shown = (estimates > 0) | np.isnan(estimates)  # a random list has no utilities
    preferred = (attack.preferences[attack.victims] > 0).toarray()
    right = np.take_along_axis(preferred, lists.items, axis=1) & shown
    return SybilSuccess(
        shown=shown.sum(axis=1),
        precision=shares(right.sum(axis=1), shown.sum(axis=1)),
        recall=shares(right.sum(axis=1), preferred.sum(axis=1)),
        popular=_popular_guess(attack, preferred, lists.items.shape[1]),
    )


def _popular_guess(attack: SybilAttack, preferred: np.ndarray, top_n: int) -> np.ndarray:
    """Precision of the items most preferred by others; of equal ones, those of lowest number."""
    everybody = (attack.preferences > 0).sum(axis=0)
    hits = [
        row[np.argsort(-(everybody - row), kind="stable")[:top_n]].mean()  # others, not the victim
        for row in preferred.astype(np.int64)
    ]
    return np.array(hits)
