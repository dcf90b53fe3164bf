"""Rerun parts, judge their claims and store the results; what is finished is not redone."""

from __future__ import annotations

import hashlib
import inspect
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pplab.checks import check_choice
from pplab.datasets.catalog import Dataset, catalog
from pplab.datasets.load import load_dataset, real_files
from pplab.ledger import results
from pplab.ledger.own import OwnData, own_data
from pplab.ledger.registry import Paper, apart, find_paper, papers
from pplab.ledger.results import Result
from pplab.ledger.rules import PRINT, Claim, is_number, read_rules
from pplab.ledger.stored import judge_stored, read_results
from pplab.papers.part import Part
from pplab.shipped import is_clone

Data = Mapping[str, Dataset | OwnData]
_PACKAGE = Path(__file__).parents[1]
# No result depends on these.
_NO_EXPERIMENT = ("plots", "widgets.py", "cli.py", "commands.py", "deprecated.py", "__main__.py")
# The most careful word first.
_SOURCES = {
    "fallback": "the STAND-IN, as the real data are not at hand",
    "standin": "the STAND-IN",
    "substitute": "real data, with a substitute for the paper's method",
    "other data": "other real data, as the paper's are not at hand",
    "portion": "a part of the real data",
    "generated": "generated data",
    "real": "real data",
    "no data": "no data (none needed)",
}


Experiment = tuple[Paper, Part]


def select_parts(paper: str | Path | None = None, name: str | None = None) -> list[Experiment]:
    """Parts of one paper or of all; one part by its name."""
    chosen = list(papers().values()) if paper is None else [find_paper(paper)]
    found = [(each, part) for each in chosen for part in parts_of(each).values()]
    if name is not None:
        check_choice("part", name, [part.name for _, part in found])
    return [(each, part) for each, part in found if name in (None, part.name)]


def parts_of(paper: Paper) -> dict[str, Part]:
    """Experiments of a paper by name; the printed numbers are one where they decide alone."""
    decide = any(claim.part == PRINT for claim in read_rules(paper))
    alone = Part(paper.key, PRINT, printed_numbers, fixed={"paper": paper})
    return dict(paper.parts) | ({PRINT: alone} if decide else {})


def printed_numbers(paper: Paper) -> pd.DataFrame:
    """The numbers that a paper prints, as its rules hold them."""
    numbers = [each for each in read_rules(paper) if is_number(each) and not each.cell.bound]
    rows = [(each.id, float(each.number)) for each in numbers]
    return pd.DataFrame(rows, columns=["id", "value"])


def reproduce(
    experiments: Sequence[Experiment],
    *,
    full: bool = False,
    again: bool = False,
    source: str = "auto",
    say: Callable[[str], None] = print,
) -> Path:
    """Rerun parts, skip what this machine has finished, and tell where the results lie.

    A part whose data are not there and cannot be made is left out, with a line that says so, unless
    it is the only one. Real results go to the project's results, or to those of the paper's own
    folder; as soon as one part has to run on a stand-in, the whole run goes to a folder of its own
    beside them, so that the two never mix.

    Parameters
    ----------
    experiments : sequence of (Paper, Part)
        Of papers that share a folder of results.
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

    Raises
    ------
    ValueError
        If it would be that of a wheel.
    """
    folder = next((paper.results for paper, _ in experiments), None) or results.results_folder()
    if folder == results.project_results() and not is_clone():
        raise ValueError(
            "the results of an installed pplab stay as they came: set PPLAB_RESULTS to a folder of "
            "your own, or add --check, which writes nothing"
        )
    if source != "real" and len(experiments) > 1:  # one part alone, or real data alone, is refused
        experiments = [each for each in experiments if _at_hand(*each, source, say)]
    loaded = [(part, load_part(part, source=source, paper=paper)) for paper, part in experiments]
    if any(_fell_back(*each) for each in loaded):
        folder = folder.with_name(f"{folder.name}-standin")
    results.clean(folder)
    for number, (paper, part) in enumerate(experiments, start=1):
        data = load_part(part, source=source, paper=paper)
        name = f"[{number}/{len(experiments)}] {part.paper} {part.name}"
        if not again and is_finished(paper, part, data, folder=folder, full=full):
            say(f"{name}: finished before, nothing to do")
            continue
        say(f"{name}: running on {_SOURCES[_source_of(part, data)]}")
        result = run_part(paper, part, data, folder=folder, full=full)
        say(f"{name}: {len(result.rules)} claims measured, {result.seconds:g} s")
    for paper in {paper.key: paper for paper, _ in experiments}.values():
        if folder.resolve() == (paper.results or results.project_results()).resolve():
            record(paper, folder)
    return folder


def record(paper: Paper, folder: Path) -> None:
    """Write into a paper's history the verdicts that all its stored rows give now.

    Choices are judged over parts, so a run of one part may move verdicts of others.
    """
    claims = read_rules(paper)
    stored = read_results(paper, {part for claim in claims for part in claim.parts}, folder)
    verdicts = {name: each.verdict for name, each in judge_stored(paper, stored).items()}
    current = {
        part: replace(
            each, rules={n: h for n, h in each.rules.items() if verdicts.get(n) != "open"}
        )
        for part, each in stored.items()
    }
    results.remember(paper, verdicts, current, {claim.id: claim.changed for claim in claims})


def claims_of(paper: Paper, part: Part) -> list[Claim]:
    """Claims that a part measures."""
    return [claim for claim in read_rules(paper) if part.name in claim.parts and not claim.same_as]


def load_part(part: Part, *, source: str = "auto", paper: Paper | None = None) -> Data:
    """Load the data sets of a part; those that nobody may have come as stand-ins."""
    if paper is not None and paper.catalog is not None:
        return {argument: own_data(paper, name) for argument, (name, _) in part.datasets.items()}
    return {argument: _load(part, argument, source) for argument in part.datasets}


