"""All mechanisms alike: samples follow the exact law, and a seed gives the same release."""

import math
import tracemalloc
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from pplab.response.categorical import (
    CategoricalResponse,
    DesignMatrix,
    TwoStageResponse,
    categorical_response,
)
from pplab.response.levels import flip_to_epsilon, level_of_odds, odds_to_epsilon
from pplab.response.noise_graph import BipartiteNoiseGraph, FairCoin, NoiseGraph
from pplab.theory.composition import DisjointRows, Repeated, Sequential
from pplab.theory.exact import exact_epsilon
from pplab_papers.noise_graphs.theorems import two_noise_graphs
from tests.helpers import count_fits
from tests.sizes import SHAPES

FIFTH, QUARTER = BipartiteNoiseGraph(Fraction(1, 5)), BipartiteNoiseGraph(Fraction(1, 4))


def matrix(p01, p10):
    return DesignMatrix(p00=1 - p01, p01=p01, p10=p10, p11=1 - p10)


def two_stage(levels, p):
    return TwoStageResponse(levels=levels, flip_probability=p, rating_odds=4)


# Levels and samples of tables of one user, one item or one cell, by mechanisms at their ends too.


HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
ODDS_OF_A_CELL = [
    *((BipartiteNoiseGraph(p), odds) for p, odds in ((0, math.inf), (THIRD, 2), (HALF, 1))),
    *((FairCoin(replacement_probability=p), o) for p, o in ((0, math.inf), (HALF, 3), (1, 1))),
    *((matrix(HALF, p), odds) for p, odds in ((HALF / 2, 2), (HALF, 1), (0, math.inf))),
    *(
        (CategoricalResponse(levels=levels, odds=odds), odds)
        for levels, odds in product((1, 3, (1, 2)), (1, 3, 7.5, 19))
    ),
    *((two_stage(n, p), odds) for n, p, odds in ((1, THIRD, 2), (1, HALF, 1), (2, HALF, 4))),
    (two_stage(3, 0), math.inf),
]


@pytest.mark.parametrize(("users", "items"), SHAPES)
def test_levels_are_exact_at_degenerate_sizes(users, items):
    one = [BipartiteNoiseGraph(THIRD)]
    composed = [Sequential(one), Repeated(*one, times=1), DisjointRows(one * users)]
    rated = [(CategoricalResponse(levels=each, odds=3), 3) for each in ((0, 2), (0.5, 4))]
    for mechanism, odds in [*ODDS_OF_A_CELL, *rated, *((each, 2) for each in composed)]:
        for unit, cells in (("edge", 1), ("user", items), ("item", users)):
            result = exact_epsilon(mechanism, shape=(users, items), unit=unit)
            assert result.odds == odds**cells, (mechanism, unit)
            if unit == "edge":
                assert result.epsilon <= mechanism.epsilon <= result.epsilon + 1e-13
    for unit in ("edge", "node"):
        assert exact_epsilon(NoiseGraph(THIRD), shape=2, unit=unit).odds == 2


@pytest.mark.parametrize("cell", [0, 1])
def test_samples_follow_the_law_of_a_cell_at_degenerate_sizes(cell):
    """One item, one user, and one cell again and again: how many edges are published."""
    rng = np.random.default_rng(3)
    pair, one = [[0, cell], [cell, 0]], NoiseGraph(THIRD)  # a graph of two nodes, and of one
    edges = sum(one.sample(pair, rng=rng).nnz for _ in range(100)) / 2
    assert count_fits(edges, 100, THIRD if cell == 0 else 1 - THIRD)
    assert one.distribution([[0]]) == {tuple(map(tuple, one.sample([[0]]).toarray())): 1}
    for mechanism, _ in ODDS_OF_A_CELL:
        share, other = (
            sum(q for ((out,),), q in mechanism.distribution([[c]]).items() if out)
            for c in (cell, 1 - cell)
        )
        for shape, times in (((3000, 1), 1), ((1, 3000), 1), ((1, 1), 100)):
            table = np.full(shape, cell)
            edges = sum(mechanism.sample(table, rng=rng).nnz for _ in range(times))
            assert count_fits(edges, table.size * times, share), (mechanism, shape)
            if times == 1 and abs(share - other) > 0.2:  # missed once in 10^20 runs
                assert not count_fits(edges, table.size, other), (mechanism, shape)


# What `sample` does with floats, in fractions: coins fall with exactly the probability that a float
# is, and `rng.random() < t` with the next multiple of 2^-53 from t on.


def up(threshold):
    return Fraction(math.ceil(Fraction(threshold) * 2**53), 2**53)


def sampled_rows(mechanism):
    """One row of probabilities for each truth, no edge first."""
    if isinstance(mechanism, DesignMatrix):
        new, gone = Fraction(float(mechanism.p01)), up(float(mechanism.p10))
        return [(1 - new, new), (gone, 1 - gone)]
    if not isinstance(mechanism, (CategoricalResponse, TwoStageResponse)):
        coin = isinstance(mechanism, FairCoin)
        p = mechanism.replacement_probability if coin else mechanism.flip_probability
        flip = Fraction(float(p) / 2 if coin else float(p))
        return [(1 - flip, flip), (flip, 1 - flip)]
    count = len(mechanism.levels)
    if isinstance(mechanism, TwoStageResponse):
        new = mechanism.flip_probability
        gone, lie = up(float(new)), up(float((count - 1) / (mechanism.rating_odds + count - 1)))
        right, wrong = (1 - gone) * (1 - lie), (1 - gone) * lie / max(count - 1, 1)
    else:
        new = 1 - mechanism.keep_probability
        gone, right, wrong = up(float(new)) / count, 1 - up(float(new)), up(float(new)) / count
    new = Fraction(float(new))
    own = [(gone, *(right if i == j else wrong for j in range(count))) for i in range(count)]
    return [(1 - new, *([new / count] * count)), *own]


