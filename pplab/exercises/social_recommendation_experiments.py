"""Exercises of notebook 05: no noise is not no loss, NDCG, labels out of step, who pays."""

from __future__ import annotations

import re
from typing import Any

from pplab.exercises.answers import close, number, text
from pplab.exercises.core import enter
from pplab.exercises.list_quality import not_quality
from pplab.exercises.misplaced_labels import not_out_of_step
from pplab.exercises.small_town import not_protecting

__all__: list[str] = []


@enter(
    "05-R",
    praise="right. No ε gives a person back who was averaged away.",
    hints=(
        "At ε = ∞ no noise is drawn. What has been done to the preferences all the same?",
        "Compare what goes into a list with and without clusters, when nothing is random.",
    ),
)
def _without_noise(answer: Any) -> str | None:
    word = text(answer).lower().strip("`'\". ")
    if word == "nothing":
        return "Nothing? Averages are not persons: look at the first number of this notebook."
    if word == "noise":
        return "ε = ∞ means that no noise is added at all."
    if word == "taste":
        return "NDCG never asked anybody what they like: it compares with the non-private lists."
    return "" if word in ("averaging", "bias") else None


@enter(
    "05-C",
    praise="right. Half, because the paper adds 1 after taking the logarithm.",
    hints=(
        "Put p = 2 into max(1, log2(p) + 1), and take one over it.",
        "The logarithm is to base 2, and the 1 is added to it, not to the rank.",
    ),
)
def _second_rank(answer: Any) -> str | None:
    value = number(answer)
    if close(value, 0.6309):
        return "That is 1/log2(1 + 2), the usual form; here the 1 is outside the logarithm."
    if close(value, 2):
        return "That is what the utility is divided by; the weight is one over it."
    if close(value, 0.5906):
        return "That is with the natural logarithm; the formula has log2."
    if close(value, 1):
        return "Only rank 1 counts in full: log2(2) is 1, and there is 1 to add."
    return "" if close(value, 0.5) else None


enter(
    "05-P",
    praise="right, on lists you have not seen, with ties and zeros: never below 0, never above 1.",
    hints=(
        "Two sums with the same weights: over the list, and over the best list of equal length.",
        "The best list sorts all utilities, the largest first; equal ones may stand in any order.",
    ),
)(not_quality)


enter(
    "05-B",
    praise="right. The sizes look as before; only the graph itself tells, so recompute on it.",
    hints=(
        "`rng.permutation(labels)` keeps the sizes and moves the labels to other users.",
        "Return (mixed, modularity of the labels as they came, modularity of the mixed ones).",
    ),
)(not_out_of_step)


enter(
    "05-D",
    praise="right. The same promise, and those with few friends lose less, in a hidden town too.",
    hints=(
        "ε is fixed and small, so noise is what hurts: which clusters have less of it?",
        "`communities(social, resolution=...)` makes larger clusters below 1, smaller ones above.",
    ),
)(not_protecting)


@enter(
    "05-O",
    praise="the form is there. Judge your argument yourself:",
    hints=(
        "One preference edge changes: by how much can its weight move, and the average with it?",
        "State the range of the weights, the most that one edge moves, and the scale of the noise.",
    ),
    rubric=(
        "\n  1 it states the range of the weights, and how far one edge moves a cluster's average"
        "\n  2 the scale of the noise follows from that, for the same ε"
        "\n  3 it says whether the existence of an edge is hidden, and how the lists were judged"
    ),
)
def _weights(answer: Any) -> str | None:
    words = text(answer).lower()
    same = re.search(r"unchanged|no change|nothing changes|the same noise|same sensitivity", words)
    if same and not re.search(r"\[0, ?1\]|between 0 and 1|at most 1|divid", words):
        return "Unchanged? Ratings go up to 5: what can one edge move?"
    if not re.search(r"sensitiv|mov|chang", words):
        return "How far does one edge move an average? Restate the sensitivity."
    if not re.search(r"\d", words) or not re.search(r"\|c\||size|cluster", words):
        return "Say it as a formula: the range of the weights, over the size of the cluster."
    if not re.search(r"noise|scale|laplace", words):
        return "And the noise: which scale does that sensitivity ask for?"
    if len(words.split()) < 15:
        return "Write the whole argument, in two or three sentences."
    return ""
