"""The course in a folder of the student's own: what is missing is copied, what was edited is kept.

A hidden file in the folder holds the hash of each file as it was copied, of a notebook that of its
cells without their outputs. A file with that hash has not been edited, so a newer one may take its
place; any other file belongs to the student.
"""

import json
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from pplab.files import whole
from pplab.shipped import shipped
from pplab_course.handed_out import cells_hash, committed, refuse_edited

COURSE = Path("pplab-course")  # of a student who names no folder
MANIFEST = ".pplab-course.json"


@dataclass
class Copied:
    """Names of the course's files in the folder, by what became of them."""

    new: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)  # unedited ones, by newer ones
    older: list[str] = field(default_factory=list)  # unedited ones that could be replaced
    edited: list[str] = field(default_factory=list)  # that this pplab has otherwise
    changed: list[str] = field(default_factory=list)  # of the edited ones, those that pplab changed


def course_files() -> dict[str, bytes]:
    """Name in the folder -> what is in it: the notebooks, and in ``docs`` what they link to."""
    home = shipped()
    notebooks = {file.name: file for file in sorted((home / "notebooks").glob("*.ipynb"))}
    if not notebooks:
        raise FileNotFoundError(
            f"this pplab has no notebooks in {home / 'notebooks'}: install it again, from its wheel"
        )
    refuse_edited(home / "notebooks")
    # the folder has the notebooks at its top, so links between the two are a step shorter
    shorter = dict.fromkeys(notebooks, (b"](../docs/", b"](docs/"))
    pages = _linked([file.read_bytes() for file in notebooks.values()], home / "docs")
    shorter |= dict.fromkeys(pages, (b"](../notebooks/", b"](../"))
    texts = {name: file.read_bytes() for name, file in notebooks.items()} | pages
    return {
        # as git has it on every system: hashes must not depend on the ends of lines
        name: text.replace(b"\r\n", b"\n").replace(*shorter[name])
        for name, text in texts.items()
    }


def _linked(texts: list[bytes], docs: Path) -> dict[str, bytes]:
    """Pages that texts link to, and those that these link to: nothing that a teacher added."""
    pages: dict[str, bytes] = {}
    while texts:
        for name in re.findall(_LINK, texts.pop().decode("utf-8")):
            if f"docs/{name}" not in pages and (docs / name).is_file():
                pages[f"docs/{name}"] = committed(docs / name)
                texts.append(pages[f"docs/{name}"])
    return dict(sorted(pages.items()))


_LINK = r"\]\((?:\.\./docs/)?([\w-]+\.(?:md|bib))\b"


def look(folder: Path) -> tuple[Copied, dict[str, bytes], dict[str, str]]:
    """Names of what is missing, older and edited in a folder; the course's files; the manifest.

    Raises
    ------
    ValueError
        If the manifest is damaged.
    """
    files, hashes, copied = course_files(), _read_manifest(folder), Copied()
    for name, text in files.items():
        file = folder / name
        if not file.exists():
            copied.new.append(name)
            continue
        here, then, ours = cells_hash(file.read_bytes()), hashes.get(name), cells_hash(text)
        if here == then != ours:
            copied.older.append(name)
        elif here != ours:
            copied.edited.append(name)
            if then != ours:
                copied.changed.append(name)
    return copied, files, hashes


def copy_course(folder: Path, *, update: bool = False) -> Copied:
    """Copy what is missing; with ``update`` replace what is older and was not edited, too.

    Raises
    ------
    OSError
        If the folder cannot be written; each file in it is whole, old or new.
    ValueError
        If the manifest is damaged.
    """
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(f"{folder} is a file: name a folder for the course")
    if folder.resolve() == (shipped() / "notebooks").resolve():
        raise ValueError(
            f"{folder} holds the notebooks that are handed out: name a folder of your own"
        )
    copied, files, hashes = look(folder)
    if update:
        copied.replaced, copied.older = copied.older, []
    differ = {*copied.new, *copied.replaced, *copied.older, *copied.edited}
    hashes |= {name: cells_hash(text) for name, text in files.items() if name not in differ}
    try:
        for name in [*copied.new, *copied.replaced]:
            write_whole(folder / name, files[name])
            hashes[name] = cells_hash(files[name])
    finally:
        write_whole(folder / MANIFEST, json.dumps(hashes, indent=1) + "\n")
    return copied


def _read_manifest(folder: Path) -> dict[str, str]:
    file = folder / MANIFEST
    if not file.exists():
        return {}
    try:
        hashes = json.loads(file.read_text(encoding="utf-8"))
        return {str(name): str(digest) for name, digest in hashes.items()}
    except (ValueError, AttributeError) as error:
        raise ValueError(
            f"{file} is damaged; delete it: then every notebook here that differs counts as edited"
        ) from error


def write_whole(file: Path, text: str | bytes, *, new: bool = False) -> None:
    """Write next to the file and move into its place; a new one must not be there yet."""
    if new and file.exists():
        raise ValueError(f"{file} exists: remove it, or name another file")
    file.parent.mkdir(parents=True, exist_ok=True)
    with whole(file) as out:
        out.write(text.encode() if isinstance(text, str) else text)


def open_lab(folder: Path, options: list[str]) -> None:
    """Start JupyterLab on the first notebook; it runs until it is ended.

    Raises
    ------
    ModuleNotFoundError
        If JupyterLab is not installed.
    PermissionError
        As root, without the option that allows it.
    """
    from jupyterlab.labapp import LabApp

    if getattr(os, "geteuid", int)() == 0 and "--allow-root" not in options:
        raise PermissionError(
            "you are root, as in a container, and every page of JupyterLab could act as root; if "
            "you mean that, add --allow-root"
        )

    first = min(name for name in course_files() if "/" not in name)
    print(f"JupyterLab opens {first}; Ctrl-C twice ends it", flush=True)
    # as the start page, not as a file to open: then the printed address leads there, too
    start = [f"--ServerApp.root_dir={folder.resolve()}", f"--LabApp.default_url=/lab/tree/{first}"]
    # before the user's own settings: no question about news, and no menu of nbgrader, for teachers
    paths = [str(Path(__file__).with_name("jupyter")), os.environ.get("JUPYTER_CONFIG_PATH", "")]
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(filter(None, paths))
    LabApp.launch_instance([*start, *options])
