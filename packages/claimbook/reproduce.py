"""Rerun parts, judge their claims and store the results; what is finished is not redone."""

import hashlib
import inspect
import math
import os
import platform
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from decimal import Decimal
from numbers import Real
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd

from claimbook import results
from claimbook.checks import TERMS, check_choice, shown
from claimbook.code import at_home, failure_of, imported, version_of
from claimbook.command import Command
from claimbook.criteria import Row
from claimbook.csvfile import csv_text
from claimbook.own import own_data
from claimbook.part import Part
from claimbook.registry import Paper
from claimbook.results import Result, recorded
from claimbook.rules import PRINT, Claim, is_number, read_rules
from claimbook.verdicts import judge_stored, parts_behind, read_results, selected

Data = Mapping[str, Any]  # each has name, source, checksums and portion
Experiment = tuple[Paper, Part]


class PartFailed(ValueError):
    """The code of a part failed; ``trace`` shows where, from its own first line on."""

    def __init__(self, sentence: str, trace: str) -> None:
        super().__init__(sentence)
        self.trace = trace


class PartsFailed(ValueError):
    """Some parts of a run failed; the others are stored in ``folder``."""

    def __init__(self, names: Sequence[str], folder: Path) -> None:
        super().__init__(f"failed: {', '.join(names)}; what the other parts measured is stored")
        self.folder = folder


def select_parts(papers: Iterable[Paper], name: str | None = None) -> list[Experiment]:
    """Parts of some papers; one part by its name."""
    experiments = [(paper, part) for paper in papers for part in parts_of(paper).values()]
    if name is not None:
        check_choice("part", name, [part.name for _, part in experiments])
    return [(paper, part) for paper, part in experiments if name in (None, part.name)]


def parts_of(paper: Paper) -> dict[str, Part]:
    """Experiments of a paper by name; the printed numbers are one where they decide alone."""
    decide = any(claim.part == PRINT for claim in read_rules(paper))
    alone = Part(paper.key, PRINT, printed_numbers, fixed={"paper": paper})
    return dict(paper.parts) | ({PRINT: alone} if decide else {})


def printed_numbers(paper: Paper) -> pd.DataFrame:
    """The numbers that a paper prints, as its rules hold them."""
    numbers = [claim for claim in read_rules(paper) if is_number(claim) and not claim.cell.bound]
    rows = [(claim.id, float(claim.number)) for claim in numbers]
    return pd.DataFrame(rows, columns=["id", "value"])


def reproduce(
    experiments: Sequence[Experiment],
    *,
    full: bool = False,
    again: bool = False,
    source: str = "auto",
    say: Callable[[str], None] = print,
) -> Path:
    """Rerun parts, skip those that this machine has finished, and say where the results are.

    A part that fails is told with its traceback, and the others go on.
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
    PartsFailed
        If parts failed, after all others have run.
    ValueError
        If it would be that of a wheel.
    """
    folder = next((paper.stored for paper, _ in experiments), Path())
    if any(p.collection.frozen and folder == p.collection.committed for p, _ in experiments):
        raise ValueError(
            "the results of an installed pplab stay as they came: set PPLAB_RESULTS to a folder of "
            "your own, or add --check, which writes nothing"
        )
    loaded = []
    for paper, part in experiments:
        try:
            loaded.append((paper, part, load_part(paper, part, source=source)))
        except FileNotFoundError as missing:
            if source == "real" or len(experiments) == 1:
                raise
            say(f"{part.paper} {part.name}: left out, {missing}")
    if any(_used_standin(*each) for each in loaded):
        folder = folder.with_name(f"{folder.name}-standin")
    results.clean(folder)
    involved = {paper.key: paper for paper, _, _ in loaded}.values()
    for paper in involved:
        if paper.results and len(commit := results.rules_commit(paper)) != 40:
            remedy = "commit them, or nothing shows that they were fixed before the run"
            say(f"{paper.key}: the rules are in no commit ({commit}): {remedy}")
    failed = []
    try:
        for number, (paper, part, data) in enumerate(loaded, start=1):
            name = f"[{number}/{len(loaded)}] {part.paper} {part.name}"
            standing = "" if again else standing_of(paper, part, data, folder=folder, full=full)
            if standing == "finished":
                say(f"{name}: finished before, nothing to do")
                continue
            if standing == "other rules" and _keeps_verdicts(paper, part, folder):
                say(f"{name}: judged by mended rules; nothing was run, --again runs it under them")
                continue
            elsewhere = f" ({standing})" if standing == _ELSEWHERE else ""
            words = TERMS["sources"][_source_of(paper, part, data)]["runs"]
            say(f"{name}: running on {words}{elsewhere}")
            try:
                result = run_part(paper, part, data, folder=folder, full=full)
            except PartFailed as error:
                say(f"{error.trace}\n{name}: failed, {error}")
                failed.append(part.name)
            else:
                say(f"{name}: {len(result.rules)} claims measured, {result.seconds:g} s")
    finally:  # what is finished has its verdicts, also where the rest is stopped
        for paper in involved:
            away = [p.name for p in parts_of(paper).values() if _is_elsewhere(p, folder)]
            if away:
                say(f"{paper.key}: {_ELSEWHERE}: {', '.join(away)}")
            if folder.resolve() == (paper.results or paper.collection.committed).resolve():
                record(paper, folder)
    if failed:
        folder.mkdir(parents=True, exist_ok=True)  # where none is stored
        raise PartsFailed(failed, folder)
    return folder


