"""Every mechanism in one table: what a unit moves, the stated level, the noise that is drawn.

*Listed* outputs: over all neighbours of a small frame the exact law has the odds that are stated,
and draws follow it. *Added* noise: what is published less what would be without noise, in units of
what one unit moves by brute force, has the law that the level asks for, and no other scale.
*Judged*: a statement about a person is wrong no more often than it says. Data have edges and
non-edges, groups of unequal size, users of every length. A test fails where a mechanism is missing.
"""

import importlib
import inspect
import itertools
import math
import pkgutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy import optimize, sparse, special, stats

import pplab
from pplab import counts
from pplab.attacks.auditor import audit_epsilon
from pplab.attacks.membership import membership_advantage
from pplab.attacks.person import audit_person
from pplab.attacks.sybil import sybil_attack
from pplab.counts import NoisyCount, TopItem
from pplab.counts.mechanism import NOISES
from pplab.graphs import rows_of_entries
from pplab.microaggregation.noise import gaussian_noise
from pplab.recommenders import private
from pplab.recommenders.clusters import cluster_averages
from pplab.recommenders.group_smooth import group_smooth_utilities
from pplab.recommenders.low_rank import decompose, low_rank_utilities
from pplab.recommenders.private import NoisyCovariance, NoisyFactorisation
from pplab.recommenders.recommend import METHODS, recommend
from pplab.response.categorical import CategoricalResponse, DesignMatrix
from pplab.response.noise_graph import BipartiteNoiseGraph, FairCoin, NoiseGraph
from pplab.response.ratings import NORMS, WeightedNoiseGraph
from pplab.theory.composition import DisjointRows, PostProcessed, Repeated, Sequential
from pplab.theory.exact import exact_epsilon
from tests.helpers import ALPHA, outcomes_fit
from tests.recommenders.test_clusters import rough_estimates
from tests.recommenders.test_social_privacy import PAW
from tests.response.test_mechanism import matrix, two_stage

DRAWS = 20_000

# Listed outputs: a mechanism, one that its draws must not be taken for, data, and the exact level.


@dataclass(frozen=True)
class Listed:
    """A mechanism whose law is a table of fractions."""

    mechanism: Any
    other: Any
    data: Any
    shape: Any = (1, 2)
    odds: Any = None  # over all neighbours of this shape
    draws: int = 4000
    tight: bool = True  # the level that is stated is the one that is reached


def p(n):
    return Fraction(1, n)


def geometric(count, odds, **more):
    more = {"unit": "edge"} | more
    return NoisyCount(count=count, noise="geometric", odds=Fraction(odds), **more)


def total(flip):
    return PostProcessed(BipartiteNoiseGraph(flip), lambda rows: sum(map(sum, rows)))


