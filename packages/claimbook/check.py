"""Run parts again in a scratch folder and say, claim by claim, whether the stored result stands.

*Same* means: each number of the claim's rows lies within a relative 1e-9 of the stored one, which
has ten digits. Where linear algebra underneath moves later digits (its library, its threads), a
claim may have the *same verdict* on other numbers. *Changed* is another verdict than the recorded
one: of the run, or of the stored rows themselves, which somebody may have touched. A run with fewer
repeats than the rule asks for can confirm a verdict; else it is *preliminary* and changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from claimbook.criteria import Row
from claimbook.registry import Paper
from claimbook.reproduce import Experiment, PartFailed, claims_of, load_part, run_part
from claimbook.results import Result, recorded
from claimbook.rules import Claim, read_rules
from claimbook.verdicts import judge_stored, parts_behind, read_results, selected

SAME = 1e-9  # relative
_NOTHING = 1e-12  # two numbers below it are both zero
STATES = ("same", "same verdict", "changed", "preliminary", "no stored verdict")


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
        rows = (selected(claim, result.rows) for result in (stored[run.part], run))
        moved = _largest_change(*rows)
        if kept == "open" or old == "open":
            state = "no stored verdict"
        elif kept == old == new:
            state = "same" if moved <= SAME else "same verdict"
        else:
            state = "preliminary" if few and kept == old else "changed"
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
