"""Theorem 4.4: its bound, where it bites, and what blocks keep."""

import math
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest

from pplab.smooth.optimum import groupings
from pplab_papers.smooth.theorem_4_4 import (
    block_clustering,
    largest_k_anonymous_subgraph,
    least_k,
    suppression_bound,
)
from pplab_papers.smooth.theorem_4_4 import separation_of_blocks as separation

OWN = {"nodes": 1024, "block_size": 64, "inside": 0.8, "outside": 0.01}


def test_the_papers_own_data_are_out_of_the_theorems_reach():
    result = separation(**OWN)
    assert result.least_k == pytest.approx(62.1, abs=0.05)
    assert result.bound / 1024 == pytest.approx(107, abs=0.5)
    assert result.degree == pytest.approx(60.8, abs=1e-9)
    assert result.jaccard == pytest.approx(0.696, abs=5e-4)
    assert result.suppression_jaccard == 1


def test_it_bites_in_similarities_from_blocks_of_168_on():
    """At q = 0.8 and p = 0 blocks reach J = 0.8, suppression at most 106.9 / (0.8 s)."""
    for size in (167, 168, 256):
        result = separation(nodes=1024, block_size=size, inside=0.8)
        assert result.jaccard == pytest.approx(0.8, abs=1e-6)
        assert (result.suppression_jaccard < result.jaccard) == (size > 167)
    assert result.suppression_jaccard == pytest.approx(0.522, abs=1e-3)
    turned = separation(nodes=1024, block_size=256, inside=0.3, outside=0.8)
    assert turned.bound == suppression_bound(nodes=1024, inside=0.8)  # the likelier one counts
    assert turned.least_k == least_k(nodes=1024, inside=0.8)
    assert turned.suppression_jaccard == pytest.approx(turned.bound / 1024 / turned.degree)


def test_below_a_half_blocks_have_no_majority_and_above_they_have_nearly_the_printed_counts():
    low = {"nodes": 1024, "block_size": 256, "inside": 0.4}
    assert block_clustering(**low, form="printed").kept == pytest.approx(0.4 * 256 * 1024)
    assert block_clustering(**low).kept < 0.01 * 256 * 1024
    exact, printed = block_clustering(**OWN), block_clustering(**OWN, form="printed")
    for name in ("kept", "created", "removed", "edges"):
        assert getattr(exact, name) == pytest.approx(getattr(printed, name), rel=1e-4)
    many = block_clustering(nodes=64, block_size=8, inside=0.9, outside=0.7)
    assert many.created > 64 * 50 * 0.3 * 0.9  # outside p > 1/2 everything is published


@pytest.mark.parametrize(("size", "p"), [*product((1, 2, 3, 4), (Fraction(1, 2), Fraction(4, 5)))])
def test_exact_counts_are_sums_over_all_votes(size, p):
    nodes, other = 3 * size, Fraction(1, 3)

    def per_cell(prob):
        wins = [c for c in range(size + 1) if 2 * c >= size]
        law = {c: comb(size, c) * prob**c * (1 - prob) ** (size - c) for c in wins}
        kept = sum(c * w for c, w in law.items())
        return kept / size, sum((size - c) * w for c, w in law.items()) / size

    near, far = per_cell(p), per_cell(other)
    result = block_clustering(nodes=nodes, block_size=size, inside=float(p), outside=float(other))
    kept, created = (nodes * (size * a + 2 * size * b) for a, b in zip(near, far, strict=True))
    assert result.kept == pytest.approx(float(kept))
    assert result.created == pytest.approx(float(created))
    assert result.edges == pytest.approx(float(nodes * size * (p + 2 * other)))
    assert result.removed == pytest.approx(result.edges - float(kept))


def test_ends_of_the_interval():
    assert least_k(nodes=1024, inside=1) == math.inf
    assert suppression_bound(nodes=1024, inside=1) == math.inf
    assert least_k(nodes=1024, inside=0) == 0
    assert least_k(nodes=1, inside=0.5) == 0
    assert block_clustering(nodes=8, block_size=2, inside=0, outside=0).jaccard == 1


# The largest k-anonymous subgraph against brute force.


def random_table(seed, shape=(6, 4), share=0.6):
    return (np.random.default_rng(seed).random(shape) < share).astype(int)


def by_all_subgraphs(table, k):
    """Edges of the largest k-anonymous subgraph, over every set of kept edges."""
    cells = np.argwhere(table)
    best = 0
    for keep in product((0, 1), repeat=len(cells)):
        copy = np.zeros_like(table)
        copy[tuple(cells.T)] = keep
        _, counts = np.unique(copy, axis=0, return_counts=True)
        if counts.min() >= k:
            best = max(best, int(copy.sum()))
    return best


@pytest.mark.parametrize("k", [2, 3, 4])
def test_it_is_the_largest_of_all_subgraphs(k):
    for seed in range(5):
        table = random_table(seed, shape=(4, 3), share=0.7)
        assert largest_k_anonymous_subgraph(table, k) == by_all_subgraphs(table, k), seed
    assert largest_k_anonymous_subgraph(np.zeros((4, 2)), 2) == 0


def test_groupings_are_all_partitions():
    bell = {2: 2, 3: 5, 4: 15, 5: 52, 6: 203}
    for rows, partitions in bell.items():
        results = [tuple(map(tuple, groups)) for groups in groupings(rows, 2)]
        assert len(set(results)) == len(results) < partitions
        assert all(sorted(sum(groups, ())) == list(range(rows)) for groups in results)
    assert len(list(groupings(6, 2))) == 1 + 15 + 10 + 15  # 6; 4+2; 3+3; 2+2+2
