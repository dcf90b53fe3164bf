"""What papers print, and the rule by which each row is judged.

A paper has a CSV of claims and one of choices (see ``published/``). Columns of the claims:

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
- ``draws``: draws behind a printed mean. ``repeats``: runs of ours that a verdict needs, five where
  it is empty.
- ``criterion``: of a statement; ``null``: where it must fail (``pplab.ledger.criteria``).
- ``follows``: id of a number from which this one follows; it takes no part in joint tests.
- ``cause``: id of the row that tells the slip behind this one.
- ``same_as``: id of the row that judges this one too.
- ``changed``: why the rule is another one than before. ``note``: why it is as it is.

Columns of the choices, which the text leaves open about the program that its authors ran: ``name``,
also the column of measured rows in which the option stands; ``options`` separated by `` | ``, the
plain one first; ``meaning``, one for each; ``touches``, patterns of the ids that it touches,
separated by `` | ``; ``note``. Choices that share a number are crossed (``pplab.ledger.worlds``).

The rule is committed before the run it judges: every stored result carries the rule's hash, which
covers all that decides, the measurement apart.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from fnmatch import fnmatchcase
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from pplab.ledger.criteria import is_proof, printed_patterns, proof_hash
from pplab.ledger.csvfile import read_lines
from pplab.ledger.registry import Paper, papers
from pplab.ledger.worlds import Choice, Group, grouped

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
VERSION = "3"  # of what a hash covers


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
    choices: tuple[Choice, ...] = ()  # those that touch it
    groups: tuple[Group, ...] = ()  # theirs, each with all numbers that it governs
    referred: str = ""  # printed numbers that the criterion uses

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
        told = (self.place, self.setting, self.repeats, self.criterion, self.null, self.same_as)
        governed = "\x1e".join(group.text for group in self.groups)
        text = "\x1f".join((_core(self), *told, proof, self.referred, governed))
        return f"{VERSION}:{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def _core(claim: Claim) -> str:
    """All that a joint test knows of a rule."""
    parts = (claim.id, claim.kind, claim.published, claim.rule, claim.part, claim.select)
    return "\x1d".join((*parts, claim.draws, claim.follows))


def published_claims() -> tuple[Claim, ...]:
    """All claims of the papers of this project, in the order of their files."""
    return tuple(claim for paper in papers().values() for claim in read_rules(paper))


def read_rules(paper: Paper) -> tuple[Claim, ...]:
    """Claims of a paper, each with the choices that touch it.

    Raises
    ------
    ValueError
        If a file is missing or not as it should be; the sentence names it.
    """
    return _claims(paper, *(_stamp(file) for file in (paper.rules, paper.choices)))


def _stamp(file: Path) -> int:
    return file.stat().st_mtime_ns if file.is_file() else 0


def read_signatures(paper: Paper) -> dict[str, str]:
    """Signature of the sentence that a row restates (``find.signature``), by id."""
    file = paper.rules.with_name("signatures") / paper.rules.name
    lines = read_lines(file, ["id", "stems"]) if file.is_file() else []
    return {line["id"]: line["stems"] for line in lines}


@cache
def _claims(paper: Paper, *_stamps: int) -> tuple[Claim, ...]:
    plain = [as_claim(paper, line) for line in read_lines(paper.rules, COLUMNS)]
    choices = [as_choice(paper, line) for line in read_lines(paper.choices, CHOICE_COLUMNS)]
    _all_touch(paper, choices, [claim.id for claim in plain])
    governed = [(claim.id, _core(claim)) for claim in plain if is_number(claim)]
    try:
        groups = grouped(choices, governed)
    except ValueError as error:
        raise ValueError(f"{paper.choices}: {error}") from error
    return tuple(
        replace(
            claim,
            choices=(mine := tuple(each for each in choices if each.touch(claim.id))),
            groups=tuple(group for group in groups if set(mine) & set(group.choices)),
            referred=_referred(claim, plain),
        )
        for claim in plain
    )


def as_claim(paper: Paper, line: Mapping[str, str]) -> Claim:
    """A line of the rules as a claim, without the choices that touch it."""
    given: dict[str, Any] = dict(line)
    return Claim(paper=paper.key, **given)


_ADDED = ("paper", "choices", "groups", "referred")  # fields that are no columns
COLUMNS = tuple(name for name in Claim.__dataclass_fields__ if name not in _ADDED)
CHOICE_COLUMNS = ("name", "options", "meaning", "touches", "note")


def as_choice(paper: Paper, line: Mapping[str, str]) -> Choice:
    """A line of the choices.

    Raises
    ------
    ValueError
        If its name, options or meanings are not as they should be.
    """
    name, note = line["name"], line["note"]
    options, meaning, touches = (tuple(line[each].split(" | ")) for each in CHOICE_COLUMNS[1:4])
    if not name.isidentifier() or len(options) < 2 or len(options) != len(meaning):
        raise ValueError(
            f"{paper.choices}: the choice {name!r} needs a name of letters, digits and _, and as "
            f"many meanings as options, two or more; it has {len(options)} and {len(meaning)}"
        )
    return Choice(name, options, meaning, touches, note)


def _all_touch(paper: Paper, choices: Iterable[Choice], ids: Iterable[str]) -> None:
    """Refuse a pattern of a choice that finds no row."""
    for choice in choices:
        for pattern in choice.touches:
            if not any(fnmatchcase(each, pattern) for each in ids):
                raise ValueError(
                    f"{paper.choices}: {choice.name} touches {pattern!r}, which is no row of "
                    f"{paper.rules.name}; mend the pattern"
                )


def is_number(claim: Claim) -> bool:
    """Whether a claim is judged as a number, by itself."""
    return claim.rule in NUMBER_RULES and not claim.same_as


def _referred(claim: Claim, claims: Iterable[Claim]) -> str:
    if not claim.criterion or is_proof(claim.criterion):
        return ""
    printed = printer(claims)
    return repr([printed(pattern) for pattern in printed_patterns(claim.criterion)])


def printer(claims: Iterable[Claim]) -> Callable[[str], list[float]]:
    """Pattern of ids -> all numbers printed there, in the order of the file."""

    def printed(pattern: str) -> list[float]:
        return [_as_printed(claim) for claim in claims if fnmatchcase(claim.id, pattern)]

    return printed


def _as_printed(claim: Claim) -> float:
    try:
        return float(claim.number)
    except InvalidOperation:
        raise ValueError(
            f"{claim.id} prints {claim.published[:40]!r}, which is no number"
        ) from None
