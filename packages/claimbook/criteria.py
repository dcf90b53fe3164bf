"""Criteria of statements: an expression over the rows that a run stored, or a proof by a function.

An expression is Python of a small kind. A column's name called as a function gives that column of
the rows that match, ``value(measure="cn", epsilon=0.6)``; ``printed("paper:table-2:*")`` gives the
printed numbers of the claims whose ids match; the rest is arithmetic, comparison and the functions
of `FUNCTIONS`. Numbers are the fractions that their decimals print, so that 0.1 + 0.2 == 0.3; they
carry their uncertainty along, so an answer is true, false or not seen.
Before it may stand ``for B in (0.05, 0.1): ``, borders that the paper does not give. A proof,
``proof: module.function``, asks a function of a collection's package. Its hash is that of its
syntax tree and of what it calls there or in `claimbook.part`: changed code is a changed rule. A
null (`under_null`) is where a criterion must fail, so that it says something.
"""

from __future__ import annotations

import ast
import hashlib
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache, lru_cache, partial
from itertools import pairwise
from math import isinf
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from claimbook.chance import LEVEL, limits

Row = Mapping[str, Any]
Printed = Callable[[str], list[float]]
Rows = Callable[[str, str], Sequence[Row]]


# Numbers with their uncertainty, and what can be said of them.


class Span(NamedTuple):
    """Numbers known up to an interval each, or answers: 0 false, 1 true, [0, 1] not seen.

    ``names`` tell the numbers apart, where they are those of rows.
    """

    low: np.ndarray
    high: np.ndarray
    answer: bool = False
    names: tuple[str, ...] = ()

    @classmethod
    def of(cls, low: Any, high: Any = None, *, answer: bool = False) -> Span:
        """Intervals from their ends; one list of ends for exact numbers."""
        known = np.asarray if answer else _fractions
        start = known(low)
        return cls(start, start if high is None or high is low else known(high), answer)

    @property
    def size(self) -> int:
        """Number of values."""
        return int(np.size(self.low))

    @property
    def ends(self) -> tuple[np.ndarray, ...]:
        """Both ends, or one where they are the same."""
        return (self.low,) if self.low is self.high else (self.low, self.high)


def _fraction(number: Any) -> Fraction | float:
    """The fraction that a number's shortest decimal is; infinity stays what it is."""
    if isinstance(number, Fraction):
        return number
    if isinstance(number, complex) or number != number:
        raise ValueError("what comes out is no number")
    return Fraction(number) if isinstance(number, int) else _as_printed(float(number))


@lru_cache(100_000)  # a null asks for the same numbers twenty times
def _as_printed(number: float) -> Fraction | float:
    return number if isinf(number) else Fraction(repr(number))


_EACH = np.frompyfunc(_fraction, 1, 1)


def _fractions(values: Any) -> np.ndarray:
    numbers = np.asarray(values, dtype=object)
    known = {*map(type, numbers.flat)} == {Fraction}
    return numbers if known else np.asarray(_EACH(numbers), dtype=object)


def _corners(act: Callable[[Any, Any], Any], a: Span, b: Span) -> Span:
    ends = [_fractions(act(x, y)) for x in a.ends for y in b.ends]
    return Span.of(*((np.min(ends, axis=0), np.max(ends, axis=0)) if ends[1:] else ends))


def _over(a: Span, b: Span) -> Span:
    if np.any((b.low <= 0) & (b.high >= 0) & (b.low != b.high)):
        size = np.zeros(max(a.size, b.size))
        return Span.of(size - np.inf, size + np.inf)
    if np.any(b.low == 0):
        raise ValueError("it divides by zero")
    return _corners(operator.truediv, a, b)


_BITS = 100_000  # of the longest number that a power may give


def _raise_to(base: Any, exponent: Any) -> Any:
    if isinstance(base, Fraction) and abs(exponent) * _bits(base) > _BITS:
        raise ValueError(f"a power has more than {_BITS:,} binary digits; take a smaller exponent")
    return base**exponent


def _bits(number: Fraction) -> int:
    return max(number.numerator.bit_length(), number.denominator.bit_length()) - 1


