"""The ledger as people meet it: a table of published beside measured, a terminal, a page."""

from __future__ import annotations

import difflib
import hashlib
import os
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pplab.ledger.criteria import Printed
from pplab.ledger.registry import Paper, find_paper, papers
from pplab.ledger.results import (
    Result,
    read_history,
    read_result,
    result_file,
    results_folder,
    write_atomically,
)
from pplab.ledger.rules import NUMBER_RULES, PRINT, Claim, printer, published_claims, read_rules
from pplab.ledger.verdicts import VERDICTS, Judgement, folded, judge

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Entry:
    """One claim with its judgement, the stored result behind it, and its history."""

    claim: Claim
    judgement: Judgement
    result: Result | None
    history: tuple[Mapping[str, str], ...] = ()

    @property
    def first_verdict(self) -> str:
        """The verdict that the claim had when it was first measured."""
        return self.history[0]["verdict"] if self.history else ""


def claims(*, paper: str | Path | None = None, folder: str | Path | None = None) -> pd.DataFrame:
    """The claims ledger: every published number and statement beside what this code measured.

    Parameters
    ----------
    paper : str or path, optional
        Key of a paper, or a folder that holds one (``paper.toml``); by default all papers of this
        project.
    folder : path, optional
        Folder of stored results; by default those of the project, or of the paper's folder.

    Returns
    -------
    DataFrame
        One row per claim; columns id, paper, kind, place, setting, published, measured, source,
        rule, tolerance, criterion, reading, verdict, first_verdict, same_as, part, note, changed,
        seed, versions, code_commit, rules_commit, seconds. The verdict is computed from the stored
        measurement by the committed rule each time this is called.

    Raises
    ------
    FileNotFoundError
        If there is no folder of results; then nothing can be said of any claim.
    TypeError
        If the folder is no path.
    ValueError
        If a stored result cannot be read, or does not hold what its claims need; the sentence
        names the file.

    References
    ----------
    The papers' DOIs stand in docs and README; the rules in ``pplab/ledger/published``.

    Examples
    --------
    >>> ledger = claims()
    >>> "noise-graphs" in set(ledger.paper)
    True
    >>> ledger.id.is_unique
    True
    """
    import pandas as pd

    return pd.DataFrame([_row(entry) for entry in judged_claims(paper, folder=folder)])


def judged_claims(
    paper: str | Path | None = None,
    *,
    folder: str | Path | None = None,
    only: Collection[str] | None = None,
) -> list[Entry]:
    """Each claim with its judgement, the stored result behind it and its history.

    ``only`` names ids: then their parts alone are read and judged.
    """
    if folder is not None and not isinstance(folder, (str, os.PathLike)):
        raise TypeError(f"folder must be a path, got {type(folder).__name__}; pass a str or Path")
    chosen = list(papers().values()) if paper is None else [find_paper(paper)]
    return [entry for each in chosen for entry in _entries(each, folder, only)]


def _entries(
    paper: Paper, folder: str | Path | None, only: Collection[str] | None
) -> Iterator[Entry]:
    where = Path(folder) if folder is not None else paper.results or results_folder()
    if not where.is_dir():
        raise FileNotFoundError(
            f"there is no folder of results {where}; measure first: pplab reproduce"
        )
    rules = read_rules(paper)
    wanted = {claim.id for claim in rules if only is None or claim.id in only}
    asked = wanted | {claim.same_as for claim in rules if claim.id in wanted}
    needed = {claim.part for claim in rules if claim.id in asked}
    judged: dict[str, Judgement] = {}
    stored: dict[str, Result | None] = {}
    for part in needed:
        mine = [claim for claim in rules if claim.part == part]
        stored[part] = read_result(paper.key, part, where) if part not in ("", PRINT) else None
        judged |= _judged(mine, stored[part], printer(rules), result_file(paper.key, part, where))
    judged = folded(judged, [claim for claim in rules if claim.id in wanted])
    parts = {claim.id: claim.part for claim in rules}
    history: dict[str, list[Mapping[str, str]]] = defaultdict(list)
    for line in read_history(paper):
        history[line["id"]].append(line)
    for claim in rules:
        if claim.id in wanted:
            result = stored.get(parts.get(claim.same_as, claim.part))
            yield Entry(claim, judged[claim.id], result, tuple(history[claim.id]))


