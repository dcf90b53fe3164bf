"""The Sybil attack: whom the observer sees, by brute force, and what the lists give away."""

import math

import networkx as nx
import numpy as np
import pytest
from scipy import sparse, stats

from pplab.attacks.membership import laplace_weights, membership_advantage
from pplab.attacks.sybil import draw_victims, lonely_friends, sybil_attack, sybil_success
from pplab.recommenders.recommend import recommend
from pplab.recommenders.similarity import MEASURES
from tests.helpers import mirrored

ALPHA = 1e-6  # rate of false alarms of each test that draws noise
COMMON = [name for name, each in MEASURES.items() if each.lengths == (2,)]
PAPER = ("cn", "aa", "gd", "katz")
TEN = [(0, 1), (1, 2), (1, 3), (2, 3), (2, 4), (3, 5), (4, 5), (5, 6), (6, 7), (7, 8), (6, 8)]


def adjacency(edges, users):
    table = np.zeros((users, users), dtype=np.int8)
    table[tuple(np.transpose(edges))] = 1
    return mirrored(table)


def ten_people(seed=0):
    """Nine users (the fake is the tenth) and what they like."""
    likes = np.random.default_rng(seed).integers(0, 2, size=(9, 8))
    likes[1] = [0, 1, 0, 0, 1, 1, 0, 0]
    return adjacency(TEN, 9), likes


def random_case(seed, users=14):
    rng = np.random.default_rng(seed)
    graph = nx.gnm_random_graph(users, int(rng.integers(0, 2 * users)), seed=seed)
    return nx.to_numpy_array(graph, dtype=np.int8), rng.integers(0, 2, size=(users, 6))


def similar_users(table, user, measure):
    """Users of positive similarity, from sets of neighbours and paths walked one by one."""
    graph = nx.from_numpy_array(np.asarray(table))
    others = set(graph) - {user}
    if measure in COMMON:
        return {v for v in others if set(graph[user]) & set(graph[v])}
    if measure == "gd":
        return set(nx.single_source_shortest_path_length(graph, user, cutoff=2)) - {user}
    return {v for v in others if any(nx.all_simple_paths(graph, user, v, cutoff=3))}


def seen_by(attack, users, place=0):
    table = attack.social.toarray()
    return {v for v in similar_users(table, attack.observers[place], attack.measure) if v < users}


# 0 knows nobody; 1 and 2 know each other alone; 3 has the one friend 4, who has more friends
FEW = adjacency([(1, 2), (3, 4), (4, 5), (5, 6), (4, 6)], 7)
LIKES = np.maximum(np.eye(7, 9)[:, ::-1], np.eye(7, 9))


def lists_shown(attack, **options):
    """Lists that the recommender shows the observers."""
    options |= {"measure": attack.measure, "users": attack.observers, "return_utilities": True}
    return recommend(attack.social, attack.preferences, **options)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("seed", range(3))
def test_the_observer_sees_the_victim_alone(measure, seed):
    """For every user of random graphs, isolated ones too; one by one and all side by side."""
    social, likes = random_case(seed)
    together = sybil_attack(social, likes, range(14), measure=measure)
    assert together.applies.all()
    for victim in range(14):
        for through in ("auto", "victim"):
            attack = sybil_attack(social, likes, victim, measure=measure, through=through)
            assert seen_by(attack, 14) == {victim}
            assert attack.similar.indices.tolist() == [victim]
        assert attack.fakes.tolist() == [3 if measure == "katz" else 2]
        assert seen_by(together, 14, victim) == {victim}
    success = sybil_success(together, epsilon=math.inf, method="exact", top_n=4)
    some = likes.any(axis=1)
    assert (success.precision[some] == 1).all()
    assert (success.shown == np.minimum(likes.sum(axis=1), 4)).all()
    owned = likes[some].sum(axis=1)
    assert (success.recall[some] == np.minimum(owned, 4) / owned).all()
    # the original rows stay, and fakes like nothing
    graph = together.social.toarray()
    assert (graph[:14, :14] == social).all()
    assert (graph == graph.T).all()
    assert (together.preferences.toarray()[:14] == likes).all()
    assert together.preferences.shape == (14 + together.fakes.sum(), 6)
    assert together.preferences[14:].nnz == 0


