"""Right answers and named mistakes of notebook 04's exercises, for the tests of all exercises."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from pplab.course.nb04_social_recommendation import circle, errors, last_year, similarities

SIMILAR, LIKES = similarities(circle([(9, 0)])), last_year()
HALVES = [0, 0, 0, 0, 0, 0, 1, 1, 1, 0]
CIRCLES = [0, 0, 1, 1, 1, 1, 2, 2, 2, 0]  # largest modularity, with the next one
OTHER_CIRCLES = [0, 1, 1, 1, 1, 1, 2, 2, 2, 0]
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


def by_column(social: np.ndarray) -> Any:
    return similarities(social).sum(axis=0).max()


def by_trying(social: np.ndarray) -> float:
    """Change each cell of a table of likes in turn."""
    likes, most = np.zeros((len(social), 2)), 0.0
    for cell in np.ndindex(likes.shape):
        other = likes.copy()
        other[cell] = 1
        most = max(most, float(np.abs(similarities(social) @ (other - likes)).sum()))
    return most


def largest_entry(social: np.ndarray) -> Any:
    return similarities(social).max()


def with_diagonal(social: np.ndarray) -> Any:
    return (social @ social).sum(axis=0).max()


def everything(social: np.ndarray) -> Any:
    return similarities(social).sum()


def most_friends(social: np.ndarray) -> Any:
    return social.sum(axis=0).max()


def root(social: np.ndarray) -> Any:
    return np.sqrt((similarities(social) ** 2).sum(axis=0).max())


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
    ("04-R", " Social graph "),
    ("04-R", "the social graph"),
    ("04-C", 2**0.5 / 10),
    ("04-C", Fraction(1414, 10000)),
    ("04-C", np.float64(0.141)),
    ("04-P", by_column),
    ("04-P", by_trying),
    ("04-B", CHAINS),
    ("04-B", [("katz", [[11, 10], [9, 10]]), ("gd", np.array([[9, 10]]))]),
    ("04-D", climbed()),
    ("04-D", np.array(climbed()) + 3.0),
    ("04-O", ESSAY),
    ("04-O", SAME_LISTS),
]

NAMED: list[tuple[str, Any, str]] = [
    ("04-R", "preference", "private"),
    ("04-R", "both", "private"),
    ("04-C", 2.83, "divide by |c|"),
    ("04-C", 0.1, "scale of the noise"),
    ("04-C", 0.14, "three digits"),
    ("04-C", Fraction(1, 50), "variance"),
    ("04-C", 2**0.5 / 40, "smaller ε"),
    ("04-P", largest_entry, "everyone who is similar"),
    ("04-P", with_diagonal, "diagonal"),
    ("04-P", everything, "one column"),
    ("04-P", most_friends, "friends' friends"),
    ("04-P", root, "sum of the changes"),
    ("04-B", CHAINS | {"katz": [(10, 9)]}, "katz: account 10 is shown what 5 does not like"),
    ("04-B", CHAINS | {"katz": [(10, 9)]}, "friends are in reach"),
    ("04-B", CHAINS | {"gd": []}, "gd: account 9 is shown what 5 does not like"),
    ("04-B", CHAINS | {"gd": [(10, 9), (11, 10)]}, "gd: nothing is shown"),
    ("04-B", CHAINS | {"katz": [(10, 9), (11, 10), (12, 11)]}, "katz: nothing is shown"),
    ("04-B", CHAINS | {"gd": [(10, 9), (11, 9)]}, "gd: it works, but with more fakes"),
    ("04-D", CIRCLES, "ε was ignored"),
    ("04-D", OTHER_CIRCLES, "ε was ignored"),
    ("04-D", THIS_YEAR, "this year's likes"),
    ("04-D", HALVES, "bias weighs most"),
    ("04-D", list(range(10)), "noise weighs most"),
    ("04-D", [0] * 10, "bias weighs most"),
    ("04-O", "the same ε for users", "multiply by the number"),
    ("04-O", "users are protected well enough by this", "as a number"),
    ("04-O", "ε = 1 is fine", "whole user"),
    ("04-O", "ε = 1 for each user", "whole argument"),
]

# A hint must not hold the answer: the exercise and the answer in words.
SECRETS = [("04-R", "social"), ("04-C", "0.141"), ("04-B", "(11, 10)"), ("04-D", str(climbed()))]

FORMS: list[tuple[str, Any, str]] = [
    ("04-B", CHAINS | {"gd": [(9, 4)]}, "4 is a person"),
    ("04-B", CHAINS | {"gd": [(10, 10)]}, "with itself"),
    ("04-B", CHAINS | {"gd": [(12, 9)]}, "without gaps"),
    ("04-B", CHAINS | {"gd": [(10**9, 9)]}, "without gaps"),
    ("04-B", CHAINS | {"gd": (10, 9)}, "list of pairs"),
    ("04-B", CHAINS | {"gd": 10}, "list of pairs"),
    ("04-B", CHAINS | {"gd": [(10.5, 9)]}, "list of pairs"),
    ("04-B", {"gd": [(10, 9)]}, '"katz"'),
    ("04-B", [1, 2], "wants pairs"),
    ("04-P", lambda social: similarities(social), "wants a number"),
    ("04-P", 6, "wants a function"),
    ("04-D", [0] * 9, "each of the 10 rows"),
    ("04-D", 2, "each of the 10 rows"),
    ("04-C", "0.14", "wants a number"),
    ("04-R", 1, "wants a text"),
]
