"""The decks of slides: as a person marked them, each slide complete, and nothing raw on it."""

import re
import sys
from functools import cache

from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from tests.helpers import ROOT, script
from tests.project.test_book import of_book

SOURCES = sorted((ROOT / "notebooks/src").glob("*.py"))
TUPLE = re.compile(r"\((?:\(|\d[\d.]*, |'[^']*', )")  # as Python prints one


@cache
def slides():
    sys.modules["ledger"] = of_book("ledger")
    return script(ROOT / "book/slides.py")


def tags_of(cell):
    return cell.metadata.get("tags", ())


def slides_of(notebook):
    """The cells of each slide, without those for the speaker."""
    result = []
    for cell in notebook.cells:
        kind = cell.metadata.slideshow.slide_type
        if kind == "slide":
            result.append([])
        if kind not in ("skip", "notes"):
            result[-1].append(cell)
    return result


def complaints(slide):
    """What is wrong with the cells of a slide."""
    heading, *rest = slide
    outputs = [output for cell in rest for output in cell.get("outputs", [])]
    code = [cell for cell in rest if cell.cell_type == "code"]
    data = [output.data for output in outputs if "data" in output]
    printed = [output.get("text", "") for output in outputs]
    printed = " ".join([*printed, *(each.get("text/markdown", "") for each in data)])
    text = re.sub(r"^\|.*", "", heading.source, flags=re.MULTILINE)  # without a table
    if not re.match("##? ", text) or len(text.split()) > 90:
        yield "no heading, or a long text"
    if heading.source.endswith(":") and not code:
        yield "it announces what is not there"
    if re.search("[Yy]ou (said|predicted)", printed):
        yield "it quotes one reader to a class"
    if any(output.get("name") == "stderr" for output in outputs) or TUPLE.search(printed):
        yield "raw output"
    if not all({"text/html", "text/markdown"} & set(each) for each in data):
        yield "an output that is text alone"
    if sum("image/png" in each for each in data) > 1:
        yield "two figures"
    for cell in code:
        hidden = cell.metadata.transient.remove_source
        if "solution" in tags_of(cell) or (not hidden and "hide-input" in tags_of(cell)):
            yield "code that is to be hidden"


def test_each_notebook_has_a_deck_of_12_to_20_complete_slides():
    for source in SOURCES:
        made = slides_of(slides().deck(source, "For the speaker."))
        assert 12 <= len(made) <= 20, source.name
        wrong = {slide[0].source[:40]: [*complaints(slide)] for slide in made}
        assert {heading: what for heading, what in wrong.items() if what} == {}, source.name


def a_slide(*outputs, text="## A heading", tags=()):
    """A slide with one code cell, as a deck has it."""
    code = new_code_cell("1 + 1", outputs=list(outputs), metadata={"tags": [*tags]})
    code.metadata.transient = {"remove_source": bool(outputs)}
    return [new_markdown_cell(text), code]


RICH = {"text/html": "<table><tr></table>", "image/png": ""}


def test_each_fault_is_seen():
    figure, plain = (new_output("display_data", data) for data in (RICH, {"text/plain": "2"}))
    quoted = new_output("display_data", {"text/markdown": "Half are true; you said 5%."})
    assert slides().shown([quoted])[0].data["text/markdown"] == "Half are true."
    warning, printed = new_output("stream", name="stderr"), new_output("stream", text="((0, 0), 1)")
    assert [*complaints(a_slide(figure))] == [*complaints(a_slide())] == []
    faults = (
        (a_slide(text="No heading"), "no heading, or a long text"),
        (a_slide(text="## A heading\n\n" + "word " * 90), "no heading, or a long text"),
        (a_slide(text="## A heading:")[:1], "it announces what is not there"),
        (a_slide(warning), "raw output"),
        (a_slide(printed), "raw output"),
        (a_slide(plain), "an output that is text alone"),
        (a_slide(figure, figure), "two figures"),
        (a_slide(tags=["hide-input"]), "code that is to be hidden"),
        (a_slide(figure, tags=["solution"]), "code that is to be hidden"),
    )
    assert [[*complaints(slide)] for slide, _ in faults] == [[wrong] for _, wrong in faults]
