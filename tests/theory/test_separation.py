"""Theorem 4.4: its bound, where it bites, what blocks keep, and its proof's union bound."""

import math
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from pplab.datasets.blocks import block_model
from pplab.theory.block_votes import block_clustering
from pplab.theory.largest_subgraph import best_suppression, largest_k_anonymous_subgraph
from pplab.theory.separation import (
    least_biting_block,
    least_k,
    separation,
    separation_map,
    suppression_bound,
)
from pplab.theory.separation_proof import (
    proof_factors,
    theorem_slack,
    union_bound_degree,
    union_bound_log,
)
from pplab.theory.smooth_optimum import majority_counts
from pplab.theory.smooth_rule import graphs

OWN = {"nodes": 1024, "block_size": 64, "inside": 0.8, "outside": 0.01}


def test_the_papers_own_data_are_out_of_the_theorems_reach():
    found = separation(**OWN, k=8)
    assert found.least_k == pytest.approx(62.1, abs=0.05)
    assert found.bound / 1024 == pytest.approx(107, abs=0.5)
    assert found.degree == pytest.approx(60.8, abs=1e-9)
    assert not found.says_something
    assert not found.bites
    assert not separation(**OWN, k=1024).says_something  # whatever k


def test_blocks_of_134_are_the_least_at_which_it_bites():
    assert least_biting_block(nodes=1024, inside=0.8) == 134
    for size, bites in ((133, False), (134, True)):
        assert separation(nodes=1024, block_size=size, inside=0.8, k=63).bites is bites
        assert (0.8 * size > (2 * math.log(1024) + 10) / math.log(1.25)) is bites


def test_similarities_need_larger_blocks_than_counts_of_edges():
    """At q = 0.8 and p = 0 blocks reach J = 0.8, suppression at most 106.9 / (0.8 s)."""
    assert least_biting_block(nodes=1024, inside=0.8, measure="jaccard") == 168
    small = separation(nodes=1024, block_size=134, inside=0.8, k=63)
    assert small.bites
    assert not small.bites_in_jaccard
    assert small.suppression_jaccard > 0.99 > small.jaccard
    large = separation(nodes=1024, block_size=256, inside=0.8, k=63)
    assert large.bites_in_jaccard
    assert large.suppression_jaccard == pytest.approx(0.522, abs=1e-3)
    assert large.jaccard == pytest.approx(0.8, abs=1e-6)
    assert not separation(nodes=1024, block_size=256, inside=0.8, k=8).bites_in_jaccard


def test_the_likelier_of_the_two_probabilities_counts():
    turned = separation(nodes=1024, block_size=256, inside=0.3, outside=0.8, k=63)
    assert turned.bound == suppression_bound(nodes=1024, inside=0.8)
    assert turned.least_k == least_k(nodes=1024, inside=0.8)


@pytest.mark.parametrize(("k", "bites"), [(62, False), (63, True), (256, True), (257, False)])
def test_it_bites_between_the_least_k_and_the_size_of_a_block(k, bites):
    assert separation(nodes=1024, block_size=256, inside=0.8, k=k).bites is bites


