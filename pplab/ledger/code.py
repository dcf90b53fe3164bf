"""Where the code of a part stands, found by reading the source: importing it would take seconds."""

from __future__ import annotations

import ast
import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from pplab.ledger.registry import Paper

_ROOT = Path(__file__).parents[2]


class Code(NamedTuple):
    """A function with its file and line."""

    file: Path
    line: int
    name: str

    def __str__(self) -> str:
        inside = self.file.is_relative_to(_ROOT)
        return f"{self.file.relative_to(_ROOT) if inside else self.file}:{self.line} {self.name}"


def code_of(paper: Paper, part: str) -> Code | None:
    """The experiment of a part.

    Examples
    --------
    >>> from pplab.ledger.registry import find_paper
    >>> code_of(find_paper("social"), "sybil").name
    'sybil'
    """
    module = paper.module
    file = paper.file.parent / module if module.endswith(".py") else _source(module)
    found = _experiments(file) if file else {}
    return next((code for name, code in found.items() if re.fullmatch(name, part)), None)


def _source(module: str) -> Path | None:
    folder = _ROOT.joinpath(*module.split("."))
    files = (folder / "__init__.py", folder.with_suffix(".py"))
    return next((file for file in files if file.is_file()), None)


@cache
def _experiments(file: Path) -> dict[str, Code]:
    """Pattern of a part's name -> its experiment, plain names first."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    homes: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            homes |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
    found: dict[str, Code] = {}
    for block in tree.body:
        names = [_pattern(node) for node in ast.walk(block) if isinstance(node, ast.JoinedStr)]
        for call in (node for node in ast.walk(block) if isinstance(node, ast.Call)):
            arguments = [*call.args, *(each.value for each in call.keywords)]
            for name, experiment in pairwise(arguments):
                if not isinstance(experiment, ast.Attribute | ast.Name):
                    continue
                code = _code(file, ast.unparse(experiment), homes)
                if code and isinstance(name, ast.Constant):
                    found[re.escape(str(name.value))] = code
                elif code:  # its name is put together in the same function
                    found |= dict.fromkeys(names, code)
    return dict(sorted(found.items(), key=lambda each: ".+" in each[0]))


def _pattern(text: ast.JoinedStr) -> str:
    parts = (each.value if isinstance(each, ast.Constant) else None for each in text.values)
    return "".join(".+" if each is None else re.escape(str(each)) for each in parts)


def _code(file: Path, named: str, homes: dict[str, str]) -> Code | None:
    """A function as the registry of parts names it, alone or after its module."""
    first, _, rest = named.partition(".")
    home, _, name = ".".join(filter(None, (homes.get(first, ""), rest))).rpartition(".")
    source, name = (_source(home) if home else file), name or named
    lines = source.read_text(encoding="utf-8").splitlines() if source else []
    for number, line in enumerate(lines, start=1):
        if source and line.startswith(f"def {name}("):
            return Code(source, number, name)
    return None
