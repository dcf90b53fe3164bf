"""Compare the notebooks of a folder with what was committed: edited ones are not handed out.

The standard library alone is used, so that the build of the wheel can ask, too.
"""

import hashlib
import json
import subprocess
from pathlib import Path

RECORD = "cells.json"  # with the notebooks: the hash of the cells of each, written by their build


def cells_hash(text: bytes, *, outputs: bool = False) -> str:
    """Of a notebook, the hash of its cells; without their outputs one that was run is unedited."""
    try:
        cells = json.loads(text)["cells"]
        parts = [[cell["cell_type"], "".join(cell["source"])] for cell in cells]
        if outputs:  # an answer's outputs stay where its cell is emptied again
            parts += [
                [{**out, "execution_count": 0} for out in cell.get("outputs", ())] for cell in cells
            ]
    except (ValueError, TypeError, KeyError):
        return hashlib.sha256(text).hexdigest()
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def hashes(notebooks: Path) -> dict[str, str]:
    """Hash of all cells of each notebook and each solution, by its path in the folder."""
    files = sorted([*notebooks.glob("*.ipynb"), *notebooks.glob("solutions/*.ipynb")])
    return {
        file.relative_to(notebooks).as_posix(): cells_hash(file.read_bytes(), outputs=True)
        for file in files
    }


def committed(page: Path) -> bytes:
    """A page as it was committed, in a clone with git, of any owner; elsewhere as it is."""
    try:
        show = ("git", "-c", "safe.directory=*", "show", f"HEAD:./{page.name}")
        shown = subprocess.run(show, cwd=page.parent, capture_output=True, check=False)
    except FileNotFoundError:
        return page.read_bytes()
    if b"safe.directory" in shown.stderr:  # an older git, which takes no such word
        raise ValueError(f"nothing shows that {page} was not edited: {shown.stderr.decode()}")
    return page.read_bytes() if shown.returncode else shown.stdout


def refuse_edited(notebooks: Path) -> None:
    """Refuse to hand out, show or pack notebooks of which one is not what was committed.

    Raises
    ------
    ValueError
        With the name of each that differs; a wheel has no solutions, and needs none.
    """
    recorded = json.loads((notebooks / RECORD).read_text(encoding="utf-8"))
    edited = [name for name, digest in hashes(notebooks).items() if recorded.get(name) != digest]
    if edited:
        raise ValueError(
            f"{notebooks} has edited notebooks, which would be handed out: {', '.join(edited)}; "
            "move yours to another folder and take the committed ones back, for example with git "
            "restore notebooks"
        )
