"""Every notebook keeps the rules of style, and every rule notices when it is broken."""

import json
import re

import nbformat
import pytest

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
    results = {name: [*rule(notebook)] for name, notebook in solutions.items()}
    assert {name: lines for name, lines in results.items() if lines} == {}


def test_links_lead_somewhere(solutions):
    for name, notebook in solutions.items():
        assert [*rules.links_lead_somewhere(notebook, NOTEBOOKS)] == [], name


def test_a_notebook_holds_all_its_exercises_solved(solutions):
    assert REGISTER
    for stem, notebook in solutions.items():
        results = {}
        for cell in notebook.cells:
            for name in re.findall(r"^check\(\"([^\"]+)\"", cell.source, flags=re.M):
                results[name] = json.dumps([dict(output) for output in cell.get("outputs", [])])
        assert set(results) == {name for name in REGISTER if notebook_of(name) == notebook_of(stem)}
        assert [n for n, text in results.items() if "not yet" in text or n not in text] == []


# A notebook that keeps all rules, broken in one place: the rule sees it.

TEXT = json.dumps(nbformat.read(NOTEBOOKS / "solutions" / "02_noise_graphs.ipynb", as_version=4))
PROSE, CODE = "## Play", "my_prediction = "  # in a text, and at the beginning of the first code


def broken(old, new):
    assert old in TEXT
    return nbformat.reads(TEXT.replace(old, new, 1), as_version=4)


@pytest.mark.parametrize(
    ("rule", "old", "new"),
    [
        (rules.short_code, CODE, r"x = 1\n" * 21 + CODE),
        (rules.headings_in_order, PROSE, f"##{PROSE}"),
        (rules.skeleton, PROSE, "Play"),
        (rules.skeleton, "## Break something", r"## Quiz\n\n## Break something"),
        (rules.minutes, PROSE, PROSE + " word" * 900),
        (rules.minutes, PROSE, PROSE + " $a = b$" * 6),
        (rules.minutes, CODE, r"check(\"02-P\", 1)\n" + CODE),
        (rules.minutes, CODE, r"check(\"02-Z\", 1)\n" + CODE),
        (rules.length, PROSE, PROSE + " word" * 500),
        (rules.edition, "Edition 2", "Edition 1"),
        (rules.prediction_first, CODE, "import numpy"),
        (rules.no_number_retyped, PROSE, f"{PROSE}: it was 0.84 on average"),
        (rules.no_number_retyped, PROSE, f"{PROSE}: that is 51.3 %"),
        (rules.shares_without_exponent, CODE, "f'{100 * share:.2g} % true'; " + CODE),
        (rules.seeds_given, CODE, r"pplab.noise_graph(g, flip_probability=p)\n" + CODE),
        (rules.figures_have_alt_text, '{"alt": "', '{"alt": "3 edges", "was": "'),
        (rules.widgets_have_twins, '"widget", "nbval-ignore-output", "hide-input"', '"widget"'),
        (rules.widgets_have_twins, "twin(", "twin(other, "),
        (rules.exercises_are_checked, '"solution", "nbval-check-output"', '"nbval-check-output"'),
        (rules.exercises_are_checked, '"solution", "nbval-check-output"', '"solution"'),
        (rules.ran_in_order, '"execution_count": 1', '"execution_count": 7'),
        (rules.cells_run_again, CODE, f"{CODE}2 * my_prediction + "),
        (rules.cells_run_again, CODE, f"{CODE}np.pi * "),
    ],
)
def test_each_rule_notices(rule, old, new):
    assert [*rule(broken(old, new))], f"{rule.__name__} finds nothing"


def test_a_notebook_too_short_or_too_long_is_noticed():
    short = nbformat.v4.new_notebook(cells=broken(PROSE, PROSE).cells[:19])
    assert [*rules.number_of_cells(short)]
    *_, last = rules.minutes(broken(PROSE, PROSE + " word" * 7150))
    assert "more than an evening" in last
