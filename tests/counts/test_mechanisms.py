"""Mechanisms of counts: their exact levels and what is refused."""

import math
from fractions import Fraction

import numpy as np
import pytest

from pplab.attacks.auditor import audit_epsilon
from pplab.counts import NoisyCount, TopItem
from pplab.counts.mechanism import NOISES
from pplab.theory.exact import exact_epsilon
from tests.helpers import ALPHA

PATH = [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]
WHEEL = np.ones((5, 5), dtype=int) - np.eye(5, dtype=int)


def test_a_level_that_is_no_root_of_a_fraction_is_kept_on_the_safe_side():
    for epsilon, nodes in ((1.0, 4), (0.3, 5), (7.0, 4), (30.0, 3)):
        mechanism = NoisyCount(count="triangles", noise="geometric", unit="edge", epsilon=epsilon)
        ratio = mechanism._ratio(nodes)
        assert ratio ** -(nodes - 2) <= Fraction(math.exp(epsilon)) * (1 + Fraction(1, 10**14))
        assert math.log(ratio) == pytest.approx(-epsilon / (nodes - 2), abs=1e-6)


def made(count, noise, **more):
    delta = 1e-6 if NOISES[noise].delta else 0.0
    settings = {"unit": "edge", "epsilon": 0.8, "delta": delta} | more
    return NoisyCount(count=count, noise=noise, **settings)


def test_an_audit_accepts_each_mechanism_and_refutes_it_when_sold_too_cheaply():
    closed = np.array(PATH)
    closed[0, 2] = closed[2, 0] = 1
    for mechanism in (
        made("edges", "laplace", epsilon=2.0),
        made("edges", "geometric", epsilon=2.0),
    ):
        audit = audit_epsilon(
            mechanism, (PATH, closed), claimed=mechanism.epsilon, samples=20_000, alpha=ALPHA, rng=1
        )
        assert not audit.violated
        assert audit.lower_bound > 1.6


def test_the_step_of_the_exponential_mechanism_is_rounded_down_and_a_user_is_not_an_edge():
    assert exact_epsilon(TopItem(unit="edge", odds=3), shape=(2, 3), unit="user").odds > 3
    assert 1 - 1e-14 < TopItem(unit="user", epsilon=1.0).step ** 2 / Fraction(math.e) <= 1
    assert TopItem(unit="user", epsilon=1e-15).step >= 1  # popular is never less likely


def test_what_does_not_go_together_is_refused():
    for change, sentence in (
        ({"noise": "cauchy"}, "noise must be one of"),
        ({"noise": "gaussian"}, "delta must be above 0 with noise 'gaussian'"),
        ({"delta": 0.1}, "delta must be 0 with noise 'laplace'"),
        ({"theta": 2}, "theta and node_edges must be None"),
        ({"unit": "node", "theta": 2}, "node_edges must be one of"),
        ({"unit": "node", "node_edges": "removed", "theta": 0}, "theta must be an integer"),
        ({"odds": 1, "epsilon": None}, "epsilon must lie in"),
        ({"delta": 1.0}, "delta must lie in"),
    ):
        settings = {"count": "edges", "noise": "laplace", "unit": "edge", "epsilon": 1.0} | change
        with pytest.raises((TypeError, ValueError), match=sentence):
            NoisyCount(**settings)
    with pytest.raises(ValueError, match="parts of triangles"):
        NoisyCount(
            count="triangles", noise="geometric", unit="node", theta=2, node_edges="removed", odds=2
        )
    with pytest.raises(TypeError, match="outputs that can be listed"):
        made("edges", "laplace").distribution(PATH)
    with pytest.raises(ValueError, match="number of nodes"):
        made("triangles", "laplace").sample([[0, 1], [1, 0]])
