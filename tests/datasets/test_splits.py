"""The two ways to hold ratings out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pplab.datasets.splits import holdout_cells, holdout_users
from tests.helpers import tables_with_gaps


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
