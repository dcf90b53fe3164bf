"""The power table: false alarms, faults, and the real auditor beside the drawn counts."""

import numpy as np
import pytest
from scipy import stats

from pplab.attacks.auditor import audit_epsilon
from pplab.papers import PARTS
from pplab.papers.noise_graphs.auditor import power_table
from pplab.response.levels import epsilon_to_flip
from pplab.response.noise_graph import BipartiteNoiseGraph


class OneCell:
    """A flipped bit with a given level."""

    def __init__(self, epsilon):
        self.p = epsilon_to_flip(epsilon)

    def sample_many(self, data, size, *, rng):
        return data ^ (rng.random(size) < self.p).astype(int)


@pytest.fixture(scope="module")
def table():
    return power_table(rng=1, samples=[1_000, 10_000, 100_000], runs=1_000)


def rows(table, test, alpha=None):
    chosen = table[table["test"] == test]
    if alpha is not None:
        chosen = chosen[chosen["alpha"] == alpha]
    return chosen.set_index(["samples", "true_epsilon"])["value"]


@pytest.mark.parametrize("alpha", [0.05, 1e-3, 1e-6])
def test_false_alarms_stay_below_alpha(table, alpha):
    shares = rows(table, "exact binomial", alpha)
    for (_, true), share in shares.items():
        if true <= 1:
            assert stats.binom.sf(round(share * 1_000) - 1, 1_000, alpha) > 1e-6


def test_the_exact_test_gains_by_samples_and_the_other_never_sees_small_faults(table):
    exact, slack = rows(table, "exact binomial", 1e-3), rows(table, "additive slack")
    assert exact[100_000, 1.05] > 0.9
    assert exact[100_000, 1.1] > 0.99
    assert slack[100_000, 1.15] > 0.9  # e^x <= (e + 0.1) / 0.9 passes below
    assert slack[100_000, 1.1] == 0
    for true in (1.05, 1.1, 1.2):
        assert exact[1_000, true] <= exact[10_000, true] <= exact[100_000, true]
    assert exact[100_000, 0.9] == slack[100_000, 0.9] == 0


def test_a_smaller_alpha_refutes_less(table):
    loose, strict = (rows(table, "exact binomial", alpha) for alpha in (0.05, 1e-6))
    assert (loose >= strict).all()
    assert loose[10_000, 1.1] > strict[10_000, 1.1]


@pytest.mark.parametrize(("true", "samples"), [(1.0, 1_000), (1.1, 3_000), (1.3, 1_000)])
def test_drawn_counts_have_the_power_of_the_real_auditor(true, samples):
    table = power_table(rng=2, samples=[samples], alphas=[0.05], true_epsilons=[true], runs=4_000)
    expected = rows(table, "exact binomial", 0.05)[samples, true]
    runs = 150
    caught = sum(
        audit_epsilon(
            OneCell(true), (0, 1), claimed=1.0, samples=samples, alpha=0.05, rng=seed
        ).violated
        for seed in range(runs)
    )
    assert stats.binomtest(caught, runs, max(expected, 1e-3)).pvalue > 1e-4


def test_drawn_counts_are_those_of_a_noise_graph():
    """The one-cell response is what the mechanism does to each cell."""
    p = epsilon_to_flip(1.0)
    kept = BipartiteNoiseGraph(p).sample(np.ones((100, 1_000)), rng=1).nnz
    assert stats.binomtest(kept, 100_000, 1 / (1 + np.exp(-1))).pvalue > 1e-6


def test_the_part_needs_no_data_and_is_seeded():
    part = PARTS["noise-graphs", "auditor_power"]
    assert not part.datasets
    first, again, other = (
        power_table(rng=seed, samples=[500], runs=50) for seed in (part.seed, part.seed, 99)
    )
    assert first.equals(again)
    assert not first.equals(other)


def test_bad_levels_are_refused():
    with pytest.raises(ValueError, match="epsilon must lie in"):
        power_table(rng=1, claimed=0.0)
    with pytest.raises(ValueError, match="alpha must lie in"):
        power_table(rng=1, alphas=[1.0], samples=[100])
    with pytest.raises(ValueError, match="samples must be"):
        power_table(rng=1, samples=[2])
