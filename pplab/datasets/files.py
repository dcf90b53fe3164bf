"""Reading of plain tables: what is damaged is refused in one sentence that names the file.

Where the owner's checksum is known it has been compared before (`pplab.datasets.store`). Pandas
reads tables of text, whose columns and levels are looked at all the same. Tables of numbers without
a known checksum are read strictly: a fast reader takes the whole file; only when something is wrong
a slow one looks for the first bad line.
"""

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pplab.checks import shown
from pplab.datasets.store import DataFileError

_WHOLE = re.compile(r"[0-9]{1,18}", re.ASCII)  # so many digits fit into 64 bits
_DECIMAL = re.compile(r"-?([0-9]{1,300}(\.[0-9]*)?|\.[0-9]+)", re.ASCII)


def read_published(
    path: Path,
    *,
    columns: Sequence[Any],
    whole: Sequence[str] = (),
    once: int = 0,
    quoting: int = csv.QUOTE_NONE,
    **layout: Any,
) -> pd.DataFrame:
    """Read a file as its owner publishes it; texts stay as they are, "NA" and "" too.

    Parameters
    ----------
    path : Path
    columns : sequence
        What the file must have: the catalogue may know no checksum.
    whole : sequence of str
        Those of them that hold whole numbers; the others hold text.
    once : int
        How many of the first columns, taken together, no two lines may have the same values in.
    quoting, **layout
        For `pandas.read_csv`.

    Raises
    ------
    DataFileError
        One sentence that names the file: it cannot be read, has other columns or no line at all,
        something but whole numbers, or the same line twice.
    """
    texts = {name: str for name in columns if name not in whole}
    layout |= {"dtype": texts, "quoting": quoting, "keep_default_na": False}
    try:
        table = pd.read_csv(path, **layout)
    except ValueError as error:  # pandas' own errors and those of decoding are ValueErrors, too
        reason = " ".join(str(error).split())
        raise DataFileError(f"{path} cannot be read: {reason}; get a fresh copy") from error
    # where lines have more fields than there are names, pandas makes the first ones the index
    if list(table) != list(columns) or not isinstance(table.index, pd.RangeIndex):
        raise DataFileError(
            f"{path} must have {len(columns)} columns, {columns[0]} to {columns[-1]}, got others; "
            "get a fresh copy"
        )
    if table.empty:
        raise DataFileError(f"{path} must hold some lines of data, got none; get a fresh copy")
    for name in whole:
        if table[name].dtype.kind != "i":
            raise DataFileError(
                f"{path} must hold whole numbers in the column {name}; get a fresh copy"
            )
    if once and (again := table.duplicated(list(columns[:once]))).any():
        line = table[again].iloc[0, :once].tolist()
        raise DataFileError(f"{path} must not list {line} twice; get a fresh copy")
    return table


def refuse_unknown(path: Path, values: pd.Series, known: str) -> None:
    """Refuse the first text that the regular expression `known` does not match as a whole."""
    unknown = ~values.str.fullmatch(known)
    if unknown.any():
        text = shown(values[unknown].iloc[0])
        raise DataFileError(
            f"{path} must not hold {text} in the column {values.name}; get a fresh copy"
        )


def read_numbers(
    path: Path, raw: bytes, *, names: Sequence[str], sep: str, floats: bool = False, above: int = 0
) -> pd.DataFrame:
    """Read a table of numbers, every line with the same columns.

    Parameters
    ----------
    path : Path
        Where the bytes come from, to name it in a refusal.
    raw : bytes
        The text, which may have come out of an archive or from below a header.
    names : sequence of str
        Names of the columns.
    sep : str
        One character between two numbers.
    floats : bool
        Whether decimal numbers are read, as float64; else whole ones from 0, as int64.
    above : int
        How many lines of the file stand above the text.

    Raises
    ------
    DataFileError
        If a line is cut short, has other columns or something but numbers.
    """
    signs = b"0123456789\n" + sep.encode() + (b".-" if floats else b"")
    dtype = np.float64 if floats else np.int64
    try:
        if raw.translate(None, signs) or not raw.endswith(b"\n"):
            raise ValueError("not only numbers, or cut off in a line")
        layout: Any = {"sep": sep, "dtype": dtype, "skip_blank_lines": False}
        table = pd.read_csv(io.BytesIO(raw), header=None, **layout)
        if table.shape[1] != len(names) or (floats and not np.isfinite(table).all(axis=None)):
            raise ValueError("another number of columns")
    except (ValueError, OverflowError) as error:  # pandas' own errors are ValueErrors, too
        _refuse_first_bad_line(path, raw, names, sep, floats=floats, above=above)
        raise DataFileError(f"{path} cannot be read as a table of numbers: {error}") from error
    return table.set_axis(list(names), axis="columns")


def refuse_where(path: Path, table: pd.DataFrame, bad: Any, text: str, *, above: int = 0) -> None:
    """Refuse the first line for which `bad` is true; braces in the text name its columns."""
    if np.any(bad):
        place = int(np.argmax(bad))
        line = {str(name): table[name].iloc[place] for name in table}
        raise _refusal(path, place + 1 + above, text.format(**line))


def _refuse_first_bad_line(
    path: Path, raw: bytes, names: Sequence[str], sep: str, *, floats: bool, above: int
) -> None:
    rule, number_form = (_DECIMAL, "a number") if floats else (_WHOLE, "a whole number")
    *lines, rest = raw.decode("ascii", errors="replace").split("\n")
    if not raw:
        raise _refusal(path, 1 + above, "the file is empty")
    for number, line in enumerate(lines, start=1 + above):
        fields = line.split(sep)
        if len(fields) != len(names):
            raise _refusal(path, number, f"got {len(fields)} columns, expected {len(names)}")
        for name, text in zip(names, fields, strict=True):
            if not rule.fullmatch(text):
                raise _refusal(path, number, f"{name} must be {number_form}, got {shown(text)}")
    if rest:
        number = 1 + above + len(lines)
        raise _refusal(path, number, "the file ends in the middle of a line, cut short")


def _refusal(path: Path, line: int, sentence: str) -> DataFileError:
    return DataFileError(f"{path}, line {line:,}: {sentence}; get a fresh copy")
