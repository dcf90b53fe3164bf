"""Notebook 08: mutated copies, orders and hidden chunks that tell mistakes apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pplab.course.nb08_smooth_anonymity_experiments import (
    both_similarities,
)
from pplab.metrics.anonymity import is_smooth_k_anonymous
from tests.course.examples import complaints


def judged(allowed: Callable[..., Any], size: bool = True) -> Callable[..., bool]:
    """Judge a copy class by class: large enough, and published as these counts of votes allow."""

    def is_smooth(original: np.ndarray, published: np.ndarray, k: int) -> bool:
        for row in np.unique(published, axis=0):
            group = (published == row).all(axis=1)
            votes, members = original[group].sum(axis=0), group.sum()
            if (size and members < k) or not allowed(row, votes, members).all():
                return False
        return True

    return is_smooth


by_classes = judged(lambda row, votes, members: 2 * votes >= members * row)
vote_only = judged(lambda row, votes, members: 2 * votes >= members * row, size=False)
size_only = judged(lambda *_: np.array(True))
more_than_half = judged(lambda row, votes, members: (2 * votes > members) | (row == 0))
exactly_the_majority = judged(lambda row, votes, members: (2 * votes >= members) == (row > 0))


def no_empty_rows(original: np.ndarray, published: np.ndarray, k: int) -> bool:
    return by_classes(original, published, k) and bool(published.any(axis=1).all())


def without_empty_rows(original: np.ndarray, published: np.ndarray, k: int) -> bool:
    full = published.any(axis=1)
    return not full.any() or by_classes(original[full], published[full], k)


def vote_of_all(original: np.ndarray, published: np.ndarray, k: int) -> bool:
    won = 2 * original.sum(axis=0) >= len(original)
    return size_only(original, published, k) and not published[:, ~won].any()


def repeated(size: int) -> np.ndarray:
    rng = np.random.default_rng(567)
    rows = np.repeat(rng.random((17, 15)) < 0.3, size, axis=0)
    return (rows ^ (rng.random(rows.shape) < 0.005)).astype(int)


def both(table: np.ndarray, k: int) -> dict[int, tuple[float, float]]:
    return {seed: both_similarities(table, k, seed) for seed in range(10)}


TABLE, AT = repeated(11), 6
WON = (np.random.default_rng(1).random((24, 10)) < 0.3).astype(int)
TEN = both(TABLE, AT)
LUCKY = {seed: (b + (0.01 if seed < 5 else -0.1), b) for seed, (_, b) in TEN.items()}
SWAPPED = {seed: (recipe, ours) for seed, (ours, recipe) in both(WON, 4).items()}


def numbered(order: np.ndarray, size: int) -> np.ndarray:
    number = np.empty(len(order), dtype=int)
    number[order] = np.arange(len(order)) // size
    return number


def by_hashes(table: np.ndarray, size: int, *, count: int = 8) -> np.ndarray:
    rng = np.random.default_rng(1)
    shuffled = (table[:, rng.permutation(table.shape[1])] for _ in range(count))
    number = numbered(np.lexsort([rows.argmax(axis=1) for rows in shuffled]), size)
    table[:] = 0  # a student may change what it is given
    return number


def at_random(table: np.ndarray, size: int) -> np.ndarray:
    return numbered(np.random.default_rng(1).permutation(len(table)), size)


ESSAY = (
    "The certificate per degree leaves authors with one neighbour at most about half, so there a "
    "loss is certain; but J is far below the certificate, and this gap it does not explain. Our "
    "graph is also not the one of the printed number."
)

RIGHT: list[tuple[str, Any]] = [
    ("08-R", "shape-only"),
    ("08-C", (1 - 0.177) / 0.681 - 1),
    ("08-C", 0.2085),
    ("08-P", by_classes),
    ("08-P", is_smooth_k_anonymous),
    ("08-B", (TABLE, AT, TEN)),
    ("08-B", [TABLE.tolist(), AT, [(s, (round(a, 3), round(b, 3))) for s, (a, b) in TEN.items()]]),
    ("08-D", by_hashes),
    ("08-D", lambda table, size: numbered(np.lexsort(table.T), size)),
    ("08-O", ESSAY),
]

WRONG: list[tuple[str, Any, str]] = [
    ("08-R", "differs", "cannot disagree"),
    ("08-R", "refuted", "case of the statement"),
    ("08-R", "reproduced", "another graph"),
    ("08-C", 0.142, "divide"),
    ("08-C", 0.1725, "Upside down"),
    ("08-C", 1.2085, "1 + σ₊"),
    ("08-C", 20.85, "not per cent"),
    ("08-P", size_only, "check the vote"),
    ("08-P", vote_only, "too small"),
    ("08-P", more_than_half, "half is enough"),
    ("08-P", exactly_the_majority, "may still be left out"),
    ("08-P", no_empty_rows, "like any other"),
    ("08-P", without_empty_rows, "class of one"),
    ("08-P", vote_of_all, "rows in the class"),
    ("08-P", lambda *_: True, "too small"),
    ("08-P", lambda *_: False, "turned down"),
    ("08-B", (TABLE, AT, {0: TEN[0]}), "One seed"),
    ("08-B", (TABLE, AT, {seed: TEN[seed] for seed in range(4)}), "ten different"),
    ("08-B", (TABLE, AT, {s: (100 * a, 100 * b) for s, (a, b) in TEN.items()}), "not per cent"),
    ("08-B", (TABLE, AT, {s: (a - 0.1, b) for s, (a, b) in TEN.items()}), "other numbers"),
    ("08-B", (TABLE, AT, {s: (b, a) for s, (a, b) in TEN.items()}), "as much or more"),
    ("08-B", (TABLE, AT, {s: (b - 0.002, b) for s, (_, b) in TEN.items()}), "less than 0.003"),
    ("08-B", (TABLE, AT, LUCKY), "For 5 of ten seeds"),
    ("08-B", (WON, 4, SWAPPED), "other way round"),
    ("08-D", at_random, "Sort rows by hashes"),
    ("08-D", lambda table, size: by_hashes(table, size, count=1), "% of J"),
    ("08-D", lambda table, _: np.zeros(len(table), dtype=int), "more than size"),
    ("08-D", lambda table, _: numbered(np.lexsort(table.T), 4), "too few"),
    ("08-O", "It is a bad algorithm.", "read the bound"),
    ("08-O", "Rows are sparse.", "Which witness"),
    ("08-O", "The certificate is low.", "by degree"),
    ("08-O", "The certificate is low at degree 1.", "does the bound not explain"),
    ("08-O", "The certificate is low at degree 1, the gap is open.", "whole argument"),
    ("08-P", lambda *_: 1, "True or False"),
    ("08-B", TEN, "with ten seeds"),
    ("08-B", (TABLE, 188, TEN), "between 2 and the 187 rows"),
    ("08-B", (2 * TABLE, 4, TEN), "zeros and ones"),
    ("08-B", (np.zeros((4, 3)), 2, TEN), "at least one entry"),
    ("08-B", (np.ones((201, 3)), 2, TEN), "2 to 200 rows"),
    ("08-B", (TABLE, 4, {0.5: (0.1, 0.2)}), "whole numbers"),
    ("08-B", (TABLE, 4, [1, 2]), "wants pairs"),
    ("08-D", lambda *_: [0, 1], "rows"),
    ("08-D", np.zeros(3), "wants a function"),
]

SECRETS = [("08-R", "shape-only"), ("08-C", "0.2085"), ("08-C", "0.209")]


def test_answers_are_judged() -> None:
    assert complaints("08", RIGHT, WRONG, SECRETS) == []
