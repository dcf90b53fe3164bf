"""Decisive insiders read the others' cells: against every world, and every draw of insiders."""

from itertools import combinations, product

import numpy as np
import pytest

from pplab.attacks.votes import pivotal_cells, pivotal_counts, votes_needed
from tests.oracles import cells_in_all_worlds


def vote(rows):
    return 2 * rows.sum(axis=0) >= len(rows)


def test_what_is_read_is_what_all_worlds_have_in_common():
    """All groups of up to 5 on one item, all numbers of insiders; then several items."""
    groups = [
        np.array(bits)[:, None] for size in (2, 3, 4, 5) for bits in product((0, 1), repeat=size)
    ]
    groups += [np.random.default_rng(seed).integers(2, size=(4, 3)) for seed in range(6)]
    for rows in groups:
        for known in range(len(rows)) if rows.shape[1] == 1 else (2,):
            quick = pivotal_cells(vote(rows), known=rows[:known], size=len(rows))
            assert (cells_in_all_worlds(vote(rows), rows[:known], len(rows)) == quick).all()
            read = quick >= 0
            assert (rows[known:, read] == quick[read]).all()


@pytest.mark.parametrize("insiders", [0, 1, 2, 3, 9])
@pytest.mark.parametrize("seed", range(2))
def test_counts_are_means_over_all_draws_of_insiders(seed, insiders):
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.repeat([0, 1, 2, 3, 4], [1, 2, 3, 4, 5]))
    table = (rng.random((15, 6)) < 0.4).astype(int)
    result = pivotal_counts(table, labels, insiders=insiders)
    edges = others = 0.0
    for group, size in enumerate(range(1, 6)):
        rows = table[labels == group]
        draws = [*combinations(range(size), min(insiders, size - 1))]
        for known in draws:
            rest = np.setdiff1d(range(size), known)
            read = vote(rows).astype(int)
            if size > 1:
                read = pivotal_cells(vote(rows), known=rows[list(known)], size=size)
            edges += len(rest) * (read == 1).sum() / len(draws)
            others += rows[rest].sum() / len(draws)
    assert result.edges_read == pytest.approx(edges)
    assert result.edges_share == pytest.approx(edges / others)


def test_no_share_of_no_edges():
    assert np.isnan(pivotal_counts(np.zeros((3, 2)), [0, 0, 0], insiders=1).edges_share)


def test_votes_needed_is_the_least_number_that_wins():
    for size in range(1, 10):
        for ties, share in (("half", size), ("more-than-half", size + 1)):
            wins = [votes for votes in range(size + 1) if 2 * votes >= share]
            assert votes_needed(size, ties=ties) == min(wins)
