"""The states of the notebooks' widgets, drawn once for the book, where no kernel runs.

Each notebook is run up to its last widget, with an `explore` that draws every state to a file. The
states are kept in build/widgets until the cells, pplab or the data found on this machine change.
"""

import ast
import dis
import hashlib
import importlib
import io
import itertools
import json
import math
import os
import runpy
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

import nbformat
from filelock import FileLock
from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "build" / "widgets"
MOST = 30  # states of a widget
LARGEST = 25_000  # bytes of a picture


def thinned(
    lengths: Sequence[int], starts: Sequence[int], menus: Sequence[bool]
) -> list[list[int]]:
    """Places of the values to draw, of each control: evenly, both ends and start; menus whole."""
    sizes = [
        [length] if menu else range(1, length + 1)
        for length, menu in zip(lengths, menus, strict=True)
    ]
    counts = max(
        (each for each in itertools.product(*sizes) if math.prod(each) <= MOST),
        key=lambda each: (min(3, *each), math.prod(each), min(each)),
    )
    return [_even(*each) for each in zip(lengths, counts, starts, strict=True)]


def _even(length: int, count: int, start: int) -> list[int]:
    """So many places of a control, one of them moved to the start, and no end where that can be."""
    places = [round(step * (length - 1) / max(count - 1, 1)) for step in range(count)]
    if start not in places:
        inner = range(1, count - 1) if count > 2 else range(count)
        places[min(inner, key=lambda at: abs(places[at] - start))] = start
    return places


def record(folder: str) -> None:
    """In a notebook's kernel: from now on `explore` draws its states into a folder.

    With the states of a widget stands whether a data set that was loaded before is a stand-in.
    """
    import pplab
    import pplab.widgets

    style = importlib.import_module("pplab.plots.style")  # its package has a function of that name
    listed: list[Any] = []
    standins: list[str] = []
    load = pplab.load_dataset

    def load_dataset(name: str, **options: Any) -> Any:
        dataset = load(name, **options)
        standins.extend([name] * (dataset.source == "standin"))
        return dataset

    def explore(draw: Any, **options: Any) -> None:
        states = _states(Path(folder), len(listed), as_png, draw, **options)
        listed.append(states | {"standins": standins})
        (Path(folder) / "widgets.json").write_text(json.dumps(listed), encoding="utf-8")

    pplab.widgets.explore, pplab.load_dataset = explore, load_dataset
    as_png, style._png = style._png, lambda _: b""  # nobody looks at the other figures


def _states(
    folder: Path,
    number: int,
    as_png: Any,
    draw: Any,
    *,
    say: Any,
    width: float = 6.4,
    height: float = 3.4,
    **controls: Any,
) -> dict[str, Any]:
    """The controls as they are shown; picture and sentence of each state, last control fastest."""
    import matplotlib.pyplot as plt
    from ipywidgets import Dropdown

    from pplab.plots import new_figure

    sliders = [control.slider() for control in controls.values()]
    menus = [isinstance(slider, Dropdown) for slider in sliders]
    starts = [list(control.values).index(control.start) for control in controls.values()]
    lengths = [len(control.values) for control in controls.values()]
    kept = thinned(lengths, starts, menus)
    shown = [
        {
            "label": control.label,
            "values": [slider.options[at] if menu else slider.options[at][0] for at in places],
            "start": places.index(start),
            "ends": [] if menu else [control.low, control.high],
            "buttons": control.buttons,
        }
        for control, slider, menu, places, start in zip(
            controls.values(), sliders, menus, kept, starts, strict=True
        )
    ]
    states = []
    for places in itertools.product(*kept):
        values = [each.values[at] for each, at in zip(controls.values(), places, strict=True)]
        figure, axes = new_figure(width=width, height=height)
        text = say(draw(axes, **dict(zip(controls, values, strict=True))))
        file = f"{number}-{len(states)}.webp"
        (folder / file).write_bytes(_small(figure, as_png))
        plt.close(figure)
        states.append([file, text])
    of = math.prod(lengths)
    return {"width": round(100 * width), "controls": shown, "states": states, "of": of}


def _small(figure: Any, as_png: Any) -> bytes:
    """The figure as a notebook shows it, packed smaller."""
    packed = io.BytesIO()
    picture = Image.open(io.BytesIO(as_png(figure))).convert("RGB")
    picture.save(packed, "webp", lossless=True, quality=100)
    if packed.tell() > LARGEST:
        raise ValueError(f"a state takes {packed.tell()} bytes, more than {LARGEST}: draw less")
    return packed.getvalue()


def folders(notebooks: Sequence[Path]) -> list[Path | None]:
    """Folders with the states of each notebook's widgets; missing ones are drawn, two at a time."""
    KEPT.mkdir(parents=True, exist_ok=True)
    with FileLock(KEPT / ".lock"), ThreadPoolExecutor(2) as pool:
        return list(pool.map(_folder, notebooks))


def has_states(cell: Any) -> bool:
    """True if it is the cell of a widget."""
    return "widget" in cell.metadata.get("tags", []) and "explore(" in cell.source