def test_below_a_half_blocks_have_no_majority_and_above_they_have_nearly_the_printed_counts():
    low = {"nodes": 1024, "block_size": 256, "inside": 0.4}
    assert block_clustering(**low, form="printed").kept == pytest.approx(0.4 * 256 * 1024)
    assert block_clustering(**low).kept < 0.01 * 256 * 1024
    exact, printed = block_clustering(**OWN), block_clustering(**OWN, form="printed")
    for name in ("kept", "created", "removed", "edges"):
        assert getattr(exact, name) == pytest.approx(getattr(printed, name), rel=1e-4)
    assert exact.jaccard == pytest.approx(0.696, abs=5e-4)
    assert exact.suppressed_share == pytest.approx(0.158, abs=5e-4)
    assert exact.created_share == pytest.approx(0.211, abs=5e-4)
    many = block_clustering(nodes=64, block_size=8, inside=0.9, outside=0.7)
    assert many.created > 64 * 50 * 0.3 * 0.9  # outside p > 1/2 everything is published


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("p", [Fraction(1, 5), Fraction(1, 2), Fraction(4, 5)])
def test_exact_counts_are_sums_over_all_votes(size, p):
    nodes, other = 3 * size, Fraction(1, 3)

    def per_cell(prob):
        wins = [c for c in range(size + 1) if 2 * c >= size]
        law = {c: comb(size, c) * prob**c * (1 - prob) ** (size - c) for c in wins}
        kept = sum(c * w for c, w in law.items())
        return kept / size, sum((size - c) * w for c, w in law.items()) / size

    near, far = per_cell(p), per_cell(other)
    found = block_clustering(nodes=nodes, block_size=size, inside=float(p), outside=float(other))
    kept, created = (nodes * (size * a + 2 * size * b) for a, b in zip(near, far, strict=True))
    assert found.kept == pytest.approx(float(kept))
    assert found.created == pytest.approx(float(created))
    assert found.edges == pytest.approx(float(nodes * size * (p + 2 * other)))
    assert found.removed == pytest.approx(found.edges - float(kept))


def test_draws_have_the_expected_counts():
    draws = [
        block_model(block_size=64, blocks=4, inside=0.8, outside=0.01, rng=seed)
        for seed in range(20)
    ]
    counts = [
        (*majority_counts(data.biadjacency, data.labels), data.biadjacency.nnz) for data in draws
    ]
    kept, created, edges = np.array(counts, dtype=float).T
    want = block_clustering(nodes=256, block_size=64, inside=0.8, outside=0.01)
    for sample, mean in (
        (kept, want.kept),
        (created, want.created),
        (edges - kept, want.removed),
    ):
        error = sample.std(ddof=1) / math.sqrt(len(sample))
        assert abs(sample.mean() - mean) < 5 * error


def test_ends_of_the_interval():
    assert least_k(nodes=1024, inside=1) == math.inf
    assert suppression_bound(nodes=1024, inside=1) == math.inf
    assert least_k(nodes=1024, inside=0) == 0
    assert least_k(nodes=1, inside=0.5) == 0
    assert least_biting_block(nodes=1024, inside=0.99) is None  # least k above n
    assert block_clustering(nodes=8, block_size=2, inside=0, outside=0).jaccard == 1


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"inside": 1.1}, "inside"),
        ({"inside": float("nan")}, "inside"),
        ({"outside": -0.1}, "outside"),
        ({"nodes": 0}, "nodes"),
        ({"block_size": 1025}, "block_size"),
        ({"block_size": 2.0}, "block_size"),
        ({"k": 1}, "k must"),
    ],
)
def test_bad_models_are_refused(change, named):
    with pytest.raises((TypeError, ValueError), match=named):
        separation(**{**OWN, "k": 8, **change})


def test_unknown_words_are_refused():
    with pytest.raises(ValueError, match="measure must be one of"):
        least_biting_block(nodes=64, inside=0.5, measure="rows")
    with pytest.raises(ValueError, match="form must be one of"):
        block_clustering(**OWN, form="about")


def test_the_map_has_a_row_per_combination_and_agrees_with_single_calls():
    found = separation_map(
        nodes=[64, 1024], block_sizes=[16, 64, 256], insides=[0.3, 0.8], ks=[8, 63], outside=0.01
    )
    assert len(found) == (2 + 3) * 2 * 2
    own = found.query("nodes == 1024 and block_size == 64 and inside == 0.8 and k == 8").iloc[0]
    assert own["bound_per_row"] == pytest.approx(106.95, abs=0.05)
    assert own["kept_per_row"] == pytest.approx(51.2, rel=1e-4)
    for row in found.to_dict("records"):
        names = ("nodes", "block_size", "inside", "outside", "k")
        assert separation(**{name: row[name] for name in names}).bites == row["bites"]
    assert found["bites"].sum() == 1


