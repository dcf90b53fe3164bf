"""CSV files that people write by hand or in a spreadsheet: read whole, each fault by its name.

A byte-order mark, CRLF and line breaks inside a cell, all of which Excel writes, are no faults.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

Names = Sequence[str]
_BREAK = re.compile(r"\s*[\r\n]+\s*")
Fault = tuple[int, str]  # number of the line at which it begins, and what is wrong there


def read_csv(
    file: Path, columns: Names, needed: Names = ()
) -> tuple[dict[int, dict[str, str]], list[Fault]]:
    """Lines of a CSV file, each by the number at which it begins, and all faults.

    Columns that are not ``needed`` may be missing; all are by default. Where the columns are not
    those wanted, there are faults alone.
    """
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        return {}, [(1, f"it is not a readable file ({error.strerror or error})")]
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        return {}, [(line, "a byte is not UTF-8; in Excel, save as 'CSV UTF-8'")]
    head = text.partition("\n")[0]
    for sign, name in ((";", "semicolons"), ("\t", "tabs")):
        if head.count(sign) > head.count(","):
            why = "as Excel does where the comma is the decimal sign"
            return {}, [(1, f"{name} separate the columns, {why}; save it with commas")]
    faults = [
        (number, "a merge conflict of git is open; keep the lines of both sides, not the marks")
        for number, line in enumerate(text.split("\n"), start=1)
        if line.startswith("<<<<<<< ")
    ]
    if faults:
        return {}, faults
    rows: dict[int, list[str]] = {}
    start = 1
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for cells in reader:
            if cells:
                rows[start] = [c if c.isprintable() else _BREAK.sub(" ", c) for c in cells]
            start = reader.line_num + 1
    except csv.Error as error:
        faults.append((start, f"it is not CSV ({error}); inside quotes, write a quote twice"))
    number, names = next(iter(rows.items()), (1, []))
    if wrong := list(_wrong_columns(names, columns, needed or columns)):
        return {}, [(number, sentence) for sentence in wrong] + faults
    lines = {begin: cells for begin, cells in rows.items() if begin != number}
    flaws = {begin: _wrong_fields(cells, len(names)) for begin, cells in lines.items()}
    good = {n: dict(zip(names, cells, strict=True)) for n, cells in lines.items() if not flaws[n]}
    return good, [(begin, text) for begin, text in flaws.items() if text] + faults


def lines_of(file: Path, columns: Names, needed: Names = ()) -> list[dict[str, str]]:
    """Lines of a CSV file, as `read_csv` finds them.

    Raises
    ------
    ValueError
        If anything is wrong with it; the sentence names file and line.
    """
    lines, faults = read_csv(file, columns, needed)
    for number, text in faults:
        raise ValueError(f"{file}, line {number}: {text}")
    return list(lines.values())


def csv_text(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Rows as the text of a CSV file under a line of columns; a cell that is missing is empty."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _wrong_columns(names: Names, columns: Names, needed: Names) -> Iterator[str]:
    named = [name for name in names if name]
    if len(named) < len(names):
        yield f"columns without a name: {len(names) - len(named)}; delete them (Excel adds some)"
    for kind, wrong in (
        ("missing", [name for name in needed if name not in named]),
        ("there twice", [name for name in columns if named.count(name) > 1]),
        ("unknown", [name for name in named if name not in columns]),
    ):
        if wrong:
            yield f"columns {kind}: {', '.join(wrong)}; there may be {', '.join(columns)}"


def _wrong_fields(cells: Sequence[str], expected: int) -> str:
    if not any(cells):
        return "all cells are empty; delete the line"
    if len(cells) == expected:
        return ""
    remedy = "add the missing commas"
    if more := max(0, len(cells) - expected):
        remedy = "quote the cell that holds a comma"
        if not any(cells[expected:]):
            remedy += f", or delete {more} at the end, which Excel may have left"
    return f"{len(cells)} fields where {expected} are expected: {remedy}"
