"""The ledger as one HTML page that opens without a network, sorts, filters and exports."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from pplab.ledger.results import write_atomically
from pplab.ledger.rules import NUMBER_RULES
from pplab.ledger.verdicts import VERDICTS
from pplab.ledger.views import allowed, judged_claims, rerun_command, versions

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
        allowed=allowed,
        versions=versions,
        rerun_command=rerun_command,
    )
