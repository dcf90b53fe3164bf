"""The ledger on a terminal: a line per claim, or one claim with all that is known of it."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from pplab.ledger.ledger import judged_claims, rerun_command
from pplab.ledger.published import Claim
from pplab.ledger.verdicts import VERDICTS

__all__ = ["claim_lines", "count_line", "table_lines", "tolerance_text"]


def table_lines(ledger: pd.DataFrame) -> Iterator[str]:
    """One line per claim: id, published, measured, verdict."""
    columns = ["id", "published", "measured", "verdict"]
    widths = {"id": 52, "published": 26, "measured": 22, "verdict": 24}
    yield "  ".join(name.ljust(widths[name]) for name in columns).rstrip()
    for row in ledger[columns].to_dict("records"):
        cells = [_cut(row[c], widths[c]) for c in columns[1:]]
        padded = [cell.ljust(widths[c]) for c, cell in zip(columns[1:], cells, strict=True)]
        yield "  ".join([row["id"].ljust(widths["id"]), *padded]).rstrip()


def count_line(ledger: pd.DataFrame) -> str:
    """How many rows have which verdict."""
    counts = Counter(ledger["verdict"])
    present = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])
    return f"{len(ledger)} claims: {present}"


def claim_lines(claim_id: str, *, folder: str | Path | None = None) -> Iterator[str]:
    """All that is known of one claim, with the command that measures it again.

    Raises
    ------
    LookupError
        If there is no such claim; the sentence names the closest ones.
    """
    entries = {entry[0].id: entry for entry in judged_claims(folder=folder)}
    if claim_id not in entries:
        close = difflib.get_close_matches(claim_id, entries, n=3, cutoff=0.3)
        hint = f"; perhaps {', '.join(close)}" if close else ""
        raise LookupError(f"there is no claim {claim_id!r}{hint}; `pplab claims` lists all")
    claim, judgement, result = entries[claim_id]
    facts = {
        "id": claim.id,
        "place": f"{claim.paper}, {claim.place}",
        "setting": claim.setting,
        "published": claim.published,
        "measured": judgement.measured,
        "verdict": f"{judgement.verdict}: {VERDICTS[judgement.verdict]}",
        "rule": f"{claim.rule}, {tolerance_text(claim)} and 3 standard errors of both sides"
        if claim.rule in ("rounded", "truncated")
        else claim.rule,
        "rule hash": claim.rule_hash,
        "note": claim.note,
        "readings": judgement.table,
    }
    if result and judgement.measured:
        versions = ", ".join(f"{name} {version}" for name, version in result.versions.items())
        facts |= {"source": result.source, "seed": str(result.seed), "versions": versions}
        facts |= {"rules of": result.rules_commit, "again": rerun_command(claim)}
    yield from (f"{name + ':':<11} {text}" for name, text in facts.items() if text)
    yield from (f"{'tried:':<11} {trial}" for trial in judgement.trials)


def tolerance_text(claim: Claim) -> str:
    """Misfit allowed by the printed digits: to both sides, or upwards where they were cut off."""
    if claim.rule == "truncated":
        return f"0 to +{claim.tolerance:g}"
    return f"± {claim.tolerance:g}"


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 3].rstrip()}..."