def record(paper: Paper, folder: Path) -> None:
    """Write into a paper's history the verdicts that all its stored rows give now.

    Choices are judged over parts, so a run of one part may move verdicts of others. A part that
    measured a claim once, and does no longer, says nothing of it.
    """
    claims = {claim.id: claim for claim in read_rules(paper)}
    stored = read_results(paper, {part for c in claims.values() for part in c.parts}, folder)
    judgements = judge_stored(paper, stored)
    lines = results.read_history(paper)
    last = {line["id"]: (line["hash"], line["verdict"]) for line in lines}
    new = {}  # a rule over two parts has one line
    for part, result in stored.items():
        for name, rule in result.rules.items():
            claim = claims.get(name)
            verdict = judgements[name].verdict if claim and part in claim.parts else "open"
            if claim and verdict != "open" and last.get(name) != (rule, verdict):
                both = result.rules_commit, result.code_commit
                commits = (commit[:12] if len(commit) == 40 else commit for commit in both)
                cells = (name, verdict, rule, *commits, claim.changed)
                new[name] = dict(zip(results.HISTORY, cells, strict=True))
    if new:
        results.write_atomically(paper.history, csv_text(results.HISTORY, [*lines, *new.values()]))


def claims_of(paper: Paper, part: Part) -> list[Claim]:
    """Claims that a part measures."""
    return [claim for claim in read_rules(paper) if part.name in claim.parts and not claim.same_as]


def load_part(paper: Paper, part: Part, *, source: str = "auto") -> Data:
    """Load the data sets of a part; those that are unavailable come as stand-ins."""
    if paper.catalog is not None:
        return {argument: own_data(paper, name) for argument, (name, _) in part.datasets.items()}
    return {name: paper.collection.load(part, name, source) for name in part.datasets}