def _power(a: Span, b: Span) -> Span:
    loose = np.any(a.low != a.high) and np.any(a.low < 0)
    if np.any(b.low != b.high) or (loose and np.any(b.low != 2)):
        raise ValueError("a power needs an exact exponent, and 2 where signs are not sure")
    raised = _corners(np.frompyfunc(_raise_to, 2, 1), a, b)
    return Span.of(np.where((a.low < 0) & (a.high > 0), 0, raised.low), raised.high)


def _absolute(a: Span) -> Span:
    return Span.of(np.maximum(0, np.maximum(a.low, -a.high)), np.maximum(a.high, -a.low))


def _steps(a: Span) -> Span:
    """From each number to the next: with fewer than two, all and any would decide on nothing."""
    if a.size < 2:
        raise ValueError(f"steps() needs two numbers or more, got {a.size}")
    return Span.of(a.low[1:] - a.high[:-1], a.high[1:] - a.low[:-1])


def _where(condition: Span, a: Span, b: Span) -> Span:
    sure, never = condition.low == 1, condition.high == 0
    sides = ((a.low, b.low, np.minimum), (a.high, b.high, np.maximum))
    return Span.of(*(np.where(sure, x, np.where(never, y, act(x, y))) for x, y, act in sides))


def _rising(act: Callable[[np.ndarray], Any], answer: bool = False) -> Callable[[Span], Span]:
    return lambda a: Span.of(*map(act, a.ends), answer=answer)


def _floating(act: Callable[[np.ndarray], Any]) -> Callable[[Span], Span]:
    return lambda a: Span.of(*(act(end.astype(float)) for end in a.ends))


FUNCTIONS: dict[str, Callable[..., Span]] = {
    "abs": _absolute,
    "all": _rising(np.min, answer=True),
    "any": _rising(np.max, answer=True),
    "len": lambda a: Span.of(a.size),
    "steps": _steps,
    "where": _where,
}
_OF_NUMPY = ("max", "mean", "median", "min", "sort", "sum")  # by their names there
FUNCTIONS |= {name: _rising(getattr(np, name)) for name in _OF_NUMPY}
_OF_FLOATS = ("exp", "log", "log10", "log2", "sqrt")
FUNCTIONS |= {name: _floating(getattr(np, name)) for name in _OF_FLOATS}
_OPERATORS: dict[type, Callable[[Span, Span], Span]] = {
    ast.Add: lambda a, b: Span.of(a.low + b.low, a.high + b.high),
    ast.Sub: lambda a, b: Span.of(a.low - b.high, a.high - b.low),
    ast.Mult: lambda a, b: _corners(operator.mul, a, b),
    ast.Div: _over,
    ast.Mod: lambda a, b: _corners(operator.mod, a, b),
    ast.Pow: _power,
}
# Sign, and whether it is so surely, possibly.
_COMPARISONS: dict[type, tuple[str, Callable[[Span, Span], Span]]] = {
    ast.Lt: ("<", lambda a, b: Span(a.high < b.low, a.low < b.high)),
    ast.LtE: ("<=", lambda a, b: Span(a.high <= b.low, a.low <= b.high)),
    ast.Gt: (">", lambda a, b: Span(a.low > b.high, a.high > b.low)),
    ast.GtE: (">=", lambda a, b: Span(a.low >= b.high, a.high >= b.low)),
    ast.Eq: ("==", lambda a, b: Span(_equal(a, b), _meet(a, b))),
    ast.NotEq: ("!=", lambda a, b: Span(~_meet(a, b), ~_equal(a, b))),
}
_NAMES = {"inf": np.inf}


def _equal(a: Span, b: Span) -> np.ndarray:
    same = (a.low == b.low) & (a.high == b.high) & (a.low == a.high)
    return np.asarray(same, dtype=bool)


def _meet(a: Span, b: Span) -> np.ndarray:
    return np.asarray((a.low <= b.high) & (b.low <= a.high), dtype=bool)


# Evaluating a criterion.

_BORDERS = re.compile(r"for B in \(([^()]*)\): (.*)", re.DOTALL)


@dataclass(frozen=True)
class Answer:
    """Answer of a criterion: true, false, or None where it is not seen; and the values compared.

    ``rows`` are those that it read, for there may be others of the same claim.
    """

    true: bool | None
    seen: str
    rows: tuple[Row, ...] = field(default=(), repr=False)


