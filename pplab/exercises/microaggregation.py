"""Exercises of notebook 09: best groups on a line, MDAV, what exact means give away."""

from __future__ import annotations

from typing import Any

from pplab.exercises.answers import close, number, numbers, text
from pplab.exercises.core import Refusal, enter
from pplab.exercises.hidden_points import (
    as_labels,
    not_classic,
    not_optimal,
    sse,
)
from pplab.exercises.reading_club import least_error, linkage, reading_club

__all__: list[str] = []

NEWCOMER = (2.0, 5.0, 4.0)
BEFORE, AFTER = (8 / 3, 11 / 3, 3.0), (5 / 2, 4.0, 13 / 4)


@enter(
    "09-R",
    praise="right. 1/k bounds how often distance finds the right row, and nothing else.",
    hints=(
        "Go through the three: which of them did the notebook do in spite of k?",
        "What is counted in a group of k equal rows?",
    ),
)
def _bounded(answer: Any) -> str | None:
    word = text(answer).lower()
    if "infer" in word:
        return "Any inference? Suppose that all k members rated 5."
    if "insider" in word:
        return "k−1 members and an exact mean: how sure were they in the first cells?"
    return "" if word.startswith("link") else None


@enter(
    "09-C",
    praise="right. The far point joins its neighbours rather than tearing a group of three.",
    hints=(
        "With seven values and k = 3 there are two groups: one of three, one of four.",
        "On a line try runs of neighbours only; a group's error is measured from its own mean.",
    ),
)
def _on_a_line(answer: Any) -> str | None:
    value = number(answer)
    if close(value, 98.67, within=1e-3):
        return "That is what MDAV finds: it starts at the far end. Is there a better cut?"
    if close(value, 64.75 / 7, within=1e-3):
        return "That is an error per value; the question is about the sum."
    if close(value, 64.75**0.5, within=1e-3):
        return "No root: squared distances are added."
    if close(value, 4, within=1e-3):
        return "One value is left out: every value needs a group."
    return "" if close(value, 64.75, within=1e-4) else None


enter(
    "09-P",
    praise="right. Groups of k to 2k−1, every mean kept, whoever is listed first.",
    hints=(
        "by_hand groups the points; replace each of them by the mean of its group.",
        "np.lexsort(points.T) gives an order that depends on the values alone: group the points in "
        "that order, then put the means back where they belong.",
    ),
)(not_classic)


@enter(
    "09-B",
    praise="right. (k+1)·mean′ − k·mean: two releases, each 3-anonymous, and one open book.",
    hints=(
        "A mean times the number of members is a sum. What do two such sums differ by?",
        "The first release is about k members, the second about k+1; weigh each mean by its size.",
    ),
)
def _newcomer(answer: Any) -> str | None:
    row = numbers(answer, 3)
    if _alike(row, NEWCOMER):
        return ""
    pairs = list(zip(BEFORE, AFTER, strict=True))
    if _alike(row, [after - before for before, after in pairs]):
        return "The difference of two means counts everybody alike: weigh each by its size."
    if _alike(row, [2 * after - before for before, after in pairs]):
        return "That would be right if one member had become two; here three become four."
    if _alike(row, [3 * after - 2 * before for before, after in pairs]):
        return "Sizes two and three? The first release is about three members already."
    if any(value != round(value) or not 1 <= value <= 5 for value in row):
        return "Ratings are whole numbers from 1 to 5, and the recovery is exact."
    return None


def _alike(row: Any, other: Any) -> bool:
    return all(abs(one - two) < 1e-6 for one, two in zip(row, other, strict=True))


RISK = 0.05


@enter(
    "09-D",
    praise="right. The risk was measured, not read off k, and no k of MDAV that is safe has less "
    "error.",
    hints=(
        "microaggregate(club, k, rating_range=(1, 5)) for several k; disclosure_risk for each.",
        "Of all groupings with both directions at 5 % or less, take the one with the least .sse.",
    ),
)
def _least_error(answer: Any) -> str | None:
    if isinstance(answer, int) and not isinstance(answer, bool):
        raise Refusal("give the release, not k alone: microaggregate(club, k, ...) of your choice.")
    club = reading_club()
    labels = as_labels(answer, len(club), first="the release, or ")
    sizes, risk = [int((labels == group).sum()) for group in set(labels.tolist())], 0.0
    if min(sizes) < 2:
        return f"{sizes.count(1)} readers stand alone: a group needs 2 at least."
    risk = linkage(club, labels)
    if risk > RISK:
        return f"Groups of {min(sizes)} or more, and still {risk:.1%} of all rows are linked."
    if sse(club, labels) <= least_error(RISK) * (1 + 1e-9):
        return ""
    if min(sizes) >= 20:
        return "k = 20 is sufficient, since 1/20 is 5 %. It is not necessary: measure smaller k."
    return (
        f"Safe: {risk:.1%} are linked. But another grouping that is safe has less squared error; "
        "neither error nor risk goes evenly with k."
    )


enter(
    "09-O",
    praise=(  # the rubric is part of it: it is for a search that works
        "nothing has less error on points you have not seen. Judge your search yourself:"
        "\n  1 you can say why no group of 2k or more has to be tried, in the plane too"
        "\n  2 you counted the groupings of 8 points, and say how many 30 points would have"
        "\n  3 you compared MDAV with the optimum on several sets of points, seeds given"
    ),
    hints=(
        "The first point is in some group: try every set of partners, then do the same with the "
        "rest.",
        "itertools.combinations gives the partners; sizes from k to 2k−1 are enough.",
    ),
)(not_optimal)
