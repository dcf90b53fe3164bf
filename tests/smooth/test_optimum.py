"""The best smooth k-anonymous copy against every copy that the definition allows."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from pplab.smooth.optimum import groupings, majority_counts, majority_jaccard, smooth_optimum
from pplab_papers.smooth.cases import graphs
from pplab_papers.smooth.definition_3_5 import meets_majority_rule


def similarity(graph, copy):
    graph, copy = np.array(graph, dtype=bool), np.array(copy, dtype=bool)
    union = int((graph | copy).sum())
    return Fraction(int((graph & copy).sum()), union) if union else Fraction(1)


def allowed_copies(graph, k):
    """All smooth k-anonymous copies, over every graph of the size."""
    for copy in graphs(len(graph), len(graph[0])):
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
    some = list(graphs(users, items))
    for graph in some[:: 1 + len(some) // 25]:
        best = max(similarity(graph, copy) for copy in allowed_copies(graph, k))
        assert smooth_optimum(graph, k).jaccard == best


@pytest.mark.parametrize(("seed", "k"), [(0, 2), (1, 2), (2, 3), (3, 4)])
def test_it_is_the_best_of_all_groupings_and_reports_its_own_numbers(seed, k):
    table = (np.random.default_rng(seed).random((7, 6)) < 0.4).astype(int)
    result = smooth_optimum(table, k)
    ways = (labels_of(groups, 7) for groups in groupings(7, k))
    assert result.jaccard == max(majority_jaccard(table, labels) for labels in ways)
    assert result.jaccard == majority_jaccard(table, result.labels)
    assert (result.kept, result.created) == majority_counts(table, result.labels)
    assert result.jaccard == Fraction(result.kept, int(table.sum()) + result.created)
    assert np.bincount(result.labels).min() >= k


def test_ties_are_an_option_of_the_vote():
    assert majority_counts([[1, 0], [0, 0]], [0, 0]) == (1, 1)
    assert majority_counts([[1, 0], [0, 0]], [0, 0], ties="more-than-half") == (0, 0)


def test_a_graph_without_edges_is_its_own_best_copy():
    result = smooth_optimum(np.zeros((4, 2)), 2)
    assert (result.jaccard, result.kept, result.created) == (1, 0, 0)
