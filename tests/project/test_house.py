"""Imports point down the house: datasets, mechanisms, metrics, experiments, ledger, the doors."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "pplab"

# Floor of each part; a part may use its own floor and those below. New part: give it a floor.
FLOORS = {
    "checks": -4,
    "cells": -3,
    "graph_forms": -2,
    "graphs": -1,
    "binomial": -1,
    "nearest": -1,
    "tables": -1,
    "datasets": 0,
    "response": 1,
    "recommenders": 1,
    "anonymity": 1,
    "metrics": 2,
    "theory": 2,
    "attacks": 2,
    "experiments": 3,
    "ledger": 4,
    "plots": 5,
    "widgets": 5,
    "exercises": 5,
    "cli": 5,
    "__main__": 5,
}
# Parts on lower floors that a part must not use all the same.
STRANGERS = {
    "response": {"datasets"},
    "recommenders": {"datasets"},
    "anonymity": {"datasets"},
}
DRAWING = {"matplotlib", "ipywidgets", "IPython"}
DRAWING_FROM = 4  # the ledger's page is the lowest floor that may draw


def imported(tree: ast.AST, package: list[str]) -> Iterator[str]:
    """Dotted names of all modules that a file in a package imports, inside functions too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = [*base, *(node.module.split(".") if node.module else [])]
            # `from pplab import graphs` imports a part, `from pplab import load_dataset` a name
            yield from (".".join([*module, alias.name]) for alias in node.names)


def complaints(source: str, module: str, *, is_package: bool = False) -> list[str]:
    """What the imports of one module break, in sentences."""
    here = module.split(".")
    part = here[1]
    if part not in FLOORS:
        return [f"pplab.{part} has no floor: add it to FLOORS in {Path(__file__).name}"]
    package = here if is_package else here[:-1]
    found = []
    for name in imported(ast.parse(source), package):
        top, *rest = name.split(".")
        if top in DRAWING and FLOORS[part] < DRAWING_FROM:
            found.append(f"{module} imports {name}: parts below the ledger draw nothing")
        if top != "pplab" or (rest and rest[0] == part):
            continue
        if not rest or rest[0] not in FLOORS:
            found.append(f"{module} imports {name}: import from the part that defines it")
        elif FLOORS[rest[0]] > FLOORS[part]:
            found.append(f"{module} imports {name}, a floor above it")
        elif rest[0] in STRANGERS.get(part, ()):
            found.append(f"{module} imports {name}: a mechanism knows no data set")
    return found


def modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def test_there_are_modules_to_look_at() -> None:
    names = {path.name for path in modules()}
    assert {"cells.py", "graphs.py"} <= names


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(path: Path) -> None:
    dotted = path.relative_to(PACKAGE.parent).with_suffix("").parts
    is_package = dotted[-1] == "__init__"
    module = ".".join(dotted[:-1] if is_package else dotted)
    assert complaints(path.read_text(), module, is_package=is_package) == []


def test_no_module_knows_a_notebook() -> None:
    for path in modules():
        assert ".ipynb" not in path.read_text(), f"{path} names a notebook"


@pytest.mark.parametrize(
    ("module", "source", "complaint"),
    [
        (
            "pplab.metrics.risk",
            "from pplab.experiments.noise_graphs import table1",
            "a floor above",
        ),
        ("pplab.metrics.risk", "import pplab.ledger", "a floor above"),
        ("pplab.metrics.risk", "from pplab import ledger", "a floor above"),
        ("pplab.metrics.risk", "from ..ledger import rules", "a floor above"),
        ("pplab.metrics.risk", "from pplab import load_dataset", "the part that defines it"),
        ("pplab.metrics.risk", "def f():\n    import pplab.cli", "a floor above"),
        ("pplab.response.noise", "from pplab.datasets import load_dataset", "knows no data set"),
        ("pplab.datasets.readers", "from pplab.response import noise_graph", "a floor above"),
        ("pplab.experiments.table1", "import matplotlib.pyplot as plt", "draw nothing"),
        ("pplab.checks", "from pplab.graphs import as_matrix", "a floor above"),
        ("pplab.attic.old", "import math", "has no floor"),
    ],
)
def test_a_wrong_import_is_noticed(module: str, source: str, complaint: str) -> None:
    found = complaints(source, module)
    assert len(found) == 1
    assert complaint in found[0]


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("pplab.metrics.risk", "from pplab.graphs import as_matrix\nimport numpy as np"),
        ("pplab.metrics.risk", "from .overlap import jaccard_similarity"),
        ("pplab.experiments.table1", "from pplab.response import noise_graph"),
        ("pplab.theory.exact", "from pplab.metrics.overlap import jaccard_similarity"),
        ("pplab.widgets.p", "import matplotlib.pyplot as plt\nfrom pplab.plots import show"),
    ],
)
def test_a_right_import_passes(module: str, source: str) -> None:
    assert complaints(source, module) == []
