"""Categorical response: exact level, exact law of the samples, both ways of drawing records."""

import math
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from pplab.response.categorical import CategoricalResponse, categorical_response
from pplab.theory.exact import exact_epsilon
from tests.helpers import count_fits, outcomes_fit

ROW = sparse.csr_array(([2, 0], ([0, 0], [0, 2])), shape=(1, 3))  # a 2, no edge, a stored 0


def law_of_samples(mechanism, *, times=4000, rng=1):
    """Counts of the published rows among many copies of ROW."""
    published = mechanism.sample(sparse.vstack([ROW] * times).tocsr(), rng=rng)
    counts = dict.fromkeys(mechanism.distribution(ROW), 0)
    for row in range(times):
        entries = slice(published.indptr[row], published.indptr[row + 1])
        columns, values = published.indices[entries].tolist(), published.data[entries].tolist()
        cells = dict(zip(columns, values, strict=True))
        counts[(tuple(cells.get(j) for j in range(3)),)] += 1
    return counts


@pytest.mark.parametrize("odds", [1, Fraction(3), Fraction(19), 7.5])
@pytest.mark.parametrize("levels", [1, 3, (0, 2), (0.5, 4)])
def test_the_level_is_exact(levels, odds):
    mechanism = CategoricalResponse(levels=levels, odds=odds)
    for shape in ((1, 1), (1, 2)):
        found = exact_epsilon(mechanism, shape=shape, unit="edge")
        assert found.odds == odds
        assert found.epsilon == mechanism.epsilon
    assert exact_epsilon(mechanism, shape=(1, 2), unit="user").odds == odds**2


@given(st.floats(1e-6, 30))
@settings(max_examples=30, deadline=None)
def test_a_float_epsilon_is_never_exceeded_and_hardly_missed(epsilon):
    mechanism = CategoricalResponse(levels=5, epsilon=epsilon)
    exact = exact_epsilon(mechanism, shape=(1, 1), unit="edge").epsilon
    assert exact <= epsilon == mechanism.epsilon
    assert exact == pytest.approx(epsilon, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("odds", [Fraction(1), Fraction(5, 4), Fraction(9)])  # above, below 1/2
def test_samples_follow_the_exact_distribution(odds):
    mechanism = CategoricalResponse(levels=(0, 1, 2), odds=odds)
    law, counts = mechanism.distribution(ROW), law_of_samples(mechanism)
    assert sum(law.values()) == 1
    assert outcomes_fit(list(counts.values()), [law[row] for row in counts])
    told = sum(
        count * sum(answer == truth for answer, truth in zip(row, (2, None, 0), strict=True))
        for (row,), count in counts.items()
    )
    cells = 3 * sum(counts.values())
    weaker = CategoricalResponse(levels=(0, 1, 2), odds=odds * Fraction(13, 10))
    assert count_fits(told, cells, mechanism.keep_probability)
    assert not count_fits(told, cells, weaker.keep_probability)


@pytest.mark.parametrize("epsilon", [0.2, 4.0])
def test_counts_on_a_larger_table(epsilon):
    ratings = sparse.random_array((200, 300), density=0.05, rng=np.random.default_rng(1))
    ratings = sparse.csr_array((ratings.tocsr() > 0) * 3)
    mechanism = CategoricalResponse(levels=5, epsilon=epsilon)
    published = mechanism.sample(ratings, rng=2).toarray()
    was, other = ratings.toarray() > 0, float(1 / (mechanism.odds + 5))
    assert count_fits((published[~was] > 0).sum(), (~was).sum(), 5 * other)
    assert count_fits((published[was] == 3).sum(), was.sum(), mechanism.keep_probability)
    assert count_fits((published[was] == 0).sum(), was.sum(), other)
    for level in (1, 2, 4, 5):
        assert count_fits((published[was] == level).sum(), was.sum(), other)


def test_memory_grows_with_the_records_not_the_cells():
    empty = sparse.csr_array((4_000, 2_500), dtype=np.int8)  # 10 million cells
    categorical_response(empty[:2], levels=5, epsilon=10.0, rng=1)  # compile first
    tracemalloc.start()
    published = categorical_response(empty, levels=5, epsilon=10.0, rng=1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count_fits(published.nnz, 10**7, 5 / (math.exp(10) + 5))
    assert peak < 4e6


def test_order_of_the_edges_and_the_input_itself_are_no_matter():
    rng = np.random.default_rng(3)
    dense = sparse.random_array((20, 30), density=0.2, rng=rng, format="coo")
    dense.data = rng.integers(1, 6, size=dense.nnz)
    order = rng.permutation(dense.nnz)
    places = (dense.row[order], dense.col[order])
    shuffled = sparse.coo_array((dense.data[order], places), shape=dense.shape)
    one, two, three = (
        categorical_response(table, levels=5, epsilon=1.0, rng=seed)
        for table, seed in ((dense, 5), (shuffled, 5), (dense, 6))
    )
    assert (one != two).nnz == 0
    assert (one != three).nnz > 0
    assert (shuffled.toarray() == dense.toarray()).all()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"levels": 4}, "only the levels 1, 2, 3, 4, got 5"),
        ({"ratings": ROW}, "got 0; add it to levels"),
        ({"levels": 0}, "levels must be an integer at least 1"),
        ({"levels": []}, "at least one and none twice"),
        ({"levels": [1, 1]}, "none twice"),
        ({"levels": [1, math.nan]}, "finite ratings"),
        ({"levels": "12345"}, "sequence of ratings"),
        ({"levels": True}, "levels must be an integer"),
        ({"epsilon": 0}, "epsilon must lie in"),
        ({"epsilon": math.inf}, "epsilon must lie in"),
        ({"epsilon": math.nan}, "epsilon must lie in"),
        ({"epsilon": True}, "epsilon must be a number"),
    ],
)
def test_bad_arguments_are_refused(change, sentence):
    arguments = {"ratings": [[5, 1]], "levels": 5, "epsilon": 1.0} | change
    with pytest.raises((ValueError, TypeError), match=sentence):
        categorical_response(arguments.pop("ratings"), **arguments)


@pytest.mark.parametrize(
    ("level", "sentence"),
    [
        ({}, "got neither"),
        ({"odds": 3, "epsilon": 1.0}, "got both"),
        ({"odds": Fraction(1, 2)}, "odds must lie in"),
        ({"odds": math.nan}, "odds must lie in"),
        ({"odds": math.inf}, "odds must lie in"),
        ({"odds": "3"}, "odds must be a number"),
    ],
)
def test_a_level_is_given_once(level, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        CategoricalResponse(levels=5, **level)
