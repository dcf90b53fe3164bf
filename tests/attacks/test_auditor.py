"""The auditor is audited: false alarms, power, both directions, honest events."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import sparse, stats

from pplab.attacks.auditor import audit_epsilon
from pplab.attacks.zoo import FairCoins, WeakNoise
from pplab.intervals import binomial_lower, binomial_upper, log_ratio_bound
from pplab.response.levels import epsilon_to_flip
from pplab.response.noise_graph import BipartiteNoiseGraph
from tests.attacks.right_mechanisms import GeometricCount, LaplaceCount

ONE_CELL = ([[0]], [[1]])


@dataclass
class Table:
    """Outputs 0, 1, ... of two inputs, with their probabilities."""

    laws: tuple

    def sample_many(self, data, size, *, rng):
        law = self.laws[data]
        return rng.choice(len(law), size=size, p=law)


class Loop:
    """A mechanism as outsiders write it: `sample` alone."""

    def __init__(self, epsilon):
        self.p = epsilon_to_flip(epsilon)

    def sample(self, data, *, rng):
        return int(data) ^ int(rng.random() < self.p)


def alarms(mechanism, pair, claimed, alpha, runs, samples=400):
    seeds = np.random.default_rng(7).integers(2**32, size=runs)
    audits = (
        audit_epsilon(mechanism, pair, claimed=claimed, samples=samples, alpha=alpha, rng=int(seed))
        for seed in seeds
    )
    return sum(audit.violated for audit in audits)


RARE = Table(((0.02, 0.98), (0.005, 0.995)))  # odds of 4 on a rare output
SKEWED = Table(((0.5, 0.3, 0.2), (0.25, 0.45, 0.3)))  # odds of 2 and of 1.5
MANY = Table(tuple(np.roll(np.r_[np.full(20, 2.0), np.full(20, 1.0)] / 60, s) for s in (0, 20)))


@pytest.mark.parametrize(
    ("mechanism", "pair", "true"),
    [
        (FairCoins(), FairCoins.pair, FairCoins.claimed),
        (LaplaceCount(), LaplaceCount.pair, 1.0),
        (GeometricCount(), GeometricCount.pair, 1.0),
        (RARE, (0, 1), math.log(4)),
        (SKEWED, (0, 1), math.log(2)),
        (MANY, (0, 1), math.log(2)),
    ],
)
def test_false_alarms_stay_below_alpha(mechanism, pair, true):
    """At the exact level; an honest 5 % gives more than 14 alarms in 100 once in a thousand."""
    runs, alpha = 100, 0.05
    found = alarms(mechanism, pair, true, alpha, runs)
    assert stats.binom.sf(found - 1, runs, alpha) > 1e-3


def test_the_count_of_alarms_would_notice_a_dishonest_auditor():
    """Judged on what chose it, or with too small a claim, the alarms are far too many."""
    found = alarms(FairCoins(), FairCoins.pair, FairCoins.claimed / 1.6, 0.05, 100)
    assert stats.binom.sf(found - 1, 100, 0.05) < 1e-6


def test_no_slack_is_hidden():
    """With a generous alpha a right mechanism is accused now and then: the bound is not padded."""
    assert alarms(FairCoins(), FairCoins.pair, FairCoins.claimed, 0.9, 60) > 0


@pytest.mark.parametrize("seed", range(2))
def test_a_fault_of_1_2_is_caught_on_20000_samples(seed):
    found = audit_epsilon(
        WeakNoise(), ONE_CELL, claimed=WeakNoise.claimed, samples=20_000, alpha=1e-6, rng=seed
    )
    assert found.violated
    assert found.lower_bound < math.log(float(WeakNoise.odds))


@pytest.mark.parametrize("swap", [False, True])
def test_both_directions_of_the_ratio_are_audited(swap):
    """An output that only one input reaches shows in one direction alone."""
    one_sided = Table(((0.9, 0.1), (1.0, 0.0))[:: -1 if swap else 1])
    found = audit_epsilon(one_sided, (0, 1), claimed=1.0, samples=2_000, alpha=1e-6, rng=1)
    assert found.violated
    assert found.direction == ("second over first" if swap else "first over second")
    assert found.counts[0 if swap else 1] == 0
    assert found.event.description == "the output is 1"
    assert found.event.predicate(1)
    assert not found.event.predicate(0)


def share(mechanism, data, event, size, rng):
    draws = mechanism.sample_many(data, size, rng=np.random.default_rng(rng))
    return sum(event.predicate(output) for output in draws), size


@pytest.mark.parametrize(
    ("mechanism", "pair"),
    [
        (LaplaceCount(), LaplaceCount.pair),
        (FairCoins(), ([[0, 0], [0, 0]], [[1, 1], [1, 1]])),
        (FairCoins(), (np.zeros((1, 20)), np.ones((1, 20)))),
        (MANY, (0, 1)),
    ],
)
def test_the_predicate_is_the_event_that_was_counted(mechanism, pair):
    """Fresh releases fall into the event as often as the judged ones did."""
    found = audit_epsilon(mechanism, pair, claimed=0.1, samples=2_000, alpha=1e-6, rng=1)
    assert found.violated
    for data, count, seed in zip(pair, found.counts, (2, 3), strict=True):
        fresh, size = share(mechanism, data, found.event, 1_000, seed)
        table = [[fresh, size - fresh], [count, found.judged - count]]
        assert stats.fisher_exact(table).pvalue > 1e-6


def test_large_graphs_are_told_apart_by_a_score():
    """A row of 40 cells changes: a single cell shows odds of 3, the likelihood far more."""
    before, after = np.zeros((30, 40)), np.zeros((30, 40))
    after[3] = 1
    found = audit_epsilon(FairCoins(), (before, after), claimed=3.0, samples=800, alpha=1e-3, rng=1)
    assert found.violated
    assert "entries" in found.event.description


def test_one_cell_of_a_large_graph_is_found():
    before, after = np.zeros((20, 20)), np.zeros((20, 20))
    after[4, 7] = 1
    found = audit_epsilon(
        FairCoins(), (before, after), claimed=0.5, samples=3_000, alpha=1e-3, rng=1
    )
    assert found.violated
    assert "(4, 7)" in found.event.description
    assert found.lower_bound < math.log(3)


def test_large_releases_of_the_library_can_be_audited():
    """Sparse in, sparse out, one by one: what a reader would write first."""
    before, after = np.zeros((20, 30)), np.zeros((20, 30))
    after[:, 5] = 1
    mechanism = BipartiteNoiseGraph(0.05)
    found = audit_epsilon(
        mechanism,
        tuple(map(sparse.csr_array, (before, after))),
        claimed=2.0,
        samples=150,
        alpha=0.05,
        rng=1,
    )
    assert found.violated


def test_a_mechanism_needs_nothing_but_sample():
    caught = audit_epsilon(Loop(1.5), (0, 1), claimed=1.0, samples=4_000, alpha=1e-3, rng=1)
    passed = audit_epsilon(Loop(1.0), (0, 1), claimed=1.0, samples=4_000, alpha=1e-3, rng=1)
    assert caught.violated
    assert not passed.violated


def test_the_shortcut_draws_from_the_same_law():
    """With and without sample_many the bound is the same but for chance."""

    class OneByOne:
        sample = FairCoins().sample

    bounds = [
        audit_epsilon(m, ONE_CELL, claimed=1.0, samples=4_000, alpha=1e-3, rng=1).lower_bound
        for m in (FairCoins(), OneByOne())
    ]
    assert bounds[0] == pytest.approx(bounds[1], abs=0.15)


def test_a_mechanism_that_publishes_nothing_is_not_refuted():
    class Silent:
        def sample(self, _data, **_rng):
            return sparse.csr_array((2, 2))

    found = audit_epsilon(Silent(), (0, 1), claimed=0.01, samples=100, alpha=0.05, rng=1)
    assert not found.violated
    assert found.lower_bound == 0
    assert found.event.predicate(sparse.csr_array((2, 2)))


def test_the_same_seed_gives_the_same_audit():
    audits = [
        audit_epsilon(FairCoins(), ONE_CELL, claimed=1.0, samples=500, alpha=0.01, rng=rng)
        for rng in (3, 3, np.random.default_rng(3), 4)
    ]
    assert audits[0].counts == audits[1].counts == audits[2].counts
    assert audits[0].counts != audits[3].counts


def test_odd_numbers_of_samples_are_all_used():
    found = audit_epsilon(FairCoins(), ONE_CELL, claimed=1.0, samples=11, alpha=0.5, rng=1)
    assert (found.samples, found.judged) == (11, 6)
    assert not found.violated


def test_the_report_refutes_or_did_not_and_claims_no_more():
    caught = audit_epsilon(WeakNoise(), ONE_CELL, claimed=0.5, samples=4_000, alpha=1e-6, rng=1)
    passed = audit_epsilon(WeakNoise(), ONE_CELL, claimed=2.0, samples=4_000, alpha=1e-6, rng=1)
    assert "refutes epsilon = 0.5" in str(caught)
    assert "did not refute epsilon = 2" in repr(passed)
    for audit in (caught, passed):
        assert "prove" not in str(audit)
        assert audit.event.description in str(audit)
        assert f"{audit.counts[0]:,}" in str(audit)
        assert "1e-06" in str(audit)


class Short:
    def sample_many(self, _data, size, **_rng):
        return [0] * (size - 1)


def test_bad_arguments_are_refused_in_a_sentence():
    good = {"mechanism": FairCoins(), "pair": ONE_CELL, "claimed": 1.0, "samples": 100}
    for name, value, sentence in (
        ("claimed", 0.0, "claimed must be positive"),
        ("claimed", math.inf, "claimed must be positive"),
        ("claimed", math.nan, "claimed must be positive"),
        ("claimed", True, "claimed must be a number"),
        ("samples", 7, "samples must be an integer at least 8"),
        ("samples", 100.0, "samples must be an integer"),
        ("alpha", 0.0, "alpha must lie in"),
        ("alpha", 1.0, "alpha must lie in"),
        ("alpha", math.nan, "alpha must lie in"),
        ("pair", ([[0]],), "two neighbouring inputs, got 1 inputs"),
        ("pair", "ab", "two neighbouring inputs, got str"),
        ("mechanism", 3, "must have a method sample"),
        ("mechanism", Short(), "must give 100 releases, got 99"),
        ("rng", -1, "rng must be"),
    ):
        with pytest.raises((TypeError, ValueError), match=sentence):
            audit_epsilon(**good | {"alpha": 0.05, "rng": 1} | {name: value})


# Exact bounds: against another implementation, and their errors by enumeration.


TRIALS = 40
COUNTS = np.arange(TRIALS + 1)


@pytest.mark.parametrize("successes", [0, 1, 17, 40])
def test_bounds_are_those_of_scipy(successes):
    interval = stats.binomtest(successes, TRIALS).proportion_ci(0.98, method="exact")
    assert binomial_lower(successes, TRIALS, alpha=0.01) == pytest.approx(interval.low)
    assert binomial_upper(successes, TRIALS, alpha=0.01) == pytest.approx(interval.high)


def wrong_share(bounds_wrong, probability):
    return stats.binom.pmf(COUNTS, TRIALS, probability)[bounds_wrong].sum()


@pytest.mark.parametrize("alpha", [0.3, 0.05, 1e-3])
def test_a_bound_is_wrong_in_at_most_alpha_and_not_much_less(alpha):
    lower = binomial_lower(COUNTS, TRIALS, alpha=alpha)
    upper = binomial_upper(COUNTS, TRIALS, alpha=alpha)
    grid = np.linspace(0.001, 0.999, 499)
    too_high = [wrong_share(lower > p, p) for p in grid]
    too_low = [wrong_share(upper < p, p) for p in grid]
    for errors in (too_high, too_low):
        assert max(errors) <= alpha * (1 + 1e-9)
        assert max(errors) > 0.9 * alpha


@pytest.mark.parametrize(("p", "q"), [(0.75, 0.25), (0.2, 0.1), (0.05, 0.05)])
def test_the_ratio_bound_is_wrong_in_at_most_alpha(p, q):
    first, second = np.meshgrid(COUNTS, COUNTS, indexing="ij")
    chances = np.outer(stats.binom.pmf(COUNTS, TRIALS, p), stats.binom.pmf(COUNTS, TRIALS, q))
    for alpha in (0.2, 0.01):
        bound = log_ratio_bound(first, second, TRIALS, alpha=alpha)
        assert chances[bound > np.log(p / q)].sum() <= alpha
        # no slack is hidden: a level a little lower than the truth is refuted far more often
        assert chances[bound > np.log(p / q) - 1].sum() > chances[bound > np.log(p / q)].sum()


def test_an_event_that_never_came_up_shows_nothing():
    assert log_ratio_bound(0, 0, TRIALS, alpha=0.05) == -np.inf
    assert np.isfinite(log_ratio_bound(TRIALS, 0, TRIALS, alpha=0.05))
