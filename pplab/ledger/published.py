"""The published side of the ledger: what papers print, and the rule by which each row is judged.

One CSV per paper in ``published/``. The columns:

- ``id``: paper:place:setting, unique.
- ``place``, ``setting``: where it stands in the paper, and for which parameters.
- ``published``: the number as printed, or the statement in our words.
- ``rule``: ``rounded``, ``truncated`` or ``exact`` for numbers, ``holds`` for statements,
  ``not-testable`` with the reason in the note.
- ``part``: the experiment that measures it; empty while none does.
- ``select``: which of the experiment's rows, as ``column=value`` pairs separated by ``; ``.
- ``readings``: readings of the paper in the order in which they are tried, separated by `` | ``;
  the first is the plain one.
- ``note``: why the rule or the readings are as they are.

The rule is committed before the run it judges: every stored result carries the rule's hash.
"""

from __future__ import annotations

import csv
import hashlib
from dataclasses import dataclass, fields
from decimal import Decimal
from functools import cache
from importlib import resources

__all__ = ["NUMBER_RULES", "RULES", "Claim", "published_claims"]

NUMBER_RULES = ("rounded", "truncated", "exact")
RULES = (*NUMBER_RULES, "holds", "not-testable")


@dataclass(frozen=True)
class Claim:
    """One printed number or statement with its rule; see the module for the fields."""

    id: str
    paper: str
    place: str
    setting: str
    published: str
    rule: str
    part: str
    select: str
    readings: str
    note: str

    @property
    def reading_names(self) -> tuple[str, ...]:
        """Readings in the order in which they are tried."""
        return tuple(self.readings.split(" | "))

    @property
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
    def tolerance(self) -> float:
        """Allowed misfit before standard errors: half a unit, a unit where the paper truncates."""
        return {"rounded": self.unit / 2, "truncated": self.unit}.get(self.rule, 0.0)

    @property
    def rule_hash(self) -> str:
        """Short hash of everything that decides the verdict, the measurement apart."""
        parts = (self.id, self.published, self.rule, self.part, self.select, self.readings)
        return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]


@cache
def published_claims() -> tuple[Claim, ...]:
    """All claims of all papers, in the order of their files."""
    claims = []
    folder = resources.files("pplab.ledger") / "published"
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".csv"):
            paper = file.name.removesuffix(".csv")
            lines = csv.DictReader(file.read_text(encoding="utf-8").splitlines())
            claims += [Claim(paper=paper, **line) for line in lines]
    return tuple(claims)


COLUMNS = tuple(field.name for field in fields(Claim) if field.name != "paper")
