"""Rerun parts, judge their claims and store the results; what is finished is not redone."""

from __future__ import annotations

import hashlib
import inspect
import math
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pplab import papers
from pplab.checks import check_choice
from pplab.datasets.catalog import Dataset, catalog
from pplab.datasets.load import load_dataset
from pplab.ledger import results
from pplab.ledger.results import Result
from pplab.ledger.rules import Claim, judge, published_claims
from pplab.papers import PARTS
from pplab.papers.part import Part

Data = Mapping[str, Dataset]
_PACKAGE = Path(__file__).parents[1]
_PAPERS = Path(papers.__file__).parent
# No result depends on these.
_NO_EXPERIMENT = ("course", "plots", "widgets.py", "cli.py", "__main__.py")
# The most careful word first.
_SOURCES = {
    "standin": "the STAND-IN",
    "portion": "a part of the real data",
    "substitute": "real data, with a substitute for the paper's method or data",
    "generated": "generated data",
    "real": "real data",
    "no data": "no data (none needed)",
}


def select_parts(paper: str | None = None, name: str | None = None) -> list[Part]:
    """Parts of one paper or of all; one part by its name."""
    if paper is not None:
        check_choice("paper", paper, sorted({part.paper for part in PARTS.values()}))
    parts = [part for part in PARTS.values() if paper in (None, part.paper)]
    if name is not None:
        check_choice("part", name, [part.name for part in parts])
    return [part for part in parts if name in (None, part.name)]


def reproduce(
    parts: Sequence[Part],
    *,
    full: bool = False,
    again: bool = False,
    source: str = "auto",
    say: Callable[[str], None] = print,
) -> Path:
    """Rerun parts, skip what this machine has finished, and tell where the results lie.

    A part whose data are not there and cannot be made is left out, with a line that says so, unless
    it is the only one. Real results go to the project's results; as soon as one part has to run on
    a stand-in, the whole run goes to a folder of its own beside them, so that the two never mix.

    Parameters
    ----------
    parts : sequence of Part
    full : bool, default False
        Run with the full options (more seeds).
    again : bool, default False
        Run finished parts once more.
    source : "auto", "real" or "standin"
        As for ``load_dataset``.
    say : callable
        Told one line per part.

    Returns
    -------
    Path
        Folder of the results.
    """
    folder = results.results_folder()
    if source != "real" and len(parts) > 1:  # one part alone, or real data alone, is refused
        parts = [part for part in parts if _at_hand(part, source, say)]
    if any(_fell_back(part, load_part(part, source=source)) for part in parts):
        folder = folder.with_name(f"{folder.name}-standin")
    results.clean(folder)
    for number, part in enumerate(parts, start=1):
        data = load_part(part, source=source)
        name = f"[{number}/{len(parts)}] {part.paper} {part.name}"
        if not again and is_finished(part, data, folder=folder, full=full):
            say(f"{name}: finished before, nothing to do")
            continue
        say(f"{name}: running on {_SOURCES[_source_of(part, data)]}")
        result = run_part(part, data, folder=folder, full=full)
        say(f"{name}: {len(result.rules)} claims judged, {result.seconds:g} s")
    return folder


def claims_of(part: Part) -> list[Claim]:
    """Claims that a part measures."""
    return [c for c in published_claims() if (c.paper, c.part) == (part.paper, part.name)]


def load_part(part: Part, *, source: str = "auto") -> dict[str, Dataset]:
    """Load the data sets of a part; those that nobody may have come as stand-ins."""
    return {
        argument: load_dataset(
            name,
            split=split,
            source="standin" if catalog()[name].never or argument in part.standins else source,
        )
        for argument, (name, split) in part.datasets.items()
    }


def _source_of(part: Part, data: Data) -> str:
    """Where a part's numbers come from; one stand-in makes the whole part one."""
    kinds = {dataset.source for dataset in data.values()}
    if any(dataset.portion for dataset in data.values()):
        kinds.add("portion")
    if part.substitute:
        kinds.add("substitute")
    return next((kind for kind in _SOURCES if kind in kinds), "no data")


