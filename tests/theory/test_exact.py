"""The enumerator against hand-made mechanisms whose level is known, and against a slow twin."""

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from pplab.attacks import audit_epsilon
from pplab.counts import NoisyCount
from pplab.response.noise_graph import BipartiteNoiseGraph, NoiseGraph
from pplab.theory import PostProcessed, advanced_composition, exact_composition
from pplab.theory.composition import compose
from pplab.theory.exact import Grid, as_rows, exact_epsilon
from pplab.tradeoff import gaussian_delta, gaussian_epsilon
from tests.helpers import ALPHA

QUARTER = Fraction(1, 4)


@dataclass
class TableOfAnswers:
    """Mechanism of an outside script: unit, epsilon, sample, distribution, and nothing else."""

    answers: dict
    unit: str = "edge"
    epsilon: float = 1.0

    def sample(self, data, *, rng=None):
        return np.random.default_rng(rng).permutation(data.toarray())

    def distribution(self, data):
        assert sparse.issparse(data)
        assert data.format == "csr"
        return self.answers[as_rows(data)]


def twin(mechanism, inputs, neighbours):
    """Slow twin: every ratio in fractions, in both directions."""
    worst = Fraction(1)
    for one, other in neighbours:
        first, second = (mechanism.distribution(inputs[n]) for n in (one, other))
        for output in {*first, *second}:
            high, low = sorted((first.get(output, 0), second.get(output, 0)), reverse=True)
            if high:
                worst = max(worst, high / low if low else math.inf)
    return worst


@given(st.lists(st.lists(st.integers(0, 6), min_size=3, max_size=3), min_size=4, max_size=4))
def test_any_table_of_answers_agrees_with_the_twin(weights):
    """Four inputs (1 x 2 cells), three outputs, zeros included."""
    inputs = list(product((0, 1), repeat=2))
    laws = [
        {name: Fraction(w, sum(row)) for name, w in zip("abc", row, strict=True)}
        for row in (row if sum(row) else [1, 1, 1] for row in weights)
    ]
    mechanism = TableOfAnswers({(cells,): law for cells, law in zip(inputs, laws, strict=True)})
    close = [
        (one, other)
        for one, other in combinations(range(4), 2)
        if sum(a != b for a, b in zip(inputs[one], inputs[other], strict=True)) == 1
    ]
    matrices = [sparse.csr_array(np.array([cells])) for cells in inputs]
    for unit, pairs in (("edge", close), ("user", list(combinations(range(4), 2)))):
        result = exact_epsilon(mechanism, shape=(1, 2), unit=unit)
        assert result.odds == twin(mechanism, matrices, pairs)
        one, other = (mechanism.answers[rows].get(result.output, 0) for rows in result.pair)
        assert one >= other  # the pair and the output show the level
        assert result.odds == (one / other if other else math.inf)


@pytest.mark.parametrize(
    ("mechanism", "shape", "unit", "cells"),
    [
        (NoiseGraph, 2, "node", 1),
        (NoiseGraph, 3, "edge", 1),
        (NoiseGraph, 4, "node", 3),
        (BipartiteNoiseGraph, (2, 3), "edge", 1),
        (BipartiteNoiseGraph, (2, 3), "user", 3),
        (BipartiteNoiseGraph, (2, 3), "item", 2),
        (BipartiteNoiseGraph, (3, 3), "edge", 1),  # the largest shape
    ],
)
def test_the_flip_has_its_level_to_the_power_of_the_cells(mechanism, shape, unit, cells):
    p = Fraction(1, 10)
    result = exact_epsilon(mechanism(p), shape=shape, unit=unit)
    assert result.odds == ((1 - p) / p) ** cells
    assert result.epsilon == pytest.approx(cells * mechanism(p).epsilon, abs=1e-12)
    assert math.log(result.odds) <= result.epsilon


@pytest.mark.parametrize("likely", [Fraction(1, 2), Fraction(1, 100)])
def test_the_level_bounds_odds_of_independent_cells_and_not_of_cells_that_go_together(likely):
    """Kifer and Machanavajjhala 2011: what moves the odds of a cell is also what goes with it."""
    mechanism = BipartiteNoiseGraph(QUARTER)
    seen = {
        cells: mechanism.distribution([cells])[((1, 1),)] for cells in product((0, 1), repeat=2)
    }
    chance = {1: likely, 0: 1 - likely}
    independent = {cells: chance[cells[0]] * chance[cells[1]] for cells in seen}
    equal = {cells: chance[cells[0]] * (cells[0] == cells[1]) for cells in seen}

    def moved(belief):
        """Odds of the first cell when 1, 1 is published, over the odds before."""
        yes, no = (sum(belief[x, y] * seen[x, y] for y in (0, 1)) for x in (1, 0))
        return yes / no / (likely / (1 - likely))

    assert exact_epsilon(mechanism, shape=(1, 2), unit="edge").odds == moved(independent) == 3
    assert exact_epsilon(mechanism, shape=(1, 2), unit="user").odds == moved(equal) == 9


