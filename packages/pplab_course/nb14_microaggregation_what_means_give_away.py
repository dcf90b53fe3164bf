"""Exercises of notebook 14: what k bounds, and what exact means give away in spite of it."""

from functools import cache
from typing import Any

import numpy as np

from pplab.metrics.error import within_group_sse as sse
from pplab.metrics.risk import disclosure_risk
from pplab.microaggregation.microaggregate import group_means
from pplab_course.answers import Refusal, as_labels, call, number, numbers, parts
from pplab_course.exercises import enter, hidden, recognised

# 14-B: the row of a newcomer, from two releases

NEWCOMER = (2.0, 5.0, 4.0)
BEFORE, AFTER = (8 / 3, 11 / 3, 3.0), (5 / 2, 4.0, 13 / 4)
_ALIKE = "The difference of two means ignores the group sizes: weight each mean by its size."


@enter("14-B")
def _newcomer(answer: Any) -> str | None:
    row, before, after = numbers(answer, 3), np.array(BEFORE), np.array(AFTER)
    results = (NEWCOMER, after - before, 2 * after - before, 3 * after - 2 * before)
    hints = (
        "",
        _ALIKE,
        "Your numbers are right if a group of 1 becomes a group of 2; here 3 members become 4.",
        "You took groups of two and three, but the first release already has three members.",
    )
    if (hint := recognised(row, zip(results, hints, strict=True), within=1e-6)) is not None:
        return hint
    if any(value != round(value) for value in row):
        return "Ratings are whole numbers, and you can recover them exactly."
    if not all(1 <= value <= 5 for value in row):
        return "Ratings go from 1 to 5, but one of your ratings is outside this range."
    return None


# 14-P: the newcomer's row, from two whole tables


@cache
def _pairs() -> list[tuple[np.ndarray, np.ndarray, np.ndarray, int]]:
    """Tables of means before and after, the newcomer's row, and the size of the group before."""
    pairs = []
    for seed in range(4):
        rng = np.random.default_rng(hidden(seed))
        sizes = rng.permutation([3, 4, 5, 6])
        labels = np.repeat(range(4), sizes)
        joined = int(rng.integers(4))
        rows = rng.integers(1, 6, (len(labels) + 1, 5)).astype(float)
        before = group_means(rows[:-1], labels).round(9)
        after = group_means(rows, np.append(labels, joined)).round(9)
        shuffled = (rng.permutation(before), rng.permutation(after))
        pairs.append((*shuffled, rows[-1], int(sizes[joined])))
    return pairs


@enter("14-P")
def _joined(answer: Any) -> str | None:
    """Run a reader of two releases; "" when it finds size and newcomer's row every time."""
    rows, misses, results = [], [], []
    for before, after, row, size in _pairs():
        submission = parts(call(answer, before, after), 2, "give back a pair: (size, row).")
        misses.append(number(submission[0]) - size)
        rows.append(numbers(np.ravel(np.asarray(submission[1], dtype=float)), len(row)))
        old = next(mean for mean in before if not (after == mean).all(axis=1).any())
        new = next(mean for mean in after if not (before == mean).all(axis=1).any())
        results.append((row, new - old, new, old, 4 * new - 3 * old, size * (new - old)))
    hints = (
        "",
        _ALIKE,
        "Your row is what the newcomer's group publishes now; subtract the other members.",
        "Your row is the group's old mean; what did the newcomer add to the group's sum?",
        "Not every group has three members: count the equal rows.",
        "One size is not enough: the group had k members before and has k + 1 now.",
    )
    hint = recognised(rows, zip(zip(*results, strict=True), hints, strict=True), within=1e-5)
    if hint == "" and any(misses):
        return "The row is right. The size must be that of the group before the newcomer joined."
    return hint


# 14-D: the release of a made-up club with the smallest error that links few rows

RISK = 0.05
LEAST = 3205.8125  # squared error at no more than this risk, over all k of MDAV


@enter("14-D")
def _least_error(answer: Any) -> str | None:
    if isinstance(answer, int) and not isinstance(answer, bool):
        raise Refusal("give the release, not k alone: microaggregate(club, k, ...) of your choice.")
    club = reading_club()
    labels = as_labels(answer, len(club), first="the release, or ")
    sizes = np.bincount(labels).tolist()
    if min(sizes) < 2:
        return f"{sizes.count(1)} readers are alone: a group needs at least 2."
    risk = linkage(club, labels)
    if risk > RISK:
        return f"All groups have {min(sizes)} or more members, but {risk:.1%} of rows are linked."
    if sse(club, labels) <= LEAST * (1 + 1e-9):
        return ""
    if min(sizes) >= 20:
        return (
            "With k = 20, every linking rule is right at most 5 % of the time. For this rule, "
            "try a smaller k."
        )
    return (
        f"Only {risk:.1%} are linked. But another grouping within the 5 % has less squared "
        "error; neither the error nor the risk grows or falls steadily with k."
    )


def reading_club() -> np.ndarray:
    """Ratings from 1 to 5 of 120 readers for 20 books, made with a seed."""
    rng = np.random.default_rng(9)
    tastes = rng.uniform(1, 5, (12, 20))
    ratings = tastes[rng.integers(0, 12, 120)] + rng.normal(scale=1.2, size=(120, 20))
    return np.clip(np.rint(ratings), 1, 5)


def linkage(table: np.ndarray, labels: np.ndarray) -> float:
    """Share of rows that distance links to their owner, in the direction that links more."""
    protected = group_means(table, labels)
    return max(
        float(disclosure_risk(table, protected, direction=direction).mean())
        for direction in ("original-to-protected", "protected-to-original")
    )
