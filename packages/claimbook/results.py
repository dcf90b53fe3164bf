"""Stored results: one JSON file per part, written whole or not at all."""

import json
import math
import os
import platform
import re
import shlex
import subprocess
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

from claimbook.checks import printable
from claimbook.code import files_behind, hash_of, version_of
from claimbook.csvfile import lines_of
from claimbook.registry import Paper

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Result:
    """Measurements of a run of a part, with everything needed to judge and repeat it."""

    paper: str
    part: str
    source: str
    seed: int | str | None
    options: dict[str, object]
    checksums: dict[str, str]
    versions: dict[str, str]
    rules_commit: str
    rules: dict[str, str]  # id -> hash of the rule that stood at the run
    seconds: int | float
    rows: list[dict[str, str | int | float | None]]
    code_commit: str = ""
    machine: str = ""
    code: str = ""  # file:line of the experiment and its name, as they were at the run
    code_hash: str = ""  # of the files that a paper of its own folder brings
    processor_seconds: int | float = 0  # of all threads and processes that ended; 0 if not known

    @property
    def frame(self) -> "pd.DataFrame":
        """The measured rows as the experiment gave them."""
        import pandas as pd  # a fifth of a second that most readers of results need not wait

        return pd.DataFrame(self.rows)


def read_result(paper: str, part: str, folder: Path) -> Result | None:
    """Read the stored result of a part; None where there is none.

    Raises
    ------
    ValueError
        If the file is no whole result of this part; the sentence names the file.
    """
    file = result_file(paper, part, folder)
    if not os.path.lexists(file):
        return None
    try:
        if not file.is_file() and not file.is_dir():  # a pipe, a device, a link to nowhere
            raise ValueError("it is not a plain file")
        fields = dict(json.loads(file.read_text(encoding="utf-8")))
        if (fields.get("paper"), fields.get("part")) != (paper, part):
            label = f"{fields.get('part')!s:.40} of {fields.get('paper')!s:.40}"
            raise ValueError(f"it says that it is {label}")
        for name in ("seconds", "processor_seconds"):
            if not 0 <= fields.get(name, 0) < 1e9:  # thirty years
                raise ValueError(f"its run took {fields[name]!s:.40} s")
        kinds = get_type_hints(Result)
        # a result from before a field that has a default is still one
        present = [name for name in kinds if name in fields or not hasattr(Result, name)]
        return Result(**{name: _as_type(name, fields.get(name), kinds[name]) for name in present})
    except (ValueError, TypeError, RecursionError) as error:
        brought = (folder.parent / "paper.toml").is_file()
        name = shlex.quote(str(folder.parent)) if brought else paper
        raise ValueError(
            f"{file} is not a stored result ({error}); "
            f"rerun it with: pplab reproduce {name} --part {part} --again"
        ) from error


def _as_type(name: str, value: Any, kind: Any) -> Any:
    """A value read from JSON as one of a field's type; its text is text, whoever wrote it."""
    form, inner = get_origin(kind), get_args(kind)
    if form is dict and isinstance(value, dict):
        return {printable(key): _as_type(name, item, inner[1]) for key, item in value.items()}
    if form is list and isinstance(value, list):
        return [_row(item) or _as_type(name, item, inner[0]) for item in value]
    if form in (dict, list) or not isinstance(value, inner or kind):
        raise TypeError(f"wrong or missing {name}")
    return printable(value) if isinstance(value, str) else value


_CELLS = {str, int, float, bool, type(None)}


def _row(value: Any) -> Any:
    """A row that needs no second look, as nearly all of them are; None for others."""
    if type(value) is not dict or not _CELLS.issuperset(map(type, value.values())):
        return None
    texts = (text for text in value.values() if type(text) is str)
    return value if all(map(str.isprintable, chain(value, texts))) else None


def write_result(result: Result, folder: Path) -> Path:
    """Write a result: the file is complete or absent, whatever happens meanwhile."""
    fields = dict(vars(result))
    rows = fields.pop("rows")
    head = json.dumps(fields, indent=1, ensure_ascii=False, allow_nan=True)
    lines = ",\n".join(f"  {_line(row)}" for row in rows)
    text = f'{head[:-2]},\n "rows": [\n{lines}\n ]\n}}\n'
    return write_atomically(result_file(result.paper, result.part, folder), text)


def _line(row: Mapping[str, Any]) -> str:
    """A row as JSON, which has no word for what is endless, but numbers too large for a float."""
    cells = (f"{json.dumps(name, ensure_ascii=False)}: {_cell(row[name])}" for name in row)
    return f"{{{', '.join(cells)}}}"


