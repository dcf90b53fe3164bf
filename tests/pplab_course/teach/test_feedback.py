"""Pages of feedback: the student's own figures, formulas without a network, links with names."""

import base64
import re
import time
from types import SimpleNamespace

import pytest
from nbconvert.filters import markdown2html
from nbformat.v4 import new_markdown_cell, new_notebook

from pplab_course.teach.feedback import labelled
from pplab_course.teach.formulas import MOST, draw_formulas, drawn
from pplab_course.teach.judge import judge_notebook
from pplab_course.teach.marks import _TAG

SHOWN = """
from pplab.plots import new_figure, show
figure, axes = new_figure()
axes.plot([1, 2])
show(figure, alt="A line that rises from 1 to 2.")
"""
LEFT_OPEN = "import matplotlib.pyplot as plt\nplt.plot([2, 1])"
FORGED = """
from IPython.display import display
for picture in ("<script>alert(1)</script>", "PHNjcmlwdD4=", "iVBORw0KGgo=<script>"):
    display({"image/png": picture}, raw=True)
"""


def test_figures_of_a_cell_come_along_and_nothing_else_does():
    cells = ["print(1)", SHOWN, LEFT_OPEN, FORGED]
    result = judge_notebook(cells, seconds=60, trusted=True)
    assert [len(each) for each in result["figures"]] == [0, 1, 1, 0]
    for [picture] in result["figures"][1:3]:
        assert base64.b64decode(picture, validate=True).startswith(b"\x89PNG")
    assert "Figure: A line that rises" in result["printed"][1] + result["prose"][1]


def test_a_marked_notebook_holds_the_figures(marked):
    figure, verdict = marked(f"answer = 8\n{LEFT_OPEN}").cells
    assert figure.outputs[-1].output_type == "display_data"
    assert [each.output_type for each in verdict.outputs] == ["stream"]


def test_markdown_of_a_cell_is_shown_as_such_and_cleaned(marked):
    message = "**4 : 1** <script>alert(1)</script> [a](javascript:alert(1)) ![b](data:text/html,c)"
    message += " $e^2$"
    source = f"from IPython.display import Markdown, display\ndisplay(Markdown({message!r}))"
    [output] = draw_formulas(marked(source), {})[0].cells[0].outputs
    text = output.data["text/markdown"]
    assert text.startswith("**4 : 1** &lt;script>alert(1)&lt;/script> [a] (java")
    assert "![b] (data" in text
    assert '<img alt="e^2"' in text


@pytest.mark.parametrize("tag", ["<script>", "&lt;script&gt;", "&#60;script&#62;"])
@pytest.mark.parametrize("before", ["", "` b "])
def test_a_formula_that_cannot_be_drawn_is_text(before, tag):
    text = _TAG.sub("&lt;", f"a {before}$\\unknown{{{tag}}}$ and *more*")
    page = markdown2html(drawn(text))
    assert "<script" not in page
    assert "script" in page
    assert "<em>more</em>" in page


def test_formulas_become_pictures_but_not_those_in_code():
    text = r"Odds of $\frac ab \le 2$, and `$x$`; then $$\sum_j x_j$$ ends. It costs 3 $ or 4 $."
    notebook, _ = draw_formulas(new_notebook(cells=[new_markdown_cell(text)]), {})
    made = notebook.cells[0].source
    assert re.findall('<img alt="([^"]*)"', made) == [r"\frac ab \le 2", r"\sum_j x_j"]
    assert "`$x$`" in made
    assert "It costs 3 $ or 4 $." in made


def test_one_student_does_not_fill_the_disk_with_formulas():
    cells = [new_markdown_cell("$x$ " * 20_000), new_markdown_cell("$x$ " * 150_000)]
    first, second = draw_formulas(new_notebook(cells=cells), {})[0].cells
    assert first.source.count("<img") == MOST
    assert "<img" not in second.source
    assert second.source.count("x ") == 150_000
    assert len(first.source) < 5_000_000


def test_many_links_to_one_answer_take_no_time():
    waits = SimpleNamespace(name="02-O-answer", score=0, max_score=3, needs_manual_grade=True)
    links = '<a href="#02-O-answer">x</a>' * 30_000
    start = time.process_time()
    page = labelled(f'{links} Score: 0.0 / 3.0 <a name="02-O-answer"></a> Score: 1.5 / 3', [waits])
    assert time.process_time() - start < 5  # 8,000 took 55 s
    assert page.endswith(
        'Score: not read yet / 3.0 <a name="02-O-answer"></a> Score: not read yet / 3'
    )
    assert labelled('<a name="02-O-answer"></a> no score', [waits]).endswith("no score")


@pytest.mark.parametrize(
    "picture",
    [
        '<img alt="a" src="https://example.org/seen.png">',
        "<img src='//example.org/seen.png' alt='b'>",
        '<IMG SRC="http://example.org/seen.png"/>',
    ],
)
def test_a_students_page_fetches_nothing(picture):
    """Anyone who opens the page would be seen by the owner of the picture."""
    assert labelled(f"a {picture} b") == "a (a picture from elsewhere is left out) b"
    kept = '<img alt="x" src="data:image/png;base64,AAAA">'
    assert labelled(kept) == kept
