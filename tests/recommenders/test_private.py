"""Recommenders with a promise for a person: sensitivity, noise, levels, and the method itself."""

import itertools
import math
import sys
from dataclasses import replace

import dp_accounting
import numpy as np
import pytest
import scipy.linalg
from scipy import optimize, sparse, special

from pplab import table
from pplab.attacks.person import audit_person
from pplab.recommenders import private
from pplab.recommenders.private import (
    ItemModel,
    NoisyCovariance,
    NoisyFactorisation,
    gaussian_level,
    noise_for,
)
from pplab_papers.yardstick.person import canary

STEPS = {"delta": 1e-5, "clip": 1.0, "rate": 1.0, "ridge": 0.5, "rank": 2}
POISSON = {"batches": "poisson", "accounting": "poisson"}


def table_of(kind, seed, users=12, items=7):
    """Sparse likes, or ratings from 1 to 5 with users of many lengths; one user has none."""
    rng = np.random.default_rng(seed)
    known = rng.random((users, items)) < rng.random((users, 1))
    known[0] = True
    values = np.where(known, 1 if kind == "likes" else rng.integers(1, 6, (users, items)), 0)
    values[1] = 0
    return sparse.csr_array(values.astype(float))


def range_of(kind):
    return None if kind == "likes" else (1, 5)


# Levels.


@pytest.mark.parametrize("noise", [0.6, 1.0, 4.0])
@pytest.mark.parametrize("steps", [1, 7])
def test_the_exact_level_is_that_of_dp_accounting(noise, steps):
    known = dp_accounting.get_epsilon_gaussian(noise / math.sqrt(steps), 1e-5)
    assert gaussian_level(noise, delta=1e-5, steps=steps) == pytest.approx(known, abs=1e-9)


def test_mironovs_line_is_the_least_over_all_orders():
    orders = 1 + np.exp(np.linspace(-6, 6, 200_001))
    for noise, steps in ((1.0, 1), (3.0, 10)):
        least = np.min(steps * orders / (2 * noise**2) - math.log(1e-5) / (orders - 1))
        result = gaussian_level(noise, delta=1e-5, steps=steps, conversion="mironov")
        assert result == pytest.approx(least, abs=1e-6)


def _missed(epsilon, sigma, q):
    """Exact delta of one sampled step at a level, as logarithm: the worse of both directions."""
    e, parts = math.expm1(epsilon), [-math.inf]

    def less(one, other):  # logarithm of a difference
        return one + math.log1p(-math.exp(other - one)) if other < one else -math.inf

    # the mixture is e times the other right of here
    t = sigma**2 * math.log((e + q) / q) + 0.5
    right = [special.log_ndtr((mean - t) / sigma) for mean in (0, 1)]
    parts.append(less(math.log(q) + right[1], math.log(e + q) + right[0]))
    rest = q - 1 + math.exp(-epsilon)
    if rest > 0:  # and the other e times the mixture left of here
        t = sigma**2 * math.log(rest / q) + 0.5
        left = [special.log_ndtr((t - mean) / sigma) for mean in (0, 1)]
        mixed = np.logaddexp(math.log1p(-q) + left[0], math.log(q) + left[1])
        parts.append(less(left[0], epsilon + mixed))
    return max(parts)


_OFTEN, _SELDOM = [1e-9, 1e-15], [1e-3, 1e-14, 1e-30, 1e-300]
_DELTAS = [*_OFTEN, *(pytest.param(d, marks=pytest.mark.verify("generated")) for d in _SELDOM)]


@pytest.mark.parametrize("delta", _DELTAS)
def test_a_level_holds_at_every_delta(delta):
    """The loss distribution alone gave infinity from 1e-15, and a noise that has no level."""
    for share in (1e-3, 0.7):
        for steps in (1, 100):
            asked = {"delta": delta, "steps": steps, "sampling": share}
            level = gaussian_level(1.0, **asked)
            assert level <= gaussian_level(1.0, conversion="renyi", **asked) < math.inf
            if steps == 1:
                missed = _missed(level, 1.0, share)
                assert missed <= math.log(delta) + 1e-6
                assert missed >= math.log(delta) - 0.01 or delta < 1e-9 or level == 0
        assert gaussian_level(noise_for(2, **asked), **asked) <= 2


