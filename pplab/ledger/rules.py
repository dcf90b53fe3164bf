"""What papers print, and the rule by which each row is judged.

A paper has a CSV of claims and one of conventions (see ``published/``). Columns of the claims:

- ``id``: paper:place:setting, unique; it never changes.
- ``kind``: ``number`` or ``statement`` of the paper, ``own`` claim of this project, ``sanity``
  check of the program.
- ``place``, ``setting``: where it stands in the paper, and for which parameters.
- ``published``: the number as printed, or the statement in our words.
- ``rule``: ``rounded``, ``truncated`` or ``exact`` for numbers; ``holds``,
  ``holds-or-proof-fails``, ``holds-or-misprint`` for statements: what follows where the criterion
  is false; ``not-testable`` with the reason in the note.
- ``part``: the experiment that measures it; ``print`` where the printed numbers decide.
- ``select``: which of the experiment's rows, as ``column=value`` pairs separated by ``; ``.
- ``draws``: draws behind a printed mean. ``repeats``: runs of ours that a verdict needs.
- ``convention``: a row of the conventions: readings of what the paper leaves open.
- ``criterion``: of a statement (``pplab.ledger.criteria``).
- ``same_as``: id of the row that judges this one too.
- ``changed``: why the rule is another one than before. ``note``: why it is as it is.

Columns of the conventions: ``name``; ``readings`` separated by `` | ``, the plain one first;
``level`` of the joint test; ``note``.

The rule is committed before the run it judges: every stored result carries the rule's hash, which
covers all that decides, the measurement apart.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from fnmatch import fnmatchcase
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from pplab.ledger.criteria import is_proof, printed_patterns, proof_hash
from pplab.ledger.registry import Paper, papers

NUMBER_RULES = ("rounded", "truncated", "exact")
STATEMENT_RULES = {
    "holds": "refuted",
    "holds-or-proof-fails": "proof-fails",
    "holds-or-misprint": "misprint",
}
RULES = (*NUMBER_RULES, *STATEMENT_RULES, "not-testable")
KINDS = {
    "number": "a number that the paper prints",
    "statement": "a sentence of the paper that is true or false",
    "own": "a claim of this project",
    "sanity": "a check of the program",
}
PRINT = "print"  # the part that needs no run
VERSION = "2"  # of what a hash covers
LEVEL = 0.001


@dataclass(frozen=True)
class Convention:
    """What a paper leaves open, with the readings in the order in which they are tried.

    ``cells`` are the rules of all numbers that it governs: the joint test looks at all of them,
    so each is part of the rule of each.
    """

    name: str
    readings: tuple[str, ...]
    level: float = LEVEL
    note: str = ""
    cells: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All that decides which reading is chosen."""
        return "\x1e".join((self.name, *self.readings, f"{self.level:g}", *self.cells))


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
    convention: Convention | None = None
    criterion: str = ""
    same_as: str = ""
    changed: str = ""
    note: str = ""
    referred: str = ""  # printed numbers that the criterion uses

    @property
    def readings(self) -> tuple[str, ...]:
        """Readings in the order in which they are tried; one empty name where there are none."""
        return self.convention.readings if self.convention else ("",)

    @cached_property
    def conditions(self) -> dict[str, str]:
        """Column -> value that picks the measured rows."""
        pairs = (pair.split("=", 1) for pair in self.select.split("; ") if pair)
        return {column.strip(): value.strip() for column, value in pairs}

    @property
    def number(self) -> Decimal:
        """The published number."""
        return Decimal(self.published.replace(",", ""))

    @property
    def unit(self) -> float:
        """One unit of the last printed digit."""
        return float(Decimal(1).scaleb(int(self.number.as_tuple().exponent)))

    @property
    def interval(self) -> tuple[float, float]:
        """What the printed digits leave open, as misfits: from, to."""
        if self.rule == "truncated":  # the digits cut off made the number smaller
            return (-self.unit, 0.0) if self.number.is_signed() else (0.0, self.unit)
        half = self.unit / 2 if self.rule == "rounded" else 0.0
        return -half, half

    @cached_property
    def rule_hash(self) -> str:
        """Version and short hash of everything that decides the verdict, the measurement apart."""
        proof = proof_hash(self.criterion) if is_proof(self.criterion) else ""
        parts = (_core(self), self.repeats, self.criterion, proof, self.referred, self.same_as)
        governed = self.convention.text if self.convention else ""
        digest = hashlib.sha256("\x1f".join((*parts, governed)).encode()).hexdigest()
        return f"{VERSION}:{digest[:16]}"


