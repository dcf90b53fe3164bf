"""The ledger on a terminal: a line per claim, counts, or one claim with all that is known of it."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from claimbook import views
from claimbook.checks import TERMS
from claimbook.results import fixed_before
from claimbook.rules import NUMBER_RULES
from claimbook.verdicts import ANSWERS, VERDICTS, Judgement
from claimbook.views import JudgedClaim, allowed, remark, rerun_command
from claimbook.worlds import world_text

COUNTED: dict[str, str] = TERMS["kinds"]


def table_lines(entries: Sequence[JudgedClaim]) -> Iterator[str]:
    """One line per claim: id, published, measured, verdict."""
    yield _columns("id", "published", "measured", "verdict")
    for entry in entries:
        judged = entry.judgement
        line = _columns(entry.claim.id, entry.claim.published, judged.measured, judged.verdict)
        more = judged.note if judged.verdict == "open" and not judged.fault else judged.beside
        yield f"{line}, {more}" if more else line


def _columns(name: str, *cells: str) -> str:
    line = name.ljust(52)
    for text, width in zip(cells, (26, 22, 24), strict=True):
        cut = text if len(text) <= width else f"{text[: width - 3].rstrip()}..."
        line += f"  {cut.ljust(width)}"
    return line.rstrip()


def count_lines(entries: Sequence[JudgedClaim]) -> Iterator[str]:
    """Number of rows with each verdict: by paper and kind, then the papers together.

    The totals of numbers and statements count what the papers print, each once; claims of this
    project, checks of the program and repeated rows stand apart.
    """
    counts = views.totals(entries)
    names = dict.fromkeys(paper for paper, _ in counts)
    if len(names) > 1:
        for (_, kind), sums in list(counts.items()):
            counts["all papers", kind] += sums
        names["all papers"] = None
    for name in names:
        for kind, words in COUNTED.items():
            sums = counts.get((name, kind), Counter())
            text = ", ".join(f"{sums[verdict]} {verdict}" for verdict in VERDICTS if sums[verdict])
            if text:
                yield f"{name}, {words}: {sums.total()} ({text})"
    slips = views.by_slip(entries)
    if rows := sum(1 + more for _, more in slips):
        yield f"what fails: {rows} rows, from {len(slips)} slips"


def brief_lines(entry: JudgedClaim, *, width: int) -> Iterator[str]:
    """The paper's text, our value, the verdict and its reason, in at most 200 words."""
    paper, claim, judgement = entry.paper, entry.claim, entry.judgement
    verdict, first = judgement.verdict, entry.first_verdict
    facts = {
        "where": (f"{paper.authors}, {paper.year}, {claim.place}; {claim.setting}", 30),
        "we claim" if entry.ours else "it says": (f"{claim.published} {claim.unit}", 45),
        "measured": (f"{judgement.measured} {claim.unit}" if judgement.measured else "", 40),
        "verdict": (f"{verdict}: {VERDICTS[verdict]}", 24),
        "tolerance": (judgement.beside, 8),
        "why": (remark(judgement), 36),
        "note": (claim.note, 26),
        "cause as in": (claim.cause if claim.cause != claim.id else "", 1),
        "before": (f"{first}. {claim.changed}" if first not in ("", verdict) else "", 16),
    }
    yield claim.id
    for name, (text, words) in facts.items():
        if text.strip():
            short, rest = views.cut(" ".join(text.split()), words)
            yield from _wrap(name, f"{short} ..." if rest else short, width)
    if entry.part:
        yield f"{'check:':<11} {rerun_command(entry, check=True)}"
    yield "--full shows rule, worlds, history, data and versions"


def _wrap(name: str, text: str, width: int) -> Iterator[str]:
    whole: dict[str, Any] = {"break_long_words": False, "break_on_hyphens": False}
    yield textwrap.fill(f"{name + ':':<11} {text}", width, subsequent_indent=" " * 12, **whole)


