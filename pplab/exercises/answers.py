"""Read the answers that students give: numbers, pairs, texts, functions.

Each reader gives back the plain thing or raises `Refusal` with one kind sentence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any

import numpy as np

from pplab.exercises.core import Refusal

__all__ = ["call", "close", "function", "number", "numbers", "pairs", "text"]


def number(answer: Any) -> float:
    """One finite number: int, float, Fraction or a 0-d array; never a truth value."""
    if isinstance(answer, np.ndarray) and answer.ndim == 0:
        answer = answer.item()
    if isinstance(answer, (bool, np.bool_)) or not isinstance(answer, Real):
        raise Refusal(
            f"this exercise wants a number, got {_named(answer)}; give an int, float or Fraction."
        )
    try:
        value = float(answer)
    except OverflowError as error:
        raise Refusal("this exercise wants a number that a float can hold.") from error
    if not math.isfinite(value):
        raise Refusal(f"this exercise wants a finite number, got {answer!r}.")
    return value


def numbers(answer: Any, count: int) -> list[float]:
    """A list, tuple or array of so many numbers."""
    if isinstance(answer, np.ndarray):
        answer = answer.tolist()
    if not isinstance(answer, (list, tuple)) or len(answer) != count:
        raise Refusal(f"this exercise wants {count} numbers, such as (1, 2), got {_named(answer)}.")
    return [number(value) for value in answer]


def pairs(answer: Any) -> dict[Any, Any]:
    """Pairs as a dict, or as a list of two-tuples."""
    if isinstance(answer, Mapping):
        return dict(answer)
    if isinstance(answer, (list, tuple, set)) and all(
        isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in answer
    ):
        return dict(answer)
    raise Refusal(f"this exercise wants pairs, such as {{'left': 'right'}}, got {_named(answer)}.")


def text(answer: Any) -> str:
    """A text that holds more than spaces."""
    if not isinstance(answer, str) or not answer.strip():
        raise Refusal(f"this exercise wants a text in quotes, got {_named(answer)}.")
    return answer.strip()


def function(answer: Any) -> Callable[..., Any]:
    """Something that can be called."""
    if not callable(answer):
        raise Refusal(
            f"this exercise wants a function, got {_named(answer)}; give its name, no brackets."
        )
    return answer


def call(answer: Any, *arguments: Any) -> Any:
    """Run a student's function; whatever it raises comes back as a sentence, not as a traceback."""
    try:
        result = function(answer)(*arguments)
    except Refusal:
        raise
    except Exception as error:
        shown = ", ".join(map(repr, arguments))
        raise Refusal(
            f"your function stopped with {type(error).__name__}: {error} (called with {shown})."
        ) from error
    if result is None or result is ...:
        raise Refusal("your function gave nothing back; does it end with a return?")
    return result


def close(value: float, wanted: float, *, within: float = 0.006) -> bool:
    """Right up to rounding to about three digits."""
    return abs(value - wanted) <= within * abs(wanted)


def _named(answer: Any) -> str:
    shown = repr(answer)
    return f"{type(answer).__name__} {shown if len(shown) <= 40 else shown[:37] + '...'}"
