"""z-scores against the definition; items that do not vary."""

import statistics

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from pplab.microaggregation.microaggregate import standardise

values = st.sampled_from([-10.0, -0.3, 0.0, 0.1, 1 / 3, 1.0, 2.0, 9.99])
tables = arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=7), elements=values)


@settings(deadline=None)
@given(tables)
def test_against_the_definition(table):
    result = standardise(table)
    for item, column in enumerate(table.T.tolist()):
        mean, deviation = statistics.fmean(column), statistics.pstdev(column)
        assert result.means[item] == pytest.approx(mean, abs=1e-14)
        assert result.deviations[item] == pytest.approx(deviation, abs=1e-14)
        wanted = [(x - mean) / deviation if deviation else 0.0 for x in column]
        assert result.scores[:, item] == pytest.approx(np.array(wanted), abs=1e-12)
    assert result.restore(result.scores) == pytest.approx(table, abs=1e-13)


@settings(deadline=None)
@given(tables, st.randoms(use_true_random=False))
def test_the_order_of_the_users_changes_no_bit(table, random):
    order = list(range(len(table)))
    random.shuffle(order)
    assert np.array_equal(standardise(table[order]).scores, standardise(table).scores[order])


def test_a_constant_item_scores_zero_and_comes_back_exactly():
    for value in (0.1, 1 / 3, -7.3, 3.0):
        for users in (1, 3, 10, 943):
            result = standardise(np.full((users, 2), value))
            assert (result.scores == 0).all()
            assert (result.deviations == 0).all()
            assert (result.restore(np.full((users, 2), 17.0)) == value).all()


def test_scores_of_other_people_can_be_restored():
    result = standardise([[1.0, 3.0], [5.0, 3.0]])
    assert result.restore([[0, 0], [0.5, 2], [-1, 0]]).tolist() == [[3, 3], [4, 3], [1, 3]]


def test_bad_input_is_refused():
    restore = standardise([[1.0, 3.0], [5.0, 3.0]]).restore
    for call, table, sentence in [
        (standardise, [[1.0, np.nan], [np.nan, 2.0]], "must be complete, got 2 unrated cells"),
        (standardise, [[1.0, np.inf]], "finite"),
        (standardise, [[1e200], [1.0]], r"at most 1e\+50"),
        (standardise, [], "2-D table"),
        (restore, [[1.0], [2.0]], "must have the 2 items"),
        (restore, [[1.0, np.nan]], "must be complete"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            call(table)