def decide(
    criterion: str, rows: Sequence[Row], printed: Printed, level: float = LEVEL, quiet: bool = False
) -> list[Answer]:
    """Evaluate a criterion over rows.

    Parameters
    ----------
    criterion : str
        The expression; after ``for B in (1, 2): `` it is evaluated for each border ``B``.
    rows : sequence of mappings
        Rows of a part that the claim selects. A value with a standard error ``se`` is known up to
        what chance allows (``claimbook.chance``).
    printed : callable
        Pattern of ids -> the numbers that the paper prints there.
    level : float
        Of the intervals of chance, both sides together.
    quiet : bool
        Whether to leave out the values compared, which take longer to write than to compare.

    Returns
    -------
    list of Answer
        One for each border; one where there is none.

    Raises
    ------
    ValueError
        If the criterion cannot be evaluated over these rows; the sentence says why.

    Examples
    --------
    >>> rows = [{"k": 2, "value": 0.5}, {"k": 4, "value": 0.3}]
    >>> decide("all(steps(value()) < 0)", rows, printed=lambda pattern: [])
    [Answer(true=True, seen='-0.2 (k = 2 to k = 4) < 0')]
    >>> noisy = [row | {"se": 0.1, "runs": 5} for row in rows]
    >>> decide("all(steps(value()) < 0)", noisy, printed=lambda pattern: [])[0].true is None
    True
    """
    text, borders = with_borders(criterion)
    return [_decide(text, _Reader(rows, printed, at, level, quiet)) for at in borders]


def with_borders(criterion: str) -> tuple[str, list[float | None]]:
    """The expression of a criterion, and the borders at which it is evaluated."""
    if (text := _BORDERS.fullmatch(criterion)) is None:
        return criterion, [None]
    try:
        return text[2], [float(border) for border in text[1].split(",") if border.strip()]
    except ValueError as error:
        raise ValueError(f"the criterion {criterion!r} has no list of borders: {error}") from error


def _decide(expression: str, reader: _Reader) -> Answer:
    try:
        with np.errstate(divide="raise", invalid="raise", over="raise"):
            result = reader.read(_parsed(expression))
    except (TypeError, ValueError, ArithmeticError, RecursionError) as error:
        raise ValueError(f"the criterion {expression!r} cannot be decided: {error}") from error
    if not isinstance(result, Span) or result.size != 1 or not result.answer:
        raise ValueError(
            f"the criterion {expression!r} gives {_side_text(result)}, not one true or false"
        )
    low, high = bool(np.all(result.low)), bool(np.all(result.high))
    before = "" if reader.border is None else f"at {reader.border:g}: "
    seen = before + "; ".join(reader.seen)
    return Answer(low if low == high else None, seen, tuple(reader.used))


def printed_patterns(criterion: str) -> list[str]:
    """Patterns of ids whose printed numbers a criterion uses."""
    calls = (n for n in ast.walk(_parsed(with_borders(criterion)[0])) if isinstance(n, ast.Call))
    named = (n.args[0] for n in calls if ast.unparse(n.func) == "printed" and n.args)
    return [str(pattern.value) for pattern in named if isinstance(pattern, ast.Constant)]


_NODES = (ast.Constant, ast.Name, ast.List, ast.Tuple, ast.UnaryOp, ast.BinOp, ast.BoolOp)
_SIGNS = {*_OPERATORS, *_COMPARISONS, ast.Not, ast.USub, ast.And, ast.Or}


def check_criterion(criterion: str) -> None:
    """Refuse a criterion that is outside the language and that no rows can decide.

    Raises
    ------
    ValueError
        At the first such thing; the sentence names it.

    Examples
    --------
    >>> check_criterion("average(value()) > 0")
    Traceback (most recent call last):
    ValueError: there is no function 'average'; a column takes conditions only, as value(k=2)
    """
    expression, borders = with_borders(criterion)
    nodes = [node for node in ast.walk(_parsed(expression)) if isinstance(node, ast.expr)]
    called = {node.func for node in nodes if isinstance(node, ast.Call)}
    names = {*_NAMES, *("B" for border in borders if border is not None)}
    for node in nodes:
        signs = [*getattr(node, "ops", []), *filter(None, [getattr(node, "op", None)])]
        if not isinstance(node, (*_NODES, ast.Compare, ast.Call)) or {*map(type, signs)} - _SIGNS:
            raise ValueError(f"{ast.unparse(node)!r} is not of the language of criteria")
        if isinstance(node, ast.BinOp) and not {ast.Call, ast.Name} & {*map(type, ast.walk(node))}:
            _Reader((), lambda _: [], None, LEVEL, True).read(node)  # as a power that is too long
        if isinstance(node, ast.Name) and node not in called and node.id not in names:
            raise ValueError(f"{node.id!r} is no number; the column is {node.id}()")
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                _plain(keyword.value)
            name = ast.unparse(node.func)
            if node.args and name not in FUNCTIONS and name != "printed":
                raise ValueError(
                    f"there is no function {name!r}; a column takes conditions only, as value(k=2)"
                )


