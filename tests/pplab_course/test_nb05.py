"""Notebook 05: hidden graphs that tell mistakes apart, chains of fakes, the best of partitions."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import sparse

from pplab.recommenders.clusters import error_parts
from pplab.recommenders.communities import modularity
from pplab.recommenders.similarity import similarity
from pplab.recommenders.utilities import utility_sensitivity
from pplab_course.exercises import check
from pplab_course.nb05_social_recommendation import (
    _MODULAR,
    GRAPHS,
    LEAST,
    circle,
    last_year,
    similarities,
)

SIMILAR, LIKES = similarities(circle([(9, 0)])), last_year()
HALVES = [0, 0, 0, 0, 0, 0, 1, 1, 1, 0]
CIRCLES = [0, 0, 1, 1, 1, 1, 2, 2, 2, 0]  # largest modularity
THIS_YEAR = [1, 0, 0, 0, 0, 0, 1, 1, 1, 0]  # the best on the likes of the notebook itself


def errors(labels):
    """Squared bias and noise variance of each row of labels, as means over users and items."""
    same = (labels[:, :, None] == labels[:, None, :]).astype(float)
    mean = same / same.sum(axis=2, keepdims=True)  # times likes: everyone's cluster average
    moved = np.matmul(SIMILAR, np.matmul(mean, LIKES) - LIKES)
    shares = np.matmul(SIMILAR, mean)
    noise = np.einsum("puv,pvv->p", shares**2, mean) / labels.shape[1]
    return (moved**2).mean(axis=(1, 2)), 2 / (3 / 2) ** 2 * noise


def total(labels):
    return float(np.add(*errors(np.asarray(labels, dtype=int)[None, :])).sum())


def partitions(users):
    """All partitions, each once: a user joins a cluster there is, or opens the next one."""
    rows = np.zeros((1, 0), dtype=np.int64)
    for _ in range(users):
        opened = rows.max(axis=1, initial=-1) + 2  # clusters to choose from
        chosen = np.concatenate([np.arange(count) for count in opened])
        rows = np.column_stack([np.repeat(rows, opened, axis=0), chosen])
    return rows


def climbed():
    """Move one account at a time as long as that helps."""
    labels = HALVES
    for _ in range(3):
        for user in range(10):
            moved = [[*labels[:user], group, *labels[user + 1 :]] for group in range(5)]
            labels = min(moved, key=total)
    return labels


def careless(social):
    common = similarities(social)
    social[:] = 0  # a student may change what it is given
    return common.sum(axis=0).max()


CHAINS = {"gd": [(10, 9)], "katz": [(10, 9), (11, 10)]}
WHY = "I would accept odds of three to one, and publish few items, those that a whole crowd likes."
PROMISE = {"preferences": 50, "epsilon": 1, "each": 0.02, "odds": math.e, "why": WHY}
PROMISE["noise"] = 2**0.5 / (115 * 0.02)
FIVE = {"epsilon": 5, "each": Fraction(1, 10), "odds": 148, "noise": 0.123}

RIGHT = {
    "05-R": ["social", "The social graph", "public", "friendships", "'SOCIAL'"],
    "05-C": [2**0.5 / 10, np.float64(0.141), Fraction(141, 1000), 0.1414],
    "05-P": [
        careless,
        lambda social: similarities(social).sum(axis=0).max(),
        lambda social: float(np.linalg.norm(similarities(social), 1)),
        lambda social: max(similarities(social).sum(axis=1).tolist()),
    ],
    "05-B": [
        CHAINS,
        [("katz", [[11, 10], [9, 10]]), ("gd", np.array([[9, 10]]))],
        {"katz": {(9, 10), (10, 11)}, "gd": ((10, 9),)},
    ],
    "05-D": [climbed(), np.array(climbed()) + 3.0, tuple(7 - label for label in climbed())],
    "05-O": [
        PROMISE,
        PROMISE | FIVE,
        PROMISE | {"preferences": 10, "why": f"Ten times 0.1. {WHY}", "each": 0.1, "noise": 0.123},
        list((PROMISE | {"odds": 2.72, "noise": 0.615}).items()),
    ],
}

WRONG = {
    "05-R": ["preference", "both", "neither", "not social", ("the likes", "private")],
    "05-C": [2.83, 0.1, Fraction(1, 50), 2**0.5 / 40, (0.14, "3 significant digits")],
    "05-P": [
        (lambda social: similarities(social).max(), "everybody who is similar"),
        (lambda social: (social @ social).sum(axis=0).max(), "The diagonal is still in"),
        (lambda social: similarities(social).sum(), "one column"),
        (lambda social: social.sum(axis=0).max(), "friends' friends"),
        (lambda s: np.linalg.norm(similarities(s), axis=0).max(), "sum of the changes"),
        (similarities, "takes a number"),
    ],
    "05-B": [
        (CHAINS | {"katz": [(10, 9)]}, "katz: account 10 is shown what 5 does not like"),
        (CHAINS | {"katz": [(10, 9)]}, "friends of 5 are in reach"),
        (CHAINS | {"gd": []}, "gd: account 9 is shown what 5 does not like"),
        (CHAINS | {"gd": [(10, 9), (11, 10)]}, "gd: nothing is shown"),
        (CHAINS | {"katz": [(10, 9), (11, 10), (12, 11)]}, "katz: nothing is shown"),
        (CHAINS | {"gd": [(10, 9), (11, 9)]}, "gd: it works, but with more fakes"),
        (CHAINS | {"gd": [(9, 4)]}, "4 is a person"),
        (CHAINS | {"gd": [(10, 10)]}, "with itself"),
        (CHAINS | {"gd": [(10**9, 9)]}, "without gaps"),
        (CHAINS | {"gd": (10, 9)}, "list of pairs"),
        ({"gd": [(10, 9)]}, '"katz"'),
        ([1, 2], "takes a dict"),
    ],
    "05-D": [
        (CIRCLES, "does not depend on ε"),
        (THIS_YEAR, "this year's likes"),
        (HALVES, "The bias dominates"),
        (list(range(10)), "The noise dominates"),
        ([0] * 10, "The bias dominates"),
        ([0] * 9, "each of the 10 rows"),
    ],
    "05-O": [
        (PROMISE | {"each": 1}, "The same ε"),
        (PROMISE | {"each": 50}, "not a multiple"),
        (PROMISE | {"each": 0.05}, "are not ε = 1 in all"),
        (PROMISE | {"epsilon": 0, "each": 0}, "may depend on nothing"),
        (PROMISE | {"why": "Fine."}, "whole argument"),
        (PROMISE | {"why": "word " * 40}, "different words"),
        (PROMISE | {"preferences": 3, "each": 0.33}, "3 significant digits"),
        (PROMISE | {"preferences": 2.5}, "a whole number"),
        (PROMISE | {"preferences": 1, "each": 1}, "choose more"),
        (PROMISE | {"preferences": 10**9, "epsilon": 1e9, "each": 1}, "protect nobody"),
        (PROMISE | {"odds": math.exp(0.02)}, "of the whole user"),
        (PROMISE | {"odds": 2.7}, "3 significant digits"),
        (PROMISE | {"noise": 50 / 115}, "That is the scale"),
        (PROMISE | {"noise": 2**0.5 / 115}, "at the user's ε"),
        (PROMISE | {"noise": 2**0.5 * 50}, "√2 over 115"),
        ({"epsilon": 1}, "a dict with preferences"),
    ],
}

SECRETS = {"05-R": "social", "05-C": "0.141", "05-B": "(11, 10)"}


@pytest.mark.parametrize("social", GRAPHS)
def test_the_hidden_graphs_are_judged_as_pplab_does(social):
    graph, common = sparse.csr_array(social), similarities(social)
    assert utility_sensitivity(graph, measure="cn") == common.sum(axis=0).max()
    np.testing.assert_allclose(similarity(graph, measure="cn").toarray(), common)


def test_errors_are_those_of_the_library():
    for labels in (HALVES, CIRCLES, list(range(10))):
        bias, noise = errors(np.array(labels)[None, :])
        parts = error_parts(circle([(9, 0)]), LIKES, labels, measure="cn", epsilon=1.5)
        assert bias[0] == pytest.approx((parts.approximation_rms**2).mean())
        assert noise[0] == pytest.approx((parts.perturbation**2).mean())


def test_the_least_error_and_the_largest_modularity_are_those_of_all_partitions():
    everything = partitions(10)
    assert len(np.unique(everything, axis=0)) == len(everything) == 115_975  # Bell's number
    largest = np.maximum.accumulate(everything, axis=1)
    assert (everything[:, 1:] <= largest[:, :-1] + 1).all()  # a new cluster takes the next number
    chunks = np.array_split(everything, 12)
    assert min(np.add(*errors(rows)).min() for rows in chunks) == pytest.approx(LEAST, rel=1e-5)
    social = circle([(9, 0)])
    surplus = social - np.outer(social.sum(axis=0), social.sum(axis=0)) / social.sum()
    inside = (everything[:, :, None] == everything[:, None, :]).astype(np.int8)
    best = np.einsum("puv,uv->p", inside, surplus).max() / social.sum()
    assert modularity(social, _MODULAR) == pytest.approx(best)


def test_no_other_number_of_fakes_in_the_chain_works():
    for near, far in product(range(4), repeat=2):
        arguments = {
            measure: [(10 + step, 9 + step) for step in range(count)]
            for measure, count in (("gd", near), ("katz", far))
        }
        assert bool(check("05-B", arguments)) == (arguments == CHAINS)