def claim_lines(entry: JudgedClaim, *, width: int) -> Iterator[str]:
    """All that is known of one claim, with the command that measures it again."""
    paper, claim, judgement, result = entry.paper, entry.claim, entry.judgement, entry.result
    first = entry.history[0] if entry.history else None
    facts = {
        "id": claim.id,
        "place": f"{paper.title} ({paper.authors}, {paper.year}), {claim.place}",
        "setting": claim.setting,
        "read in": claim.source,
        "we claim" if entry.ours else "published": f"{claim.published} {claim.unit}".rstrip(),
        "measured": judgement.measured,
        "verdict": f"{judgement.verdict}: {VERDICTS[judgement.verdict]}",
        "tolerance": judgement.beside,
        "main claim": claim.main,
        "world": judgement.reading,
        "choices": ". ".join(joint.outcome for joint in judgement.joints),
        "rule": f"{claim.rule}, {allowed(claim)} and what the spread of both sides allows"
        if claim.rule in NUMBER_RULES
        else claim.rule,
        "criterion": claim.criterion,
        "null": claim.null and f"{claim.null}{judgement.null and f': it {judgement.null} there'}",
        "cause": claim.cause,
        "rule hash": claim.rule_hash,
        "first": first
        and f"{entry.first_verdict} (rule {first['hash']} of {first['rules_commit']})",
        "changed": claim.changed,
        "note": ". ".join(filter(None, (claim.note.rstrip("."), remark(judgement)))),
    }
    if result:
        fixed = f"{result.rules_commit} (fixed before the run: {fixed_before(paper, result)})"
        code = result.code if entry.paper.results else entry.paper.collection.place(result.code)
        facts |= {"code": code, "source": result.source, "seed": str(result.seed)}
        facts |= {"versions": views.version_line(result), "machine": result.machine}
        used = f", {spent:g} of processor time" if (spent := result.processor_seconds) else ""
        facts |= {"rules of": fixed, "code of": result.code_commit}
        facts |= {"seconds": f"{result.seconds:g} of the clock{used} (the whole part)"}
    lines = [(name, text) for name, text in facts.items() if text]
    lines += [("tried", str(trial)) for trial in judgement.trials]
    if len(judgement.outcomes) > 1:
        answers = ((world, ANSWERS[answer]) for world, answer in judgement.outcomes)
        lines += [("in world", f"{world}: {text.removeprefix('is ')}") for world, text in answers]
    lines += list(_matrix(judgement))
    if result:
        lines += [("data", f"{file} sha256 {sum_}") for file, sum_ in result.checksums.items()]
    for name, text in lines:
        yield from _wrap(name, text, width)
    if entry.part:  # last and in one line: they are pasted
        yield f"{'check:':<11} {rerun_command(entry, check=True)}"
        yield f"{'again:':<11} {rerun_command(entry)}"


def _matrix(judgement: Judgement) -> Iterator[tuple[str, str]]:
    """The worlds of the paper's choices, and by which numbers which of them are refused.

    In a row of marks a dot is a world that the number does not refuse, ``-`` one without a run.
    """
    for joint in judgement.joints:
        worlds = list(joint.refused)
        for place, world in enumerate(worlds, start=1):
            status = f"refused by {joint.refusals(world)}"
            if world in joint.admitted:
                names = joint.refused[world]
                status = f"admitted but for {len(names)}" if names else "admitted"
            yield f"world {place}", f"{world_text(world, joint.group.choices) or 'plain'}: {status}"
        for name in dict.fromkeys(name for world in worlds for name in joint.refused[world]):
            marks = []
            for place, world in enumerate(worlds, start=1):
                mark = "-" if name in joint.unseen[world] else "."
                mark = str(place) if name in joint.refused[world] else mark
                marks.append(mark.rjust(len(str(place))))
            yield "refused", f"{' '.join(marks)}  by {name.partition(':')[2]}"
