"""Imports point down the house: ground, data and mechanisms, metrics, papers, ledger, the doors."""

import ast
from importlib.util import resolve_name
from pathlib import Path

from tests.helpers import ROOT

# From the bottom up: a part may use its own floor and those below. A new part needs a place.
HOUSE = """
    checks _compiled shipped
    labelled
    graphs
    tables own_data
    intervals nearest vetted tradeoff
    datasets
    response recommenders smooth microaggregation counts
    metrics theory attacks scale
    papers
    ledger plots
    widgets commands protect
    pplab_course
    cli __main__
"""
FLOORS = {part: floor for floor, row in enumerate(HOUSE.split("\n")) for part in row.split()}
MECHANISMS = {"response", "recommenders", "smooth", "microaggregation", "counts"}
HANDS_OUT = {"pplab_course"}  # notebooks, to students
DRAWING = {"matplotlib", "ipywidgets", "IPython"}  # from the ledger's page upwards


def imported(tree, package):
    """Dotted names of all modules that a file in a package imports, inside functions too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), ".".join(package))
            # `from pplab import graphs` imports a part, `from pplab import load_dataset` a name
            yield from (f"{module}.{alias.name}" for alias in node.names)


def part_of(names):
    """The part of the house that a dotted name belongs to; the course is one."""
    return names[0] if names[0] == "pplab_course" else names[1] if names[1:] else ""


def complaints(source, module, *, is_package=False):
    """What one module breaks, in sentences."""
    here = module.split(".")
    part = part_of(here)
    if part not in FLOORS:
        yield f"pplab.{part} has no floor: add it to HOUSE in {Path(__file__).name}"
        return
    if ".ipynb" in source and part not in HANDS_OUT:
        yield f"{module} names a notebook"
    for name in imported(ast.parse(source), here if is_package else here[:-1]):
        names = name.split(".")
        top, where = names[0], part_of(names)
        if top in DRAWING and FLOORS[part] < FLOORS["ledger"]:
            yield f"{module} imports {name}: parts below the ledger draw nothing"
        if top not in ("pplab", "pplab_course") or where == part:
            continue
        if where not in FLOORS:
            yield f"{module} imports {name}: import from the part that defines it"
        elif FLOORS[where] > FLOORS[part]:
            yield f"{module} imports {name}, a floor above it"
        elif where == "datasets" and part in MECHANISMS:
            yield f"{module} imports {name}: a mechanism knows no data set"


def test_imports_point_down():
    found = []
    for path in sorted([*ROOT.glob("pplab/**/*.py"), *ROOT.glob("pplab_course/**/*.py")]):
        dotted = path.relative_to(ROOT).with_suffix("").parts
        is_package = dotted[-1] == "__init__"
        module = ".".join(dotted[:-1] if is_package else dotted)
        if module != "pplab":  # the roof
            found += complaints(path.read_text(), module, is_package=is_package)
    assert found == []


def test_a_wrong_import_is_noticed_and_a_right_one_passes():
    for module, source, complaint in (
        ("metrics.risk", "from pplab.papers.noise_graphs import table1", "a floor above"),
        ("metrics.risk", "from ..ledger import rules", "a floor above"),
        ("metrics.risk", "from pplab import load_dataset", "the part that defines it"),
        ("metrics.risk", "def f():\n    import pplab.cli", "a floor above"),
        ("papers.table1", "import matplotlib.pyplot as plt", "draw nothing"),
        ("response.noise", "from pplab.datasets import load_dataset", "knows no data set"),
        ("attic.old", "import math", "has no floor"),
        ("plots.show", "from pplab_course import check", "a floor above"),
    ):
        [found] = complaints(source, f"pplab.{module}")
        assert complaint in found
    for module, source in (
        ("metrics.risk", "from pplab.graphs import as_matrix\nimport numpy as np"),
        ("metrics.risk", "from .overlap import jaccard_similarity"),
        ("widgets.p", "import matplotlib.pyplot as plt\nfrom pplab.plots import show"),
    ):
        assert [*complaints(source, f"pplab.{module}")] == []
