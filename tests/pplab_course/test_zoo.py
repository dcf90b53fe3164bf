"""Every animal of the zoo: its law, its true level, and what the auditor says of it."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from pplab.attacks.auditor import audit_epsilon
from pplab.checks import as_rng
from pplab.response.mechanism import Distribution
from pplab.response.noise_graph import BipartiteNoiseGraph
from pplab.theory.exact import as_rows, compare_inputs, exact_epsilon
from pplab_course import zoo
from tests.helpers import ALPHA, outcomes_fit

# Right mechanisms, each at the level it claims: no auditor may refute them.


class BipartiteFlips(zoo.Animal):
    """The bipartite noise graph."""

    pair = ([[0, 0], [1, 0]], [[1, 0], [1, 0]])  # any cell: all are flipped alike
    odds = (1 - zoo.P) / zoo.P
    _mechanism = BipartiteNoiseGraph(zoo.P)

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> list:
        """Draw independent releases."""
        return self._mechanism.sample_many(data, size, rng=rng)

    def distribution(self, data: Any) -> Distribution:
        """Exact probabilities of all outputs."""
        return self._mechanism.distribution(data)


class UserAtFullPrice(BipartiteFlips):
    """The same flips, at three times the level for a user with three cells."""

    unit = "user"
    claimed = 3 * zoo.PROMISED
    pair = ([[0, 0, 0]], [[1, 1, 1]])  # every cell of the row changes
    odds = Fraction(27)


class LaplaceCount(zoo.Animal):
    """The number of edges plus Laplace noise of scale 1 / epsilon."""

    claimed = 1.0
    odds = math.e
    pair = ([[1, 0]], [[1, 1]])  # an edge moves the count by one

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> np.ndarray:
        """Give noisy counts."""
        return zoo.cells_of(data).sum() + as_rng(rng).laplace(scale=1 / self.claimed, size=size)


RIGHT = (BipartiteFlips(), zoo.FairCoins(), UserAtFullPrice(), LaplaceCount())

BROKEN = (*zoo.BROKEN, *zoo.BROKEN_COUNTS)
SAMPLES = 8_000  # a fault of 1.2 takes 20,000: tests/attacks/test_auditor.py
FINITE = [animal for animal in (*BROKEN, *RIGHT) if hasattr(animal, "distribution")]


def name(animal):
    return type(animal).__name__


def audit(animal, cheaper=1.0):
    claimed = animal.claimed / cheaper
    return audit_epsilon(animal, animal.pair, claimed=claimed, samples=SAMPLES, alpha=ALPHA, rng=1)


@pytest.mark.parametrize("animal", BROKEN, ids=name)
def test_every_broken_mechanism_is_caught(animal):
    result = audit(animal)
    assert result.violated, str(result)
    assert result.lower_bound <= math.log(animal.odds)


@pytest.mark.parametrize("animal", RIGHT, ids=name)
def test_every_right_mechanism_is_accepted_and_caught_when_sold_too_cheaply(animal):
    result = audit(animal)
    assert not result.violated, str(result)
    assert result.lower_bound > animal.claimed * 0.7  # and the audit did look closely
    assert audit(animal, cheaper=1.5).violated


def test_one_draw_for_all_is_caught_by_a_difference_even_by_few_samples():
    """In 500 of 500 audits of five sizes, from 400 samples on."""
    animal = zoo.OneDrawForAll()
    how = {"claimed": animal.claimed, "samples": 400, "alpha": ALPHA}
    for seed in range(5):
        result = audit_epsilon(animal, animal.pair, **how, rng=seed)
        assert result.violated
        assert "minus" in result.event


def shape_of(animal):
    rows, columns = np.shape(animal.pair[0])
    undirected = isinstance(
        animal, (zoo.BothDirections, zoo.LocalSensitivityWithLaplace, zoo.Geometric)
    )
    return rows if undirected else (rows, columns)


def test_the_true_level_is_the_one_by_enumeration():
    """Broken ones break their promise on some pair, right ones keep it exactly on all."""
    for animal in FINITE:
        result = exact_epsilon(animal, shape=shape_of(animal), unit=animal.unit)
        assert result.odds == animal.odds, name(animal)  # no pair is worse than the one chosen
        if animal in BROKEN:
            assert result.epsilon > animal.claimed, name(animal)
        else:
            assert result.epsilon == pytest.approx(animal.claimed), name(animal)
        assert compare_inputs(animal, animal.pair).odds == animal.odds, name(animal)


def key_of(output):
    """A release as `distribution` writes it."""
    if sparse.issparse(output):
        return as_rows(output, absent=0 if output.dtype == np.int32 else None)
    if isinstance(output, (np.ndarray, np.integer)):
        output = output.tolist()
    if isinstance(output, int):
        return output
    return tuple(tuple(row) if isinstance(row, list) else row for row in output)


def test_samples_follow_the_exact_law():
    for animal in FINITE:
        for data in animal.pair:
            law = animal.distribution(data)
            assert sum(law.values()) == 1, name(animal)
            counts = dict.fromkeys(law, 0)
            for output in animal.sample_many(data, 3_000, rng=np.random.default_rng(5)):
                counts[key_of(output)] += 1
            shares = [float(q) for q in law.values()]
            assert outcomes_fit(list(counts.values()), shares), name(animal)


def test_the_pair_differs_in_one_unit_and_one_sample_is_one_release():
    assert len({name(animal) for animal in BROKEN}) == len(BROKEN) >= 10
    for animal in (*BROKEN, *RIGHT):
        first, second = (np.array(data) for data in animal.pair)
        places = np.argwhere(first != second)
        if animal.unit == "user":
            assert len({row for row, _ in places}) == 1, name(animal)
        else:
            ways = frozenset if isinstance(shape_of(animal), int) else tuple
            assert len({ways(place) for place in places.tolist()}) == 1, name(animal)
        assert animal.epsilon == animal.claimed > 0
        assert hasattr(animal, "distribution") == (animal in FINITE), name(animal)
        one = animal.sample(animal.pair[0], rng=1)
        many = animal.sample_many(animal.pair[0], 3, rng=1)
        assert len(many) == 3, name(animal)
        assert type(one) is type(many[0]), name(animal)
        assert getattr(one, "shape", None) == getattr(many[0], "shape", None), name(animal)
