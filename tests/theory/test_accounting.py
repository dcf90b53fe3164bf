"""Accounts of many releases against dp-accounting, each other, and counting."""

import math
from itertools import product

import numpy as np
import pytest

from pplab.attacks.auditor import audit_epsilon
from pplab.counts import NoisyCount
from pplab.response import BipartiteNoiseGraph
from pplab.theory import DisjointRows, PostProcessed, Repeated
from pplab.theory.accounting import advanced_composition, exact_composition
from pplab.tradeoff import gaussian_delta, gaussian_epsilon
from tests.helpers import ALPHA


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


def test_deltas_add_up_and_are_nothing_for_pure_parts():
    graph = [[0, 1], [1, 0]]
    gaussian = NoisyCount(count="edges", noise="gaussian", unit="edge", epsilon=1.0, delta=1e-3)
    assert Repeated(gaussian, times=5).delta == pytest.approx(5e-3)
    assert Repeated(gaussian, times=2_000).delta == 1.0
    assert DisjointRows([gaussian, gaussian]).delta == 1e-3
    flips = BipartiteNoiseGraph(0.25)
    assert flips.delta == Repeated(flips, times=3).delta == 0
    assert PostProcessed(flips, len).delta == 0
    assert np.isfinite(gaussian.sample(graph, rng=1))


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
