"""The largest k-anonymous subgraph against brute force, and the search against the exact one."""

from itertools import product

import numpy as np
import pytest

from pplab.metrics.risk import k_achieved
from pplab.papers.smooth.separation import best_suppression, largest_k_anonymous_subgraph
from pplab.smooth.optimum import best_grouping, groupings


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


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("k", [2, 3, 4])
def test_it_is_the_largest_of_all_subgraphs(seed, k):
    table = random_table(seed, shape=(4, 3), share=0.7)
    found = largest_k_anonymous_subgraph(table, k)
    assert found.edges == by_all_subgraphs(table, k)


@pytest.mark.parametrize("search", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_what_is_given_is_a_k_anonymous_part_of_the_graph(seed, search):
    table = random_table(seed, shape=(9, 6))
    exact = largest_k_anonymous_subgraph(table, 3)
    found = best_suppression(table, 3, rng=seed) if search else exact
    copy = found.biadjacency.toarray()
    assert (copy <= table).all()
    assert copy.sum() == found.edges <= exact.edges
    assert k_achieved(found.biadjacency) >= 3
    assert np.bincount(found.labels).min() >= 3


def test_the_search_finds_planted_twins_and_gives_the_same_for_the_same_seed():
    rng = np.random.default_rng(2)
    rows = (rng.random((10, 40)) < 0.3).astype(int)
    table = np.repeat(rows, 4, axis=0)[rng.permutation(40)]
    found = best_suppression(table, 4, rng=7)
    assert found.edges == table.sum()
    assert np.array_equal(found.labels, best_suppression(table, 4, rng=7).labels)


def test_groups_that_are_passed_count_and_too_small_ones_do_not():
    table = np.kron(np.eye(2, dtype=int), np.ones((4, 4), dtype=int))
    blocks = np.repeat([0, 1], 4)
    assert best_suppression(table, 4, labels=blocks, starts=1, rng=1).edges == 32
    alone = best_suppression(table, 5, labels=blocks, starts=1, rng=1)
    assert alone.edges == 0
    assert k_achieved(alone.biadjacency) == 8


def test_a_graph_without_edges_has_an_empty_best():
    assert largest_k_anonymous_subgraph(np.zeros((4, 2)), 2).edges == 0
    assert best_suppression(np.zeros((4, 2)), 2, rng=1).edges == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: largest_k_anonymous_subgraph(np.ones((13, 2)), 2), "at most 12 rows"),
        (lambda: largest_k_anonymous_subgraph(np.ones((4, 2)), 5), "k must be"),
        (lambda: largest_k_anonymous_subgraph(np.ones((4, 2)), 1), "k must be"),
        (lambda: best_suppression(np.ones((4, 2)), 5, rng=1), "k must be"),
        (lambda: best_suppression(np.ones((4, 2)), 2, labels=[0, 1], rng=1), "labels must"),
        (lambda: best_suppression(np.ones((4, 2)), 2, starts=0, rng=1), "starts must be"),
        (lambda: next(groupings(1, 2)), "rows must be"),
        (lambda: best_grouping([0] * 16, 4, 5), "k must be"),
        (lambda: best_grouping([0] * 15, 4, 2), "values must be 16"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_edges_are_counted_not_items():
    """Two groups of three keep 18 edges and 6 items; three pairs keep 7 items and 14 edges."""
    table = np.kron(np.eye(2, dtype=int), np.ones((3, 3), dtype=int))
    table = np.column_stack([table, [0, 0, 1, 1, 0, 0]])
    assert largest_k_anonymous_subgraph(table, 2).edges == 18


def test_groupings_are_all_partitions():
    bell = {2: 2, 3: 5, 4: 15, 5: 52, 6: 203}
    for rows, partitions in bell.items():
        found = [tuple(map(tuple, groups)) for groups in groupings(rows, 2)]
        assert len(set(found)) == len(found) < partitions
        assert all(sorted(sum(groups, ())) == list(range(rows)) for groups in found)
    assert len(list(groupings(6, 2))) == 1 + 15 + 10 + 15  # 6; 4+2; 3+3; 2+2+2
    assert len(list(groupings(9, 4))) == 1 + 126
