"""Exercises of notebook 16: clipping, noise, exact means, budgets, an attack on one person."""

import math
from typing import Any

import numpy as np

from pplab.attacks.person import bound_epsilon
from pplab_course.answers import Refusal, array, call, fields, number
from pplab_course.exercises import close, enter, exactly, hidden, right

DELTA = 1e-5

# 16-P: rows shortened as a whole


@enter("16-P")
def _clipped(answer: Any) -> str | None:
    rng = np.random.default_rng(hidden(16))
    rows = np.vstack([rng.standard_normal((5, 4)) * 3, rng.standard_normal((3, 4)) / 9, [[0] * 4]])
    clip = 1.25
    answers = array(call(answer, rows, clip), "give back an array: one number per column.")
    lengths = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    if answers.shape != (4,):
        return f"A sum over rows has one number for each of the 4 columns, got {answers.shape}."
    total, sizes = rows.sum(axis=0), np.abs(rows).sum(axis=1, keepdims=True)
    stretched = (rows * clip / lengths).sum(axis=0)
    by_sizes = (rows / np.maximum(sizes / clip, 1)).sum(axis=0)
    shortened = total / max(np.linalg.norm(total) / clip, 1)
    known = (
        (total, "No row was shortened."),
        (stretched, "Short rows were made longer: leave them as they are."),
        (np.clip(rows, -clip, clip).sum(axis=0), "You clipped cells; clip each row as a whole."),
        (shortened, "You shortened the sum, but one user can still move it far."),
        (by_sizes, "You used the sum of absolute values; the noise fits the Euclidean length."),
    )
    return exactly(answers, (rows / np.maximum(lengths / clip, 1)).sum(axis=0), known)


# 16-B: exact means disclose


@enter("16-B")
def _means(answer: Any) -> str | None:
    shape = "two tables, please: ([[...], [...], [...]], [[...], [...], [...]])."
    pair = array(answer, shape)
    if pair.shape != (2, 3, 2):
        raise Refusal(f"{shape} Each has 3 rows and 2 columns.")
    if not (np.isin(pair, range(6))).all():
        return "Ratings are 1 to 5, and 0 stands for no rating."
    differ = np.flatnonzero((pair[0] != pair[1]).any(axis=1))
    if len(differ) != 1:
        return f"Neighbours differ in the ratings of one user; yours differ in {len(differ)} users."
    if pair[1, differ[0]].any():
        return "In the second table this user has no rating: the row must be 0 and 0."
    if not (pair > 0).any(axis=1).all():
        return "Each item needs a rating in both tables, or its mean is not defined."
    if np.allclose(*pair.sum(axis=1) / (pair > 0).sum(axis=1)):
        return "The exact means are the same in both tables: this pair reveals nothing."
    return ""


# 16-D: six releases, together mu = 1

RELEASES, EXACT = 6, 4.3772


@enter("16-D")
def _budget(answer: Any) -> str | None:
    answer = fields(answer, ("noise", "epsilon"), 'a dict, please: {"noise": ..., "epsilon": ...}.')
    noise, epsilon = number(answer["noise"]), number(answer["epsilon"])
    wrong = (
        (RELEASES, "Your σ is right if levels add up; here the values of 1/σ² are added."),
        (math.sqrt(3), "Likes and ratings are two releases a year, so six in three years."),
        (1, "Your number is for one release; here there are six releases."),
        (1 / math.sqrt(RELEASES), "Your number is the μ of one release; σ is 1/μ."),
    )
    for value, hint in wrong:
        if close(noise, value, within=1e-3):
            return hint
    if right(noise, math.sqrt(RELEASES)) is None:
        return "Six releases with that σ do not have μ = 1 together."
    for value, name in ((5.2985, "Mironov's line"), (4.7285, "the Rényi accountant")):
        if close(epsilon, value, within=1e-3):
            return f"σ is right. That ε comes from {name}; the exact ε is smaller."
    if right(epsilon, EXACT) is None:
        return "σ is right. Together, the six releases have μ = 1: what is their exact ε?"
    return ""


# 16-O: a person of one's own

FIELDS = ("hits", "members", "false_alarms", "others", "lower_bound")


@enter("16-O")
def _attack(answer: Any) -> str | None:
    answer = fields(answer, FIELDS, f"a dict, please, with {', '.join(FIELDS)}.")
    hits, members, alarms, others, bound = (number(answer[name]) for name in FIELDS)
    if any(count % 1 for count in (hits, members, alarms, others)):
        return "Hits, members, false alarms and others are counts, so give whole numbers."
    if not (0 <= hits <= members and 0 <= alarms <= others and min(members, others) >= 20):
        return "Count hits among members, and false alarms among others; draw at least 20 of each."
    if bound < 0:
        return "Every mechanism has an ε of 0 or more: instead of a bound below 0, give 0."
    # each of the four ends of the two intervals errs with 0.05
    proved, _ = bound_epsilon(hits, alarms, int(members), int(others), DELTA, 4 * 0.05, None)
    most = max(float(proved), 0.0)
    if hits * alarms and close(bound, math.log(hits * others / members / alarms)) and bound > most:
        return (
            "You took the log of the quotient of two shares; a bound takes the lower end of one "
            "interval and the upper end of the other."
        )
    if bound > most + 1e-6:
        return f"With few draws, exact intervals at 95 % prove at most {most:.2f}; shares mislead."
    if bound < most / 2 - 0.5:
        return "These counts prove a far larger ε: check both ends of the exact intervals."
    return ""
