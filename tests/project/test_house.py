"""Imports point down the house, from package to package and from floor to floor; it stays small."""

import ast
import subprocess
from functools import cache
from importlib.util import resolve_name
from pathlib import Path

from tests.helpers import ROOT, script

house = script(ROOT / "benchmarks/house.py")
size_of = cache(house.size_of)  # a file counts in its package and in all of them

# pplab from the bottom up: a part may use its own floor and those below. A new part needs a place.
HOUSE = """
    checks compiled files shipped _above
    labelled
    graphs
    tables own_data
    intervals nearest vetted tradeoff
    datasets
    response recommenders smooth microaggregation counts
    metrics theory attacks
    plots
    widgets commands protect
    cli __main__
"""
FLOORS = {part: floor for floor, row in enumerate(HOUSE.split("\n")) for part in row.split()}
MECHANISMS = {"response", "recommenders", "smooth", "microaggregation", "counts"}
DRAWING = {"matplotlib", "ipywidgets", "IPython"}  # from the plots upwards
DRAW = {"pplab_course", "claimbook"}


def imported(tree, package):
    """Dotted names of all modules that a file in a package imports, inside functions too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), ".".join(package))
            # `from pplab import graphs` imports a part, `from pplab import load_dataset` a name
            yield from (f"{module}.{alias.name}" for alias in node.names)


def complaints(source, module, *, is_package=False):
    """Rules that one module breaks, in sentences."""
    here = module.split(".")
    package, part = here[0], here[1] if here[1:] else ""
    if package == "pplab" and part not in FLOORS:
        yield f"pplab.{part} has no floor: add it to HOUSE in {Path(__file__).name}"
        return
    draws = package in DRAW or (package == "pplab" and FLOORS[part] >= FLOORS["plots"])
    if ".ipynb" in source and package != "pplab_course":  # which hands them to students
        yield f"{module} names a notebook"
    for name in imported(ast.parse(source), here if is_package else here[:-1]):
        top, where = (*name.split("."), "")[:2]
        if top in DRAWING and not draws:
            yield f"{module} imports {name}: parts below the plots draw nothing"
        if top not in house.PACKAGES or (top, where) == (package, part) or module == house.ABOVE:
            continue
        if top not in (package, *house.PACKAGES[package]):
            yield f"{module} imports {name}, a package above it"
        elif top != "pplab":
            continue
        elif where not in FLOORS:
            yield f"{module} imports {name}: import from the part that defines it"
        elif package == "pplab" and FLOORS[where] > FLOORS[part]:
            yield f"{module} imports {name}, a floor above it"
        elif where == "datasets" and part in MECHANISMS and package == "pplab":
            yield f"{module} imports {name}: a mechanism knows no data set"


def test_imports_point_down():
    results = []
    for name, module in house.House().modules.items():
        if name != "pplab":  # the roof
            results += complaints(module.text, name, is_package=module.is_package)
    assert results == []


def test_no_imports_go_in_a_circle():
    assert house.House().circles() == []


def test_a_wrong_import_is_noticed_and_a_right_one_passes():
    for module, source, complaint in (
        ("metrics.risk", "from pplab_papers.noise_graphs import table1", "a package above"),
        ("metrics.risk", "from ..plots import curves", "a floor above"),
        ("metrics.risk", "from pplab import load_dataset", "the part that defines it"),
        ("metrics.risk", "def f():\n    import pplab.cli", "a floor above"),
        ("metrics.table1", "import matplotlib.pyplot as plt", "draw nothing"),
        ("response.noise", "from pplab.datasets import load_dataset", "knows no data set"),
        ("attic.old", "import math", "has no floor"),
        ("plots.show", "from pplab_course import check", "a package above"),
        ("cli", "from claimbook.commands import app", "a package above"),
    ):
        [result] = complaints(source, f"pplab.{module}")
        assert complaint in result
    for module, source, complaint in (
        ("claimbook.page", "from pplab.checks import shown", "a package above"),
        ("smoothbound.proof", "from claimbook.part import Part", "a package above"),
        ("pplab_papers.smooth.copies", "import matplotlib.pyplot as plt", "draw nothing"),
        ("pplab_papers.social", "import pplab_course", "a package above"),
        ("pplab_papers.social", "from pplab import recommend", "the part that defines it"),
    ):
        [result] = complaints(source, module)
        assert complaint in result
    for module, source in (
        ("metrics.risk", "from pplab.graphs import as_matrix\nimport numpy as np"),
        ("metrics.risk", "from .overlap import jaccard_similarity"),
        ("widgets.p", "import matplotlib.pyplot as plt\nfrom pplab.plots import show"),
    ):
        assert [*complaints(source, f"pplab.{module}")] == []


# Small is a promise.

LIMITS = Path(__file__).with_name("limits.txt")


def limits():
    """Limit of each thing that `house.counted` counts."""
    lines = (line.rsplit(maxsplit=1) for line in LIMITS.read_text().splitlines())
    return {name: int(number.replace(",", "")) for name, number in lines}


def before(path, commit):
    """Size of a file in a commit; 0 where it was not there."""
    place = path.relative_to(ROOT).as_posix()
    process = subprocess.run(["git", "show", f"{commit}:{place}"], cwd=ROOT, capture_output=True)
    return 0 if process.returncode else house.size_of(path, process.stdout.decode("utf-8"))


def too_large(counted, most, since):
    """Parts above their limits, with the files that grew since a commit, the most first."""
    for name, files in counted.items():
        sizes = {path: size_of(path) for path in files}
        if (size := sum(sizes.values())) > most[name]:
            grown = {path: size - before(path, since) for path, size in sizes.items()}
            named = sorted((path for path in grown if grown[path] > 0), key=lambda p: -grown[p])
            what = ", ".join(f"{path.relative_to(ROOT)} +{grown[path]}" for path in named)
            yield f"{name}: {size:,}, limit {most[name]:,}; grown since {since[:12]}: {what or '?'}"


def test_the_house_stays_within_its_limits():
    git = ["git", "log", "-1", "--format=%H", "--", str(LIMITS)]
    process = subprocess.run(git, cwd=ROOT, capture_output=True, text=True)
    counted, most = house.counted(), limits()
    assert counted.keys() == most.keys()
    assert [*too_large(counted, most, process.stdout.strip())] == []


def test_what_grew_is_named():
    counted = {"this": [Path(__file__), LIMITS]}
    size = sum(map(house.size_of, counted["this"]))
    assert [*too_large(counted, {"this": size}, "HEAD")] == []
    [line] = too_large(counted, {"this": size - 1}, "0" * 40)  # of which git has no file
    assert line.startswith(f"this: {size:,}, limit {size - 1:,}; grown since 000000000000: tests/")
    assert f"test_house.py +{house.size_of(Path(__file__))}, " in line
