"""Readers of the answers that students give: each gives the plain thing, or refuses kindly."""

import math
import sys
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from numbers import Real
from types import CodeType, FunctionType
from typing import Any

import numpy as np
import pandas as pd

from pplab.checks import shown
from pplab_papers.collection import read_result


class Refusal(Exception):
    """An answer that cannot be judged: one sentence says what was got and what to give."""


# What a word processor or a phone types for a hyphen and an apostrophe.
_TYPED = str.maketrans(" _\xa0\u2010\u2011\u2013\u2019", "------'")


def number(answer: Any) -> float:
    """One finite number: int, float, Fraction, Decimal or a 0-d array; never a truth value."""
    answer = plain(answer)
    if isinstance(answer, bool) or not isinstance(answer, (Real, Decimal)):
        quoted = "without quotes, " if isinstance(answer, str) else ""
        raise Refusal(
            f"this exercise takes a number, got {named(answer)}; give {quoted}an int, float or "
            "Fraction."
        )
    try:
        value = float(answer)
    except (OverflowError, ValueError) as error:
        raise Refusal("this exercise takes a number that a float can hold.") from error
    if not math.isfinite(value):
        raise Refusal(f"this exercise takes a finite number, got {value}.")
    return value


def numbers(answer: Any, count: int) -> list[float]:
    """A list, tuple, Series or array of this many numbers."""
    listed = np.ravel(answer).tolist() if isinstance(answer, (np.ndarray, pd.Series)) else answer
    if not isinstance(listed, (list, tuple)) or len(listed) != count:
        such = f"such as {tuple(range(1, count + 1))}"
        raise Refusal(f"this exercise takes {count} numbers, {such}, got {named(answer)}.")
    return [number(value) for value in listed]


def plain(answer: Any) -> Any:
    """Python's own scalar for numpy's, and for an array or Series of one."""
    bare = isinstance(answer, (np.generic, np.ndarray, pd.Series)) and answer.size == 1
    return answer.item() if bare else answer


def parts(answer: Any, count: int, wanted: str) -> Any:
    """A tuple or list of this many things; the sentence says which."""
    if not isinstance(answer, (tuple, list)) or len(answer) != count:
        raise Refusal(wanted)
    return answer


def fields(answer: Any, names: Iterable[str], wanted: str) -> Mapping[str, Any]:
    """A dict that has these names, or a refusal with those that it lacks and the sentence."""
    if not isinstance(answer, Mapping):
        raise Refusal(wanted)
    if missing := [name for name in names if name not in answer]:
        raise Refusal(f"say also: {', '.join(missing)}; {wanted}")
    return answer


def array(answer: Any, wanted: str) -> np.ndarray:
    """An array of floats; the sentence says of what."""
    try:
        return np.asarray(answer, dtype=float)
    except (TypeError, ValueError) as error:
        raise Refusal(wanted) from error


def dense(answer: Any, most: int) -> Any:
    """A sparse table of at most this many rows and columns as an array; others as they are."""
    small = hasattr(answer, "toarray") and max(answer.shape) <= most
    return answer.toarray() if small else answer


def bits(answer: Any, wanted: str, *, most: int) -> np.ndarray:
    """A table of zeros and ones with at most this many rows and columns; the sentence says so."""
    table = array(dense(answer, most), wanted)
    size = table.shape if table.ndim == 2 else (0,)
    if not 1 <= min(size) <= max(size) <= most or not np.isin(table, (0, 1)).all():
        raise Refusal(wanted)
    return table.astype(int)


def truth(answer: Any, *, of: str = "your function") -> bool:
    """True or False, not values that only count as such."""
    value = plain(answer)
    if not isinstance(value, bool):
        raise Refusal(f"{of} must end in True or False, got {named(answer)}.")
    return value


def pairs(answer: Any) -> dict[Any, Any]:
    """Pairs as a dict, or as a list of two-tuples."""
    of_two = isinstance(answer, (list, tuple, set)) and all(
        isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in answer
    )
    if of_two or isinstance(answer, Mapping):
        return dict(answer)
    raise Refusal(f"this exercise takes a dict as its cell shows it, got {named(answer)}.")


