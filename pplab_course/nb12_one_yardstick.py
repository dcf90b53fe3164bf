"""Exercises of notebook 12: what composes, odds, one bit, a pivot, a label, an attacker."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from pplab_course.answers import Refusal, array, call, function, number, numbers, stored, text
from pplab_course.exercises import enter, hidden, recognised

# 12-R: the promise that composes


enter(
    "12-R",
    praise="right. Two releases add their levels; nothing of the kind holds for k.",
    hints=(
        "For which of the two can you say what two releases guarantee without seeing the data?",
        "Think of a person who joins between two releases of group means, as in notebook 10.",
    ),
    right="epsilon|eps|ε|differential-privacy|dp",
    mistakes=(
        (
            "k|((smooth-)?k-anonymity)",
            "Notebook 10: what did two releases of means tell about the newcomer?",
        ),
        (
            "both|(all|each)",
            "One of the two is lost when two releases are laid side by side. Which one?",
        ),
        (
            "neither|(none|no|nothing)",
            "Odds can be multiplied. Which of the two is a statement about odds?",
        ),
    ),
)


# 12-C: prior 5 %, epsilon 2

PRIOR, LEVEL = 0.05, 2.0


_FACTOR = math.exp(LEVEL)
_ODDS = PRIOR / (1 - PRIOR) * _FACTOR

enter(
    "12-C",
    praise="right. From one in twenty to more than one in four: odds times the factor.",
    hints=(
        "Turn the prior into odds, multiply by e^epsilon, and turn the odds back.",
        "Odds o belong to the probability o / (1 + o).",
    ),
    right=_ODDS / (1 + _ODDS),
    mistakes=(
        (PRIOR * _FACTOR, "You multiplied the probability; epsilon multiplies the odds."),
        (_ODDS, "Those are the odds; which probability belongs to them?"),
        (
            _FACTOR / (1 + _FACTOR),
            "That is the answer for a prior of one half. Here it is one in twenty.",
        ),
        (
            100 * _ODDS / (1 + _ODDS),
            "The size is right; give a probability between 0 and 1, not per cent.",
        ),
    ),
)


# 12-P: one bit behind a flip

FLIPS, TRIALS, NEAR = (0.05, 0.2, 0.4), 40_000, 0.025


@enter(
    "12-P",
    praise="right. What you simulate is the limit itself: reading the cell is the best attack.",
    hints=(
        "Draw the coins, flip each with the probability, and read: yes if a 1 is published.",
        "Share of yes among those who have the like, minus share of yes among the others.",
    ),
)
def _simulated(answer: Callable[..., Any]) -> str | None:
    """Run a simulation at three flip probabilities."""
    runs = [
        number(call(answer, flip, TRIALS, hidden(7 + place))) for place, flip in enumerate(FLIPS)
    ]
    flips = np.array(FLIPS)
    hints = (
        (1 - 2 * flips, ""),
        (1 - flips, "That is how often it is right, or says yes rightly: subtract false alarms."),
        (flips, "That is how often it is wrong. How much more often does it say yes to a like?"),
        (2 * flips - 1, "The sign is turned: yes to those who have the like comes first."),
        (1 / 2 - flips, "Half of it: the prior is right half of the time, and certainty is 1."),
    )
    return recognised(runs, hints, within=NEAR)


# 12-B: a vote of four


@enter(
    "12-B",
    praise="right. The three know the fourth's bit for certain, and no promise of k is broken.",
    hints=(
        "The vote keeps an item that at least half of the group has. When does one voice decide?",
        "Count the ones of the three insiders. With the fourth's bit 0 or 1: what is published?",
    ),
)
def _pivot(answer: Any) -> str | None:
    bits = numbers(answer, 4)
    if set(bits) - {0.0, 1.0}:
        raise Refusal("each of the four is 0 or 1.")
    others = sum(bits[:3])
    if others == 0:
        return "None of the three has it: with the fourth or without, the vote drops the item."
    if others == 3:
        return "All three have it: they outvote the fourth, so what is published says nothing new."
    if others == 2:
        return "Two of four keep the item already: likely is not certain. Find a pivot."
    return ""


# 12-D: a release for a named threat, with its label

MOST = 0.3  # advantage of insiders that the memo allows
LABEL = ("family", "strength", "unit", "trusted", "insiders", "second release")
LEVELS = ("noise graph", "cluster averages")  # families with an ε; the others have a k
ONE, WHOLE = ("like", "edge", "cell", "entry"), ("row", "person", "people", "user", "record")


@enter(
    "12-D",
    praise=(
        "right. Of what keeps to the threat, the most useful. It was measured, not promised: where "
        "a vote is decided the insiders are certain. Hold your label against the notebook's."
    ),
    hints=(
        "Keep the rows whose interval for insiders ends below the limit, then compare recall.",
        "Use rows with at == 'strength': attacker 'insiders', column high, then the recall.",
    ),
)
def _memo(answer: Any) -> str | None:
    if not isinstance(answer, Mapping):
        raise Refusal("give a dict: the six entries of the label.")
    if missing := [name for name in LABEL if name not in answer]:
        return f"The label is not complete: {', '.join(missing)} is missing."
    words = {name: text(answer[name]).lower() for name in LABEL[2:]}
    table = _insiders()
    row = (text(answer["family"]).lower(), number(answer["strength"]))
    if row not in table.index:
        raise Refusal("family and strength must be those of a row of the table, word for word.")
    allowed = table[table["high"] <= MOST]
    if row[0] == table["recall"].idxmax()[0] and row not in allowed.index:
        return "You chose by usefulness alone. Who attacks, and how much may they gain?"
    if row not in allowed.index:
        return "The insiders may gain more than the memo allows: look at the end of the interval."
    best = allowed["recall"].max()
    if table.loc[row, "recall"] < best:
        return "It keeps to the threat, but another row does so too, and recommends better."
    return _mislabelled(row[0], **words)


def _mislabelled(family: str, *, unit: str, trusted: str, **rest: str) -> str:
    """Say which line of a label belongs to another family; nothing where none does."""
    right, wrong = (ONE, WHOLE) if family in LEVELS else (WHOLE, ONE)
    if any(mark in unit for mark in wrong) and not any(mark in unit for mark in right):
        return "The row is right. Is that the unit of this family? Look at its label above."
    if family != "noise graph" and re.search(r"nobody|no one|no-one|^none", trusted):
        return "The row is right. But somebody saw the whole table: who made this release?"
    denied = re.search(r"\b(no|not|none|nothing|never)\b|n't\b", rest["second release"])
    added = re.search(r"\badd|\bsum|epsilon|ε", rest["second release"])
    if family in LEVELS and denied and not added:
        return "The row is right. This family has a level: what do two releases cost together?"
    if family not in LEVELS and added and not denied:
        return "The row is right. Which level is to add up? This family promises equal rows."
    return ""


def _insiders() -> pd.DataFrame:
    """Recall, and the upper end of the insiders' advantage, by family and strength."""
    missing = "the comparison was not run yet; run `pplab reproduce yardstick`."
    rows = stored("yardstick", "lastfm", missing=missing)
    rows = rows.query("at == 'strength'").set_index(["family", "strength"])
    insiders = rows[(rows["quantity"] == "advantage") & (rows["attacker"] == "insiders")]
    recall = rows.loc[rows["quantity"] == "recall", "value"]
    return insiders[["high"]].join(recall.rename("recall")).sort_index()


# 12-O: an attacker of one's own


@enter(
    "12-O",
    praise="it runs. Judge your attacker yourself:",
    hints=(
        "One answer for each question: the probability, from 0 to 1, with which it says yes.",
        "Start from table[users, items], and use more of the table than this one cell.",
    ),
    rubric=(
        "\n  1 its knowledge is stated, and somebody could have it"
        "\n  2 it is held against the prior, and against the outsider of this notebook"
        "\n  3 it says which family it was made for, and where it must fail"
    ),
)
def _attacker(answer: Any) -> str | None:
    attack, random = function(answer), np.random.default_rng(hidden(2047))
    table = random.random((40, 12))
    users, items = np.arange(30), random.integers(0, 12, size=30)
    given = call(attack, table.copy(), users.copy(), items.copy())
    chances = array(given, "give one number for each question.")
    if chances.shape != users.shape:
        return f"There are {len(users)} questions: give as many answers, one for each."
    if not np.all((chances >= 0) & (chances <= 1)):
        return "A probability of yes lies between 0 and 1."
    if np.ptp(chances) == 0:
        return "It says the same to everybody: that is the prior, without the release."
    return ""
