"""The decks of slides: all figures, notes for the speaker, a quiz, and no promise left open."""

import re
import sys
from functools import cache

import nbformat
import pytest

from tests.helpers import ROOT, script
from tests.project.test_book import NOTEBOOKS, of_book

AHEAD = re.compile(
    r"\b((figure|table|code|sections?) below|next cell|cell after|slider|the picture|here is)\b",
    re.I,
)


@cache
def slides():
    sys.modules["ledger"] = of_book("ledger")
    return script(ROOT / "book" / "slides.py")


@cache
def deck(path):
    notebook = nbformat.read(path, as_version=4)
    entry = slides().guide()[slides().notebook_of(path.stem)]
    return notebook, slides().deck(notebook, entry), entry


def text(body):
    return " ".join(re.sub("<[^>]*>", " ", body).split())


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_slide_ends_in_a_colon_or_announces_what_is_not_there(path):
    for heading, body, _ in deck(path)[1]:
        shown = re.search("<(img|table|pre)", body)
        assert shown or not text(body).endswith(":"), (heading, text(body)[-80:])
        if not shown and not heading.startswith("Exercise"):
            assert not AHEAD.search(text(body)), (heading, text(body))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_deck_has_the_notebooks_figures_a_quiz_and_notes(path):
    notebook, made, entry = deck(path)
    outputs = [each for cell in notebook.cells for each in cell.get("outputs", [])]
    drawn = re.findall(
        r'<img alt="([^"]*)"', "".join(o.get("data", {}).get("text/html", "") for o in outputs)
    )
    assert drawn
    assert [alt for slide in made for alt in re.findall(r'<img alt="([^"]*)"', slide.body)] == drawn
    [quiz] = [slide for slide in made if slide.heading == "Quiz"]
    assert quiz.body.count("<li>") == quiz.notes.count("<li>") >= 2
    assert "Answer" not in quiz.body
    goal = entry["Goal"].split()[:3]
    assert text(made[0].notes).split()[1:4] == goal
    notes = {kind for slide in made for kind in re.findall("<h3>(.*?)</h3>", slide.notes)}
    assert {"Goal", "Minutes", "Misconceptions", "Discuss", "Stalls"} <= notes


def test_what_a_paragraph_announces_is_left_out():
    alone = slides().alone
    assert alone("It is true. Write your number into the next cell. Then **stop.** Go on.") == (
        "It is true. Then **stop.** Go on."
    )
    assert alone("- see the table below") == "- see the table below"
    texts = list(slides().paragraphs("Define", "One thing. Two kinds:\n\nA cross marks:"))
    assert [text(slide.body) for slide in texts] == ["One thing. Two kinds:"]
