"""Exercises of notebook 20: batches, flips with a cap, any two rows, and a shuffler."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.optimize import brentq

from pplab_course.answers import Refusal, array, number
from pplab_course.exercises import close, enter, right

DELTA = 1e-5

# 20-R: a coin of one's own

enter(
    "20-R",
    "What decides about a user: the user's own coin, or a list that is cut?",
    "The word names the distribution of the number of rare, independent events.",
    praise="right. The number drawn varies, and the accountant counts on that nobody sees it.",
    right="poisson|poisson-sampling",
    mistakes={
        "shuffled|(shuffle|shuffling)": "A shuffled list is cut into parts of one size.",
        "fixed|(fixed[- ]size)": "Batches of a fixed size do not differ in size.",
    },
)


# 20-C: false likes of a published row

enter(
    "20-C",
    "With what probability is one cell flipped, if the cap shares ε? And which cells give a false "
    "like?",
    "A cell is flipped with 1/(1 + e^(ε/c)); cells that hold a like cannot become false likes.",
    "First step: with c = 1 and ε = 2 a cell is flipped with 1/(1 + e²), about 0.119. A row of 10 "
    "cells with one like has 9 that can turn into a false like. What changes with a cap of two?",
    praise="right. Two likes, and the false ones outnumber them: only a crowd averages that out.",
    drawn="100 jokes, a cap of {cap}, a user with {cap} likes, ε = {epsilon}",
    choices={"cap": (2, 3, 4), "epsilon": (4, 6, 8)},
    right="(100 - cap) / (1 + exp(epsilon / cap))",
    mistakes={
        "100 / (1 + exp(epsilon / cap))": "A like that is flipped is a lost like, no false one.",
        "(100 - cap) / (1 + exp(epsilon))": "A cell has its share of ε: the cap divides it.",
        "(100 - cap) / (1 + exp(epsilon / 100))": "Without the cap ε is shared by all jokes.",
        "(100 - cap) * exp(epsilon / cap) / (1 + exp(epsilon / cap))": (
            "That is the number of cells that stay without a like."
        ),
    },
)


# 20-B: any two rows

LEVEL, CELLS = 2, 3


@enter(
    "20-B",
    "How many cells differ between two rows with one like each? Each costs a factor of e².",
    "Choose an output that supports the first row in each cell in which the two differ.",
    praise="right. Two cells differ, so the odds are e⁴: the level 2 holds against none alone.",
)
def _any_two(answer: Any) -> str | None:
    shape = "three lists of three bits, please: ([...], [...], [...])."
    rows = array(answer, shape)
    if rows.shape != (3, CELLS):
        raise Refusal(shape)
    if not np.isin(rows, (0, 1)).all():
        raise Refusal("each entry is 0 or 1.")
    one, other, output = rows
    if max(one.sum(), other.sum()) > 1:
        return "The cap is one: a row holds at most one like. (The output may hold more.)"
    factor = LEVEL * (np.sum(output == one) - np.sum(output == other))
    if factor > LEVEL:
        return ""
    if -factor > LEVEL:
        return "Nearly: this output supports the second row. Exchange the two rows."
    if (one == other).all():
        return "These two rows are the same: no output can separate them."
    if not (one.any() and other.any()):
        return "That is a row against none, where the level 2 does hold. Take two rows with a like."
    return (
        "The odds of this output are the same under both rows: choose one that prefers the first."
    )


# 20-D: a million users and a shuffler

PEOPLE = 1_000_000


def _shuffled(local: float) -> float:
    """Theorem 3.1 of Feldman, McMillan and Talwar 2021, without its condition."""
    odds = math.exp(local)
    first = 8 * math.sqrt(odds * math.log(4 / DELTA) / PEOPLE)
    return math.log1p((odds - 1) / (odds + 1) * (first + 8 * odds / PEOPLE))


@enter(
    "20-D",
    "Find the level at home at which the shuffled one is 1; the notebook's function gives it.",
    "What you found is a level between any two rows. What is it for a row against none?",
    "First step, a smaller crowd: try `shuffled_level(local, 1_000_000)` at 6, 7 and 8, and see "
    "where it passes 1. A row against none differs in half as many cells as two rows do. What is "
    "the level then?",
    praise="right. A million people turn it into 1, and no curator has seen a row.",
)
def _crowd(answer: Any) -> str | None:
    value = number(answer)
    any_two = float(brentq(lambda local: _shuffled(local) - 1, 1, 20))
    known = (
        (any_two, "That is the level between any two rows; a row against none has half of it."),
        (
            2 * any_two,
            "Two rows differ in more cells than a row and none: divide, do not multiply.",
        ),
        (1 / 2, "Without a shuffler, yes: with one, users may flip far less."),
    )
    for wrong, hint in known:
        if close(value, wrong):
            return hint
    return right(value, any_two / 2)
