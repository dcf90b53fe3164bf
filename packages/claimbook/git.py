"""What commits say of a folder, asked so that nothing runs which the folder itself names.

A folder's own configuration can name programs for git to run: filters, monitors, hooks, checks of
signatures. So no question reads it. Git works in a scratch repository that holds the commit which
is checked out, over the folder's objects and files; the account's own configuration stays in force.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

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
def queries(folder: Path) -> Iterator[Ask]:
    """Questions to the git clone in which a folder lies: arguments of git -> what it prints.

    Raises
    ------
    OSError, subprocess.CalledProcessError
        If there is no git, the folder lies in no clone, or a question has no answer.
    """
    *top, common, form, head = _output(folder, {}, "rev-parse", *_PLACES).split("\n")
    kept = _KEPT.findall(_output(folder, {}, "config", "--list"))
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
        _output(folder, places, "read-tree", head)
        yield lambda *arguments: _output(folder, places, *arguments)


def last_commit(ask: Ask, files: Iterable[Path | str]) -> str:
    """Commit that last changed files, if they are unchanged since."""
    files = [*map(str, files)]
    if ask("status", "--porcelain", "--ignore-submodules=all", "--", *files):
        return "uncommitted"
    return ask("log", "-1", "--no-show-signature", "--format=%H", "--", *files)


def is_older(ask: Ask, commit: str, other: str) -> bool:
    """True if a commit is an ancestor of another one; false where one of them is not here."""
    if not re.fullmatch("[0-9a-f]+", commit):
        return False
    try:
        ask("merge-base", "--is-ancestor", commit, other)
    except subprocess.CalledProcessError:
        return False
    return True


def _output(folder: Path, places: dict[str, str], *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    known = os.environ | _NO_MORE | places
    process = subprocess.run(command, check=True, capture_output=True, text=True, env=known)
    return process.stdout.strip()
