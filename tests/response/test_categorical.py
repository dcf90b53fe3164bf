"""Categorical response: exact level, exact law of the samples, both ways of drawing records."""

import math
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from pplab.papers.noise_graphs.theorems import two_noise_graphs
from pplab.response.categorical import (
    CategoricalResponse,
    DesignMatrix,
    TwoStageResponse,
    categorical_response,
)
from pplab.response.noise_graph import BipartiteNoiseGraph
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


# Two-stage response: its formula against enumeration, in both directions, and its samples.


flips = st.fractions(Fraction(1, 100), Fraction(1, 2), max_denominator=100)
seconds = st.fractions(1, 50, max_denominator=20)


@given(flips, seconds, st.integers(1, 5))
@settings(max_examples=30, deadline=None)
def test_the_formula_is_the_exact_level(p, second, levels):
    mechanism = TwoStageResponse(levels=levels, flip_probability=p, rating_odds=second)
    found = exact_epsilon(mechanism, shape=(1, 1), unit="edge")
    assert found.odds == mechanism.odds
    assert found.epsilon == mechanism.epsilon
    presence = (1 - p) / p
    assert mechanism.odds <= presence * second  # the sum of both levels is safe
    if levels > 1:
        assert mechanism.odds == max(second, presence * levels * second / (second + levels - 1))
    else:
        assert mechanism.odds == presence  # a single level tells nothing in the second stage


@given(seconds, st.fractions(1, 20, max_denominator=20), st.integers(1, 5))
@settings(max_examples=30, deadline=None)
def test_within_spends_the_odds_it_was_given(second, presence, levels):
    mechanism = TwoStageResponse.within(levels=levels, odds=second * presence, rating_odds=second)
    assert mechanism.odds == (second * presence if levels > 1 else mechanism.odds)
    assert 0 < mechanism.flip_probability <= Fraction(1, 2)


def test_more_than_the_odds_cannot_be_spent_on_the_rating():
    with pytest.raises(ValueError, match="odds / rating_odds"):
        TwoStageResponse.within(levels=5, odds=3, rating_odds=4)


def test_it_is_sparser_than_the_categorical_response_at_equal_odds():
    two = TwoStageResponse.within(levels=5, odds=19, rating_odds=4)
    one = CategoricalResponse(levels=5, odds=19)
    assert two.flip_probability == Fraction(5, 43)
    assert two.flip_probability < 1 - one.table()[None][None] == Fraction(5, 24)
    assert two.keep_probability < one.keep_probability  # what it costs


def test_without_flips_there_is_no_level():
    mechanism = TwoStageResponse(levels=3, flip_probability=0, rating_odds=2)
    assert mechanism.epsilon == math.inf
    assert exact_epsilon(mechanism, shape=(1, 1), unit="edge").odds == math.inf


@pytest.mark.parametrize("levels", [3, 1])
def test_samples_follow_the_exact_distribution_two_stage(levels):
    times, data = 6000, sparse.csr_array([[1, 0]])
    mechanism = TwoStageResponse(levels=levels, flip_probability=Fraction(1, 4), rating_odds=4)
    published = mechanism.sample(sparse.vstack([data] * times).tocsr(), rng=1).toarray().tolist()
    rows = [tuple(value or None for value in row) for row in published]
    law = {row: share for (row,), share in mechanism.distribution(data).items()}
    counts = [rows.count(row) for row in law]
    assert sum(counts) == times
    assert outcomes_fit(counts, list(law.values()))
    other = TwoStageResponse(levels=levels, flip_probability=Fraction(3, 10), rating_odds=4)
    wrong = other.distribution(data)
    assert not outcomes_fit(counts, [wrong[(row,)] for row in law])


def test_counts_on_a_larger_table_two_stage():
    ratings = np.zeros((200, 300), dtype=int)
    ratings[:, :20] = 4
    mechanism = TwoStageResponse(levels=5, flip_probability=0.1, rating_odds=4)
    published = mechanism.sample(ratings, rng=2).toarray()
    assert count_fits((published[:, :20] == 0).sum(), 4000, 0.1)
    assert count_fits((published[:, :20] == 4).sum(), 4000, mechanism.keep_probability)
    assert count_fits((published[:, 20:] > 0).sum(), 56_000, 0.1)
    for level in range(1, 6):
        assert count_fits((published[:, 20:] == level).sum(), 56_000, 0.02)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"flip_probability": 0.6}, "flip_probability"),
        ({"rating_odds": 0.5}, "rating_odds must lie in"),
        ({"levels": 0}, "levels"),
    ],
)
def test_bad_arguments_are_refused_two_stage(change, sentence):
    arguments = {"levels": 5, "flip_probability": 0.1, "rating_odds": 4} | change
    with pytest.raises(ValueError, match=sentence):
        TwoStageResponse(**arguments)


