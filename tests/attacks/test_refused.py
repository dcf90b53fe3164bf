"""What attacks refuse, each in one sentence; of single arguments tests/generated asks, too."""

import numpy as np
import pytest

from pplab.attacks.arena import arena
from pplab.attacks.group_means import insider_intervals
from pplab.attacks.homogeneity import group_inference, homogeneous_cells, revealed_by_mean
from pplab.attacks.membership import membership_advantage
from pplab.attacks.person import audit_person
from pplab.attacks.posterior import posterior_odds
from pplab.attacks.protocol import MEANS, NOISE, SMOOTH
from pplab.attacks.sybil import sybil_attack
from pplab.attacks.votes import pivotal_cells

SCALE, HALF = (1, 5), [True, False] * 20
TRIANGLE, LIKES = 1 - np.eye(3, dtype=int), np.eye(3)


def person(statistic, member):
    return audit_person(statistic, member, delta=0, alpha=0.05)


def sybil(victim, preferences=LIKES, **options):
    return sybil_attack(TRIANGLE, preferences, victim, measure="cn", **options)


def game(**options):
    return membership_advantage(sybil(1), trials=10, alpha=0.1, epsilon=1, **options)


REFUSED = [
    (lambda: arena("noise", 1, 1), "^family must"),
    (lambda: arena(NOISE, 0, 1), "^epsilon must"),
    (lambda: arena(MEANS, 2.5, 1), "^k must"),
    (lambda: arena(SMOOTH, 201, 1), "^k must"),
    (lambda: arena(MEANS, 5, -1), "^seed must"),
    (lambda: insider_intervals(11 / 3, known=[4, 2], size=4, decimals=1, rating_range=SCALE),
     "all members but one, 3 of 4, got 2"),
    (lambda: homogeneous_cells([[0, 0], [0, 0]], labels=[0, 0], rating_range=SCALE),
     "ratings must hold at least one rating"),
    (lambda: revealed_by_mean([[5.0, np.nan]], rating_range=SCALE),
     "protected must be complete, got 1 unrated cells"),
    (lambda: group_inference([[5, 1]], [[4.0, 3.0]], rating_range=SCALE, filling=[3, 3, 3]),
     "filling must be one number or 2, one per item"),
    (lambda: person([1.0] * 40, [1] * 40), "member must hold True or False"),
    (lambda: person([1.0] * 40, [True] * 39), "member must hold True or False"),
    (lambda: person([1.0] * 40, [True] * 40), "member must be true and false at least four times"),
    (lambda: person([np.nan] * 40, HALF), "statistic must be finite"),
    (lambda: posterior_odds([0.5, 0.3, 0.2], flip_probability=0.25), "two entries along each axis"),
    (lambda: posterior_odds(0.5, flip_probability=0.25), "two entries along each axis"),
    (lambda: posterior_odds([0.5, -0.1], flip_probability=0.25), "no negative weight, got -0.1"),
    (lambda: posterior_odds([[1, 1], [0, 0]], flip_probability=0.25), "certain of it"),
    (lambda: posterior_odds([1, 1], flip_probability=0), r"must lie in \(0, 1/2\]"),
    (lambda: posterior_odds([1.0, 1.0], flip_probability=1e-300), "too small for floats"),
    (lambda: posterior_odds([1e-300, 1.0], flip_probability=0.25), "too small for floats"),
    (lambda: sybil(3), "from 0 to 2"),
    (lambda: sybil([1, 1]), "each user once"),
    (lambda: sybil(2, through="friend"), "knows nobody else, got user 2"),
    (lambda: sybil(2, LIKES[:2]), "row for each of the 3 users"),
    (lambda: game(method="cluster"), "clusters must come with method 'cluster'"),
    (lambda: game(method="noe", clusters=[0] * 5), "clusters must come with method 'cluster'"),
    (lambda: pivotal_cells([1], known=[[0], [0], [0]], size=3), "leave somebody"),
    (lambda: pivotal_cells([0], known=[[1], [1]], size=3), "some rows of the others"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "sentence"), REFUSED)
def test_what_means_nothing_is_refused(call, sentence):
    with pytest.raises((TypeError, ValueError), match=sentence) as refused:
        call()
    assert "\n" not in str(refused.value)
