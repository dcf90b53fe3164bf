"""The Sybil attack: whom the observer sees, by brute force, and what the lists give away."""

import math

import networkx as nx
import numpy as np
import pytest
from scipy import sparse, stats

from pplab.attacks.sybil import draw_victims, lonely_friends, sybil_attack
from pplab.attacks.sybil_membership import membership_advantage, noise_weights
from pplab.attacks.sybil_success import sybil_success
from pplab.recommenders.recommend import recommend

ALPHA = 1e-6  # rate of false alarms of each test that draws noise
COMMON = ("cn", "aa", "jaccard", "resource-allocation")
MEASURES = (*COMMON, "gd", "katz")
TEN = [(0, 1), (1, 2), (1, 3), (2, 3), (2, 4), (3, 5), (4, 5), (5, 6), (6, 7), (7, 8), (6, 8)]


def adjacency(edges, users):
    table = np.zeros((users, users), dtype=np.int8)
    for u, v in edges:
        table[u, v] = table[v, u] = 1
    return table


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


@pytest.mark.parametrize("measure", COMMON)
def test_ten_accounts(measure):
    """The fake friend 9 of the lonely friend 0: its list is the preference list of user 1."""
    social, likes = ten_people()
    attack = sybil_attack(social, likes, 1, measure=measure)
    assert (attack.how, attack.observer, attack.fakes.tolist()) == (("friend",), 9, [1])
    assert attack.social.toarray()[9].tolist() == [1] + [0] * 9
    assert attack.applies.all()
    found = recommend(
        attack.social, attack.preferences, epsilon=math.inf, measure=measure, top_n=8,
        method="exact", users=[9], return_utilities=True,
    )  # fmt: skip
    assert set(found.items[0][found.utilities[0] > 0]) == {1, 4, 5}
    success = sybil_success(attack, epsilon=math.inf, method="exact", top_n=8)
    assert (success.shown, success.precision, success.recall) == ([3], [1], [1])
    assert success.complete.all()


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("seed", range(12))
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
        assert seen_by(together, 14, victim) == {victim}
    exact = {"epsilon": math.inf, "method": "exact", "top_n": 4}
    success = sybil_success(together, **exact)
    some = likes.any(axis=1)
    assert (success.precision[some] == 1).all()
    assert (success.shown == np.minimum(likes.sum(axis=1), 4)).all()
    assert (success.recall[some] == success.reachable[some]).all()


@pytest.mark.parametrize("measure", MEASURES)
def test_the_original_rows_stay_and_fakes_like_nothing(measure):
    social, likes = random_case(3)
    attack = sybil_attack(social, likes, [2, 5], measure=measure, through="victim")
    fakes = int(attack.fakes.sum())
    assert fakes == 2 * (3 if measure == "katz" else 2)
    assert (attack.social.toarray()[:14, :14] == social).all()
    assert (attack.social.toarray() == attack.social.toarray().T).all()
    assert (attack.preferences.toarray()[:14] == likes).all()
    assert attack.preferences[14:].nnz == 0
    assert attack.preferences.shape == (14 + fakes, 6)


@pytest.mark.parametrize("measure", ["gd", "katz"])
@pytest.mark.parametrize("seed", range(12))
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
    shown = sybil_success(long, epsilon=math.inf, method="exact", top_n=8).shown
    assert shown.tolist() == [0]


def test_lonely_friends_and_victims():
    social, likes = ten_people()
    assert lonely_friends(social).tolist() == [-1, 0] + [-1] * 7
    likes[4] = 0
    drawn = draw_victims(social, likes, 100, rng=1)
    assert drawn.tolist() == [u for u in range(9) if likes[u].any()]
    assert (
        draw_victims(social, likes, 3, rng=1).tolist()
        == draw_victims(social, likes, 3, rng=1).tolist()
    )
    assert draw_victims(social, likes, 5, through="friend", rng=1).tolist() == [1]


def test_success_against_private_lists():
    """No noise on clusters of one gives everything away; noise at 0.01 leaves popularity."""
    social, likes = ten_people()
    attack = sybil_attack(social, likes, 1, measure="cn")
    alone = {"method": "cluster", "top_n": 3, "clusters": np.arange(10)}
    assert sybil_success(attack, epsilon=math.inf, **alone).complete.all()
    assert sybil_success(attack, epsilon=100, rng=1, **alone).complete.all()
    runs = [sybil_success(attack, epsilon=0.01, rng=s, **alone) for s in range(100)]
    hits = sum(round(run.precision[0] * run.shown[0]) for run in runs if run.shown[0])
    trials = sum(int(run.shown[0]) for run in runs)
    assert hits < stats.binom.isf(ALPHA, trials, 0.45)  # blind guesses are right 3 times in 8
    others = likes.sum(axis=0) - likes[1]
    favourites = np.argsort(-others, kind="stable")[:3]
    assert runs[0].popular[0] == pytest.approx(likes[1][favourites].mean())
    made = sybil_success(
        attack, epsilon=math.inf, method="cluster", top_n=3,
        clusters=lambda graph: np.arange(graph.shape[0]),
    )  # fmt: skip
    assert made.complete.all()