def _source_of(paper: Paper, part: Part, data: Data) -> str:
    """Source of a part's numbers; one stand-in makes the whole part one."""
    kinds = {dataset.source for dataset in data.values()}
    # a split that the part itself asks for is all that it needs
    if any(data[argument].portion for argument, (_, split) in part.datasets.items() if not split):
        kinds.add("portion")
    if any(data[argument].name == name for argument, (name, _) in part.instead.items()):
        kinds.add("other data")
    if part.substitute:
        kinds.add("substitute")
    if _used_standin(paper, part, data):
        kinds.add("fallback")
    return next((kind for kind in TERMS["sources"] if kind in kinds), "no data")


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

    Raises
    ------
    PartFailed
        If the experiment fails, or gives no table.
    """
    options, is_folder = _options(part, full), paper.results is not None
    seeds = {} if part.seed is None else {"rng": part.seed}
    rules, code = results.rules_commit(paper), results.code_commit(paper)
    hashes = {claim.id: claim.rule_hash for claim in claims_of(paper, part)}
    code_hash = results.code_hash(paper) if is_folder else ""
    notes = [_fingerprint(paper, part, data, full), _governing(paper, part)]
    start, used = time.perf_counter(), _processor_time()
    try:
        with at_home(paper.folder) if is_folder else nullcontext():
            frame = part.experiment(**data, **seeds, **part.fixed, **options)
        seconds, worked = time.perf_counter() - start, _processor_time() - used
        rows = plain_rows(frame)
    except (Exception, SystemExit) as error:  # whatever the code of a paper raises
        place, message, trace = failure_of(error, paper.folder)
        raise PartFailed(f"{place}{message}", trace) from error
    result = Result(
        paper=part.paper,
        part=part.name,
        source=_source_of(paper, part, data),
        seed=part.seed,
        options=options,
        checksums=results.checksums_of(data),
        versions=results.versions(_packages(paper)) if is_folder else results.versions(),
        rules_commit=rules,
        code_commit=code,
        machine=results.machine(),
        code=_experiment_of(paper, part),
        code_hash=code_hash,
        rules=hashes,
        seconds=round(seconds, 1),
        processor_seconds=round(worked, 1),
        rows=rows,
    )
    _store(part, result, folder, notes)
    return result


def _store(part: Part, result: Result, folder: Path, notes: Sequence[str]) -> None:
    """Write a result, with its marker: the place, and the notes on the work and its rules."""
    marker = _marker(part, folder)
    marker.unlink(missing_ok=True)  # before the result changes: a marker never outlives it
    results.write_result(result, folder)
    results.write_atomically(marker, "\n".join([_place(part, folder), *notes]))


def _notes(part: Part, folder: Path) -> list[str]:
    """Place, work and rules of the run that this machine finished; empty where there is none."""
    marker = _marker(part, folder)
    text = marker.read_text(encoding="utf-8", errors="replace") if marker.is_file() else ""
    return text.split("\n") if text.count("\n") == 2 else ["", "", ""]


def _processor_time() -> float:
    """Seconds that this process has used, with its threads and the processes that it waited for."""
    return sum(os.times()[:4])


def _packages(paper: Paper) -> list[str]:
    """Packages on which the numbers of a paper's own folder depend."""
    names = imported(paper.folder) | set(_listed_versions(paper))
    return ["numpy", "scipy", "pandas", "pplab", *sorted(names)]


def _listed_versions(paper: Paper) -> dict[str, str]:
    """Versions of the installed packages that a paper lists as its code."""
    names = [entry for entry in paper.code if not (paper.folder / entry).exists()]
    versions = {package: version_of(package) for package in names}
    for name in names:
        if not versions[name]:
            raise ValueError(
                f"{paper.file}: code lists {name!r}, which is no file or folder there and no "
                f"installed package; correct it, or install the package"
            )
    return versions


def _experiment_of(paper: Paper, part: Part) -> str:
    """File, line, name of an experiment; the file counts from the clone or the paper's folder."""
    experiment = getattr(part.experiment, "func", part.experiment)  # of a partial one
    if isinstance(experiment, Command):
        files = (word for word in experiment.words if (paper.folder / word).is_file())
        return f"{next(files, paper.module)}:1 {' '.join(experiment.words)}"
    if not inspect.isfunction(experiment):
        return ""
    file = Path(inspect.getfile(experiment)).resolve()
    root = paper.folder if paper.results else paper.collection.root
    place = file.relative_to(root) if file.is_relative_to(root) else file.name
    return f"{place}:{inspect.getsourcelines(experiment)[1]} {experiment.__name__}"


_ELSEWHERE = "stored, but not run here"


def standing_of(paper: Paper, part: Part, data: Data, *, folder: Path, full: bool = False) -> str:
    """Relation of a stored result to what would run now; empty where it has to run.

    A full run serves where a plain one is asked for.
    """
    if _is_elsewhere(part, folder):
        return _ELSEWHERE
    _, work, rules = _notes(part, folder)
    stored = results.read_result(part.paper, part.name, folder) if work else None
    if stored is None:
        return ""
    accepted = {_fingerprint(paper, part, data, whole) for whole in {full, True}}
    updated = paper.results and stored.versions != results.versions(stored.versions)
    if work not in accepted or updated:
        return ""
    return "finished" if rules == _governing(paper, part) else "other rules"


def _is_elsewhere(part: Part, folder: Path) -> bool:
    """True if what is stored of a part is not what this machine wrote here."""
    there = results.result_file(part.paper, part.name, folder).is_file()
    return there and _notes(part, folder)[0] != _place(part, folder)


