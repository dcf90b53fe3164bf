"""The statements of the paper that need no data: each is decided by code that could say no.

`statements` decides definitions, theorems and sentences of Sections 1 to 5 by enumeration of small
graphs. Salas and Torra 2020, doi 10.5220/0009833804150422.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd

from claimbook.part import Finding, against, listed, statement_rows
from pplab.metrics.error import jaccard_similarity
from pplab.metrics.risk import sensitive_attribute_imprecision, sensitive_attribute_risk
from pplab.response.categorical import DesignMatrix
from pplab.response.noise_graph import BipartiteNoiseGraph, FairCoin, NoiseGraph
from pplab.response.ratings import NORMS, fuzzy_xor
from pplab.theory.composition import DisjointRows, PostProcessed
from pplab.theory.exact import ExactEpsilon, exact_epsilon
from pplab_papers.noise_graphs import paper
from pplab_papers.noise_graphs.theorems import two_noise_graphs, weighted_refutation


def statements() -> pd.DataFrame:
    """Decide definitions, theorems and sentences of Sections 1 to 5 by enumeration.

    Examples
    --------
    >>> theorem_1()[0], theorem_2_user("users")[0], theorem_2_user("all nodes")[0]
    (True, False, True)
    """
    checks: dict[str, Callable[[], Finding]] = {
        "abstract:deniability": deniability,
        "section-2.1:design-matrix-words": design_matrix_words,
        "definition-3:equivalence": design_matrix_addition,
        "section-2.1:coin-replacement": coin_replacement,
        "definition-5:replacement": replacement,
        "definition-6:range": range_above_half,
        "theorem-1": theorem_1,
        "theorem-1:bipartite": theorem_1_bipartite,
        "theorem-2": theorem_2,
        "theorem-2:printed-end": theorem_2_end,
        "theorem-2:complement": complement_count,
        "theorem-2:output-law": output_law,
        "theorem-2:bound": neighbour_bound,
        "theorem-2:bipartite-user-repaired": theorem_2_user_repaired,
        "section-5:weighted-future-work": weighted_graphs,
        "section-2.3:boolean": boolean_xor,
        "definition-8:common-edges": xor_on_the_union,
        "section-3.2:jaccard-when-subset": jaccard_when_subset,
        "section-3.2:jaccard-chain": jaccard_chain,
        "section-3.2:distance-counts": distance_counts,
        "definition-11:consistent": risk_consistent,
        "definition-12:generalises": weighted_risk,
        "definition-13:mean-absolute-error": imprecision_is_mean_absolute_error,
        "section-4.1:mean-noise": mean_noise,
    }
    rows = [statement_rows({name: check() for name, check in checks.items()})]
    carried = {
        "theorem-2:bipartite-user": theorem_2_user,
        "theorem-2:bipartite-item": theorem_2_item,
    }
    for n in NODES:
        rows.append(statement_rows({name: check(n) for name, check in carried.items()}).assign(n=n))
    for likelier in LIKELIER:
        result = statement_rows({"section-2.1:wang-condition": printed_test(likelier)})
        rows.append(result.assign(likelier=likelier))
    return pd.concat(rows, ignore_index=True)


# Sections 1 to 2.2: definitions, each decided by trying all small cases.


FLIPS = (Fraction(1, 4), Fraction(1, 10), Fraction(2, 5))


def _binary_tables(users: int, items: int) -> list[tuple[tuple[int, ...], ...]]:
    """All 0/1 tables of a shape."""
    return list(product(product((0, 1), repeat=items), repeat=users))


TENTHS = [Fraction(k, 10) for k in range(11)]


def deniability() -> Finding:
    """Whatever is published, both truths stay possible, each user choosing the odds."""
    return against(_deniable, BipartiteNoiseGraph, lambda p: _matrix(p, Fraction(0)))


def _deniable(mechanism: Mechanism) -> tuple[bool, str]:
    odds = {p: exact_epsilon(mechanism(p), shape=(1, 2), unit="edge").odds for p in FLIPS}
    chosen = DisjointRows([mechanism(p) for p in FLIPS])
    together = exact_epsilon(chosen, shape=(len(FLIPS), 1), unit="edge").odds
    true = all(value == (1 - p) / p for p, value in odds.items()) and together == max(odds.values())
    text = listed(f"{value} to 1 at p = {p}" for p, value in odds.items())
    return true, f"Each answer has finite odds, {text}, also when users choose different p."


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
    return against(_by_addition, ("p11", "p00"), ("p00", "p11"))


def _by_addition(kept: tuple[str, str]) -> tuple[bool, str]:
    """Edges are removed and added with 1 less these entries of the matrix."""
    lies = ((Fraction(1, 10), Fraction(1, 4)), (Fraction(0), Fraction(1, 3)), (TENTHS[9],) * 2)
    cases = list(product((_matrix(*pair) for pair in lies), _binary_tables(2, 2)))
    equal = []
    for matrix, table in cases:
        removed, added = (1 - getattr(matrix, entry) for entry in kept)
        law = two_noise_graphs(table, removed=removed, added=added)
        equal.append(matrix.distribution(table) == law)
    return all(equal), f"Equal laws in {sum(equal)} of {len(cases)} cases (2 x 2 cells)."


LIKELIER = {"any": 2, "the true one": 1}  # how often both answers may be wrong: p01 + p10


def printed_test(likelier: str) -> Finding:
    """Does max(p00/p01, p11/p10) <= e^epsilon give epsilon-differential privacy?"""
    true, witness = _passes_rightly(LIKELIER[likelier])
    return true, witness, _passes_rightly(LIKELIER["any"])[0]


def _passes_rightly(most: int) -> tuple[bool, str]:
    matrices = [_matrix(p01, p10) for p01, p10 in product(TENTHS, repeat=2) if p01 + p10 <= most]
    wrong = [m for m in matrices if m.odds > max(m.printed_odds, 1)]
    often, always = _matrix(TENTHS[9], TENTHS[9]), _matrix(Fraction(1), Fraction(1))
    told = (
        f"; p01 = p10 = 9/10 passes at epsilon = 0 (ratio {often.printed_odds}) with exact odds "
        f"{often.odds}, p01 = p10 = 1 at every epsilon with odds {always.odds}"
    )
    return not wrong, (
        f"Of {len(matrices)} matrices in tenths with p01 + p10 <= {most} {len(wrong)} pass wrongly"
        f"{told if wrong else ''}."
    )


def coin_replacement() -> Finding:
    """Is a fair coin with probability 2p a flip with probability p?"""
    return against(_fair_coin, 2, 1)


def _fair_coin(times: int) -> tuple[bool, str]:
    cases = list(product((*FLIPS, Fraction(1, 2)), _binary_tables(2, 2)))
    equal = [
        FairCoin(replacement_probability=times * p).distribution(table)
        == BipartiteNoiseGraph(p).distribution(table)
        for p, table in cases
    ]
    return all(equal), f"Equal laws in {sum(equal)} of {len(cases)} cases (2 x 2 cells, four p)."


def replacement() -> Finding:
    """Are G - v = G' - v and "one node replaced with its edges" the same relation?"""
    return against(_replaced, math.inf, 1)