def _load(part: Part, argument: str, source: str) -> Dataset:
    name, split = part.datasets[argument]
    if argument in part.instead and not real_files(name, split):
        name, split = part.instead[argument]
    made = catalog()[name].never or argument in part.standins
    return load_dataset(name, split=split, source="standin" if made else source)


def _source_of(part: Part, data: Data) -> str:
    """Where a part's numbers come from; one stand-in makes the whole part one."""
    kinds = {dataset.source for dataset in data.values()}
    if any(dataset.portion for dataset in data.values()):
        kinds.add("portion")
    if any(data[argument].name == name for argument, (name, _) in part.instead.items()):
        kinds.add("other data")
    if part.substitute:
        kinds.add("substitute")
    if _fell_back(part, data):
        kinds.add("fallback")
    return next((kind for kind in _SOURCES if kind in kinds), "no data")


def run_part(paper: Paper, part: Part, data: Data, *, folder: Path, full: bool = False) -> Result:
    """Run the experiment and store what it measured, with the rules that will judge it.

    Nothing is written before the experiment has ended, so an interrupt leaves no false result.

    Parameters
    ----------
    paper : Paper
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
    rules, code = results.rules_commit(paper), results.code_commit(paper)
    start = time.perf_counter()
    frame = part.experiment(**data, **seeds, **part.fixed, **options)
    seconds = time.perf_counter() - start
    source, rows = _source_of(part, data), plain_rows(frame)
    result = Result(
        paper=part.paper,
        part=part.name,
        source=source,
        seed=part.seed,
        options=options,
        checksums=results.checksums_of(data),
        versions=results.versions(),
        rules_commit=rules,
        code_commit=code,
        machine=results.machine(),
        code=_experiment_of(paper, part),
        rules={claim.id: claim.rule_hash for claim in claims_of(paper, part)},
        seconds=round(seconds, 1),
        rows=rows,
    )
    marker = _marker(part, folder)
    marker.unlink(missing_ok=True)  # before the result changes: a marker never outlives it
    results.write_result(result, folder)
    results.write_atomically(marker, _fingerprint(paper, part, data, full))
    return result


def _experiment_of(paper: Paper, part: Part) -> str:
    """File, line and name of an experiment; the file counts from pplab or the paper's folder."""
    experiment = getattr(part.experiment, "func", part.experiment)  # of a partial
    if not inspect.isfunction(experiment):
        return ""
    file = Path(inspect.getfile(experiment)).resolve()
    root = paper.file.parent.resolve() if paper.results else _PACKAGE.parent
    place = file.relative_to(root) if file.is_relative_to(root) else file.name
    line = inspect.getsourcelines(experiment)[1]
    return f"{place}:{line} {experiment.__name__}"


def is_finished(paper: Paper, part: Part, data: Data, *, folder: Path, full: bool = False) -> bool:
    """Say whether this machine ran the part with this code, these rules and these data.

    A full run serves where a plain one is asked for.
    """
    marker = _marker(part, folder)
    if not marker.is_file() or results.read_result(part.paper, part.name, folder) is None:
        return False
    accepted = {_fingerprint(paper, part, data, each) for each in {full, True}}
    return marker.read_text(encoding="utf-8", errors="replace") in accepted


def _options(part: Part, full: bool) -> dict[str, Any]:
    """Options of a run, the experiment's own defaults included and what is fixed left out."""
    parameters = inspect.signature(part.experiment).parameters.values()
    hidden = {"rng", *part.fixed}
    defaults = {
        p.name: p.default for p in parameters if p.default is not p.empty and p.name not in hidden
    }
    return defaults | dict(part.options) | (dict(part.full_options) if full else {})


def _at_hand(paper: Paper, part: Part, source: str, say: Callable[[str], None]) -> bool:
    """Whether all data of a part are there or can be made; tell when not."""
    try:
        load_part(part, source=source, paper=paper)
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


def _fingerprint(paper: Paper, part: Part, data: Data, full: bool) -> str:
    """Hash of all that a result depends on: code, rules, data, versions, settings."""
    facts = [
        part.paper,
        part.name,
        _options(part, full),
        _source_of(part, data),
        results.checksums_of(data),
        results.versions(),
    ]
    facts += [claim.rule_hash for claim in claims_of(paper, part)]
    digest = hashlib.sha256(repr(facts).encode())
    for file in _code_behind(paper):
        digest.update(str(file.name).encode() + file.read_bytes())
    return digest.hexdigest()


def _code_behind(paper: Paper) -> list[Path]:
    """Files that a result of a paper depends on: its own experiments and the library."""
    left_out = {_PACKAGE / name for name in _NO_EXPERIMENT}
    for other in (papers() | apart()).values():
        if other.key != paper.key:
            left_out.add(_PACKAGE.parent.joinpath(*other.module.split(".")))
    own = [] if paper.results is None else sorted(paper.file.parent.glob("*.py"))
    files = sorted([*_PACKAGE.rglob("*.py"), *_PACKAGE.rglob("*.toml")])
    return own + [file for file in files if left_out.isdisjoint([file, *file.parents])]


def plain_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of a measured frame as they are stored and judged."""
    return [_plain(row) for row in frame.to_dict("records")]


def _plain(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Values that JSON knows, floats to ten digits; empty cells are left out."""
    values = {column: v.item() if isinstance(v, np.generic) else v for column, v in row.items()}
    return {
        str(column): float(f"{value:.10g}") if isinstance(value, float) else value
        for column, value in values.items()
        if not (isinstance(value, float) and math.isnan(value))
    }
