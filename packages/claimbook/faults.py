"""What is wrong in the folder of a paper: all of it in one go, before anything runs.

A fault is one line: file, line, id, what was got and what to do. Nothing of the folder is run: the
syntax tree of its parts is read, and data are held against their checksums.
"""

import ast
import inspect
import os
import tomllib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Self

from claimbook import rules
from claimbook.checks import check_choice, sentence_of
from claimbook.code import failure_of
from claimbook.criteria import available_values, is_proof, matching, printed_patterns
from claimbook.csvfile import read_csv
from claimbook.own import own_data
from claimbook.part import Part
from claimbook.registry import Paper, by_name
from claimbook.results import HISTORY, read_result
from claimbook.rules import Claim


def check_folder(paper: Paper, *, load: bool = False) -> tuple[list[str], list[str]]:
    """Read everything that a run of a paper would read.

    Parameters
    ----------
    paper : Paper
    load : bool, default False
        Whether to load the module of the parts, too, as a run does: then its code runs.

    Returns
    -------
    (list of str, list of str)
        Faults; and what is none but deserves a look: how many printed numbers a criterion takes,
        how many worlds there are, data that are not there, rows that are gone.
    """
    read = _Read(paper, load)
    read.about()
    ids = read.claims(read.parts())
    read.choices(ids)
    if read.paper.history.is_file():
        lines = read.lines(read.paper.history, HISTORY).values()
        if gone := sorted({line["id"] for line in lines} - {*ids}):
            name = f"{read.paper.history.name}: {', '.join(gone)}"
            read.notes.append(f"{name} had a verdict and has no row now; put it back under its id")
    if not read.faults and not read.refused("", rules.read_rules, read.paper):
        read.worlds()
    return read.faults, read.notes


