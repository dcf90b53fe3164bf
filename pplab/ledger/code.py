"""Where the code of a part stands, found by reading the source: importing it would take seconds."""

from __future__ import annotations

import ast
import re
from functools import cache
from itertools import pairwise
from pathlib import Path

from pplab.ledger.registry import Paper

_ROOT = Path(__file__).parents[2]


def code_of(paper: Paper, part: str) -> str:
    """File, line and name of a part's experiment; empty where there is none.

    Examples
    --------
    >>> from pplab.ledger.registry import find_paper
    >>> code_of(find_paper("social"), "sybil").startswith("pplab/papers/social/sybils.py:")
    True
    """
    found = _experiments(_module_file(paper, paper.module))
    for name, where in found.items():
        if re.fullmatch(name, part):
            return where
    return ""


def _module_file(paper: Paper, module: str) -> Path:
    if module.endswith(".py"):
        return paper.file.parent / module
    return _source(module) or _ROOT


def _source(module: str) -> Path | None:
    folder = _ROOT.joinpath(*module.split("."))
    files = (folder / "__init__.py", folder.with_suffix(".py"))
    return next((file for file in files if file.is_file()), None)


@cache
def _experiments(file: Path) -> dict[str, str]:
    """Pattern of a part's name -> file:line of its experiment, in the order of the file."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    homes: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            homes |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
    found: dict[str, str] = {}
    for block in tree.body:
        names = [_pattern(node) for node in ast.walk(block) if isinstance(node, ast.JoinedStr)]
        for call in (node for node in ast.walk(block) if isinstance(node, ast.Call)):
            arguments = [*call.args, *(each.value for each in call.keywords)]
            for name, experiment in pairwise(arguments):
                if isinstance(experiment, ast.Attribute | ast.Name):
                    where = _where(file, ast.unparse(experiment), homes)
                    if where and isinstance(name, ast.Constant) and isinstance(name.value, str):
                        found[re.escape(name.value)] = where
                    elif where:  # its name is put together in the same function
                        found |= dict.fromkeys(names, where)
    return dict(sorted(found.items(), key=lambda each: ".+" in each[0]))  # plain names first


def _pattern(text: ast.JoinedStr) -> str:
    parts = (each.value if isinstance(each, ast.Constant) else None for each in text.values)
    return "".join(".+" if each is None else re.escape(str(each)) for each in parts)


def _where(file: Path, name: str, homes: dict[str, str]) -> str:
    """file:line of a function, named as the registry of parts names it."""
    first, _, rest = name.partition(".")
    home, _, function = ".".join(filter(None, (homes.get(first, ""), rest))).rpartition(".")
    source = _source(home) if home else file
    function = function or name
    lines = source.read_text(encoding="utf-8").splitlines() if source else []
    for number, line in enumerate(lines, start=1):
        if line.startswith(f"def {function}("):
            inside = source.is_relative_to(_ROOT) if source else False
            return (
                f"{source.relative_to(_ROOT) if source and inside else source}:{number} {function}"
            )
    return ""
