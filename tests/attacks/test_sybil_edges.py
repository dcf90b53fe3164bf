"""The Sybil attack where it is thin: few friends, none, chains of wrong length, whole releases."""

import math

import numpy as np
import pytest
from scipy import sparse, stats

from pplab.attacks.sybil import draw_victims, sybil_attack
from pplab.attacks.sybil_membership import membership_advantage
from pplab.attacks.sybil_success import sybil_success
from pplab.recommenders.recommend import recommend

ALPHA = 1e-6  # rate of false alarms of each test that draws noise
PAPER = ("cn", "aa", "gd", "katz")
RUNS = 4000  # items with the edge, and as many without: each has noise of its own


def graph(edges, users):
    table = np.zeros((users, users), dtype=np.int8)
    for u, v in edges:
        table[u, v] = table[v, u] = 1
    return table


# 0 knows nobody; 1 and 2 know each other alone; 3 has the one friend 4, who has more friends
FEW = graph([(1, 2), (3, 4), (4, 5), (5, 6), (4, 6)], 7)
LIKES = np.maximum(np.eye(7, 9)[:, ::-1], np.eye(7, 9))


@pytest.mark.parametrize("measure", PAPER)
def test_victims_with_few_friends_or_none(measure):
    """The attack goes through the victim where no friend serves, and reads everything."""
    together = sybil_attack(FEW, LIKES, range(7), measure=measure)
    assert together.applies.all()
    lonely = measure in ("cn", "aa")  # only there is a friend not read too
    ways = ["friend" if lonely and victim in (1, 2, 4) else "victim" for victim in range(7)]
    assert list(together.how) == ways
    found = sybil_success(together, epsilon=math.inf, method="exact", top_n=9)
    assert found.complete.all()
    assert (found.recall == 1).all()


@pytest.mark.parametrize("measure", PAPER)
def test_the_way_through_a_friend_needs_one(measure):
    for victim in (0, 3, 5, 6):
        with pytest.raises(ValueError, match=f"knows nobody else, got user {victim}"):
            sybil_attack(FEW, LIKES, victim, measure=measure, through="friend")
    assert draw_victims(FEW, LIKES, 9, through="friend", rng=1).tolist() == [1, 2, 4]


@pytest.mark.parametrize("measure", PAPER)
def test_it_does_not_apply_where_others_are_read_or_nothing_is_there(measure):
    needed = 3 if measure == "katz" else 2
    short = sybil_attack(FEW, LIKES, 5, measure=measure, through="victim", chain=needed - 1)
    assert not short.applies[0]  # the friends are read
    mixed = sybil_success(short, epsilon=math.inf, method="exact", top_n=9)
    assert mixed.precision[0] < 1
    silent = LIKES.copy()
    silent[5] = 0
    nothing = sybil_attack(FEW, silent, 5, measure=measure)
    assert nothing.applies[0]  # nobody else is read: what is shown, nothing, is the victim's
    shown = sybil_success(nothing, epsilon=math.inf, method="exact", top_n=9)
    assert shown.shown[0] == 0
    assert np.isnan(shown.precision[0])
    assert np.isnan(shown.recall[0])
    friendless = sybil_attack(FEW, LIKES, 0, measure=measure, chain=needed + 1)
    assert not friendless.applies[0]  # too far away to read anybody


@pytest.mark.parametrize("method", ["exact", "cluster", "nou", "noe"])
def test_who_sees_nothing_has_no_advantage(method):
    """A chain that is too long: no real user is similar to the observer."""
    attack = sybil_attack(FEW, LIKES, 4, measure="cn", through="victim", chain=3)
    clusters = np.zeros(len(attack.social.indptr) - 1, dtype=int) if method == "cluster" else None
    found = membership_advantage(
        attack, epsilon=1, method=method, trials=4000, alpha=ALPHA, clusters=clusters, rng=1
    )
    if method == "cluster":  # an average of all is heard by way of the fakes in the cluster
        assert found.low > 0
    else:
        assert found.low <= 0 <= found.high
    assert found.low <= found.bound


@pytest.mark.parametrize("epsilon", [0.5, 2])
@pytest.mark.parametrize("measure", PAPER)
@pytest.mark.parametrize("method", ["cluster", "noe", "nou"])
def test_the_game_is_that_of_the_whole_release(method, measure, epsilon):
    """Items the victim likes and items nobody likes, guessed from one real release."""
    likes = sparse.csr_array(
        (np.ones(RUNS), (np.full(RUNS, 4), np.arange(RUNS))), shape=(7, 2 * RUNS)
    )
    attack = sybil_attack(FEW, likes, 4, measure=measure, through="victim")
    users = attack.social.shape[0]
    labels = np.arange(users) % 2 if method == "cluster" else None
    ask = {"measure": measure, "method": method, "clusters": labels, "users": attack.observers}

    def seen(level, seed):
        found = recommend(
            attack.social, attack.preferences, epsilon=level, top_n=2 * RUNS,
            return_utilities=True, rng=seed, **ask,
        )  # fmt: skip
        table = np.empty(2 * RUNS)
        table[found.items[0]] = found.utilities[0]
        return table

    shift = seen(math.inf, 0)[0]
    guesses = seen(epsilon, 3) > shift / 2
    right, wrong = guesses[:RUNS].mean(), guesses[RUNS:].mean()
    game = membership_advantage(
        attack, epsilon=epsilon, method=method, trials=20_000, alpha=ALPHA, clusters=labels, rng=2
    )
    error = stats.norm.isf(ALPHA / 2) * math.sqrt(0.5 / RUNS)
    assert game.low - error <= right - wrong <= game.high + error
    assert game.low <= game.bound
    assert right - wrong - error <= game.bound
    # a game without noise would be noticed
    assert game.high < 1


def test_the_interval_holds_its_promise():
    """200 games of 200 runs at alpha = 0.2: at most a fifth of the intervals may miss."""
    attack = sybil_attack(graph([(0, 1)], 2), np.eye(2), 1, measure="cn")
    true = 1 - math.exp(-0.5)
    missed = 0
    for seed in range(200):
        found = membership_advantage(
            attack, epsilon=1, method="noe", trials=200, alpha=0.2, rng=seed
        )
        missed += not found.low <= true <= found.high
    assert missed < stats.binom.isf(ALPHA, 200, 0.2)