@pytest.mark.parametrize("method", ["cluster", "noe", "nou"])
@pytest.mark.parametrize("measure", MEASURES)
def test_the_noise_of_the_game_is_that_of_the_mechanism(method, measure):
    """5,000 items nobody likes: the spread of the observer's estimates, to 1 alarm in 1e6.

    The mean of N squares of a sum of Laplace variables has a relative standard error of at most
    sqrt(5/N) (its kurtosis is at most 6).
    """
    social, _ = ten_people()
    nothing = sparse.csr_array((9, 5000))
    attack = sybil_attack(social, nothing, 1, measure=measure)
    labels = np.arange(attack.social.shape[0]) % 3 if method == "cluster" else None
    found = recommend(
        attack.social, attack.preferences, epsilon=0.5, measure=measure, top_n=5000,
        method=method, clusters=labels, users=attack.observers, return_utilities=True, rng=7,
    )  # fmt: skip
    weights, shifts = noise_weights(attack, method, labels)
    variance = 2 * (weights.toarray() ** 2).sum() / 0.5**2
    margin = stats.norm.isf(ALPHA / 2) * math.sqrt(5 / 5000)
    assert (found.utilities**2).mean() / variance == pytest.approx(1, abs=margin)
    # what one edge adds, from the mechanism without noise
    liked = sparse.csr_array(([1.0], ([1], [0])), shape=nothing.shape)
    edge = sybil_attack(social, liked, 1, measure=measure)
    clean = recommend(
        edge.social, edge.preferences, epsilon=math.inf, measure=measure, top_n=1,
        method=method, clusters=labels, users=edge.observers, return_utilities=True,
    )  # fmt: skip
    assert clean.utilities[0, 0] == pytest.approx(shifts[0])


@pytest.mark.parametrize("epsilon", [0.1, 1, 3])
@pytest.mark.parametrize("method", ["cluster", "noe", "nou"])
def test_the_advantage_is_that_of_laplace_noise(method, epsilon):
    """Common neighbours: one variable of noise, so it is 1 - e^(-epsilon shift/(2 weight))."""
    social, likes = ten_people()
    attack = sybil_attack(social, likes, 1, measure="cn")
    labels = [0, 0, 0, 0, 1, 1, 1, 1, 1, 0] if method == "cluster" else None
    found = membership_advantage(
        attack, epsilon=epsilon, method=method, trials=20_000, alpha=ALPHA, clusters=labels, rng=2
    )
    # S has one non-zero in the fake's row; its largest column sum, for noise on utilities, is 6
    ratio = 1 / 6 if method == "nou" else 1
    weights, shifts = noise_weights(attack, method, labels)
    assert shifts / weights.toarray().sum(axis=1) == pytest.approx([ratio])
    exact = 1 - math.exp(-epsilon * ratio / 2)
    assert found.low <= exact <= found.high
    assert found.high - found.low < 0.08
    assert exact < found.bound == pytest.approx(math.expm1(epsilon) / (math.exp(epsilon) + 1))
    assert found.low <= found.advantage <= found.high


@pytest.mark.parametrize("measure", MEASURES)
def test_no_private_method_exceeds_the_bound(measure):
    social, likes = random_case(5)
    attack = sybil_attack(social, likes, [1, 2, 3], measure=measure)
    game = {"trials": 4000, "alpha": ALPHA, "rng": 3}
    everybody = np.arange(attack.social.shape[0])
    for method, labels in (("cluster", everybody % 2), ("noe", None), ("nou", None)):
        found = membership_advantage(attack, epsilon=1, method=method, clusters=labels, **game)
        assert found.low <= found.bound
    certain = membership_advantage(attack, epsilon=1, method="exact", **game)
    assert (certain.true_positives, certain.false_positives) == (4000, 0)
    assert certain.advantage == certain.bound == 1
    without_noise = membership_advantage(attack, epsilon=math.inf, method="noe", **game)
    assert without_noise.advantage == without_noise.bound == 1


def test_refusals():
    social, likes = ten_people()
    for victim, sentence in ((9, "from 0 to 8"), ([1, 1], "each user once")):
        with pytest.raises(ValueError, match=sentence):
            sybil_attack(social, likes, victim, measure="cn")
    with pytest.raises(TypeError, match="row number"):
        sybil_attack(social, likes, 1.0, measure="cn")
    with pytest.raises(ValueError, match="knows nobody else, got user 2"):
        sybil_attack(social, likes, 2, measure="cn", through="friend")
    with pytest.raises(ValueError, match="measure must be one of"):
        sybil_attack(social, likes, 2, measure="cosine")
    with pytest.raises(ValueError, match="through must be one of"):
        sybil_attack(social, likes, 2, measure="cn", through="door")
    with pytest.raises(ValueError, match="at least 1, got 0"):
        sybil_attack(social, likes, 2, measure="cn", chain=0)
    with pytest.raises(ValueError, match="row for each of the 9 users"):
        sybil_attack(social, likes[:8], 2, measure="cn")
    with pytest.raises(ValueError, match="got nobody"):
        draw_victims(social, np.zeros((9, 2)), 3, rng=1)
    attack = sybil_attack(social, likes, 1, measure="cn")
    game = {"trials": 10, "alpha": 0.1, "epsilon": 1}
    with pytest.raises(ValueError, match="clusters must come with method 'cluster'"):
        membership_advantage(attack, method="cluster", **game)
    with pytest.raises(ValueError, match="method must be one of"):
        membership_advantage(attack, method="lrm", **game)
    with pytest.raises(ValueError, match="10 users"):
        membership_advantage(attack, method="cluster", clusters=[0] * 9, **game)
