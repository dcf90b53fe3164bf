"""Two factors of the proof of Theorem 4.4, as printed and as meant."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pplab.checks import check_integer, check_k

__all__ = [
    "ProofFactors",
    "proof_factors",
]


@dataclass(frozen=True)
class ProofFactors:
    """Factors of the proof as printed and as meant.

    Attributes
    ----------
    printed_log, meant_log : float
        Logarithms of exp(5k) and exp(-5k), which the proof wants at most 0.01.
    printed_sets, meant_sets : int
        C(k, n), which is 0 for k < n, and C(n, k): the sets of k users of n.
    """

    printed_log: float
    meant_log: float
    printed_sets: int
    meant_sets: int


def proof_factors(*, nodes: int, k: int) -> ProofFactors:
    """Give the two factors that the proof of Theorem 4.4 prints upside down.

    Parameters
    ----------
    nodes, k : int
        2 <= k <= n.

    Returns
    -------
    ProofFactors

    Raises
    ------
    TypeError, ValueError
        If k leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Appendix B.3, arXiv 2207.06358.

    Examples
    --------
    >>> proof_factors(nodes=10, k=3)
    ProofFactors(printed_log=15.0, meant_log=-15.0, printed_sets=0, meant_sets=120)
    """
    n = check_integer("nodes", nodes, minimum=2)
    size = check_k(k, n)
    return ProofFactors(5.0 * size, -5.0 * size, math.comb(size, n), math.comb(n, size))
