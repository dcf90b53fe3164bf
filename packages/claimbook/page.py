"""The ledger as one HTML page that opens without a network: it finds, sorts, filters, exports."""

import math
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from claimbook import find, results, views
from claimbook.registry import Paper
from claimbook.results import Result
from claimbook.rules import NUMBER_RULES, read_signatures
from claimbook.verdicts import VERDICTS
from claimbook.views import COUNTED, JudgedClaim

_SHORT = 30  # characters of a sentence that is repeated


def write_page(file: str | Path, papers: Sequence[Paper], *, folder: views.Folder = None) -> Path:
    """Write the ledger page.

    Parameters
    ----------
    file : path
        The HTML file to write.
    papers : sequence of Paper
    folder : path, optional
        Folder of stored results; by default those of the papers.

    Returns
    -------
    Path
        The file.
    """
    near = Path(file).resolve().parent
    return results.write_atomically(Path(file), render_page(papers, folder=folder, near=near))


def render_page(
    papers: Sequence[Paper],
    *,
    folder: views.Folder = None,
    near: Path | None = None,
    used: Mapping[str, Sequence[tuple[str, str]]] | None = None,
) -> str:
    """Give the ledger as the text of one self-contained HTML page.

    ``near`` is the folder in which it will lie: links to the code count from there. In a book,
    ``used`` has for an id the places in the book that use the row, each as its name and address.
    """
    entries = views.judged_claims(papers, folder=folder)
    measured = {entry.result.source for entry in entries if entry.result}
    kinds = [k for k in COUNTED if any(entry.kind == k for entry in entries)]
    slips = views.by_slip(entries)
    return _template().render(
        sections=[_section(article, entries, near or Path.cwd()) for article in papers],
        standin="standin" in measured and "real" not in measured,
        evidence=list(views.evidence(entries)),
        counts=views.totals(entries),
        totals={k: Counter(e.judgement.verdict for e in entries if e.kind == k) for k in kinds},
        groups=views.GROUPS,
        fails={"rows": sum(1 + more for _, more in slips), "slips": len(slips)},
        find=find,
        results=results,
        views=views,
        kinds=COUNTED,
        verdicts=VERDICTS,
        number_rules=NUMBER_RULES,
        used=used or {},
    )


@cache
def _template() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("claimbook", "report"),
        autoescape=True,  # all that comes out of a result or a rule is text
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    ).get_template("page.html")


def _address(paper: Paper, result: Result, near: Path) -> str:
    """Link from the page to the experiment that a part ran."""
    if not result.code:
        return ""
    root = paper.file.parent if paper.results else paper.collection.root
    file, _, line = views.code_of(paper, result).rpartition(":")
    return f"{quote(os.path.relpath(root / file, near))}#L{line.partition(' ')[0]}"


def _section(paper: Paper, entries: Sequence[JudgedClaim], near: Path) -> dict[str, Any]:
    """All that the page shows of one paper."""
    own_entries = [entry for entry in entries if entry.paper.key == paper.key]
    joints: dict[str, tuple[int, str]] = {}
    runs: dict[str, tuple[Result, str]] = {}
    for entry in own_entries:
        for joint in entry.judgement.joints:
            joints.setdefault(joint.name, (len(joints), str(joint)))
        if entry.result and entry.part not in runs:
            runs[entry.part] = entry.result, _address(paper, entry.result, near)
    sentences = Counter(
        sentence
        for row in own_entries
        for text in (row.claim.note, row.claim.changed, views.remark(row.judgement))
        for sentence in _sentences(text)
    )
    often = (text for text, count in sentences.items() if count > 1 and len(text) > _SHORT)
    shared = {text: number for number, text in enumerate(often, start=1)}
    count = Counter(e.judgement.verdict for e in own_entries if e.kind in ("number", "statement"))
    check = views.rerun_command(own_entries[0], check=True)
    return {
        "paper": paper,
        "entries": own_entries,
        "bar": {name: sum(map(count.__getitem__, group)) for name, group in views.GROUPS.items()},
        "charts": charts_of(own_entries),
        "joints": joints,  # choices of a group -> number and words of their test
        "runs": runs,  # part -> result, address of its code
        "again": {entry.part: views.rerun_command(entry) for entry in own_entries},
        "check": check.partition(f" {own_entries[0].claim.id} ")[0],  # before id and --check
        "shared": shared,
        "short": lambda text: " ".join(
            f"#{shared[one]}" if one in shared else one for one in _sentences(text)
        ),
        "signatures": read_signatures(paper),  # id -> hashed stems of the sentence it restates
    }


