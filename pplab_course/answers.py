"""Readers of the answers that students give: each gives the plain thing, or refuses kindly."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from pplab.checks import shown
from pplab.ledger.results import read_result


class Refusal(Exception):
    """An answer that cannot be judged: one sentence says what was got and what to give."""


def number(answer: Any) -> float:
    """One finite number: int, float, Fraction or a 0-d array; never a truth value."""
    if isinstance(answer, np.ndarray) and answer.ndim == 0:
        answer = answer.item()
    if isinstance(answer, (bool, np.bool_)) or not isinstance(answer, Real):
        raise Refusal(
            f"this exercise wants a number, got {named(answer)}; give an int, float or Fraction."
        )
    try:
        value = float(answer)
    except OverflowError as error:
        raise Refusal("this exercise wants a number that a float can hold.") from error
    if not math.isfinite(value):
        raise Refusal(f"this exercise wants a finite number, got {value}.")
    return value


def numbers(answer: Any, count: int) -> list[float]:
    """A list, tuple or array of so many numbers."""
    if isinstance(answer, np.ndarray):
        answer = answer.tolist()
    if not isinstance(answer, (list, tuple)) or len(answer) != count:
        such = f"({', '.join(map(str, range(1, count + 1)))})"
        raise Refusal(f"this exercise wants {count} numbers, such as {such}, got {named(answer)}.")
    return [number(value) for value in answer]


def parts(answer: Any, count: int, wanted: str) -> Any:
    """A tuple or list of so many things; the sentence says which."""
    if not isinstance(answer, (tuple, list)) or len(answer) != count:
        raise Refusal(wanted)
    return answer


def array(answer: Any, wanted: str) -> np.ndarray:
    """An array of floats; the sentence says of what."""
    try:
        return np.asarray(answer, dtype=float)
    except (TypeError, ValueError) as error:
        raise Refusal(wanted) from error


def truth(answer: Any, *, of: str = "your function") -> bool:
    """True or False, and nothing that counts as such."""
    if not isinstance(answer, (bool, np.bool_)):
        raise Refusal(f"{of} must end in True or False, got {answer!r}.")
    return bool(answer)


def pairs(answer: Any) -> dict[Any, Any]:
    """Pairs as a dict, or as a list of two-tuples."""
    if isinstance(answer, Mapping):
        return dict(answer)
    if isinstance(answer, (list, tuple, set)) and all(
        isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in answer
    ):
        return dict(answer)
    raise Refusal(
        f"this exercise wants a dict in the form that its cell shows, got {named(answer)}."
    )


def text(answer: Any) -> str:
    """A text that holds more than spaces."""
    if not isinstance(answer, str) or not answer.strip():
        raise Refusal(f"this exercise wants a text in quotes, got {named(answer)}.")
    return answer.strip()


def slug(answer: Any) -> str:
    """A word or a name of several words, in small letters and with hyphens between them."""
    return text(answer).lower().strip("`'\". ").replace(" ", "-").replace("_", "-")


def as_labels(answer: Any, count: int, *, first: str = "") -> np.ndarray:
    """The group of each point, numbered anew from 0; 2.0 is as good a number as 2.

    Groups may also be listed with their rows.

    Examples
    --------
    >>> as_labels([[0, 2], [1, 3]], 4)
    array([0, 1, 0, 1])
    """
    form = f"{first}the group of each of the {count} rows as whole numbers, please, got "
    if isinstance(answer, (list, tuple)) and all(
        isinstance(each, (list, tuple)) for each in answer
    ):
        rows = [number(row) for group in answer for row in group]
        if answer and sorted(rows) != [*range(count)]:
            raise Refusal(f"{first}each of the rows 0 to {count - 1} in one group, please.")
        groups = {row: place for place, group in enumerate(answer) for row in group}
        answer = [groups[row] for row in range(len(rows))]
    try:
        labels = np.asarray(getattr(answer, "labels", answer))
    except (TypeError, ValueError) as error:
        raise Refusal(f"{form}{type(answer).__name__}.") from error
    if labels.shape != (count,):
        raise Refusal(f"{form}{type(answer).__name__} of shape {labels.shape}.")
    for label in labels.tolist():
        if isinstance(label, bool) or not isinstance(label, Real) or label % 1 != 0:
            raise Refusal(f"{form}{shown(label)} among them.")
    return np.unique(labels, return_inverse=True)[1]


def function(answer: Any) -> Callable[..., Any]:
    """Something that can be called."""
    if not callable(answer):
        raise Refusal(
            f"this exercise wants a function, got {named(answer)}; give its name, no brackets."
        )
    return answer


def call(answer: Any, *arguments: Any) -> Any:
    """Run a student's function; whatever it raises comes back as a sentence, not as a traceback."""
    try:
        result = function(answer)(*arguments)
    except Refusal:
        raise
    except (Exception, SystemExit) as error:
        called = f"called with {', '.join(map(shown, arguments)) or 'nothing'}"
        raise Refusal(
            f"your function stopped with {type(error).__name__} ({called}): {error}"
        ) from error
    if result is None or result is ...:
        raise Refusal("your function gave nothing back; does it end with a return?")
    return result


def stored(paper: str, part: str, *, missing: str) -> pd.DataFrame:
    """Rows of a stored run; where there are none, the sentence names the command."""
    if (result := read_result(paper, part)) is None:
        raise Refusal(missing)
    return result.frame


def named(answer: Any) -> str:
    """The type of an answer and how it begins."""
    text = shown(answer)
    text = text if len(text) <= 40 else f"{text[:37]}..."
    return text if text.startswith("an ") else f"{type(answer).__name__} {text}"