@pytest.mark.parametrize("measure", ["gd", "katz"])
@pytest.mark.parametrize("seed", range(3))
def test_a_lonely_friend_is_read_too_where_distance_counts(measure, seed):
    """Chains of d - 1 and k - 1 fakes behind a friend see the friend, and see them more clearly."""
    social, likes = random_case(seed)
    for victim in np.flatnonzero(lonely_friends(social) >= 0):
        friend = lonely_friends(social)[victim]
        attack = sybil_attack(social, likes, victim, measure=measure, through="friend")
        assert attack.fakes.tolist() == [2 if measure == "katz" else 1]
        assert seen_by(attack, 14) == {victim, friend}
        assert attack.similar[[0], [friend]] > attack.similar[[0], [victim]]
        assert not (attack.applies[0] and likes[friend].any())
        silent = likes.copy()
        silent[friend] = 0
        assert sybil_attack(social, silent, victim, measure=measure, through="friend").applies.all()


@pytest.mark.parametrize(("measure", "needed"), [("cn", 2), ("gd", 2), ("katz", 3)])
def test_a_shorter_chain_sees_the_friends_and_a_longer_one_nobody(measure, needed):
    social, likes = ten_people()
    friends = {0, 2, 3}
    short = sybil_attack(social, likes, 1, measure=measure, through="victim", chain=needed - 1)
    # common neighbours: the fake shares the victim with the friends, and nobody with the victim
    assert seen_by(short, 9) == friends | ({1} if measure != "cn" else set())
    assert not short.applies.any()
    long = sybil_attack(social, likes, 1, measure=measure, through="victim", chain=needed + 1)
    assert seen_by(long, 9) == set()
    assert not long.applies.any()
    assert sybil_success(short, epsilon=math.inf, method="exact", top_n=8).precision[0] < 1
    shown = sybil_success(long, epsilon=math.inf, method="exact", top_n=8).shown
    assert shown.tolist() == [0]


def test_success_against_private_lists():
    """Clusters of one without noise give everything away; beside it, guessing what is popular."""
    social, likes = ten_people()
    attack = sybil_attack(social, likes, 1, measure="cn")
    alone = {"method": "cluster", "top_n": 3, "clusters": np.arange(10)}

    def is_complete(result):
        """Everything shown is the victim's, and all that the list has room for is shown."""
        owned = likes[1].sum()
        return result.precision[0] == 1 and result.recall[0] == min(owned, 3) / owned

    assert is_complete(sybil_success(attack, epsilon=math.inf, **alone))
    assert is_complete(sybil_success(attack, epsilon=100, rng=1, **alone))
    noisy = sybil_success(attack, epsilon=0.01, rng=1, **alone)
    others = likes.sum(axis=0) - likes[1]
    favourites = np.argsort(-others, kind="stable")[:3]
    assert noisy.popular[0] == pytest.approx(likes[1][favourites].mean())


@pytest.mark.parametrize("method", ["cluster", "noe", "nou"])
@pytest.mark.parametrize("measure", ["cn", "aa", "katz"])
def test_the_noise_of_the_game_is_that_of_the_mechanism(method, measure):
    """5,000 items nobody likes: the spread of the observer's estimates, to 1 alarm in 1e6.

    The mean of N squares of a sum of Laplace variables has a relative standard error of at most
    sqrt(5/N) (its kurtosis is at most 6).
    """
    social, _ = ten_people()
    nothing = sparse.csr_array((9, 5000))
    attack = sybil_attack(social, nothing, 1, measure=measure)
    labels = np.arange(attack.social.shape[0]) % 3 if method == "cluster" else None
    result = lists_shown(attack, epsilon=0.5, top_n=5000, method=method, clusters=labels, rng=7)
    weights, shifts = laplace_weights(attack, method, labels)
    variance = 2 * (weights.toarray() ** 2).sum() / 0.5**2
    margin = stats.norm.isf(ALPHA / 2) * math.sqrt(5 / 5000)
    assert (result.utilities**2).mean() / variance == pytest.approx(1, abs=margin)
    # what one edge adds, from the mechanism without noise
    liked = sparse.csr_array(([1.0], ([1], [0])), shape=nothing.shape)
    edge = sybil_attack(social, liked, 1, measure=measure)
    clean = lists_shown(edge, epsilon=math.inf, top_n=1, method=method, clusters=labels)
    assert clean.utilities[0, 0] == pytest.approx(shifts[0])


