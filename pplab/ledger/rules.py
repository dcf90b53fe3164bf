"""What papers print, the rule by which each row is judged, and the verdict on a measurement.

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
Verdicts are computed here and typed nowhere: a claim and a measurement in, a verdict out.
"""

from __future__ import annotations

import csv
import hashlib
import math
import reprlib
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib import resources
from numbers import Real

import numpy as np
import pandas as pd

from pplab.checks import check_choice

NUMBER_RULES = ("rounded", "truncated", "exact")
RULES = (*NUMBER_RULES, "holds", "not-testable")
VERDICTS = {
    "reproduced": "our value meets the printed one under the plain reading of the paper",
    "reproduced-under-reading": "it does under another reading, which is named",
    "differs": "no reading tried comes within the tolerance",
    "holds": "the statement is true as far as the check goes",
    "refuted": "a counterexample runs",
    "shape-only": "measured on a stand-in, a part or a substitute: only the shape can be compared",
    "not-testable": "nobody can have the data, or the sentence has no testable content",
    "open": "nobody has computed it yet",
}
# Sources on which a printed number cannot be reproduced, whatever comes out.
_SHAPE_ONLY = {
    "standin": "on a stand-in",
    "portion": "on a part of the data",
    "substitute": "by a substitute for the paper's method or data",
}
_SOURCES = ("real", "no data", "generated", *_SHAPE_ONLY)


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
        """Readings in the order in which they are tried; one empty name where there are none."""
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
            lines = csv.DictReader(file.read_text(encoding="utf-8").splitlines())
            claims += [Claim(paper=file.name.removesuffix(".csv"), **line) for line in lines]
    return tuple(claims)


@dataclass(frozen=True)
class _Trial:
    """One reading held against the published number."""

    reading: str
    value: float
    spread: float  # standard error of both sides together
    misfit: float  # measured minus published
    lowest: float  # allowed misfit, from
    allowed: float  # to
    fits: bool

    def __str__(self) -> str:
        how = "fits" if self.fits else "misses"
        name = self.reading or "plain reading"
        scale = f"allowed {self.lowest:+,.3g} to {self.allowed:+,.3g}"
        if 3 * self.spread > self.allowed / 2:  # chance decides, not the printed digits
            scale = f"{abs(self.misfit) / self.spread:.1f} sd"
        return f"{name}: {self.value:,.8g} {how} ({self.misfit:+,.4g}; {scale})"


@dataclass(frozen=True)
class Judgement:
    """A verdict with what led to it."""

    verdict: str
    measured: str = ""
    note: str = ""
    trials: tuple[_Trial, ...] = ()
    table: str = ""  # how the readings fare in the whole table


def judge(claim: Claim, frame: pd.DataFrame | None, source: str = "") -> Judgement:
    """Judge one claim by the measured frame of its part.

    Parameters
    ----------
    claim : Claim
        With its rule.
    frame : DataFrame or None
        What the experiment gave; None when nobody ran it.
    source : str
        "real", "no data", "generated", "standin", "portion" or "substitute".

    Returns
    -------
    Judgement
    """
    if claim.rule == "not-testable":
        return Judgement("not-testable")
    if not claim.part or frame is None:
        return Judgement("open")
    rows = select_rows(claim, frame)
    judging = _judge_statement if claim.rule == "holds" else _judge_number
    judgement = judging(claim, rows)
    check_choice("source", source, _SOURCES)
    if source in _SHAPE_ONLY:
        note = f"{_SHAPE_ONLY[source]}; there it would be: {judgement.verdict}. {judgement.note}"
        return Judgement("shape-only", judgement.measured, note.rstrip(), judgement.trials)
    return judgement


def select_rows(claim: Claim, frame: pd.DataFrame) -> pd.DataFrame:
    """Rows of the frame that a claim speaks of, in the order of its readings."""
    rows = frame
    for column, wanted in claim.conditions.items():
        values = rows[column] if column in rows.columns else [None] * len(rows)
        rows = rows[[_as_text(value) == wanted for value in values]]
    names, found = claim.reading_names, [""] * len(rows)
    if claim.readings:
        if "reading" in rows.columns:
            rows = rows[rows["reading"].isin(names)]
            rows = rows.sort_values("reading", key=lambda column: column.map(names.index))
        found = list(rows.get("reading", ()))
    if found != list(names):
        raise LookupError(
            f"claim {claim.id} selects {len(rows)} rows of part {claim.part} where "
            f"{len(names)} must stand; mend its select ({claim.select!r}) "
            f"or readings ({claim.readings!r})"
        )
    return rows


def _as_text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _judge_statement(claim: Claim, rows: pd.DataFrame) -> Judgement:
    row = rows.iloc[0]
    answer = row.get("value")
    if not isinstance(answer, (bool, int, float, np.bool_, np.number)) or answer not in (0, 1):
        raise LookupError(
            f"claim {claim.id} needs a true or false value, got {reprlib.repr(answer)}"
        )
    return Judgement("holds" if answer else "refuted", _text(row.get("witness")))


def _judge_number(claim: Claim, rows: pd.DataFrame) -> Judgement:
    trials = tuple(_try(claim, row) for _, row in rows.iterrows())
    first_fit = next((trial for trial in trials if trial.fits), None)
    others = "; ".join(str(trial) for trial in trials if trial is not first_fit)
    if first_fit is None:
        closest = min(trials, key=lambda trial: abs(trial.misfit))
        return Judgement("differs", _measured(claim, closest), others, trials)
    if first_fit is trials[0]:
        return Judgement("reproduced", _measured(claim, first_fit), others, trials)
    note = f"read as: {first_fit.reading}. {others}"
    return Judgement("reproduced-under-reading", _measured(claim, first_fit), note, trials)


def _try(claim: Claim, row: pd.Series) -> _Trial:
    numbers = [row.get("value"), row.get("se", 0.0), row.get("sd", 0.0)]
    if not all(isinstance(number, Real) for number in numbers):
        raise LookupError(f"claim {claim.id} needs numbers, got {reprlib.repr(numbers)}")
    value, *errors = map(float, numbers)
    published = float(claim.number)
    spread = math.hypot(*(error for error in errors if not math.isnan(error)))
    if math.isinf(spread):
        raise LookupError(f"claim {claim.id} has an endless standard error in part {claim.part}")
    misfit = value - published
    allowed = claim.tolerance + 3 * spread
    border = 1e-12 * abs(published)  # decimal digits as binary floats are off by that much
    lowest, fits = -allowed, abs(misfit) <= allowed + border
    if claim.rule == "truncated":  # the digits cut off can only have made the number smaller
        lowest, fits = -3 * spread, -3 * spread - border <= misfit < allowed - border
    return _Trial(_text(row.get("reading", "")), value, spread, misfit, lowest, allowed, fits)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _measured(claim: Claim, trial: _Trial) -> str:
    """Our value with two digits more than the printed one, so that the comparison is seen."""
    digits = max(0, -int(claim.number.as_tuple().exponent)) + 2
    value = f"{trial.value:,.0f}" if claim.unit >= 1 else f"{trial.value:.{digits}f}"
    spread = f"{trial.spread:,.0f}" if trial.spread >= 100 else f"{trial.spread:.2g}"
    return f"{value} ± {spread}" if trial.spread else value
