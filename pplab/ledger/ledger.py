"""The ledger itself: published and measured side by side, with computed verdicts."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pandas as pd

from pplab.ledger.published import NUMBER_RULES, Claim, published_claims
from pplab.ledger.results import Result, read_result, results_folder
from pplab.ledger.verdicts import Judgement, judge

__all__ = ["claims", "judged_claims", "rerun_command"]


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
    ValueError
        If a stored result cannot be read.

    References
    ----------
    The papers' DOIs stand in docs and README; the rules in ``pplab/ledger/published``.

    Examples
    --------
    >>> ledger = claims()
    >>> sorted(set(ledger.paper))[:1]
    ['noise-graphs']
    >>> ledger.id.is_unique
    True
    """
    rows = [_row(*entry) for entry in judged_claims(folder=folder)]
    return pd.DataFrame(rows)


def judged_claims(
    *, folder: str | Path | None = None
) -> list[tuple[Claim, Judgement, Result | None]]:
    """Each claim with its judgement and the stored result behind it."""
    where = Path(folder) if folder else results_folder()

    @cache
    def result_of(paper: str, part: str) -> Result | None:
        return read_result(paper, part, where) if part else None

    @cache
    def frame_of(paper: str, part: str) -> pd.DataFrame | None:
        result = result_of(paper, part)
        return None if result is None else result.frame

    entries = []
    for claim in published_claims():
        result = result_of(claim.paper, claim.part)
        source = result.source if result else ""
        entries.append((claim, judge(claim, frame_of(claim.paper, claim.part), source), result))
    return entries


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
