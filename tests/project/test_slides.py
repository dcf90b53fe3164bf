"""The decks of slides: as a person marked them, each slide complete, and nothing raw on it."""

import re
import sys
from functools import cache

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from tests.helpers import ROOT, script
from tests.project.test_book import of_book

SOURCES = sorted((ROOT / "notebooks/src").glob("*.py"))
TUPLE = re.compile(r"\((?:\(|\d[\d.]*, |'[^']*', )")  # as Python prints one
ROWS, WORDS = 18, 90  # of the tables and of the text of one slide


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
    printed = " ".join(
        output.get("text", "") + output.get("data", {}).get("text/markdown", "")
        for output in outputs
    )
    text = re.sub(r"^\|.*", "", heading.source, flags=re.MULTILINE)  # without a table
    if not re.match("##? ", text) or len(text.split()) > WORDS:
        yield "no heading, or a long text"
    if heading.source.endswith(":") and not code:
        yield "it announces what is not there"
    if any(output.get("name") == "stderr" for output in outputs) or TUPLE.search(printed):
        yield "raw output"
    if [len({"text/html", "text/markdown"} & set(o.data)) for o in outputs if "data" in o].count(0):
        yield "an output that is text alone"
    if sum("image/png" in output.get("data", {}) for output in outputs) > 1:
        yield "two figures"
    if sum(output.get("data", {}).get("text/html", "").count("<tr") for output in outputs) > ROWS:
        yield "tables of more rows than a slide holds"
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


@pytest.mark.parametrize(
    ("slide", "wrong"),
    [
        (a_slide(new_output("display_data", RICH)), []),
        (a_slide(), []),
        (a_slide(text="No heading"), ["no heading, or a long text"]),
        (a_slide(text="## A heading\n\n" + "word " * 90), ["no heading, or a long text"]),
        (a_slide(text="## A heading:")[:1], ["it announces what is not there"]),
        (a_slide(new_output("stream", name="stderr", text="a warning")), ["raw output"]),
        (a_slide(new_output("stream", text="((0, 0), (0, 1))")), ["raw output"]),
        (
            a_slide(new_output("execute_result", {"text/plain": "2"})),
            ["an output that is text alone"],
        ),
        (a_slide(*2 * [new_output("display_data", RICH)]), ["two figures"]),
        (
            a_slide(new_output("display_data", {"text/html": "<tr>" * 19})),
            ["tables of more rows than a slide holds"],
        ),
        (a_slide(tags=["hide-input"]), ["code that is to be hidden"]),
        (
            a_slide(new_output("display_data", RICH), tags=["solution"]),
            ["code that is to be hidden"],
        ),
    ],
)
def test_each_fault_is_seen(slide, wrong):
    assert [*complaints(slide)] == wrong


def test_figures_come_before_tables_and_a_prediction_is_left_out():
    figure, table = (new_output("display_data", data) for data in (RICH, {"text/html": "<table>"}))
    printed = new_output("stream", text="kept")
    said = "Half are true; you said 5%. The rest is not. You predicted 0.5."
    told = new_output("display_data", {"text/markdown": said})
    assert slides().shown([printed, table, figure]) == [figure]
    assert slides().shown([printed, table]) == [table]
    assert slides().shown([printed]) == [printed]
    assert slides().shown([told])[0].data["text/markdown"] == "Half are true. The rest is not. "


def test_a_source_out_of_step_is_refused(tmp_path):
    """Its outputs would be those of other cells."""
    source = tmp_path / "src" / SOURCES[0].name
    source.parent.mkdir()
    source.write_text(SOURCES[0].read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(ValueError, match="mend it with: make notebooks"):
        slides().deck(source, "")
