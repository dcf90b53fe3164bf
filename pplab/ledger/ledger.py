"""The ledger itself: published and measured side by side, with computed verdicts."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from functools import cache
from pathlib import Path

import pandas as pd

from pplab.ledger.published import NUMBER_RULES, Claim, published_claims
from pplab.ledger.results import Result, read_result, results_folder
from pplab.ledger.verdicts import Judgement, judge

__all__ = ["claims", "judged_claims", "rerun_command"]

Entry = tuple[Claim, Judgement, Result | None]


def claims(*, folder: str | Path | None = None) -> pd.DataFrame:
    """The claims ledger: every published number and statement beside what this code measured.

    Parameters
    ----------
    folder : path, optional
        Folder of stored results; by default those of the project.

    Returns
    -------
    DataFrame
        One row per claim; columns id, paper, place, setting, published, measured, source, rule,
        tolerance, verdict, note, seed, versions. The verdict is computed from the stored
        measurement by the committed rule each time this is called.

    Raises
    ------
    FileNotFoundError
        If there is no folder of results; then nothing can be said of any claim.
    ValueError
        If a stored result cannot be read.

    References
    ----------
    The papers' DOIs stand in docs and README; the rules in ``pplab/ledger/published``.

    Examples
    --------
    >>> ledger = claims()
    >>> "noise-graphs" in set(ledger.paper)
    True
    >>> ledger.id.is_unique
    True
    """
    rows = [_row(*entry) for entry in judged_claims(folder=folder)]
    return pd.DataFrame(rows)


def judged_claims(*, folder: str | Path | None = None) -> list[Entry]:
    """Each claim with its judgement and the stored result behind it."""
    where = Path(folder) if folder else results_folder()
    if not where.is_dir():
        raise FileNotFoundError(
            f"there is no folder of results {where}; measure first: pplab reproduce"
        )

    @cache
    def result_of(paper: str, part: str) -> Result | None:
        return read_result(paper, part, where) if part else None

    @cache
    def frame_of(paper: str, part: str) -> pd.DataFrame | None:
        result = result_of(paper, part)
        return None if result is None else result.frame

    entries: list[Entry] = []
    for claim in published_claims():
        result = result_of(claim.paper, claim.part)
        if result and result.rules.get(claim.id, {}).get("hash") != claim.rule_hash:
            stale = Judgement("open", note="the rule is not the one of the run: rerun the part")
            entries.append((claim, stale, None))
            continue
        source = result.source if result else ""
        entries.append((claim, judge(claim, frame_of(claim.paper, claim.part), source), result))
    return _with_joint_readings(entries)


def _with_joint_readings(entries: list[Entry]) -> list[Entry]:
    """Say on each row with several readings how many rows of its table each reading fits.

    Rows are judged one at a time; a reader must see whether one reading serves them all.
    """
    tables: dict[tuple[str, ...], list[Judgement]] = defaultdict(list)
    for claim, judgement, _ in entries:
        if len(judgement.trials) > 1:
            tables[claim.paper, claim.place, claim.readings].append(judgement)

    def joint(claim: Claim, judgement: Judgement) -> Judgement:
        rows = tables.get((claim.paper, claim.place, claim.readings), [])
        if len(judgement.trials) < 2 or len(rows) < 2:
            return judgement
        fits = Counter(trial.reading for row in rows for trial in row.trials if trial.fits)
        counts = "; ".join(f"{name}: {fits[name]}" for name in claim.reading_names)
        told = f"Of the {len(rows)} such rows of {claim.place} each reading fits so many: {counts}"
        return replace(judgement, note=f"{judgement.note}. {told}", table=told)

    return [(claim, joint(claim, judgement), result) for claim, judgement, result in entries]


def rerun_command(claim: Claim) -> str:
    """Command that measures a claim again; empty while nothing does."""
    return f"pplab reproduce {claim.paper} --part {claim.part} --again" if claim.part else ""


def _row(claim: Claim, judgement: Judgement, result: Result | None) -> dict[str, object]:
    decided = result is not None and judgement.verdict not in ("open", "not-testable")
    return {
        "id": claim.id,
        "paper": claim.paper,
        "place": claim.place,
        "setting": claim.setting,
        "published": claim.published,
        "measured": judgement.measured,
        "source": result.source if result and decided else "",
        "rule": claim.rule,
        "tolerance": claim.tolerance if claim.rule in NUMBER_RULES else None,
        "verdict": judgement.verdict,
        "note": ". ".join(filter(None, (claim.note, judgement.note))),
        "seed": result.seed if result and decided else None,
        "versions": ", ".join(f"{k} {v}" for k, v in result.versions.items())
        if result and decided
        else "",
    }