def _up_to_the_widgets(path: Path) -> Any:
    """The notebook's code cells, the last of which has a widget."""
    notebook = nbformat.read(path, as_version=4)
    last = max((at for at, cell in enumerate(notebook.cells) if has_states(cell)), default=-1)
    notebook.cells = [cell for cell in notebook.cells[: last + 1] if cell.cell_type == "code"]
    return notebook


def _folder(path: Path) -> Path | None:
    cells = _up_to_the_widgets(path).cells
    if not cells:
        return None
    folder = KEPT / f"{path.stem}-{_key(cells)}"
    if not folder.exists():
        start, part = time.monotonic(), KEPT / f"{path.stem}.part"
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir()
        ours = {"PPLAB_PROGRESS": os.devnull}  # what is solved here is nobody's progress
        if data := os.environ.get("PPLAB_DATA"):  # notebooks run in another folder
            ours["PPLAB_DATA"] = str(Path(data).resolve())
        command = [sys.executable, str(Path(__file__)), str(path), str(part)]
        subprocess.run(command, check=True, env={"PYTHONHASHSEED": "0", **os.environ, **ours})
        part.rename(folder)
        kept = sorted(KEPT.glob(f"{path.stem}-*"), key=lambda each: each.stat().st_mtime)
        for old in kept[:-3]:
            shutil.rmtree(old)
        states = len([*folder.glob("*.webp")])
        print(f"book: {path.stem}, {states} states in {time.monotonic() - start:.0f} s", flush=True)
    return folder


def draw(path: Path, folder: Path) -> None:
    """Run a notebook up to its last widget, and write the states of its widgets to a folder."""
    sys.path.append(str(ROOT / "notebooks"))
    run = runpy.run_path(str(ROOT / "notebooks" / "build.py"))["run"]
    notebook = _up_to_the_widgets(path)
    code = f"import sys\nsys.path.append({str(ROOT / 'book')!r})\n"
    code += f"import widgets\nwidgets.record({str(folder)!r})"
    notebook.cells.insert(0, nbformat.v4.new_code_cell(code))
    run(notebook, name=path.stem)


def _key(cells: Sequence[Any]) -> str:
    """A hash of all that the states depend on."""
    text = json.dumps([[cell.source for cell in cells], *_surroundings()])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@cache
def _surroundings() -> tuple[Any, ...]:
    """This file, pplab with its stored results, its versions, and where each data set is found."""
    from pplab.datasets.load import status_rows

    parts = (file.relative_to(ROOT) for file in sorted((ROOT / "pplab").rglob("*")))
    hidden = ("__pycache__", ".")
    inside = [part for part in parts if not any(each.startswith(hidden) for each in part.parts)]
    files = [
        ROOT / "book" / "widgets.py",
        ROOT / "requirements.lock",
        *(ROOT / each for each in inside),
    ]
    hashes = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files if file.is_file()]
    return hashes, [row[:3] for row in status_rows()]


def move(notebook: Any, folder: Path, pictures: Path) -> None:
    """Give each widget of a staged notebook its states, and copy their pictures."""
    shutil.copytree(folder, pictures, ignore=shutil.ignore_patterns("*.json"))
    listed = json.loads((folder / "widgets.json").read_text(encoding="utf-8"))
    cells = [cell for cell in notebook.cells if has_states(cell)]
    for cell, widget in zip(cells, listed, strict=True):
        notes = []
        if len(widget["states"]) < (of := widget.pop("of")):
            notes.append(f"{len(widget['states'])} of the {of} states; in JupyterLab you have all.")
        if widget.pop("standins") and _shows_data(notebook.cells[: notebook.cells.index(cell) + 1]):
            notes.append("Drawn on made-up data, since the real ones were not at hand.")
        widget |= {"folder": pictures.name, "note": " ".join(notes)}
        text = json.dumps(widget, ensure_ascii=False).replace("<", "\\u003c")
        html = f'<script type="application/json" class="widget-states">{text}</script>'
        cell.outputs = [nbformat.v4.new_output("display_data", {"text/html": html})]


def _shows_data(cells: Sequence[Any]) -> bool:
    """True if the last cell needs a loaded data set, through the statements that bind its names."""
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    needed = {"explore"}
    for statement in reversed(ast.parse("\n".join(code)).body):
        codes = [compile(ast.Module([statement], []), "cell", "exec")]
        for each in codes:  # those of its functions join behind
            codes += [inner for inner in each.co_consts if isinstance(inner, CodeType)]
        steps = [step for each in codes for step in dis.get_instructions(each)]
        read = {step.argval for step in steps if step.opname in ("LOAD_NAME", "LOAD_GLOBAL")}
        bound = {step.argval for step in steps if step.opname == "STORE_NAME"}
        if bound & needed or (needed == {"explore"} and "explore" in read):
            needed |= read
            if any("load_dataset" in each.co_names for each in codes):
                return True
    return False


if __name__ == "__main__":  # as its own process, one for each notebook
    draw(Path(sys.argv[1]), Path(sys.argv[2]))
