"""Notebook 02: rows, fuzzy xor, a response in two stages."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from tests.course.examples import complaints


def zeros(norm: str, top: int) -> list[tuple[int, int]]:
    def t(x: Fraction, y: Fraction) -> Fraction:
        bold = max(Fraction(0), x + y - 1)
        return {"min-max": min(x, y), "product": x * y, "lukasiewicz": bold}[norm]

    def xor(x: Fraction, y: Fraction) -> Fraction:
        return t(1 - t(1 - x, 1 - y), 1 - t(x, y))

    grid = product(range(top + 1), repeat=2)
    return [(r, s) for r, s in grid if xor(Fraction(r, top), Fraction(s, top)) == 0]


ESSAY = (
    "Take one cell and one output. By definition its probability with an edge is at most "
    "e^epsilon times its probability without one, so the ratio forces p Q false edges at least."
)


RIGHT: list[tuple[str, Any]] = [
    ("02-R", "user"),
    ("02-C", 8),
    ("02-P", zeros),
    ("02-B", (1, 2)),
    ("02-B", np.array([1, 2])),
    ("02-D", (0.1163, 4)),
    ("02-D", (Fraction(5, 43), 4)),
    ("02-O", ESSAY),
]
WRONG: list[tuple[str, Any, str]] = [
    ("02-R", "item", "Whose row"),
    ("02-R", "edge", "one cell"),
    ("02-C", 11, "removes it"),
    ("02-C", 9.5, "union"),
    ("02-C", 5, "alone"),
    ("02-P", lambda _, top: [(r, r) for r in range(top + 1)], "diagonal"),
    ("02-P", lambda *_: [(0, 0)], "other end"),
    ("02-P", lambda *_: [(0, 0), (5, 5)], "L = 3"),
    ("02-B", (3, 3), "bound holds"),
    ("02-B", (1, 3), "smaller graph"),
    ("02-D", (Fraction(1, 1 + Fraction(19, 4)), 4), "not tight"),
    ("02-D", (0.05, 4), "Not private enough"),
    ("02-D", (0.3, 4), "nobody asked"),
    ("02-D", (1 / (1 + 19 * 6 / 10), 2), "at least 1/2"),
    ("02-O", "choose p small", "what is ε"),
    ("02-O", "it is not possible because noise is everywhere and the graph is full of it", "ratio"),
]
SECRETS = [("02-R", "user"), ("02-C", "8"), ("02-B", "(1, 2)"), ("02-D", "43")]


def test_answers_are_judged() -> None:
    assert complaints("02", RIGHT, WRONG, SECRETS) == []
