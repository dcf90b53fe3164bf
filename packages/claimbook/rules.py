"""What papers print, and the rule by which each row is judged.

A paper has a CSV of claims and one of choices. Columns of the claims:

- ``id``: paper:place:setting, unique; it never changes.
- ``kind``: ``number`` or ``statement`` of the paper, ``own`` claim of this project, ``sanity``
  check of the program.
- ``place``, ``setting``: where it stands in the paper, and for which parameters.
- ``published``: the number as printed (``cells``), or the statement in our words.
- ``rule``: ``rounded``, ``truncated`` or ``exact`` for numbers; ``holds``,
  ``holds-or-proof-fails``, ``holds-or-misprint`` for statements: what follows where the criterion
  is false; ``not-testable`` with the reason in the note.
- ``part``: the experiment that measures it; ``print`` where the printed numbers decide. A statement
  may have several, separated by ``; ``: each of their rows then has a column ``part``.
- ``select``: which of the experiment's rows, as ``column=value`` pairs separated by ``;``.
- ``draws``: draws behind a printed mean. ``repeats``: runs of ours that a verdict needs, five where
  it is empty.
- ``criterion``: of a statement; ``null``: where it must fail (``claimbook.criteria``).
- ``follows``: id of a number from which this one follows; it takes no part in joint tests. Where
  that one differs, it is ``compatible`` at most, and no nearest world makes it that.
- ``cause``: id of the row that tells the slip behind this one.
- ``same_as``: id of the row that judges this one too.
- ``changed``: why the rule is another one than before. ``note``: why it is as it is.
- ``tolerance``: absolute, or a share of the print with ``%``: what the authors allow. It is told
  beside the verdict and changes none. ``unit``: of the number. ``main``: ``yes`` for a main claim.
- ``source``: page or address where it was read.

``id``, ``place``, ``published`` and ``rule`` must be there; the others may be missing.

Columns of the choices, which the text leaves open about the program that its authors ran: ``name``,
also the column of measured rows in which the option stands; ``options`` separated by `` | ``, the
plain one first; ``meaning``, one for each, a clause that the view of a row prints after *where*;
``touches``, patterns of the ids that it touches, separated by `` | ``; ``note``. Choices that share
a number are crossed (``claimbook.worlds``).

The rule is committed before the run it judges: every stored result carries the rule's hash, which
covers all that decides, the measurement and the laws that hold for all rows apart: levels and
tests, and of these what ``paper.toml`` says of a paper (``registry.Paper``).
"""

import hashlib
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fnmatch import fnmatchcase, translate
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from claimbook import criteria
from claimbook.chance import LEVEL
from claimbook.checks import TERMS, stamp
from claimbook.criteria import Printed, is_proof
from claimbook.csvfile import lines_of
from claimbook.registry import Paper
from claimbook.worlds import Choice, Group, grouped

NUMBER_RULES = ("rounded", "truncated", "exact")
STATEMENT_RULES = {
    "holds": "refuted",
    "holds-or-proof-fails": "proof-fails",
    "holds-or-misprint": "misprint",
}
RULES = (*NUMBER_RULES, *STATEMENT_RULES, "not-testable")
KINDS = [kind for kind in TERMS["kinds"] if kind != "repeat"]
PRINT = "print"  # the part that needs no run
VERSION = "3"  # of what a hash covers


# Cells: what a paper prints, as a number, with its own spread or as a bound.

_DIGITS = r"(?:(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?"
_CELL = re.compile(
    rf"(?P<bound><=|>=|<|>)? ?(?P<number>[+-]?{_DIGITS})(?: ?%)?"
    rf"(?:\((?P<last>\d+)\)| ?(?:±|\+/-|\+-) ?(?P<spread>{_DIGITS}))?(?: ?%)?",
    re.ASCII,
)
_SPREADSHEET = re.compile(r"\dE[+-]\d\d")
_STORED = 10  # digits of a measured fraction
_ALIKE = str.maketrans({"\N{MINUS SIGN}": "-", "≤": "<=", "≥": ">="})
FORMS = "1.65, 1,234, -1.65, 95.0 %, 1.2e-5, 6.13(6), 0.352 ± 0.028, < 0.001 or > 1.6"


@dataclass(frozen=True)
class Cell:
    """A printed number: its ``spread`` as after ± (None: not printed), its ``bound`` as ``<``."""

    number: Decimal
    last_digit: float  # one unit of it
    spread: float | None
    bound: str
    percent: bool


