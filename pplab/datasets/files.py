"""Strict reading of plain tables: a doubtful line is refused, and the refusal names it.

A fast reader takes the whole file; only when something is wrong a slow one walks through the
lines to find the first offender.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from pplab.datasets.store import DataFileError

__all__ = [
    "check_lines",
    "fields_of",
    "integers_of",
    "read_decimals",
    "read_fields",
    "read_integers",
    "refuse_where",
]

_DECIMAL = re.compile(r"-?([0-9]{1,300}(\.[0-9]*)?|\.[0-9]+)", re.ASCII)
_MOST_DIGITS = 18  # what surely fits into 64 bits


def read_integers(
    path: Path,
    *,
    columns: tuple[str, ...],
    separator: str,
    lines: int | None = None,
    header: bool = False,
    open_end: bool = False,
) -> pd.DataFrame:
    """Read a table of non-negative whole numbers, every line with the same columns.

    Parameters
    ----------
    path : Path
    columns : tuple of str
        Names of the columns.
    separator : str
        One character between two numbers.
    lines : int, optional
        How many lines the complete file has, the header included.
    header : bool
        Whether the first line holds the names of the columns.
    open_end : bool
        Whether the owner's file ends without the end of its last line.

    Returns
    -------
    DataFrame of int64

    Raises
    ------
    DataFileError
        If a line is cut short, has other columns or is not made of digits, or lines are missing.
    """
    raw = path.read_bytes()
    if open_end and raw and not raw.endswith(b"\n"):
        raw += b"\n"
    if header:
        raw = _without_header(path, raw, separator.join(columns))
    return integers_of(path, raw, columns=columns, separator=separator, lines=lines, above=header)


def integers_of(
    path: Path,
    raw: bytes,
    *,
    columns: tuple[str, ...],
    separator: str,
    lines: int | None = None,
    above: int = 0,
) -> pd.DataFrame:
    """Read a table of whole numbers out of the text itself, as `read_integers` does.

    Parameters
    ----------
    path : Path
        Where the bytes come from, to name it in a refusal.
    raw : bytes
        The text, which may have come out of an archive or from below a header.
    columns, separator, lines
        As for `read_integers`.
    above : int
        How many lines of the file stand above the text.
    """
    try:
        if raw.translate(None, b"0123456789\n" + separator.encode()) or not raw.endswith(b"\n"):
            raise ValueError("not only digits, or cut off in a line")
        table = pd.read_csv(
            io.BytesIO(raw), sep=separator, header=None, dtype=np.int64, skip_blank_lines=False
        )
        if table.shape[1] != len(columns):
            raise ValueError("another number of columns")
    except (ValueError, OverflowError) as error:  # pandas' own errors are ValueErrors, too
        for number, fields in _fields(path, raw, "ascii", separator, len(columns), 1 + above):
            _check_digits(path, number, fields, columns)
        raise DataFileError(f"{path} cannot be read as a table of numbers: {error}") from error
    check_lines(path, len(table) + above, lines)
    return table.set_axis(list(columns), axis="columns")


def read_decimals(
    path: Path, raw: bytes, *, count: int, separator: str = ",", lines: int | None = None
) -> np.ndarray:
    """Read a table of decimal numbers, every line with `count` of them.

    Parameters
    ----------
    path : Path
        Where the bytes come from, to name it in a refusal.
    raw : bytes
        The text itself, which may have come out of an archive.
    count : int
    separator : str
        One character between two numbers.
    lines : int, optional
        How many lines the complete file has.

    Returns
    -------
    float64 array, shape (lines, count)

    Raises
    ------
    DataFileError
        If a line is cut short, has other columns or something but numbers, or lines are missing.
    """
    try:
        if raw.translate(None, b"0123456789.-\n" + separator.encode()) or not raw.endswith(b"\n"):
            raise ValueError("not only numbers, or cut off in a line")
        frame = pd.read_csv(
            io.BytesIO(raw), sep=separator, header=None, dtype=float, skip_blank_lines=False
        )
        table = frame.to_numpy()
        if table.shape[1] != count or not np.isfinite(table).all():
            raise ValueError("another number of columns")
    except ValueError as error:  # pandas' own errors are ValueErrors, too
        for number, fields in _fields(path, raw, "ascii", separator, count):
            _check_decimals(path, number, fields)
        raise DataFileError(f"{path} cannot be read as a table of numbers: {error}") from error
    check_lines(path, len(table), lines)
    return table


def read_fields(
    path: Path, *, count: int, separator: str, encoding: str, lines: int | None = None
) -> list[list[str]]:
    """Read a small table of texts, every line with `count` fields."""
    rows = fields_of(path, path.read_bytes(), count=count, separator=separator, encoding=encoding)
    check_lines(path, len(rows), lines)
    return rows


def fields_of(
    path: Path, raw: bytes, *, count: int, separator: str, encoding: str, above: int = 0
) -> list[list[str]]:
    """Read a table of texts out of the text itself, below `above` lines of the file."""
    return [fields for _, fields in _fields(path, raw, encoding, separator, count, 1 + above)]


def check_lines(path: Path, found: int, expected: int | None) -> None:
    """Refuse a file that has fewer or more lines than its owner says."""
    if expected is not None and found != expected:
        what = "the file ends here, cut short" if found < expected else "the file is too long"
        raise DataFileError(
            f"{path}, line {found:,}: {what}, expected {expected:,} lines; get a fresh copy"
        )


def refuse_where(
    path: Path, bad: np.ndarray, sentence: Callable[[int], str], *, header: int = 0
) -> None:
    """Refuse the first line for which `bad` is true; `sentence` tells of its position.

    `header` is how many lines of the file stand above those that `bad` speaks of.
    """
    if bad.any():
        place = int(np.flatnonzero(bad)[0])
        line = place + 1 + header
        raise DataFileError(f"{path}, line {line:,}: {sentence(place)}; get a fresh copy")


def _without_header(path: Path, raw: bytes, expected: str) -> bytes:
    """Give what follows the first line, which must be as expected."""
    first, end, rest = raw.partition(b"\n")
    found = first.decode("utf-8", errors="replace")
    if found != expected or not (end and rest):
        what = "the file ends here, cut short" if found == expected else f"got {found[:60]!r}"
        raise DataFileError(
            f"{path}, line 1: {what}, expected the header {expected!r} and lines after it; "
            "get a fresh copy"
        )
    return rest


def _fields(
    path: Path, raw: bytes, encoding: str, separator: str, count: int, first: int = 1
) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and fields; refuse the first line that has not `count` of them."""
    if not raw:
        raise DataFileError(f"{path}, line {first}: the file is empty; get a fresh copy")
    parts = raw.decode(encoding, errors="replace").split("\n")
    for number, line in enumerate(parts[:-1], start=first):
        fields = line.split(separator)
        if len(fields) != count:
            raise DataFileError(
                f"{path}, line {number:,}: got {len(fields)} columns, expected {count}; "
                "get a fresh copy"
            )
        yield number, fields
    if parts[-1]:
        last = first - 1 + len(parts)
        raise DataFileError(
            f"{path}, line {last:,}: the file ends in the middle of a line, cut short; "
            "get a fresh copy"
        )


def _check_digits(path: Path, number: int, fields: list[str], columns: tuple[str, ...]) -> None:
    for name, text in zip(columns, fields, strict=True):
        if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS):
            raise DataFileError(
                f"{path}, line {number:,}: {name} must be a whole number, got {text!r}; "
                "get a fresh copy"
            )


def _check_decimals(path: Path, number: int, fields: list[str]) -> None:
    for column, text in enumerate(fields, start=1):
        if not _DECIMAL.fullmatch(text):
            raise DataFileError(
                f"{path}, line {number:,}: column {column} must be a number, got {text!r}; "
                "get a fresh copy"
            )
