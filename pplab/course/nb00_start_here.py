"""Exercises of notebook 00: flips, odds, verdicts."""

from __future__ import annotations

import math
import re
from typing import Any

from pplab.course.check import Refusal, call, close, enter, number, pairs, text

# 00-R: verdicts and their meanings

# What each verdict of the ledger says; the notebook shows them in this order under letters.
MEANINGS = {
    "refuted": "a statement fails on a case that you can run",
    "reproduced": "our number agrees with the printed one under the rule fixed before the run",
    "shape-only": "the data are a stand-in or a part, so only the qualitative claim is judged",
    "not-testable": "nobody can have the data that the claim needs, or it says nothing testable",
    "differs": "our number is outside the tolerance, and the note says by how much",
    "reproduced-under-reading": "our number agrees once one reading of an unclear text is named",
    "holds": "a statement survived every test that we could think of, or we could prove it",
}

LETTERS = dict(zip(MEANINGS, "ABCDEFG", strict=True))


@enter(
    "00-R",
    praise="right. Each verdict names what was compared with what.",
    hints=(
        "Ask of each verdict: is it about a number or about a statement, and whose data were used?",
        "Numbers reproduce or differ; statements hold or are refuted.",
    ),
)
def _verdicts(answer: Any) -> str | None:
    given = {
        str(left).strip().lower(): str(right).strip().upper()
        for left, right in pairs(answer).items()
    }
    if missing := [verdict for verdict in MEANINGS if verdict not in given]:
        raise Refusal(f"one letter per verdict, please; missing: {', '.join(missing)}.")
    if given["shape-only"] in (LETTERS["reproduced"], LETTERS["reproduced-under-reading"]):
        return "shape-only is not a weak kind of reproduction: it judges stand-in data."
    if given["refuted"] == LETTERS["differs"]:
        return "A refuted statement needs a case that breaks it; that is not about a number."
    return "" if all(given[verdict] == LETTERS[verdict] for verdict in MEANINGS) else None


# 00-C: the share of true edges among the published ones


@enter(
    "00-C",
    praise="right. Nine in ten published edges are invented, although the odds factor is 99.",
    hints=(
        "Start from the prior odds of an edge, λ/(1−λ), and multiply.",
        "The odds factor is (1−p)/p; at the end turn odds o back into a share, o/(1+o).",
    ),
)
def _share(answer: Any) -> str | None:
    value, odds = number(answer), 0.001 / 0.999 * 99
    if close(value, 0.99):
        return "You counted untouched cells; the question is about published edges."
    if close(value, odds):
        return "That is the odds of a published edge; a share is odds/(1 + odds)."
    if close(value, 100 * odds / (1 + odds)):
        return "That is in percent; give the share as a number between 0 and 1."
    return "" if close(value, odds / (1 + odds)) else None


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
    density, flip, size = 0.03, 0.04, 60_000
    published = density * (1 - flip) + (1 - density) * flip
    share = density * (1 - flip) / published
    spread = math.sqrt(share * (1 - share) / (published * size))
    got = [number(call(answer, density, flip, size, seed)) for seed in (91, 577, 2029)]
    if got[0] == got[1] == got[2]:
        return "Three seeds gave the same number: one draw shows no spread. Use the seed given."
    if number(call(answer, density, flip, size, 91)) != got[0]:
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
        "The first one asks how p compares with the density λ.",
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

PAPERS = (
    ("noise-graph", "noise graph", "salas"),
    ("microaggregation", "casino"),
    ("social", "jorgensen"),
    ("smooth", "jaccard"),
)

_PLACE = re.compile(
    r"\b(table|figure|fig|theorem|lemma|definition|section|sec|equation|eq|abstract)\b\.?\s*[\d.]*",
    re.I,
)

_YEAR = re.compile(r"\b(19|20)\d\d\b")  # of a citation: no number that one could doubt


@enter(
    "00-O",
    praise="paper, place and number are there. Judge your doubt yourself:",
    hints=(
        "Name the paper, the place (table, figure, theorem, section), and quote the number.",
        "`pplab claims` lists papers, places and printed values.",
    ),
    rubric=(
        "\n  1 the claim is quoted, not paraphrased"
        "\n  2 you say what you expect instead, as a number or a direction"
        "\n  3 you name the computation that would decide it"
    ),
)
def _doubt(answer: Any) -> str | None:
    parted = isinstance(answer, (dict, list))
    words = " ".join(map(str, pairs(answer).values())) if parted else text(answer)
    lower = words.lower()
    if not any(name in lower for paper in PAPERS for name in paper):
        return "Which paper? Name it by its short name, such as noise-graphs."
    if not _PLACE.search(words):
        return "Which place? A table, a figure, a theorem or a section."
    if not re.search(r"\d", _YEAR.sub("", _PLACE.sub("", words))):
        return "A feeling is a start: quote the number you doubt."
    return ""