def test_neighbours():
    for shape, units in ((2, "edge node"), (4, "edge node"), ((2, 3), "edge user item")):
        for unit in units.split():
            grid = Grid(shape)
            pairs = grid.neighbours(unit)
            cells = grid.inputs()
            sets = [set(block) for block in grid.blocks(unit)]
            slow = []
            for i, j in combinations(range(len(cells)), 2):
                ends = enumerate(zip(cells[i], cells[j], strict=True))
                changed = {place for place, (one, other) in ends if one != other}
                if any(changed <= block for block in sets):
                    slow.append((i, j))
            assert pairs == slow


# Accounts of many releases: dp-accounting, each other, counting; composition by enumeration.


def test_exact_composition_is_the_one_by_listing_all_answers():
    for epsilon, times in product((0.3, 1.0), (1, 2, 5)):
        lie = 1 / (1 + math.exp(epsilon))
        for delta in (1e-3, 0.05, 0.2):
            total, excess = exact_composition(epsilon, times=times, delta=delta), 0.0
            for answers in product((0, 1), repeat=times):
                ones = sum(answers)
                here = lie**ones * (1 - lie) ** (times - ones)
                there = lie ** (times - ones) * (1 - lie) ** ones
                excess += max(here - math.exp(total) * there, 0)
            assert excess <= delta * (1 + 1e-9)
            assert total == 0 or excess == pytest.approx(delta)
            assert total <= min(times * epsilon, 10**9)


def test_the_accounts_are_ordered_and_basic_wins_for_few_releases():
    for times in (1, 10, 100, 1000):
        exact = exact_composition(0.1, times=times, delta=1e-6)
        advanced = advanced_composition(0.1, times=times, delta=1e-6)
        assert exact <= min(times * 0.1, advanced)
        assert (advanced < times * 0.1) == (times >= 100)


def test_numbers_agree_with_dp_accounting_to_a_millionth():
    pytest.importorskip("dp_accounting")
    from dp_accounting.pld import privacy_loss_distribution as pld
    from dp_accounting.pld.common import DifferentialPrivacyParameters

    for times, delta in ((1, 1e-6), (100, 1e-6), (100, 1e-3)):
        # 0.1 is a whole number of steps of the grid: nothing is rounded
        worst = DifferentialPrivacyParameters(0.1, 0.0)
        one = pld.from_privacy_parameters(worst, value_discretization_interval=1e-4)
        theirs = one.self_compose(times).get_epsilon_for_delta(delta)
        assert exact_composition(0.1, times=times, delta=delta) == pytest.approx(theirs, abs=1e-6)
        one = pld.from_gaussian_mechanism(20.0, value_discretization_interval=1e-4)
        theirs = one.self_compose(times).get_epsilon_for_delta(delta)
        ours = gaussian_epsilon(delta, mu=0.05 * math.sqrt(times))
        assert ours == pytest.approx(theirs, abs=1e-6)


def test_an_audit_with_delta_accepts_gaussian_noise_and_refutes_it_with_less():
    pair = ([[0, 0], [0, 0]], [[0, 1], [1, 0]])
    gaussian = NoisyCount(count="edges", noise="gaussian", unit="edge", epsilon=1.0, delta=0.05)

    def audit(claimed, delta):
        return audit_epsilon(
            gaussian, pair, claimed=claimed, delta=delta, samples=40_000, alpha=ALPHA, rng=1
        )

    fair = audit(1.0, 0.05)
    assert not fair.violated
    assert fair.lower_bound > 0.5
    assert audit(1.0, 0.0).violated  # a pure level of 1 it does not have
    assert audit(0.5, 0.05).violated
    assert "delta = 0.05" in str(fair)
    mu = 1 / gaussian.scale(pair[0])
    assert gaussian_delta(1.0, mu=mu) <= 0.05
    assert gaussian_delta(1e308, mu=1.0) == 0  # was NaN


# Composition, post-processing and disjoint parts: the theorems, each checked by enumeration.


FOURTH, FIFTH = BipartiteNoiseGraph(Fraction(1, 4)), BipartiteNoiseGraph(Fraction(1, 5))


@given(st.lists(st.integers(0, 2), min_size=8, max_size=8), st.sampled_from(["edge", "user"]))
def test_no_function_of_a_release_is_less_private(images, unit):
    """Any function of the eight outputs on 1 x 3 cells, into three images."""

    def function(rows):
        return images[int("".join(map(str, rows[0])), 2)]

    shown = exact_epsilon(PostProcessed(FOURTH, function), shape=(1, 3), unit=unit).odds
    assert 1 <= shown <= exact_epsilon(FOURTH, shape=(1, 3), unit=unit).odds


@given(st.lists(st.floats(0, 20), min_size=1, max_size=6))
def test_levels_are_added_up_and_never_down(levels):
    total = compose(levels, how="sequential")
    exact = sum(map(Fraction, levels))
    assert Fraction(total) >= exact
    assert total == pytest.approx(float(exact))
    assert compose(levels, how="parallel") == max(levels)
    for how in ("sequential", "parallel"):
        assert compose([*levels, math.inf], how=how) == math.inf
