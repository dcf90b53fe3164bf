"""Statements about privacy levels, Sections 2.2, 2.3 and 5, each decided by enumeration."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from typing import Any

from pplab.experiments.finding import Finding, listed
from pplab.experiments.noise_graphs.finding import FLIPS
from pplab.response.categorical import DesignMatrix
from pplab.response.noise_graph import BipartiteNoiseGraph, NoiseGraph
from pplab.theory.composition import PostProcessed
from pplab.theory.exact import exact_epsilon
from pplab.theory.weighted import weighted_refutation

__all__ = ["LEVELS"]

_NODES = (2, 3, 4)
_SHAPES = ((1, 1), (1, 2), (2, 1), (2, 2), (1, 3), (3, 1))

Mechanism = Callable[[Fraction], Any]


def range_above_half() -> Finding:
    """Is ln((1-p)/p) the level of the noise graph for p in (1/2, 1)?"""
    # Flipping with p is publishing the complement of a graph flipped with 1 - p.
    return _above_half(lambda p: (PostProcessed(NoiseGraph(1 - p), _complement), 3))


def bipartite_range_above_half() -> Finding:
    """Is it for the bipartite one?"""
    return _above_half(lambda p: (DesignMatrix(p00=1 - p, p01=p, p10=p, p11=1 - p), (2, 2)))


def theorem_1() -> Finding:
    """Is the noise graph ln((1-p)/p)-edge-private?"""
    return _level(NoiseGraph, _NODES, "edge", cells=lambda _: 1)


def theorem_1_bipartite() -> Finding:
    """Is the bipartite one?"""
    return _level(BipartiteNoiseGraph, _SHAPES, "edge", cells=lambda _: 1)


def theorem_2() -> Finding:
    """Is the noise graph n ln((1-p)/p)-node-private?"""
    true, witness = _level(NoiseGraph, _NODES, "node", cells=lambda nodes: nodes)
    exact, _ = _level(NoiseGraph, _NODES, "node", cells=lambda nodes: nodes - 1)
    return true, f"{witness} (n - 1) ln((1-p)/p) {'is enough' if exact else 'is too little'}."


def theorem_2_end() -> Finding:
    """Is it n ln(p/(1-p))-node-private?"""
    p, nodes = Fraction(1, 4), 3
    exact = exact_epsilon(NoiseGraph(p), shape=nodes, unit="node").odds
    mirrored = PostProcessed(NoiseGraph(p), _complement)  # flips with 3/4
    above = exact_epsilon(mirrored, shape=nodes, unit="node").odds <= (1 / p - 1) ** nodes
    return exact <= (p / (1 - p)) ** nodes, (
        f"On {nodes} nodes at p = {p} the exact odds are {exact}, the printed end allows "
        f"{(p / (1 - p)) ** nodes}; it bounds them {'only' if above else 'not even'} for p > 1/2."
    )


def complement_count() -> Finding:
    """Do n(n-1)/2 - |G u S| edges lie outside the symmetric difference?"""
    cells = 3  # of a graph on 3 nodes
    graphs = list(product((0, 1), repeat=cells))
    wrong = []
    for one, other in product(graphs, repeat=2):
        outside = sum(a == b for a, b in zip(one, other, strict=True))
        stated = cells - sum(map(max, one, other))
        if outside != stated:
            wrong.append((sum(one), sum(other), outside, stated))
    told = "{} and {} edges: {} pairs lie outside, stated {}".format(*wrong[0]) if wrong else "none"
    return not wrong, (
        f"On 3 nodes {len(wrong)} of {len(graphs) ** 2} cases differ, first with {told}; the size "
        "of the symmetric difference belongs in place of the union's."
    )


def theorem_2_user() -> Finding:
    """Is the bipartite one n ln((1-p)/p)-private for a user among n?"""
    return _level(BipartiteNoiseGraph, _SHAPES, "user", cells=lambda shape: shape[0])


def theorem_2_item() -> Finding:
    """Is it for an item rated by n users?"""
    return _level(BipartiteNoiseGraph, _SHAPES, "item", cells=lambda shape: shape[0])


def weighted_graphs() -> Finding:
    """Is the weighted addition epsilon-edge-private for some epsilon?"""
    p = Fraction(1, 10)
    worst = weighted_refutation(flip_probability=p)
    infinite = [norm for norm, found in worst.items() if found.odds == math.inf]
    found = worst[(infinite or list(worst))[0]]
    return not infinite, (
        f"One cell, p = {p}: the inputs {found.pair[0]} and {found.pair[1]} give the output "
        f"{found.output} with odds {found.odds} (None is no edge); infinite under "
        f"{listed(infinite or ['no norm'])}."
    )


def _level(
    mechanism: Mechanism, shapes: Iterable[Any], unit: str, *, cells: Callable[[Any], int]
) -> Finding:
    """Compare the exact odds with those of a level of so many cells, on all shapes and p."""
    trials = [
        (
            shape,
            p,
            exact_epsilon(mechanism(p), shape=shape, unit=unit).odds,
            (1 / p - 1) ** cells(shape),
        )
        for shape, p in product(shapes, FLIPS)
    ]
    above = [trial for trial in trials if trial[2] > trial[3]]
    below = [trial for trial in trials if trial[2] < trial[3]]
    how = "exceed" if above else "stay below" if below else "equal"
    # p = 1/4 at the first shape that differs, else at the last one.
    shape, p, exact, allowed = (above or below or trials[-len(FLIPS) :])[0]
    size = f"{shape} nodes" if isinstance(shape, int) else "n = {}, m = {}".format(*shape)
    return not above, (
        f"Exact odds {how} the stated ones in {len(above or below or trials)} of {len(trials)} "
        f"enumerations: at {size}, p = {p} they are {exact}, stated {allowed}."
    )


def _above_half(case: Callable[[Fraction], tuple[Any, Any]]) -> Finding:
    """Compare the exact odds for p above 1/2 with (1-p)/p."""
    odds = {}
    for p in (1 - flip for flip in FLIPS):
        mechanism, shape = case(p)
        odds[p] = exact_epsilon(mechanism, shape=shape, unit="edge").odds
    p, exact = next(iter(odds.items()))
    right = [1 - flip for flip in FLIPS if odds[1 - flip] <= flip / (1 - flip)]
    return len(right) == len(odds), (
        f"At p = {p} Theorem 1 gives ln({1 / p - 1}), below 0, and the exact odds are {exact}; "
        "with p below 1/2, as in every experiment, the theorem's level is exact."
    )


def _complement(rows: Any) -> Any:
    return tuple(
        tuple(int(i != j) - cell for j, cell in enumerate(row)) for i, row in enumerate(rows)
    )


LEVELS: dict[str, Callable[[], Finding]] = {
    "definition-6:range": range_above_half,
    "definition-7:range": bipartite_range_above_half,
    "theorem-1": theorem_1,
    "theorem-1:bipartite": theorem_1_bipartite,
    "theorem-2": theorem_2,
    "theorem-2:printed-end": theorem_2_end,
    "theorem-2:complement": complement_count,
    "theorem-2:bipartite-user": theorem_2_user,
    "theorem-2:bipartite-item": theorem_2_item,
    "section-5:weighted-future-work": weighted_graphs,
}