def test_the_proof_prints_two_factors_upside_down():
    found = proof_factors(nodes=1024, k=63)
    assert math.exp(found.printed_log) > 1
    assert math.exp(found.meant_log) < 0.01
    assert found.printed_sets == 0
    assert found.meant_sets == comb(1024, 63)


@pytest.mark.parametrize("k", [62.2, 100, 500])
def test_at_the_bound_of_the_theorem_its_union_bound_is_small(k):
    degree = math.ceil((2 * math.log(1024) + 10) / math.log(1.25))
    log = union_bound_log(nodes=1024, k=math.ceil(k), degree=degree, inside=0.8)
    assert log < -5 * math.ceil(k)  # the proof's own last line, with its binomials left alone


def test_the_union_bound_is_the_binomials_and_powers():
    want = math.log(comb(20, 4) * comb(20, 7) * 0.3**28)
    assert union_bound_log(nodes=20, k=4, degree=7, inside=0.3) == pytest.approx(want)
    assert union_bound_log(nodes=20, k=4, degree=7, inside=0) == -math.inf
    assert union_bound_degree(nodes=20, k=4, inside=1) == 20
    assert union_bound_degree(nodes=20, k=4, inside=0) == 0


@pytest.mark.parametrize("k", [63, 100, 300])
def test_solved_exactly_the_union_bound_bites_on_the_papers_own_data(k):
    degree = union_bound_degree(nodes=1024, k=k, inside=0.8)
    assert degree < 51.2
    assert theorem_slack(nodes=1024, k=k, inside=0.8) > 4
    assert union_bound_log(nodes=1024, k=k, degree=degree + 1, inside=0.8) <= math.log(0.01)
    assert union_bound_log(nodes=1024, k=k, degree=degree, inside=0.8) > math.log(0.01)


@pytest.mark.parametrize("q", [Fraction(1, 10), Fraction(1, 3), Fraction(4, 5)])
@pytest.mark.parametrize(("k", "degree"), [(2, 1), (2, 2), (2, 3), (3, 1), (3, 2)])
def test_users_who_share_items_are_at_most_as_likely_as_the_union_bound(q, k, degree):
    """The exact probability, over all graphs of 3 x 3 cells."""
    exact = Fraction(0)
    for graph in graphs(3, 3, 1):
        table = np.array(graph)
        if any(table[list(rows)].all(axis=0).sum() >= degree for rows in combinations(range(3), k)):
            ones = int(table.sum())
            exact += q**ones * (1 - q) ** (9 - ones)
    bound = comb(3, k) * comb(3, degree) * q ** (k * degree)
    assert exact <= bound
    log = union_bound_log(nodes=3, k=k, degree=degree, inside=float(q))
    assert log == pytest.approx(math.log(bound))


@pytest.mark.parametrize(("blocks", "inside", "k"), [(2, 0.5, 6), (2, 0.3, 4), (4, 0.1, 2)])
def test_exact_searches_on_small_draws_stay_below_the_bound(blocks, inside, k):
    assert k >= least_k(nodes=8, inside=inside)
    limit = suppression_bound(nodes=8, inside=inside)
    for seed in range(20):
        graph = block_model(
            block_size=8 // blocks, blocks=blocks, inside=inside, outside=0, rng=seed
        ).biadjacency
        assert largest_k_anonymous_subgraph(graph, k).edges <= limit


def test_the_best_suppression_found_is_far_below_the_bound_and_blocks_far_above_it():
    data = block_model(block_size=256, blocks=4, inside=0.8, outside=0, rng=3)
    found = best_suppression(data.biadjacency, 63, labels=data.labels, starts=1, rng=1)
    kept, _ = majority_counts(data.biadjacency, data.labels)
    assert 0 < found.edges < suppression_bound(nodes=1024, inside=0.8) < kept
    assert found.edges <= 1024 * union_bound_degree(nodes=1024, k=63, inside=0.8)