def _sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.:;]) (?=[A-Z])", text)


# Printed and measured numbers of a table or figure laid over each other, as small charts. Settings
# are lists such as ``MovieLens, column 8, k = 9, DR in %``. A field with a number is an axis, the
# other fields tell the charts apart; without such a field each number has a line.


_LEAST = 6  # numbers that a place must have
_WIDTH, _LEFT, _TOP, _LINE = 340, 46, 8, 17
_FIELD = re.compile(r"(.*?)( ?= ?| )(-?\d+(?:\.\d+)?)( of \d+)?")


class _Point(NamedTuple):
    label: str
    x: float
    printed: float
    measured: float
    span: tuple[float, float]  # what chance and open choices leave open
    mark: str


# Kind of a line or text as its class, or ``meets``, ``misses`` of a pair; then coordinates or text.
Shape = tuple[Any, ...]


class Chart(NamedTuple):
    """One chart: its title, what it shows in a sentence, and the shapes that the page draws."""

    title: str
    alt: str
    height: float
    shapes: list[Shape]


def charts_of(entries: Iterable[JudgedClaim]) -> dict[str, list[Chart]]:
    """Place -> charts, for tables and figures with more than five measured numbers."""
    places: dict[str, list[JudgedClaim]] = defaultdict(list)
    for entry in entries:
        number = entry.claim.rule in NUMBER_RULES and entry.kind == "number"
        printed = number and not entry.claim.cell.bound
        finite = printed and all(math.isfinite(trial.value) for trial in entry.judgement.trials)
        if finite and entry.judgement.trials and re.search("Table|Figure", entry.claim.place):
            places[entry.claim.place].append(entry)
    return {place: _charts(place, rows) for place, rows in places.items() if len(rows) >= _LEAST}


def _charts(place: str, entries: Sequence[JudgedClaim]) -> list[Chart]:
    groups: dict[tuple[str, ...], list[JudgedClaim]] = defaultdict(list)
    for entry in entries:
        words = ", ".join(field for field in _fields(entry) if not _FIELD.fullmatch(field))
        groups[words, *_numbers(entry)].append(entry)
    charts, rest = [], []
    for (title, *_), group in groups.items():
        if axis := _axis(group):
            charts.append(_chart(place, title, axis, [_point(row, axis) for row in group]))
        else:
            rest += group
    for title, group in _split(rest).items():
        shared = set.intersection(*(set(_fields(row)) for row in group))
        charts.append(_chart(place, title, "", [_point(row, "", shared) for row in group]))
    return charts


def _fields(entry: JudgedClaim) -> list[str]:
    return entry.claim.setting.split(", ")


def _numbers(entry: JudgedClaim) -> dict[str, float]:
    """Names and numbers of fields as ``k = 9``, ``column 8`` or ``label 3 of 14``."""
    matches = filter(None, map(_FIELD.fullmatch, _fields(entry)))
    return {match[1] + match[2].rstrip(): float(match[3]) for match in matches}


def _axis(group: Sequence[JudgedClaim]) -> str:
    """The numbered field in which all rows of a group differ; one with ``=`` first."""
    named = [_numbers(entry) for entry in group]
    names = [name for name in named[0] if len({numbers[name] for numbers in named}) == len(group)]
    return min(names, key=lambda name: not name.endswith("="), default="") if group[2:] else ""


def _split(entries: Sequence[JudgedClaim]) -> dict[str, list[JudgedClaim]]:
    """Rows without an axis, told apart by the field that has fewest values."""
    fields = [_fields(entry) for entry in entries]
    shared = range(min(map(len, fields), default=0))
    values = {place: len({row[place] for row in fields}) for place in shared}
    places = [place for place, count in values.items() if 1 < count < len(entries)]
    if not places:
        return {"": list(entries)} if entries else {}
    place = min(places, key=lambda index: (values[index], -index))
    groups: dict[str, list[JudgedClaim]] = defaultdict(list)
    for entry, field in zip(entries, fields, strict=True):
        groups[field[place]].append(entry)
    return groups


def _point(entry: JudgedClaim, axis: str, shared: Collection[str] = ()) -> _Point:
    judgement = entry.judgement
    trial = next(attempt for attempt in judgement.trials if attempt.reading == judgement.reading)
    label = ", ".join(field for field in _fields(entry) if field not in shared)
    x = _numbers(entry)[axis] if axis else 0
    span = trial.value - trial.width, trial.value + trial.width
    return _Point(label, x, trial.size, trial.value, span, "meets" if trial.fits else "misses")