def _replaced(most: float) -> tuple[bool, str]:
    """At most so many edges of the node change."""
    pairs = 0
    for nodes in (2, 3, 4):
        edges = [frozenset(e) for e in product(range(nodes), repeat=2) if e[0] < e[1]]
        graphs = [frozenset(_chosen(edges, bits)) for bits in product((0, 1), repeat=len(edges))]
        for graph, node in product(graphs, range(nodes)):
            rest = {e for e in graph if node not in e}
            defined = {g for g in graphs if {e for e in g if node not in e} == rest}
            own = [e for e in edges if node in e]
            subsets = (_chosen(own, bits) for bits in product((0, 1), repeat=len(own)))
            changed = (frozenset(rest.union(new)) for new in subsets)
            if defined != {other for other in changed if len(other ^ graph) <= most}:
                return False, f"They differ on {nodes} nodes at {sorted(map(sorted, graph))}."
            pairs += len(defined)
    return True, f"The two relations agree on all {pairs:,} neighbours on 2 to 4 nodes."


def _matrix(p01: Fraction, p10: Fraction) -> DesignMatrix:
    return DesignMatrix(p00=1 - p01, p01=p01, p10=p10, p11=1 - p10)


def _chosen(edges: Iterable[frozenset], bits: Iterable[int]) -> list[frozenset]:
    return [edge for edge, bit in zip(edges, bits, strict=True) if bit]


