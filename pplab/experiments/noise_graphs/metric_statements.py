"""Statements of Sections 2.3, 3.2 and 4.1 about weights and measures, on all small cases."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from sklearn.metrics import mean_absolute_error

from pplab.experiments.finding import Finding, listed
from pplab.experiments.noise_graphs import paper
from pplab.experiments.noise_graphs.finding import FLIPS, binary_tables
from pplab.metrics.error import jaccard_similarity
from pplab.metrics.risk import sensitive_attribute_imprecision, sensitive_attribute_risk
from pplab.response.noise_graph import BipartiteNoiseGraph
from pplab.response.ratings import NORMS, fuzzy_xor

__all__ = ["METRICS"]

_ITEMS = 4
_FIFTHS = [Fraction(k, 5) for k in range(6)]


def boolean_xor() -> Finding:
    """Is the fuzzy exclusive or the Boolean one on 0 and 1?"""
    bits = list(product((0, 1), repeat=2))
    right = [
        norm
        for norm in NORMS
        if all(fuzzy_xor(Fraction(x), Fraction(y), norm=norm) == x ^ y for x, y in bits)
    ]
    return len(right) == len(NORMS), f"True of {len(right)} of {len(NORMS)} norms: {listed(right)}."


def xor_on_the_union() -> Finding:
    """Have both graphs a weight wherever the third case of Definition 8 is said to apply?"""
    sets = list(product((0, 1), repeat=3))
    pairs = list(product(sets, repeat=2))
    both = [(list(map(min, *pair)), list(map(max, *pair))) for pair in pairs]
    defined = [pair for pair in both if pair[0] == pair[1]]  # the union is the intersection
    total = len(pairs)
    same = [
        norm for norm in NORMS if all(fuzzy_xor(x, Fraction(0), norm=norm) == x for x in _FIFTHS)
    ]
    return len(defined) == total, (
        f"Both weights exist on the whole union in {len(defined)} of {total} pairs of edge sets on "
        "three cells, elsewhere on the intersection only; harmless, since with 0 for an absent "
        f"weight the formula gives the first two cases under {listed(same)}."
    )


def jaccard_when_subset() -> Finding:
    """Is |r| / |R| the Jaccard similarity when r lies in R?"""
    cases = [(r, big) for r, big in _pairs() if _inside(r, big) and sum(big)]
    right = [sum(r) / sum(big) == jaccard_similarity([r], [big]) for r, big in cases]
    return all(right), f"Equal for {sum(right)} of {len(cases)} pairs of sets within four items."


def jaccard_chain() -> Finding:
    """Is the distance |g| / |g u G|, and can it be 1 at any number of changes?"""
    ones, chain = set(), []
    for true, published in _pairs():
        noise = [a ^ b for a, b in zip(true, published, strict=True)]
        union = sum(map(max, noise, true))
        distance = 1 - jaccard_similarity([true], [published])
        chain.append(math.isclose(distance, sum(noise) / union if union else 0.0))
        if distance == 1:
            ones.add(sum(noise))
    numbers = sorted(ones)
    return all(chain) and numbers == list(range(1, _ITEMS + 1)), (
        f"The chain holds for {sum(chain)} of {len(chain)} pairs of sets within four items, and "
        f"the distance is 1 with {listed(map(str, numbers))} changes."
    )


def risk_consistent() -> Finding:
    """Does Definition 11 give |r| / |R| when nothing is removed?"""
    cases = [(true, seen) for true, seen in _pairs() if _inside(true, seen) and sum(seen)]
    right = [sensitive_attribute_risk([r], [seen])[0] == sum(r) / sum(seen) for r, seen in cases]
    return all(right), f"Equal for {sum(right)} of {len(cases)} pairs of sets within four items."


def weighted_risk() -> Finding:
    """Is the weighted risk the plain one when all weights are 1?"""
    cases = [pair for pair in _pairs() if any(map(max, *pair))]
    right = [
        sensitive_attribute_risk([true], [seen], weighted=True)[0]
        == sensitive_attribute_risk([true], [seen])[0]
        for true, seen in cases
    ]
    return all(right), (f"Equal for {sum(right)} of {len(cases)} pairs of sets within four items.")


def imprecision_is_mean_absolute_error() -> Finding:
    """Is SA_I the mean absolute error over the union of the edges?"""
    rows = np.array(list(product(range(4), repeat=2)))  # weights 1 to 3, 0 for no edge
    cases = [(one, other) for one, other in product(rows, repeat=2) if (one + other).any()]
    right = []
    for one, other in cases:
        union = (one + other) > 0
        error = mean_absolute_error(one[union], other[union])
        right.append(math.isclose(sensitive_attribute_imprecision([one], [other]), error))
    return all(right), (
        f"Equal in {sum(right):,} of {len(cases):,} pairs of weighted rows; equation 5 prints the "
        "edge set where its size is meant."
    )


def mean_noise() -> Finding:
    """Has a noise graph p n m edges on average?"""
    shapes = [(1, 1), (2, 2), (2, 3)]
    right = []
    for (n, m), p in product(shapes, FLIPS):
        law = BipartiteNoiseGraph(p).distribution(np.zeros((n, m), dtype=int))
        mean = sum(share * sum(map(sum, graph)) for graph, share in law.items())
        right.append(mean == p * n * m)
    cells = paper.LIKES_USERS * paper.LIKES_ITEMS
    return all(right), (
        f"Exact mean p n m in {sum(right)} of {len(right)} enumerations; the printed n and m have "
        f"{cells:,} cells, as printed."
        if cells == paper.LIKES_CELLS
        else f"The printed n and m have {cells:,} cells, printed {paper.LIKES_CELLS:,}."
    )


def _pairs() -> list[tuple[Any, Any]]:
    """All pairs of sets within four items, as rows of 0 and 1."""
    rows: list[Any] = [row for (row,) in binary_tables(1, _ITEMS)]
    return [(one, other) for one in rows for other in rows]


def _inside(small: Any, big: Any) -> bool:
    return all(a <= b for a, b in zip(small, big, strict=True))


METRICS: dict[str, Callable[[], Finding]] = {
    "section-2.3:boolean": boolean_xor,
    "definition-8:common-edges": xor_on_the_union,
    "section-3.2:jaccard-when-subset": jaccard_when_subset,
    "section-3.2:jaccard-chain": jaccard_chain,
    "definition-11:consistent": risk_consistent,
    "definition-12:generalises": weighted_risk,
    "definition-13:mean-absolute-error": imprecision_is_mean_absolute_error,
    "section-4.1:mean-noise": mean_noise,
}
