"""Jester as its owner publishes it, in three parts: each a csv, zipped, one row per user.

A row holds the number of jokes that the user rated and then one value per joke, 99 where the
user did not rate it. A rating of exactly 0 is a rating and is stored.
"""

from __future__ import annotations

import hashlib
import io
import lzma
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse

from pplab.datasets.catalog import entry
from pplab.datasets.dataset import Dataset
from pplab.datasets.files import read_numbers, refuse_where
from pplab.datasets.store import DataFileError

__all__ = ["ITEMS", "PARTS", "assemble", "files", "numbers_sha256", "read", "read_part"]

ITEMS = 100
PARTS = ("part-1", "part-2", "part-3")
_MISSING = 99.0
_LOW, _HIGH = -10.0, 10.0
# What a damaged archive brings about: a changed byte may ask for a password (RuntimeError), for
# another packing (NotImplementedError and the errors of bz2 and lzma) or for a place before the
# start (ValueError). The file itself has been read by then, so an OSError is no missing file.
_NO_PACKING = (zlib.error, lzma.LZMAError, OSError, RuntimeError, NotImplementedError)
_DAMAGE = (zipfile.BadZipFile, EOFError, ValueError, *_NO_PACKING)


def files(split: str | None) -> Sequence[str]:
    """Names of the files that a split is read from.

    Examples
    --------
    >>> files("part-2")
    ['jester-data-2.zip']
    """
    return [f"jester-data-{part[-1]}.zip" for part in PARTS if split in (None, part)]


def read(name: str, paths: Sequence[Path], split: str | None) -> Dataset:
    """Read the parts that are there; see `read_part` and `assemble`."""
    sizes, there = entry(name).statistics, {path.name: path for path in paths}
    parts = {
        part: read_part(there[file], users=sizes[part.replace("-", "_")]["users"])
        for part in PARTS
        if (file := f"jester-data-{part[-1]}.zip") in there
    }
    return assemble(name, parts, split, source="real")


def read_part(path: Path, *, users: int | None = None) -> sparse.csr_array:
    """Read one part.

    Parameters
    ----------
    path : Path
        A zip archive with one csv file: 101 numbers per line, no header.
    users : int, optional
        How many rows the complete part has; needed to notice that whole rows are missing.

    Returns
    -------
    csr_array of float64, shape (users, 100)
        Stored values are ratings in [-10, 10], zeros among them.

    Raises
    ------
    DataFileError
        One sentence that names the file and, where there is one, the line: a damaged archive, a
        row cut short, another number of columns, a value that is not a number or outside
        -10..10 and not 99, a count that is not the number of ratings in its row, missing rows.
    """
    inside, raw = _unzip(path)
    names = [f"column {column}" for column in range(1, ITEMS + 2)]
    table = read_numbers(inside, raw, columns=names, separator=",", decimals=True).to_numpy()
    counts, values = table[:, 0], table[:, 1:]
    if users is not None and len(table) != users:
        what = "the file ends here, cut short" if len(table) < users else "the file is too long"
        raise DataFileError(
            f"{inside}, line {len(table):,}: {what}, expected {users:,} lines; get a fresh copy"
        )
    rated = values != _MISSING
    wrong = rated & ~((values >= _LOW) & (values <= _HIGH))
    refuse_where(
        inside,
        wrong.any(axis=1),
        lambda place: (
            f"ratings must lie in -10..10, or be 99 where there is none, got "
            f"{values[place][wrong[place]][0]:g} for joke {int(wrong[place].argmax()) + 1}"
        ),
    )
    degrees = rated.sum(axis=1)
    refuse_where(
        inside,
        counts != degrees,
        lambda place: (
            f"the first column says {counts[place]:g} ratings, the row has {degrees[place]}"
        ),
    )
    indptr = np.concatenate([[0], np.cumsum(degrees)]).astype(np.int32)
    columns = np.nonzero(rated)[1].astype(np.int32)
    return sparse.csr_array((values[rated], columns, indptr), shape=rated.shape)


def numbers_sha256(path: Path) -> str:
    """Checksum of the ratings of one part, however the csv spells them and whoever zipped it.

    Of all cells in hundredths, row after row, 16 bits each, lowest byte first, 99 in the gaps.
    """
    ratings = read_part(path)
    table = np.full(ratings.shape, round(100 * _MISSING), dtype="<i2")
    entries = ratings.tocoo()
    table[entries.row, entries.col] = np.rint(100 * entries.data)
    return hashlib.sha256(table.tobytes()).hexdigest()


def assemble(
    name: str, parts: Mapping[str, sparse.csr_array], split: str | None, *, source: str
) -> Dataset:
    """Stack the parts, or take the one that `split` names.

    Users are numbered through all three parts, so that a user has the same number in each split
    whichever parts are there; the column ``part`` tells where the row came from.
    """
    known = entry(name).statistics
    sizes = [known[part.replace("-", "_")]["users"] for part in PARTS]
    starts = dict(zip(PARTS, np.cumsum([1, *sizes[:-1]]), strict=True))
    taken = [part for part in PARTS if part in parts and split in (None, part)]
    numbers = [starts[part] + np.arange(parts[part].shape[0]) for part in taken]
    labels = np.repeat([int(part[-1]) for part in taken], [len(part) for part in numbers])
    users = pd.DataFrame({"part": labels}, index=pd.Index(np.concatenate(numbers), name="user"))
    which = " and ".join(part[-1] for part in taken)
    word = "part" if len(taken) == 1 else "parts"
    return Dataset(
        name=name,
        source=source,
        users=users,
        items=pd.DataFrame(index=pd.RangeIndex(1, ITEMS + 1, name="item")),
        ratings=sparse.csr_array(sparse.vstack([parts[part] for part in taken], format="csr")),
        split=split,
        portion="" if len(taken) == len(PARTS) else f"{word} {which} of {len(PARTS)}",
    )


def _unzip(path: Path) -> tuple[Path, bytes]:
    """Give the one csv file of the archive, with a path to name it by."""
    packed = io.BytesIO(path.read_bytes())
    try:
        with zipfile.ZipFile(packed) as bundle:
            inside = bundle.namelist()
            tables = [name for name in inside if name.lower().endswith(".csv")]
            raw = bundle.read(tables[0]) if len(tables) == 1 else b""
    except _DAMAGE as error:
        raise DataFileError(
            f"{path} is damaged and cannot be unpacked ({error}); get a fresh copy"
        ) from error
    if len(tables) != 1:
        raise DataFileError(
            f"{path} must hold one csv file, got {', '.join(inside) or 'none'}; "
            "`pplab data status` tells how it is made"
        )
    return path / tables[0], raw.replace(b"\r\n", b"\n")  # spreadsheets end their lines so
