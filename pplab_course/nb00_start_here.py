"""Exercises of notebook 00: flips, odds, verdicts."""

from __future__ import annotations

import math
from typing import Any

from pplab.ledger import claims
from pplab_course.answers import Refusal, call, number, pairs, text
from pplab_course.exercises import close, enter, hidden

# 00-R: cases and the verdicts that they deserve

# A case for each verdict of the ledger; the notebook shows them in this order under letters.
MEANINGS = {
    "refuted": "A theorem speaks of all graphs; we have a small graph on which it is false.",
    "reproduced": "Printed: 0.84. The text is plain, two digits count, and we measure 0.8403.",
    "shape-only": "The authors' data are secret. On made-up data the curve falls, too.",
    "not-testable": "The authors' data are secret, and the claim is how many users they have.",
    "differs": "Printed: 0.84. We measure 0.91, under every way to read the text.",
    "reproduced-under-reading": "Printed: 0.84. 'Lists' may mean all, 0.90, or full ones, 0.84.",
    "holds": "A theorem speaks of all graphs, and we could prove it.",
    "compatible": "Printed: 0.84. We measure 0.80, but chance moves it by 0.09 from run to run.",
    "proof-fails": "A step of a proof is wrong. Whether the theorem is true, nobody knows.",
    "misprint": "A formula lacks a bracket. All that follows uses the right one.",
    "holds-under-reading": "A theorem is true if 'size' means edges, and false if it means nodes.",
    "undecided": "A text says that A beats B. In our runs A gains between -0.02 and 0.05.",
}

LETTERS = dict(zip(MEANINGS, "ABCDEFGHIJKL", strict=True))
_NUMBERS = ("reproduced", "reproduced-under-reading", "compatible", "differs")


@enter(
    "00-R",
    praise="right. Each verdict names what was compared with what.",
    hints=(
        "Ask of each case: is it about a number or about a statement, and whose data were used?",
        "Then: was the text plain, or did somebody have to choose what it means?",
    ),
)
def _verdicts(answer: Any) -> str | None:
    given = {
        str(left).strip().lower().replace(" ", "-"): str(right).strip().upper()
        for left, right in pairs(answer).items()
    }
    if missing := [verdict for verdict in MEANINGS if verdict not in given]:
        raise Refusal(f"one letter per verdict, please; missing: {', '.join(missing)}.")
    numbers = {LETTERS[verdict] for verdict in _NUMBERS}
    if given["shape-only"] in numbers:
        return "shape-only is not a weak kind of reproduction: it judges stand-in data."
    if given["refuted"] in numbers:
        return "A refuted statement needs a case that breaks it; that is not about a number."
    if given["refuted"] == LETTERS["undecided"]:
        return "What was not seen may still be true: a refutation needs a case that runs."
    if given["proof-fails"] == LETTERS["refuted"]:
        return "A theorem with a counterexample is refuted; a broken proof alone says less."
    if given["reproduced-under-reading"] == LETTERS["reproduced"]:
        return "Where the text is plain there is no reading to choose."
    if given["compatible"] == LETTERS["differs"]:
        return "What misses under every reading, by more than chance, is not compatible."
    return "" if all(given[verdict] == LETTERS[verdict] for verdict in MEANINGS) else None


# 00-C: the share of true edges among the published ones


_ODDS = 0.001 / 0.999 * 99  # that a published edge is a true one

enter(
    "00-C",
    praise="right. Nine in ten published edges are invented, although the odds factor is 99.",
    hints=(
        "Start from the prior odds of an edge, λ/(1−λ), and multiply.",
        "The odds factor is (1−p)/p; at the end turn odds o back into a share, o/(1+o).",
    ),
    right=_ODDS / (1 + _ODDS),
    mistakes=(
        (0.99, "You counted untouched cells; the question is about published edges."),
        (_ODDS, "That is the odds of a published edge; a share is odds/(1 + odds)."),
        (
            100 * _ODDS / (1 + _ODDS),
            "That is in percent; give the share as a number between 0 and 1.",
        ),
    ),
)


# 00-P: the same share, simulated


@enter(
    "00-P",
    praise="right. Three unseen seeds, all within four standard deviations.",
    hints=(
        "Draw which cells are edges, then which flip; a published edge is true if it was one.",
        "Divide the true published edges by all published edges, not by the original ones.",
    ),
)
def _simulation(answer: Any) -> str | None:
    for density, flip in ((0.03, 0.04), (0.3, 0.3)):
        if (hint := _simulated(answer, density, flip)) != "":
            return hint
    return ""


def _simulated(answer: Any, density: float, flip: float) -> str | None:
    size, published = 60_000, density * (1 - flip) + (1 - density) * flip
    share = density * (1 - flip) / published
    spread = math.sqrt(share * (1 - share) / (published * size))
    seeds = [hidden(seed) for seed in (91, 577, 2029)]
    got = [number(call(answer, density, flip, size, seed)) for seed in seeds]
    if all(value == 1 for value in got):
        return "All your published edges are true: do empty cells flip, too, and become edges?"
    if got[0] == got[1] == got[2]:
        return "Three seeds gave the same number: one draw shows no spread. Use the seed given."
    if number(call(answer, density, flip, size, seeds[0])) != got[0]:
        return "One seed gave two numbers; make the generator inside the function from its seed."
    if all(close(value, 1 - flip, within=0.01) for value in got):
        return "That is the share of true edges that were kept: divide by the published edges."
    return "" if all(abs(value - share) <= 4 * spread for value in got) else None


# 00-B: mostly false, and still far from private


@enter(
    "00-B",
    praise="right. Most published edges are false, and yet an edge moves the odds by over 7.",
    hints=(
        "Two conditions: the odds of a published edge below 1, and (1−p)/p above e².",
        "The condition on published edges asks how p compares with the density λ.",
    ),
)
def _half_false(answer: Any) -> str | None:
    flip = number(answer)
    if not 0 < flip < 0.5:
        raise Refusal(f"a flip probability between 0 and 1/2, please, got {flip:g}.")
    if flip >= 1 / (1 + math.exp(2)):
        return "Recompute ε = ln((1−p)/p): at this p it is not above 2."
    if flip <= 80_000 / 1_555_950:
        return "At this p more than half of the published edges are still true."
    return ""


# 00-O: a printed number to doubt


@enter(
    "00-O",
    praise="a row, an expectation and a way to decide are there. Judge your doubt yourself:",
    hints=(
        "Choose a row of `pplab.claims()` and give its id, as it stands in the column id.",
        "An id begins with the short name of the paper and goes on with the place.",
    ),
    rubric=(
        "\n  1 you say what you expect instead, as a number or a direction, and why"
        "\n  2 the computation that you name could come out either way"
        "\n  3 afterwards you compared with `pplab claims ID`: what does its rule allow?"
    ),
)
def _doubt(answer: Any) -> str | None:
    names = ("claim", "expected", "decided by")
    given = {str(left): text(right) for left, right in pairs(answer).items()}
    if missing := [name for name in names if name not in given]:
        raise Refusal(f"a dict with {', '.join(names)}, please; missing: {', '.join(missing)}.")
    rows = claims().set_index("id")
    if given["claim"] in set(rows["paper"]):
        return "That is a whole paper: choose one row of it."
    if given["claim"] not in rows.index:
        return "No row of the ledger has this id; copy one from the column id."
    if rows.loc[given["claim"], "kind"] != "number":
        return "That row prints no number of its own: choose one whose kind is number."
    return ""