# Sections 2.2, 2.3 and 5: privacy levels, each decided by enumeration.


_NODES = (2, 3, 4)
_SHAPES = ((1, 1), (1, 2), (2, 1), (2, 2), (1, 3), (3, 1))

Mechanism = Callable[[Fraction], Any]


def range_above_half() -> Finding:
    """Is ln((1-p)/p) the level of the noise graph, unipartite and bipartite, for p in (1/2, 1)?"""
    odds = {}
    for p in (1 - flip for flip in FLIPS):
        # Flipping with p is publishing the complement of a graph flipped with 1 - p.
        plain = exact_epsilon(PostProcessed(NoiseGraph(1 - p), _complement), shape=3, unit="edge")
        bipartite = exact_epsilon(_matrix(p, p), shape=(2, 2), unit="edge")
        odds[p] = max(plain.odds, bipartite.odds)
    p, exact = next(iter(odds.items()))
    return all(exact_odds <= (1 - p) / p for p, exact_odds in odds.items()), (
        f"At p = {p} Theorem 1 gives ln({1 / p - 1}), below 0, and the exact odds are {exact}; "
        "with p below 1/2, as in every experiment, the theorem's level is exact."
    )


def theorem_1() -> Finding:
    """Is the noise graph ln((1-p)/p)-edge-private?"""
    return against(lambda unit: _level(NoiseGraph, _NODES, unit, cells=_one), "edge", "node")


def theorem_1_bipartite() -> Finding:
    """Is the bipartite one?"""
    return against(
        lambda unit: _level(BipartiteNoiseGraph, _SHAPES, unit, cells=_one), "edge", "user"
    )


def theorem_2() -> Finding:
    """Is the noise graph n ln((1-p)/p)-node-private?"""
    (true, witness), (exact, _), (null, _) = (_fewer_than_n(less) for less in (0, 1, 2))
    text = f"{witness} (n - 1) ln((1-p)/p) {'is enough' if exact else 'is too little'}."
    return true, text, null


def _fewer_than_n(less: int) -> tuple[bool, str]:
    return _level(NoiseGraph, _NODES, "node", cells=lambda nodes: nodes - less)


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
    text = "{} and {} edges: {} pairs lie outside, stated {}".format(*wrong[0]) if wrong else "none"
    return not wrong, (
        f"On 3 nodes {len(wrong)} of {len(graphs) ** 2} cases differ, first with {text}; the size "
        "of the symmetric difference belongs in place of the union's."
    )


def output_law() -> Finding:
    """Is p^X (1-p)^(cells - X) the chance of an output that differs in X edges?"""
    return against(_chance, lambda p: p, lambda p: 1 - p)