def check_null(null: str) -> None:
    """Refuse a null that `under_null` does not know.

    Raises
    ------
    ValueError
        If there is no such null.
    """
    forms = r"shuffle|flat|(times|plus) [-+.\de]+|swap [^|]+\|[^|]+|instead [^=]+=.+"
    for part in null.split("; "):
        if not null.startswith("wrong: ") and not re.fullmatch(forms, part):
            raise ValueError(
                "null must be shuffle, flat, times 2, plus 1, swap column=a|b or "
                f"instead column=a, got {part!r}"
            )


@cache
def _parsed(expression: str) -> ast.expr:
    try:
        return ast.parse(expression, mode="eval").body
    except (SyntaxError, ValueError) as error:
        hint = "; a border is called B: for B in (1, 2): ..." * expression.startswith("for ")
        raise ValueError(f"the criterion {expression!r} is no expression: {error}{hint}") from error


@dataclass
class _Reader:
    """Evaluate the nodes of an expression; keep the comparisons made and the rows used."""

    rows: Sequence[Row]
    printed: Printed
    border: float | None
    level: float
    quiet: bool
    seen: list[str] = field(default_factory=list)
    used: list[Row] = field(default_factory=list)

    def read(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=str() as value):
                return value
            case ast.Constant(value=float() as value) if np.isinf(value):
                raise ValueError("a number is past 1.8e308, the largest; infinity is called inf")
            case ast.Constant(value=bool() | int() | float() as value):
                return Span.of(value, answer=isinstance(value, bool))
            case ast.Name(id="B") if self.border is not None:
                return Span.of(self.border)
            case ast.Name(id=name) if name in _NAMES:
                return Span.of(_NAMES[name])
            case ast.List(elts=nodes) | ast.Tuple(elts=nodes):
                return self._listed([self.read(one) for one in nodes])
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                inner = FUNCTIONS["all"](self._answer(operand))
                return Span.of(1 - inner.high, 1 - inner.low, answer=True)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                inner = self.read(operand)
                return Span.of(-inner.high, -inner.low)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return _combine(_OPERATORS[type(op)], self.read(left), self.read(right))
            case ast.BoolOp(op=op, values=nodes):
                answers = [FUNCTIONS["all"](self._answer(one)) for one in nodes]
                name = "all" if isinstance(op, ast.And) else "any"
                ends = [a.low for a in answers], [a.high for a in answers]
                return FUNCTIONS[name](Span.of(*ends, answer=True))
            case ast.Compare():
                return self._compare(node)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
                before, arguments = len(self.seen), [self.read(one) for one in args]
                if name in FUNCTIONS and arguments and not keywords:
                    if name in ("all", "any") and not arguments[0].answer:
                        raise ValueError(f"{name}() needs comparisons")
                    if name == "where":  # which numbers are taken is no test
                        del self.seen[before:]
                    names = arguments[0].names if name in ("abs", "steps", *_OF_FLOATS) else ()
                    if name == "steps":
                        names = tuple(f"{a} to {b}" for a, b in pairwise(names))
                    return FUNCTIONS[name](*arguments)._replace(names=names)
                if name == "printed" and not keywords and len(arguments) == 1:
                    numbers = self.printed(arguments[0])
                    names = (arguments[0].partition(":")[2],) if len(numbers) == 1 else ()
                    checked = _checked_numbers(numbers, f"printed({arguments[0]!r})")
                    return Span.of(checked)._replace(names=names)
                if not arguments:
                    return self._column(name, {str(k.arg): _plain(k.value) for k in keywords})
        raise ValueError(f"{ast.unparse(node)!r} is not of the language of criteria")

    def _answer(self, node: ast.expr) -> Span:
        inner = self.read(node)
        if not isinstance(inner, Span) or not inner.answer:
            raise ValueError(f"{ast.unparse(node)!r} is neither true nor false")
        return inner

    def _listed(self, values: list[Any]) -> Span:
        if not all(isinstance(one, Span) and one.size == 1 for one in values):
            raise ValueError("a list holds single numbers")
        low, high = ([getattr(one, end).item() for one in values] for end in ("low", "high"))
        names = tuple(name for one in values for name in one.names)
        return Span.of(_checked_numbers(low, "a list"), high)._replace(names=names)

    def _compare(self, node: ast.Compare) -> Span:
        sides = [self.read(one) for one in (node.left, *node.comparators)]
        sure: Any = True
        maybe: Any = True
        for op, left, right in zip(node.ops, sides, sides[1:], strict=False):
            if type(op) not in _COMPARISONS or not isinstance(left, Span):
                raise ValueError(f"{ast.unparse(node)!r} is not of the language of criteria")
            sign, compare = _COMPARISONS[type(op)]
            both = _combine(compare, left, right)
            sure, maybe = sure & both.low.astype(bool), maybe & both.high.astype(bool)
            if self.quiet:
                continue
            text = f" {sign} ".join(_distinct_digits(left, right))
            failed = np.sum(both.high == 0)
            if both.size == 1 and failed:
                text += " (fails)"
            elif (both.size > _FEW and not np.all(both.low)) or failed:  # a range says not which
                counts = {"fail": failed, "not seen": np.sum(both.high != both.low)}
                text += f" ({', '.join(f'{n} {relation}' for relation, n in counts.items() if n)})"
            self.seen.append(text)
        return Span.of(np.asarray(sure, dtype=int), np.asarray(maybe, dtype=int), answer=True)

    def _column(self, name: str, conditions: Mapping[str, Any]) -> Span:
        rows = matching(self.rows, conditions)
        self.used += rows
        call = f"{name}({', '.join(f'{key}={value!r}' for key, value in conditions.items())})"
        if any(not isinstance(row.get(name), (bool, int, float)) for row in rows):
            raise ValueError(f"{call} selects rows without a number")
        if not rows:
            raise ValueError(f"{call} selects nothing: {available_values(self.rows, conditions)}")
        numbers = _checked_numbers([row[name] for row in rows], call)
        names = () if self.quiet else _row_labels(rows, conditions)
        if name != "value" or not any("se" in row or "low" in row for row in rows):
            return Span.of(numbers)._replace(names=names)
        low, high = zip(*(limits(row, self.level) for row in rows), strict=True)
        return Span.of(low, high)._replace(names=names)


