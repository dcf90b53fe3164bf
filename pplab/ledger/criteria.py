"""Criteria of statements: an expression over the rows that a run stored, or a proof by a function.

An expression is Python of a small kind. A column's name called as a function gives that column of
the rows that match, ``value(measure="cn", epsilon=0.6)``; ``printed("paper:table-2:*")`` gives the
printed numbers of the claims whose ids match; the rest is arithmetic, comparison and the functions
of `FUNCTIONS`. A proof, ``proof: module.function``, asks a function of ``pplab.papers``. Its hash
is that of its syntax tree and of what it calls there: changed code is a changed rule.
"""

from __future__ import annotations

import ast
import hashlib
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

Row = Mapping[str, Any]
Printed = Callable[[str], list[float]]


def _steps(numbers: Any) -> np.ndarray:
    """From each number to the next: with fewer than two, all and any would decide on nothing."""
    if np.size(numbers) < 2:
        raise ValueError(f"steps() needs two numbers or more, got {np.size(numbers)}")
    return np.diff(numbers)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": np.abs,
    "all": np.all,
    "any": np.any,
    "exp": np.exp,
    "len": np.size,
    "log": np.log,
    "log10": np.log10,
    "log2": np.log2,
    "max": np.max,
    "mean": np.mean,
    "median": np.median,
    "min": np.min,
    "sort": np.sort,
    "sqrt": np.sqrt,
    "steps": _steps,
    "sum": np.sum,
    "where": np.where,
}
_OPERATORS: dict[type, tuple[str, Callable[..., Any]]] = {
    ast.Add: ("+", operator.add),
    ast.Sub: ("-", operator.sub),
    ast.Mult: ("*", operator.mul),
    ast.Div: ("/", operator.truediv),
    ast.Mod: ("%", operator.mod),
    ast.Pow: ("**", operator.pow),
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
    ast.USub: ("-", operator.neg),
    ast.UAdd: ("+", operator.pos),
}
_NAMES = {"inf": np.inf, "True": True, "False": False}


def decide(criterion: str, rows: Sequence[Row], printed: Printed) -> tuple[bool, str]:
    """Evaluate a criterion over rows.

    Parameters
    ----------
    criterion : str
        The expression.
    rows : sequence of mappings
        Rows of a part that the claim selects.
    printed : callable
        Pattern of ids -> the numbers that the paper prints there.

    Returns
    -------
    tuple of bool and str
        The answer, and the comparisons that led to it with their numbers.

    Raises
    ------
    ValueError
        If the criterion cannot be evaluated over these rows; the sentence says why.

    Examples
    --------
    >>> rows = [{"k": 2, "value": 0.5}, {"k": 4, "value": 0.3}]
    >>> decide("all(steps(value()) < 0)", rows, printed=lambda pattern: [])
    (True, '-0.2 < 0')
    """
    reader = _Reader(rows, printed)
    try:
        answer = reader.read(_parsed(criterion))
    except (TypeError, ValueError, ArithmeticError, RecursionError) as error:
        raise ValueError(f"the criterion {criterion!r} cannot be decided: {error}") from error
    if np.size(answer) != 1 or np.asarray(answer).dtype != bool:
        raise ValueError(f"the criterion {criterion!r} gives {answer!r}, not one true or false")
    return bool(np.all(answer)), "; ".join(reader.seen)


def printed_patterns(criterion: str) -> list[str]:
    """Patterns of ids whose printed numbers a criterion uses."""
    return [
        str(node.args[0].value)
        for node in ast.walk(_parsed(criterion))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "printed"
        and node.args
        and isinstance(node.args[0], ast.Constant)
    ]


