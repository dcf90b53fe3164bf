"""Notebook 04: hidden graphs that tell mistakes apart, chains of fakes, the best of partitions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from pplab.course.check import check
from pplab.course.nb04_social_recommendation import (
    GRAPHS,
    _modularity,
    _partitions,
    circle,
    errors,
    last_year,
    similarities,
)
from pplab.recommenders.clusters import error_parts
from pplab.recommenders.communities import modularity
from pplab.recommenders.similarity import similarity
from pplab.recommenders.utilities import utility_sensitivity
from tests.course.examples import complaints

SIMILAR, LIKES = similarities(circle([(9, 0)])), last_year()
HALVES = [0, 0, 0, 0, 0, 0, 1, 1, 1, 0]
CIRCLES = [0, 0, 1, 1, 1, 1, 2, 2, 2, 0]  # largest modularity
THIS_YEAR = [1, 0, 0, 0, 0, 0, 1, 1, 1, 0]  # the best on the likes of the notebook itself


def total(labels: Any) -> float:
    row = np.asarray(labels, dtype=int)[None, :]
    return float(np.add(*errors(row, similar=SIMILAR, likes=LIKES, epsilon=3 / 2)).sum())


def climbed() -> list[int]:
    """Move one account at a time as long as that helps."""
    labels = HALVES
    for _ in range(3):
        for user in range(10):
            moved = [[*labels[:user], group, *labels[user + 1 :]] for group in range(5)]
            labels = min(moved, key=total)
    return labels


def careless(social: np.ndarray) -> Any:
    common = similarities(social)
    social[:] = 0  # a student may change what it is given
    return common.sum(axis=0).max()


ESSAY = (
    "A user with 50 preferences and ε = 1 as a whole, odds 2.7 : 1, gets 1/50 per preference; the "
    "noise in a cluster of 115 people is then large, and I would measure NDCG before promising."
)
SAME_LISTS = (
    "For a user with 50 preferences at ε = 0.1 each, ε is 5 and the odds are 148 : 1; I would not "
    "accept that, although the lists keep the same NDCG."
)
CHAINS = {"gd": [(10, 9)], "katz": [(10, 9), (11, 10)]}

RIGHT: list[tuple[str, Any]] = [
    ("04-R", "social"),
    ("04-C", 2**0.5 / 10),
    ("04-C", np.float64(0.141)),
    ("04-P", careless),
    ("04-P", lambda social: similarities(social).sum(axis=0).max()),
    ("04-B", CHAINS),
    ("04-B", [("katz", [[11, 10], [9, 10]]), ("gd", np.array([[9, 10]]))]),
    ("04-D", climbed()),
    ("04-D", np.array(climbed()) + 3.0),
    ("04-O", ESSAY),
    ("04-O", SAME_LISTS),
]

WRONG: list[tuple[str, Any, str]] = [
    ("04-R", "preference", "private"),
    ("04-C", 2.83, "divide by |c|"),
    ("04-C", 0.1, "scale of the noise"),
    ("04-C", 0.14, "three digits"),
    ("04-C", Fraction(1, 50), "variance"),
    ("04-C", 2**0.5 / 40, "smaller ε"),
    ("04-P", lambda social: similarities(social).max(), "everyone who is similar"),
    ("04-P", lambda social: (social @ social).sum(axis=0).max(), "diagonal"),
    ("04-P", lambda social: similarities(social).sum(), "one column"),
    ("04-P", lambda social: social.sum(axis=0).max(), "friends' friends"),
    ("04-P", lambda s: np.linalg.norm(similarities(s), axis=0).max(), "sum of the changes"),
    ("04-B", CHAINS | {"katz": [(10, 9)]}, "katz: account 10 is shown what 5 does not like"),
    ("04-B", CHAINS | {"katz": [(10, 9)]}, "friends are in reach"),
    ("04-B", CHAINS | {"gd": []}, "gd: account 9 is shown what 5 does not like"),
    ("04-B", CHAINS | {"gd": [(10, 9), (11, 10)]}, "gd: nothing is shown"),
    ("04-B", CHAINS | {"katz": [(10, 9), (11, 10), (12, 11)]}, "katz: nothing is shown"),
    ("04-B", CHAINS | {"gd": [(10, 9), (11, 9)]}, "gd: it works, but with more fakes"),
    ("04-D", CIRCLES, "ε was ignored"),
    ("04-D", THIS_YEAR, "this year's likes"),
    ("04-D", HALVES, "bias weighs most"),
    ("04-D", list(range(10)), "noise weighs most"),
    ("04-D", [0] * 10, "bias weighs most"),
    ("04-O", "the same ε for users", "multiply by the number"),
    ("04-O", "users are protected well enough by this", "as a number"),
    ("04-O", "ε = 1 is fine", "whole user"),
    ("04-O", "ε = 1 for each user", "whole argument"),
    ("04-B", CHAINS | {"gd": [(9, 4)]}, "4 is a person"),
    ("04-B", CHAINS | {"gd": [(10, 10)]}, "with itself"),
    ("04-B", CHAINS | {"gd": [(10**9, 9)]}, "without gaps"),
    ("04-B", CHAINS | {"gd": (10, 9)}, "list of pairs"),
    ("04-B", {"gd": [(10, 9)]}, '"katz"'),
    ("04-B", [1, 2], "wants pairs"),
    ("04-P", lambda social: similarities(social), "wants a number"),
    ("04-D", [0] * 9, "each of the 10 rows"),
]

# A hint must not hold the answer: the exercise and the answer in words.
SECRETS = [("04-R", "social"), ("04-C", "0.141"), ("04-B", "(11, 10)"), ("04-D", str(climbed()))]


def test_answers_are_judged() -> None:
    assert complaints("04", RIGHT, WRONG, SECRETS) == []


@pytest.mark.parametrize("social", GRAPHS)
def test_the_hidden_graphs_are_judged_as_pplab_does(social: np.ndarray) -> None:
    graph, common = sparse.csr_array(social), similarities(social)
    assert utility_sensitivity(graph, measure="cn") == common.sum(axis=0).max()
    np.testing.assert_allclose(similarity(graph, measure="cn").toarray(), common)


def test_partitions_are_all_and_each_once() -> None:
    for users, bell in enumerate((1, 1, 2, 5, 15, 52, 203)):
        rows = _partitions(users)
        assert len(rows) == len({tuple(row) for row in rows}) == bell
        for row in rows:  # a new cluster takes the next number
            assert all(row[place] <= row[:place].max(initial=-1) + 1 for place in range(users))


def test_errors_and_modularity_are_those_of_the_library() -> None:
    social, likes = circle([(9, 0)]), last_year()
    common = similarities(social)
    for labels in (HALVES, CIRCLES, list(range(10))):
        row = np.array(labels)
        bias, noise = errors(row[None, :], similar=common, likes=likes, epsilon=1.5)
        parts = error_parts(
            sparse.csr_array(social), sparse.csr_array(likes), row, measure="cn", epsilon=1.5
        )
        assert bias[0] == pytest.approx((parts.approximation_rms**2).mean())
        assert noise[0] == pytest.approx((parts.perturbation**2).mean())
        assert _modularity(row) == pytest.approx(modularity(sparse.csr_array(social), row))


def test_no_other_number_of_fakes_in_the_chain_works() -> None:
    for near, far in product(range(4), repeat=2):
        given = {
            measure: [(10 + step, 9 + step) for step in range(count)]
            for measure, count in (("gd", near), ("katz", far))
        }
        assert bool(check("04-B", given)) == (given == CHAINS)
