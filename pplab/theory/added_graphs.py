"""Two noise graphs, one inside the graph and one outside: the design matrix as an addition."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from pplab.checks import check_probability
from pplab.graphs import GraphLike, as_biadjacency
from pplab.response.mechanism import Distribution
from pplab.theory.exact import as_rows

__all__ = ["two_noise_graphs"]


def two_noise_graphs(biadjacency: GraphLike, *, removed: Any, added: Any) -> Distribution:
    """Law of ``G + g1 + g2``: g1 drawn among the edges of G, g2 among its empty cells.

    All pairs (g1, g2) are enumerated and added to G by symmetric difference.

    Parameters
    ----------
    biadjacency : csr_array, shape (users, items), or other graph
        G, small.
    removed : float or Fraction
        p1, the probability of an edge of G to be in g1.
    added : float or Fraction
        p2, the probability of an empty cell to be in g2.

    Returns
    -------
    dict of {table: Fraction}

    Raises
    ------
    TypeError, ValueError
        If p1 or p2 is no probability.

    References
    ----------
    Salas and Torra 2020, after Definition 3, doi 10.5220/0009833804150422.

    Examples
    --------
    >>> two_noise_graphs([[1, 0]], removed=Fraction(1, 4), added=Fraction(1, 3))[((0, 1),)]
    Fraction(1, 12)
    """
    p1, p2 = (
        Fraction(check_probability(name, value))
        for name, value in (("removed", removed), ("added", added))
    )
    rows = as_rows(as_biadjacency(biadjacency))
    edges = [(i, j) for i, row in enumerate(rows) for j, cell in enumerate(row) if cell]
    empty = [(i, j) for i, row in enumerate(rows) for j, cell in enumerate(row) if not cell]
    law: Distribution = {}
    for inside in product((0, 1), repeat=len(edges)):
        for outside in product((0, 1), repeat=len(empty)):
            flipped = dict(zip(edges + empty, inside + outside, strict=True))
            share = _share(inside, p1) * _share(outside, p2)
            published = tuple(
                tuple(cell ^ flipped[i, j] for j, cell in enumerate(row))
                for i, row in enumerate(rows)
            )
            if share:
                law[published] = law.get(published, Fraction(0)) + share
    return law


def _share(drawn: tuple[int, ...], p: Fraction) -> Fraction:
    return p ** sum(drawn) * (1 - p) ** (len(drawn) - sum(drawn))