# Design matrix: true level against enumeration, the printed test and where it fails.


shares = st.fractions(0, 1, max_denominator=20)


def matrix(p01, p10):
    return DesignMatrix(p00=1 - p01, p01=p01, p10=p10, p11=1 - p10)


@given(shares, shares)
@settings(max_examples=40, deadline=None)
def test_the_true_level_is_the_exact_one(p01, p10):
    mechanism = matrix(p01, p10)
    found = exact_epsilon(mechanism, shape=(1, 1), unit="edge")
    assert found.odds == mechanism.odds
    assert found.epsilon == mechanism.epsilon


@given(shares, shares)
@settings(deadline=None)
def test_the_printed_test_is_sufficient_while_lies_are_few(p01, p10):
    mechanism = matrix(p01, p10)
    if p01 + p10 <= 1:
        assert mechanism.odds <= mechanism.printed_odds
        assert mechanism.epsilon <= mechanism.printed_epsilon


def test_the_printed_test_fails_when_both_lie_often():
    often = matrix(Fraction(9, 10), Fraction(9, 10))
    assert (often.printed_epsilon, often.printed_odds) == (0.0, Fraction(1, 9))
    assert often.odds == 9
    always = matrix(Fraction(1), Fraction(1))  # publishes the complement
    assert (always.printed_epsilon, always.epsilon) == (0.0, math.inf)


def test_it_is_the_flip_when_both_lies_are_equal():
    p = Fraction(1, 4)
    table = [[1, 0], [0, 1]]
    assert matrix(p, p).distribution(table) == BipartiteNoiseGraph(p).distribution(table)
    assert matrix(p, p).epsilon == BipartiteNoiseGraph(p).epsilon


@given(shares, shares, st.lists(st.integers(0, 1), min_size=4, max_size=4))
@settings(max_examples=40, deadline=None)
def test_two_noise_graphs_have_the_same_law(p01, p10, cells):
    table = [cells[:2], cells[2:]]
    law = matrix(p01, p10).distribution(table)
    assert law == two_noise_graphs(table, removed=p10, added=p01)
    if p01 != p10 and sum(cells):
        assert law != two_noise_graphs(table, removed=p01, added=p10)


@pytest.mark.parametrize(("p01", "p10"), [(0.05, 0.3), (0.7, 0.9), (0.0, 1.0)])
def test_samples_have_these_probabilities(p01, p10):
    graph = np.zeros((100, 200), dtype=int)
    graph[:, :50] = 1
    published = matrix(p01, p10).sample(graph, rng=1).toarray()
    assert count_fits((published[:, :50] == 0).sum(), 5000, p10)
    assert count_fits(published[:, 50:].sum(), 15_000, p01)
    assert not count_fits(published[:, 50:].sum(), 15_000, p10)


@pytest.mark.parametrize(
    ("entries", "sentence"),
    [
        ((0.9, 0.2, 0.1, 0.9), "p00 \\+ p01 must be 1, got 1.1"),
        ((0.9, 0.1, 0.1, 0.8), "p10 \\+ p11 must be 1"),
        ((1.1, -0.1, 0.1, 0.9), "p00 must lie in"),
        ((0.9, 0.1, math.nan, 0.9), "p10 must lie in"),
        ((0.9, 0.1, True, 0), "p10 must be a number"),
    ],
)
def test_what_is_no_design_matrix_is_refused(entries, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        DesignMatrix(**dict(zip(("p00", "p01", "p10", "p11"), entries, strict=True)))


def test_floats_that_sum_to_one_up_to_rounding_are_taken():
    mechanism = DesignMatrix(p00=0.9, p01=0.1, p10=0.3, p11=0.7)
    assert sum(mechanism.distribution([[1, 0]]).values()) == 1
