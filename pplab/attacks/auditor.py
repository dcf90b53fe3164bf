"""The statistical auditor: it can refute a privacy level, and never establishes one.

Releases of two neighbouring inputs are drawn; on one half an event is chosen that tells them apart,
on the other half exact binomial bounds judge it (Ding et al. 2018, doi 10.1145/3243734.3243818).
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from pplab import checks
from pplab.attacks.releases import OutputEntry, Path, ReleaseTable
from pplab.intervals import log_ratio_bound

_DIRECTIONS = ("first over second", "second over first")


def audit_epsilon(
    mechanism: Any,
    pair: Sequence[Any],
    *,
    claimed: float,
    samples: int,
    alpha: float,
    delta: float = 0.0,
    rng: int | np.random.Generator | None = None,
) -> "Audit":
    """Try to refute a claimed privacy level by sampling releases of two neighbouring inputs.

    On one half of the releases an event is chosen for each direction of the ratio; on the other
    half it is judged by exact binomial bounds, half of alpha for each direction and no slack.
    A claim that survives is not established: the pair or the event may be the wrong one. Not looked
    at: sums of three numbers or more (but the sum of all), types of numbers, the sign of zero.

    Parameters
    ----------
    mechanism : object with ``sample(data, *, rng)``
        May also offer ``sample_many(data, size, *, rng)``, a list or array of releases. A release
        is a number, text, None, array, sparse matrix, networkx graph, DataFrame or Series, or a
        tuple, list, set or dict of these. Values are looked at, not their types; order only in
        arrays, lists, tuples and DataFrames; no attributes of a DataFrame, no unused categories.
    pair : two inputs
        Neighbours in the claimed privacy unit, the worst that come to mind.
    claimed : float
        Privacy level in (0, inf), natural log.
    samples : int
        Releases of each input, from 8 to 10 million.
    alpha : float
        Greatest rate of false alarms, in (0, 1).
    delta : float
        In [0, 1), of the claimed (epsilon, delta): an event S refutes it where
        ``P(S) > e^epsilon Q(S) + delta``, so that the two lines of its trade-off curve are tested.
    rng : int, Generator or None
        Seed or generator.

    Returns
    -------
    Audit
        ``.lower_bound`` on epsilon, ``.violated``, ``.event``, ``.direction``, ``.counts``.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval, the pair has not two inputs, the mechanism cannot be
        sampled, or its releases are of no known kind, or hold text that hardly ever repeats.

    References
    ----------
    Clopper and Pearson 1934, doi 10.1093/biomet/26.4.404; Ding, Wang, Wang, Zhang and Kifer 2018,
    doi 10.1145/3243734.3243818: events chosen on other samples than those that judge them.

    Examples
    --------
    >>> from pplab.response import BipartiteNoiseGraph
    >>> weak = BipartiteNoiseGraph(0.1)  # the odds are 9 to 1
    >>> found = audit_epsilon(weak, ([[0]], [[1]]), claimed=1.0, samples=800, alpha=1e-3, rng=1)
    >>> found.violated, str(found)[:31]
    (True, 'The audit refutes epsilon = 1. ')
    """
    claimed, alpha = float(checks.check_positive("claimed", claimed)), checks.check_alpha(alpha)
    delta = checks.check_privacy_delta(delta, allow_zero=True)
    samples = checks.check_integer("samples", samples, minimum=8, maximum=10**7)
    _check_inputs(mechanism, pair)
    streams = checks.as_rng(rng).spawn(2)
    releases = (_draw(mechanism, *one, samples) for one in zip(pair, streams, strict=True))
    table = ReleaseTable.of(list(releases))
    _check_text(table)
    rows = (np.arange(samples), np.arange(samples, 2 * samples))
    bounded = partial(log_ratio_bound, alpha=alpha / 2, delta=delta)
    results = [_audit_direction(table, side, bounded) for side in (rows, rows[::-1])]
    best = int(results[1][0] > results[0][0])
    bound, event, counts = results[best]
    return Audit(
        lower_bound=max(bound, 0.0),
        claimed=claimed,
        alpha=alpha,
        samples=samples,
        judged=samples - samples // 2,
        event=event,
        direction=_DIRECTIONS[best],
        counts=(counts[best], counts[1 - best]),
        delta=delta,
    )


def _check_inputs(mechanism: Any, pair: Any) -> None:
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise ValueError(
            f"pair must be two neighbouring inputs, got {checks.shown(pair)}; pass (one, other)"
        )
    methods = [getattr(mechanism, name, None) for name in ("sample", "sample_many")]
    if isinstance(mechanism, type) or not any(map(callable, methods)):
        raise TypeError(
            "mechanism must be an object with a method sample(data, *, rng), got "
            f"{checks.shown(mechanism)}; wrap your function into a class, and pass an object of it"
        )


def _only_sample_is_new(mechanism: Any) -> bool:
    """True if a class that is derived overrides ``sample`` and inherits ``sample_many``."""
    spaces = [getattr(mechanism, "__dict__", {}), *map(vars, type(mechanism).__mro__)]
    nearest = (names for names in spaces if "sample" in names or "sample_many" in names)
    return "sample_many" not in next(nearest, {"sample_many": None})


def _draw(mechanism: Any, data: Any, rng: np.random.Generator, size: int) -> Any:
    many = getattr(mechanism, "sample_many", None)
    if not callable(many) or _only_sample_is_new(mechanism):
        return [mechanism.sample(data, rng=rng) for _ in range(size)]
    outputs = many(data, size, rng=rng)
    listed = isinstance(outputs, (list, tuple, np.ndarray)) and getattr(outputs, "ndim", 1) > 0
    if not listed or len(outputs) != size:
        raise ValueError(
            f"sample_many must give {size} releases, got "
            f"{len(outputs) if listed else checks.shown(outputs)}; "
            "return one per draw, in a list or along the first axis of an array"
        )
    return outputs


def _check_text(table: ReleaseTable) -> None:
    """Refuse text that differs nearly always: its events would be seen once."""
    words = ((path, v) for path, v in table.names if isinstance(v, (str, bytes)))
    for path, count in Counter(path for path, word in words if not _number(word)).most_common(1):
        if count > max(len(table) / 2, _CUTS):
            raise ValueError(
                "releases must not hold text that differs nearly every time, got that at "
                f"{_place(path)}; return the numbers and words in it one by one"
            )


@dataclass(frozen=True, repr=False)
class Audit:
    """Result of an audit.

    Attributes
    ----------
    lower_bound : float
        Lower confidence bound on epsilon (natural log), 0 at least: above the true level in at
        most ``alpha`` of all audits.
    claimed : float
        The level that was put to the test.
    alpha : float
        Greatest rate of false alarms.
    samples : int
        Releases drawn of each input; half of them chose the events.
    judged : int
        Releases of each input on which the event was judged.
    event : str
        The set of outputs behind the bound, in words.
    direction : str
        Which input makes the event likelier: "first over second" or "second over first".
    counts : tuple of int
        How often the event came up among the judged releases of the first and of the second input.
    delta : float
        What the claim allows beside epsilon; the lower bound is one at this delta.

    References
    ----------
    Clopper and Pearson 1934, doi 10.1093/biomet/26.4.404.

    Examples
    --------
    >>> found = Audit(1.4, 1.0, 0.05, 2000, 1000, "it is 1", _DIRECTIONS[0], (900, 90))
    >>> found.violated
    True
    """

    lower_bound: float
    claimed: float
    alpha: float
    samples: int
    judged: int
    event: str
    direction: str
    counts: tuple[int, int]
    delta: float = 0.0

    @property
    def violated(self) -> bool:
        """True if the claimed level is refuted."""
        return self.lower_bound > self.claimed

    def __str__(self) -> str:
        seen = (
            f"'{self.event}' came up in {self.counts[0]:,} releases of the first input and "
            f"{self.counts[1]:,} of the second, of {self.judged:,} each: epsilon is at least "
            f"{self.lower_bound:.3g} (odds {math.exp(self.lower_bound):.3g} : 1)"
            f"{' at this delta' if self.delta else ''}, wrong in at most {self.alpha:g} of audits"
        )
        claim = f"epsilon = {self.claimed:.4g}" + f", delta = {self.delta:.4g}" * (self.delta > 0)
        if self.violated:
            return f"The audit refutes {claim}. {seen}."
        most = log_ratio_bound(self.judged, 0, self.judged, alpha=self.alpha / 2, delta=self.delta)
        few = f"No event can refute it with so few samples: the bound is {most:.3g} at most. "
        few = few if most <= self.claimed else ""
        return (
            f"The audit did not refute {claim}. {seen}. {few}"
            "More samples, another pair or another event may still refute it."
        )

    __repr__ = __str__


# The event: scores are learned on some releases; where to cut, and which score to trust, is chosen
# on others.

_CUTS = 64  # thresholds tried where a score has more values
_READABLE = 0.02  # what a later score must promise beyond a more readable one
_ANY = "any output"


def _audit_direction(
    table: ReleaseTable, rows: tuple[np.ndarray, np.ndarray], bounded: Callable[..., np.ndarray]
) -> tuple[float, str, tuple[int, ...]]:
    """Bound, event in words and its counts, with the first rows as the likelier side.

    A quarter of each side teaches scores, on another scores and thresholds compete for the largest
    bound, and the rest judges.
    """
    half, quarter = len(rows[0]) // 2, len(rows[0]) // 4
    trials = len(rows[0]) - half
    parts = slice(quarter), slice(quarter, half), slice(half, None)
    learn, choose, judge = ([side[part] for side in rows] for part in parts)
    best, event, members = -np.inf, _ANY, np.ones(len(table), dtype=bool)
    for score in _all_scores(table, *learn):
        cut, forecast = _best_cut(score.values, choose, trials, bounded)
        if forecast > best + _READABLE:
            best, event, members = forecast, score.describe(cut), score.values >= cut
    counts = tuple(int(members[side].sum()) for side in judge)
    return float(bounded(*counts, trials)), event, counts


def _best_cut(
    values: np.ndarray, choose: list[np.ndarray], trials: int, bounded: Callable[..., np.ndarray]
) -> tuple[float, float]:
    """Threshold with the largest forecast, as if the counts kept their share."""
    sides = [np.sort(values[rows]) for rows in choose]
    cuts = np.unique(np.concatenate(sides))
    if len(cuts) > _CUTS:
        cuts = np.unique(np.quantile(cuts, np.linspace(0, 1, _CUTS), method="nearest"))
    above = [(len(side) - np.searchsorted(side, cuts)) * (trials / len(side)) for side in sides]
    forecast = bounded(*above, trials)
    place = int(np.argmax(forecast))
    return float(cuts[place]), float(forecast[place])


# Scores of a release: the larger, the more it speaks for the first of two inputs.

_SINGLES = 24  # single entries, and places of numbers, that are worth a second look
_PAIRS = 8  # sums and differences of two of these numbers that are worth one
_LARGEST = 1e150  # numbers beyond are cut: squares stay finite
_HALF = 0.5  # added to counts, so that what was not seen has no infinite ratio


@dataclass(frozen=True)
class _Score:
    """A number per release; an event is that it reaches a threshold, which `describe` words."""

    values: np.ndarray
    describe: Callable[[float], str]


def _all_scores(table: ReleaseTable, first: np.ndarray, second: np.ndarray) -> Iterator[_Score]:
    """Scores learned from releases of two inputs, the readable ones first.

    Parameters
    ----------
    table : ReleaseTable
        All releases.
    first, second : array of int
        Rows of the releases to learn from.

    Yields
    ------
    _Score
    """
    if table.names:
        yield from _single_entries(table, first, second)
        yield from _numbers(table, first, second)
        yield from _whole_outputs(table, first, second)
        yield from _likelihoods(table, first, second)


def _single_entries(table: ReleaseTable, first: np.ndarray, second: np.ndarray) -> Iterator[_Score]:
    """An entry is there, or is not; likewise a place, whatever its value."""
    rates = [table.indicators[rows].mean(axis=0) for rows in (first, second)]
    places = [np.bincount(table.path_numbers, weights=shares) for shares in rates]
    for by_place, (p, q) in enumerate((rates, places)):
        for sign in (1, -1):
            rare = p + q if sign > 0 else 2 - p - q  # a rare event tells more by the same gap
            surprise = sign * (p - q) / np.sqrt(rare + 1 / len(first))
            for number in np.argsort(-surprise, kind="stable")[:_SINGLES]:
                selection = table.path_numbers == number if by_place else [number]
                present = table.indicators[:, np.arange(len(table.names))[selection]].sum(axis=1)
                entry = table.names[int(np.argmax(selection)) if by_place else number]
                yield _Score(sign * present, _words_for(entry, bool(by_place), sign > 0))


def _words_for(entry: OutputEntry, any_value: bool, present: bool) -> Callable[[float], str]:
    path, value = entry
    words = "stored" if any_value else checks.shown(value)
    text = f"{_place(path)} {'is' if present else 'is not'} {words}"
    # the lower of the two cuts takes in every output
    return lambda cut: text if cut > present - 1 else _ANY


def _numbers(table: ReleaseTable, first: np.ndarray, second: np.ndarray) -> Iterator[_Score]:
    """Numbers that every release holds at one place; how many entries there are, and their sum."""
    weights = np.array([_number(value) for _, value in table.names])
    columns = []
    for path in np.flatnonzero(np.bincount(table.path_numbers) > 2):
        names = np.flatnonzero(table.path_numbers == path)
        part = table.indicators[:, names]
        if (part.sum(axis=1) == 1).all():
            values = part @ weights[names]
            columns.append((_gap(values, first, second), table.names[names[0]][0], values))
    columns = sorted(columns, key=lambda number: -number[0])[:_SINGLES]
    for _, place, values in columns:
        yield from _both_ends(values, _place(place))
    yield from _both_ends(np.diff(table.indptr).astype(float), "the number of entries")
    yield from _both_ends(table.indicators @ weights, "the sum of the entries")
    # sums and differences of two continuous numbers
    fine = [number for number in columns if len(np.unique(number[2])) > _CUTS]
    ways = [
        (_gap(x + sign * y, first, second), one, other, x, y, sign)
        for (_, one, x), (_, other, y) in combinations(fine, 2)
        for sign in (1, -1)
    ]
    for _, one, other, x, y, sign in sorted(ways, key=lambda way: -way[0])[:_PAIRS]:
        name = f"{_place(one)} {'plus' if sign > 0 else 'minus'} {_place(other)}"
        yield from _both_ends(x + sign * y, name)


def _gap(values: np.ndarray, first: np.ndarray, second: np.ndarray) -> float:
    return float(abs(values[first].mean() - values[second].mean()) / (values.std() or 1))


def _both_ends(values: np.ndarray, quantity: str) -> tuple[_Score, _Score]:
    return (
        _Score(values, lambda cut: f"{quantity} is at least {cut:g}"),
        _Score(-values, lambda cut: f"{quantity} is at most {-cut:g}"),
    )


def _number(value: Any) -> float:
    """A value as a float whose square is finite, text too; 0 for what is no number."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return 0.0
    return min(max(number, -_LARGEST), _LARGEST) if number == number else 0.0


