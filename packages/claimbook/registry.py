"""Papers that a ledger holds: those of a collection, and any folder that has a ``paper.toml``.

A ``paper.toml`` names a paper, its rules, its choices, its history and its experiments. Paths count
from the file. Such a folder brings its results along; those of a `Collection` lie together, and its
``module`` is a dotted name.
"""

from __future__ import annotations

import importlib
import os
import shlex
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from claimbook.checks import shown
from claimbook.code import load

if TYPE_CHECKING:
    from claimbook.part import Part

_TEXTS = ("title", "authors", "address", "module")
_PATHS = ("rules", "choices", "history", "results", "catalog")


def _no_data(part: Part, argument: str, source: str) -> Any:
    name, _ = part.datasets[argument]
    raise ValueError(
        f"part {part.name} reads the data set {name!r} ({source}), and no collection here has it; "
        "list its files in a catalogue of your own"
    )


@dataclass(frozen=True, eq=False)
class Collection:
    """Papers that one package reruns; by default none.

    Parameters
    ----------
    package : str
        Its name; with it a refusal says what is not here.
    folder : Path
        The package, from which functions of proofs count; each paper has its folder there.
    members, aside : tuple of str
        Folders of the papers; of studies outside their totals and times.
    results : callable
        Folder of the results that are read.
    committed : Path
        The results of the project, which nobody changes where ``frozen``.
    root : Path
        Where stored paths of code count from.
    tracked : tuple of str
        What the commit of the code covers, as git takes it, from the root.
    moved : mapping
        Beginning of a path as it was at a run -> as it is now.
    behind : callable
        Paper -> the files on which its numbers depend.
    load : callable
        Part, argument and source -> the data set.
    never : callable
        Name of a data set -> whether nobody can have it, so that it is made.
    fetch : callable
        Name of a data set; brings it, where it is not here.
    """

    package: str = ""
    folder: Path | None = None
    members: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    results: Callable[[], Path] = Path
    committed: Path = Path()
    frozen: bool = True
    root: Path = Path()
    tracked: tuple[str, ...] = ()
    moved: Mapping[str, str] = field(default_factory=dict)
    behind: Callable[[Paper], Sequence[Path]] = lambda _: ()
    load: Callable[[Part, str, str], Any] = _no_data
    never: Callable[[str], bool] = lambda _: False
    fetch: Callable[[str], None] = lambda _: None

    def papers(self) -> dict[str, Paper]:
        """The papers by key."""
        return self._read(self.members)

    def apart(self) -> dict[str, Paper]:
        """Studies by key, outside the papers' totals and times."""
        return self._read(self.aside)

    def _read(self, names: Sequence[str]) -> dict[str, Paper]:
        files = [(self.folder or Path()) / name / "paper.toml" for name in names]
        return {key: paper for file in files for key, paper in _read(file, self, ours=True).items()}

    def find(self, named: str | Path) -> Paper:
        """A paper by its key, or by a folder that holds its ``paper.toml``.

        Raises
        ------
        TypeError
            If it is neither text nor a path.
        ValueError
            If there is neither such a key nor such a folder, or the file is not as it should be.
        """
        known = self.papers() | self.apart()
        keys = ", ".join(map(repr, known)) or f"those of {self.package}, which is not here"
        if not isinstance(named, (str, os.PathLike)):
            raise TypeError(
                f"paper must be a key or a folder, got {type(named).__name__}; keys are {keys}"
            )
        if str(named) in known:
            return known[str(named)]
        if not holds_paper(named):
            raise ValueError(
                f"paper must be one of {keys}, or a folder that holds a paper.toml; "
                f"got {shown(str(named))}"
            )
        tables = _read(file := Path(named) / "paper.toml", self)
        if len(tables) != 1:
            raise ValueError(f"{file} must hold one paper, got {len(tables)}; keep one table in it")
        return next(iter(tables.values()))

    def chosen(self, named: str | Path | None = None) -> list[Paper]:
        """One paper, or all of the collection where none is named.

        Raises
        ------
        ValueError
            If the collection is not here.
        """
        if named is None and not self.members:
            raise ValueError(
                f"{self.package or 'a collection of papers'} is not here: install it, or name a "
                "folder that holds a paper.toml"
            )
        return list(self.papers().values()) if named is None else [self.find(named)]

    def place(self, code: str) -> str:
        """The present place of code that was stored under the place of its run."""
        old = next((old for old in self.moved if code.startswith(old)), "")
        return self.moved.get(old, "") + code.removeprefix(old)


