"""The best smooth k-anonymous copy against every copy that the definition allows."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from pplab.theory.groupings import groupings
from pplab.theory.smooth_optimum import majority_counts, majority_jaccard, smooth_optimum
from pplab.theory.smooth_rule import graphs, meets_majority_rule


def similarity(graph, copy):
    graph, copy = np.array(graph, dtype=bool), np.array(copy, dtype=bool)
    union = int((graph | copy).sum())
    return Fraction(int((graph & copy).sum()), union) if union else Fraction(1)


def allowed_copies(graph, k):
    """All smooth k-anonymous copies, over every graph of the size."""
    for copy in graphs(len(graph), len(graph[0]), 1):
        enough = min(Counter(copy).values()) >= k
        if enough and meets_majority_rule(graph, copy, read_on="original"):
            yield copy


def labels_of(groups, rows):
    labels = np.empty(rows, dtype=np.int64)
    for number, group in enumerate(groups):
        labels[group] = number
    return labels


@pytest.mark.parametrize(("users", "items", "k"), [(3, 2, 2), (4, 2, 2), (2, 3, 2), (3, 3, 3)])
def test_nothing_that_the_definition_allows_is_better(users, items, k):
    some = list(graphs(users, items, 1))
    for graph in some[:: 1 if len(some) < 100 else 7]:
        best = max(similarity(graph, copy) for copy in allowed_copies(graph, k))
        assert smooth_optimum(graph, k).jaccard == best


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("k", [2, 3, 4])
def test_it_is_the_best_of_all_groupings_and_reports_its_own_numbers(seed, k):
    table = (np.random.default_rng(seed).random((8, 6)) < 0.4).astype(int)
    found = smooth_optimum(table, k)
    ways = (labels_of(groups, 8) for groups in groupings(8, k))
    assert found.jaccard == max(majority_jaccard(table, labels) for labels in ways)
    assert found.jaccard == majority_jaccard(table, found.labels)
    assert (found.kept, found.created) == majority_counts(table, found.labels)
    assert found.jaccard == Fraction(found.kept, int(table.sum()) + found.created)
    assert np.bincount(found.labels).min() >= k


@pytest.mark.parametrize("seed", range(2))
def test_each_kept_item_raises_the_similarity(seed):
    """All choices of kept items in two groups: more is strictly better, ties and all."""
    table = (np.random.default_rng(seed).random((4, 3)) < 0.6).astype(int)
    have = table.reshape(2, 2, 3).sum(axis=1)
    allowed = [(g, f) for g, f in product(range(2), range(3)) if 2 * have[g, f] >= 2]

    def reached(chosen):
        kept = sum(int(have[cell]) for cell in chosen)
        return Fraction(kept, int(table.sum()) + sum(2 - int(have[cell]) for cell in chosen))

    for size in range(len(allowed)):
        for chosen in combinations(allowed, size):
            for more in set(allowed) - set(chosen):
                assert reached((*chosen, more)) > reached(chosen)
    assert reached(allowed) == majority_jaccard(table, np.array([0, 0, 1, 1]))


def test_a_group_of_twice_k_can_be_better_than_any_split():
    """Unlike suppression: six users, an item for every three of them, seven private ones each.

    Together they keep every item of three (60 of 102 edges, 60 created); each half of a split
    loses those of which it has one.
    """
    triples = [[user in three for three in combinations(range(6), 3)] for user in range(6)]
    table = np.hstack([np.array(triples, dtype=int), np.kron(np.eye(6, dtype=int), [[1] * 7])])
    split = majority_jaccard(table, np.array([0, 0, 0, 1, 1, 1]))
    assert split == Fraction(42, 120) < Fraction(60, 162)
    found = smooth_optimum(table, 3)
    assert found.jaccard == Fraction(60, 162)
    assert found.labels.max() == 0


def test_ties_are_an_option_of_the_vote():
    assert majority_counts([[1, 0], [0, 0]], [0, 0]) == (1, 1)
    assert majority_counts([[1, 0], [0, 0]], [0, 0], ties="more-than-half") == (0, 0)


def test_a_graph_without_edges_is_its_own_best_copy():
    found = smooth_optimum(np.zeros((4, 2)), 2)
    assert (found.jaccard, found.kept, found.created) == (1, 0, 0)


def test_order_of_rows_and_columns_does_not_matter():
    rng = np.random.default_rng(4)
    table = (rng.random((8, 6)) < 0.4).astype(int)
    turned = table[rng.permutation(8)][:, rng.permutation(6)]
    assert smooth_optimum(table, 3).jaccard == smooth_optimum(turned, 3).jaccard


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: smooth_optimum(np.ones((13, 2)), 2), "at most 12 rows"),
        (lambda: smooth_optimum(np.ones((4, 2)), 5), "k must be"),
        (lambda: majority_counts(np.ones((4, 2)), [0, 0, 2, 2]), "no cluster empty"),
        (lambda: majority_counts(np.ones((2, 2)), [0, 0], ties="most"), "ties must be one of"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