@cache
def read_cell(text: str) -> Cell:
    """Read a number as papers print it; a decimal comma is asked about, never guessed.

    Raises
    ------
    ValueError
        If it is none; what was got, and what to do.

    Examples
    --------
    >>> cell = read_cell("6.13(6) %")
    >>> str(cell.number), cell.spread, cell.percent
    ('6.13', 0.06, True)
    >>> read_cell("1,65")
    Traceback (most recent call last):
    ...
    ValueError: got '1,65'; write 1.65 if the comma is a decimal one, or 165 if it is none
    """
    plain = " ".join(text.translate(_ALIKE).split())
    if _SPREADSHEET.search(plain):  # 1.2e-5 is 1.20E-05 there: other digits, another verdict
        raise ValueError(
            f"got {text[:40]!r}, as spreadsheets write it; write it as printed: 1.2e-5"
        )
    match = _CELL.fullmatch(plain)
    if match is None or (match["bound"] and (match["last"] or match["spread"])):
        both = plain.replace(".", "").replace(",", "."), plain.replace(",", "")
        if "," in plain and all(_CELL.fullmatch(reading) for reading in both):
            raise ValueError(
                f"got {text[:40]!r}; write {both[0]} if the comma is a decimal one, or {both[1]} "
                "if it is none"
            )
        raise ValueError(f"got {text[:40]!r}; write it as one of {FORMS}")
    number = Decimal(match["number"].replace(",", ""))
    spread = Decimal(match["spread"].replace(",", "")) if match["spread"] else None
    if math.isinf(float(number)):
        raise ValueError(f"got {text[:40]!r}, which is beyond all numbers; write another unit")
    digit = Decimal(1).scaleb(int(number.as_tuple().exponent))
    if digit < 1 and len(number.as_tuple().digits) > _STORED:
        raise ValueError(f"got {text[:40]!r}; a run stores {_STORED} digits, so write as many")
    if match["last"]:
        spread = int(match["last"]) * digit
    width = None if spread is None else float(spread)
    return Cell(number, float(digit), width, match["bound"] or "", "%" in plain)


@dataclass(frozen=True)
class Claim:
    """One printed number or statement with its rule; see the module for the fields."""

    id: str
    paper: str
    kind: str
    place: str
    setting: str
    published: str
    rule: str
    part: str = ""
    select: str = ""
    draws: str = ""
    repeats: str = ""
    criterion: str = ""
    null: str = ""
    follows: str = ""
    cause: str = ""
    same_as: str = ""
    changed: str = ""
    note: str = ""
    tolerance: str = ""
    unit: str = ""
    main: str = ""
    source: str = ""
    choices: tuple[Choice, ...] = ()  # those that touch it
    groups: tuple[Group, ...] = ()  # theirs, each with all numbers that it governs
    referred: str = ""  # printed numbers that the criterion uses
    level: float = LEVEL  # of its intervals
    apart: bool = False  # another program gave it
    computed: bool = False  # from printed numbers, nothing is measured
    draw: str = ""  # numbers of a part that differ here are of different draws
    proofs: Path | None = None  # the package from which the function of a proof counts

    @cached_property
    def conditions(self) -> dict[str, str]:
        """Column -> value that picks the measured rows."""
        return values_by_column(self.select)

    @property
    def parts(self) -> list[str]:
        """The experiments that measure it."""
        return [part for text in self.part.split(";") if (part := text.strip())]

    @cached_property
    def cell(self) -> Cell:
        """The published number as it is printed."""
        return read_cell(self.published)

    @property
    def number(self) -> Decimal:
        """The published number."""
        return self.cell.number

    @property
    def interval(self) -> tuple[float, float]:
        """Interval that the printed digits leave open, as misfits: from, to."""
        digit = self.cell.last_digit
        if self.cell.bound:
            return (-math.inf, 0.0) if "<" in self.cell.bound else (0.0, math.inf)
        if self.rule == "truncated":  # the digits cut off made the number smaller
            return (-digit, 0.0) if self.number.is_signed() else (0.0, digit)
        half = digit / 2 if self.rule == "rounded" else 0.0
        return -half, half

    @property
    def allowance(self) -> float:
        """The authors' tolerance, in the unit of the number."""
        cell = read_cell(self.tolerance)
        return float(cell.number) * (abs(float(self.number)) / 100 if cell.percent else 1)

    @cached_property
    def rule_hash(self) -> str:
        """Version and short hash of everything that decides the verdict, the measurement apart."""
        proof = criteria.proof_hash(self.criterion, self.proofs) if is_proof(self.criterion) else ""
        cells = (self.place, self.setting, self.repeats, self.criterion, self.null, self.same_as)
        governed = "\x1e".join(group.text for group in self.groups)
        later = [f"{name}={getattr(self, name)}" for name in _LATER if getattr(self, name)]
        text = "\x1f".join((_core(self), *cells, proof, self.referred, governed, *later))
        return f"{VERSION}:{hashlib.sha256(text.encode()).hexdigest()[:16]}"


