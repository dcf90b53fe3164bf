"""The ledger as people meet it: a table of published beside measured, a terminal, a page."""

from __future__ import annotations

import difflib
import os
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd

from pplab.ledger.results import Result, read_result, result_file, results_folder, write_atomically
from pplab.ledger.rules import NUMBER_RULES, VERDICTS, Claim, Judgement, judge, published_claims

_Entry = tuple[Claim, Judgement, Result | None]


def claims(*, folder: str | Path | None = None) -> pd.DataFrame:
    """The claims ledger: every published number and statement beside what this code measured.

    Parameters
    ----------
    folder : path, optional
        Folder of stored results; by default those of the project.

    Returns
    -------
    DataFrame
        One row per claim; columns id, paper, place, setting, published, measured, source, rule,
        tolerance, verdict, note, seed, versions. The verdict is computed from the stored
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
    return pd.DataFrame([_row(*entry) for entry in judged_claims(folder=folder)])


def judged_claims(*, folder: str | Path | None = None) -> list[_Entry]:
    """Each claim with its judgement and the stored result behind it."""
    if folder is not None and not isinstance(folder, (str, os.PathLike)):
        raise TypeError(f"folder must be a path, got {type(folder).__name__}; pass a str or Path")
    where = results_folder() if folder is None else Path(folder)
    if not where.is_dir():
        raise FileNotFoundError(
            f"there is no folder of results {where}; measure first: pplab reproduce"
        )

    parts = {(claim.paper, claim.part) for claim in published_claims() if claim.part}
    stored = {part: read_result(*part, where) for part in sorted(parts)}
    frames = {part: result.frame for part, result in stored.items() if result}
    entries: list[_Entry] = []
    for claim in published_claims():
        result = stored.get((claim.paper, claim.part))
        if result and result.rules.get(claim.id, {}).get("hash") != claim.rule_hash:
            stale = Judgement("open", note="the rule is not the one of the run: rerun the part")
            entries.append((claim, stale, None))
            continue
        source = result.source if result else ""
        try:
            judgement = judge(claim, frames.get((claim.paper, claim.part)), source)
        except (LookupError, ValueError) as error:
            file = result_file(claim.paper, claim.part, where)
            raise ValueError(f"{file} does not hold what its claims need: {error}") from error
        entries.append((claim, judgement, result))
    return _with_joint_readings(entries)


def _with_joint_readings(entries: list[_Entry]) -> list[_Entry]:
    """Say on each row with several readings how many rows of its table each reading fits.

    Rows are judged one at a time; a reader must see whether one reading serves them all.
    """
    tables: dict[tuple[str, ...], list[Judgement]] = defaultdict(list)
    for claim, judgement, _ in entries:
        if len(judgement.trials) > 1:
            tables[claim.paper, claim.place, claim.readings].append(judgement)

    def joint(claim: Claim, judgement: Judgement) -> Judgement:
        rows = tables.get((claim.paper, claim.place, claim.readings), [])
        if len(judgement.trials) < 2 or len(rows) < 2:
            return judgement
        fits = Counter(trial.reading for row in rows for trial in row.trials if trial.fits)
        counts = "; ".join(f"{name}: {fits[name]}" for name in claim.reading_names)
        told = f"Of the {len(rows)} such rows of {claim.place} each reading fits so many: {counts}"
        return replace(judgement, note=f"{judgement.note}. {told}", table=told)

    return [(claim, joint(claim, judgement), result) for claim, judgement, result in entries]


def _rerun_command(claim: Claim) -> str:
    """Command that measures a claim again; empty while nothing does."""
    return f"pplab reproduce {claim.paper} --part {claim.part} --again" if claim.part else ""


def _row(claim: Claim, judgement: Judgement, result: Result | None) -> dict[str, object]:
    decided = result is not None and judgement.verdict not in ("open", "not-testable")
    return {
        "id": claim.id,
        "paper": claim.paper,
        "place": claim.place,
        "setting": claim.setting,
        "published": claim.published,
        "measured": judgement.measured,
        "source": result.source if result and decided else "",
        "rule": claim.rule,
        "tolerance": claim.tolerance if claim.rule in NUMBER_RULES else None,
        "verdict": judgement.verdict,
        "note": ". ".join(filter(None, (claim.note, judgement.note))),
        "seed": result.seed if result and decided else None,
        "versions": _versions(result) if result and decided else "",
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
    entries = {entry[0].id: entry for entry in judged_claims(folder=folder)}
    if claim_id not in entries:
        close = difflib.get_close_matches(claim_id, entries, n=3, cutoff=0.3)
        hint = f"; perhaps {', '.join(close)}" if close else ""
        raise LookupError(f"there is no claim {claim_id!r}{hint}; `pplab claims` lists all")
    claim, judgement, result = entries[claim_id]
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
        "rule hash": claim.rule_hash,
        "note": claim.note,
        "readings": judgement.table,
    }
    if result and judgement.measured:
        facts |= {"source": result.source, "seed": str(result.seed), "versions": _versions(result)}
        facts |= {"rules of": result.rules_commit, "again": _rerun_command(claim)}
    yield from (f"{name + ':':<11} {text}" for name, text in facts.items() if text)
    yield from (f"{'tried:':<11} {trial}" for trial in judgement.trials)


def _allowed(claim: Claim) -> str:
    """Misfit allowed by the printed digits: to both sides, or upwards where they were cut off."""
    sides = "0 to +" if claim.rule == "truncated" else "± "
    return f"{sides}{claim.tolerance:g}"


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 3].rstrip()}..."


# As one HTML page that opens without a network, sorts and filters.

_SOURCES = {
    "real": "Measured rows come from real data or need none, unless their source says otherwise.",
    "standin": "STAND-IN DATA: rows that need data were measured on a generated stand-in.",
}


def write_page(file: str | Path, *, folder: str | Path | None = None) -> Path:
    """Write the ledger page.

    Parameters
    ----------
    file : path
        The HTML file to write.
    folder : path, optional
        Folder of stored results; by default those of the project.

    Returns
    -------
    Path
        The file.
    """
    return write_atomically(Path(file), render_page(folder=folder))


def render_page(*, folder: str | Path | None = None) -> str:
    """Give the ledger as the text of one self-contained HTML page."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    entries = judged_claims(folder=folder)
    page = Environment(
        loader=PackageLoader("pplab.ledger", "report"),
        autoescape=True,  # all that comes out of a result or a rule is text
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    ).get_template("page.html")
    real = any(result and result.source == "real" for _, _, result in entries)
    return page.render(
        entries=entries,
        source=_SOURCES["real" if real else "standin"],
        counts=Counter(judgement.verdict for _, judgement, _ in entries),
        papers=sorted({claim.paper for claim, _, _ in entries}),
        verdicts=VERDICTS,
        number_rules=NUMBER_RULES,
        allowed=_allowed,
        versions=_versions,
        rerun_command=_rerun_command,
    )
