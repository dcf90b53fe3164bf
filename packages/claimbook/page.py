"""The ledger as one HTML page that opens without a network: it finds, sorts, filters, exports."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from claimbook import find, results, views
from claimbook.charts import charts_of
from claimbook.registry import Paper
from claimbook.results import Result
from claimbook.rules import NUMBER_RULES, Claim, read_signatures
from claimbook.terminal import COUNTED
from claimbook.verdicts import VERDICTS
from claimbook.views import JudgedClaim

_LONG = 80  # characters of a measured text that is shown once only
_SHORT = 30  # characters of a note that is repeated


def write_page(
    file: str | Path, papers: Sequence[Paper], *, folder: str | Path | None = None
) -> Path:
    """Write the ledger page.

    Parameters
    ----------
    file : path
        The HTML file to write.
    papers : sequence of Paper
    folder : path, optional
        Folder of stored results; by default those of the papers.

    Returns
    -------
    Path
        The file.
    """
    near = Path(file).resolve().parent
    page = render_page(papers, folder=folder, near=near)
    return results.write_atomically(Path(file), page)


def render_page(
    papers: Sequence[Paper],
    *,
    folder: str | Path | None = None,
    near: Path | None = None,
    used: Mapping[str, Sequence[tuple[str, str]]] | None = None,
) -> str:
    """Give the ledger as the text of one self-contained HTML page.

    ``near`` is the folder in which it will lie: links to the code count from there. In a book,
    ``used`` has for an id the places in the book that use the row, each as its name and address.
    """
    entries = views.judged_claims(papers, folder=folder)
    measured = {entry.result.source for entry in entries if entry.result}
    kinds = [k for k in COUNTED if any(entry.kind == k for entry in entries)]
    slips = views.by_slip(entries)
    return _template().render(
        sections=[_section(article, entries, near or Path.cwd()) for article in papers],
        standin="standin" in measured and "real" not in measured,
        evidence=list(views.evidence(entries)),
        counts=views.totals(entries),
        totals={k: Counter(e.judgement.verdict for e in entries if e.kind == k) for k in kinds},
        groups=views.GROUPS,
        fails={"rows": sum(1 + more for _, more in slips), "slips": len(slips)},
        find=find,
        results=results,
        views=views,
        kinds=COUNTED,
        verdicts=VERDICTS,
        number_rules=NUMBER_RULES,
        used=used or {},
    )


@cache
def _template() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("claimbook", "report"),
        autoescape=True,  # all that comes out of a result or a rule is text
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    ).get_template("page.html")


def _address(paper: Paper, result: Result, near: Path) -> str:
    """Link from the page to the experiment that a part ran."""
    if not result.code:
        return ""
    root = paper.file.parent if paper.results else paper.collection.root
    code = result.code if paper.results else paper.collection.place(result.code)
    file, _, line = code.partition(" ")[0].rpartition(":")
    return f"{os.path.relpath(root / file, near)}#L{line}"


def _section(paper: Paper, entries: Sequence[JudgedClaim], near: Path) -> dict[str, Any]:
    """All that the page shows of one paper."""
    own_entries = [entry for entry in entries if entry.paper.key == paper.key]
    texts: dict[str, Claim] = {}
    joints: dict[str, tuple[int, str]] = {}
    runs: dict[str, tuple[Result, str]] = {}
    for entry in own_entries:
        texts.setdefault(entry.judgement.measured, entry.claim)
        for joint in entry.judgement.joints:
            joints.setdefault(joint.name, (len(joints), str(joint)))
        if entry.result and entry.part not in runs:
            runs[entry.part] = entry.result, _address(paper, entry.result, near)
    notes = Counter(
        text
        for row in own_entries
        for text in (row.claim.note, row.claim.changed, views.remark(row.judgement))
    )
    often = (text for text, count in notes.items() if count > 1 and len(text) > _SHORT)
    count = Counter(e.judgement.verdict for e in own_entries if e.kind in ("number", "statement"))
    check = views.rerun_command(own_entries[0], check=True)
    return {
        "paper": paper,
        "entries": own_entries,
        "bar": {name: sum(map(count.__getitem__, group)) for name, group in views.GROUPS.items()},
        "charts": charts_of(own_entries),
        "joints": joints,  # choices of a group -> number and words of their test
        "runs": runs,  # part -> result, address of its code
        "again": {entry.part: views.rerun_command(entry) for entry in own_entries},
        "check": check.partition(f" {own_entries[0].claim.id} ")[0],  # before id and --check
        "shared": {text: number for number, text in enumerate(often, start=1)},
        "signatures": read_signatures(paper),  # id -> hashed stems of the sentence it restates
        # id -> the first row that has its long text
        "firsts": {
            row.claim.id: first
            for row in own_entries
            if len(text := row.judgement.measured) > _LONG and (first := texts[text]) != row.claim
        },
    }
