"""Decisive insiders read the others' cells: against every world, and every draw of insiders."""

from itertools import combinations, product

import numpy as np
import pytest
from scipy import sparse

from pplab.attacks.pivotal_counts import pivotal_counts
from pplab.attacks.pivotal_vote import (
    TIES,
    pivotal_cells,
    pivotal_cells_by_enumeration,
    votes_needed,
)


def vote(rows, ties):
    twice = 2 * rows.sum(axis=0)
    return twice >= len(rows) if ties == "half" else twice > len(rows)


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_what_is_read_is_what_all_worlds_have_in_common(size, ties):
    """All groups on one item, all numbers of insiders."""
    for bits in product((0, 1), repeat=size):
        rows = np.array(bits)[:, None]
        for known in range(size):
            options = {"known": rows[:known], "size": size, "ties": ties}
            quick = pivotal_cells(vote(rows, ties), **options)
            slow = pivotal_cells_by_enumeration(vote(rows, ties), **options)
            assert (slow == quick).all()
            read = quick >= 0
            assert (rows[known:, read] == quick[read]).all()


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("ties", TIES)
def test_several_items_are_read_item_by_item(seed, ties):
    rows = np.random.default_rng(seed).integers(2, size=(4, 3))
    options = {"known": rows[:2], "size": 4, "ties": ties}
    slow = pivotal_cells_by_enumeration(vote(rows, ties), **options)
    assert (slow == pivotal_cells(vote(rows, ties), **options)).all()


def test_two_of_three_who_disagree_read_the_third():
    for third in (0, 1):
        published = vote(np.array([[1], [0], [third]]), "half")
        assert pivotal_cells(published, known=[[1], [0]], size=3) == third
    for agreed in (0, 1):
        published = vote(np.array([[agreed], [agreed], [1 - agreed]]), "half")
        assert pivotal_cells(published, known=[[agreed], [agreed]], size=3) == -1


def test_one_of_three_who_was_outvoted_reads_both_others():
    assert pivotal_cells([1, 0], known=[[0, 1]], size=3).tolist() == [1, 0]
    assert pivotal_cells([1, 0], known=[[1, 0]], size=3).tolist() == [-1, -1]


def test_pairs_give_themselves_away_without_an_insider():
    assert pivotal_cells([0, 1], known=[], size=2).tolist() == [0, -1]
    assert pivotal_cells([0, 1], known=[], size=2, ties="more-than-half").tolist() == [-1, 1]


@pytest.mark.parametrize("size", [3, 5, 7, 9])
def test_in_an_odd_group_half_of_the_others_split_evenly_read_the_last(size):
    half = size // 2
    known = np.repeat([[1], [0]], half, axis=0)
    for last in (0, 1):
        published = vote(np.vstack([known, [[last]]]), "half")
        assert pivotal_cells(published, known=known, size=size) == last


def test_votes_needed_is_the_least_number_that_wins():
    for size, ties in product(range(1, 10), TIES):
        wins = [c for c in range(size + 1) if vote(np.arange(size)[:, None] < c, ties)[0]]
        assert votes_needed(size, ties=ties) == min(wins)


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("insiders", [0, 1, 2, 3, "all-but-one"])
@pytest.mark.parametrize("seed", range(3))
def test_counts_are_means_over_all_draws_of_insiders(seed, insiders, ties):
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.repeat([0, 1, 2, 3, 4], [1, 2, 3, 4, 5]))
    table = (rng.random((15, 6)) < 0.4).astype(int)
    found = pivotal_counts(table, labels, insiders=insiders, ties=ties)
    for group, size in enumerate(range(1, 6)):
        rows = table[labels == group]
        drawn = size - 1 if insiders == "all-but-one" else min(insiders, size - 1)
        edges, gaps, others = [], [], []
        for known in combinations(range(size), drawn):
            rest = np.setdiff1d(range(size), known)
            if size == 1:
                read = vote(rows, ties).astype(int)
            else:
                options = {"known": rows[list(known)], "size": size, "ties": ties}
                read = pivotal_cells(vote(rows, ties), **options)
            edges.append(len(rest) * (read == 1).sum())
            gaps.append(len(rest) * (read == 0).sum())
            others.append(rows[rest].sum())
        row = found.by_size.iloc[group]
        assert row["insiders"] == drawn
        assert row["edges_read"] == pytest.approx(np.mean(edges))
        assert row["gaps_read"] == pytest.approx(np.mean(gaps))
        assert row["others_edges"] == pytest.approx(np.mean(others))
    assert found.edges_read == pytest.approx(found.by_size["edges_read"].sum())
    assert found.gaps_read == pytest.approx(found.by_size["gaps_read"].sum())
    assert found.edges_share == pytest.approx(
        found.edges_read / found.by_size["others_edges"].sum()
    )


def test_counts_do_not_depend_on_the_order_of_users_items_or_labels():
    rng = np.random.default_rng(3)
    table, labels = (rng.random((24, 8)) < 0.4).astype(int), np.repeat(np.arange(6), 4)
    rows, columns, names = rng.permutation(24), rng.permutation(8), rng.permutation(6)
    one = pivotal_counts(table, labels, insiders=2)
    two = pivotal_counts(table[rows][:, columns], names[labels[rows]], insiders=2)
    assert one.by_size.equals(two.by_size)


def test_a_large_sparse_graph_is_counted_from_its_edges():
    data = sparse.random_array((30_000, 50_000), density=2e-5, rng=1, format="csr")
    data = sparse.csr_array(data[np.sort(np.r_[np.arange(30_000), np.arange(10_000)])])
    found = pivotal_counts(data, np.arange(40_000) // 4, insiders=2)
    assert 0 < found.edges_read < data.nnz
    assert found.gaps_read > 0


def test_no_edges_to_read():
    assert np.isnan(pivotal_counts(np.zeros((3, 2)), [0, 0, 0], insiders=1).edges_share)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pivotal_cells([1], known=[[0], [0], [0]], size=3), "leave somebody"),
        (lambda: pivotal_cells([1], known=[[0], [0]], size=3), "some rows of the others"),
        (lambda: pivotal_cells([0], known=[[1], [1]], size=3), "some rows of the others"),
        (
            lambda: pivotal_cells_by_enumeration([0], known=[[1], [1]], size=3),
            "some rows of the others",
        ),
        (lambda: pivotal_cells([1, 0], known=[[0]], size=3), "row of 2 items per insider"),
        (lambda: pivotal_cells([[1]], known=[[0]], size=3), "one row of a group"),
        (lambda: pivotal_cells([2], known=[[0]], size=3), "zeros and ones"),
        (lambda: pivotal_cells([1], known=[[np.nan]], size=3), "zeros and ones"),
        (lambda: pivotal_cells([1], known=[[0]], size=1), "size must be"),
        (lambda: pivotal_cells([1], known=[[0]], size=3, ties="most"), "ties must be"),
        (lambda: pivotal_cells_by_enumeration([1] * 9, known=[], size=3), r"at most 2\^20"),
        (lambda: pivotal_counts(np.ones((2, 2)), [0, 0], insiders=-1), "insiders must be"),
        (lambda: pivotal_counts(np.ones((2, 2)), [0, 2], insiders=1), "no cluster empty"),
        (lambda: pivotal_counts(np.ones((2, 2)), [0, 0], insiders=1, ties="x"), "ties must be"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_insiders_that_are_no_number_are_refused():
    with pytest.raises(TypeError, match="insiders must be"):
        pivotal_counts(np.ones((2, 2)), [0, 0], insiders="most")
