"""Papers that the ledger holds: those of this project, and any folder that has a ``paper.toml``.

An entry names a paper, its rules, its choices, its history and its experiments. Paths count
from the file. The project's own entries stand in ``pplab/papers/papers.toml``; a study of this
project that is no paper stands in ``apart.toml`` beside it, and no total counts it.
"""

from __future__ import annotations

import importlib
import os
import shlex
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pplab.checks import shown
from pplab.ledger.code import load

if TYPE_CHECKING:
    from pplab.papers.part import Part

_OURS = Path(__file__).parents[1] / "papers" / "papers.toml"
_APART = _OURS.with_name("apart.toml")
_TEXTS = ("title", "authors", "address", "module")
_PATHS = ("rules", "choices", "history", "results", "catalog")


@dataclass(frozen=True)
class Paper:
    """One paper (or report) and where its side of the ledger stands.

    ``results`` and ``catalog`` are given where a paper brings its own folder of results and its
    own catalogue of data; else those of the project serve. ``code`` lists what its results
    depend on besides the code of its folder: files, folders, installed packages.
    """

    key: str
    title: str
    authors: str
    year: int
    address: str
    module: str
    file: Path
    rules: Path
    choices: Path
    history: Path
    results: Path | None = None
    catalog: Path | None = None
    code: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        """The folder of its file."""
        return self.file.parent.resolve()

    @property
    def named(self) -> str:
        """What a command calls it: its key, or the folder that it brings."""
        return self.key if self.results is None else shlex.quote(str(self.file.parent))

    @property
    def parts(self) -> dict[str, Part]:
        """Experiments by name, in the order in which they are rerun; their modules are loaded."""
        parts: dict[str, Part] = {}
        for part in _module(self).PARTS:
            if part.name in parts:
                raise ValueError(f"PARTS holds two parts with the name {part.name!r}; rename one")
            parts[part.name] = part
        return parts


def papers() -> dict[str, Paper]:
    """The papers of this project by key."""
    return _read(_OURS)


def apart() -> dict[str, Paper]:
    """Studies of this project by key, outside the papers' totals and times."""
    return _read(_APART)


def find_paper(named: str | Path) -> Paper:
    """A paper by its key, or by a folder that holds its ``paper.toml``.

    Raises
    ------
    TypeError
        If it is neither text nor a path.
    ValueError
        If there is neither such a key nor such a folder, or the file is not as it should be.
    """
    if not isinstance(named, (str, os.PathLike)):
        raise TypeError(
            f"paper must be a key or a folder, got {type(named).__name__}; "
            f"keys are {', '.join([*papers(), *apart()])}"
        )
    known = papers() | apart()
    if str(named) in known:
        return known[str(named)]
    if not holds_paper(named):
        keys = ", ".join(map(repr, known))
        raise ValueError(
            f"paper must be one of {keys}, or a folder that holds a paper.toml; "
            f"got {shown(str(named))}"
        )
    tables = _read(file := Path(named) / "paper.toml")
    if len(tables) != 1:
        raise ValueError(f"{file} must hold one paper, got {len(tables)}; keep one table in it")
    return next(iter(tables.values()))


def chosen_papers(named: str | Path | None) -> list[Paper]:
    """One paper, or all of this project where none is named."""
    return list(papers().values()) if named is None else [find_paper(named)]


def paper_here() -> str | None:
    """Folder of the paper in which one stands: the nearest one upwards that has a paper.toml."""
    here = Path.cwd()
    folders = (folder for folder in (here, *here.parents) if holds_paper(folder))
    return next((os.path.relpath(folder, here) for folder in folders), None)


def holds_paper(folder: str | Path) -> bool:
    """Whether a folder holds a ``paper.toml``."""
    try:
        return (Path(folder) / "paper.toml").is_file()
    except OSError:  # a name that no folder can have
        return False


def _read(file: Path) -> dict[str, Paper]:
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8-sig"))
        return {key: _paper(file, key, table) for key, table in tables.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(
            f"{file} describes no paper ({type(error).__name__}: {error}); "
            f"it needs title, authors, year, address, rules, choices, history, module"
        ) from error


def _paper(file: Path, key: str, table: dict[str, Any]) -> Paper:
    given: dict[str, Any] = {name: table[name] for name in _TEXTS}
    for name, text in given.items():
        if not isinstance(text, str):
            raise TypeError(f"{name} must be a text, got {shown(text)}")
    places = table if file in (_OURS, _APART) else {"results": "results"} | table
    given |= {name: (file.parent / places[name]).resolve() for name in _PATHS if name in places}
    for place in (given[name] for name in _PATHS if name in places):
        if place.exists() and not (place.is_file() or place.is_dir()):
            raise ValueError(f"{place} is a device or a pipe")
    code = table.get("code", [])
    given["code"] = (code,) if isinstance(code, str) else tuple(map(str, code))
    return Paper(key, year=int(table["year"]), file=file, **given)


def _module(paper: Paper) -> Any:
    """The module of the experiments; one of a file stands in the folder of ``paper.toml``."""
    if not paper.module.endswith(".py"):
        return importlib.import_module(paper.module)
    return load(paper.folder / paper.module, paper.folder)