def test_the_noise_for_many_steps_at_a_tiny_delta_is_not_wasted():
    asked = {"delta": 1e-15, "steps": 100, "sampling": 0.01}
    assert noise_for(1, **asked) < 2  # was 307
    asked["steps"] = 1000
    assert gaussian_level(1.0, **asked) == pytest.approx(5.284, abs=1e-3)  # was infinite
    for epsilon, delta in ((8, 1e-12), (0.3, 1e-12), (1, 1e-15)):
        asked["delta"] = delta
        assert gaussian_level(noise_for(epsilon, **asked), **asked) <= epsilon


@pytest.mark.parametrize(("epsilon", "sampled"), [(0.5, {}), (3, {"steps": 3, "sampling": 0.2})])
def test_noise_for_keeps_the_level_and_wastes_little(epsilon, sampled):
    sigma = noise_for(epsilon, delta=1e-5, **sampled)
    assert gaussian_level(sigma, delta=1e-5, **sampled) <= epsilon
    assert gaussian_level(sigma / 1.01, delta=1e-5, **sampled) > epsilon
    assert noise_for(math.inf, delta=1e-5) == 0


def test_without_dp_accounting_one_sentence_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "dp_accounting", None)
    assert gaussian_level(1.0, delta=1e-5, conversion="mironov") > 5
    mechanism = NoisyCovariance(noise=1.0, delta=1e-5)
    assert mechanism.sample([[1, 0]], rng=1).covariance.shape == (2, 2)
    assert f"{mechanism.epsilon:.2f}" == "4.38"  # one step is our own formula
    for option in ({"conversion": "renyi"}, {"sampling": 0.3, "steps": 7}):
        with pytest.raises(ModuleNotFoundError, match=r"dp-accounting must be .* 'pplab\[lab\]'"):
            gaussian_level(1.25, delta=1e-5, **option)


# A user's gradient; what a user moves sums by is in tests/test_every_mechanism.py.


@pytest.mark.parametrize("kind", ["likes", "ratings"])
@pytest.mark.parametrize("seed", range(3))
def test_gradients_are_clipped_user_by_user_and_add_up(kind, seed):
    table = table_of(kind, seed)
    made = STEPS | {"clip": 0.3, "rating_range": range_of(kind)}
    mechanism = NoisyFactorisation(noise=0, steps=1, sampling=1, **POISSON, **made)
    rng = np.random.default_rng(seed)
    model = ItemModel(
        0.1 * rng.standard_normal(7) * (kind == "ratings"), rng.standard_normal((7, 2)), 0.5,
        range_of(kind),
    )  # fmt: skip
    scaled = private._scale_ratings(table, range_of(kind))
    one_by_one = [mechanism._gradient(scaled[[user]], model) for user in range(12)]
    lengths = [np.linalg.norm(gradient) for gradient in one_by_one]
    assert 0.299 < max(lengths) <= 0.3 * (1 + 1e-9)
    assert lengths[1] == 0
    assert mechanism._gradient(scaled, model) == pytest.approx(sum(one_by_one), abs=1e-12)


