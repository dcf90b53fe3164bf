"""The ledger as one HTML page that opens without a network: it finds, sorts, filters, exports."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from claimbook import export, find, results, views
from claimbook.charts import Chart, charts_of
from claimbook.checks import COLOURS
from claimbook.registry import NONE, Collection, Paper
from claimbook.results import Result
from claimbook.rules import NUMBER_RULES, Claim, read_signatures
from claimbook.terminal import COUNTED
from claimbook.verdicts import VERDICTS
from claimbook.views import JudgedClaim

_SOURCES = {
    "real": "Measured rows come from real data or need none, unless their source says otherwise.",
    "standin": "STAND-IN DATA: rows that need data were measured on a generated stand-in.",
}
_LONG = 80  # characters of a measured text that is shown once only
_SHORT = 30  # characters of a note that is repeated


_PAPERS_OWN = ("number", "statement")
_GROUPS = {
    "stands": ("reproduced", "holds"),
    "in another world": ("reproduced-under-reading", "holds-under-reading"),
    "agrees in print": ("consistent",),
    "open or wide": ("compatible", "undecided", "open"),
    "fails here": views.FAILS,
    "cannot be judged": ("shape-only", "not-testable"),
}


@dataclass(frozen=True)
class _Section:
    """All that the page shows of one paper."""

    paper: Paper
    entries: Sequence[JudgedClaim]
    charts: dict[str, list[Chart]]
    joints: dict[str, tuple[int, str]]  # choices of a group -> number and words of their test
    runs: dict[str, tuple[Result, str]]  # part -> result, address of its code
    again: dict[str, str]  # part -> command
    check: str  # command to which an id and --check belong
    shared: dict[str, int]  # note of several rows -> its number
    firsts: dict[str, Claim]  # id -> the first row that has its long text
    signatures: Mapping[str, str]  # id -> hashed stems of the sentence that it restates

    @property
    def bar(self) -> dict[str, int]:
        """Counts of the paper's own rows that hold, fail or cannot be judged."""
        count = Counter(e.judgement.verdict for e in self.entries if e.kind in _PAPERS_OWN)
        return {name: sum(count[verdict] for verdict in group) for name, group in _GROUPS.items()}


def write_page(
    file: str | Path,
    *,
    paper: str | Path | None = None,
    folder: str | Path | None = None,
    collection: Collection = NONE,
) -> Path:
    """Write the ledger page.

    Parameters
    ----------
    file : path
        The HTML file to write.
    paper : str or path, optional
        One paper, or a folder that holds one; by default all papers of the collection.
    folder : path, optional
        Folder of stored results; by default those of the collection.
    collection : Collection

    Returns
    -------
    Path
        The file.
    """
    near = Path(file).resolve().parent
    page = render_page(paper, folder=folder, near=near, collection=collection)
    return results.write_atomically(Path(file), page)


def render_page(
    paper: str | Path | None = None,
    *,
    folder: str | Path | None = None,
    near: Path | None = None,
    used: Mapping[str, Sequence[tuple[str, str]]] | None = None,
    collection: Collection = NONE,
) -> str:
    """Give the ledger as the text of one self-contained HTML page.

    ``near`` is the folder in which it will lie: links to the code count from there. In a book,
    ``used`` has for an id the places in the book that use the row, each as its name and address.
    """
    entries = views.judged_claims(paper, folder=folder, collection=collection)
    measured = {entry.result.source for entry in entries if entry.result}
    standin = "standin" in measured and "real" not in measured
    papers = {entry.paper.key: entry.paper for entry in entries}
    counts = views.totals(entries)
    verdict_counts: dict[str, Counter[str]] = {}
    for (_, kind), count in counts.items():
        verdict_counts[kind] = verdict_counts.get(kind, Counter()) + count
    slips = views.by_slip(entries)
    return _template().render(
        sections=[_section(article, entries, near or Path.cwd()) for article in papers.values()],
        source=_SOURCES["standin" if standin else "real"],
        evidence=list(views.evidence(entries)),
        counts=counts,
        totals={kind: verdict_counts[kind] for kind in COUNTED if kind in verdict_counts},
        groups=_GROUPS,
        fails={"rows": sum(1 + more for _, more in slips), "slips": len(slips)},
        export=export,
        find=find,
        results=results,
        views=views,
        kinds=COUNTED,
        verdicts=VERDICTS,
        number_rules=NUMBER_RULES,
        colours=COLOURS,
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


def _section(paper: Paper, entries: Sequence[JudgedClaim], near: Path) -> _Section:
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
    note_texts = (
        (row.claim.note, row.claim.changed, views.remark(row.judgement)) for row in own_entries
    )
    notes = Counter(chain.from_iterable(note_texts))
    pairs = ((row.claim, row.judgement.measured) for row in own_entries)
    long = [(claim, text) for claim, text in pairs if len(text) > _LONG]
    often = (text for text, count in notes.items() if count > 1 and len(text) > _SHORT)
    return _Section(
        paper=paper,
        entries=own_entries,
        charts=charts_of(own_entries),
        joints=joints,
        runs=runs,
        again={entry.part: views.rerun_command(entry) for entry in own_entries},
        check=views.rerun_command(own_entries[0], check=True).partition(
            f" {own_entries[0].claim.id} "
        )[0],
        shared={text: number for number, text in enumerate(often, start=1)},
        signatures=read_signatures(paper),
        firsts={claim.id: texts[text] for claim, text in long if texts[text] != claim},
    )
