"""Statements of Sections 1 to 2.2 about definitions, each decided by trying all small cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product

from pplab.experiments.finding import Finding, listed
from pplab.experiments.noise_graphs.finding import FLIPS, binary_tables
from pplab.response.categorical import DesignMatrix
from pplab.response.noise_graph import BipartiteNoiseGraph, FairCoin
from pplab.theory.added_graphs import two_noise_graphs
from pplab.theory.composition import DisjointRows
from pplab.theory.exact import exact_epsilon

__all__ = ["DEFINITIONS"]

TENTHS = [Fraction(k, 10) for k in range(11)]


def deniability() -> Finding:
    """Whatever is published, both truths stay possible, each user choosing the odds."""
    odds = {p: exact_epsilon(BipartiteNoiseGraph(p), shape=(1, 2), unit="edge").odds for p in FLIPS}
    chosen = DisjointRows([BipartiteNoiseGraph(p) for p in FLIPS])
    together = exact_epsilon(chosen, shape=(len(FLIPS), 1), unit="edge").odds
    true = all(value == (1 - p) / p for p, value in odds.items()) and together == max(odds.values())
    told = listed(f"{value} to 1 at p = {p}" for p, value in odds.items())
    return true, f"Each answer has finite odds, {told}, also when users choose different p."


def design_matrix_words() -> Finding:
    """Is p01 the probability of publishing 0 for an original 1?"""
    matrix = _matrix(Fraction(1, 10), Fraction(1, 4))
    share = matrix.distribution([[1]])[((0,),)]
    return share == matrix.p01, (
        f"With p01 = {matrix.p01} and p10 = {matrix.p10} in p_jk = P(X = k | x = j), an original 1 "
        f"is published as 0 with probability {share}, which is p10."
    )


def design_matrix_addition() -> Finding:
    """Does adding g1 and g2 give the response with the design matrix?"""
    lies = ((Fraction(1, 10), Fraction(1, 4)), (Fraction(0), Fraction(1, 3)), (TENTHS[9],) * 2)
    cases = list(product((_matrix(*pair) for pair in lies), binary_tables(2, 2)))
    equal = [
        matrix.distribution(table)
        == two_noise_graphs(table, removed=1 - matrix.p11, added=1 - matrix.p00)
        for matrix, table in cases
    ]
    return all(equal), f"Equal laws in {sum(equal)} of {len(cases)} cases (2 x 2 cells)."


def printed_test() -> Finding:
    """Does max(p00/p01, p11/p10) <= e^epsilon give epsilon-differential privacy?"""
    matrices = [_matrix(p01, p10) for p01, p10 in product(TENTHS, repeat=2)]
    wrong = [m for m in matrices if m.odds > max(m.printed_odds, 1)]
    low = sum(m.p01 + m.p10 <= 1 for m in wrong)
    often, always = _matrix(TENTHS[9], TENTHS[9]), _matrix(Fraction(1), Fraction(1))
    return not wrong, (
        f"p01 = p10 = 9/10 passes at epsilon = 0 (ratio {often.printed_odds}) with exact odds "
        f"{often.odds}, p01 = p10 = 1 passes at every epsilon with odds {always.odds}; of "
        f"{len(matrices)} matrices in tenths {len(wrong)} pass wrongly, {low} with p01 + p10 <= 1."
    )


def coin_replacement() -> Finding:
    """Is a fair coin with probability 2p a flip with probability p?"""
    cases = list(product((*FLIPS, Fraction(1, 2)), binary_tables(2, 2)))
    equal = [
        FairCoin(replacement_probability=2 * p).distribution(table)
        == BipartiteNoiseGraph(p).distribution(table)
        for p, table in cases
    ]
    return all(equal), f"Equal laws in {sum(equal)} of {len(cases)} cases (2 x 2 cells, four p)."


def replacement() -> Finding:
    """Are G - v = G' - v and "one node replaced with its edges" the same relation?"""
    pairs = 0
    for nodes in (2, 3, 4):
        edges = [frozenset(e) for e in product(range(nodes), repeat=2) if e[0] < e[1]]
        graphs = [frozenset(_chosen(edges, bits)) for bits in product((0, 1), repeat=len(edges))]
        for graph, node in product(graphs, range(nodes)):
            rest = {e for e in graph if node not in e}
            defined = {g for g in graphs if {e for e in g if node not in e} == rest}
            own = [e for e in edges if node in e]
            subsets = (_chosen(own, bits) for bits in product((0, 1), repeat=len(own)))
            if defined != {frozenset(rest.union(new)) for new in subsets}:
                return False, f"They differ on {nodes} nodes at {sorted(map(sorted, graph))}."
            pairs += len(defined)
    return True, f"The two relations agree on all {pairs:,} neighbours on 2 to 4 nodes."


def _matrix(p01: Fraction, p10: Fraction) -> DesignMatrix:
    return DesignMatrix(p00=1 - p01, p01=p01, p10=p10, p11=1 - p10)


def _chosen(edges: Iterable[frozenset], bits: Iterable[int]) -> list[frozenset]:
    return [edge for edge, bit in zip(edges, bits, strict=True) if bit]


DEFINITIONS: dict[str, Callable[[], Finding]] = {
    "abstract:deniability": deniability,
    "section-2.1:design-matrix-words": design_matrix_words,
    "definition-3:equivalence": design_matrix_addition,
    "section-2.1:wang-condition": printed_test,
    "section-2.1:coin-replacement": coin_replacement,
    "definition-5:replacement": replacement,
}