@pytest.mark.parametrize("kind", ["likes", "ratings"])
def test_the_gradient_is_that_of_the_error_after_each_users_regression(kind):
    table, ridge = table_of(kind, 4), 0.5
    made = STEPS | {"clip": 1e6, "rating_range": range_of(kind)}
    mechanism = NoisyFactorisation(noise=0, steps=1, sampling=1, **POISSON, **made)
    scaled = private._scale_ratings(table, range_of(kind))
    columns = 2 + (kind == "ratings")

    def error(flat):
        """Half of the least penalised squares, cell by cell, user by user."""
        parts, total = flat.reshape(7, columns), 0.0
        means, factors = parts[:, 0] * (kind == "ratings"), parts[:, columns - 2 :]
        for row in range(12):
            cells = slice(*scaled.indptr[row : row + 2])
            if kind == "likes":
                design, expected, penalty = factors, scaled.toarray()[row], [ridge] * 2
            else:
                places = scaled.indices[cells]
                design = np.column_stack([np.ones(len(places)), factors[places]])
                expected, penalty = scaled.data[cells] - means[places], [private._OWN, ridge, ridge]
            stacked = np.vstack([design, np.diag(np.sqrt(penalty))])
            goal = np.concatenate([expected, np.zeros(len(penalty))])
            best = np.linalg.lstsq(stacked, goal, rcond=None)[0]
            total += np.sum((stacked @ best - goal) ** 2) / 2
        return total

    start = np.random.default_rng(5).standard_normal(7 * columns) / 2
    parts = start.reshape(7, columns)
    means = parts[:, 0] if kind == "ratings" else np.zeros(7)
    model = ItemModel(means, parts[:, columns - 2 :], ridge, range_of(kind))
    result = mechanism._gradient(scaled, model)
    assert result.ravel() == pytest.approx(optimize.approx_fprime(start, error), abs=1e-5)


# Noise off: the known method.


def test_without_noise_and_clip_the_covariance_is_the_truncated_svd():
    likes = table_of("likes", 6, users=40, items=9)
    release = NoisyCovariance(noise=0, delta=1e-5, clip=100.0).sample(likes)
    assert release.covariance == pytest.approx((likes.T @ likes).toarray())
    assert release.sums[0] == pytest.approx(likes.toarray().sum(axis=0))
    basis = release.model(rank=3, ridge=1e-9).factors / 3
    right = np.linalg.svd(likes.toarray())[2][:3].T
    kept = np.linalg.qr(np.column_stack([right, release.sums[0]]))[0]
    assert basis @ basis.T == pytest.approx(kept @ kept.T)


def test_without_noise_ratings_are_centred_by_item_and_user():
    ratings = table_of("ratings", 7, users=50, items=6)
    release = NoisyCovariance(noise=0, delta=1e-5, clip=100.0, rating_range=(1, 5)).sample(ratings)
    known = ratings.toarray() > 0
    scaled = np.where(known, (ratings.toarray() - 3) / 2, 0)
    assert release.sums == pytest.approx(np.array([scaled.sum(axis=0), known.sum(axis=0)]))
    rest = np.where(known, scaled - release.means, 0)
    rest -= known * (rest.sum(axis=1) / np.maximum(known.sum(axis=1), 1))[:, None]
    assert release.covariance == pytest.approx(rest.T @ rest)
    assert release.means == pytest.approx(scaled.sum(axis=0) / known.sum(axis=0), abs=0.1)


def test_without_noise_and_clip_descent_finds_the_span_of_the_svd():
    likes = table_of("likes", 8, users=60, items=8)
    made = STEPS | {"clip": 1e9, "rate": 4.0, "ridge": 1e-6}
    result = NoisyFactorisation(noise=0, steps=3000, sampling=1, **POISSON, **made).sample(likes)
    right = np.linalg.svd(likes.toarray())[2][:2].T
    angles = scipy.linalg.subspace_angles(result.factors, right)
    assert np.max(angles) < 1e-3


def test_scores_are_each_users_own_ridge_regression():
    ratings = table_of("ratings", 9)
    rng = np.random.default_rng(1)
    model = ItemModel(rng.standard_normal(7) / 4, rng.standard_normal((7, 2)), 0.7, (1, 5))
    scores = model.scores(ratings)
    known = ratings.toarray()[0] > 0
    design = np.column_stack([np.ones(7), model.factors])
    seen, rest = design[known], ((ratings.toarray()[0] - 3) / 2 - model.means)[known]
    own = np.linalg.solve(seen.T @ seen + np.diag([1, 0.7, 0.7]), seen.T @ rest)
    assert scores[0] == pytest.approx(np.clip(3 + 2 * (model.means + design @ own), 1, 5))
    assert scores[1] == pytest.approx(np.clip(3 + 2 * model.means, 1, 5))
    assert scores[[0]] == pytest.approx(model.scores(ratings[[0]]))


