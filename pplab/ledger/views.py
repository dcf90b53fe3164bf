"""The ledger as people meet it: a table of published beside measured, a terminal, a page."""

from __future__ import annotations

import difflib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from html import escape
from importlib import resources
from pathlib import Path

import pandas as pd

from pplab.ledger.results import Result, read_result, results_folder, write_atomically
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
    ValueError
        If a stored result cannot be read.

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
    rows = [_row(*entry) for entry in judged_claims(folder=folder)]
    return pd.DataFrame(rows)


def judged_claims(*, folder: str | Path | None = None) -> list[_Entry]:
    """Each claim with its judgement and the stored result behind it."""
    where = Path(folder) if folder else results_folder()
    if not where.is_dir():
        raise FileNotFoundError(
            f"there is no folder of results {where}; measure first: pplab reproduce"
        )

    @cache
    def result_of(paper: str, part: str) -> Result | None:
        return read_result(paper, part, where) if part else None

    @cache
    def frame_of(paper: str, part: str) -> pd.DataFrame | None:
        result = result_of(paper, part)
        return None if result is None else result.frame

    entries: list[_Entry] = []
    for claim in published_claims():
        result = result_of(claim.paper, claim.part)
        if result and result.rules.get(claim.id, {}).get("hash") != claim.rule_hash:
            stale = Judgement("open", note="the rule is not the one of the run: rerun the part")
            entries.append((claim, stale, None))
            continue
        source = result.source if result else ""
        entries.append((claim, judge(claim, frame_of(claim.paper, claim.part), source), result))
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
    columns = ["id", "published", "measured", "verdict"]
    widths = {"id": 52, "published": 26, "measured": 22, "verdict": 24}
    yield "  ".join(name.ljust(widths[name]) for name in columns).rstrip()
    for row in ledger[columns].to_dict("records"):
        cells = [_cut(row[c], widths[c]) for c in columns[1:]]
        padded = [cell.ljust(widths[c]) for c, cell in zip(columns[1:], cells, strict=True)]
        yield "  ".join([row["id"].ljust(widths["id"]), *padded]).rstrip()


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
    if claim.rule == "truncated":
        return f"0 to +{claim.tolerance:g}"
    return f"± {claim.tolerance:g}"


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
    entries = judged_claims(folder=folder)
    counts = Counter(judgement.verdict for _, judgement, _ in entries)
    real = any(result and result.source == "real" for _, _, result in entries)
    present = [verdict for verdict in VERDICTS if counts[verdict]]
    pieces = {
        "source": _SOURCES["real" if real else "standin"],
        "counts": "\n".join(
            f'<li><button type="button" value="{v}" aria-pressed="false">{counts[v]} {v}</button>'
            "</li>"
            for v in present
        ),
        "papers": _options(sorted({claim.paper for claim, _, _ in entries})),
        "verdicts": _options(present),
        "rows": "\n".join(_page_row(*entry) for entry in entries),
        "meanings": "\n".join(
            f"<dt>{_badge(v)}</dt><dd>{escape(meaning)}.</dd>" for v, meaning in VERDICTS.items()
        ),
    }
    template = resources.files("pplab.ledger") / "report" / "page.html"
    text = template.read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: pieces[match[1]], text)


def _options(names: Iterable[str]) -> str:
    return "".join(f'<option value="{name}">{name}</option>' for name in names)


def _badge(verdict: str) -> str:
    return f'<span class="verdict" data-verdict="{verdict}">{verdict}</span>'


def _page_row(claim: Claim, judgement: Judgement, result: Result | None) -> str:
    number = claim.rule in NUMBER_RULES
    source = result.source if result and judgement.measured else ""
    cells = [
        f"<td>{escape(claim.paper)}</td>",
        f"<td>{escape(claim.place)}</td>",
        f"<td>{escape(claim.setting)}</td>",
        _value_cell(claim.published, number),
        _value_cell(judgement.measured, number),
        f"<td>{escape(source)}</td>",
        f"<td>{_badge(judgement.verdict)}{_details(claim, judgement, result)}</td>",
    ]
    attributes = f'id="{escape(claim.id)}" data-paper="{claim.paper}"'
    return f'<tr {attributes} data-verdict="{judgement.verdict}">{"".join(cells)}</tr>'


def _value_cell(text: str, number: bool) -> str:
    if not number:
        return f"<td>{escape(text)}</td>"
    plain = text.replace(",", "").split(" ")[0]
    return f'<td class="number" data-sort="{escape(plain)}">{escape(text)}</td>'


def _details(claim: Claim, judgement: Judgement, result: Result | None) -> str:
    lines = [f"<code>{escape(claim.id)}</code>", f"rule: {claim.rule}{_tolerance(claim)}"]
    lines += [escape(str(trial)) for trial in judgement.trials]
    if judgement.table:
        lines.append(escape(judgement.table))
    if not judgement.trials and judgement.note:
        lines.append(escape(judgement.note))
    if claim.note:
        lines.append(escape(claim.note))
    if result and judgement.measured:
        lines.append(f"seed {result.seed}; {escape(_versions(result))}; {result.seconds:g} s")
        lines.append(f"again: <code>{escape(_rerun_command(claim))}</code>")
    items = "".join(f"<li>{line}</li>" for line in lines)
    return f"<details><summary>Details</summary><ul>{items}</ul></details>"


def _tolerance(claim: Claim) -> str:
    if claim.rule not in NUMBER_RULES or not claim.tolerance:
        return ""
    return f", {_allowed(claim)} and three standard errors of both sides"