NONE = Collection()


@dataclass(frozen=True)
class Paper:
    """One paper (or report) and the place of its rules and results.

    ``results`` and ``catalog`` are given where a paper brings its own folder of results and its
    own catalogue of data; else those of the collection serve. ``code`` lists what its results
    depend on besides the code of its folder: files, folders, installed packages. ``levels`` are
    those at which a paper says of itself that something is significant, by pattern of ids.
    ``apart`` are parts whose numbers another program gave, ``computed`` parts or patterns of ids
    that compute from printed numbers and measure nothing; ``drawn`` are columns: numbers of a part
    that differ in them come from draws of their own (``worlds.joint_tests``).
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
    levels: tuple[tuple[str, float], ...] = ()
    apart: tuple[str, ...] = ()
    computed: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()
    collection: Collection = field(default=NONE, repr=False)

    @property
    def stored(self) -> Path:
        """Folder of its results."""
        return self.results or self.collection.results()

    @property
    def folder(self) -> Path:
        """The folder of its file."""
        return self.file.parent.resolve()

    @property
    def named(self) -> str:
        """Name that commands use: its key, or the folder that it brings."""
        return self.key if self.results is None else shlex.quote(str(self.file.parent))

    @property
    def parts(self) -> dict[str, Part]:
        """Experiments by name, in the order in which they are rerun; their modules are loaded."""
        if not self.module.endswith(".py"):
            return by_name(importlib.import_module(self.module).PARTS)
        return by_name(load(self.folder / self.module, self.folder).PARTS)


def by_name(parts: Iterable[Part]) -> dict[str, Part]:
    """Parts by their names, of which none may stand twice."""
    named: dict[str, Part] = {}
    for part in parts:
        if part.name in named:
            raise ValueError(f"PARTS holds two parts with the name {part.name!r}; rename one")
        named[part.name] = part
    return named


def paper_here() -> str | None:
    """Folder of the paper around the current folder: the nearest one upwards with a paper.toml."""
    current = Path.cwd()
    folders = (folder for folder in (current, *current.parents) if holds_paper(folder))
    return next((os.path.relpath(folder, current) for folder in folders), None)


def holds_paper(folder: str | Path) -> bool:
    """True if a folder holds a ``paper.toml``."""
    try:
        return (Path(folder) / "paper.toml").is_file()
    except OSError:  # a name that no folder can have
        return False


def _read(file: Path, collection: Collection, *, ours: bool = False) -> dict[str, Paper]:
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8-sig"))
        brought = {} if ours else {"results": "results"}
        papers = {key: _paper(file, key, brought | table) for key, table in tables.items()}
        return {key: replace(paper, collection=collection) for key, paper in papers.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(
            f"{file} describes no paper ({type(error).__name__}: {error}); "
            f"it needs title, authors, year, address, rules, choices, history, module"
        ) from error


def _paper(file: Path, key: str, table: dict[str, Any]) -> Paper:
    fields: dict[str, Any] = {name: table[name] for name in _TEXTS}
    for name, text in fields.items():
        if not isinstance(text, str):
            raise TypeError(f"{name} must be a text, got {shown(text)}")
    fields |= {name: (file.parent / table[name]).resolve() for name in _PATHS if name in table}
    for place in (fields[name] for name in _PATHS if name in table):
        if place.exists() and not (place.is_file() or place.is_dir()):
            raise ValueError(f"{place} is a device or a pipe")
    fields["levels"] = tuple((str(ids), _level(at)) for ids, at in table.get("levels", {}).items())
    for name in ("code", "apart", "computed", "drawn"):
        listed = table.get(name, [])
        fields[name] = (listed,) if isinstance(listed, str) else tuple(map(str, listed))
    return Paper(key, year=int(table["year"]), file=file, **fields)


def _level(given: Any) -> float:
    if not isinstance(given, float) or not 0 < given < 1:
        raise ValueError(f"a level is a number between 0 and 1, as 0.05; got {shown(given)}")
    return given
