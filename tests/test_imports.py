"""What `import pplab` loads, and that its lazy names are the ones type checkers read."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pplab


def test_every_public_name_is_found_where_type_checkers_find_it() -> None:
    """The imports that type checkers read and the table used at run time are the same."""
    tree = ast.parse(Path(pplab.__file__).read_text(encoding="utf-8"))
    guarded = next(node for node in tree.body if isinstance(node, ast.If))
    read = {
        alias.name: node.module.removeprefix("pplab.")
        for node in guarded.body
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }
    assert read == pplab._HOMES
    assert sorted(read) == pplab.__all__
    assert set(pplab.__all__) <= set(dir(pplab))


def loaded_by(program: str) -> set[str]:
    """Modules that a new process has loaded after a program."""
    program = f"import sys\n{program}\nprint(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(run.stdout.split())


def test_importing_pplab_loads_no_topic_and_no_library() -> None:
    assert not loaded_by("import pplab") & {"numpy", "scipy", "pandas", "numba", "matplotlib"}


def test_a_topic_loads_no_library_that_few_of_its_functions_need() -> None:
    dear = {"pandas", "networkx", "matplotlib", "sklearn", "scipy.stats", "community", "IPython"}
    assert (
        not loaded_by("import pplab; pplab.recommend; pplab.communities; pplab.similarity") & dear
    )