_LATER = ("tolerance", "unit", "main")  # columns of later days, hashed where they are filled in


def values_by_column(text: str) -> dict[str, str]:
    """Pairs of the text ``column=value; column=value``.

    Raises
    ------
    ValueError
        If a pair is none.
    """
    cells = {}
    for pair in filter(None, re.split(r"\s*;\s*", text.strip())):
        column, _, value = (side.strip() for side in pair.partition("="))
        if not column or not value or value.startswith("="):
            raise ValueError(f"got {pair[:60]!r}; write column=value, with ; between two")
        cells[column] = value
    return cells


def _core(claim: Claim) -> str:
    """All that a joint test knows of a rule."""
    parts = (claim.id, claim.kind, claim.published, claim.rule, claim.part, claim.select)
    return "\x1d".join((*parts, claim.draws, claim.follows))


def read_rules(paper: Paper) -> tuple[Claim, ...]:
    """Claims of a paper, each with the choices that touch it.

    Raises
    ------
    ValueError
        If a file is missing or not as it should be; the sentence names it.
    """
    return _claims(paper, *map(stamp, (paper.rules, paper.choices)))


def read_plain(paper: Paper) -> list[Claim]:
    """Claims of a paper as they are searched: their cells alone, which nobody has checked."""
    return _plain(paper, stamp(paper.rules))


@cache
def _plain(paper: Paper, _: object) -> list[Claim]:
    return [claim_of(paper, line) for line in lines_of(paper.rules, COLUMNS, NEEDED)]


def read_signatures(paper: Paper) -> dict[str, str]:
    """Signature of the sentence that a row restates (``find.signature``), by id."""
    file = paper.rules.with_name("signatures.csv")
    lines = lines_of(file, ["id", "stems"]) if file.is_file() else []
    return {line["id"]: line["stems"] for line in lines}


@cache
def _claims(paper: Paper, *_stamps: object) -> tuple[Claim, ...]:
    plain = read_plain(paper)
    refuse_faults(paper, plain)
    printed = printer(plain)
    choices = [choice_of(paper, line) for line in lines_of(paper.choices, CHOICE_COLUMNS)]
    _all_found(paper, choices, plain)
    try:
        groups = grouped(choices, [(c.id, _core(c)) for c in plain if is_number(c)])
    except ValueError as error:
        raise ValueError(f"{paper.choices}: {error}") from error
    return tuple(
        replace(
            claim,
            choices=(touching := tuple(c for c in choices if c.touch(claim.id))),
            groups=tuple(group for group in groups if {*touching} & {*group.choices}),
            referred=_reference(claim, printed),
            apart=claim.part in paper.apart,
            computed=any(fnmatchcase(x, y) for x in (claim.part, claim.id) for y in paper.computed),
            draw="; ".join(claim.conditions.get(column, "") for column in paper.drawn),
            level=next((at for ids, at in paper.levels if fnmatchcase(claim.id, ids)), LEVEL),
            proofs=paper.collection.folder,
        )
        for claim in plain
    )


def claim_of(paper: Paper, line: Mapping[str, str]) -> Claim:
    """A claim from the cells of its row; columns that may be missing are empty then."""
    fields: dict[str, Any] = {"setting": "", "paper": paper.key, **line}
    if not fields.get("kind"):
        untested = line["rule"] == "not-testable"
        number = line["rule"] in NUMBER_RULES or (untested and _prints(line["published"]))
        fields["kind"] = "number" if number else "statement"
    return Claim(**fields)


def _prints(published: str) -> bool:
    try:
        return bool(read_cell(published))
    except ValueError:
        return False


def refuse_faults(paper: Paper, claims: Sequence[Claim]) -> None:
    """Raise an error about the first invalid cell that also lists the others."""
    if wrong := [(claim.id, *fault) for claim in claims for fault in cell_faults(claim)]:
        name, column, sentence = wrong[0]
        more = ", ".join(f"{other} {where}" for other, where, _ in wrong[1:6])
        raise ValueError(
            f"{paper.rules}: claim {name or '(no id)'}, column {column}: {sentence}"
            + (f" (more to mend: {more}{', ...' if wrong[6:] else ''})" if more else "")
        )