class _Read:
    """A paper with what was found while its files were read."""

    def __init__(self, paper: Paper, load: bool = False) -> None:
        self.load = load or paper.results is None  # our own code is ours to load
        self.paper, self.home = paper, paper.file.parent.resolve()
        self.faults: list[str] = []
        self.notes: list[str] = []

    def place(self, file: Path, where: int | str, name: str = "") -> str:
        """Words that begin a sentence about a line, given by its number or by a text in it."""
        if isinstance(where, str):
            text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
            where = text.partition(where)[0].count("\n") + 1 if where in text else 1
        return f"{os.path.relpath(file, self.home)}, line {where}{name and f', {name}'}: "

    def refused(self, place: str, check: Callable[..., Any], *arguments: Any, **more: Any) -> bool:
        """True if a check refuses what it is given; its sentence is kept."""
        try:
            check(*arguments, **more)
        except (ValueError, TypeError, LookupError, ArithmeticError) as error:
            self.faults.append(place + sentence_of(error))
            return True
        return False

    def lines(self, file: Path, *columns: Sequence[str]) -> dict[int, dict[str, str]]:
        lines, faults = read_csv(file, *columns)
        self.faults += [self.place(file, line) + text for line, text in faults]
        return lines

    def about(self) -> None:
        """The paper itself: its key and its fields."""
        paper, file = self.paper, self.paper.file.resolve()
        known_papers = paper.collection.papers() | paper.collection.apart()
        if paper.results is not None and paper.key in known_papers:
            place = self.place(file, f"[{paper.key}]")
            self.faults.append(f"{place}the key {paper.key!r} is one of pplab's own; take another")
        fields = {*Paper.__dataclass_fields__} - {"key", "file", "collection"}
        for name in tomllib.loads(file.read_text(encoding="utf-8-sig"))[paper.key]:
            self.refused(self.place(file, name), check_choice, "field", name, sorted(fields))

    def parts(self) -> Collection[str] | None:
        """Names of the parts; None where not all are known without running their module."""
        module, surely = self.home / self.paper.module, True
        try:
            if self.load:
                parts = self.paper.parts
            elif module.suffix != ".py":  # of an installed package
                parts, surely = {}, False
            else:
                parts, surely = declared_parts(module)
        except Exception as error:  # whatever the authors' code raises
            place, message, _ = failure_of(error, self.home)
            self.faults.append(f"{place or self.place(module, 1)}{message}")
            return None
        for part in parts.values():
            place = self.place(module, f'"{part.paper}", "{part.name}"') + f"part {part.name}"
            if part.paper != (key := self.paper.key):
                but = f"but the key in {self.paper.file.name} is {key!r}; make the two equal"
                self.faults.append(f"{place} is of {part.paper!r}, {but}")
            options = {*part.datasets, *part.fixed, *part.options, *part.full_options}
            options |= set() if part.seed is None else {"rng"}
            if not isinstance(part.seed, int | None | _Unknown):
                got = type(part.seed).__name__
                self.faults.append(f"{place}: seed must be a whole number, got {got}")
            if callable(part.experiment) and _UNKNOWN not in options:
                try:
                    inspect.signature(part.experiment).bind(**dict.fromkeys(options))
                except TypeError as error:
                    hint = "; its seed is that: Part(..., seed=1)" if "'rng'" in str(error) else ""
                    self.faults.append(f"{place}: {error}{hint}")
        if catalog := self.paper.catalog:
            sets = (loaded for part in parts.values() for loaded in part.datasets.values())
            for name in sorted({loaded[0] for loaded in sets if _is_known_set(loaded)}):
                try:
                    self.refused(self.place(catalog, f"[{name}]"), own_data, self.paper, name)
                except FileNotFoundError as missing:
                    self.notes.append(str(missing))
        if not surely:
            why = "some parts are known only when this file runs, so names of parts are not checked"
            why += " here; pplab reproduce checks them"
            self.notes.append(f"{self.place(module, 'PARTS')}{why}")
        return parts if surely else None

    def claims(self, parts: Collection[str] | None) -> list[str]:
        """The claims; their ids are given back."""
        file = self.paper.rules
        rows = self.lines(file, rules.COLUMNS, rules.NEEDED)
        claims = {line: rules.claim_of(self.paper, row) for line, row in rows.items()}
        first = {claim.id: line for line, claim in reversed(claims.items())}
        known = [] if parts is None else [*parts, rules.PRINT]
        for line, claim in claims.items():
            place = self.place(file, line, f"claim {claim.id}")
            if first[claim.id] != line:
                self.faults.append(f"{place}line {first[claim.id]} has this id, too; rename one")
            wrong = dict(rules.cell_faults(claim))
            self.faults += [f"{place}column {column}: {text}" for column, text in wrong.items()]
            for part in claim.parts if known and not claim.same_as else ():
                self.refused(place, check_choice, "part", part, known)
            if not (claim.parts or claim.same_as or claim.rule == "not-testable"):
                why = f"write {rules.PRINT!r} as its part if printed numbers decide it"
                self.notes.append(f"{place}no part measures it, so it stays open; {why}")
            for other in {claim.follows, claim.cause, claim.same_as} - {"", *first}:
                self.faults.append(f"{place}it names {other!r}, which is no id here; mend it")
            if claim.rule in rules.STATEMENT_RULES and claim.parts and not claim.same_as:
                if not claim.criterion:
                    self.faults.append(f"{place}column criterion: got nothing; write when it holds")
                elif not claim.null:
                    self.notes.append(f"{place}no null, so nothing shows that it can fail")
            if claim.criterion and "criterion" not in wrong:
                self.printed(place, claim, list(claims.values()))
        return list(first)

    def printed(self, place: str, claim: Claim, claims: list[Claim]) -> None:
        """Number of values that each pattern takes."""
        for pattern in [] if is_proof(claim.criterion) else printed_patterns(claim.criterion):
            if not (count := sum(fnmatchcase(other.id, pattern) for other in claims)):
                self.faults.append(f"{place}printed({pattern!r}) finds no row; mend the pattern")
            elif not self.refused(place, rules.printer(claims), pattern) and "*" in pattern:
                self.notes.append(f"{place}printed({pattern!r}) takes {count} numbers")

    def choices(self, ids: Collection[str]) -> None:
        """Choices, and the rows that they touch."""
        names: set[str] = set()
        for line, row in self.lines(self.paper.choices, rules.CHOICE_COLUMNS).items():
            place = self.place(self.paper.choices, line, row["name"])
            if row["name"] in names:
                self.faults.append(f"{place}this choice is listed twice; join the two")
            names.add(row["name"])
            self.refused(place, rules.choice_of, self.paper, row)
            for pattern in row["touches"].split(" | "):
                if ids and not any(fnmatchcase(key, pattern) for key in ids):
                    name = self.paper.rules.name
                    self.faults.append(f"{place}touches {pattern!r}, which is no row of {name}")

    def worlds(self) -> None:
        """Number of worlds that a run needs."""
        claims = rules.read_rules(self.paper)
        for joined in {group.text: group for claim in claims for group in claim.groups}.values():
            names = " and ".join(choice.name for choice in joined.choices)
            count = f"{len(joined.worlds)} worlds; numbers to choose by: {len(joined.numbers)}"
            self.notes.append(f"{self.paper.choices.name}: {names}: {count}")


