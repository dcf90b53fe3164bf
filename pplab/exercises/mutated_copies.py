"""Copies of small tables, honest and mutated: does a student's test of smoothness decide them?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from pplab.exercises.answers import call
from pplab.exercises.core import Refusal
from pplab.metrics.anonymity import is_smooth_k_anonymous

__all__ = ["COPIES", "Copy", "not_deciding"]

Bits = np.ndarray[Any, np.dtype[np.int64]]


class Copy(NamedTuple):
    """A table, its copy, k, and what a test that fails on it overlooks."""

    original: Bits
    published: Bits
    k: int
    hint: str


def _bits(*rows: str) -> Bits:
    return np.array([[int(bit) for bit in row] for row in rows])


COPIES = (
    Copy(
        _bits("110", "100", "101", "011", "011", "011"),
        _bits("100", "100", "100", "011", "011", "011"),
        3,
        "An honest copy is turned down: three rows, and each item published by their vote.",
    ),
    Copy(
        _bits("100", "100", "010", "010", "001", "001"),
        _bits("100", "100", "010", "010", "001", "001"),
        2,
        "Votes are those of the rows in the class, not of the whole table.",
    ),
    Copy(
        _bits("110", "101", "110", "001"),
        _bits("111", "111", "111", "111"),
        4,
        "At least half is enough: an item that exactly half of a class had may be published.",
    ),
    Copy(
        _bits("111", "111", "110", "110"),
        _bits("110", "110", "110", "110"),
        2,
        "The definition limits what is published; a vote that is won may still be left out.",
    ),
    Copy(
        _bits("110", "110", "011", "001", "000"),
        _bits("110", "110", "000", "000", "000"),
        2,
        "Rows that publish nothing are a class like any other, and this one is large enough.",
    ),
    Copy(
        _bits("110", "110", "110", "110", "011"),
        _bits("110", "110", "110", "110", "011"),
        2,
        "A class is too small there: count the rows of each class against k.",
    ),
    Copy(
        _bits("110", "110", "100", "100", "001"),
        _bits("110", "110", "100", "100", "000"),
        2,
        "One row alone publishes nothing: that is a class of one.",
    ),
    Copy(
        _bits("110", "100", "100", "011", "011"),
        _bits("110", "110", "110", "011", "011"),
        2,
        "Group size is not all: check the vote. An item is published that a minority had.",
    ),
    Copy(
        _bits("100", "100", "100", "010", "010", "010"),
        _bits("100", "100", "100", "011", "011", "011"),
        3,
        "Group size is not all: check the vote. An item is published that nobody in the class had.",
    ),
    Copy(
        # twice two rows that publish the same are one class of four
        _bits("110", "100", "100", "100"),
        _bits("110", "110", "110", "110"),
        2,
        "Classes are all rows that publish the same; the vote is among all of them.",
    ),
)


def not_deciding(answer: Callable[..., Any]) -> str | None:
    """Try is_smooth(original, published, k) on all copies; "" when it decides each rightly."""
    tried = list(COPIES)
    random = np.random.default_rng(2043)
    for _ in range(60):
        original = (random.random((6, 3)) < 0.5).astype(np.int64)
        published = (random.random((2, 3)) < 0.5).astype(np.int64)[random.integers(0, 2, 6)]
        tried.append(Copy(original, published, 2, "A copy of six rows is judged wrongly."))
    for original, published, k, hint in tried:
        given = call(answer, original.copy(), published.copy(), k)
        if not isinstance(given, (bool, np.bool_)):
            raise Refusal(f"your function must end in True or False, got {given!r}.")
        if bool(given) != is_smooth_k_anonymous(original, published, k):
            return hint
    return ""