# Noise: where it goes, and how much.


def test_an_empty_batch_is_a_step_with_noise_alone_and_the_expected_size_divides():
    likes = table_of("likes", 10, users=30)
    made = STEPS | {"rate": 3.0, "clip": 0.5}
    mechanism = NoisyFactorisation(noise=2.0, steps=40, sampling=0.01, **POISSON, **made)
    before = np.random.default_rng(private._START).standard_normal((7, 2))
    drawn = np.random.default_rng(4)
    sums = []
    for model, total in mechanism.walk(likes, np.random.default_rng(4)):
        batch = np.flatnonzero(drawn.random(30) < 0.01)
        noise = 2.0 * 0.5 * drawn.standard_normal((7, 2))
        clean = mechanism._gradient(likes[batch], ItemModel(np.zeros(7), before, 0.5, None))
        assert total == pytest.approx(clean + noise)
        assert model.factors == pytest.approx(before - 3.0 * total / (0.01 * 30))
        before = model.factors
        sums.append((len(batch), np.abs(clean).sum()))
    assert {0, 1} <= {size for size, _ in sums}
    assert all(moved == 0 for size, moved in sums if size == 0)


def test_poisson_batches_vary_and_shuffled_ones_hold_everybody_once():
    made = STEPS | {"steps": 400, "sampling": 0.25}
    poisson = NoisyFactorisation(noise=1.0, **POISSON, **made)
    batches = list(poisson._batches(20, np.random.default_rng(1)))
    assert np.mean([len(b) for b in batches]) == pytest.approx(5, abs=0.4)
    assert np.var([len(b) for b in batches]) == pytest.approx(20 * 0.25 * 0.75, rel=0.25)
    shuffled = NoisyFactorisation(noise=1.0, batches="shuffled", accounting="epochs", **made)
    batches = list(shuffled._batches(20, np.random.default_rng(1)))
    for first in range(0, 400, 4):
        together = np.concatenate(batches[first : first + 4])
        assert sorted(together) == list(range(20))


# The audit on the worst pair: one clipped user, all else nothing.


def test_noise_at_half_the_stated_scale_is_refuted_and_the_stated_one_stands():
    stated = NoisyCovariance(noise=1.0, delta=1e-5)
    for noise, refuted in ((0.5, True), (1.0, False)):
        weaker = NoisyCovariance(noise=noise, delta=1e-5)
        draws = canary(weaker, 4000, np.random.default_rng(1))
        result = audit_person(*draws, delta=1e-5, alpha=0.05, trade_off=stated.trade_off)
        assert result.refuted is refuted


def test_the_curve_of_sampled_steps_lies_between_its_neighbours():
    """Sampling hides: more misses than without it; and never more than 1 - alarms."""
    alarms = np.array([0.0, 0.01, 0.1, 0.5, 1.0])
    made = STEPS | {"noise": 1.0, "steps": 6}
    some = NoisyFactorisation(sampling=0.5, **POISSON, **made).trade_off(alarms)
    every = NoisyFactorisation(sampling=1, **POISSON, **made).trade_off(alarms)
    assert np.all(every <= some + 1e-4)  # lines up to epsilon = 12 are looked at
    assert np.all(some <= 1 - alarms + 1e-9)


# Doors.


def test_same_seed_same_release_and_a_frame_for_tables():
    import pandas as pd

    edges = pd.DataFrame({"user": [7, 7, 9], "item": [1, 2, 1], "rating": [1, 1, 1]})
    mechanism, ends = NoisyCovariance(noise=1.0, delta=1e-5), {"user": "user", "item": "item"}
    named = [
        table(lines, **ends, value="rating", users=users, items=[1, 2])
        for lines, users in ((edges, [7, 8, 9]), (edges[::-1], [9, 8, 7]))
    ]
    one, other = (mechanism.sample(each, rng=1).covariance for each in named)
    assert np.array_equal(one, other)