def cell_faults(claim: Claim) -> Iterator[tuple[str, str]]:
    """Columns of a row with invalid cells, each with what was got and what to do."""
    number, statement = claim.rule in NUMBER_RULES, claim.rule in STATEMENT_RULES
    other = (number and claim.kind == "statement") or (statement and claim.kind == "number")
    checks = (
        ("id", re.fullmatch(r"\S+:\S+", claim.id), "write paper:place:setting, no blanks"),
        ("place", claim.place, "write its place in the paper"),
        ("published", claim.published, "write what is printed"),
        ("rule", claim.rule in RULES, f"write one of {', '.join(RULES)}"),
        ("kind", claim.kind in KINDS, f"write one of {', '.join(KINDS)}, or nothing"),
        ("rule", not other, f"a {claim.kind} is not judged by it"),
        ("note", claim.rule != "not-testable" or claim.note, "write why it cannot be tested"),
        ("part", not number or len(claim.parts) < 2, "a number is measured by one part"),
        ("criterion", not number or not claim.criterion, "a number is judged by its rule alone"),
        ("same_as", claim.same_as != claim.id, "name another row"),
        ("main", claim.main in ("", "yes"), "write yes, or nothing"),
        ("draws", _WHOLE.fullmatch(claim.draws), "write a whole number, or nothing"),
        ("repeats", _WHOLE.fullmatch(claim.repeats), "write a whole number, or nothing"),
    )
    for column, right, remedy in checks:
        if not right:
            yield column, f"got {getattr(claim, column)[:60]!r}; {remedy}"
    readings: tuple[tuple[str, bool, Callable[[str], object]], ...] = (
        ("select", True, values_by_column),
        ("published", number, read_cell),
        ("tolerance", True, read_cell),
        ("criterion", not is_proof(claim.criterion), criteria.check_criterion),
        ("null", True, criteria.check_null),
    )
    for column, applies, read in readings:
        try:
            if applies and (text := getattr(claim, column)):
                read(text)
        except ValueError as error:
            yield column, str(error)


_WHOLE = re.compile("[1-9][0-9]*|")
NEEDED = ("id", "place", "published", "rule")
_NAMES = [*Claim.__dataclass_fields__]
COLUMNS = [name for name in _NAMES[: _NAMES.index("choices")] if name != "paper"]
CHOICE_COLUMNS = ("name", "options", "meaning", "touches", "note")


def choice_of(paper: Paper, line: Mapping[str, str]) -> Choice:
    """A line of the choices.

    Raises
    ------
    ValueError
        If its name, options or meanings are not as they should be.
    """
    name = line["name"]
    options, meaning, touches = (tuple(line[head].split(" | ")) for head in CHOICE_COLUMNS[1:4])
    if not name.isidentifier() or len(options) < 2 or len(options) != len(meaning):
        raise ValueError(
            f"{paper.choices}: the choice {name!r} needs a name of letters, digits and _, and as "
            f"many meanings as options, two or more; it has {len(options)} and {len(meaning)}"
        )
    return Choice(name, options, touches)


def _all_found(paper: Paper, choices: Iterable[Choice], claims: Sequence[Claim]) -> None:
    """Refuse a pattern, part or column of choices or paper that finds nothing in the rules."""
    ids = {claim.id for claim in claims}
    parts = {part for claim in claims for part in claim.parts}
    columns = {column for claim in claims for column in claim.conditions}
    for file, how, patterns, known, what in (
        *((paper.choices, f"{c.name} touches", c.touches, ids, "row") for c in choices),
        (paper.file, "levels are of", [ids for ids, _ in paper.levels], ids, "row"),
        (paper.file, "apart is", paper.apart, parts, "part"),
        (paper.file, "computed is", paper.computed, parts | ids, "part or row"),
        (paper.file, "drawn is", paper.drawn, columns, "column"),
    ):
        for pattern in patterns:
            if pattern not in known and not any(map(re.compile(translate(pattern)).match, known)):
                no_such = f"which is no {what} of {paper.rules.name}; mend it"
                raise ValueError(f"{file}: {how} {pattern!r}, {no_such}")


def is_number(claim: Claim) -> bool:
    """True if a claim is judged as a number, by itself."""
    return claim.rule in NUMBER_RULES and not claim.same_as


def _reference(claim: Claim, printed: Printed) -> str:
    if not claim.criterion or is_proof(claim.criterion):
        return ""
    return repr([printed(pattern) for pattern in criteria.printed_patterns(claim.criterion)])


def printer(claims: Iterable[Claim]) -> Printed:
    """Pattern of ids -> all numbers printed there, in the order of the file."""

    @cache  # a null asks twenty times
    def printed(pattern: str) -> list[float]:
        named = re.compile(translate(pattern)).match
        return [_as_printed(claim) for claim in claims if named(claim.id)]

    return printed


def _as_printed(claim: Claim) -> float:
    if not _prints(claim.published) or claim.cell.bound:
        raise ValueError(f"{claim.id} prints {claim.published[:40]!r}, which is not a number")
    return float(claim.number)
