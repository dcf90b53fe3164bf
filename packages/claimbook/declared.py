"""The parts that a file declares, read from its syntax tree: nothing of the file is run.

A file may say its parts in words that only running it makes clear, as a loop or an import does.
What is written out is known: constants, functions, `Part` and `Command` calls, and tuples, lists
and dicts of these under their names.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Any

from claimbook.part import Part
from claimbook.registry import by_name

_UNKNOWN = object()  # what only a run would know
_MOST = 10_000  # members of a tuple or list that is written out


class Declared:
    """An experiment with its arguments; if these are unknown, it takes any."""

    def __init__(self, known: Signature | None = None) -> None:
        anything = Parameter("anything", Parameter.VAR_KEYWORD)
        self.__signature__ = known or Signature([anything])

    def __call__(self, **_: Any) -> Any:
        """Refuse: it was read, and is not to be run."""
        raise TypeError("this experiment was read, not loaded")


def declared_parts(file: Path) -> tuple[dict[str, Part], bool]:
    """Parts that a file of experiments lists, by name, and whether the list is surely complete.

    Raises
    ------
    OSError, SyntaxError, ValueError
        If it cannot be read, is no Python, lists no parts, or two parts with one name.
    """
    if not file.is_file():
        raise FileNotFoundError(f"there is no file {file}; write it, or mend its name")
    names: dict[str, Any] = {}
    for statement in ast.parse(file.read_bytes(), str(file)).body:
        names.update(_bound(statement, names))
    listed = names.get("PARTS", names.get("*"))
    if listed is None:
        raise ValueError(f"{file} has no PARTS; list the parts of the paper there")
    members = listed if isinstance(listed, (tuple, list)) else [_UNKNOWN]
    parts = [part for part in members if isinstance(part, Part)]
    return by_name(parts), len(parts) == len(members)


def _bound(statement: ast.stmt, names: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Names that a statement binds, or may change, with what is known of them then."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            yield name, _value(value, names)
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            yield name, _value(value, names)
        case ast.FunctionDef(name=name, args=arguments, decorator_list=around):
            yield name, Declared(None if around else _signature(arguments))
        case ast.ClassDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name, _UNKNOWN
        case ast.Import(names=imported) | ast.ImportFrom(names=imported):
            for alias in imported:
                yield alias.asname or alias.name, _UNKNOWN
        case _:
            for node in ast.walk(statement):
                if isinstance(node, (ast.Name, ast.FunctionDef, ast.alias)):
                    yield str(getattr(node, "id", getattr(node, "name", ""))), _UNKNOWN


def _value(node: ast.expr | None, names: dict[str, Any]) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            return names.get(name, _UNKNOWN)
        case ast.Lambda(args=arguments):
            return Declared(_signature(arguments))
        case ast.Tuple(elts=nodes) | ast.List(elts=nodes):
            members: list[Any] = []
            for one in nodes:
                spread = isinstance(one, ast.Starred)
                value = _value(one.value if isinstance(one, ast.Starred) else one, names)
                members += value if spread and isinstance(value, (tuple, list)) else [value]
                if len(members) > _MOST:
                    return _UNKNOWN
            return tuple(members)
        case ast.Dict(keys=keys, values=nodes):
            pairs = [
                (_value(key, names), _value(one, names))
                for key, one in zip(keys, nodes, strict=True)
            ]
            known = all(isinstance(key, str) for key, _ in pairs)
            return dict(pairs) if known else _UNKNOWN
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return _call(name, node, names)
    return _UNKNOWN


def _call(name: str, node: ast.Call, names: dict[str, Any]) -> Any:
    """A part, a command, or what a tuple or list is made of."""
    arguments = [_value(one, names) for one in node.args]
    if name in ("tuple", "list") and len(arguments) == 1:
        return arguments[0]
    if name == "Command":
        return Declared()
    fields = dict(zip(Part.__dataclass_fields__, arguments, strict=False))
    fields |= {str(word.arg): _value(word.value, names) for word in node.keywords}
    paper, title, call, seed = (fields.get(key) for key in ("paper", "name", "experiment", "seed"))
    if name != "Part" or not (isinstance(paper, str) and isinstance(title, str)):
        return _UNKNOWN
    maps = {key: fields.get(key, {}) for key in ("datasets", "options", "full_options", "fixed")}
    sure = all(isinstance(each, dict) for each in maps.values())
    if not (sure and all(map(_is_set, maps["datasets"].values()))):
        call, maps = Declared(), {}
    experiment = call if isinstance(call, Declared) else Declared()
    return Part(paper, title, experiment, seed=0 if seed is _UNKNOWN else seed, **maps)


def _is_set(value: Any) -> bool:
    """True if it is a data set with its split."""
    return isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str)


def _signature(arguments: ast.arguments) -> Signature:
    """Signature of a function; of a default it is known that there is one."""
    bare = copy.deepcopy(arguments)
    for each in (node for node in ast.walk(bare) if isinstance(node, ast.arg)):
        each.annotation = None
    nothing = ast.Constant(None)
    bare.defaults = [nothing for _ in bare.defaults]
    bare.kw_defaults = [default and nothing for default in bare.kw_defaults]
    stub = ast.fix_missing_locations(ast.Expression(ast.Lambda(bare, nothing)))
    return signature(eval(compile(stub, "", "eval")))  # names alone: nothing of the file
