"""Cells: read a percent-format source, turn solutions into stubs, compare, clean outputs.

Nothing here runs a cell; `build.py` does.
"""

import copy
import hashlib
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import jupytext
import nbformat

HERE = Path(__file__).resolve().parent
MARKER = "# YOUR CODE"
ON_SLIDES_ALONE = "slide-only"  # the tag of a cell that no notebook holds
MEND = "make notebooks"
PROJECT = tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))
ADDRESS, VERSION = PROJECT["tool"]["pplab"]["address"], PROJECT["project"]["version"]

_KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
_PRIVATE = re.compile(r"/(?:root|home|work|tmp|Users)\b[^\s\"'<]*")
_EMBEDDED = re.compile(r"data:image/png;base64,[A-Za-z0-9+/=]+")


def sources(folder: Path = HERE) -> list[Path]:
    """All notebook sources, in reading order."""
    return sorted((folder / "src").glob("*.py"))


def read_source(path: Path, *, slides: bool = False) -> Any:
    """Read a source into a notebook whose cell ids follow from the cells' text.

    With `slides`, cells keep their slide types, and those written for slides alone are there.
    """
    how = {"extension": ".py", "format_name": "percent", "comment_magics": False}
    notebook = jupytext.read(path, fmt=how)  # a comment stays one, whatever its first word
    notebook.metadata = nbformat.from_dict(
        {"kernelspec": dict(_KERNEL), "language_info": {"name": "python"}}
    )
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    seen: dict[str, int] = {}
    for cell in notebook.cells:
        digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:10]
        seen[digest] = seen.get(digest, 0) + 1
        cell.id = digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"
        shown = {"slideshow": cell.metadata.get("slideshow", {"slide_type": "skip"})}
        kept = metadata_of(tags_of(cell)) | (shown if slides else {})
        cell.metadata = nbformat.from_dict(kept)
    if not slides:
        notebook.cells = [cell for cell in notebook.cells if ON_SLIDES_ALONE not in tags_of(cell)]
    return notebook


def metadata_of(tags: list[str]) -> dict[str, Any]:
    """The metadata of a cell: its tags, and what JupyterLab folds."""
    folded = {"jupyter": {"source_hidden": True}} if "hide-input" in tags else {}
    return ({"tags": tags} if tags else {}) | folded


def tags_of(cell: Any) -> list[str]:
    """The tags of a cell, an empty list when it has none."""
    return list(cell.metadata.get("tags", []))


def student_copy(solutions: Any, name: str) -> Any:
    """The notebook a student opens: solution cells are stubs without output."""
    notebook = copy.deepcopy(solutions)
    for cell in notebook.cells:
        if "solution" in tags_of(cell):
            cell.source = stub(cell.source)
            cell.outputs, cell.execution_count = [], None
    notebook.cells[:0] = colab_cells(name, ADDRESS)
    return notebook


def colab_cells(name: str, address: str) -> list[Any]:
    """A link that opens the notebook on Colab, and the cell that installs pplab there.

    Both need the address of a repository on GitHub whose release has the wheel; without it none.
    """
    _, _, project = address.partition("https://github.com/")
    if not project:
        return []
    colab = f"https://colab.research.google.com/github/{project}"
    wheel = f"{address}/releases/download/v{VERSION}/pplab-{VERSION}-py3-none-any.whl"
    link = f"[Open this notebook on Colab]({colab}/blob/v{VERSION}/notebooks/{name}.ipynb)"
    setup = (
        "# On Colab this installs pplab; elsewhere it does nothing.\n"
        'import sys\n\nif "google.colab" in sys.modules:\n'
        f"    %pip install --quiet {wheel}"
    )
    return [
        nbformat.v4.new_markdown_cell(link, id="colab-link"),
        nbformat.v4.new_code_cell(setup, id="colab-setup"),
    ]


def stub(source: str) -> str:
    """Keep a solution up to the line `# YOUR CODE: what to fill in`, and its call of check.

    Where that line stands in a function, a second one below it asks for the answer itself.
    """
    lines = source.splitlines()
    place = next((row for row, line in enumerate(lines) if line.strip().startswith(MARKER)), None)
    calls = [row for row, line in enumerate(lines) if line.startswith("check(")]
    if place is None or not calls or calls[0] < place:
        raise ValueError(
            f"a solution cell must hold a line '{MARKER}: what to fill in' and below it a line "
            f"that starts with check(, got {lines[0] if lines else 'an empty cell'!r}"
        )
    while lines[place + 1].strip().startswith("#"):  # what to fill in may take several lines
        place += 1
    indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
    gap = ["", ""] if indent else []
    hole = f"{indent}..." if indent else "answer = ..."
    second = [line for line in lines[place + 1 :] if line.startswith(MARKER)]
    asked = [*second, "answer = ..."] if second else []
    return "\n".join([*lines[: place + 1], hole, *gap, *asked, *lines[calls[0] :]])


def clean(notebook: Any) -> Any:
    """Drop what changes from run to run: times, widget states, addresses of outputs."""
    notebook.metadata.pop("widgets", None)
    notebook.metadata.language_info = nbformat.from_dict({"name": "python"})
    notebook.metadata.kernelspec = nbformat.from_dict(dict(_KERNEL))
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if "widget" in tags_of(cell):  # a live widget cannot be stored; its static twin is below
            cell.outputs = []
        for output in cell.get("outputs", []):
            if "execution_count" in output:
                output["execution_count"] = cell.execution_count
    return notebook


def private_paths(notebook: Any) -> list[str]:
    """Paths of the machine that ran the notebook, found in its outputs."""
    found = []
    for number, cell in enumerate(notebook.cells):
        outputs = copy.deepcopy(cell.get("outputs", []))
        for output in outputs:
            output.get("data", {}).pop("image/png", None)
        text = _EMBEDDED.sub("", json.dumps(outputs))
        found += [f"cell {number}: {match}" for match in _PRIVATE.findall(text)]
    return found


def out_of_step(source: Path) -> list[str]:
    """Sentences that say where the two committed notebooks differ from their source."""
    wanted = read_source(source)
    folder, name = source.parent.parent, f"{source.stem}.ipynb"
    pairs = [
        (folder / "solutions" / name, wanted),
        (folder / name, student_copy(wanted, source.stem)),
    ]
    return [complaint for path, want in pairs for complaint in _differences(path, want)]


def _differences(path: Path, wanted: Any) -> list[str]:
    label = "/".join(path.parts[-2:])
    if not path.exists():
        return [f"{label} is missing"]
    found = nbformat.read(path, as_version=4)
    if len(found.cells) != len(wanted.cells):
        return [f"{label} has {len(found.cells)} cells, its source {len(wanted.cells)}"]
    return [
        f"{label}, cell {number} ({want.source.splitlines()[0][:50]!r}) is not what its source says"
        for number, (have, want) in enumerate(zip(found.cells, wanted.cells, strict=True))
        if (have.id, have.cell_type, have.source, tags_of(have))
        != (want.id, want.cell_type, want.source, tags_of(want))
    ]