def _judged(
    claims: Sequence[Claim], result: Result | None, printed: Printed, file: Path
) -> dict[str, Judgement]:
    """Verdicts of a part; a rule that is not the one of the run has none."""
    rows, source = (result.rows, result.source) if result else (None, "no data")
    stale = [claim for claim in claims if result and _changed(claim, result)]
    try:
        found = judge([c for c in claims if c not in stale], rows, source, printed)
    except (LookupError, ValueError) as error:
        raise ValueError(f"{file} does not hold what its claims need: {error}") from error
    try:  # the measured values of a run under the first version of its rules
        old = judge(stale, rows, source, printed)
    except (LookupError, ValueError):
        old = {}
    for claim in stale:
        assert result is not None  # else nothing is stale
        changed = Judgement("open", note="rule changed, not yet run")
        found[claim.id] = _before(claim, result, old) or changed
    return found


def _before(claim: Claim, result: Result, found: Mapping[str, Judgement]) -> Judgement | None:
    """The verdict of a run under the first version of the rules, until its paper is run again."""
    readings = " | ".join(claim.readings)
    parts = (claim.id, claim.published, claim.rule, claim.part, claim.select, readings)
    stored = result.rules.get(claim.id, {})
    if stored.get("hash") != hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]:
        return None
    now = found.get(claim.id, Judgement("open"))
    return replace(now, verdict=stored["verdict"], note="judged by the first version of its rule")


def _changed(claim: Claim, result: Result) -> bool:
    return (
        claim.rule != "not-testable"
        and not claim.same_as
        and result.rules.get(claim.id, {}).get("hash") != claim.rule_hash
    )


def _rerun_command(claim: Claim) -> str:
    """Command that measures a claim again; empty while nothing does."""
    return f"pplab reproduce {claim.paper} --part {claim.part} --again" if claim.part else ""


def _row(entry: Entry) -> dict[str, object]:
    claim, judgement, result = entry.claim, entry.judgement, entry.result
    decided = result if judgement.verdict not in ("open", "not-testable") else None
    return {
        "id": claim.id,
        "paper": claim.paper,
        "kind": claim.kind,
        "place": claim.place,
        "setting": claim.setting,
        "published": claim.published,
        "measured": judgement.measured,
        "source": decided.source if decided else "",
        "rule": claim.rule,
        "tolerance": claim.interval[1] if claim.rule in NUMBER_RULES else None,
        "criterion": claim.criterion,
        "reading": judgement.reading,
        "verdict": judgement.verdict,
        "first_verdict": entry.first_verdict,
        "same_as": claim.same_as,
        "part": claim.part,
        "note": ". ".join(filter(None, (claim.note, judgement.note, judgement.joint))),
        "changed": claim.changed,
        "seed": decided.seed if decided else None,
        "versions": _versions(decided) if decided else "",
        "code_commit": decided.code_commit if decided else "",
        "rules_commit": decided.rules_commit if decided else "",
        "seconds": decided.seconds if decided else None,
    }


def _versions(result: Result) -> str:
    return ", ".join(f"{name} {version}" for name, version in result.versions.items())


# On a terminal: a line per claim, or one claim with all that is known of it.


def table_lines(ledger: pd.DataFrame) -> Iterator[str]:
    """One line per claim: id, published, measured, verdict."""
    widths = {"published": 26, "measured": 22, "verdict": 24}
    for row in ({name: name for name in ("id", *widths)}, *ledger.to_dict("records")):
        cells = [_cut(row[name], width).ljust(width) for name, width in widths.items()]
        yield "  ".join([row["id"].ljust(52), *cells]).rstrip()