def text(answer: Any) -> str:
    """A text that holds more than spaces."""
    if not isinstance(answer, str) or not answer.strip():
        raise Refusal(f"this exercise takes a text in quotes, got {named(answer)}.")
    return answer.strip()


def different_words(answer: Any) -> int:
    """Number of different words of a text: repetition is not an argument."""
    return len(set(text(answer).lower().split()))


def slug(answer: Any) -> str:
    """A word or a name of several words, in small letters and with hyphens between them."""
    return text(answer).lower().strip("`'\". ").translate(_TYPED)


def as_labels(answer: Any, count: int, *, first: str = "") -> np.ndarray:
    """The group of each point, numbered anew from 0, also where groups are lists of their rows.

    2.0 is as good a number of a group as 2; True and False are two groups.
    """
    form = f"{first}the group of each of the {count} rows as whole numbers, please, got "
    try:
        labels = np.asarray(_by_row(getattr(answer, "labels", answer), count))
    except (TypeError, ValueError) as error:
        raise Refusal(f"{form}{type(answer).__name__}.") from error
    if labels.shape != (count,):
        raise Refusal(f"{form}{type(answer).__name__} of shape {labels.shape}.")
    for label in labels.tolist():
        if not isinstance(label, (Real, Decimal)) or label % 1 != 0:
            raise Refusal(f"{form}{shown(label)} among them.")
    return np.unique(labels, return_inverse=True)[1]


def _by_row(answer: Any, count: int) -> Any:
    """Lists of row numbers, [[0, 2], [1, 3]], as the group of each row; anything else as it is."""
    if not isinstance(answer, (list, tuple)) or not all(
        isinstance(group, (list, tuple, set, np.ndarray)) for group in answer
    ):
        return answer
    rows = [plain(row) for group in answer for row in np.asarray([*group]).ravel()]
    if sorted(rows) != list(range(count)) or bool in map(type, rows):
        return answer
    return np.repeat(range(len(answer)), [len(group) for group in answer])[np.argsort(rows)]


def function(answer: Any) -> Callable[..., Any]:
    """Something that can be called."""
    if not callable(answer):
        raise Refusal(f"this exercise takes a function (its name alone), got {named(answer)}.")
    return answer


def call(answer: Any, *arguments: Any) -> Any:
    """Run a student's function; whatever it raises comes back as a sentence, not as a traceback.

    It may change arrays and lists that it is given: they are copies.
    """
    try:
        copies = (each.copy() if hasattr(each, "copy") else each for each in arguments)
        result = function(answer)(*copies)
    except Refusal:
        raise
    except (Exception, SystemExit) as error:
        given = ", ".join(map(shown, arguments)) or "nothing"
        kind = f"{type(error).__name__} (called with {given})"
        mend = "; run the cell that defines it" * kind.startswith("NameError")
        raise Refusal(f"your function stopped with {kind}: {error}{mend}") from error
    if result is None or result is ...:
        raise Refusal("your function gave nothing back; does it end with a return?")
    return result


def without(library: Callable[..., Any], answer: Any) -> Callable[..., Any]:
    """A student's function that is refused once it has called this one of the library.

    A graded course runs it in another process, which is not seen from here.
    """
    assert isinstance(library, FunctionType)

    def watched(*arguments: Any) -> Any:
        ran: set[CodeType] = set()
        before = sys.getprofile()
        sys.setprofile(lambda frame, *_: ran.add(frame.f_code))
        try:
            value = function(answer)(*arguments)
        finally:
            sys.setprofile(before)
        if library.__code__ in ran:
            name = library.__name__
            raise Refusal(f"{name} is what your function is compared with: write your own.")
        return value

    return watched


def stored(paper: str, part: str, *, missing: str) -> pd.DataFrame:
    """Rows of a stored run; where there are none, the words say of what, and the command is named.

    The paper "yardstick" is one run, so that its part need not be named.
    """
    if (result := read_result(paper, part)) is None:
        of_it = "" if paper == "yardstick" else f" --part {part}"
        raise Refusal(f"{missing}; run `pplab reproduce {paper}{of_it}`.")
    return result.frame


def named(answer: Any) -> str:
    """The type of an answer and how it begins."""
    text = shown(answer)
    text = text if len(text) <= 40 else f"{text[:37]}..."
    return text if text.startswith("an ") else f"{type(answer).__name__} {text}"
