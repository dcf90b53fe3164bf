"""A paper's claims, judged by the results that are stored of its parts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from claimbook.registry import Paper
from claimbook.results import Result, read_result
from claimbook.rules import Claim, printer, read_rules
from claimbook.verdicts import Judgement, MeasuredRows, folded, judge

_STALE = Judgement("open", note="rule changed, not yet run")


def parts_behind(claims: Iterable[Claim], only: Collection[str]) -> set[str]:
    """Parts that decide about some claims: their own, and those of all numbers of their groups."""
    by_id = {claim.id: claim for claim in claims}
    asked_claims = [by_id[by_id[name].same_as or name] for name in only]
    numbers = {name for claim in asked_claims for group in claim.groups for name in group.numbers}
    return {part for name in numbers | {c.id for c in asked_claims} for part in by_id[name].parts}


def read_results(paper: Paper, parts: Iterable[str], folder: Path) -> dict[str, Result]:
    """The stored results of some parts, without those that were never run."""
    results = ((part, read_result(paper.key, part, folder)) for part in parts)
    return {part: result for part, result in results if result is not None}


def judge_stored(
    paper: Paper, results: Mapping[str, Result], *, only: Collection[str] | None = None
) -> dict[str, Judgement]:
    """Judge claims by stored rows; a rule that is not the one of its run has no verdict."""
    claims = read_rules(paper)
    ids = {claim.id for claim in claims if only is None or claim.id in only}
    ids |= {claim.same_as for claim in claims if claim.id in ids and claim.same_as}
    stale = {claim.id for claim in claims if claim.id in ids and _has_changed(claim, results)}
    measured = {part: MeasuredRows(result.rows, result.source) for part, result in results.items()}
    judgements = judge(claims, measured, printer(claims), only=ids - stale)
    judgements |= dict.fromkeys(stale, _STALE)
    return folded(judgements, [claim for claim in claims if claim.id in ids])


def _has_changed(claim: Claim, results: Mapping[str, Result]) -> bool:
    if claim.rule == "not-testable" or claim.same_as or not set(claim.parts) <= set(results):
        return False
    return any(results[part].rules.get(claim.id) != claim.rule_hash for part in claim.parts)