def _keeps_verdicts(paper: Paper, part: Part, folder: Path) -> bool:
    """True if no rule that is another one now ever gave a verdict: then the rows are kept for it.

    The result says that its rules were not there before the run.
    """
    stored = results.read_result(part.paper, part.name, folder)
    rules = {claim.id: claim.rule_hash for claim in claims_of(paper, part)}
    if stored is None or set(rules) != set(stored.rules):
        return False
    gone = set(stored.rules.items()) - set(rules.items())
    if gone & {(line["id"], line["hash"]) for line in results.read_history(paper)}:
        return False
    kept = replace(stored, rules=rules, rules_commit="mended after the run")
    _store(part, kept, folder, [_notes(part, folder)[1], _governing(paper, part)])
    return True


def _options(part: Part, full: bool) -> dict[str, Any]:
    """Options of a run, the experiment's own defaults included and what is fixed left out."""
    parameters = inspect.signature(part.experiment).parameters.values()
    hidden = {"rng", *part.fixed}
    optional = (p for p in parameters if p.default is not p.empty)
    defaults = {p.name: p.default for p in optional if p.name not in hidden}
    return defaults | dict(part.options) | (dict(part.full_options) if full else {})


def _used_standin(paper: Paper, part: Part, data: Data) -> bool:
    """Say whether a stand-in took the place of data that one could have."""
    never = paper.collection.never
    return any(
        d.source == "standin" and not never(d.name) and argument not in part.standins
        for argument, d in data.items()
    )


def _marker(part: Part, folder: Path) -> Path:
    """Note that this machine finished the part: beside the results, never committed."""
    return folder / ".finished" / f"{part.paper}.{part.name}"


def _place(part: Part, folder: Path) -> str:
    """Hash that names this machine, this folder and the result that is stored in it."""
    stored = results.result_file(part.paper, part.name, folder).read_bytes()
    return hashlib.sha256(f"{platform.node()} {folder.resolve()} ".encode() + stored).hexdigest()


def _governing(paper: Paper, part: Part) -> str:
    """Hash of the rules that judge a part."""
    rules = [claim.rule_hash for claim in claims_of(paper, part)]
    return hashlib.sha256(repr(rules).encode()).hexdigest()


def _fingerprint(paper: Paper, part: Part, data: Data, full: bool) -> str:
    """Hash of all that the rows depend on: code, data, versions, settings."""
    facts: list[Any] = [part.paper, part.name, _options(part, full)]
    facts += [_source_of(paper, part, data), results.checksums_of(data)]
    if paper.results:  # what was imported is known after a run only
        facts += [results.code_hash(paper), _listed_versions(paper)]
    else:
        facts.append(results.versions())
    digest = hashlib.sha256(repr(facts).encode())
    for file in paper.collection.behind(paper):
        digest.update(str(file.name).encode() + file.read_bytes())
    return digest.hexdigest()


