"""Groups that agree, means at the ends of the scale, and group rows as predictions."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from pplab.attacks.homogeneity import group_inference, homogeneous_cells, revealed_by_mean
from pplab.microaggregation.microaggregate import group_means
from pplab.smooth.groups import random_groups
from tests.helpers import some_ratings

SCALE = (1, 5)


@given(st.integers(2, 12), st.integers(1, 5), st.integers(0, 2**32), st.sampled_from([0.2, 0.9]))
def test_homogeneous_cells_cell_by_cell(users, items, seed, filled):
    table = some_ratings(users, items, seed, filled)
    labels = random_groups(np.ones((users, items)), 2, rng=seed % 1000)
    result = homogeneous_cells(table, labels=labels * 3, rating_range=SCALE)
    rated = ~np.isnan(table)
    alike = pd.DataFrame(table).groupby(labels).transform("nunique") == 1
    assert np.array_equal(result.cells, rated & alike)
    assert result.share == pytest.approx(result.cells.sum() / rated.sum())
    assert result.by_raters.cells.sum() == rated.sum()
    assert result.by_raters.disclosed.sum() == result.cells.sum()


@given(st.integers(2, 12), st.integers(1, 4), st.integers(0, 2**32))
def test_what_a_mean_reveals_is_true_and_all_that_agree_at_an_end_are_found(users, items, seed):
    full = np.random.default_rng(seed).choice([1.0, 3.0, 5.0, 5.0], (users, items))
    labels = random_groups(full, 2, rng=seed % 1000)
    values = revealed_by_mean(group_means(full, labels), rating_range=SCALE).revealed
    shown = ~np.isnan(values)
    np.testing.assert_array_equal(values[shown], full[shown])
    agree = homogeneous_cells(full, labels=labels, rating_range=SCALE).cells
    np.testing.assert_array_equal(shown, agree & (full != 3))


def test_inference_cell_by_cell():
    table = some_ratings(12, 6, seed=4, filled=0.5)
    labels = np.arange(12) // 3
    filling = np.arange(6) / 2 + 1
    full = np.where(np.isnan(table), filling, table)
    means = group_means(full, labels)
    result = group_inference(table, means, rating_range=SCALE, filling=filling)
    group, item = (abs(guess - table) for guess in (means, np.nanmean(table, axis=0)))
    alone = abs(np.clip(filling + 3 * (means - filling), *SCALE) - table)
    assert result.group_error == pytest.approx(np.nanmean(group))
    assert result.item_error == pytest.approx(np.nanmean(item))
    assert result.lone_error == pytest.approx(np.nanmean(alone))
    assert result.lone_exact == pytest.approx(np.mean(alone[~np.isnan(table)] < 1e-6))


def test_small_tables():
    def agreed(ratings, labels, scale=SCALE):
        return homogeneous_cells(ratings, labels=labels, rating_range=scale)

    assert agreed(np.full((50, 4), 5.0), np.zeros(50, int)).cells.all()  # whatever the size
    lone = agreed([[5, 2], [0, 3]], [0, 0]).by_raters  # a lone rater agrees, and is counted apart
    assert lone.to_numpy().tolist() == [[1, 1, 1, 1.0], [2, 2, 0, 0.0]]
    stored = sparse.csr_array(([0.0, 0.0, 3.0], ([0, 1, 1], [0, 0, 1])), shape=(2, 2))
    cells = agreed(stored, [0, 0], (-10, 10)).cells  # a stored 0 is a rating
    assert cells.tolist() == [[True, False], [True, True]]
    for table, share in (
        ([[3.0, 0.0]] * 2, 0),
        ([[5 - 1e-12]], 1),  # scaled and scaled back
        ([[5 - 1 / 943]], 0),
        ([[5, 3, 1, 4]] * 2, 0.5),
    ):
        result = ~np.isnan(revealed_by_mean(table, rating_range=SCALE).revealed)
        assert result.mean(axis=1).tolist() == [share] * len(table)
    lone = np.where(np.eye(30), 5.0, 3.0)  # everybody rated one item of his own
    means = np.tile(lone.mean(axis=0), (30, 1))
    result = group_inference(np.diag(np.full(30, 5)), means, rating_range=SCALE, filling=3)
    assert result.lone_exact == 1
    result = group_inference([[5, 0]], [[4.0, 3.0]], rating_range=SCALE)  # without a filling
    assert np.isnan([result.lone_error, result.lone_exact]).all()