def test_directions_that_noise_would_make_are_left_out():
    empty = sparse.csr_array((5, 40))
    for seed in range(5):
        release = NoisyCovariance(noise=1.0, delta=1e-5, rating_range=(1, 5)).sample(
            empty, rng=seed
        )
        largest = np.linalg.eigvalsh(release.covariance)[-1]
        assert 0.7 * release.edge < largest < 1.25 * release.edge
        assert release.model(rank=10, ridge=1.0).factors.shape[1] <= 3


def test_predictions_stay_in_the_range():
    ratings = table_of("ratings", 11)
    for noise, rank in itertools.product((0, 3.0), (1, 4)):
        mechanism = NoisyCovariance(noise=noise, delta=1e-5, rating_range=(1, 5))
        scores = mechanism.sample(ratings, rng=2).model(rank=rank, ridge=1.0).scores(ratings)
        assert scores.min() >= 1
        assert scores.max() <= 5


ZERO = np.array([[0, 5, 2], [3, 0, 1]])
OF_ZERO = [
    NoisyCovariance(noise=0, delta=1e-5),
    NoisyFactorisation(noise=0, steps=2, sampling=1.0, **POISSON, **STEPS),
]


@pytest.mark.parametrize("of", OF_ZERO, ids=lambda of: type(of).__name__)
@pytest.mark.parametrize("scale", [(0, 5), (-2, 5), (-5, 5)])
def test_a_zero_of_an_array_is_refused_where_it_may_be_a_rating(of, scale):
    mechanism = replace(of, rating_range=scale)
    for array in (ZERO, ZERO.tolist(), ZERO.astype(float)):
        with pytest.raises(
            ValueError, match=r'pass pplab.table\(ratings, zero="rating"\) or zero='
        ):
            mechanism.sample(array, rng=1)
    absent = mechanism.sample(table(ZERO, zero="absent"), rng=1)
    rating = mechanism.sample(table(ZERO, zero="rating"), rng=1)
    stored = mechanism.sample(sparse.csr_array(ZERO), rng=1)
    assert not np.allclose(absent.means, rating.means)
    np.testing.assert_array_equal(absent.means, stored.means)
    full = np.where(ZERO == 0, 1, ZERO)
    mechanism.sample(full, rng=1)  # without a 0 nothing is in doubt


def test_a_zero_is_absent_where_no_rating_is_0():
    exact = NoisyCovariance(noise=0, delta=1e-5, rating_range=(1, 5))
    results = [exact.sample(form).covariance for form in (ZERO, table(ZERO, zero="absent"))]
    np.testing.assert_array_equal(*results)
    assert table(ZERO, zero="rating").matrix.nnz == 6


@pytest.mark.parametrize("rate", [1e3, 1e9, 1e300])
@pytest.mark.parametrize("scale", [None, (1, 5)])
def test_no_rate_makes_a_regression_singular(rate, scale):
    """An error would tell of the data, so there is none: the published factors are bounded."""
    ratings = np.array([[5, 0, 1], [1, 2, 0], [4, 4, 4]])
    table_ = sparse.csr_array(ratings if scale else ratings > 0)
    made = STEPS | {"steps": 5, "sampling": 1, "rank": 6, "rate": rate, "ridge": 1e-9}
    drawn = NoisyFactorisation(noise=1, rating_range=scale, **POISSON, **made)
    with np.errstate(over="ignore"):
        for seed in range(5):
            model = drawn.sample(table_, rng=seed)
            assert np.isfinite(model.scores(table_.astype(float))).all()


def convolved(epsilon, sigma, q, steps):
    """Delta of sampled steps at a level, from below; the worse direction.

    The loss of a step is cut into cells and put at their lower ends. Sums have positive terms
    alone, so their relative error is that of a few thousand roundings, however small delta is.
    """
    cell = 1 / 128
    ends = cell * np.arange(math.floor(math.log1p(-q) / cell), math.ceil(45 / cell))
    with np.errstate(divide="ignore", invalid="ignore"):
        x = sigma**2 * np.log((np.exp(ends) - (1 - q)) / q) + 0.5  # where the loss is this
    x[np.exp(ends) <= 1 - q] = -np.inf
    above = [special.ndtr(-(x - mean) / sigma) for mean in (0, 1)]
    mixed = (1 - q) * above[0] + q * above[1]
    return max(
        _low(epsilon, mixed[:-1] - mixed[1:], ends[0], cell, steps),
        # without the user, and the loss the other way
        _low(epsilon, np.diff(special.ndtr(x / sigma))[::-1], -ends[-1], cell, steps),
    )


