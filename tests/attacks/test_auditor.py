"""The auditor is audited: false alarms, power, both directions, honest events."""

import math
import pickle
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse, stats

from pplab.attacks.auditor import audit_epsilon
from pplab.intervals import log_ratio_bound
from pplab.response.noise_graph import BipartiteNoiseGraph
from pplab_course.zoo import FairCoins, WeakNoise
from tests.pplab_course.test_zoo import LaplaceCount

ONE_CELL = ([[0]], [[1]])


@dataclass
class Table:
    """Outputs 0, 1, ... of two inputs, with their probabilities."""

    laws: tuple

    def sample_many(self, data, size, *, rng):
        law = self.laws[data]
        return rng.choice(len(law), size=size, p=law)


def audit(mechanism, pair=ONE_CELL, *, claimed=1.0, samples=2_000, alpha=1e-6, rng=1):
    """An audit that was kept in a file."""
    how = {"claimed": claimed, "samples": samples, "alpha": alpha, "rng": rng}
    return pickle.loads(pickle.dumps(audit_epsilon(mechanism, pair, **how)))


def alarms(mechanism, pair, claimed, alpha, runs):
    seeds = np.random.default_rng(7).integers(2**32, size=runs).tolist()
    test = {"claimed": claimed, "samples": 400, "alpha": alpha}
    return sum(audit(mechanism, pair, **test, rng=seed).violated for seed in seeds)


RARE = Table(((0.02, 0.98), (0.005, 0.995)))  # odds of 4 on a rare output
SKEWED = Table(((0.5, 0.3, 0.2), (0.25, 0.45, 0.3)))  # odds of 2 and of 1.5
MANY = Table(tuple(np.roll(np.r_[np.full(20, 2.0), np.full(20, 1.0)] / 60, s) for s in (0, 20)))


@pytest.mark.parametrize(
    ("mechanism", "pair", "true"),
    [
        (FairCoins(), FairCoins.pair, FairCoins.claimed),
        (LaplaceCount(), LaplaceCount.pair, 1.0),
        (RARE, (0, 1), math.log(4)),
        (SKEWED, (0, 1), math.log(2)),
        (MANY, (0, 1), math.log(2)),
    ],
)
def test_false_alarms_stay_below_alpha(mechanism, pair, true):
    """At the exact level; an honest 5 % gives more than 14 alarms in 100 once in a thousand."""
    runs, alpha = 100, 0.05
    result = alarms(mechanism, pair, true, alpha, runs)
    assert stats.binom.sf(result - 1, runs, alpha) > 1e-3


def test_a_fault_of_1_2_is_caught_on_20000_samples():
    result = audit(WeakNoise(), claimed=WeakNoise.claimed, samples=20_000, rng=0)
    assert result.violated
    assert result.lower_bound < math.log(float(WeakNoise.odds))


