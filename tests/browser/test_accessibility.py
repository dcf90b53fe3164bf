"""No serious fault that axe-core finds: slides, ledger page, and a notebook in JupyterLab.

A page of feedback is nbgrader's; it fits a narrow screen.
"""

import sys

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from nbconvert import HTMLExporter
from nbgrader.converters import GenerateFeedback

from pplab_course.teach.feedback import labelled
from tests.browser.test_ledger_page import file, ledger_page
from tests.browser.test_widget import lab, run_all
from tests.helpers import ROOT, ended

__all__ = ["file", "lab", "ledger_page"]
pytestmark = pytest.mark.verify("browser")

# Faults of the programs that show our pages, by axe-core's rule and a part of their HTML.
# ipywidgets: the label is not the handle's
NOT_OURS = (("aria-input-field-name", 'class="noUi-handle'),)


def serious(page, **within):
    """Violations of axe-core's rules, with each place that is ours."""
    result = Axe().run(page, **within).response["violations"]
    return [
        f"{each['id']}: {node['html'][:200]}"
        for each in result
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
        if not any(rule == each["id"] and part in node["html"] for rule, part in NOT_OURS)
    ]


@pytest.fixture(scope="module")
def decks():
    ended(sys.executable, ROOT / "book/slides.py")
    return sorted((ROOT / "build/slides").glob("[0-9]*.html"))


def test_slides_need_no_network_fit_and_have_no_serious_fault(page, decks):
    command = []
    page.on("request", lambda request: command.append(request.url))
    page.goto((ROOT / "build/slides/index.html").as_uri())
    assert serious(page) == []
    links = page.get_by_role("link").evaluate_all("links => links.map(link => link.href)")
    assert links == [deck.as_uri() for deck in decks]
    assert len(decks) == len([*(ROOT / "notebooks").glob("*.ipynb")]) > 10
    for deck in decks:
        page.goto(deck.as_uri())
        page.wait_for_function("Reveal.isReady() && window.MathJax?.startup?.promise")
        page.evaluate("MathJax.startup.promise.then(() => 0)")
        assert 12 <= page.locator(".slides > section").count() <= 20, deck.name
        high = page.evaluate(
            "Reveal.getHorizontalSlides().filter((slide, place) => {Reveal.slide(place);"
            "return Reveal.getCurrentSlide().scrollHeight > 720}).map(slide => slide.innerText)"
        )
        assert high == [], deck.name
        assert serious(page) == [], deck.name
    assert [url for url in command if not url.startswith(("file:", "data:"))] == []


def test_the_ledger_page_has_no_serious_fault(ledger_page):
    ledger_page.locator("details").first.click()
    assert serious(ledger_page) == []


def test_a_notebook_in_jupyterlab_has_no_serious_fault(page, lab):
    """Our content only: text, outputs and widgets. JupyterLab's own parts are not ours to mend."""
    page.goto(lab.format("00_find_somebody.ipynb"))
    run_all(page, 1)
    ours = [".jp-RenderedMarkdown", ".jp-OutputArea-output"]
    for kind in ours:
        assert page.locator(kind).count() > 10
    assert serious(page, context={"include": ours}) == []


def test_a_page_of_feedback_fits_a_narrow_screen(page):
    marks = {"score": 1, "max_score": 2, "late_penalty": 0, "graded_cells": []}
    names = {"student": "ada", "assignment": "all", "notebook": "all"}
    exporter = HTMLExporter(config=GenerateFeedback().config)
    page.set_viewport_size({"width": 390, "height": 900})
    for source in sorted((ROOT / "notebooks/solutions").glob("*.ipynb")):
        notebook = nbformat.read(source, as_version=4)
        made, _ = exporter.from_notebook_node(notebook, resources={"nbgrader": marks | names})
        page.set_content(labelled(made))
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, source.name