def run_part(part: Part, data: Data, *, folder: Path, full: bool = False) -> Result:
    """Run the experiment, judge its claims and store the result.

    Nothing is written before the experiment has ended, so an interrupt leaves no false result.

    Parameters
    ----------
    part : Part
    data : mapping of str to Dataset
        As ``load_part`` gives it.
    folder : Path
        Where results lie.
    full : bool, default False
        Run with the part's full options.

    Returns
    -------
    Result
    """
    options = _options(part, full)
    seeds = {} if part.seed is None else {"rng": part.seed}
    commit = results.rules_commit(part.paper)
    start = time.perf_counter()
    frame = part.experiment(**data, **seeds, **part.fixed, **options)
    seconds = time.perf_counter() - start
    source = _source_of(part, data)
    result = Result(
        paper=part.paper,
        part=part.name,
        source=source,
        seed=part.seed,
        options=options,
        checksums=results.checksums_of(data),
        versions=results.versions(),
        rules_commit=commit,
        rules={
            claim.id: {"hash": claim.rule_hash, "verdict": judge(claim, frame, source).verdict}
            for claim in claims_of(part)
        },
        seconds=round(seconds, 1),
        rows=[_plain(row) for row in frame.to_dict("records")],
    )
    marker = _marker(part, folder)
    marker.unlink(missing_ok=True)  # before the result changes: a marker never outlives it
    results.write_result(result, folder)
    results.write_atomically(marker, _fingerprint(part, data, full))
    return result


def is_finished(part: Part, data: Data, *, folder: Path, full: bool = False) -> bool:
    """Say whether this machine ran the part with this code, these rules and these data.

    A full run serves where a plain one is asked for.
    """
    marker = _marker(part, folder)
    if not marker.is_file() or results.read_result(part.paper, part.name, folder) is None:
        return False
    accepted = {_fingerprint(part, data, each) for each in {full, True}}
    return marker.read_text(encoding="utf-8", errors="replace") in accepted


def _options(part: Part, full: bool) -> dict[str, Any]:
    """Options of a run, the experiment's own defaults included and what is fixed left out."""
    parameters = inspect.signature(part.experiment).parameters.values()
    hidden = {"rng", *part.fixed}
    defaults = {
        p.name: p.default for p in parameters if p.default is not p.empty and p.name not in hidden
    }
    return defaults | dict(part.options) | (dict(part.full_options) if full else {})


def _at_hand(part: Part, source: str, say: Callable[[str], None]) -> bool:
    """Whether all data of a part are there or can be made; tell when not."""
    try:
        load_part(part, source=source)
    except FileNotFoundError as missing:
        say(f"{part.paper} {part.name}: left out, {missing}")
        return False
    return True


def _fell_back(part: Part, data: Data) -> bool:
    """Say whether a stand-in took the place of data that one could have."""
    return any(
        d.source == "standin" and not catalog()[d.name].never and argument not in part.standins
        for argument, d in data.items()
    )


def _marker(part: Part, folder: Path) -> Path:
    """Note that this machine finished the part: beside the results, never committed."""
    return folder / ".finished" / f"{part.paper}.{part.name}"


def _fingerprint(part: Part, data: Data, full: bool) -> str:
    """Hash of all that a result depends on: code, rules, data, versions, settings."""
    facts = [
        part.paper,
        part.name,
        _options(part, full),
        _source_of(part, data),
        results.checksums_of(data),
        results.versions(),
    ]
    facts += [claim.rule_hash for claim in claims_of(part)]
    digest = hashlib.sha256(repr(facts).encode())
    for file in _code_behind(part.paper):
        digest.update(file.relative_to(_PACKAGE).as_posix().encode() + file.read_bytes())
    return digest.hexdigest()


def _code_behind(paper: str) -> list[Path]:
    """Files that a result of a paper depends on: its own experiments and the library."""
    others = {each.replace("-", "_") for each, _ in PARTS} - {paper.replace("-", "_")}
    apart = {_PACKAGE / name for name in _NO_EXPERIMENT} | {_PAPERS / other for other in others}
    files = sorted([*_PACKAGE.rglob("*.py"), *_PACKAGE.rglob("*.toml")])
    return [file for file in files if apart.isdisjoint([file, *file.parents])]


def _plain(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Values that JSON knows, floats to ten digits; empty cells are left out."""
    values = {column: v.item() if isinstance(v, np.generic) else v for column, v in row.items()}
    return {
        str(column): float(f"{value:.10g}") if isinstance(value, float) else value
        for column, value in values.items()
        if not (isinstance(value, float) and math.isnan(value))
    }
