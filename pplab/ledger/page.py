"""The ledger as one HTML page that opens without a network, sorts and filters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from html import escape
from importlib import resources
from pathlib import Path

from pplab.ledger.ledger import judged_claims, rerun_command
from pplab.ledger.published import NUMBER_RULES, Claim
from pplab.ledger.results import Result, write_atomically
from pplab.ledger.text import tolerance_text
from pplab.ledger.verdicts import VERDICTS, Judgement

__all__ = ["render_page", "write_page"]

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
        "rows": "\n".join(_row(*entry) for entry in entries),
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


def _row(claim: Claim, judgement: Judgement, result: Result | None) -> str:
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
        versions = ", ".join(f"{name} {version}" for name, version in result.versions.items())
        lines.append(f"seed {result.seed}; {escape(versions)}; {result.seconds:g} s")
        lines.append(f"again: <code>{escape(rerun_command(claim))}</code>")
    items = "".join(f"<li>{line}</li>" for line in lines)
    return f"<details><summary>Details</summary><ul>{items}</ul></details>"


def _tolerance(claim: Claim) -> str:
    if claim.rule not in NUMBER_RULES or not claim.tolerance:
        return ""
    return f", {tolerance_text(claim)} and three standard errors of both sides"