def _core(claim: Claim) -> str:
    """A rule without its convention."""
    parts = (claim.id, claim.published, claim.rule, claim.part, claim.select, claim.draws)
    return "\x1d".join(parts)


def published_claims() -> tuple[Claim, ...]:
    """All claims of the papers of this project, in the order of their files."""
    return tuple(claim for paper in papers().values() for claim in read_rules(paper))


def read_rules(paper: Paper) -> tuple[Claim, ...]:
    """Claims of a paper, each with its convention.

    Raises
    ------
    ValueError
        If a file is missing or not as it should be; the sentence names it.
    """
    stamps = [_stamp(file) for file in (paper.rules, paper.conventions)]
    return _claims(paper, *stamps)


def _stamp(file: Path) -> int:
    return file.stat().st_mtime_ns if file.is_file() else 0


@cache
def _claims(paper: Paper, *_stamps: int) -> tuple[Claim, ...]:
    lines = _lines(paper.rules, [name for name in Claim.__dataclass_fields__ if name not in _ADDED])
    plain = [_claim(paper, line) for line in lines]
    governed = [(line["convention"], claim) for line, claim in zip(lines, plain, strict=True)]
    known = {
        line["name"]: Convention(
            line["name"],
            tuple(line["readings"].split(" | ")),
            float(line["level"] or LEVEL),
            line["note"],
            tuple(_core(c) for name, c in governed if name == line["name"] and is_number(c)),
        )
        for line in _lines(paper.conventions, ["name", "readings", "level", "note"])
    }
    for name, claim in governed:
        if name and name not in known:
            raise ValueError(
                f"{paper.rules}: {claim.id} names the convention {name!r}, "
                f"which {paper.conventions.name} does not hold; add it there"
            )
    return tuple(
        replace(claim, convention=known.get(name), referred=_referred(claim, plain))
        for name, claim in governed
    )


_ADDED = ("paper", "referred")  # fields that are no columns


def _lines(file: Path, columns: list[str]) -> list[dict[str, str]]:
    try:
        lines = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines(), strict=True))
    except (OSError, ValueError, csv.Error) as error:
        raise ValueError(f"{file} is no readable CSV file: {error}") from error
    for number, line in enumerate(lines, start=2):
        if set(line) != set(columns) or None in line.values():
            raise ValueError(f"{file}, line {number}, must have the columns {', '.join(columns)}")
    return lines


def _claim(paper: Paper, line: dict[str, str]) -> Claim:
    given: dict[str, Any] = {**line, "convention": None}
    return Claim(paper=paper.key, **given)


def is_number(claim: Claim) -> bool:
    """Whether a claim is judged as a number, by itself."""
    return claim.rule in NUMBER_RULES and not claim.same_as


def _referred(claim: Claim, claims: Iterable[Claim]) -> str:
    if not claim.criterion or is_proof(claim.criterion):
        return ""
    found = printer(claims)
    return repr([found(pattern) for pattern in printed_patterns(claim.criterion)])


def printer(claims: Iterable[Claim]) -> Callable[[str], list[float]]:
    """Pattern of ids -> numbers printed there, in the order of the file."""

    def printed(pattern: str) -> list[float]:
        return [
            float(claim.number)
            for claim in claims
            if claim.rule in NUMBER_RULES and fnmatchcase(claim.id, pattern)
        ]

    return printed