def _cell(value: Any) -> str:
    if isinstance(value, float) and math.isinf(value):
        return "1e999" if value > 0 else "-1e999"
    return json.dumps(value, ensure_ascii=False)


def write_atomically(file: Path, text: str) -> Path:
    """Write next to the file, then move it into place in one step.

    Raises
    ------
    OSError
        If that fails, the disk is full for instance; the old file stays.
    """
    new = file.with_name(f".{file.name}.new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with _one_writer(file.parent):
            try:
                new.write_text(text, encoding="utf-8", errors="backslashreplace")
                new.replace(file)
            finally:
                new.unlink(missing_ok=True)
    except OSError as error:
        raise OSError(
            f"{file} could not be written ({error.strerror or error}); what was there is kept"
        ) from error
    return file


def _one_writer(folder: Path) -> Any:
    """Lock of a folder; it ends with its process, so what lies beside it is of no living one."""
    from filelock import FileLock

    return FileLock(folder / ".lock", timeout=60)


def clean(folder: Path) -> None:
    """Remove the incomplete files of killed runs."""
    for lock in folder.rglob(".lock"):
        with _one_writer(lock.parent):
            for rest in lock.parent.glob(".*.new"):
                rest.unlink()


def result_file(paper: str, part: str, folder: Path) -> Path:
    """File that stores the result of a part."""
    return folder / paper / f"{part}.json"


# The origin of a result: files read, versions, machine, and the commits of rules and code.


def checksums_of(data: Mapping[str, Any]) -> dict[str, str]:
    """Checksum of each file that was read."""
    return {
        f"{dataset.name}/{member}": checksum
        for dataset in data.values()
        for member, checksum in dataset.checksums.items()
    }


_PACKAGES = ("numpy", "scipy", "pandas", "numba", "pplab")


def data_changed(paper: Paper, result: Result) -> bool:
    """True if a paper's own catalogue names other data than a run has read."""
    try:
        text = paper.catalog.read_text(encoding="utf-8-sig") if paper.catalog else ""
        sets = tomllib.loads(text).items()
        now = {f"{name}/{file}": sum_ for name, s in sets for file, sum_ in s["files"].items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return False  # the run will say what is wrong with it
    return any(now.get(file, sum_) != sum_ for file, sum_ in result.checksums.items())


def versions(packages: Iterable[str] = _PACKAGES) -> dict[str, str]:
    """Versions of Python and of the packages that a number depends on, if they are installed."""
    known = {name: version_of(name) for name in packages}
    return {"python": platform.python_version()} | {n: text for n, text in known.items() if text}


def machine() -> str:
    """Operating system, processor and number of cores."""
    known = Path("/proc/cpuinfo")
    lines = known.read_text(encoding="utf-8").splitlines() if known.is_file() else []
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    processor = models[0] if models else platform.processor() or platform.machine()
    return f"{platform.system()} {platform.release()}, {processor}, {os.cpu_count()} cores"


def rules_commit(paper: Paper) -> str:
    """Commit that last changed the rules of a paper: they must stand before the run."""
    return commit_of([paper.rules, paper.choices], paper.rules.parent)


def commit_of(files: Sequence[Path | str], folder: Path) -> str:
    """Commit that last changed files, if they are unchanged since."""
    try:
        with _queries(folder) as ask:
            return _last_commit(ask, files)
    except subprocess.CalledProcessError as error:
        return "uncommitted" if error.stdout else _NO_CLONE  # it has told where, but no commit
    except OSError:
        return _NO_CLONE


_NO_CLONE = "unknown: not in a git clone"


def code_hash(paper: Paper) -> str:
    """Hash of the code that a paper's folder brings: Python files, and what it lists."""
    return hash_of(files_behind(paper.folder, paper.code), paper.folder)


def code_commit(paper: Paper) -> str:
    """Commit of the code that runs: of the collection, or of the folder that the paper brings."""
    if paper.results is None:
        return commit_of(paper.collection.tracked, paper.collection.root)
    listed = [name for name in paper.code if (paper.folder / name).exists()]
    return commit_of(["*.py", *listed], paper.folder)


# The history: each verdict that a rule ever gave, one line where rule or verdict changed.

HISTORY = ("id", "verdict", "hash", "rules_commit", "commit", "why")


def read_history(paper: Paper) -> list[dict[str, str]]:
    """Lines of a paper's history, oldest first for each id; none where there is no file."""
    return lines_of(paper.history, HISTORY) if paper.history.is_file() else []


def recorded(paper: Paper) -> dict[str, str]:
    """The verdict that each claim had when it was last run."""
    return {line["id"]: line["verdict"] for line in read_history(paper)}


FIXED = "fixed.json"  # part -> what `fixed_before` said in the clone; setup.py writes it


def fixed_before(paper: Paper, result: Result) -> str:
    """Whether commits show that a run's rules came first: "yes", or why they do not.

    The rules must have been committed, and their commit must be older than the one that stored
    the result. A wheel has no commits: beside its results lies what the clone knew at the build.
    """
    rules, folder = result.rules_commit, paper.file.parent
    if (known := paper.stored / FIXED).is_file():
        recorded = json.loads(known.read_text(encoding="utf-8")).get(f"{paper.key}/{result.part}")
        return f"{recorded or 'not shown: of no known commit'}, as its clone knew at the build"
    if len(rules) != 40:
        return f"not shown: rules {rules or 'of no known commit'}"
    file = result_file(paper.key, result.part, paper.stored)
    try:
        with _queries(folder) as ask:
            stored = _last_commit(ask, [file.resolve()])
            older = len(stored) == 40 and _is_older(ask, rules, f"{stored}^")
    except (OSError, subprocess.CalledProcessError):
        return "not shown: this is not a git clone"
    if len(stored) != 40:
        return "not shown: the result is not committed"
    return "yes" if older else "not shown: the commits are not here, or in another order"


# What commits say of a folder, asked so that nothing runs which the folder itself names. Its own
# configuration can name programs for git to run: filters, monitors, hooks, checks of signatures. So
# no question reads it. Git works in a scratch repository that holds the commit which is checked
# out, over the folder's objects and files; the account's own configuration stays in force.

Ask = Callable[..., str]
# Of the folder itself only this is asked, and what its configuration says: both run nothing.
_PLACES = ("--show-toplevel", "--git-common-dir", "--show-object-format", "HEAD")
# How files are compared. No value of these is the name of a program.
_KEPT = re.compile(
    r"core\.(?:autocrlf|eol|filemode|ignorecase|precomposeunicode|symlinks)=[a-z]+", re.IGNORECASE
)
_LISTS = ("shallow", "info/attributes", "info/exclude")
_NO_MORE = {"GIT_OPTIONAL_LOCKS": "0", "GIT_ALLOW_PROTOCOL": "", "GIT_NO_LAZY_FETCH": "1"}


@contextmanager
def _queries(folder: Path) -> Iterator[Ask]:
    """Questions to the git clone in which a folder lies: arguments of git -> what it prints.

    Raises
    ------
    OSError, subprocess.CalledProcessError
        If there is no git, the folder lies in no clone, or a question has no answer.
    """
    *top, common, form, head = _git(folder, {}, "rev-parse", *_PLACES).split("\n")
    kept = _KEPT.findall(_git(folder, {}, "config", "--list"))
    common_dir = (folder / common).resolve()
    with TemporaryDirectory(prefix="pplab-git-") as scratch:
        home = Path(scratch)
        for name in ("refs", "objects", "info"):
            (home / name).mkdir()
        for name in _LISTS:
            if (common_dir / name).is_file():
                copyfile(common_dir / name, home / name)
        (home / "HEAD").write_text(f"{head}\n", encoding="utf-8")
        settings = ["[core]", "repositoryformatversion = 1", "bare = false", "fsmonitor = false"]
        settings += [f"hooksPath = {os.devnull}", *(line.partition(".")[2] for line in kept)]
        settings += ["[extensions]", f"objectFormat = {form}", ""]
        (home / "config").write_text("\n".join(settings), encoding="utf-8")
        places = {
            "GIT_DIR": scratch,
            "GIT_COMMON_DIR": scratch,
            "GIT_WORK_TREE": "\n".join(top),
            "GIT_INDEX_FILE": str(home / "index"),
            "GIT_OBJECT_DIRECTORY": str(common_dir / "objects"),
        }
        _git(folder, places, "read-tree", head)
        yield lambda *arguments: _git(folder, places, *arguments)


def _last_commit(ask: Ask, files: Iterable[Path | str]) -> str:
    """Commit that last changed files, if they are unchanged since."""
    files = [*map(str, files)]
    if ask("status", "--porcelain", "--ignore-submodules=all", "--", *files):
        return "uncommitted"
    return ask("log", "-1", "--no-show-signature", "--format=%H", "--", *files)


def _is_older(ask: Ask, commit: str, other: str) -> bool:
    """True if a commit is an ancestor of another one; false where one of them is not here."""
    if not re.fullmatch("[0-9a-f]+", commit):
        return False
    try:
        ask("merge-base", "--is-ancestor", commit, other)
    except subprocess.CalledProcessError:
        return False
    return True


def _git(folder: Path, places: dict[str, str], *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    known = os.environ | _NO_MORE | places
    process = subprocess.run(command, check=True, capture_output=True, text=True, env=known)
    return process.stdout.strip()