@cache
def _parsed(criterion: str) -> ast.expr:
    try:
        return ast.parse(criterion, mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise ValueError(f"the criterion {criterion!r} is no expression: {error}") from error


class _Reader:
    """Evaluate the nodes of an expression; keep the comparisons made."""

    def __init__(self, rows: Sequence[Row], printed: Printed) -> None:
        self.rows, self.printed = rows, printed
        self.seen: list[str] = []

    def read(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=bool() | int() | float() | str() as value):
                return value
            case ast.Name(id=name) if name in _NAMES:
                return _NAMES[name]
            case ast.List(elts=each) | ast.Tuple(elts=each):
                return [self.read(one) for one in each]
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return not np.all(self.read(operand))
            case ast.UnaryOp(op=op, operand=operand) if type(op) in _OPERATORS:
                return _OPERATORS[type(op)][1](self.read(operand))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return _together(_OPERATORS[type(op)][1], self.read(left), self.read(right))
            case ast.BoolOp(op=op, values=each):
                answers = [bool(np.all(self.read(one))) for one in each]
                return all(answers) if isinstance(op, ast.And) else any(answers)
            case ast.Compare():
                return self._compare(node)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
                given = [self.read(one) for one in args]
                if name in FUNCTIONS and not keywords:
                    return FUNCTIONS[name](*given)
                if name == "printed" and not keywords and len(given) == 1:
                    return _filled(self.printed(given[0]), f"printed({given[0]!r})")
                if not given:
                    return self._column(name, {str(k.arg): self.read(k.value) for k in keywords})
        raise ValueError(f"{ast.unparse(node)!r} is not of the language of criteria")

    def _compare(self, node: ast.Compare) -> Any:
        sides = [self.read(one) for one in (node.left, *node.comparators)]
        answer: Any = True
        for op, left, right in zip(node.ops, sides, sides[1:], strict=False):
            if type(op) not in _OPERATORS:
                raise ValueError(f"{ast.unparse(node)!r} is not of the language of criteria")
            sign, compare = _OPERATORS[type(op)]
            answer = np.logical_and(answer, _together(compare, left, right))
            self.seen.append(f"{_shown(left)} {sign} {_shown(right)}")
        return answer

    def _column(self, name: str, wanted: Mapping[str, Any]) -> np.ndarray:
        found = [row.get(name) for row in self.rows if matches(row, wanted)]
        told = f"{name}({', '.join(f'{key}={value!r}' for key, value in wanted.items())})"
        if any(not isinstance(value, (bool, int, float)) or value != value for value in found):
            raise ValueError(f"{told} finds rows without a number")
        return _filled(found, told)


def matches(row: Row, wanted: Mapping[str, Any]) -> bool:
    """Say whether a row holds what is wanted; numbers compare as numbers, a list means any."""
    return all(
        any(_same(row.get(column), one) for one in (value if isinstance(value, list) else [value]))
        for column, value in wanted.items()
    )


def _same(held: Any, wanted: Any) -> bool:
    if isinstance(held, (int, float)) and isinstance(wanted, str):
        return f"{held:g}" == wanted or str(held) == wanted
    return bool(held == wanted)


def _filled(found: Sequence[Any], told: str) -> np.ndarray:
    if not found:
        raise ValueError(f"{told} finds nothing")
    return np.array(found, dtype=float)


def _together(act: Callable[..., Any], left: Any, right: Any) -> Any:
    sizes = {np.size(left), np.size(right)} - {1}
    if len(sizes) > 1:
        raise ValueError(f"{np.size(left)} numbers meet {np.size(right)}")
    return act(np.asarray(left), np.asarray(right))


def _shown(side: Any) -> str:
    numbers = np.ravel(side)
    if numbers.dtype.kind not in "biuf":
        return str(side)
    told = [f"{number:.4g}" for number in numbers[:8]]
    return ", ".join(told) + (f", ... ({len(numbers)})" if len(numbers) > 8 else "")


# Proofs: what a function of the papers is, and what it calls there.

_PAPERS = Path(__file__).parents[1] / "papers"


def is_proof(criterion: str) -> bool:
    """Whether a criterion names a function instead of holding an expression."""
    return criterion.startswith("proof:")


def proof_hash(criterion: str) -> str:
    """Hash of the function that a proof names and of the papers' code that it calls.

    Comments, docstrings and layout do not count.

    Raises
    ------
    ValueError
        If there is no such function.
    """
    module, _, name = criterion.removeprefix("proof:").strip().rpartition(".")
    reached: dict[tuple[Path, str], str] = {}
    _reach(_PAPERS, _module_file(_PAPERS, module.split(".")), name, reached)
    if not reached:
        raise ValueError(f"{criterion!r} names no function in pplab.papers")
    return hashlib.sha256("\n".join(sorted(reached.values())).encode()).hexdigest()


def _module_file(root: Path, parts: Sequence[str]) -> Path:
    file = root.joinpath(*parts)
    return file / "__init__.py" if file.is_dir() else file.with_suffix(".py")


def _reach(root: Path, file: Path, name: str, reached: dict[tuple[Path, str], str]) -> None:
    """Add the definition of a name in a file, and those of what it names, followed downwards."""
    if (file, name) in reached:
        return
    own, imported = _definitions(file)
    first, _, rest = name.partition(".")
    if first in imported:
        module, original = imported[first]
        inside = [part for part in module.removeprefix("pplab.papers").split(".") if part]
        if rest:  # a name of an imported module
            inside, original = [*inside, original], rest
        target = _module_file(root, inside)
        if (target, original) != (file, name):  # a package names its own modules so
            _reach(root, target, original, reached)
    elif first in own:
        reached[file, first] = f"{first}={own[first][0]}"
        for used in own[first][1]:
            _reach(root, file, used, reached)


@cache
def _definitions(
    file: Path,
) -> tuple[dict[str, tuple[str, list[str]]], dict[str, tuple[str, str]]]:
    """What a file defines at its top, as text and names used; what it imports from the papers."""
    own: dict[str, tuple[str, list[str]]] = {}
    imported: dict[str, tuple[str, str]] = {}
    if not file.is_file():
        return own, imported
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        names: list[str] = []
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names = [name]
            case ast.Assign(targets=targets):
                names = [n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)]
            case ast.AnnAssign(target=ast.Name(id=name)):
                names = [name]
            case ast.ImportFrom(module=str() as module) if module.startswith("pplab.papers"):
                for each in node.names:
                    imported[each.asname or each.name] = (module, each.name)
        if names:
            used = sorted({n.id for n in ast.walk(node) if isinstance(n, ast.Name)})
            used += [
                f"{n.value.id}.{n.attr}"
                for n in ast.walk(node)
                if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)
            ]
            text = "".join(_normal(node))
            own |= dict.fromkeys(names, (text, used))
    return own, imported


def _normal(node: Any) -> Iterator[str]:
    """A syntax tree as text that no version of Python, no comment and no docstring changes."""
    if isinstance(node, list):
        for each in node:
            yield from _normal(each)
    elif isinstance(node, ast.AST):
        yield f"({type(node).__name__}"
        for name in sorted(node._fields):
            value = getattr(node, name, None)
            if name == "body" and isinstance(value, list):
                value = value[_has_docstring(value) :]
            if value not in (None, []) and name not in ("ctx", "kind", "type_comment"):
                yield f" {name}:"
                yield from _normal(value)
        yield ")"
    else:
        yield repr(node)


def _has_docstring(body: list[Any]) -> bool:
    first = body[0] if body else None
    return isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
