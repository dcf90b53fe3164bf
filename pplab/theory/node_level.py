"""Algorithm 1 at node level: how often a cell of a row of m cells becomes a fair coin."""

from __future__ import annotations

import math

from scipy import special

from pplab.checks import check_integer, check_positive

__all__ = ["node_replacement", "node_untouched"]


def node_replacement(*, epsilon: float, items: int) -> float:
    """Probability p with which Algorithm 1 at node level replaces a cell by a fair coin.

    Parameters
    ----------
    epsilon : float
        Level of a whole row, positive.
    items : int
        m, cells of a row, at least 1.

    Returns
    -------
    float
        ``2 / (1 + e^(epsilon / m))``, in [0, 1]; a cell flips with half of it.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Algorithm 1 and Section 4, arXiv 2207.06358.

    Examples
    --------
    >>> round(node_replacement(epsilon=10, items=102), 3)  # adult: almost only coins
    0.951
    """
    return 2 * float(special.expit(-check_positive("epsilon", epsilon) / _items(items)))


def node_untouched(*, epsilon: float, items: int) -> float:
    """Probability 1 - p that Algorithm 1 at node level leaves a cell alone.

    Parameters
    ----------
    epsilon, items
        As for ``node_replacement``.

    Returns
    -------
    float
        ``tanh(epsilon / (2 m))``: it falls like 1 / m, not exponentially.

    Examples
    --------
    >>> [round(m * node_untouched(epsilon=2, items=m), 3) for m in (1, 10, 1000)]
    [0.762, 0.997, 1.0]
    """
    return math.tanh(check_positive("epsilon", epsilon) / (2 * _items(items)))


def _items(items: int) -> int:
    return check_integer("items", items, minimum=1)