def not_stored(paper: Paper) -> list[str]:
    """Selects that find nothing in what an earlier run stored; the next run may store more."""
    read, claims = _Read(paper), rules.read_rules(paper)
    rows = {part: _rows(paper, part) for part in {p for claim in claims for p in claim.parts}}
    for claim in claims:
        stored = rows.get(claim.part)  # a select over two parts is left out
        if stored and not matching(stored, claim.conditions):
            place = read.place(paper.rules, f"{claim.id},", f"claim {claim.id}")
            why = available_values(stored, claim.conditions)
            read.notes.append(f"{place}no stored row is selected: {why}")
    return read.notes


def _rows(paper: Paper, part: str) -> Sequence[Mapping[str, Any]]:
    try:
        result = read_result(paper.key, part, paper.stored)
    except ValueError:  # a run writes it anew
        return ()
    return result.rows if result else ()


# Parts that a file declares. It may say them in words that only running it makes clear, as a loop
# or an import does; what is written out is known: constants, functions, `Part` and `Command` calls,
# and tuples, lists and dicts of these under their names.


class _Unknown:
    """What only a run would know; spread in a list, it is one member."""

    def __iter__(self) -> Iterator[Self]:
        return iter((self,))

    def values(self) -> tuple[()]:
        """Values of a dict that is not known."""
        return ()


_UNKNOWN = _Unknown()
_MOST = 1000  # members of a tuple or list that is written out


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
    if (listed := names.get("PARTS", names.get("*"))) is None:
        raise ValueError(f"{file} has no PARTS; list the parts of the paper there")
    members = listed if isinstance(listed, (tuple, list)) else [_UNKNOWN]
    parts = [part for part in members if isinstance(part, Part)]
    named = [part for part in parts if {type(part.paper), type(part.name)} == {str}]
    return by_name(named), len(named) == len(members)


def _is_known_set(value: Any) -> bool:
    """True if it is a data set, whose name is known, with its split."""
    return isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str)


def _bound(statement: ast.stmt, names: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Names that a statement binds, or may change, with what is known of them then."""
    match statement:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value)
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
        ):
            yield name, _value(value, names)
        case ast.FunctionDef(name=name, args=arguments, decorator_list=[]):
            yield name, _value(_stub(arguments), names)
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name, _UNKNOWN
        case _:
            for node in ast.walk(statement):
                for field in ("asname", "name", "id"):
                    yield str(getattr(node, field, "")), _UNKNOWN


def _value(node: ast.expr, names: Mapping[str, Any]) -> Any:
    """Value of an expression, in which nothing is called but `_CALLS`."""
    written = ast.fix_missing_locations(ast.Expression(_Written().visit(node)))
    known = defaultdict(lambda: _UNKNOWN, {**names, **_CALLS})
    try:
        value = eval(compile(written, "", "eval"), {"__builtins__": {}}, known)
    except TypeError:  # as a number that is spread
        return _UNKNOWN
    return _UNKNOWN if isinstance(value, (tuple, list)) and len(value) > _MOST else value


_CALLS = {"Part": Part, "tuple": tuple, "list": list}
_PLAIN = (ast.Constant, ast.Name, ast.Tuple, ast.List, ast.Dict, ast.Starred)


class _Written(ast.NodeTransformer):
    """Keep what is written out of an expression; the rest becomes a name that nothing has."""

    def visit(self, node: ast.AST) -> Any:
        match node:
            case ast.Lambda(args=arguments):
                return _stub(arguments)
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _CALLS:
                node.func = ast.Name(name, ast.Load())
            case ast.expr() if not isinstance(node, _PLAIN):
                return ast.Name("", ast.Load())
        return self.generic_visit(node)


def _stub(arguments: ast.arguments) -> ast.Lambda:
    """A function with these arguments that does nothing; of a default it is known to be there."""
    nothing = ast.Constant(None)
    bare = ast.arguments(**vars(arguments))
    bare.defaults = [nothing for _ in bare.defaults]
    bare.kw_defaults = [default and nothing for default in bare.kw_defaults]
    return ast.Lambda(bare, nothing)
