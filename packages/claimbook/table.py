"""A printed table becomes rows of rules: one rule for its cells, ids made from its heads."""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from claimbook.csvfile import csv_text
from claimbook.registry import Paper
from claimbook.results import write_atomically
from claimbook.rules import COLUMNS, claim_of, read_lines, refuse_faults, values_by_column

_EMPTY = ("", "-", "–", "—", "n/a")  # cells in which nothing is printed
Row = dict[str, str]


def add_table(
    paper: Paper,
    file: Path,
    rule: Mapping[str, str],
    *,
    heads: int = 1,
    more: Iterable[str] = (),
    but: Iterable[str] = (),
) -> tuple[list[str], list[str]]:
    """Append a claim for each cell of a table to the rules of a paper.

    Parameters
    ----------
    paper : Paper
    file : Path
        The table, ``-`` for standard input; its first line and ``heads`` columns are heads.
    rule : mapping
        Columns of rules for all cells, ``place`` among them; ``{row}``, ``{column}`` and the title
        of a head column stand for the heads of the cell.
    more : iterable of str
        Further columns for all cells, as ``column=value; column=value``.
    but : iterable of str
        Exceptions, as ``PATTERN: column=value; ...``: the pattern is of the end of an id.

    Returns
    -------
    tuple of list of str
        Ids of the claims written, and of cells that are empty.

    Raises
    ------
    ValueError
        If the table or a cell is not as it should be; nothing is written then.
    """
    common = {"setting": "{row}, {column}", **rule}
    for columns in more:
        common |= values_by_column(columns)
    others = {
        key.strip(): values_by_column(cells)
        for key, _, cells in (text.partition(":") for text in but)
    }
    unused = set(others)
    rows: list[Row] = []
    empty: list[str] = []
    for heading, printed in _cells(file, heads):
        end = f"{_slug(heading['row'])}-{_slug(heading['column'])}".strip("-")
        if printed.lower() in _EMPTY:
            empty.append(end)
            continue
        row = {"id": f"{paper.key}:{_slug(rule['place'])}:{end}", **common}
        for pattern in others:
            if fnmatchcase(end, pattern):
                unused.discard(pattern)
                row |= others[pattern]
        if row["rule"] == "not-testable":
            row |= {"part": "", "select": ""}
        filled = {column: _fill(text, heading) for column, text in row.items()}
        rows.append({"published": printed, **filled})
    ends = ", ".join(row["id"].rpartition(":")[2] for row in rows[:3]) or "all empty"
    if unused or not rows:
        raise ValueError(
            f"no cell is {', '.join(sorted(unused)) or 'filled'}; cells are {ends} ..."
        )
    _append(paper, rows)
    return [row["id"] for row in rows], empty


def _cells(file: Path, heads: int) -> list[tuple[Row, str]]:
    """Heads and text of each cell of a table."""
    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8-sig")
        mark = next((sign for sign in "\t|;," if sign in text.partition("\n")[0]), ",")
        if mark == "|":  # as in Markdown, where a line of dashes follows the head
            lines = [line.strip().strip("|") for line in text.splitlines()]
            text = "\n".join(line for line in lines if line.strip("-:| "))
        read = list(csv.reader(io.StringIO(text), delimiter=mark, strict=True))
    except (ValueError, csv.Error) as error:
        raise ValueError(f"{file} is no readable table: {error}") from error
    head, *body = [[" ".join(cell.split()) for cell in line] for line in read if any(line)] or [[]]
    if not 0 < heads < len(head) or not body:
        raise ValueError(f"{file} must have lines of heads and cells, got {len(head)} columns")
    cells: list[tuple[Row, str]] = []
    above = [""] * heads
    for number, line in enumerate(body, start=2):
        if len(line) != len(head):
            raise ValueError(
                f"{file}, row {number}: {len(line)} cells under {len(head)} heads; quote a cell "
                f"that holds {mark!r}, and write a decimal comma as a point"
            )
        # what is printed once for several rows holds for them all
        above = [cell or old for cell, old in zip(line[:heads], above, strict=True)]
        for column, printed in zip(head[heads:], line[heads:], strict=True):
            titles = dict(zip(head[:heads], above, strict=True))
            cells.append(({**titles, "row": " ".join(above), "column": column}, printed))
    return cells


def _slug(text: str) -> str:
    """A head as a piece of an id; of one that is a condition, the value."""
    value = re.sub(r"\w+ ?= ?", "", text.lower())
    return re.sub(r"[^\w.+]+", "-", value).strip("-")


def _fill(text: str, heading: Row) -> str:
    """A text with the heads of a cell where their names stand in braces."""
    for name in re.findall(r"{([^{}]*)}", text):
        if name not in heading:
            known = ", ".join(f"{{{head}}}" for head in heading if head)
            raise ValueError(f"got {{{name}}} in {text!r}; a cell knows {known}")
        text = text.replace(f"{{{name}}}", heading[name])
    return text


def _append(paper: Paper, rows: Sequence[Row]) -> None:
    """Write rows under those that are there; refuse what could not be read again."""
    old = read_lines(paper.rules) if paper.rules.is_file() else []
    names = [row["id"] for row in (*old, *rows)]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(
            f"{paper.rules} would hold twice: {', '.join(twice[:5])}; make heads differ in letters "
            "or digits, or remove the rows that are there"
        )
    used = {column for row in rows for column in row}
    if unknown := used - set(COLUMNS):
        raise ValueError(f"got {', '.join(sorted(unknown))}; columns are {', '.join(COLUMNS)}")
    refuse_faults(paper, [claim_of(paper, row) for row in rows])
    columns = dict.fromkeys([*(old[0] if old else ()), *(c for c in COLUMNS if c in used)])
    write_atomically(paper.rules, csv_text(list(columns), [*old, *rows]))