def test_alpha_is_split_over_two_directions_and_two_sides():
    """Counts without chance, others in the half that judges; scipy's bounds, a quarter each."""

    class Fixed:
        def sample_many(self, data, size, **_):
            halves = (([1, 1, 1, 0], [1, 1, 1, 1, 0]), ([0, 1, 0, 0], [0, 1, 0, 0, 0]))[data]
            return np.concatenate([np.resize(half, size // 2) for half in halves])

    for alpha in (0.2, 1e-3):
        result = audit(Fixed(), (0, 1), samples=400, alpha=alpha)
        assert sorted(result.counts) == [40, 160]
        tests = [stats.binomtest(count, 200) for count in (160, 40)]
        low, high = (each.proportion_ci(1 - alpha / 2, method="exact") for each in tests)
        assert result.lower_bound == pytest.approx(math.log(low.low / high.high))


@dataclass
class TwoCounts:
    """Two counts with Laplace noise of scale 1: a draw for each, or one for both."""

    signs: tuple
    draws: int = 2

    def sample_many(self, data, size, *, rng):
        return np.array([3, 4.5 + data]) + rng.laplace(size=(size, self.draws)) * self.signs


@pytest.mark.parametrize("signs", [(1, 1), (1, -1)])
def test_one_draw_for_two_numbers_is_caught_and_two_draws_are_not_accused(signs):
    caught = audit(TwoCounts(signs, draws=1), (0, 1), claimed=2.0)
    assert caught.violated
    assert 0 in caught.counts
    assert alarms(TwoCounts(signs), (0, 1), 1.0, 0.05, runs=25) <= 6  # 7 come once in 5,000 times


@pytest.mark.parametrize(
    "written",
    [Fraction, Decimal, repr, lambda x: complex(x, 1), lambda x: complex(0, x), lambda x: {"a": x}],
)
def test_numbers_are_numbers_however_they_are_written(written):
    """Laplace noise of half the scale that was promised: no output comes up twice."""

    class Written:
        def sample(self, data, *, rng):
            return written(data + float(rng.laplace(scale=0.5)))

    result = audit(Written(), (0, 1), samples=3_000, alpha=1e-3)
    assert result.violated
    assert result.lower_bound < 2


def test_text_that_never_repeats_is_refused_and_a_note_is_not():
    class Told:
        note = "about"

        def sample(self, data, *, rng):
            return f"{self.note} {data + rng.laplace():.9f}", self.note

    with pytest.raises(ValueError, match=r"text that differs nearly every time.* at entry 0;"):
        audit(Told(), (0, 1), samples=100)
    Told.sample = lambda self, data, *, rng: (rng.laplace() + data, self.note)
    assert not audit(Told(), (0, 1), samples=100).violated


@pytest.mark.parametrize("swap", [False, True])
def test_both_directions_of_the_ratio_are_audited(swap):
    """An output that only one input reaches shows in one direction alone."""
    one_sided = Table(((0.9, 0.1), (1.0, 0.0))[:: -1 if swap else 1])
    result = audit(one_sided, (0, 1))
    assert result.violated
    assert result.direction == ("second over first" if swap else "first over second")
    assert result.counts[0 if swap else 1] == 0
    assert result.event == "the output is 1"


def test_one_cell_of_a_large_graph_and_many_are_found():
    """A row of 30 cells changes: a single cell shows odds of 3, the likelihood far more."""
    nothing, row, cell, column = (np.zeros((20, 30)) for _ in range(4))
    row[3], cell[4, 7], column[:, 5] = 1, 1, 1
    result = audit(FairCoins(), (nothing, row), claimed=3.0, samples=800, alpha=1e-3)
    assert result.violated
    assert "entries" in result.event
    result = audit(FairCoins(), (nothing, cell), claimed=0.5, samples=2_000, alpha=1e-3)
    assert result.violated
    assert "(4, 7)" in result.event
    assert result.lower_bound < math.log(3)
    # sparse in, sparse out, one by one: what a reader would write first
    pair = tuple(map(sparse.csr_array, (nothing, column)))
    assert audit(BipartiteNoiseGraph(0.05), pair, claimed=2.0, samples=150, alpha=0.05).violated


def test_seeds_and_odd_numbers_of_samples():
    seeds = (3, 3, np.random.default_rng(3), 4)
    counts = [audit(FairCoins(), samples=500, alpha=0.01, rng=rng).counts for rng in seeds]
    assert counts[0] == counts[1] == counts[2] != counts[3]
    result = audit(FairCoins(), samples=11, alpha=0.5)
    assert (result.samples, result.judged, result.violated) == (11, 6, False)


def test_the_report_refutes_or_did_not_and_claims_no_more():
    caught, passed = (audit(WeakNoise(), claimed=claim, samples=4_000) for claim in (0.5, 2.0))
    assert "refutes epsilon = 0.5" in str(caught)
    assert "did not refute epsilon = 2" in repr(passed)
    few = str(audit(WeakNoise(), claimed=2.0, samples=40))
    assert ["so few samples" in text for text in (str(passed), few)] == [False, True]


# Exact bounds: against another implementation, and their errors by enumeration.


TRIALS = 40
COUNTS = np.arange(TRIALS + 1)


@pytest.mark.parametrize(("p", "q"), [(0.75, 0.25), (0.2, 0.1), (0.05, 0.05)])
def test_the_ratio_bound_is_wrong_in_at_most_alpha(p, q):
    first, second = np.meshgrid(COUNTS, COUNTS, indexing="ij")
    chances = np.outer(stats.binom.pmf(COUNTS, TRIALS, p), stats.binom.pmf(COUNTS, TRIALS, q))
    assert log_ratio_bound(0, 0, TRIALS, alpha=0.05) == -np.inf  # what never came up shows nothing
    assert np.isfinite(log_ratio_bound(TRIALS, 0, TRIALS, alpha=0.05))
    for alpha in (0.2, 0.01):
        bound = log_ratio_bound(first, second, TRIALS, alpha=alpha)
        assert chances[bound > np.log(p / q)].sum() <= alpha
        # no slack is hidden: a level a little lower than the truth is refuted far more often
        assert chances[bound > np.log(p / q) - 1].sum() > chances[bound > np.log(p / q)].sum()


class Grid:
    """Laplace noise on a grid, moved by what is no step of it: no output has both inputs."""

    def sample(self, data, *, rng):
        return round(rng.laplace() * 1024) / 1024 + 0.3 * data


def test_more_samples_find_no_less():
    for samples in (2_000, 10_000):
        how = {"claimed": 0.3, "samples": samples, "alpha": 0.01}
        results = [audit_epsilon(Grid(), (0, 1), rng=seed, **how) for seed in range(20)]
        assert all(audit.violated for audit in results)


def test_a_derived_class_that_changes_sample_alone_is_audited_as_changed():
    class Bare(BipartiteNoiseGraph):
        def sample(self, data, *, rng=None):
            del rng
            return data  # the data themselves

    result = audit(Bare(0.25), ([[1, 0]], [[0, 0]]), claimed=2, samples=200, alpha=0.05)
    assert result.violated
    own = BipartiteNoiseGraph(0.25)
    few = own.sample_many([[1, 0], [0, 1]], 3, rng=5)
    assert (few[0] != own.sample([[1, 0], [0, 1]], rng=5)).nnz == 0
