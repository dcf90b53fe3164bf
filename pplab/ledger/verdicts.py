"""Verdicts: claims and the rows that a run measured in, verdicts out; none is typed anywhere.

A paper leaves conventions open. Each reading of a convention is held against all numbers that it
governs, by one test; the first that passes is chosen for all of them, else the plain one, and then
each row is judged under it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

from scipy.special import chdtri, stdtrit

from pplab.checks import check_choice
from pplab.ledger.criteria import Printed, Row, decide, is_proof, matches
from pplab.ledger.rules import PRINT, STATEMENT_RULES, Claim, Convention, is_number

VERDICTS = {
    "reproduced": "our value meets the printed one under the plain reading of the paper",
    "reproduced-under-reading": "our value meets it under another reading, that of its whole table",
    "compatible": "our value meets it, but chance or an open choice may move ours by a tenth",
    "differs": "the reading chosen for its table does not come within the tolerance",
    "holds": "the statement is true as far as the check goes",
    "holds-under-reading": "the statement is true under another reading, that of its whole table",
    "refuted": "a counterexample runs",
    "proof-fails": "the printed proof breaks; whether the statement is true stays open",
    "misprint": "a slip of the print, without consequence for the rest",
    "shape-only": "measured on a stand-in, a part or a substitute: only the shape can be compared",
    "not-testable": "nobody can have the data, or the sentence has no testable content",
    "open": "nobody has run it under its present rule",
}
# Sources on which a printed number cannot be reproduced, whatever comes out.
_SHAPE_ONLY = {
    "standin": "on a stand-in",
    "portion": "on a part of the data",
    "substitute": "by a substitute for the paper's method or data",
}
_SOURCES = ("real", "no data", "generated", *_SHAPE_ONLY)
_SPREADS = 3.0  # standard errors allowed; with few runs the t-quantile of the same level
_TAIL = math.erfc(_SPREADS / math.sqrt(2)) / 2
_WIDE = 0.1  # of the printed value: wider, a fit is compatible only
_MISPRINTS = 10  # one cell in so many may be a misprint


@dataclass(frozen=True)
class Trial:
    """One reading held against a published number."""

    reading: str
    value: float
    spread: float  # standard error of both sides together
    misfit: float  # measured minus published
    width: float  # what chance and open choices allow, besides the printed digits
    fits: bool
    z: float  # misfit in standard deviations, the print's rounding included
    range: str = ""

    def __str__(self) -> str:
        how = "fits" if self.fits else "misses"
        name = self.reading or "plain reading"
        allowed = f"; allowed for spread ± {self.width:,.3g}" if self.width else ""
        return f"{name}: {self.value:,.8g}{self.range} {how} ({self.misfit:+,.4g}{allowed})"


@dataclass(frozen=True)
class Judgement:
    """A verdict with what led to it."""

    verdict: str
    measured: str = ""
    note: str = ""
    trials: tuple[Trial, ...] = ()
    reading: str = ""  # the one chosen
    joint: str = ""  # how the readings fare over all numbers that they govern


def judge(
    claims: Sequence[Claim], rows: Sequence[Row] | None, source: str, printed: Printed
) -> dict[str, Judgement]:
    """Judge the claims of one part by the rows that it measured.

    Parameters
    ----------
    claims : sequence of Claim
        All claims of the part; joint tests look at all of them.
    rows : sequence of mappings or None
        What the experiment gave; None when nobody ran it.
    source : str
        "real", "no data", "generated", "standin", "portion" or "substitute".
    printed : callable
        Pattern of ids -> printed numbers, for criteria.

    Returns
    -------
    dict
        Id -> Judgement.

    Raises
    ------
    LookupError, ValueError
        If the rows do not hold what a claim needs.
    """
    chosen: dict[str, tuple[str, str]] = {}
    verdicts: dict[str, Judgement] = {}
    governed: dict[str, list[Claim]] = defaultdict(list)
    for claim in claims:
        if claim.convention:
            governed[claim.convention.name].append(claim)
    if rows is not None:
        chosen = {name: _choose(each, rows) for name, each in governed.items()}
    for claim in claims:
        if claim.same_as:
            continue
        if claim.rule == "not-testable":
            verdicts[claim.id] = Judgement("not-testable")
        elif not claim.part or (rows is None and claim.part != PRINT):
            verdicts[claim.id] = Judgement("open", note="nobody has run it")
        else:
            reading, joint = chosen[claim.convention.name] if claim.convention else ("", "")
            verdicts[claim.id] = _judge(claim, rows or (), source, printed, reading, joint)
    return verdicts


def _judge(
    claim: Claim, rows: Sequence[Row], source: str, printed: Printed, reading: str, joint: str
) -> Judgement:
    if is_number(claim):
        used = select_rows(claim, rows)
        judgement = _judge_number(claim, used, reading)
    else:
        used = [row for row in _selected(claim, rows) if row.get("reading", reading) == reading]
        judgement = _judge_statement(claim, used, printed, reading)
    judgement = replace(judgement, joint=joint)
    runs = min((float(row["runs"]) for row in used if "runs" in row), default=math.inf)
    if claim.repeats and runs < float(claim.repeats):
        note = f"preliminary, {runs:g} of {claim.repeats} runs: so far {judgement.verdict}"
        return replace(judgement, verdict="open", note=note)
    check_choice("source", source, _SOURCES)
    instead = next((str(row["source"]) for row in used if row.get("source") in _SHAPE_ONLY), source)
    if instead in _SHAPE_ONLY:
        there = f"Measured {_SHAPE_ONLY[instead]}; there it would be: {judgement.verdict}."
        told = f"{there} {judgement.note}"
        return replace(judgement, verdict="shape-only", note=told.rstrip())
    return judgement


# Rows of a claim.


def _selected(claim: Claim, rows: Iterable[Row]) -> list[Row]:
    return [row for row in rows if matches(row, claim.conditions)]


def select_rows(claim: Claim, rows: Iterable[Row]) -> list[Row]:
    """The rows of a number, one for each of its readings, in their order.

    Raises
    ------
    LookupError
        If there are more or fewer.
    """
    found = _selected(claim, rows)
    by_reading = [
        [row for row in found if not claim.convention or row.get("reading") == reading]
        for reading in claim.readings
    ]
    if any(len(each) != 1 for each in by_reading):
        raise LookupError(
            f"claim {claim.id} selects {', '.join(str(len(each)) for each in by_reading)} rows of "
            f"part {claim.part} for the readings {list(claim.readings)}, where one each must stand;"
            f" mend its select ({claim.select!r}) or its convention"
        )
    return [each[0] for each in by_reading]


# Numbers.


def _choose(claims: Sequence[Claim], rows: Sequence[Row]) -> tuple[str, str]:
    """The reading of a convention, and the test that chose it in words."""
    convention = claims[0].convention
    assert convention is not None  # as the caller grouped them
    numbers = [claim for claim in claims if is_number(claim)]
    plain = convention.readings[0]
    if not numbers:
        return plain, ""
    trials = [[_try(claim, row) for row in select_rows(claim, rows)] for claim in numbers]
    sums = [_sum_of_squares([each[i] for each in trials]) for i in range(len(convention.readings))]
    limit = _limit(len(numbers), convention)
    passing = [
        name for name, total in zip(convention.readings, sums, strict=True) if total <= limit
    ]
    reading = passing[0] if passing else plain
    counts = [sum(each[i].fits for each in trials) for i in range(len(convention.readings))]
    told = "; ".join(
        f"{name or 'plain'}: {total:.3g}, fits {count}"
        for name, total, count in zip(convention.readings, sums, counts, strict=True)
    )
    why = "the first that passes" if passing else "none passes, so the plain one judges"
    told_of = f"{len(numbers)} number{'s' * (len(numbers) > 1)}, "
    if worst := _left_out(len(numbers)):
        told_of += f"the worst {worst} left out, "
    return reading, (
        f"{told_of}sum of squared z at most {limit:.3g} "
        f"(level {convention.level:g}): {told}. Chosen: {reading} ({why})"
    )


def _left_out(cells: int) -> int:
    return cells // _MISPRINTS


def _sum_of_squares(trials: Sequence[Trial]) -> float:
    squares = sorted(
        (trial.z * trial.z for trial in trials), key=lambda each: (math.isnan(each), each)
    )
    return sum(squares[: len(squares) - _left_out(len(squares))])


def _limit(cells: int, convention: Convention) -> float:
    return float(chdtri(cells - _left_out(cells), convention.level))


def _judge_number(claim: Claim, rows: Sequence[Row], reading: str) -> Judgement:
    trials = tuple(_try(claim, row) for row in rows)
    trial = next(each for each in trials if each.reading == reading)
    others = "; ".join(str(each) for each in trials if each is not trial)
    read = f"read as: {reading}" if reading != claim.readings[0] else ""
    note = ". ".join(filter(None, (read, others)))
    if not trial.fits:
        verdict = "differs"
    elif trial.width > (_WIDE * abs(float(claim.number)) or claim.unit):
        verdict = "compatible"
    else:
        verdict = "reproduced-under-reading" if read else "reproduced"
    return Judgement(verdict, _measured(claim, trial), note, trials, reading)


def _try(claim: Claim, row: Row) -> Trial:
    value = _number(claim, row, "value")
    se, sd = (_number(claim, row, name, 0.0) for name in ("se", "sd"))
    low, high = (_number(claim, row, name, value) for name in ("low", "high"))
    runs = _number(claim, row, "runs", math.inf)
    spread = math.hypot(se, sd / math.sqrt(float(claim.draws or 1)))
    published = float(claim.number)
    chance = _quantile(runs) * spread if spread else 0.0
    # the misfit of what is nearest in the range of open choices
    nearest = min(max(published, low), high) - published if low < high else value - published
    start, end = claim.interval
    border = 1e-12 * abs(published)  # decimal digits as binary floats are off by that much
    fits = start - chance - border <= nearest <= end + chance + border
    if claim.rule == "truncated" and not chance:  # the next number does not belong to it
        open_end = end if end > 0 else -start
        fits = fits and abs(nearest) < open_end - border
    middle, rounding = (start + end) / 2, claim.unit / math.sqrt(12)
    return Trial(
        reading=_text(row.get("reading")),
        value=value,
        spread=spread,
        misfit=value - published,
        width=chance + max(0.0, high - low) / 2,
        fits=fits,
        z=(nearest - middle) / math.hypot(rounding, spread) if nearest or low >= high else 0.0,
        range=f" [{low:,.8g} to {high:,.8g}]" if low < high else "",
    )


def _quantile(runs: float) -> float:
    """Standard errors allowed: three, or the t-quantile of the same level where runs are few."""
    if math.isinf(runs):
        return _SPREADS
    return float(stdtrit(runs - 1, 1 - _TAIL)) if runs > 1 else math.inf


def _number(claim: Claim, row: Row, column: str, default: float | None = None) -> float:
    value = row.get(column, default)
    if value is None or not isinstance(value, Real) or isinstance(value, complex):
        raise LookupError(f"claim {claim.id} needs a number as {column}, got {str(value)[:60]}")
    number = float(value)
    if column in ("se", "sd") and math.isnan(number):
        return 0.0
    if math.isinf(number) and column in ("se", "sd"):
        raise LookupError(f"claim {claim.id} has an endless {column} in part {claim.part}")
    return number


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _measured(claim: Claim, trial: Trial) -> str:
    """Our value with two digits more than the printed one, so that the comparison is seen."""
    exponent = int(claim.number.as_tuple().exponent)
    digits = max(0, -exponent + (2 if claim.rule != "exact" or trial.value % 1 else 0))
    value = f"{trial.value:,.{digits}f}"
    spread = f"{trial.spread:,.0f}" if trial.spread >= 100 else f"{trial.spread:.2g}"
    return f"{value} ± {spread}{trial.range}" if trial.spread else f"{value}{trial.range}"


# Statements.


def _judge_statement(
    claim: Claim, rows: Sequence[Row], printed: Printed, reading: str
) -> Judgement:
    if is_proof(claim.criterion) or not claim.criterion:
        answer, seen = _found(claim, rows), ""
    else:
        try:
            answer, seen = decide(claim.criterion, rows, printed)
        except ValueError as error:
            raise LookupError(f"claim {claim.id}: {error}") from error
    told = " ".join(dict.fromkeys(filter(None, (_text(row.get("witness")) for row in rows))))
    plain = not claim.convention or reading == claim.readings[0]
    if answer:
        verdict = "holds" if plain else "holds-under-reading"
    else:
        verdict = STATEMENT_RULES[claim.rule]
    return Judgement(verdict, told or seen, "" if plain else f"read as: {reading}", (), reading)


def _found(claim: Claim, rows: Sequence[Row]) -> bool:
    """What the function of a proof found."""
    found = [row.get("value") for row in rows]
    if len(found) != 1 or found[0] not in (0, 1):
        raise LookupError(
            f"claim {claim.id} needs one true or false value, got {str(found)[:60]}; "
            f"mend its select ({claim.select!r})"
        )
    return bool(found[0])


def folded(verdicts: Mapping[str, Judgement], claims: Iterable[Claim]) -> dict[str, Judgement]:
    """Verdicts with those of rows that another row judges."""
    judged = dict(verdicts)
    for claim in claims:
        if claim.same_as:
            target = judged.get(claim.same_as)
            if target is None:
                raise LookupError(
                    f"claim {claim.id} is judged by {claim.same_as}, which is not there"
                )
            judged[claim.id] = replace(target, note=f"judged by {claim.same_as}")
    return judged
