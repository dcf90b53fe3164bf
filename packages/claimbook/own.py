"""A folder of one's own: a new one from the example, trust in it, its data, its printed tables.

Of a folder whose code this account has neither run nor made, a run says what it may do. There is a
note for each that is known, which names its place and its inode: another folder in the same place
is new. Where no note can be written, every folder stays new.
"""

import csv
import hashlib
import io
import os
import re
import shutil
import sys
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from tempfile import TemporaryDirectory

from claimbook.checks import check_choice, sha256_of
from claimbook.csvfile import csv_text, lines_of
from claimbook.registry import NONE, Collection, Paper
from claimbook.results import write_atomically
from claimbook.rules import COLUMNS, NEEDED, claim_of, refuse_faults, values_by_column

_EXAMPLE = Path(__file__).with_name("example")


def new_folder(folder: str | Path, *, collection: Collection = NONE) -> list[Path]:
    """Make a folder with the worked example: a report with six claims.

    The key of the paper, and with it the title and the ids, come from the folder's name.

    Parameters
    ----------
    folder : path
        It must not exist, or be empty but for ``.git``.
    collection : Collection
        Whose keys are taken.

    Returns
    -------
    list of Path
        The files written.

    Raises
    ------
    FileExistsError
        If something is there.
    OSError
        If it cannot be written, the disk is full for instance; then nothing is left of it.
    """
    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(e.name != ".git" for e in target.iterdir())):
        raise FileExistsError(f"{target} must be a new or empty folder; nothing was written")
    made = not target.exists()
    try:
        target.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=target, prefix=".new-") as scratch:
            files = _write_example(Path(scratch, "all"), _key(target.resolve().name, collection))
            for entry in Path(scratch, "all").iterdir():  # all of it is there
                entry.rename(target / entry.name)
    except OSError as error:
        if made and target.is_dir():
            target.rmdir()
        why = str(error.strerror or error.args[0][0][2])  # of several files, the first
        why = why.rpartition("] ")[2].partition(": ")[0]
        raise OSError(f"{target} could not be written ({why}); nothing is left of it") from error
    return [target / file for file in files]


def _write_example(folder: Path, key: str) -> list[Path]:
    """The example under another key; its files, seen from the folder."""
    skipped = shutil.ignore_patterns("__pycache__", "results", "history.csv", ".[!g]*")
    shutil.copytree(_EXAMPLE, folder, ignore=skipped)
    for name in ("paper.toml", "rules.csv", "choices.csv", "parts.py") if key != _KEY else ():
        text = (folder / name).read_bytes().replace(_KEY.encode(), key.encode())
        (folder / name).write_bytes(text.replace(b'title = "', f'title = "{key}: '.encode()))
    return sorted(file.relative_to(folder) for file in folder.rglob("*") if file.is_file())


_KEY = "reading-club"  # of the example


def _key(name: str, collection: Collection) -> str:
    """A key from the name of a folder: letters, digits and hyphens, none that is taken."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    key = re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "paper"
    return f"my-{key}" if key in collection.papers() | collection.apart() else key


def is_known(folder: Path, collection: Collection) -> bool:
    """True if a folder came with pplab, or this account has made it or run it before."""
    folder = folder.resolve()
    ours = [_EXAMPLE] if collection.frozen else [_EXAMPLE, collection.root / "examples"]
    return any(map(folder.is_relative_to, ours)) or _note(folder).is_file()


def trust_folder(folder: Path) -> None:
    """Note that this account trusts the code of a folder."""
    note = _note(folder.resolve())
    with suppress(OSError):
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(f"{folder.resolve()}\n", encoding="utf-8", errors="backslashreplace")


def _note(folder: Path) -> Path:
    import platformdirs

    variable = os.environ.get("PPLAB_LEDGERS")
    notes = Path(variable) if variable else platformdirs.user_data_path("pplab") / "ledgers"
    place = f"{folder} {folder.stat().st_ino}".encode(errors="surrogateescape")
    return notes / hashlib.sha256(place).hexdigest()


class OwnData(dict[str, Path]):
    """Files of a data set by their names in the catalogue; each has the checksum named there."""

    source, portion = "real", ""

    def __init__(self, name: str, files: Mapping[str, Path], checksums: Mapping[str, str]) -> None:
        super().__init__(files)
        self.name, self.checksums = name, checksums

    def __missing__(self, name: str) -> Path:
        """Refuse a file that is not in the catalogue."""
        return self[check_choice("file", name, self)]


def own_data(paper: Paper, name: str) -> OwnData:
    """A data set of a paper's own catalogue, its files checked.

    Raises
    ------
    ValueError
        If the catalogue has no such entry, or is not as it should be; if a file has another
        checksum than it says.
    FileNotFoundError
        If a file is missing.
    """
    assert paper.catalog is not None  # asked for papers with a catalogue only
    try:
        entries = tomllib.loads(paper.catalog.read_text(encoding="utf-8-sig"))
        recipe: dict[str, str] = dict(entries[check_choice("data set", name, entries)]["files"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"{paper.catalog} does not describe the data set {name}: {error}"
        ) from error
    files = {place: paper.catalog.parent / place for place in recipe}
    for file, path in files.items():
        if not path.is_file():
            raise FileNotFoundError(f"{name} lacks {path}; put it there")
        if sha256_of(path) != recipe[file]:
            raise ValueError(
                f"{path} has the checksum {sha256_of(path)}, {paper.catalog.name} says "
                f"{recipe[file]}; get the right file, or correct the catalogue"
            )
    return OwnData(name, files, recipe)


# A printed table becomes rows of rules: one rule for its cells, ids made from its heads.


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
    left = set(others)
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
                left.discard(pattern)
                row |= others[pattern]
        if row["rule"] == "not-testable":
            row |= {"part": "", "select": ""}
        filled = {column: _fill(text, heading) for column, text in row.items()}
        rows.append({"published": printed, **filled})
    ends = ", ".join(row["id"].rpartition(":")[2] for row in rows[:3]) or "all empty"
    if left or not rows:
        raise ValueError(f"no cell is {', '.join(sorted(left)) or 'filled'}; cells are {ends} ...")
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
        raise ValueError(f"{file} is not a readable table in UTF-8: {error}") from error
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
    return re.sub(r"[^\w.+]+", "-", re.sub(r"\w+ ?= ?", "", text.lower())).strip("-")


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
    old = lines_of(paper.rules, COLUMNS, NEEDED) if paper.rules.is_file() else []
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
