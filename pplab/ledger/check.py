"""Run parts again in a scratch folder and say, claim by claim, whether the stored result stands.

*Same* means: each number of the claim's rows lies within a relative 1e-9 of the stored one, which
has ten digits. Where linear algebra underneath moves later digits (its library, its threads), a
claim may have the *same verdict* on other numbers; *changed* is another verdict. A run with fewer
repeats than the rule asks for can confirm a verdict; else it is *preliminary* and changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from pplab.ledger.criteria import Printed, Row, matches
from pplab.ledger.reproduce import Experiment, claims_of, load_part, run_part
from pplab.ledger.results import Result, read_result, results_folder
from pplab.ledger.rules import Claim, printer, read_rules
from pplab.ledger.verdicts import judge

SAME = 1e-9  # relative
_NOTHING = 1e-12  # two numbers below it are both zero
STATES = ("same", "same verdict", "changed", "preliminary", "no stored verdict")


@dataclass(frozen=True)
class Check:
    """How a claim fares when its part is run again."""

    id: str
    state: str
    stored: str  # verdict
    found: str
    moved: float  # largest relative difference of a number; inf where other rows came out

    def __str__(self) -> str:
        verdicts = self.found if self.stored == self.found else f"{self.stored} -> {self.found}"
        moved = f", numbers moved by up to {self.moved:.1g}" if self.moved > SAME else ""
        return f"{self.state:<17}  {self.id}  ({verdicts}{moved})"


def check(
    experiments: Sequence[Experiment],
    *,
    only: Collection[str] | None = None,
    folder: Path | None = None,
    source: str = "real",
    full: bool = False,
    say: Callable[[str], None] = print,
) -> list[Check]:
    """Run parts again beside their stored results, which stay as they are.

    ``only`` names ids, ``folder`` holds the stored results, ``source`` is that of ``load_dataset``;
    ``say`` is told one line per part and one per claim.

    Raises
    ------
    FileNotFoundError
        If a part has no stored result, or its data are not there.
    """
    found: list[Check] = []
    for paper, part in experiments:
        stored = read_result(paper.key, part.name, folder or paper.results or results_folder())
        if stored is None:
            raise FileNotFoundError(
                f"nothing is stored of part {part.name} of {paper.key}; run it without --check"
            )
        data = load_part(part, source=source, paper=paper)
        say(f"{paper.key} {part.name}: running; the stored run took {stored.seconds:g} s")
        with TemporaryDirectory() as scratch:
            run = run_part(paper, part, data, folder=Path(scratch), full=full)
        for file in stored.checksums:
            if run.checksums.get(file) != stored.checksums[file]:
                say(f"{paper.key} {part.name}: {file} is another file than that of the stored run")
        for each in compare(claims_of(paper, part), stored, run, printer(read_rules(paper))):
            if only is None or each.id in only:
                say(str(each))
                found.append(each)
    return found


def compare(
    claims: Sequence[Claim], stored: Result, run: Result, printed: Printed
) -> Iterator[Check]:
    """Hold a run of a part, with all its claims, against the stored one."""
    some = judge([replace(each, repeats="") for each in claims], run.rows, run.source, printed)
    for claim in claims:
        before = stored.rules.get(claim.id, {})
        old, now = before.get("verdict", "open"), some[claim.id].verdict
        short = run.rules[claim.id]["verdict"] == "open"  # fewer runs than the rule asks for
        rows = ([r for r in each.rows if matches(r, claim.conditions)] for each in (stored, run))
        moved = _moved(*rows)
        if before.get("hash") != claim.rule_hash or old == "open":
            state = "no stored verdict"
        elif now == old:
            state = "same" if moved <= SAME else "same verdict"
        else:
            state = "preliminary" if short else "changed"
        yield Check(claim.id, state, old, now, moved)


def _moved(stored: Sequence[Row], found: Sequence[Row]) -> float:
    """Largest relative difference between numbers of rows that tell the same otherwise."""
    if [_texts(row) for row in stored] != [_texts(row) for row in found]:
        return math.inf
    pairs = ((old[name], new[name]) for old, new in zip(stored, found, strict=True) for name in old)
    return max((_distance(*pair) for pair in pairs if not isinstance(pair[0], str)), default=0.0)


def _texts(row: Row) -> dict[str, object]:
    """Columns of a row, with what they say where that is text; a witness only tells the numbers."""
    columns = {**row, "witness": None}
    return {name: each if isinstance(each, str) else None for name, each in columns.items()}


def _distance(old: float | None, new: float | None) -> float:
    if old is None or new is None or not (math.isfinite(old) and math.isfinite(new)):
        return 0.0 if old == new else math.inf
    largest = max(abs(old), abs(new))
    return abs(old - new) / largest if largest > _NOTHING else 0.0
