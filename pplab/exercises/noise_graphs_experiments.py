"""Exercises of notebook 03: verdicts, z-scores, least squares, tolerances, a fair design."""

from __future__ import annotations

import math
import re
from typing import Any

from pplab.exercises.answers import close, number, numbers, text
from pplab.exercises.cell_counts import ALL_CELLS, CELLS, judged_estimates
from pplab.exercises.core import Refusal, enter
from pplab.exercises.fair_design import watched_run
from pplab.ledger.results import read_result

__all__: list[str] = []

EDGES = 80_000  # of u1.base
TABLE_5 = (0.05, 1.732, "min-max, weights 1 to 5")  # p, printed value, reading


@enter(
    "03-R",
    praise="right. It says in one word that other people's data were judged.",
    hints=(
        "Ask whose data were measured, before you ask how close the numbers are.",
        "Notebook 00 lists the seven verdicts with their meanings.",
    ),
)
def _verdict(answer: Any) -> str | None:
    word = text(answer).lower().strip("`'\". ").replace(" ", "-").replace("_", "-")
    if word in ("reproduced", "reproduced-under-reading"):
        return "Whose data? Agreement on made-up data says nothing about the numbers in print."
    if word == "differs":
        return "Other data cannot disagree with a printed number either."
    if word == "not-testable":
        return "The number itself cannot be tested, but something about it was measured: what?"
    return "" if word in ("shape-only", "shape") else None


@enter(
    "03-C",
    praise="right. A quarter of a standard deviation: what chance does every day.",
    hints=(
        "Under the union the 80,000 ratings stay; only empty cells can add an edge.",
        "z = (printed − mean)/sd, with mean |E| + p(Q − |E|) and Q = 943 × 1650.",
    ),
)
def _z_score(answer: Any) -> str | None:
    value, published = number(answer), 153_864

    def z(mean: float, flips: int) -> float:
        return (published - mean) / math.sqrt(flips * 0.05 * 0.95)

    union = z(EDGES + 0.05 * (CELLS - EDGES), CELLS - EDGES)
    difference = z(EDGES + 0.05 * (CELLS - 2 * EDGES), CELLS)
    other = z(EDGES + 0.05 * (ALL_CELLS - EDGES), ALL_CELLS - EDGES)
    if close(value, difference, within=0.03):
        return "That is the symmetric difference: there, noise that hits an edge removes it."
    if close(value, other, within=0.03):
        return "That counts 1,682 films; which films occur in the training part?"
    if close(value, -union, within=0.05):
        return "The size is right; take printed minus expected, not the other way round."
    if close(value, union * math.sqrt((CELLS - EDGES) * 0.05 * 0.95), within=0.05):
        return "That is the misfit in edges; divide it by the standard deviation of the count."
    if close(value, 0.3, within=1e-6):
        return "That is the table above, rounded; compute it to two decimals."
    return "" if close(value, union, within=0.05) else None


enter(
    "03-P",
    praise="right. The printed table and 20 unseen ones, all within their error.",
    hints=(
        "Each count is p times Q plus chance: minimise the sum of (count − pQ)² over Q.",
        "Set the derivative with respect to Q to zero, and solve. A large p then counts for more.",
    ),
)(judged_estimates)


@enter(
    "03-B",
    praise="right. One measurement, two verdicts: a width chosen afterwards says what you like.",
    hints=(
        "Which misfit stands between the measured and the printed value?",
        "Take one width below that misfit and one above it.",
    ),
)
def _two_verdicts(answer: Any) -> str | None:
    narrow_and_wide = numbers(answer, 2)
    if min(narrow_and_wide) <= 0:
        raise Refusal(f"a width is a number above 0, got {min(narrow_and_wide):g}.")
    result = read_result("noise-graphs", "table5")
    if result is None:
        raise Refusal(
            "Table 5 was not measured yet; run `pplab reproduce noise-graphs --part table5`."
        )
    p, printed, reading = TABLE_5
    frame = result.frame
    value = frame[(frame["p"] == p) & (frame["reading"] == reading)]["value"].item()
    misfit = abs(value - printed)
    verdicts = {width >= misfit for width in narrow_and_wide}
    if len(verdicts) == 1:
        word = "reproduced" if verdicts == {True} else "differs"
        return f"Both widths say {word!r}. Try three or four, from very narrow to very wide."
    return ""


enter(
    "03-D",
    praise="right. Folds first, then every seed, and none of them left out.",
    hints=(
        "Draw the folds once, before any noise; then one accuracy for each seed.",
        "Return the list of accuracies, one per seed, in the order of the seeds.",
    ),
)(watched_run)


@enter(
    "03-O",
    praise="the form is there. Judge your explanation yourself:",
    hints=(
        "A reason is worth as much as the test that could have refuted it.",
        "Keep every count and break one link: for example, shuffle each user's cells.",
    ),
    rubric=(
        "\n  1 it names what many cells have in common, and a single cell does not have"
        "\n  2 the test leaves the number of false edges as it is and breaks that one thing"
        "\n  3 it says which result would have spoken against you"
    ),
)
def _survival(answer: Any) -> str | None:
    words = text(answer).lower()
    if re.search(r"noise (is|was) (very |so |rather )?(small|little|weak)|little noise", words):
        return "Small? Count the false edges beside the true ones at p = 0.1."
    if not re.search(r"shuffl|permut|scrambl|random order|randomly reassign", words):
        return "Where is the test? Say what you would shuffle, and what should happen then."
    if len(words.split()) < 20:
        return "Write the reason, the test and the expected result, in two or three sentences."
    return ""
