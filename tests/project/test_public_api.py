"""Every public name is documented alike, and takes its data by position and the rest by name."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import is_dataclass
from typing import Any

import pytest

import pplab

# What may be passed by position: the data a function is about, and k.
DATA = {
    "adjacency",
    "answer",
    "biadjacency",
    "exercise_id",
    "k",
    "matrix",
    "mechanism",
    "name",
    "noisy",
    "original",
    "pair",
    "points",
    "preferences",
    "protected",
    "ranked_items",
    "ratings",
    "social",
    "utilities",
}
# Conversions between two numbers: the number is the data.
CONVERSIONS = {"flip_to_epsilon": {"flip_probability"}, "epsilon_to_flip": {"epsilon"}}
# Nobody should get a privacy level without having chosen it.
NO_DEFAULT = {"epsilon", "flip_probability", "k"}


def sections(doc: str) -> dict[str, list[str]]:
    """Lines of each underlined section of a numpydoc docstring."""
    lines = doc.splitlines()
    found: dict[str, list[str]] = {}
    current: list[str] = []
    for place, line in enumerate(lines):
        below = lines[place + 1] if place + 1 < len(lines) else ""
        if line and re.fullmatch(r"-{3,}", below):
            current = found.setdefault(line.strip(), [])
        else:
            current.append(line)
    return found


def documented_parameters(doc: str) -> list[str]:
    """Names in the Parameters section, in order; `a, b : int` names two."""
    heads = [
        line.split(" : ")[0]
        for line in sections(doc).get("Parameters", [])
        if line.strip() and not line.startswith((" ", "-"))
    ]
    return [name.strip().lstrip("*") for head in heads for name in head.split(",")]


def parameters(thing: Callable[..., Any]) -> list[inspect.Parameter]:
    return [p for p in inspect.signature(thing).parameters.values() if p.name != "self"]


def complaints(name: str, thing: Any) -> list[str]:
    """What a public function or class lacks, in sentences."""
    doc = inspect.getdoc(thing) or ""
    found = [] if doc.strip() else [f"{name} has no docstring"]
    if inspect.isclass(thing) and issubclass(thing, Exception):
        return found
    taken = parameters(thing)
    # A result says what its fields are under Attributes; what one constructs, under Parameters.
    has_fields = is_dataclass(thing) and "Attributes" in sections(doc)
    if not has_fields:
        found += _about_docstring(name, doc, [p.name for p in taken])
        found += _about_signature(name, taken)
    missing = [title for title in ("References", "Examples") if title not in sections(doc)]
    found += [f"{name} has no section {title}" for title in missing]
    if "Examples" not in missing and ">>> " not in "\n".join(sections(doc)["Examples"]):
        found.append(f"{name} has an Examples section without an example")
    return found


def _about_docstring(name: str, doc: str, taken: list[str]) -> list[str]:
    told = documented_parameters(doc)
    if told == taken:
        return []
    return [f"{name} takes {taken} and its docstring tells {told}"]


def _about_signature(name: str, taken: list[inspect.Parameter]) -> list[str]:
    data = CONVERSIONS.get(name, DATA)
    found = []
    for parameter in taken:
        by_position = parameter.kind is not inspect.Parameter.KEYWORD_ONLY
        if by_position and parameter.name not in data:
            found.append(f"{name} takes {parameter.name} by position; only data and k are")
        if not by_position and parameter.name in {"k"}:
            found.append(f"{name} takes k by name only; it comes by position after the data")
        if parameter.name in NO_DEFAULT and parameter.default is not inspect.Parameter.empty:
            found.append(f"{name} has a default for {parameter.name}; it must be chosen")
    return found


def public_names() -> list[str]:
    return sorted(pplab.__all__)


def documented(name: str) -> bool:
    thing = getattr(pplab, name)
    return inspect.isclass(thing) or callable(thing)


def test_the_public_names_exist() -> None:
    assert len(pplab.__all__) >= 10
    assert len(set(pplab.__all__)) == len(pplab.__all__)
    assert [name for name in pplab.__all__ if not hasattr(pplab, name)] == []


@pytest.mark.parametrize("name", [n for n in getattr(pplab, "__all__", []) if documented(n)])
def test_a_public_name_is_documented_and_keyword_only(name: str) -> None:
    assert complaints(name, getattr(pplab, name)) == []


def right(original: Any, protected: Any, *, weighted: bool = False) -> float:
    """Do nothing well.

    Parameters
    ----------
    original, protected : array
        Two tables.
    weighted : bool
        Whether it matters.

    References
    ----------
    Nobody 2026.

    Examples
    --------
    >>> right(1, 1)
    0.0
    """
    return float(weighted and original is protected)


def wrong_order(original: Any, *, weighted: bool, noise: float) -> None:
    """Swap two.

    Parameters
    ----------
    original : array
    noise : float
    weighted : bool

    References
    ----------
    Nobody 2026.

    Examples
    --------
    >>> wrong_order(1, weighted=True, noise=0)
    """


def too_positional(original: Any, sigma: float) -> None:
    """Take sigma by position.

    Parameters
    ----------
    original : array
    sigma : float

    References
    ----------
    Nobody 2026.

    Examples
    --------
    >>> too_positional(1, 2)
    """


def chosen_for_you(original: Any, *, epsilon: float = 1.0) -> None:
    """Choose epsilon.

    Parameters
    ----------
    original : array
    epsilon : float

    References
    ----------
    Nobody 2026.

    Examples
    --------
    None today.
    """


def bare(original: Any) -> None:  # no docstring
    pass


class WrongClass:
    """Take its unit by position.

    Parameters
    ----------
    unit : str

    Examples
    --------
    >>> WrongClass("edge").unit
    'edge'
    """

    def __init__(self, unit: str) -> None:
        self.unit = unit


def test_a_right_function_passes() -> None:
    assert complaints("right", right) == []
    assert documented_parameters(inspect.getdoc(right) or "") == [
        "original",
        "protected",
        "weighted",
    ]


@pytest.mark.parametrize(
    ("thing", "expected"),
    [
        (wrong_order, ["takes ['original', 'weighted', 'noise'] and its docstring tells"]),
        (too_positional, ["takes sigma by position"]),
        (chosen_for_you, ["has a default for epsilon", "without an example"]),
        (bare, ["no docstring", "docstring tells []", "section References", "section Examples"]),
        (WrongClass, ["takes unit by position", "no section References"]),
    ],
)
def test_a_wrong_one_is_noticed(thing: Any, expected: list[str]) -> None:
    found = complaints(thing.__name__, thing)
    assert len(found) == len(expected), found
    for sentence, part in zip(found, expected, strict=True):
        assert part in sentence
