"""Verdicts are computed here and typed nowhere: a claim and a measurement in, a verdict out."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pandas as pd

from pplab.ledger.published import Claim

__all__ = ["VERDICTS", "Judgement", "Trial", "judge", "select_rows"]

VERDICTS = {
    "reproduced": "our value meets the printed one under the plain reading of the paper",
    "reproduced-under-reading": "it does under another reading, which is named",
    "differs": "no reading tried comes within the tolerance",
    "holds": "the statement is true as far as the check goes",
    "refuted": "a counterexample runs",
    "shape-only": "measured on a stand-in or a substitute: only the shape can be compared",
    "not-testable": "nobody can have the data, or the sentence has no testable content",
    "open": "nobody has computed it yet",
}


# Sources on which a printed number cannot be reproduced, whatever comes out.
SHAPE_ONLY = {"standin": "on a stand-in", "substitute": "by a substitute for the paper's method"}


@dataclass(frozen=True)
class Trial:
    """One reading held against the published number."""

    reading: str
    value: float
    spread: float  # standard error of both sides together
    misfit: float  # measured minus published
    allowed: float
    fits: bool

    def __str__(self) -> str:
        how = "fits" if self.fits else "misses"
        name = self.reading or "plain reading"
        scale = f"allowed ± {self.allowed:,.3g}"
        if 3 * self.spread > self.allowed / 2:  # chance decides, not the printed digits
            scale = f"{abs(self.misfit) / self.spread:.1f} sd"
        return f"{name}: {self.value:,.8g} {how} ({self.misfit:+,.4g}; {scale})"


@dataclass(frozen=True)
class Judgement:
    """A verdict with what led to it."""

    verdict: str
    measured: str = ""
    note: str = ""
    trials: tuple[Trial, ...] = ()


def judge(claim: Claim, frame: pd.DataFrame | None, source: str = "") -> Judgement:
    """Judge one claim by the measured frame of its part.

    Parameters
    ----------
    claim : Claim
        With its rule.
    frame : DataFrame or None
        What the experiment gave; None when nobody ran it.
    source : str
        "real", "no data", "generated", "standin" or "substitute".

    Returns
    -------
    Judgement
    """
    if claim.rule == "not-testable":
        return Judgement("not-testable")
    if not claim.part or frame is None:
        return Judgement("open")
    rows = select_rows(claim, frame)
    judgement = _judge_statement(rows) if claim.rule == "holds" else _judge_number(claim, rows)
    if source in SHAPE_ONLY:
        note = f"{SHAPE_ONLY[source]}; there it would be: {judgement.verdict}. {judgement.note}"
        return Judgement("shape-only", judgement.measured, note.rstrip(), judgement.trials)
    return judgement


def select_rows(claim: Claim, frame: pd.DataFrame) -> pd.DataFrame:
    """Rows of the frame that a claim speaks of, in the order of its readings."""
    rows = frame
    for column, wanted in claim.conditions.items():
        rows = rows[[_as_text(value) == wanted for value in rows[column]]]
    if "reading" in rows.columns and claim.readings:
        rows = rows[rows["reading"].isin(claim.reading_names)]
        rows = rows.sort_values("reading", key=lambda names: names.map(claim.reading_names.index))
    expected = len(claim.reading_names) if claim.readings else 1
    if len(rows) != expected:
        raise LookupError(
            f"claim {claim.id} selects {len(rows)} rows of part {claim.part} where {expected} "
            f"must stand; mend its select ({claim.select!r}) or readings ({claim.readings!r})"
        )
    return rows


def _as_text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _judge_statement(rows: pd.DataFrame) -> Judgement:
    row = rows.iloc[0]
    witness = str(row.get("witness", ""))
    return Judgement("holds" if bool(row["value"]) else "refuted", witness)


def _judge_number(claim: Claim, rows: pd.DataFrame) -> Judgement:
    trials = tuple(_try(claim, row) for _, row in rows.iterrows())
    first_fit = next((trial for trial in trials if trial.fits), None)
    others = "; ".join(str(trial) for trial in trials if trial is not first_fit)
    if first_fit is None:
        closest = min(trials, key=lambda trial: abs(trial.misfit) / (trial.allowed or 1))
        return Judgement("differs", _measured(closest), others, trials)
    if first_fit is trials[0]:
        return Judgement("reproduced", _measured(first_fit), others, trials)
    note = f"read as: {first_fit.reading}. {others}"
    return Judgement("reproduced-under-reading", _measured(first_fit), note, trials)


def _try(claim: Claim, row: pd.Series) -> Trial:
    value, published = float(row["value"]), float(claim.number)
    errors = [float(row.get(column, 0.0)) for column in ("se", "sd")]
    spread = math.hypot(*(error for error in errors if not math.isnan(error)))
    misfit = value - published
    allowed = claim.tolerance + 3 * spread
    border = 1e-12 * abs(published)  # decimal digits as binary floats are off by that much
    fits = abs(misfit) <= allowed + border
    if claim.rule == "truncated":  # the digits cut off can only have made the number smaller
        fits = -3 * spread - border <= misfit < allowed - border
    return Trial(_text(row.get("reading", "")), value, spread, misfit, allowed, fits)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _measured(trial: Trial) -> str:
    value = f"{trial.value:,.0f}" if abs(trial.value) >= 1000 else f"{trial.value:.4g}"
    spread = f"{trial.spread:,.0f}" if trial.spread >= 1000 else f"{trial.spread:.2g}"
    return f"{value} ± {spread}" if trial.spread else value
