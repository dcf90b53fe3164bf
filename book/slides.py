"""Write a deck of slides for each notebook: ``python book/slides.py``, read from build/slides.

The cells of notebooks/src carry Jupyter's own slide types, set by hand, and nbconvert reads them;
a cell without one is skipped. A code cell shows its output, or its code where it has none. The
decks need no network: reveal.js and MathJax are copied from installed packages.
"""

import importlib.resources
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import nbformat
from ledger import mathjax
from nbconvert import SlidesExporter

from pplab_course.exercises import notebook_of
from pplab_course.handed_out import refuse_edited

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "notebooks"))
from cells import MEND, out_of_step, read_source, sources  # noqa: E402

DECKS = ROOT / "build/slides"
# What a reader predicted; a class has many predictions.
GUESS = re.compile(r"; you (said|predicted) .*?(?=\.(\s|$))|\bYou (said|predicted) .*?\.(?=\s|$)")


def shown(outputs: list[Any]) -> list[Any]:
    """The figures of a cell; without one its tables and sentences, else what it prints."""
    rich = [output for output in outputs if output.output_type != "stream"]
    for text in (output.data for output in rich if "text/markdown" in output.data):
        text["text/markdown"] = GUESS.sub("", text["text/markdown"])
    return [output for output in rich if "image/png" in output.data] or rich or outputs


def deck(source: Path, notes: str) -> Any:
    """The cells of a source with the outputs of their run, and notes below the first slide."""
    if complaints := out_of_step(source):
        raise ValueError("\n".join([*complaints, f"mend it with: {MEND}"]))
    run = nbformat.read(source.parents[1] / f"solutions/{source.stem}.ipynb", as_version=4)
    outputs = {cell.id: cell.outputs for cell in run.cells if cell.cell_type == "code"}
    notebook = read_source(source, slides=True)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = shown(outputs[cell.id])
            cell.metadata["transient"] = {"remove_source": bool(cell.outputs)}
    spoken = nbformat.v4.new_markdown_cell(notes, metadata={"slideshow": {"slide_type": "notes"}})
    notebook.cells.insert(1, spoken)
    return notebook


def main() -> None:
    refuse_edited(ROOT / "notebooks")
    shutil.rmtree(DECKS, ignore_errors=True)
    reveal = importlib.resources.files("sphinx_revealjs") / "_static/revealjs"
    shutil.copytree(str(reveal), DECKS / "reveal", ignore=shutil.ignore_patterns("*.map", "*.scss"))
    shutil.copy(mathjax(), DECKS / "reveal")
    template = str(Path(__file__).with_name("slides.html.j2"))
    exporter = SlidesExporter(
        template_file=template, reveal_url_prefix="reveal", reveal_theme="white"
    )
    text = (ROOT / "docs/teach/notebooks.md").read_text(encoding="utf-8")
    guide = {part[:2]: part for part in re.split(r"^## ", text, flags=re.MULTILINE)}
    links = ""
    for source in sources(ROOT / "notebooks"):
        notebook = deck(source, guide[notebook_of(source.stem)])
        title = notebook.cells[0].source.splitlines()[0].lstrip("# ")
        made, _ = exporter.from_notebook_node(notebook, {"metadata": {"name": title}})
        (DECKS / f"{source.stem}.html").write_text(made, encoding="utf-8")
        links += f'<li><a href="{source.stem}.html">{title}</a></li>'
    (DECKS / "index.html").write_text(
        '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Slides of the course</title>'
        "<main><h1>Slides of the course</h1><p>Arrow keys move, S shows the notes for the speaker, "
        f"F fills the screen.</p><ul>{links}</ul></main></html>",
        encoding="utf-8",
    )
    print(f"slides: open {DECKS / 'index.html'}")


if __name__ == "__main__":
    main()
