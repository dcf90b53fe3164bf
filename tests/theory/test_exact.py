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

from pplab.response.categorical import CategoricalResponse
from pplab.response.noise_graph import BipartiteNoiseGraph, NoiseGraph
from pplab.theory.exact import Grid, as_rows, compare_inputs, exact_epsilon

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


def test_two_given_inputs_are_compared_in_both_directions():
    pair = [((1, 1),), ((0, 1),)]
    for ends in (pair, pair[::-1]):
        assert compare_inputs(BipartiteNoiseGraph(QUARTER), ends).odds == 3


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


def counted(first, second):
    answers = {((0,),): first, ((1,),): second}
    return exact_epsilon(TableOfAnswers(answers), shape=(1, 1), unit="edge")


def test_the_worst_output_is_shown():
    half, one = Fraction(1, 2), Fraction(1)
    for laws in (
        ({"x": half, "y": half}, {"x": one, "y": one - 1}),
        ({"x": one, "y": one - 1}, {"x": half, "y": half}),
    ):  # an output that excludes an input, in either direction
        result = counted(*laws)
        assert (result.odds, result.epsilon, result.output) == (math.inf, math.inf, "y")
    rare = {"rare": Fraction(1, 100), "often": Fraction(99, 100)}
    result = counted(rare, {"other": one})  # of equally bad outputs the likeliest
    assert (result.odds, result.output) == (math.inf, "other")
    inputs = [(bits[:2], bits[2:]) for bits in product((0, 1), repeat=4)]
    silence = TableOfAnswers({cells: {"silence": one} for cells in inputs})
    result = exact_epsilon(silence, shape=(2, 2), unit="user")
    assert (result.odds, result.epsilon, result.output) == (1, 0.0, "silence")
    floats = counted({"x": 0.75, "y": 0.25}, {"x": 0.1, "y": 0.9})  # carried as they are
    assert floats.odds == Fraction(0.75) / Fraction(0.1)


def test_tiny_probabilities_are_told_apart():
    """Ratios whose logarithms are equal as floats are compared as fractions."""
    tiny, near = Fraction(1, 10**400), 1 + Fraction(1, 10**30)
    result = counted(
        {"x": tiny, "y": tiny * near, "z": 1 - tiny * (1 + near)},
        {"x": 3 * tiny, "y": 3 * tiny * near**2, "z": 1 - 3 * tiny * (1 + near**2)},
    )
    assert (result.odds, result.output) == (3 * near, "y")


def test_ratings_are_enumerated_and_directed_pairs_leak_twice():
    result = exact_epsilon(CategoricalResponse(levels=(0, 2), odds=3), shape=(1, 2), unit="user")
    assert result.odds == 9
    assert {cell for rows in result.pair for row in rows for cell in row} <= {None, 0, 2}
    # both directions of an undirected edge flipped by themselves: two looks at one secret
    assert exact_epsilon(BipartiteNoiseGraph(QUARTER), shape=2, unit="edge").odds == 9
