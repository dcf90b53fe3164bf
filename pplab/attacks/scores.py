"""Scores of a release: the larger, the more it speaks for the first of two inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pplab.attacks.entries import Entry, Path, entries
from pplab.attacks.releases import ReleaseTable

__all__ = ["Event", "Score", "scores"]

_MOST_OUTPUTS = 4096  # whole outputs are ordered one by one up to here
_SINGLES = 24  # single entries, and places of numbers, that are worth a second look
_HALF = 0.5  # added to counts, so that what was not seen has no infinite ratio


@dataclass(frozen=True)
class Event:
    """A set of outputs: say what it is, and ask of any output whether it belongs to it.

    Attributes
    ----------
    description : str
        What its outputs have in common, for a reader.
    predicate : callable
        Takes an output and says whether it belongs to the event.

    References
    ----------
    Ding, Wang, Wang, Zhang and Kifer 2018, doi 10.1145/3243734.3243818.

    Examples
    --------
    >>> event = Event("the output is 1", lambda output: output == 1)
    >>> print(event, event.predicate(0))
    the output is 1 False
    """

    description: str
    predicate: Callable[[Any], bool]

    def __str__(self) -> str:
        return self.description


@dataclass(frozen=True)
class Score:
    """A number per release; an event is that it reaches a threshold."""

    values: np.ndarray
    event: Callable[[float], Event]


def scores(table: ReleaseTable, first: np.ndarray, second: np.ndarray) -> Iterator[Score]:
    """Scores learned from releases of two inputs, the readable ones first.

    Parameters
    ----------
    table : ReleaseTable
        All releases.
    first, second : array of int
        Rows of the releases to learn from.

    Yields
    ------
    Score
    """
    if table.names:
        yield from _single_entries(table, first, second)
        yield from _numbers(table, first, second)
        yield from _whole_outputs(table, first, second)
        yield from _likelihoods(table, first, second)


def _single_entries(table: ReleaseTable, first: np.ndarray, second: np.ndarray) -> Iterator[Score]:
    """An entry is there, or is not; likewise a place, whatever its value."""
    each = [table.indicators[rows].mean(axis=0) for rows in (first, second)]
    places = [np.bincount(table.path_numbers, weights=shares) for shares in each]
    for by_place, (p, q) in enumerate((each, places)):
        for sign in (1, -1):
            rare = p + q if sign > 0 else 2 - p - q  # a rare event tells more by the same gap
            surprise = sign * (p - q) / np.sqrt(rare + 1 / len(first))
            for number in np.argsort(-surprise, kind="stable")[:_SINGLES]:
                wanted = table.path_numbers == number if by_place else [number]
                held = table.indicators[:, np.arange(len(table.names))[wanted]].sum(axis=1)
                entry = table.names[int(np.argmax(wanted)) if by_place else number]
                yield Score(sign * held, _entry_event(entry, bool(by_place), sign > 0))


def _entry_event(entry: Entry, any_value: bool, present: bool) -> Callable[[float], Event]:
    path, value = entry
    text = f"{_place(path)} {'is' if present else 'is not'} {'stored' if any_value else value}"

    def holds(output: Any) -> bool:
        held = entries(output)
        return present is (any(p == path for p, _ in held) if any_value else entry in held)

    def event(cut: float) -> Event:  # the lower of the two cuts takes in every output
        return Event(text, holds) if cut > present - 1 else Event("any output", lambda _: True)

    return event


def _numbers(table: ReleaseTable, first: np.ndarray, second: np.ndarray) -> Iterator[Score]:
    """Numbers that every release holds at one place; how many entries there are, and their sum."""
    weights = np.array([_number(value) for _, value in table.names])
    kinds = np.bincount(table.path_numbers)
    gaps = []
    for path in np.flatnonzero(kinds > 2):
        names = np.flatnonzero(table.path_numbers == path)
        part = table.indicators[:, names]
        if (part.sum(axis=1) == 1).all():
            values = part @ weights[names]
            gap = abs(values[first].mean() - values[second].mean()) / (values.std() or 1)
            gaps.append((gap, table.names[names[0]][0], values))
    for _, place, values in sorted(gaps, key=lambda gap: -gap[0])[:_SINGLES]:
        yield from _both_ends(values, _place(place), _reader(place))
    sizes = np.diff(table.indptr).astype(float)
    yield from _both_ends(sizes, "the number of entries", lambda output: len(entries(output)))
    yield from _both_ends(
        table.indicators @ weights,
        "the sum of the entries",
        lambda output: sum(_number(value) for _, value in entries(output)),
    )


def _both_ends(values: np.ndarray, what: str, read: Callable[[Any], float]) -> tuple[Score, Score]:
    def at_least(cut: float) -> Event:
        edge = cut - 1e-9 * abs(cut)  # sums are rounded
        return Event(f"{what} is at least {cut:g}", lambda output: read(output) >= edge)

    def at_most(cut: float) -> Event:
        edge = -cut + 1e-9 * abs(cut)
        return Event(f"{what} is at most {-cut:g}", lambda output: read(output) <= edge)

    return Score(values, at_least), Score(-values, at_most)


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0


def _reader(path: Path) -> Callable[[Any], float]:
    return lambda output: next(_number(v) for place, v in entries(output) if place == path)


def _whole_outputs(table: ReleaseTable, first: np.ndarray, second: np.ndarray) -> Iterator[Score]:
    """Whole outputs in the order of their likelihood ratio: the best order there is."""
    numbers, shown = table.outputs
    if len(shown) > _MOST_OUTPUTS:
        return
    counts = [np.bincount(numbers[rows], minlength=len(shown)) + _HALF for rows in (first, second)]
    ratios = np.log(counts[0] / counts[1])

    def event(cut: float) -> Event:
        members = [table.entries_of(shown[number]) for number in np.flatnonzero(ratios >= cut)]
        inside = frozenset(members)
        several = f"one of {len(members)} outputs, such as " if len(members) > 1 else ""
        text = f"the output is {several}{_show(members[0])}"
        return Event(text, lambda output: entries(output) in inside)

    yield Score(ratios[numbers], event)


def _likelihoods(table: ReleaseTable, first: np.ndarray, second: np.ndarray) -> Iterator[Score]:
    """Log-likelihood ratio of all entries as if independent; those that chance explains count 0.

    Once a single entry must stand out (2 standard errors), once it must among all entries.
    """
    held = [table.indicators[rows].sum(axis=0) + _HALF for rows in (first, second)]
    lacking = [len(rows) + 2 * _HALF - h for rows, h in zip((first, second), held, strict=True)]
    weights = np.log(held[0] / held[1]) - np.log(lacking[0] / lacking[1])
    errors = np.sqrt(sum(1 / counts for counts in (*held, *lacking)))
    for least in (2.0, max(2.0, np.sqrt(2 * np.log(len(weights))))):
        yield _weighted_sum(table, np.where(abs(weights) < least * errors, 0, weights))


def _weighted_sum(table: ReleaseTable, weights: np.ndarray) -> Score:
    told = np.flatnonzero(weights).tolist()
    known = {table.names[number]: float(weights[number]) for number in told}

    def event(cut: float) -> Event:
        text = f"the log-likelihood ratio over {len(known)} entries is at least {cut:.3g}"

        def reaches(output: Any) -> bool:
            return sum(known.get(entry, 0.0) for entry in entries(output)) >= cut - 1e-9

        return Event(text, reaches)

    return Score(table.indicators @ weights, event)


def _place(path: Path) -> str:
    if not path:
        return "the output"
    return f"entry {path[0] if len(path) == 1 else path}"


def _show(held: tuple[Entry, ...]) -> str:
    if not held:
        return "nothing at all"
    if len(held) == 1 and not held[0][0]:
        return str(held[0][1])
    shown = ", ".join(f"{path[0] if len(path) == 1 else path}: {value}" for path, value in held[:6])
    return "{" + shown + (", ..." if len(held) > 6 else "") + "}"