def count_line(ledger: pd.DataFrame) -> str:
    """How many rows have which verdict."""
    counts = Counter(ledger["verdict"])
    present = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])
    return f"{len(ledger)} claims: {present}"


def claim_lines(claim_id: str, *, folder: str | Path | None = None) -> Iterator[str]:
    """All that is known of one claim, with the command that measures it again.

    Raises
    ------
    LookupError
        If there is no such claim; the sentence names the closest ones.
    """
    known = [claim.id for claim in published_claims()]
    if claim_id not in known:
        close = difflib.get_close_matches(claim_id, known, n=3, cutoff=0.3)
        hint = f"; perhaps {', '.join(close)}" if close else ""
        raise LookupError(f"there is no claim {claim_id!r}{hint}; `pplab claims` lists all")
    (entry,) = judged_claims(folder=folder, only=[claim_id])
    claim, judgement, result = entry.claim, entry.judgement, entry.result
    facts = {
        "id": claim.id,
        "place": f"{claim.paper}, {claim.place}",
        "setting": claim.setting,
        "published": claim.published,
        "measured": judgement.measured,
        "verdict": f"{judgement.verdict}: {VERDICTS[judgement.verdict]}",
        "rule": f"{claim.rule}, {_allowed(claim)} and 3 standard errors of both sides"
        if claim.rule in ("rounded", "truncated")
        else claim.rule,
        "criterion": claim.criterion,
        "rule hash": claim.rule_hash,
        "changed": claim.changed,
        "first": entry.first_verdict,
        "note": ". ".join(filter(None, (claim.note, judgement.note))),
        "readings": judgement.joint,
    }
    if result and judgement.measured:
        facts |= {"source": result.source, "seed": str(result.seed), "versions": _versions(result)}
        facts |= {"rules of": result.rules_commit, "code of": result.code_commit}
        facts |= {"again": _rerun_command(claim), "seconds": f"{result.seconds:g}"}
    yield from (f"{name + ':':<11} {text}" for name, text in facts.items() if text)
    yield from (f"{'tried:':<11} {trial}" for trial in judgement.trials)


def _allowed(claim: Claim) -> str:
    """Misfit allowed by the printed digits."""
    low, high = claim.interval
    return f"± {high:g}" if low == -high else f"{low:g} to {high:+g}"


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 3].rstrip()}..."


# As one HTML page that opens without a network, sorts and filters.

_SOURCES = {
    "real": "Measured rows come from real data or need none, unless their source says otherwise.",
    "standin": "STAND-IN DATA: rows that need data were measured on a generated stand-in.",
}


def write_page(
    file: str | Path, *, paper: str | Path | None = None, folder: str | Path | None = None
) -> Path:
    """Write the ledger page.

    Parameters
    ----------
    file : path
        The HTML file to write.
    paper : str or path, optional
        One paper, or a folder that holds one; by default all papers of this project.
    folder : path, optional
        Folder of stored results; by default those of the project.

    Returns
    -------
    Path
        The file.
    """
    return write_atomically(Path(file), render_page(paper, folder=folder))


def render_page(paper: str | Path | None = None, *, folder: str | Path | None = None) -> str:
    """Give the ledger as the text of one self-contained HTML page."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    entries = judged_claims(paper, folder=folder)
    page = Environment(
        loader=PackageLoader("pplab.ledger", "report"),
        autoescape=True,  # all that comes out of a result or a rule is text
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    ).get_template("page.html")
    real = any(entry.result and entry.result.source == "real" for entry in entries)
    return page.render(
        entries=entries,
        source=_SOURCES["real" if real else "standin"],
        counts=Counter(entry.judgement.verdict for entry in entries),
        papers=sorted({entry.claim.paper for entry in entries}),
        verdicts=VERDICTS,
        number_rules=NUMBER_RULES,
        allowed=_allowed,
        versions=_versions,
        rerun_command=_rerun_command,
    )
