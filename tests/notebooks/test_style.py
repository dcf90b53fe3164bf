"""Every notebook keeps the rules of style, and every rule notices when it is broken."""

import json
import re

import nbformat
import pytest

import pplab
from pplab_course.exercises import exercises, notebook_of
from tests.notebooks.conftest import NOTEBOOKS

from . import rules

REGISTER = exercises()


@pytest.fixture(scope="module")
def solutions():
    """All solved notebooks by their names."""
    paths = sorted((NOTEBOOKS / "solutions").glob("*.ipynb"))
    return {path.stem: nbformat.read(path, as_version=4) for path in paths}


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_notebooks_keep_the_rule(solutions, rule):
    found = {name: rule(notebook) for name, notebook in solutions.items()}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_links_and_claims_exist(solutions):
    ids = set(pplab.claims()["id"])
    for name, notebook in solutions.items():
        assert rules.links_lead_somewhere(notebook, NOTEBOOKS) == [], name
        assert rules.claims_exist(notebook, ids) == [], name


def test_a_notebook_holds_all_its_exercises_solved(solutions):
    assert REGISTER
    for stem, notebook in solutions.items():
        found = {}
        for cell in notebook.cells:
            for name in re.findall(r"^check\(\"([^\"]+)\"", cell.source, flags=re.M):
                found[name] = json.dumps([dict(output) for output in cell.get("outputs", [])])
        assert set(found) == {name for name in REGISTER if notebook_of(name) == notebook_of(stem)}
        assert [n for n, said in found.items() if "not yet" in said or n not in said] == []


def test_all_rules_hold_for_a_tiny_good_notebook():
    broken = {rule.__name__: rule(good()) for rule in rules.RULES}
    assert {name: found for name, found in broken.items() if found} == {}


def markdown(text):
    return nbformat.v4.new_markdown_cell(text)


def code(text, *tags, **data):
    cell = nbformat.v4.new_code_cell(text, metadata={"tags": list(tags)})
    if data:
        alt = {"image/png": {"alt": data.pop("alt")}}
        html = f'<img alt="{alt["image/png"]["alt"]}" src="x">'
        bundle = {"image/png": "iVBOR", "text/html": html}
        cell.outputs = [nbformat.v4.new_output("display_data", bundle, metadata=alt)]
    return cell


def good():
    """A notebook that breaks no rule."""
    cells = [
        markdown(
            "# T\n\n*Edition 2, part 1 of 6: a part. Core track.*\n\n"
            "## What you will be able to do\n\n## What you need\n\n**Minutes (estimates):** "
            "about 5 to read, about 5\nfor the exercises."
        ),
        markdown("## Break something\n\nFlip 5 % of the cells."),
        code("my_prediction = 1 / 2"),
        markdown("## Define\n\n$p = 0.123$, see `1.25`."),
        code("import numpy as np\nnp.random.default_rng(1)"),
        code("show(figure, alt=a)", alt="3 of 4 edges"),
        markdown("## Play"),
        code("# NBVAL_IGNORE_OUTPUT\nexplore(draw, say=say)", "widget"),
        code("# NBVAL_CHECK_OUTPUT\ntwin(draw, alt=a)"),
        markdown("## Exercises"),
        code('# NBVAL_CHECK_OUTPUT\n# YOUR CODE: x\nanswer = 1\ncheck("01-C", answer)', "solution"),
        markdown("## Quiz\n\n## What to remember\n\n## References\n\n- doi 10.1145/2827872"),
    ]
    cells += [markdown("text") for _ in range(20 - len(cells))]
    count = 0
    for cell in cells:
        if cell.cell_type == "code":
            count += 1
            cell.execution_count = count
    return nbformat.v4.new_notebook(cells=cells)


def replaced(place, cell):
    notebook = good()
    if cell.cell_type == "code":
        cell.execution_count = notebook.cells[place].get("execution_count")
    notebook.cells[place] = cell
    return notebook


def too_long():
    notebook = replaced(3, markdown("## Define\n\n" + "word " * 7150))
    first = notebook.cells[0]
    first.source = first.source.replace("about 5 to read", "about 65 to read")
    return notebook


def unordered():
    notebook = good()
    notebook.cells[4].execution_count = 7
    return notebook


def test_each_rule_notices():
    for rule, notebook in (
        (rules.number_of_cells, nbformat.v4.new_notebook(cells=good().cells[:19])),
        (rules.short_code, replaced(4, code("x = 1\n" * 16))),
        (rules.headings_in_order, replaced(3, markdown("#### Define"))),
        (rules.skeleton, replaced(6, markdown("text"))),
        (rules.skeleton, replaced(1, markdown("## Define\n\n## Break something"))),
        (rules.minutes, replaced(3, markdown("## Define\n\n" + "word " * 900))),
        (rules.minutes, replaced(3, markdown("## Define\n\n" + "$a = b$ " * 6))),
        (rules.minutes, replaced(6, code('check("01-P", 1)', "solution"))),
        (rules.minutes, replaced(6, code('check("01-Z", 1)', "solution"))),
        (rules.minutes, too_long()),
        (
            rules.edition,
            replaced(0, markdown("# T\n\n*Edition 1, part 1 of 6: a part. Core track.*")),
        ),
        (rules.prediction_first, replaced(2, code("import numpy"))),
        (rules.tone, replaced(12, markdown("This is clearly true."))),
        (rules.no_number_retyped, replaced(12, markdown("It was 0.84 on average."))),
        (rules.no_number_retyped, replaced(12, markdown("That is 51.3 %."))),
        (rules.shares_without_exponent, replaced(4, code('print(f"{100 * share:.2g} % true")'))),
        (rules.seeds_given, replaced(4, code("pplab.noise_graph(g, flip_probability=p)"))),
        (rules.figures_have_alt_text, replaced(5, code("show()", alt="3 edges"))),
        (rules.widgets_have_twins, replaced(7, code("# NBVAL_IGNORE_OUTPUT\nexplore(draw)"))),
        (rules.widgets_have_twins, replaced(8, code("# NBVAL_CHECK_OUTPUT\ntwin(other, alt=a)"))),
        (rules.exercises_are_checked, replaced(10, code('# NBVAL_CHECK_OUTPUT\ncheck("01-C", 1)'))),
        (rules.ran_in_order, unordered()),
        (rules.cells_run_again, replaced(4, code("my_prediction = 2 * my_prediction"))),
        (rules.cells_run_again, replaced(2, code("my_prediction = np.pi"))),
    ):
        assert rule(notebook), f"{rule.__name__} finds nothing"


def test_a_claim_that_does_not_exist_is_noticed():
    text = "see `pplab claims paper:table-1:p=0.1` and `paper:table-2`, not `mode: x`"
    assert len(rules.claims_exist(replaced(12, markdown(text)), {"paper:table-2"})) == 1