def _chart(place: str, title: str, axis: str, points: Sequence[_Point]) -> Chart:
    name = axis.rstrip("= ")
    far = max(points, key=lambda pair: abs(pair.measured - pair.printed) / (abs(pair.printed) or 1))
    where = f"{name} = {far.x:g}" if axis else far.label
    meets = sum(pair.mark == "meets" for pair in points)
    digits = ",.0f" if abs(far.measured) >= 1000 else ".4g"
    alt = (
        f"{place}{', ' if title else ''}{title}: printed and measured numbers"
        f"{f' over {name}' if axis else ''}. {meets} of {len(points)} "
        f"measured numbers meet the printed ones; farthest apart at {where}: "
        f"{far.printed:,.10g} printed, {far.measured:{digits}} measured."
    )
    return Chart(title or place, alt, *(_curve if axis else _lines)(name, points))


# Where things lie.

Scale = Callable[[float], float]


def _scale(values: Sequence[float], start: float, end: float) -> tuple[Scale, list[float]]:
    """Value -> pixel, and ticks; logarithmic where positive values span two decades."""
    above = [value for value in values if value > 0]
    low, high = min(values), max(values)
    if low >= 0 and above and max(above) > 100 * min(above):
        first, last = math.floor(math.log10(min(above))), math.ceil(math.log10(high))
        ticks = [10.0**power for power in range(first, last + 1, math.ceil((last - first) / 5))]

        def logarithmic(value: float) -> float:  # zero has none: it lies on the border
            part = (math.log10(value) - first) / (last - first) if value > 0 else 0.0
            return start + (end - start) * part

        return logarithmic, ticks
    size = (high - low) or abs(high) or 1.0
    low, high = low - 0.06 * size, high + 0.06 * size
    step = 10.0 ** math.floor(math.log10(size / 2))
    step *= next(factor for factor in (1, 2, 5, 10) if size / (step * factor) <= 4)
    ticks = [step * count for count in range(math.ceil(low / step), math.floor(high / step) + 1)]
    return lambda v: start + (end - start) * (v - low) / (high - low), ticks


def _curve(name: str, points: Sequence[_Point]) -> tuple[float, list[Shape]]:
    """Numbers over a numbered field."""
    bottom = 150
    across, marks = _scale([pair.x for pair in points], _LEFT + 8, _WIDTH - 8)
    up, ticks = _scale([v for pair in points for v in (pair.printed, pair.measured)], bottom, _TOP)
    shapes: list[Shape] = []
    for tick in ticks:
        shapes.append(("g", _LEFT, up(tick), _WIDTH, up(tick)))
        shapes.append(("text", _LEFT - 4, up(tick) + 4, _tick(tick)))
    shapes += [("t", across(mark), bottom + 15, _tick(mark)) for mark in marks]
    shapes.append(("text", _WIDTH, bottom + 29, name))
    for point in points:
        x, (low, high) = across(point.x), (up(v) for v in point.span)
        shapes.append(("s", x, max(high, 0), x, min(low, bottom)))
        shapes.append((point.mark, x, up(point.printed), x, up(point.measured)))
    return bottom + 34, shapes


def _lines(_: str, points: Sequence[_Point]) -> tuple[float, list[Shape]]:
    """Numbers that have no axis: a line each."""
    left, bottom = 170, _TOP + _LINE * len(points)
    values = [v for pair in points for v in (pair.printed, pair.measured)]
    across, ticks = _scale(values, left + 6, _WIDTH - 10)
    shapes: list[Shape] = [("g", across(t), _TOP, across(t), bottom) for t in ticks]
    shapes += [("t", across(t), bottom + 15, _tick(t)) for t in ticks]
    for number, point in enumerate(points):
        y = _TOP + _LINE * (number + 0.5)
        label = point.label if len(point.label) < 30 else f"{point.label[:28]}…"
        low, high = (across(v) for v in point.span)
        shapes.append(("text", left - 6, y + 4, label))
        shapes.append(("s", max(low, left), y, min(high, _WIDTH), y))
        shapes.append((point.mark, across(point.printed), y, across(point.measured), y))
    return bottom + 22, shapes


def _tick(value: float) -> str:
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:g}{letter}"
    return f"{value:.6g}"