ONE_EDGE = [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
PATH = [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]
UNEVEN = [[1, 0, 0, 1]]
RATED = sparse.csr_array(([2, 0], ([0, 0], [0, 2])), shape=(1, 3))  # a 2, no edge, a stored 0
THIRD, QUARTER, FIFTH = (BipartiteNoiseGraph(p(n)) for n in (3, 4, 5))
NODE = {"unit": "node", "theta": 2, "node_edges": "at will"}
FLIPS = [
    Listed(FIFTH, QUARTER, UNEVEN, odds=4, draws=6000),
    Listed(QUARTER, FIFTH, UNEVEN, odds=3, draws=6000),
    Listed(FairCoin(replacement_probability=p(2)), FIFTH, UNEVEN, odds=3),
    Listed(matrix(p(20), Fraction(3, 10)), matrix(Fraction(3, 10), p(20)), [[1, 0]], odds=14),
    Listed(matrix(Fraction(7, 10), Fraction(9, 10)), matrix(0.9, 0.7), [[1, 0]], odds=7),
    Listed(matrix(0, 1), matrix(0.0, 0.9), [[1, 0]], odds=1),
    Listed(two_stage(3, p(4)), two_stage(3, 0.3), RATED[:, :2], odds=6),
    Listed(two_stage(1, p(4)), two_stage(1, 0.3), [[1, 0]], odds=3),
    *(
        Listed(*(CategoricalResponse(levels=(0, 1, 2), odds=o) for o in (odds, odds * 1.3)), RATED,
               odds=odds, draws=6000)
        for odds in (1, 1.25, 9)  # lies more often than not, and seldom
    ),
    *(
        Listed(*(WeightedNoiseGraph(q, 5, norm=norm, noise_weights=w) for q in (1 / 3, 0.4)), RATED,
               None if w == "empirical" else (1, 2), odds=math.inf, draws=6000)
        for norm, w in [  # the data's own ratings are none where there are none
            *((norm, "empirical") for norm in NORMS),
            *(("min-max", w) for w in ("uniform", (4, 2), (2, 4))),
        ]
    ),
]  # fmt: skip
ONE_BY_ONE = [
    Listed(NoiseGraph(p(3)), NoiseGraph(0.4), ONE_EDGE, 3, odds=2),
    Listed(Sequential([QUARTER, FIFTH]), Sequential([FIFTH, THIRD]), [[1]], (1, 2), 12, 1500),
    Listed(Repeated(QUARTER, times=2), Repeated(THIRD, times=2), [[1]], (1, 2), 9, 1500),
    Listed(DisjointRows([QUARTER, FIFTH]), DisjointRows([FIFTH, THIRD]), [[1], [0]], (2, 1), 4,
           1500),
    Listed(total(p(4)), total(p(5)), UNEVEN, odds=3),
    Listed(TopItem(unit="edge", odds=3), TopItem(unit="edge", odds=4), [[1, 0, 1], [1, 0, 0]],
           (2, 3), Fraction(19, 7), tight=False),
    Listed(TopItem(unit="user", odds=4), TopItem(unit="user", odds=16), [[1, 0, 1], [1, 0, 0]],
           (2, 3), 3, tight=False),
    Listed(geometric("edges", 3), geometric("edges", 4), PATH, 4, 3),
    Listed(geometric("triangles", 9), geometric("triangles", 16), PATH, 4, 9),
    Listed(geometric("degrees", 81), geometric("degrees", 256), ONE_EDGE, 4, 81),
    Listed(geometric("edges", 9, **NODE), geometric("edges", 16, **NODE), PATH, 4, 9),
    Listed(geometric("edges", 9, **NODE | {"node_edges": "removed"}),
           geometric("edges", 16, **NODE), PATH, 4, 9),
    Listed(geometric("degrees", 16, **NODE | {"theta": 1}),
           geometric("degrees", 81, **NODE | {"theta": 1}), ONE_EDGE, 3, 4, tight=False),
]  # fmt: skip


def rounded(row):
    return tuple(None if cell is None else round(float(cell), 9) for cell in row)


def outcome(release):
    """A release as the law writes it."""
    if isinstance(release, (list, tuple)):
        return tuple(map(outcome, release))
    dense = release.toarray() if sparse.issparse(release) else np.asarray(release)
    rows = dense.tolist()
    return tuple(map(tuple, rows)) if dense.ndim == 2 else tuple(rows) if dense.ndim else rows


def law_of(mechanism, data, name):
    law: Counter = Counter()
    for output, share in mechanism.distribution(data).items():  # floats a rounding apart are one
        law[name(output)] += float(share)
    return law


def outcomes_of(row):
    """Draws by many copies of a row or release after release, and how they are written."""
    rng = np.random.default_rng(1)
    if row in ONE_BY_ONE:
        drawn = (row.mechanism.sample(row.data, rng=rng) for _ in range(row.draws))
        if hasattr(row.mechanism, "sample_many"):
            drawn = row.mechanism.sample_many(row.data, row.draws, rng=rng)
        return Counter(map(outcome, drawn)), lambda output: output
    copies = sparse.csr_array(sparse.vstack([sparse.csr_array(row.data)] * row.draws, format="csr"))
    result = row.mechanism.sample(copies, rng=rng)
    binary = isinstance(row.mechanism, (BipartiteNoiseGraph, FairCoin, DesignMatrix))
    table = np.full(copies.shape, 0 if binary else None, dtype=object)
    table[rows_of_entries(result), result.indices] = result.data
    return Counter(map(rounded, table.tolist())), lambda output: rounded(output[0])


# Added noise: releases less what would be published without it, draws x variables, in units of what
# one unit moves, which brute force finds here.


@dataclass(frozen=True)
class Added:
    """Noise that must have the law and the scale that the stated level asks for."""

    noise: Callable[[], np.ndarray]
    epsilon: float
    delta: float = 0.0
    law: str = "laplace"
    share: float = 1.0  # of epsilon: another part of the release spends the rest
    narrow: float = 0.8  # a scale so much smaller is noticed

    @property
    def scale(self):
        if self.law == "normal":
            return 1 / mu_of(self.epsilon, self.delta)
        return 1 / (self.share * self.epsilon)


def mu_of(epsilon, delta):
    """Normal noise of scale 1 / mu has this delta (Balle and Wang 2018, Theorem 8)."""

    def missed(mu):
        near, far = mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu
        return special.ndtr(near) - math.exp(epsilon + special.log_ndtr(far)) - delta

    return optimize.brentq(missed, 1e-2, 50, xtol=1e-14)


LAWS: dict[str, Any] = {"laplace": stats.laplace.cdf, "normal": stats.norm.cdf}


def fits(noise, law):
    """All together, each variable alone, no two together: 3 of 10^6 seeds would fail."""
    variables = noise.reshape(len(noise), -1)
    count = variables.shape[1]
    shares = [stats.kstest(variables.ravel(), law).pvalue]
    shares += [stats.kstest(column, law).pvalue * count for column in variables.T]
    ranks = np.apply_along_axis(stats.rankdata, 0, variables)
    pairs = [(ranks[1:, 0], ranks[:-1, 0]), *itertools.combinations(ranks.T, 2)]
    limit = stats.norm.isf(ALPHA / (2 * len(pairs))) / math.sqrt(len(noise))
    return min(shares) >= ALPHA and max(abs(np.corrcoef(*pair)[0, 1]) for pair in pairs) < limit


def spoiled(noise, narrow):
    """Faults that a look at the noise must notice."""
    noise = noise.reshape(len(noise), -1)
    yield "narrower", noise * narrow
    yield "wider", noise / narrow
    yield "on one side", np.abs(noise)
    yield "in half of the releases", noise * (np.arange(len(noise)) % 2)[:, None]
    yield "one for two releases", np.repeat(noise[::2], 2, axis=0)
    if noise.shape[1] > 1:
        yield "none for one variable", noise * (np.arange(noise.shape[1]) > 0)
        yield "one for two variables", noise[:, [0, 0, *range(2, noise.shape[1])]]


# Counts of the paw, without a cap and with one of two edges or one triangle at a node. How far a
# unit moves them is held against brute force in tests/counts/test_counts.py.
PAWS = {"edges": (5, 4), "degrees": ([1, 3, 1, 0], [2, 3]), "triangles": (1, 1)}


def noisy_count(count, noise, edges):
    """A row: a count for an edge, or with a cap for a node."""
    delta = 1e-6 if NOISES[noise].delta else 0.0
    node = {"unit": "node", "theta": 2, "node_edges": edges} if edges else {"unit": "edge"}
    mechanism = NoisyCount(count=count, noise=noise, epsilon=0.8, delta=delta, **node)

    def drawn():
        moved = mechanism.moves(len(PAW))[noise == "gaussian"]
        return (mechanism.sample_many(PAW, DRAWS, rng=1) - PAWS[count][edges is not None]) / moved

    return Added(drawn, mechanism.epsilon, delta, {"gaussian": "normal"}.get(noise, noise))


# Recommenders: the paw's friends, gd; clusters and groups of two and of three.

LIKES = np.random.default_rng(5).integers(0, 2, (5, 4000)).astype(float)
COLUMNS = (np.arange(32) >> np.arange(5)[:, None] & 1).astype(float)  # all that five can like
LABELS = np.array([0, 0, 1, 1, 1])
EPSILON = 0.7


def published(method, likes, *, epsilon=EPSILON, **options):
    """All estimated utilities, users x items."""
    result = recommend(
        PAW, likes, epsilon=epsilon, measure="gd", top_n=likes.shape[1], method=method, rng=3,
        return_utilities=True, **options,
    )  # fmt: skip
    table = np.empty(likes.shape)
    np.put_along_axis(table, result.items, result.utilities, axis=1)
    return table


def moved_by_a_like(published):
    """Largest change of each published number by one like, users by users: rows x users."""
    table = published(COLUMNS)
    moves = (abs(table - table[:, np.arange(32) ^ 1 << user]) for user in range(5))
    return np.array([moved.max(axis=1) for moved in moves]).T


def similar():
    return published("exact", np.eye(5))


def noise_on_utilities():
    largest = moved_by_a_like(lambda likes: published("exact", likes)).sum(axis=0).max()
    return (published("nou", LIKES) - published("exact", LIKES)).T / largest


def noise_on_edges():
    return np.linalg.solve(similar(), published("noe", LIKES) - published("exact", LIKES)).T


def noise_on_clusters():
    gap = published("cluster", LIKES, clusters=LABELS)
    gap -= published("cluster", LIKES, clusters=LABELS, epsilon=math.inf)
    member = np.eye(2)[LABELS]
    moved = moved_by_a_like(lambda likes: cluster_averages(likes, LABELS, epsilon=math.inf))
    return (np.linalg.lstsq(similar() @ member, gap)[0] / moved.max(axis=1, keepdims=True)).T


def noise_on_averages():
    labels = np.array([0, 1, 1, 1, 1])
    averages = partial(cluster_averages, labels=labels, rng=2)
    moved = moved_by_a_like(lambda likes: averages(likes, epsilon=math.inf)).max(axis=1)
    gap = averages(LIKES, epsilon=EPSILON) - averages(LIKES, epsilon=math.inf)
    return gap.T / moved


def noise_of_low_rank(release):
    parts = decompose(similar())
    moved = moved_by_a_like(lambda likes: parts.right @ likes).sum(axis=0).max()
    return np.linalg.solve(parts.left, release(parts, EPSILON) - release(parts, math.inf)).T / moved


def by_parts(parts, epsilon):
    return low_rank_utilities(parts, LIKES, epsilon=epsilon, rng=2).astype(float)


def noise_of_groups():
    """Group and smooth, its means: of the first two of five users, and of the three others."""
    weights = np.zeros((5, 5))
    weights[[0, 1], 0] = 3, 2  # who is like one user only
    weights[2:, 4] = 1
    noisy = group_smooth_utilities(weights, LIKES, epsilon=EPSILON, group_size=2, rng=1)
    truth, noise = weights @ LIKES, []
    for here, exact in zip(noisy.T.astype(float), truth.T, strict=True):
        groups = sorted((here == value for value in np.unique(here)), key=np.sum)
        assert [group.sum() for group in groups] == [2, 3]
        noise += [here[group][0] - exact[group].mean() for group in groups]
    halves = (list(pair) for pair in itertools.permutations(range(5), 2))
    moved = max(weights[pair].sum(axis=0).max() / 2 for pair in halves)
    return np.array(noise).reshape(-1, 2) / moved


# A person: likes of users of every length, one of them none.

ROWS = np.array([[1, 1, 1], [0, 0, 0], [1, 0, 1], [0, 1, 0]])
PERSON = {"noise": 1.5, "delta": 1e-5}
STEPS = PERSON | {"clip": 0.3, "rate": 1.0, "ridge": 0.5, "rank": 2}
POISSON = {"batches": "poisson", "accounting": "poisson", "sampling": 1}


def moved_by_a_person(release, rows=ROWS):
    """Euclidean change by one user's row, or none of it."""
    without = [release(rows * (np.arange(4) != user)[:, None]) for user in range(4)]
    return max(float(np.linalg.norm(release(rows) - less)) for less in without)


def noisy_covariance(rating_range):
    """The sums and the covariance in coordinates of its Euclidean length, each by its share."""
    share, upper = 0.36, np.triu_indices(3)
    mechanism = NoisyCovariance(**PERSON, clip=0.5, share=share, rating_range=rating_range)
    exact, rows = replace(mechanism, noise=0), ROWS * ([5, 1, 3] if rating_range else 1)

    def text(part, data, release=None):
        table = getattr(release or exact.sample(sparse.csr_array(data)), part)
        return table.ravel() if part == "sums" else (table * np.where(np.eye(3), 1, 2**0.5))[upper]

    def drawn():
        # noisy means of ratings say what is taken off the rows, so without rows nothing is
        data, parts = sparse.csr_array(ROWS * 0 if rating_range else ROWS), []
        noisy = mechanism.sample_many(data, 3000, rng=1)
        assert all((each.covariance == each.covariance.T).all() for each in noisy)
        for part, spent in (("sums", share), ("covariance", 1 - share)):
            gaps = np.array([text(part, data, each) for each in noisy]) - text(part, data)
            with pytest.MonkeyPatch.context() as patch:  # given the means that were published
                patch.setattr(private, "_means", lambda *_: np.full(3, 0.1))
                parts.append(gaps * math.sqrt(spent) / moved_by_a_person(partial(text, part), rows))
        return np.hstack(parts)

    return Added(drawn, mechanism.epsilon, PERSON["delta"], "normal")


def one_step():
    """Change of a sum of gradients by a step of a factorisation, from the published model."""
    mechanism = NoisyFactorisation(**STEPS, **POISSON, steps=1)
    exact = replace(mechanism, noise=0)

    def moved(data, made=exact, rng=1):
        return -made.sample(data, rng=rng).factors.ravel() * len(ROWS)

    def drawn():
        rng, clean = np.random.default_rng(1), moved(ROWS)
        gaps = [moved(ROWS, mechanism, rng) - clean for _ in range(3000)]
        return np.array(gaps) / moved_by_a_person(moved)

    return Added(drawn, mechanism.epsilon, PERSON["delta"], "normal")


def begun_epochs():
    """Seven steps of users in four parts: how often one takes part, and the noise of each step."""
    mechanism = NoisyFactorisation(
        **STEPS, steps=7, sampling=0.25, batches="shuffled", accounting="epochs"
    )

    def drawn():
        rng, nobody = np.random.default_rng(2), sparse.csr_array((8, 3))
        batches = np.concatenate(list(mechanism._batches(8, rng)))
        often = np.bincount(batches, minlength=8).max()
        walks = [[total.ravel() for _, total in mechanism.walk(nobody, rng)] for _ in range(500)]
        return np.array(walks).reshape(-1, 6) / (STEPS["clip"] * math.sqrt(often))

    return Added(drawn, mechanism.epsilon, PERSON["delta"], "normal")


def normal_cells(scale):
    """Noise that states no level but its own scale, in deviations of an item or in ratings."""
    ratings = np.random.default_rng(3).integers(1, 6, (4000, 4)) * np.array([1, 1, 1, 0])
    ratings[:, 3] = 3 + np.arange(4000) % 2  # an item that varies less
    options = {"rating_range": (1, 5), "truncate": False, "scale": scale, "rng": 5}

    def drawn():
        noisy = gaussian_noise(ratings, sigma=0.1, **options)
        spread = ratings.std(axis=0) if scale == "z-scores" else 1.0
        return (noisy.protected - ratings) / (0.1 * spread) / mu_of(1.0, 1e-5)

    return Added(drawn, 1.0, 1e-5, "normal")  # in the units in which it would have this level


ADDED = {
    **{
        f"NoisyCount, {count} {noise} {edges}": noisy_count(count, noise, edges)
        for count, edges, noise in itertools.product(
            PAWS, (None, "removed", "at will"), ("laplace", "gaussian")
        )
    },
    "cluster_averages": Added(noise_on_averages, EPSILON),
    "nou": Added(noise_on_utilities, EPSILON),
    "noe": Added(noise_on_edges, EPSILON),
    "cluster": Added(noise_on_clusters, EPSILON),
    "lrm": Added(
        lambda: noise_of_low_rank(
            lambda _, epsilon: published("lrm", LIKES, epsilon=epsilon)
        ), EPSILON,
    ),
    "low_rank_utilities": Added(lambda: noise_of_low_rank(by_parts), EPSILON),
    "gs, group_smooth_utilities": Added(noise_of_groups, EPSILON, share=0.5),
    "NoisyCovariance": noisy_covariance(None),
    "NoisyCovariance of ratings": noisy_covariance((1, 5)),
    "NoisyFactorisation": one_step(),
    "NoisyFactorisation, epochs": begun_epochs(),
    "gaussian_noise": normal_cells("z-scores"),
    "gaussian_noise, ratings": normal_cells("ratings"),
}  # fmt: skip


# Choices among few: how often each comes, how often it must, and how often with a fault.


def random_lists():
    nobody, likes = sparse.csr_array((6000, 6000), dtype=np.int8), sparse.csr_array((6000, 3))
    ask = {"epsilon": 1, "measure": "cn", "top_n": 2, "method": "random", "rng": 13}
    lists = Counter(map(tuple, recommend(nobody, likes, **ask).items.tolist()))
    orders = list(itertools.permutations(range(3), 2))
    return [lists[order] for order in orders], [1 / 6] * 6, [1 / 9] * 3 + [2 / 9] * 3


COUNTED = {"rough_order": rough_estimates, "random": random_lists}


# Statements about a person: how often one is wrong where the claim is right, by the share it says.


def person_audits(times):
    """True curves that are refuted, of normal noise that is ``times`` as wide as is claimed."""
    refuted = 0
    for seed in range(150):
        rng = np.random.default_rng(seed)
        member = rng.random(600) < 0.5
        result = rng.standard_normal(600) * times + 2 * member
        claimed = lambda alarms: special.ndtr(-special.ndtri(alarms) - 2)  # noqa: E731
        refuted += audit_person(result, member, delta=0, alpha=0.05, trade_off=claimed).refuted
    return refuted, 150


def level_audits(times):
    flip = BipartiteNoiseGraph(0.25 * times)
    how = {"claimed": math.log(3), "samples": 600, "alpha": 0.05}
    audits = [audit_epsilon(flip, ([[0]], [[1]]), **how, rng=seed) for seed in range(12)]
    return sum(audit.violated for audit in audits), 12


def games(times):
    """Intervals that miss the advantage: of one variable of noise, 1 - e^(-epsilon / 2)."""
    attack = sybil_attack([[0, 1], [1, 0]], np.eye(2), 1, measure="cn")
    game = {"method": "noe", "trials": 400, "alpha": 0.05}
    results = [membership_advantage(attack, epsilon=1 / times, **game, rng=r) for r in range(60)]
    return sum(not f.low <= 1 - math.exp(-0.5) <= f.high for f in results), 60


JUDGED = {"audit_person": person_audits, "audit_epsilon": level_audits}
JUDGED["membership_advantage"] = games


# The table.


@pytest.mark.parametrize("row", [*FLIPS, *ONE_BY_ONE], ids=lambda row: str(row.mechanism)[:60])
def test_listed_outputs_have_the_stated_odds_and_draws_follow_their_law(row):
    mechanism = row.mechanism
    if row.shape:
        result = exact_epsilon(mechanism, shape=row.shape, unit=mechanism.unit)
        assert result.odds == row.odds
        assert result.epsilon <= mechanism.epsilon + 1e-15
    assert not row.tight or mechanism.epsilon == pytest.approx(math.log(row.odds))
    assert {"unit", "epsilon", "delta", "sample", "distribution"} <= {*dir(mechanism)}
    drawn, name = outcomes_of(row)
    law, wrong = (law_of(each, row.data, name) for each in (mechanism, row.other))
    seen = list({**law, **wrong, **drawn})
    counts = [drawn[each] for each in seen]
    assert outcomes_fit(counts, [min(law[each], 1) for each in seen])
    assert not outcomes_fit(counts, [min(wrong[each], 1) for each in seen])


@pytest.mark.parametrize("name", ADDED)
def test_added_noise_has_the_law_and_the_scale_of_its_level(name):
    row = ADDED[name]
    noise, law = row.noise() / row.scale, LAWS[row.law]
    assert fits(noise, law)
    assert [fault for fault, planted in spoiled(noise, row.narrow) if fits(planted, law)] == []


@pytest.mark.parametrize("name", COUNTED)
def test_choices_come_as_often_as_they_must(name):
    counts, right, wrong = COUNTED[name]()
    assert outcomes_fit(counts, right)
    assert not outcomes_fit(counts, wrong)


@pytest.mark.parametrize("name", JUDGED)
def test_statements_about_a_person_are_wrong_no_more_often_than_they_say(name):
    wrong, audits = JUDGED[name](1.0)
    assert wrong <= stats.binom.isf(ALPHA, audits, 0.05)
    assert JUDGED[name](0.5)[0] > 0.9 * audits  # of noise half as wide nearly all are


# Nothing is missing from it.

DOORS = {  # each is held against its mechanism in tests/values.txt
    *("noise_graph", "bipartite_noise_graph", "weighted_noise_graph", "categorical_response")
}
ELSEWHERE = {
    "add_noise": "gaussian_noise, with the table prepared",
    "averages_of": "cluster_averages, checked",
    "sample_jaccard": "draws from a law; publishes nothing",
    "sybil_success": "draws by recommend",
    "recommend": "its methods, below",
}
NOT_RELEASES = ("papers", "ledger", "datasets")  # experiments; wrong on purpose


def public():
    """Classes and functions of public modules that state a level, a scale or a share, and draw."""
    for module in pkgutil.walk_packages(pplab.__path__, "pplab."):
        inside = module.name.removeprefix("pplab.")
        if inside.startswith(NOT_RELEASES) or "_" in (part[0] for part in inside.split(".")):
            continue
        here = importlib.import_module(module.name)
        for name, thing in vars(here).items():
            if name.startswith("_") or getattr(thing, "__module__", "") != module.name:
                continue
            if inspect.isclass(thing) and not getattr(thing, "_is_protocol", False):
                known = {*dir(thing), *getattr(thing, "__dataclass_fields__", {})}
                if {"sample", "epsilon"} <= known:
                    yield name
            elif inspect.isfunction(thing):
                takes = set(inspect.signature(thing).parameters)
                draws = takes & {"rng", "statistic"}
                if draws and takes & {"epsilon", "flip_probability", "sigma", "alpha", "odds"}:
                    yield name


def missing():
    rows = {type(row.mechanism).__name__ for row in (*FLIPS, *ONE_BY_ONE)}
    rows |= {part for name in (*ADDED, *COUNTED, *JUDGED) for part in name.split(", ")}
    return (set(public()) | METHODS.keys()) - {*rows, *DOORS, *ELSEWHERE, "exact"}


def test_no_mechanism_is_missing(monkeypatch):
    assert missing() == set()
    assert ELSEWHERE.keys() - {"recommend"} <= set(public()), "a row of ELSEWHERE is stale"
    monkeypatch.setitem(METHODS, "shout", METHODS["nou"])
    forgotten = type("Forgotten", (), {"sample": None, "epsilon": 1, "__module__": counts.__name__})
    monkeypatch.setattr(counts, "Forgotten", forgotten, raising=False)
    assert missing() == {"Forgotten", "shout"}