def plain_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of a measured frame as they are stored and judged; empty cells are left out."""
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"an experiment must give a pandas DataFrame, got {shown(frame)}")
    names = frame.columns.map(str)
    if twice := [*names[names.duplicated()]]:
        raise ValueError(f"an experiment gives columns twice: {', '.join(twice)}; rename one")
    rows = ({str(k): _storable(v) for k, v in row.items()} for row in frame.to_dict("records"))
    return [{k: v for k, v in row.items() if v == v} for row in rows]


def _storable(value: Any) -> Any:
    """A number, to ten digits if it is a small fraction, or text: what else there is, in words."""
    value = value.item() if isinstance(value, np.generic) else value
    if value is None or isinstance(value, (str, bool)):
        return value
    if value is pd.NA or value is pd.NaT:
        return math.nan
    if not isinstance(value, (float, Real, Decimal)):
        return str(value)
    try:
        number = float(value)
    except (OverflowError, ValueError):
        return shown(value)
    whole = value if isinstance(value, int) else number
    # the print of a larger one may be whole
    return whole if number.is_integer() or abs(number) > 1e9 else float(f"{number:.10g}")


# Run again in a scratch folder, to say claim by claim whether the stored result stands. *Same*
# means: each number of the claim's rows lies within a relative 1e-9 of the stored one, of ten
# digits. Where linear algebra underneath moves later digits (its library, its threads), a claim may
# have the *same verdict* on other numbers. *Changed* is another verdict than the recorded one: of
# the run, or of the stored rows themselves, which somebody may have touched. A run with fewer
# repeats than the rule asks for can confirm a verdict; else it is *preliminary*, changing nothing;
# so can one on *other data*, such as a stand-in.


SAME = 1e-9  # relative
_NOTHING = 1e-12  # two numbers below it are both zero
STATES = ("same", "same verdict", "other data", "changed", "preliminary", "no stored verdict")


@dataclass(frozen=True)
class Rerun:
    """Outcome of a claim when its part is run again."""

    id: str
    state: str
    recorded: str  # verdict of the last run, as the history has it
    stored: str  # verdict of the stored rows
    again: str  # verdict of this run
    moved: float  # largest relative difference of a number; inf where other rows came out

    def __str__(self) -> str:
        verdicts = " -> ".join(dict.fromkeys((self.recorded, self.again)))
        if self.stored != self.recorded:
            verdicts += f"; recorded {self.recorded}, the stored rows say {self.stored}"
        moved = f", numbers moved by up to {self.moved:.1g}" if self.moved > SAME else ""
        return f"{self.state:<17}  {self.id}  ({verdicts}{moved})"


def check_again(
    experiments: Sequence[Experiment],
    *,
    only: Collection[str] | None = None,
    source: str = "real",
    full: bool = False,
    say: Callable[[str], None] = print,
) -> list[Rerun]:
    """Run parts again without changing their stored results.

    ``only`` names ids, ``source`` is that of ``load_dataset``; ``say`` is told one line per part
    and one per claim.

    Raises
    ------
    FileNotFoundError
        If a part has no stored result, or its data are not there.
    """
    checks: list[Rerun] = []
    for paper, part in experiments:
        where = paper.stored
        claims = claims_of(paper, part)
        ids = {claim.id for claim in claims}
        stored = read_results(paper, parts_behind(read_rules(paper), ids) | {part.name}, where)
        if part.name not in stored:
            raise FileNotFoundError(
                f"nothing is stored of part {part.name} of {paper.key}; run it without --check"
            )
        before = stored[part.name]
        data = load_part(paper, part, source=source)
        say(f"{paper.key} {part.name}: running; the stored run took {before.seconds:g} s")
        with TemporaryDirectory() as scratch:
            try:
                run = run_part(paper, part, data, folder=Path(scratch), full=full)
            except PartFailed as error:
                say(error.trace)
                raise
        for file in before.checksums:
            if run.checksums.get(file) != before.checksums[file]:
                say(f"{paper.key} {part.name}: {file} is another file than that of the stored run")
        for outcome in compare(paper, claims, stored, run):
            if only is None or outcome.id in only:
                say(str(outcome))
                checks.append(outcome)
    return checks


def compare(
    paper: Paper, claims: Sequence[Claim], stored: Mapping[str, Result], run: Result
) -> Iterator[Rerun]:
    """Compare a run of a part, with all its claims, with the stored results and their record."""
    ids = {claim.id for claim in claims}
    verdicts = recorded(paper)
    stored_rows = judge_stored(paper, stored, only=ids)
    new_rows = judge_stored(paper, {**stored, run.part: run}, only=ids)
    for claim in claims:
        old, kept = verdicts.get(claim.id, "open"), stored_rows[claim.id].verdict
        new = new_rows[claim.id].verdict
        few = new_rows[claim.id].note.startswith("preliminary")
        moved = _largest_change(*(selected(claim, one.rows) for one in (stored[run.part], run)))
        if kept == "open" or old == "open":
            state = "no stored verdict"
        elif kept == old == new:
            state = "same" if moved <= SAME else "same verdict"
        else:
            other = "other data" if run.source != stored[run.part].source else "changed"
            state = ("preliminary" if few else other) if kept == old else "changed"
        yield Rerun(claim.id, state, old, kept, new, moved)


def _largest_change(stored: Sequence[Row], again: Sequence[Row]) -> float:
    """Largest relative difference between numbers of rows that tell the same otherwise."""
    if [_texts(row) for row in stored] != [_texts(row) for row in again]:
        return math.inf
    pairs = ((old[name], new[name]) for old, new in zip(stored, again, strict=True) for name in old)
    return max((_distance(*pair) for pair in pairs if not isinstance(pair[0], str)), default=0.0)


def _texts(row: Row) -> dict[str, object]:
    """Columns of a row, with what they say where that is text; a witness only tells the numbers."""
    columns = {**row, "witness": None}
    return {name: value if isinstance(value, str) else None for name, value in columns.items()}


def _distance(old: float | None, new: float | None) -> float:
    if old is None or new is None or not (math.isfinite(old) and math.isfinite(new)):
        return 0.0 if old == new else math.inf
    largest = max(abs(old), abs(new))
    return abs(old - new) / largest if largest > _NOTHING else 0.0