@pytest.mark.parametrize("epsilon", [0.1, 3])
@pytest.mark.parametrize("method", ["cluster", "noe", "nou"])
def test_the_advantage_is_that_of_laplace_noise(method, epsilon):
    """Common neighbours: one variable of noise, so it is 1 - e^(-epsilon shift/(2 weight))."""
    social, likes = ten_people()
    attack = sybil_attack(social, likes, 1, measure="cn")
    labels = [0, 0, 0, 0, 1, 1, 1, 1, 1, 0] if method == "cluster" else None
    result = membership_advantage(
        attack, epsilon=epsilon, method=method, trials=20_000, alpha=ALPHA, clusters=labels, rng=2
    )
    # S has one non-zero in the fake's row; its largest column sum, for noise on utilities, is 6
    ratio = 1 / 6 if method == "nou" else 1
    weights, shifts = laplace_weights(attack, method, labels)
    assert shifts / weights.toarray().sum(axis=1) == pytest.approx([ratio])
    exact = 1 - math.exp(-epsilon * ratio / 2)
    assert result.low <= exact <= result.high
    assert result.high - result.low < 0.08
    assert exact < result.bound == pytest.approx(math.expm1(epsilon) / (math.exp(epsilon) + 1))
    assert result.low <= result.advantage <= result.high


def test_the_interval_has_four_bounds_each_of_a_quarter_of_alpha():
    attack = sybil_attack(adjacency([(0, 1)], 2), np.eye(2), 1, measure="cn")
    for alpha in (0.2, 1e-4):
        result = membership_advantage(
            attack, epsilon=1, method="noe", trials=200, alpha=alpha, rng=2
        )
        ends = []
        for count in (result.true_positives, result.false_positives):  # Clopper and Pearson
            ends.append(stats.beta.ppf(alpha / 4, count, 201 - count))
            ends.append(stats.beta.isf(alpha / 4, count + 1, 200 - count))
        assert (result.low, result.high) == pytest.approx((ends[0] - ends[3], ends[1] - ends[2]))


@pytest.mark.parametrize("measure", ["jaccard", "gd", "katz"])
def test_without_noise_the_advantage_is_all_there_is(measure):
    social, likes = random_case(5)
    attack = sybil_attack(social, likes, [1, 2, 3], measure=measure)
    game = {"trials": 4000, "alpha": ALPHA, "rng": 3}
    certain = membership_advantage(attack, epsilon=1, method="exact", **game)
    assert (certain.true_positives, certain.false_positives) == (4000, 0)
    assert certain.advantage == certain.bound == 1
    without_noise = membership_advantage(attack, epsilon=math.inf, method="noe", **game)
    assert without_noise.advantage == without_noise.bound == 1


@pytest.mark.parametrize("measure", PAPER)
def test_victims_with_few_friends_or_none(measure):
    """The attack goes through the victim where no friend serves, and reads everything."""
    together = sybil_attack(FEW, LIKES, range(7), measure=measure)
    assert together.applies.all()
    lonely = measure in ("cn", "aa")  # only there is a friend not read too
    ways = ["friend" if lonely and victim in (1, 2, 4) else "victim" for victim in range(7)]
    assert list(together.how) == ways
    chain = 3 if measure == "katz" else 2
    assert together.fakes.tolist() == [1 if way == "friend" else chain for way in ways]
    result = sybil_success(together, epsilon=math.inf, method="exact", top_n=9)
    assert (result.precision == 1).all()
    assert (result.recall == 1).all()
    for victim in (0, 3, 5, 6):
        with pytest.raises(ValueError, match=f"knows nobody else, got user {victim}"):
            sybil_attack(FEW, LIKES, victim, measure=measure, through="friend")
    silent = LIKES.copy()
    silent[5] = 0
    nothing = sybil_attack(FEW, silent, 5, measure=measure)
    assert nothing.applies[0]  # nobody else is read: what is shown, nothing, is the victim's
    shown = sybil_success(nothing, epsilon=math.inf, method="exact", top_n=9)
    assert shown.shown[0] == 0
    assert np.isnan([shown.precision[0], shown.recall[0]]).all()


@pytest.mark.parametrize("method", ["exact", "cluster", "nou", "noe"])
def test_who_sees_nothing_has_no_advantage(method):
    """A chain that is too long: no real user is similar to the observer."""
    attack = sybil_attack(FEW, LIKES, 4, measure="cn", through="victim", chain=3)
    clusters = np.zeros(10, dtype=int) if method == "cluster" else None
    game = {"epsilon": 1, "trials": 4000, "alpha": ALPHA, "rng": 1}
    result = membership_advantage(attack, method=method, clusters=clusters, **game)
    # an average of all is heard by way of the fakes in the cluster
    assert result.low > 0 if method == "cluster" else result.low <= 0 <= result.high
    assert result.low <= result.bound


def test_lonely_friends_and_victims():
    social, likes = ten_people()
    assert lonely_friends(social).tolist() == [-1, 0] + [-1] * 7
    likes[4] = 0
    drawn = draw_victims(social, likes, 100, rng=1)
    assert drawn.tolist() == [u for u in range(9) if likes[u].any()]
    one, two = (draw_victims(social, likes, 3, rng=1).tolist() for _ in range(2))
    assert one == two