def _plain(node: ast.expr) -> Any:
    """A value by which rows are chosen: text, number, or a list of them."""
    match node:
        case ast.Name(id=name) if name in _NAMES:
            return _NAMES[name]
        case ast.List(elts=nodes) | ast.Tuple(elts=nodes):
            return [_plain(one) for one in nodes]
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{ast.unparse(node)!r} is no value of a column") from error


def matching(rows: Iterable[Row], conditions: Mapping[str, Any]) -> list[Row]:
    """Rows with the wanted values; numbers compare as numbers, a list matches any of its values."""
    left = list(rows)
    for column, value in conditions.items():  # one column after the other: a table is long
        options = tuple(value) if isinstance(value, (list, tuple)) else (value,)
        left = [r for r in left if (cell := r.get(column)) in options or same(cell, options)]
    return left


def _row_labels(rows: Sequence[Row], conditions: Mapping[str, Any]) -> tuple[str, ...]:
    """The first cells that tell all rows apart, and what chose them; else the quantity."""
    names: dict[str, None] = {}
    apart = 1
    for name in _differing(rows):
        tried = len({repr([row.get(x) for x in (*names, name)]) for row in rows})
        if tried > apart:
            names[name], apart = None, tried
    names |= dict.fromkeys(conditions)
    labels = []
    for row in rows:
        shown = [k for k in names or ("quantity",) if k in row and k not in _UNNAMED]
        cells = {k: row[k] for k in shown if row[k] == row[k]}
        texts = (f"{k} = {v:g}" if isinstance(v, int | float) else str(v) for k, v in cells.items())
        labels.append(", ".join(texts))
    return tuple(labels)


