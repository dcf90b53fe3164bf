"""The ledger for other programs: CSV, JSON (``report/claims.schema.json``)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from claimbook.csvfile import csv_text
from claimbook.results import versions
from claimbook.views import JudgedClaim, row

SCHEMA_VERSION = "1.0"


def as_csv(entries: Sequence[JudgedClaim]) -> str:
    """One line per claim, with the columns of ``pplab.claims()``.

    A text that a spreadsheet would run as a formula begins with an apostrophe.
    """
    rows = [{name: _no_formula(cell) for name, cell in row(entry).items()} for entry in entries]
    return csv_text(list(rows[0]) if rows else ["id"], rows)


def _no_formula(cell: Any) -> Any:
    runs = isinstance(cell, str) and cell[:1] in ("=", "@", "+", "\t", "\r")
    return f"'{cell}" if runs else cell


def as_json(entries: Sequence[JudgedClaim]) -> str:
    """Claims with their papers and the versions that wrote them."""
    papers = {entry.claim.paper: entry.paper for entry in entries}
    content = {
        "schema_version": SCHEMA_VERSION,
        "versions": versions(),
        "papers": {
            key: {name: getattr(paper, name) for name in ("title", "authors", "year", "address")}
            for key, paper in papers.items()
        },
        "claims": [row(entry) for entry in entries],
    }
    return f"{json.dumps(content, indent=1, ensure_ascii=False)}\n"


FORMATS: dict[str, Callable[..., str]] = {"csv": as_csv, "json": as_json}
