"""Mechanisms of counts: their exact levels, their laws, and what is refused."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import integrate, sparse, stats

from pplab.attacks.auditor import audit_epsilon
from pplab.counts import LocalTriangles, NoisyCount, TopItem
from pplab.counts.mechanism import NOISES
from pplab.theory.exact import exact_epsilon
from tests.helpers import ALPHA, mirrored

PATH = [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]
WHEEL = np.ones((5, 5), dtype=int) - np.eye(5, dtype=int)


def test_a_level_that_is_no_root_of_a_fraction_is_kept_on_the_safe_side():
    for epsilon, nodes in ((1.0, 4), (0.3, 5), (7.0, 4), (30.0, 3)):
        mechanism = NoisyCount(count="triangles", noise="geometric", unit="edge", epsilon=epsilon)
        ratio = mechanism._ratio(nodes)
        assert ratio ** -(nodes - 2) <= Fraction(math.exp(epsilon)) * (1 + Fraction(1, 10**14))
        assert math.log(ratio) == pytest.approx(-epsilon / (nodes - 2), abs=1e-6)


def made(count, noise, sensitivity, **more):
    delta = 1e-6 if NOISES[noise, sensitivity].delta else 0.0
    settings = {"unit": "edge", "epsilon": 0.8, "delta": delta} | more
    return NoisyCount(count=count, noise=noise, sensitivity=sensitivity, **settings)


def law_of(noise, scale):
    return {"laplace": stats.laplace, "gaussian": stats.norm, "cauchy": stats.cauchy}[noise](
        scale=scale
    )


def test_cauchy_noise_keeps_its_level_for_every_shift_and_change_of_scale():
    epsilon = 1.0
    z = np.concatenate([np.linspace(-60, 60, 24_001), [-1e6, 1e6]])
    worst = 0.0
    for shift, change in itertools.product(np.linspace(-1, 1, 9), repeat=2):
        here = stats.cauchy.logpdf(z)
        there = stats.cauchy.logpdf(
            z, loc=shift * epsilon / 2, scale=math.exp(change * epsilon / 2)
        )
        worst = max(worst, float(abs(here - there).max()))
    assert 0.7 * epsilon < worst <= epsilon  # the two steps are not tight at one output


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 1e-6), (1.0, 1e-3), (4.0, 0.05)])
def test_laplace_noise_of_smooth_sensitivity_keeps_epsilon_and_delta(epsilon, delta):
    mechanism = made("triangles", "laplace", "smooth", epsilon=epsilon, delta=delta)
    beta, scale = mechanism.beta, 2 / epsilon
    assert 0 < beta <= epsilon / 2

    def excess(shift, change):
        """Excess of one law over e^epsilon times the other, by integration over an interval."""
        one, other = stats.laplace(scale=scale), stats.laplace(shift, scale * math.exp(change))
        gap = lambda z: max(one.pdf(z) - math.exp(epsilon) * other.pdf(z), 0.0)  # noqa: E731
        far = scale * 80
        points = sorted({-far, *np.linspace(-far, far, 81).tolist(), 0.0, shift, far})
        ends = itertools.pairwise(points)
        return math.fsum(integrate.quad(gap, a, b, limit=200)[0] for a, b in ends)

    changes = (beta * part for part in (-1, -0.5, 0.5, 1))
    # the count moves by no more than the smooth sensitivity of either: 1 and e^change
    moves = ((part * min(1, math.exp(c)), c) for c in changes for part in (-1, 0, 1))
    worst = max(excess(shift, change) for shift, change in moves)
    assert 0.01 * delta < worst <= delta * (1 + 1e-6)  # two steps of the proof are not both tight


def test_trade_off_curves_lie_above_what_sampling_shows_and_below_one():
    alarms = np.linspace(0, 1, 101)
    for mechanism in (
        made("edges", "laplace", "global"),
        made("edges", "gaussian", "global"),
        made("triangles", "cauchy", "smooth"),
        made("edges", "geometric", "global"),
    ):
        curve = mechanism.trade_off(alarms)
        assert (np.diff(curve) <= 1e-12).all()
        assert (curve <= 1 - alarms + 1e-12).all()
        lines = 1 - mechanism.delta - math.exp(mechanism.epsilon) * alarms
        assert (curve >= lines - 1e-9).all()
    # a threshold on the noisy count is the best test, and its two errors lie on the curve
    for noise in ("laplace", "gaussian"):
        mechanism = made("edges", noise, "global")
        law = law_of(noise, mechanism.scale(PATH))
        cuts = np.linspace(-8, 8, 33)
        assert mechanism.trade_off(law.sf(cuts)) == pytest.approx(law.cdf(cuts - 1), abs=1e-9)


def test_an_audit_accepts_each_mechanism_and_refutes_it_when_sold_too_cheaply():
    closed = np.array(PATH)
    closed[0, 2] = closed[2, 0] = 1
    for mechanism in (
        made("edges", "laplace", "global", epsilon=2.0),
        made("edges", "geometric", "global", epsilon=2.0),
        made("triangles", "cauchy", "smooth", epsilon=2.0),
    ):
        audit = audit_epsilon(
            mechanism, (PATH, closed), claimed=mechanism.epsilon, samples=20_000, alpha=ALPHA, rng=1
        )
        assert not audit.violated
        assert audit.lower_bound > (0.3 if mechanism.noise == "cauchy" else 1.6)


def moved_by_lists(theta):
    """Effect of one friend on the answer of the last of seven, over published graphs."""
    mechanism = LocalTriangles(epsilon_lists=1.0, epsilon_counts=1.0, theta=theta)
    star = np.zeros((7, 7), dtype=int)
    star[0, 1:] = star[1:, 0] = 1  # who enters a full list knows all of it, who leaves it nobody
    moves = [0.0]
    for graph in (star, 1 - star - np.eye(7, dtype=int), mirrored(np.arange(49).reshape(7, 7) % 2)):
        answers = []
        for bits in range(2**6):
            table = np.zeros((7, 7), dtype=int)
            table[6, :6] = table[:6, 6] = bits >> np.arange(6) & 1
            result = mechanism.answers(sparse.csr_array(table), sparse.csr_array(graph), flip=0.25)
            assert not result[:6].any()  # nobody else answers about these edges
            answers.append(result[6])
        moves += [abs(answers[b] - answers[b ^ 1 << e]) for b in range(2**6) for e in range(6)]
    return max(moves)


def test_two_rounds_give_an_unbiased_count_and_each_answer_its_noise():
    graph = mirrored(np.random.default_rng(4).random((12, 12)) < 0.4).astype(int)
    truth = np.trace(np.linalg.matrix_power(graph, 3)) / 6
    for lists in (2.0, 700.0):  # flips are all but certain to be none at 700
        mechanism = LocalTriangles(epsilon_lists=lists, epsilon_counts=6.0, theta=11)
        draws = [mechanism.sample(graph, rng=seed) for seed in range(300)]
        assert abs(np.mean(draws) - truth) < 5 * np.std(draws) / 300**0.5 < truth / 2
    assert mechanism.epsilon == 706.0
    # twelve answers that one edge moves by 10; the second round alone, within five standard errors
    assert np.var(draws) == pytest.approx(12 * 2 * (10 / 6.0) ** 2, rel=5 * (2.25 / 300) ** 0.5)
    assert [moved_by_lists(theta) for theta in (2, 3, 4)] == [1, 2, 3]


def test_the_step_of_the_exponential_mechanism_is_rounded_down_and_a_user_is_not_an_edge():
    assert exact_epsilon(TopItem(unit="edge", odds=3), shape=(2, 3), unit="user").odds > 3
    assert 1 - 1e-14 < TopItem(unit="user", epsilon=1.0).step ** 2 / Fraction(math.e) <= 1
    assert TopItem(unit="user", epsilon=1e-15).step >= 1  # popular is never less likely


def test_what_does_not_go_together_is_refused():
    for change, sentence in (
        ({"noise": "cauchy"}, "noise, sensitivity and delta must go together"),
        ({"noise": "gaussian"}, "noise, sensitivity and delta must go together"),
        ({"delta": 0.1}, "noise, sensitivity and delta must go together"),
        ({"sensitivity": "smooth"}, "must come with count='triangles'"),
        ({"theta": 2}, "theta and node_edges must be None"),
        ({"unit": "node", "theta": 2}, "node_edges must be one of"),
        ({"unit": "node", "node_edges": "removed", "theta": 0}, "theta must be an integer"),
        ({"odds": 1, "epsilon": None}, "epsilon must lie in"),
        ({"delta": 1.0}, "delta must lie in"),
        (
            {"count": "triangles", "noise": "cauchy", "sensitivity": "smooth", "epsilon": 2e3},
            "at most 700",
        ),
    ):
        settings = {"count": "edges", "noise": "laplace", "unit": "edge", "epsilon": 1.0} | change
        with pytest.raises((TypeError, ValueError), match=sentence):
            NoisyCount(**settings)
    with pytest.raises(ValueError, match="parts of triangles"):
        NoisyCount(
            count="triangles", noise="geometric", unit="node", theta=2, node_edges="removed", odds=2
        )
    with pytest.raises(TypeError, match="outputs that can be listed"):
        made("edges", "laplace", "global").distribution(PATH)
    with pytest.raises(ValueError, match="number of nodes"):
        made("triangles", "laplace", "global").sample([[0, 1], [1, 0]])
