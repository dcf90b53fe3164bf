"""Exercises of notebook 08: substitutes, identity, definition, a table to lose on, chunks, 0.07."""

from __future__ import annotations

import re
from typing import Any

from pplab.exercises.answers import close, number, text
from pplab.exercises.core import enter
from pplab.exercises.hidden_chunks import not_chunking
from pplab.exercises.losing_table import not_losing
from pplab.exercises.mutated_copies import not_deciding

__all__: list[str] = []

JACCARD, LOST = 0.681, 0.177
CREATED = (1 - LOST) / JACCARD - 1


@enter(
    "08-R",
    praise="right. Another graph can show a shape; about the number it has no say.",
    hints=(
        "Which graph has the printed number been measured on, and which one did we have?",
        "Look at the verdicts of the rows that were run on a substitute.",
    ),
)
def _substitute(answer: Any) -> str | None:
    word = text(answer).lower().strip("`'\". ").replace(" ", "-").replace("_", "-")
    if word == "differs":
        return "Another graph cannot disagree: its number was never printed."
    if word == "refuted":
        return "A refutation needs a case of the statement, and this is another graph."
    if word == "reproduced":
        return "Not even an equal number would be: it comes from another graph."
    return "" if word == "shape-only" else None


@enter(
    "08-C",
    praise="right. Any two of the three numbers give the third.",
    hints=(
        "J = (1 - σ₋) / (1 + σ₊): solve it for 1 + σ₊ first.",
        "1 + σ₊ is what is kept, over J.",
    ),
)
def _created(answer: Any) -> str | None:
    value = number(answer)
    if close(value, 1 - LOST - JACCARD):
        return "J is a ratio: divide, do not subtract."
    if close(value, 1 - JACCARD / (1 - LOST)):
        return "Upside down: 1 + σ₊ is what is kept, over J."
    if close(value, 1 + CREATED):
        return "That is 1 + σ₊."
    if close(value, 100 * CREATED):
        return "The size is right; give a share of the entries, not per cent."
    return "" if close(value, CREATED) else None


enter(
    "08-P",
    praise="right, on honest copies and on mutated ones: it reads the copy, not the algorithm.",
    hints=(
        "Classes are the rows that `published` shows equal: `np.unique(published, axis=0)`.",
        "For each class two questions: k rows or more? And had half of them each published item?",
    ),
)(not_deciding)


enter(
    "08-B",
    praise="right: better on every table that we had is not better on every table.",
    hints=(
        "Tables of chance will not do: there the recipe has no chance. Where is it at its best? "
        "Where shops are far from each other, and each has enough clients.",
        "Repeat many random rows, a family each, and flip very few cells. Try families of every "
        "size from k to 2k, for k of 5 to 8: at which is a group of exactly k the wrong one?",
    ),
)(not_losing)


enter(
    "08-D",
    praise="right, on a table you have not seen: twins stay together, and little is lost.",
    hints=(
        "Rows that are alike must meet in a chunk. Which number is often equal for such rows?",
        "Hash each row by its first item in a shuffled order; several hashes; sort rows by them.",
    ),
)(not_chunking)


@enter(
    "08-O",
    praise="the form is there. Judge your argument yourself:",
    hints=(
        "Which part of the loss is certain for every algorithm, and for which rows?",
        "Take the certificate apart: the same sums, for rows of one degree at a time.",
    ),
    rubric=(
        "\n  1 it says for which degrees the certificate forces a loss, with a number from the run"
        "\n  2 it says how much lies between the certificate and J, and that this is not explained"
        "\n  3 it says that our graph is a substitute for the one of the printed number"
    ),
)
def _why(answer: Any) -> str | None:
    words = text(answer).lower()
    witness = re.search(r"certificate|bound|limit", words)
    if re.search(r"algorithm|recipe", words) and not witness:
        return "Before you blame the algorithm, read the bound: how much could anybody keep?"
    if not witness:
        return "Which witness? The certificate holds for every copy of these rows."
    if "degree" not in words and not re.search(r"neighbour|co-?author", words):
        return "Which rows? Take the certificate apart by degree."
    if not re.search(r"gap|below|unexplained|not explain|open|rest|room", words):
        return "And what does the bound not explain? Compare it with the J that was reached."
    if len(words.split()) < 20:
        return "Write the whole argument, in two or three sentences."
    return ""
