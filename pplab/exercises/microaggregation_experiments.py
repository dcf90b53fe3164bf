"""Exercises of notebook 10: limits, both directions, a single fit, a rule before the run."""

from __future__ import annotations

import re
from typing import Any

from pplab.exercises.answers import close, function, number, text
from pplab.exercises.conventions import misread_search, runnable_guess
from pplab.exercises.core import enter
from pplab.exercises.linkage_tests import judged_directions
from pplab.exercises.rule_first import watched_study

__all__: list[str] = []

VARIANCE = 142.7  # thousands: expected error of noise with sigma = 1, before truncation


@enter(
    "10-R",
    praise="right. A failed try says little; a search that is shown says what was excluded.",
    hints=(
        "What would a reader have to see before the words say something about the paper?",
        "The notebook gives this verdict to one table. What does it call the proof of it?",
    ),
)
def _honest_blank(answer: Any) -> str | None:
    word = text(answer).lower().strip("`'\". ").replace(" ", "-").replace("_", "-")
    if word == "one-try":
        return "After one try? List the conventions that the text leaves open, and try those."
    if word == "never":
        return "A reader may use the blank: it says what has been excluded, and by what."
    if word == "authors-agree":
        return "Anybody may say it, if everybody can repeat it. What has to be repeatable?"
    return "" if word == "search-shown" else None


@enter(
    "10-C",
    praise="right. Half the sigma, a quarter of the error, whatever V is.",
    hints=(
        "Each cell moves by sigma times a deviation; the error adds up squares.",
        "The expected error is σ² V as long as no value is cut.",
    ),
)
def _limit(answer: Any) -> str | None:
    value = number(answer)
    wanted = 0.25 * VARIANCE
    if close(value, 0.5 * VARIANCE):
        return "Errors add up squares: square sigma too."
    if close(value, 0.5**0.5 * VARIANCE):
        return "No root: V is a sum of squares already."
    if close(value, 0.25**2 * VARIANCE):
        return "That is the expected error at half this sigma."
    if close(value, 1000 * wanted):
        return "The size is right; give thousands, as the table does."
    return "" if close(value, wanted) else None


enter(
    "10-P",
    praise="right. Both misfits, so that a reader sees how the loser loses.",
    hints=(
        "Call disclosure_risk once for each direction, take the mean in per cent, and subtract.",
        "Give a dict with both names of directions: measured minus printed, in percentage points.",
    ),
)(judged_directions)


enter(
    "10-B",
    praise="right. One number fits and its neighbour does not: that is chance, not a convention.",
    hints=(
        "Sort with `search.sort_values('off', key=abs)`: the first rows are nearest to the print.",
        "Take such a row, and look at the same convention one sigma further up or down.",
    ),
)(misread_search)


enter(
    "10-D",
    praise="right. Every sign counts, a tie is no win, and the rule was there first.",
    hints=(
        "Three lines: a rule, fix_rule(rule), and the rule's answer to what run() gives.",
        "The rule goes through all pairs (classic, changed), and 'always' allows no exception.",
    ),
)(watched_study)


@enter(
    "10-O",
    praise="it runs, and its error survives sigma = 0. Judge your guess yourself:",
    hints=(
        "Without noise the error is what two tables differ by before anything is added.",
        "Complete or round one of the two tables in another way than the other.",
    ),
    rubric=(
        "\n  1 your limit at sigma = 0 is printed beside the error that the paper prints first"
        "\n  2 you went on to larger sigma, since a limit can fit where the curve does not"
        "\n  3 it says which result would have spoken against you, and whether it came"
    ),
)
def _survives(answer: Any) -> str | None:
    if isinstance(answer, str) and re.search(r"\b(bug|error|mistake|typo|wrong)\b", answer.lower()):
        return "A bug does something, too: what differs at sigma = 0? Write it as a function."
    return runnable_guess(function(answer))
