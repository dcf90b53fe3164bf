"""What a majority vote inside the blocks of a block model keeps, creates and removes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from pplab.checks import check_choice, check_integer, check_probability

__all__ = ["BlockVotes", "block_clustering"]


@dataclass(frozen=True)
class BlockVotes:
    """Edges of a block model clustered by its blocks, on average over draws.

    Attributes
    ----------
    edges, kept, created, removed : float
        Means; ``edges = kept + removed``.
    """

    edges: float
    kept: float
    created: float
    removed: float

    @property
    def jaccard(self) -> float:
        """Similarity of the mean counts, kept / (edges + created); of a draw for large graphs."""
        return self.kept / (self.edges + self.created) if self.edges else 1.0


def block_clustering(
    *, nodes: int, block_size: int, inside: float, outside: float = 0.0, form: str = "exact"
) -> BlockVotes:
    """Give the mean counts of clustering by blocks.

    As printed: ``alpha n = q s n`` edges stay, ``(s - alpha) n`` are created and
    ``beta n = p (n - s) n`` go. That supposes that every item inside has a majority and none
    outside has, thus q > 1/2 and p < 1/2 and large blocks. Exactly, an item has
    Binomial(s, q) of the s users of its block, and Binomial(s, p) of those of another: it is
    published where these are at least half.

    Parameters
    ----------
    nodes, block_size : int
        n and s, with 1 <= s <= n.
    inside, outside : float
        q and p, in [0, 1].
    form : {"exact", "printed"}, default "exact"

    Returns
    -------
    BlockVotes

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, Section 4,
    the paragraph after Theorem 4.4, arXiv 2207.06358.

    Examples
    --------
    >>> found = block_clustering(nodes=1024, block_size=64, inside=0.8, outside=0.01)
    >>> [round(100 * part / found.edges, 1) for part in (found.removed, found.created)]
    [15.8, 21.1]
    >>> options = {"nodes": 1024, "block_size": 64, "inside": 0.4}
    >>> round(block_clustering(**options, form="printed").kept / 1024, 1)
    25.6
    >>> round(block_clustering(**options).kept / 1024, 1)  # no majority
    2.2
    """
    n = check_integer("nodes", nodes, minimum=1)
    s = check_integer("block_size", block_size, minimum=1, maximum=n)
    q, p = check_probability("inside", inside), check_probability("outside", outside)
    if check_choice("form", form, ("exact", "printed")) == "printed":
        kept, created, removed = q * s, s - q * s, p * (n - s)
        return BlockVotes(n * (kept + removed), n * kept, n * created, n * removed)
    near, far = _per_cell(s, float(q)), _per_cell(s, float(p))
    kept, created = (n * (s * a + (n - s) * b) for a, b in zip(near, far, strict=True))
    edges = float(n * (q * s + p * (n - s)))
    return BlockVotes(edges, float(kept), float(created), max(0.0, edges - float(kept)))


def _per_cell(size: int, probability: float) -> tuple[float, float]:
    """Mean kept and created edges per cell of a block where ones have this probability."""
    least = (size + 1) // 2  # at least half
    have = np.arange(least, size + 1)
    law = stats.binom.pmf(have, size, probability)
    return float((law * have).sum() / size), float((law * (size - have)).sum() / size)
