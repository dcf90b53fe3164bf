"""The bipartite block model, and the two ways to hold ratings out."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pplab.datasets import block_model, holdout_cells, holdout_users
from pplab.datasets import blocks as blocks_module
from pplab.graphs import rows_of_entries
from tests.helpers import count_fits, tables_with_gaps


def counts(data):
    block = data.labels
    graph = data.biadjacency
    same = block[rows_of_entries(graph)] == block[graph.indices]
    return int(same.sum()), int((~same).sum())


@pytest.mark.parametrize(
    ("size", "blocks", "inside", "outside"),
    [(64, 16, 0.8, 0.01), (60, 4, 0.2, 0.4), (1, 300, 0.5, 0.1), (200, 1, 0.3, 0.9)],
)
def test_edges_inside_and_outside_have_the_stated_probabilities(size, blocks, inside, outside):
    data = block_model(block_size=size, blocks=blocks, inside=inside, outside=outside, rng=7)
    n = size * blocks
    assert data.biadjacency.shape == (n, n)
    assert data.biadjacency.has_canonical_format
    assert data.biadjacency.dtype == np.int32
    assert set(np.unique(data.biadjacency.data)) == {1}
    assert repr(data).startswith(f"<block-model (generated): {n:,} users x {n:,} items, ")
    assert (data.source, data.ratings, data.checksums) == ("generated", None, {})
    near, far = counts(data)
    assert count_fits(near, n * size, inside)
    if blocks > 1:
        assert count_fits(far, n * (n - size), outside)
    assert not count_fits(near, n * size, inside * 1.3 if inside < 0.7 else inside / 1.3)


def test_every_cell_has_its_chance():
    """Cell by cell over many seeds: no row, column or corner is left out."""
    runs = 500
    total = np.zeros((6, 6))
    for seed in range(runs):
        data = block_model(block_size=2, blocks=3, inside=0.7, outside=0.2, rng=seed)
        total += data.biadjacency.toarray()
    for row, column in np.ndindex(6, 6):
        probability = 0.7 if row // 2 == column // 2 else 0.2
        assert count_fits(total[row, column], runs, probability, alpha=1e-6 / 36)


SIDES, CERTAIN = st.integers(1, 6), st.sampled_from([0.0, 1.0])


@given(size=SIDES, blocks=SIDES, inside=CERTAIN, outside=CERTAIN)
def test_certain_cells_are_exact(size, blocks, inside, outside):
    data = block_model(block_size=size, blocks=blocks, inside=inside, outside=outside, rng=0)
    same = data.labels[:, None] == data.labels[None, :]
    assert np.array_equal(data.biadjacency.toarray(), np.where(same, inside, outside))
    assert data.labels.tolist() == data.users["block"].tolist() == data.items["block"].tolist()


def test_drawing_in_pieces_leaves_no_cell_out(monkeypatch):
    """Where one piece of gaps ends the next begins: with 3 at a time every cell is near a seam."""
    monkeypatch.setattr(blocks_module, "_CHUNK", 3)
    full = block_model(block_size=4, blocks=3, inside=1.0, outside=1.0, rng=0)
    assert full.biadjacency.nnz == 144
    data = block_model(block_size=40, blocks=5, inside=0.6, outside=0.3, rng=5)
    near, far = counts(data)
    assert count_fits(near, 200 * 40, 0.6)
    assert count_fits(far, 200 * 160, 0.3)


def test_memory_grows_with_the_edges_not_with_the_cells():
    tracemalloc.start()
    data = block_model(block_size=50, blocks=4000, inside=0.1, outside=1e-6, rng=3)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert data.biadjacency.shape == (200_000, 200_000)  # 4e10 cells
    assert peak < 200 * data.biadjacency.nnz


# The two ways to hold ratings out.


@settings(max_examples=60, deadline=None)
@given(tables_with_gaps(1.0, 2.0, 3.0), st.floats(0.01, 0.99), st.integers(0, 99))
def test_hidden_cells_and_training_make_the_table(ratings, share, seed):
    rated = np.count_nonzero(~np.isnan(ratings))
    hidden = round(rated * share)
    if not 0 < hidden < rated:
        with pytest.raises(ValueError, match="share must leave ratings on both sides"):
            holdout_cells(ratings, share=share, rng=seed)
        return
    split = holdout_cells(ratings, share=share, rng=seed)
    assert len(split.ratings) == hidden
    assert np.isnan(split.training[split.rows, split.columns]).all()
    mended = split.training.copy()
    mended[split.rows, split.columns] = split.ratings
    assert np.array_equal(mended, ratings, equal_nan=True)
    assert (np.diff(split.rows * 3 + split.columns) > 0).all()


def test_every_cell_is_as_likely_to_be_hidden():
    rng = np.random.default_rng(1)
    counts = np.zeros((2, 5))
    for _ in range(2000):
        split = holdout_cells(np.ones((2, 5)), share=0.3, rng=rng)
        counts[split.rows, split.columns] += 1
    # 600 expected in each of ten cells, standard deviation 20.5: six of them, 2e-8 in all
    assert (np.abs(counts - 600) < 6 * 20.5).all()


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 50), st.integers(0, 99))
def test_users_are_split_in_two(users, seed):
    if round(users * 0.2) == 0:
        with pytest.raises(ValueError, match="share must leave users on both sides"):
            holdout_users(users, share=0.2, rng=seed)
        return
    training, test = holdout_users(users, share=0.2, rng=seed)
    assert len(test) == round(users * 0.2)
    assert sorted([*training, *test]) == list(range(users))
    assert (np.diff(training) > 0).all()
    assert (np.diff(test) > 0).all()