def _chance(differs: Callable[[Fraction], Fraction]) -> tuple[bool, str]:
    """The chance with which each edge of the output differs."""
    right = []
    for nodes, p in product((2, 3), FLIPS):
        graphs = [_graph(nodes, bits) for bits in product((0, 1), repeat=nodes * (nodes - 1) // 2)]
        for graph, law in ((graph, NoiseGraph(p).distribution(graph)) for graph in graphs):
            for output in graphs:
                apart = sum(a != b for a, b in zip(*map(_edges, (graph, output)), strict=True))
                stays = nodes * (nodes - 1) // 2 - apart
                right.append(law[output] == differs(p) ** apart * (1 - differs(p)) ** stays)
    return all(right), f"Equal in {sum(right)} of {len(right)} cases on 2 and 3 nodes, three p."


def neighbour_bound() -> Finding:
    """Do the distances of neighbours to one output differ by at most n?"""
    return against(_bounded, 0, 2)


def _bounded(less: int) -> tuple[bool, str]:
    most = {}
    for nodes in (2, 3, 4):
        own = range(nodes - 1)  # cells of the replaced node: only these differ
        sides = list(product((0, 1), repeat=len(own)))
        gaps = [
            sum(a != s for a, s in zip(one, output, strict=True))
            - sum(b != s for b, s in zip(other, output, strict=True))
            for one, other, output in product(sides, repeat=3)
        ]
        most[nodes] = max(gaps)
    text = listed(f"{gap} on {nodes} nodes" for nodes, gap in most.items())
    return all(gap <= nodes - less for nodes, gap in most.items()), (
        f"The largest difference is {text}: n - 1, since a node has no edge to itself."
    )


NODES = {"users": lambda shape: shape[0], "all nodes": sum}  # n of a bipartite graph


def theorem_2_user(n: str) -> Finding:
    """Is the bipartite one n ln((1-p)/p)-private for a user?"""
    return _bipartite("user", NODES[n], _one)


def theorem_2_user_repaired() -> Finding:
    """Is it m ln((1-p)/p)-private for a user with m items?"""
    return _bipartite("user", lambda shape: shape[1], lambda shape: shape[1] - 1)


def theorem_2_item(n: str) -> Finding:
    """Is it for an item rated by n users?"""
    return _bipartite("item", NODES[n], _one)


def _bipartite(unit: str, right: Callable[[Any], int], wrong: Callable[[Any], int]) -> Finding:
    return against(
        lambda cells: _level(BipartiteNoiseGraph, _SHAPES, unit, cells=cells), right, wrong
    )


def weighted_graphs() -> Finding:
    """Has the weighted addition no finite level for an edge, whatever the norm?"""
    p = Fraction(1, 10)
    binary = exact_epsilon(BipartiteNoiseGraph(p), shape=(1, 1), unit="edge")
    return against(_endless, weighted_refutation(flip_probability=p), {"none": binary})


def _endless(worst: dict[str, ExactEpsilon]) -> tuple[bool, str]:
    infinite = [norm for norm, result in worst.items() if result.odds == math.inf]
    result = worst[(infinite or list(worst))[0]]
    return len(infinite) == len(worst), (
        f"One cell, p = 1/10: the inputs {result.pair[0]} and {result.pair[1]} give the output "
        f"{result.output} with odds {result.odds} (None is no edge); infinite under "
        f"{listed(infinite or ['no norm'])}."
    )


def _one(_: Any) -> int:
    return 1


def _level(
    mechanism: Mechanism, shapes: Iterable[Any], unit: str, *, cells: Callable[[Any], int]
) -> tuple[bool, str]:
    """Compare the exact odds with those of a level of so many cells, on all shapes and p."""
    trials = []
    for shape, p in product(shapes, FLIPS):
        exact = exact_epsilon(mechanism(p), shape=shape, unit=unit).odds
        trials.append((shape, p, exact, (1 / p - 1) ** cells(shape)))
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


def _graph(nodes: int, bits: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    """The graph with these cells above the diagonal, row by row."""
    cell = dict(zip(combinations(range(nodes), 2), bits, strict=True))
    return tuple(
        tuple(cell.get((min(i, j), max(i, j)), 0) for j in range(nodes)) for i in range(nodes)
    )


def _edges(graph: Any) -> list[int]:
    return [graph[i][j] for i, j in combinations(range(len(graph)), 2)]


def _complement(rows: Any) -> Any:
    return tuple(
        tuple(int(i != j) - cell for j, cell in enumerate(row)) for i, row in enumerate(rows)
    )


# Sections 2.3, 3.2 and 4.1: weights and measures, on all small cases.


_ITEMS = 4
_FIFTHS = [Fraction(k, 5) for k in range(6)]


def boolean_xor() -> Finding:
    """Is the fuzzy exclusive or the Boolean one on 0 and 1?"""
    return against(_boolean, fuzzy_xor, lambda x, y, **_: max(x, y))


def _boolean(xor: Callable[..., Any]) -> tuple[bool, str]:
    bits = list(product((0, 1), repeat=2))
    right = [
        norm
        for norm in NORMS
        if all(xor(Fraction(x), Fraction(y), norm=norm) == x ^ y for x, y in bits)
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
    return against(lambda contained: _as_share(_jaccard, contained), True, False)


def _jaccard(true: Any, seen: Any) -> float:
    return jaccard_similarity([true], [seen])


def _as_share(measure: Callable[[Any, Any], float], contained: bool) -> tuple[bool, str]:
    """Is a measure |r| / |R| on all sets r and R, r being contained in R or not?"""
    cases = [pair for pair in _pairs() if _inside(*pair) == contained and sum(pair[1])]
    right = [measure(true, seen) == sum(true) / sum(seen) for true, seen in cases]
    return all(right), f"Equal for {sum(right)} of {len(cases)} pairs of sets within four items."


def jaccard_chain() -> Finding:
    """Is the distance |g| / |g u G|, and can it be 1 at any number of changes?"""
    return against(
        _chain, lambda noise, true: sum(map(max, noise, true)), lambda *sets: sum(map(sum, sets))
    )


def _chain(over: Callable[[Any, Any], int]) -> tuple[bool, str]:
    ones, chain = set(), []
    for true, published in _pairs():
        noise = [a ^ b for a, b in zip(true, published, strict=True)]
        total = over(noise, true)
        distance = 1 - _jaccard(true, published)
        chain.append(math.isclose(distance, sum(noise) / total if total else 0.0))
        if distance == 1:
            ones.add(sum(noise))
    numbers = sorted(ones)
    return all(chain) and numbers == list(range(1, _ITEMS + 1)), (
        f"The chain holds for {sum(chain)} of {len(chain)} pairs of sets within four items, and "
        f"the distance is 1 with {listed(map(str, numbers))} changes."
    )


def distance_counts() -> Finding:
    """Does noise / (noise + true) grow with every change, the number of true items being fixed?"""
    return against(_counting, _risk, _jaccard)


def _risk(true: Any, seen: Any) -> float:
    return float(sensitive_attribute_risk([true], [seen])[0])


def _counting(similarity: Callable[[Any, Any], float]) -> tuple[bool, str]:
    distances: dict[tuple[int, int], set[float]] = {}
    for true, published in _pairs():
        if any(true):
            changes = sum(a != b for a, b in zip(true, published, strict=True))
            distance = 1 - similarity(true, published)
            distances.setdefault((sum(true), changes), set()).add(distance)
    steps = [case for case in distances if case[1] < _ITEMS]
    right = [max(distances[n, c]) < min(distances[n, c + 1]) for n, c in steps]
    return all(right), f"It grows in {sum(right)} of {len(right)} steps within four items."


def risk_consistent() -> Finding:
    """Does Definition 11 give |r| / |R| when nothing is removed?"""
    return against(lambda contained: _as_share(_risk, contained), True, False)


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
    from sklearn.metrics import mean_absolute_error

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
    rows: list[Any] = [row for (row,) in _binary_tables(1, _ITEMS)]
    return [(one, other) for one in rows for other in rows]


def _inside(small: Any, big: Any) -> bool:
    return all(a <= b for a, b in zip(small, big, strict=True))