def _whole_outputs(table: ReleaseTable, first: np.ndarray, second: np.ndarray) -> Iterator[_Score]:
    """Whole outputs in the order of their likelihood ratio: the best order there is."""
    numbers, rows_of = table.outputs
    size = len(rows_of)
    likely, unlikely = (np.bincount(numbers[side], minlength=size) for side in (first, second))
    ratios = np.log((likely + _HALF) / (unlikely + _HALF))

    def describe(cut: float) -> str:
        inside = np.flatnonzero(ratios >= cut)
        several = f"one of {len(inside)} outputs, such as " if len(inside) > 1 else ""
        return f"the output is {several}{_show(table.entries_of(rows_of[inside[0]]))}"

    yield _Score(ratios[numbers], describe)


def _likelihoods(table: ReleaseTable, first: np.ndarray, second: np.ndarray) -> Iterator[_Score]:
    """Log-likelihood ratio of all entries as if independent; those that chance explains count 0.

    Once a single entry must stand out (2 standard errors), once it must among all entries.
    """
    totals = [table.indicators[rows].sum(axis=0) + _HALF for rows in (first, second)]
    lacking = [len(rows) + 2 * _HALF - h for rows, h in zip((first, second), totals, strict=True)]
    weights = np.log(totals[0] / totals[1]) - np.log(lacking[0] / lacking[1])
    errors = np.sqrt(sum(1 / counts for counts in (*totals, *lacking)))
    for least in (2.0, max(2.0, np.sqrt(2 * np.log(len(weights))))):
        telling = np.where(abs(weights) < least * errors, 0, weights)
        words = f"the log-likelihood ratio over {np.count_nonzero(telling)} entries is at least"
        yield _Score(table.indicators @ telling, partial("{} {:.3g}".format, words))


def _label(path: Path) -> str:
    return checks.shown(path[0] if len(path) == 1 else path)


def _place(path: Path) -> str:
    return f"entry {_label(path)}" if path else "the output"


def _show(output: tuple[OutputEntry, ...]) -> str:
    if not output:
        return "nothing at all"
    if len(output) == 1 and not output[0][0]:
        return checks.shown(output[0][1])
    few = (f"{_label(path)}: {checks.shown(value)}" for path, value in output[:6])
    return "{" + ", ".join(few) + (", ..." if len(output) > 6 else "") + "}"
