"""The similarity of every copy of a small graph, one by one, in fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from pplab.checks import as_fraction, check_integer, check_probability

__all__ = ["jaccard_by_enumeration", "union_is_edges_and_created"]

_MOST_CELLS = 12


def jaccard_by_enumeration(
    *, edges: int, cells: int, flip_probability: Any
) -> dict[Fraction, Fraction]:
    """Law of the Jaccard similarity by looking at every copy.

    Parameters
    ----------
    edges, cells : int
        Edges of the graph, from 0, and its cells, from 1 to 12.
    flip_probability : Fraction or float
        f in [0, 1], on each cell.

    Returns
    -------
    dict of Fraction to Fraction
        Probability of each similarity that has any; two empty graphs have similarity 1.

    Raises
    ------
    TypeError, ValueError
        If a number leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definition 3.6 and Algorithm 1, arXiv 2207.06358.

    Examples
    --------
    >>> law = jaccard_by_enumeration(edges=1, cells=2, flip_probability=Fraction(1, 2))
    >>> {str(similarity): str(share) for similarity, share in sorted(law.items())}
    {'0': '1/2', '1/2': '1/4', '1': '1/4'}
    """
    check_integer("cells", cells, minimum=1, maximum=_MOST_CELLS)
    check_integer("edges", edges, minimum=0, maximum=cells)
    flip = as_fraction(check_probability("flip_probability", flip_probability))
    graph = (1,) * edges + (0,) * (cells - edges)
    law: dict[Fraction, Fraction] = {}
    for copy in product((0, 1), repeat=cells):
        flips = sum(one != other for one, other in zip(graph, copy, strict=True))
        both, union = _shared(graph, copy), _union(graph, copy)
        similarity = Fraction(both, union) if union else Fraction(1)
        share = flip**flips * (1 - flip) ** (cells - flips)
        law[similarity] = law.get(similarity, Fraction(0)) + share
    return {similarity: share for similarity, share in law.items() if share}


def union_is_edges_and_created(cells: int) -> bool:
    """Whether |E or E'| = |E| + number of created edges, for all pairs of graphs on so many cells.

    Parameters
    ----------
    cells : int
        From 1 to 8.

    Returns
    -------
    bool

    Raises
    ------
    TypeError, ValueError
        If cells leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Appendix B, proof of Theorem 4.1, arXiv 2207.06358.

    Examples
    --------
    >>> union_is_edges_and_created(6)  # a table of 2 x 3
    True
    """
    check_integer("cells", cells, minimum=1, maximum=8)
    graphs = list(product((0, 1), repeat=cells))
    return all(
        _union(graph, copy)
        == sum(graph) + sum(new > old for old, new in zip(graph, copy, strict=True))
        for graph in graphs
        for copy in graphs
    )


def _shared(graph: tuple[int, ...], copy: tuple[int, ...]) -> int:
    return sum(one and other for one, other in zip(graph, copy, strict=True))


def _union(graph: tuple[int, ...], copy: tuple[int, ...]) -> int:
    return sum(one or other for one, other in zip(graph, copy, strict=True))