def test_the_stated_level_is_never_below_what_is_sampled():
    rng, short = np.random.default_rng(14), 0
    with localcontext() as context:
        context.prec, context.rounding = 60, ROUND_CEILING
        for _ in range(700):
            p, rho, other = (Fraction(int(n), 2**62 - 57) for n in rng.integers(2**56, 2**61, 3))
            levels, epsilon = int(rng.integers(1, 5)), float(rng.exponential(2))
            for mechanism, nominal in (
                (CategoricalResponse(levels=levels, epsilon=epsilon), epsilon),
                (CategoricalResponse(levels=levels, odds=1 / p), odds_to_epsilon(1 / p)),
                (BipartiteNoiseGraph(p), flip_to_epsilon(p)),
                (NoiseGraph(p), flip_to_epsilon(p)),
                (FairCoin(replacement_probability=rho), flip_to_epsilon(rho / 2)),
                (two := two_stage(levels, p), odds_to_epsilon(two.odds)),
                (design := matrix(rho, other), odds_to_epsilon(design.odds)),
            ):
                odds = max(max(q) / min(q) for q in zip(*sampled_rows(mechanism), strict=True))
                # the logarithm is right to the last of 60 digits: one step outward
                true = (Decimal(odds.numerator) / Decimal(odds.denominator)).ln().next_plus()
                assert nominal <= mechanism.epsilon, mechanism
                assert true <= Decimal(mechanism.epsilon), mechanism
                assert mechanism.epsilon <= nominal + 1e-13, mechanism
                short += true > Decimal(nominal)
    assert short > 500  # so often would the level of the exact odds have been too low


# Categorical, two-stage and design-matrix response: their levels, by enumeration.


def covers(mechanism, epsilon):
    """The stated level is that of the odds, or a last bit above for the floats of the sampler."""
    return epsilon <= mechanism.epsilon <= epsilon + 1e-13


@given(st.floats(1e-6, 30))
def test_a_float_epsilon_is_never_exceeded_and_hardly_missed(epsilon):
    mechanism = CategoricalResponse(levels=5, epsilon=epsilon)
    exact = exact_epsilon(mechanism, shape=(1, 1), unit="edge").epsilon
    assert exact <= epsilon
    assert covers(mechanism, epsilon)
    assert exact == pytest.approx(epsilon, rel=1e-12, abs=1e-15)


def test_memory_grows_with_the_records_not_the_cells():
    empty = sparse.csr_array((4_000, 2_500), dtype=np.int8)  # 10 million cells
    categorical_response(empty, levels=5, epsilon=10.0, rng=1)  # compile first
    tracemalloc.start()
    published = categorical_response(empty, levels=5, epsilon=10.0, rng=1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count_fits(published.nnz, 10**7, 5 / (math.exp(10) + 5))
    assert peak < 4e6


# Two-stage response: its formula against enumeration, in both directions, and its samples.


flips = st.fractions(Fraction(1, 100), Fraction(1, 2), max_denominator=100)
seconds = st.fractions(1, 50, max_denominator=20)


@given(flips, seconds, st.integers(1, 5))
def test_the_formula_is_the_exact_level(p, second, levels):
    mechanism = TwoStageResponse(levels=levels, flip_probability=p, rating_odds=second)
    result = exact_epsilon(mechanism, shape=(1, 1), unit="edge")
    assert result.odds == mechanism.odds
    assert covers(mechanism, result.epsilon)
    presence = (1 - p) / p
    assert mechanism.odds <= presence * second  # the sum of both levels is safe
    if levels > 1:
        assert mechanism.odds == max(second, presence * levels * second / (second + levels - 1))
    else:
        assert mechanism.odds == presence  # a single level tells nothing in the second stage


@given(seconds, st.fractions(1, 20, max_denominator=20), st.integers(1, 5))
def test_within_spends_the_odds_it_was_given(second, presence, levels):
    mechanism = TwoStageResponse.within(levels=levels, odds=second * presence, rating_odds=second)
    assert mechanism.odds == (second * presence if levels > 1 else mechanism.odds)
    assert 0 < mechanism.flip_probability <= Fraction(1, 2)


# Design matrix: true level against enumeration, the printed test and where it fails.


shares = st.fractions(0, 1, max_denominator=20)


@given(shares, shares)
def test_the_true_level_is_the_exact_one(p01, p10):
    mechanism = matrix(p01, p10)
    result = exact_epsilon(mechanism, shape=(1, 1), unit="edge")
    assert result.odds == mechanism.odds
    assert covers(mechanism, result.epsilon)
    if p01 + p10 <= 1:  # the printed test is sufficient while lies are few
        assert mechanism.odds <= mechanism.printed_odds
        # the stated level also covers the floats that are sampled: some last bits more
        printed = level_of_odds(mechanism.printed_odds, Fraction(1))
        assert mechanism.epsilon <= printed + 1e-13


@given(shares, shares, st.lists(st.integers(0, 1), min_size=4, max_size=4))
def test_two_noise_graphs_have_the_same_law(p01, p10, cells):
    table = [cells[:2], cells[2:]]
    law = matrix(p01, p10).distribution(table)
    assert law == two_noise_graphs(table, removed=p10, added=p01)
    if p01 == p10 <= Fraction(1, 2):
        assert law == BipartiteNoiseGraph(p01).distribution(table)
    if p01 != p10 and sum(cells):
        assert law != two_noise_graphs(table, removed=p01, added=p10)
