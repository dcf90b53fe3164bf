"""The ledger for other programs: CSV, JSON (``report/claims.schema.json``), a LaTeX table."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pplab.ledger.results import versions
from pplab.ledger.views import Entry, row

SCHEMA = Path(__file__).parent / "report" / "claims.schema.json"
SCHEMA_VERSION = "1.0"


def as_csv(entries: Sequence[Entry]) -> str:
    """One line per claim, with the columns of ``pplab.claims()``.

    A text that a spreadsheet would run as a formula begins with an apostrophe.
    """
    rows = [{name: _no_formula(cell) for name, cell in row(entry).items()} for entry in entries]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else ["id"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _no_formula(cell: Any) -> Any:
    runs = isinstance(cell, str) and cell[:1] in ("=", "@", "+", "\t", "\r")
    return f"'{cell}" if runs else cell


def as_json(entries: Sequence[Entry]) -> str:
    """Claims with their papers and the versions that wrote them."""
    papers = {entry.claim.paper: entry.paper for entry in entries}
    told = {
        "schema_version": SCHEMA_VERSION,
        "versions": versions(),
        "papers": {
            key: {
                "title": paper.title,
                "authors": paper.authors,
                "year": paper.year,
                "address": paper.address,
            }
            for key, paper in papers.items()
        },
        "claims": [row(entry) for entry in entries],
    }
    return f"{json.dumps(told, indent=1, ensure_ascii=False)}\n"


_TEX = str.maketrans(
    {each: f"\\{each}" for each in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"±": r"\ensuremath{\pm}", "ε": r"\ensuremath{\varepsilon}", "≤": r"\ensuremath{\le}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"}
)


def as_latex(entries: Sequence[Entry]) -> str:
    """A longtable: place, setting, published, measured, verdict; it needs ``longtable`` only."""
    names = ("place", "setting", "published", "measured", "verdict")
    widths = (0.14, 0.2, 0.2, 0.2, 0.14)
    columns = "".join(rf"p{{{width}\linewidth}}" for width in widths)
    lines = [rf"\begin{{longtable}}{{{columns}}}", r"\hline"]
    lines += [rf"{' & '.join(name.capitalize() for name in names)} \\", r"\hline", r"\endhead"]
    for entry in entries:
        cells = row(entry)
        texts = (str(cells[name]).translate(_TEX) for name in names)
        lines.append(rf"{' & '.join(texts)} \\ % {entry.claim.id}")
    return "\n".join([*lines, r"\hline", r"\end{longtable}", ""])


FORMATS: dict[str, Callable[[Sequence[Entry]], str]] = {
    "csv": as_csv,
    "json": as_json,
    "latex": as_latex,
}