def _low(epsilon, masses, start, cell, steps):
    """Delta of this law of a step's loss, composed; masses below 1e-160 are left out."""
    law, first = np.ones(1), 0.0
    for number in range(steps + 1):
        there = np.flatnonzero(law > 1e-160)
        law, first = law[there[0] : there[-1] + 1], first + cell * there[0]
        if number < steps:
            law, first = np.convolve(law, masses), first + start
    losses = first + cell * np.arange(len(law))
    return float(np.sum(law * -np.expm1(np.minimum(epsilon - losses, 0))))


@pytest.mark.parametrize("share", [0.01, 0.7])
@pytest.mark.parametrize("steps", [2, pytest.param(4, marks=pytest.mark.verify("generated"))])
def test_a_level_of_some_steps_is_that_of_our_own_convolution(share, steps):
    """The convolution is below the true delta, by at most what a cell for each step moves."""
    for delta in (1e-3, 1e-9, 1e-15, 1e-100):
        level = gaussian_level(1.0, delta=delta, steps=steps, sampling=share)
        assert 0 < convolved(level, 1.0, share, steps) <= delta
        if delta > 1e-12:  # below, the level may be that of the Rényi divergences
            assert convolved(level - steps / 128 - 0.01, 1.0, share, steps) > delta


@pytest.mark.verify("generated")
@pytest.mark.parametrize("noise", [1.0, 3.0])
@pytest.mark.parametrize(
    ("share", "steps"),  # of 10,000 whole steps it would need more than 20 GB
    [(1e-4, 1), (1e-4, 10_000), (0.01, 1), (0.01, 100), (0.01, 10_000), (1, 1), (1, 50)],
)
def test_a_level_lies_in_the_interval_of_a_second_accountant(share, steps, noise):
    """Of Gopi, Lee and Wutschitz 2021, arXiv 2106.02848, who bound it from below and above."""
    prv = pytest.importorskip("prv_accountant")  # of the tests alone
    step = prv.PoissonSubsampledGaussianMechanism(
        noise_multiplier=noise, sampling_probability=share
    )
    for delta in (1e-3, 1e-6, 1e-9):
        second = prv.PRVAccountant(
            prvs=step, max_self_compositions=steps, eps_error=0.01, delta_error=delta / 1000
        )
        low, _, high = second.compute_epsilon(delta=delta, num_self_compositions=[steps])
        level = gaussian_level(noise, delta=delta, steps=steps, sampling=share)
        assert max(low, 0) <= level <= high


SHARES, COUNTS, DELTAS = (1e-4, 1e-2, 1), (1, 100, 10_000), (1e-3, 1e-12, 1e-15, 1e-300)
GRID = [
    pytest.param(*case, marks=[] if case[0] == 1 else pytest.mark.verify("generated"))
    for case in itertools.product(SHARES, COUNTS, DELTAS)
]


@pytest.mark.parametrize(("share", "steps", "delta"), GRID)
def test_the_noise_for_a_level_has_that_level(share, steps, delta):
    asked = {"sampling": share, "steps": steps, "delta": delta}
    if 1 - (1 - share) ** steps <= delta:  # the search for the least noise does not end
        assert gaussian_level(0.01, **asked) == 0
        with pytest.raises(ValueError, match="must be below the probability of being sampled at"):
            noise_for(1, **asked)
        return
    for epsilon in (1, 8) if share > 1e-4 else (1,):  # little noise takes long to account for
        sigma = noise_for(epsilon, **asked)
        assert 0 < gaussian_level(sigma, **asked) <= epsilon