def _differing(rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Columns that are not alike in all rows, with their values."""
    names = dict.fromkeys(name for row in rows for name in row if name not in _TOGETHER)
    values = {name: [row.get(name) for row in rows] for name in names}
    return {name: v for name, v in values.items() if any(x != v[0] for x in v)}


def available_values(rows: Sequence[Row], conditions: Mapping[str, Any]) -> str:
    """Values in the first column where no row has the required one."""
    if not rows:
        return "there is no row"
    left = list(rows)
    for column, value in conditions.items():
        if not (kept := matching(left, {column: value})):
            if values := _few(row[column] for row in left if column in row):
                return f"{column} is {values}, not {str(value)[:40]!r}"
            return f"no row has a column {column!r}, but {_few(name for r in left for name in r)}"
        left = kept
    return "no row has them all"


def differing_columns(rows: Sequence[Row]) -> str:
    """In which columns rows differ that a select does not tell apart."""
    differing = [f"{name} ({_few(values)})" for name, values in _differing(rows).items()]
    return f"they differ in {'; '.join(differing[:3])}" if differing else "they are alike"


def _few(values: Iterable[Any]) -> str:
    """The first of some values, each once."""
    listed = list(dict.fromkeys(str(value)[:40] for value in values))
    return ", ".join(listed[:8]) + (f" and {len(listed) - 8} more" if listed[8:] else "")


@lru_cache(100_000, typed=True)
def same(stored: Any, options: tuple[Any, ...]) -> bool:
    """True if a stored number is one of those that texts name."""
    for text in options if isinstance(stored, (int, float)) else ():
        with suppress(ValueError):
            if isinstance(text, str) and (
                text in (f"{stored:g}", str(stored)) or float(text) == stored
            ):
                return True
    return False


def _checked_numbers(numbers: Sequence[Any], call: str) -> Sequence[Any]:
    """Numbers, of which there is one at least; what is no number is refused."""
    if not numbers:
        raise ValueError(f"{call} selects nothing")
    if any(number != number for number in numbers):
        raise ValueError(f"{call} selects what is no number")
    return numbers


def _combine(act: Callable[[Span, Span], Span], left: Any, right: Any) -> Span:
    if not isinstance(left, Span) or not isinstance(right, Span):
        raise ValueError("text meets a number")
    if len({left.size, right.size} - {1}) > 1:
        raise ValueError(f"{left.size} numbers meet {right.size}")
    names = max(left, right, key=lambda side: side.size).names
    if left.names and len(left.names) == len(right.names):
        pairs = zip(left.names, right.names, strict=True)
        names = tuple(a if a == b else f"{a} and {b}" for a, b in pairs)
    return act(left, right)._replace(names=names)


def _distinct_digits(left: Any, right: Any) -> tuple[str, str]:
    """Both sides in four digits, or in as many as show that they differ."""
    digits, few = 4, left.size <= _FEW and right.size <= _FEW
    while (sides := (_side_text(left, digits), _side_text(right, digits)))[0] == sides[1]:
        if not few or (np.all(left.low == right.low) and np.all(left.high == right.high)):
            break
        digits *= 2
    return sides


def _side_text(side: Any, digits: int = 4) -> str:
    if not isinstance(side, Span):
        return str(side)
    if side.answer:
        return ", ".join("not seen" if a != b else str(bool(a)) for a, b in _ends(side))
    show = partial(_decimal, digits=digits)
    labels = side.names if len(side.names) == side.size else [""] * side.size
    names = [f" ({name})" if name else "" for name in labels]
    if side.size > _FEW:
        low, high = int(np.argmin(side.low)), int(np.argmax(side.high))
        first, last = show(np.ravel(side.low)[low]), show(np.ravel(side.high)[high])
        return f"{side.size} numbers from {first}{names[low]} to {last}{names[high]}"
    ends = zip(_ends(side), names, strict=True)
    return ", ".join(f"{show(a) if a == b else f'[{show(a)}, {show(b)}]'}{n}" for (a, b), n in ends)


def _decimal(number: Fraction | float, digits: int) -> str:
    """A number in so many digits, also where a float has fewer or none; whole ones as they are."""
    size: Any = abs(number)
    if size < 10**12 and number == int(number):
        return f"{int(number):,}"
    if size == np.inf or (digits <= _OF_A_FLOAT and 1e-300 < size < 1e300):
        return f"{float(number):.{digits}g}"
    whole, part = (Decimal(side) for side in number.as_integer_ratio())
    return f"{Context(prec=digits).divide(whole, part).normalize():.{digits}g}"


_OF_A_FLOAT = 15  # decimal digits of a number that all floats hold


_FEW = 4  # numbers that are shown one by one


def _ends(side: Span) -> list[tuple[Any, Any]]:
    return list(zip(np.ravel(side.low), np.ravel(side.high), strict=True))


# Nulls: where a criterion must fail.

_SHUFFLES = 20
_TOGETHER = ("value", "se", "sd", "low", "high", "runs")  # what belongs to one measured number
_UNNAMED = (*_TOGETHER, "witness")
_Act = Callable[[Sequence[Any]], list[Any]]
_ACTS: dict[str, Callable[[str, Sequence[float]], list[float]]] = {
    "times": lambda how, numbers: [number * float(how) for number in numbers],
    "plus": lambda how, numbers: [number + float(how) for number in numbers],
    "flat": lambda _, numbers: [float(np.mean(numbers))] * len(numbers),
}


def under_null(
    null: str, criterion: str, rows: Sequence[Row], instead: Rows, printed: Printed
) -> list[list[Answer]]:
    """Answers of a criterion on changed rows or printed numbers, for which it must not be true.

    Where it has borders, the first one is asked about.

    Parameters
    ----------
    null : str
        ``shuffle``, ``swap COLUMN=a|b``, ``times F``, ``plus D``, ``flat`` or
        ``instead COLUMN=VALUE``; several are separated by ``; ``.
    criterion : str
    rows : sequence of mappings
        As for ``decide``.
    instead : callable
        Column and value -> the rows that the claim would select with that value.
    printed : callable
        As for ``decide``; where there are no rows, the null acts on the printed numbers.

    Raises
    ------
    ValueError
        If there is no such null.
    """
    check_null(null)
    text, (border, *_) = with_borders(criterion)
    changed = (one for part in null.split("; ") for one in _changed(part, rows, instead, printed))
    return [[_decide(text, _Reader(*each, border, LEVEL, True))] for each in changed]


def _changed(
    null: str, rows: Sequence[Row], instead: Rows, printed: Printed
) -> Iterator[tuple[Sequence[Row], Printed]]:
    """Rows and printed numbers under a null: once, or for each shuffle."""
    word, _, how = null.partition(" ")
    column, _, value = how.partition("=")
    if word == "instead" and value:
        yield instead(column, value), printed
    elif word == "swap" and rows:
        yield _exchange(rows, column, value.split("|")), printed
    elif word == "swap":
        first, second = how.split("|")
        other = {first: second, second: first}
        sides = re.compile("|".join(map(re.escape, other)))
        yield rows, lambda pattern: printed(sides.sub(lambda side: other[side[0]], pattern))
    else:
        shuffles = [partial(_shuffle, seed) for seed in range(_SHUFFLES)]
        change = _redistribute if word == "shuffle" else _moved
        for act in shuffles if word == "shuffle" else [partial(_ACTS[word], how)]:
            yield (change(rows, act), printed) if rows else (rows, _after(act, printed))


def _after(act: _Act, printed: Printed) -> Printed:
    return lambda pattern: act(printed(pattern))


def _exchange(rows: Sequence[Row], column: str, sides: Sequence[str]) -> list[Row]:
    """Rows in which two labels of a column have changed places."""
    labels = []
    for side in sides:
        if not (cells := matching(rows, asked := {column: side})):
            raise ValueError(f"no row has {column}={side}: {available_values(rows, asked)}")
        labels.append(cells[0][column])
    other = dict(zip(labels, labels[::-1], strict=True))
    return [{**row, column: other.get(row.get(column), row.get(column))} for row in rows]


def _shuffle(seed: int, numbers: Sequence[Any]) -> list[Any]:
    """Numbers in another order, the same one for lists of the same length."""
    return [numbers[i] for i in np.random.default_rng(seed).permutation(len(numbers))]


def _redistribute(rows: Sequence[Row], deal: _Act) -> list[Row]:
    """Rows among which the numbers are dealt anew, each with all that is known of it."""
    rest = [{k: v for k, v in row.items() if k not in _TOGETHER} for row in rows]
    numbers = deal([{k: row[k] for k in _TOGETHER if k in row} for row in rows])
    return [row | number for row, number in zip(rest, numbers, strict=True)]


def _moved(rows: Sequence[Row], act: _Act) -> list[Row]:
    """Rows with other values, the ends of their ranges moved along; then those of columns alone."""
    measured = [row for row in rows if "value" in row]
    values = act([row["value"] for row in measured])
    moved: list[Row] = []
    for row, value in zip(measured, values, strict=True):
        ends = {k: row[k] + value - row["value"] for k in ("low", "high") if k in row}
        moved.append({**row, "value": value, **ends})
    return moved + [row for row in rows if "value" not in row]


# Proofs: what a function of a collection is, and what it calls there.

_PART = Path(__file__).with_name("part.py")


def is_proof(criterion: str) -> bool:
    """True if a criterion names a function instead of holding an expression."""
    return criterion.startswith("proof:")


def proof_hash(criterion: str, package: Path | None) -> str:
    """Hash of the function that a proof names in a package, and of the code that it calls there.

    Comments, docstrings and layout do not count. `claimbook.part` belongs to each package.

    Raises
    ------
    ValueError
        If there is no such function.
    """
    module, _, name = criterion.removeprefix("proof:").strip().rpartition(".")
    reached: dict[tuple[Path, str], str] = {}
    if package is not None:
        _reach(package, _module_file(package, module.split(".")), name, reached)
    if not reached:
        where = package.name if package else "a collection, for there is none"
        raise ValueError(f"{criterion!r} names no function of {where}")
    return hashlib.sha256("\n".join(sorted(reached.values())).encode()).hexdigest()


def _module_file(root: Path, parts: Sequence[str]) -> Path:
    file = root.joinpath(*parts)
    return file / "__init__.py" if file.is_dir() else file.with_suffix(".py")


def _reach(root: Path, file: Path, name: str, reached: dict[tuple[Path, str], str]) -> None:
    """Add the definition of a name in a file, and those of what it names, followed downwards."""
    if (file, name) in reached:
        return
    defined, imported = _definitions(file, root.name)
    first, _, rest = name.partition(".")
    if first in imported:
        module, original = imported[first]
        inside = module.split(".")[1:]
        if rest:  # a name of an imported module
            inside, original = [*inside, original], rest
        target = _PART if module == "claimbook.part" else _module_file(root, inside)
        if (target, original) != (file, name):  # a package names its own modules so
            _reach(root, target, original, reached)
    elif first in defined:
        text, used = _described(defined[first])
        reached[file, first] = f"{first}={text}"
        for each in used:
            _reach(root, file, each, reached)


@cache
def _definitions(
    file: Path, package: str
) -> tuple[dict[str, ast.stmt], dict[str, tuple[str, str]]]:
    """Top-level definitions of a file, and its imports from the package."""
    defined: dict[str, ast.stmt] = {}
    imported: dict[str, tuple[str, str]] = {}
    for node in ast.parse(file.read_bytes()).body if file.is_file() else ():
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                defined[name] = node
            case ast.Assign(targets=targets):
                names = (n for target in targets for n in ast.walk(target))
                defined |= {n.id: node for n in names if isinstance(n, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name)):
                defined[name] = node
            case ast.ImportFrom(module=str() as module) if (
                module.split(".")[0] == package or module == "claimbook.part"
            ):
                imported |= {a.asname or a.name: (module, a.name) for a in node.names}
    return defined, imported


@cache
def _described(node: ast.stmt) -> tuple[str, set[str]]:
    """A definition as text, and the names that it uses."""
    used = set()
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            used.add(each.id)
        elif isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
            used.add(f"{each.value.id}.{each.attr}")
    return _normal(node), used


def _normal(node: Any) -> str:
    """A syntax tree as text that no version of Python, no comment and no docstring changes."""
    if isinstance(node, list):
        return "".join(map(_normal, node))
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = {name: getattr(node, name, None) for name in sorted(node._fields)}
    match fields.get("body"):
        case [ast.Expr(value=ast.Constant()), *rest]:  # a docstring
            fields["body"] = rest
    hidden = ("ctx", "kind", "type_comment")
    texts = (
        f" {name}:{_normal(value)}"
        for name, value in fields.items()
        if name not in hidden and value is not None and value != []
    )
    return f"({type(node).__name__}{''.join(texts)})"
