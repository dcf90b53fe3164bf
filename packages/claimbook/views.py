"""The ledger: each claim with its judgement, as CSV, JSON and lines of a terminal; totals.

``page`` draws it.
"""

import json
import os
import re
import textwrap
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from claimbook import results, rules, verdicts
from claimbook.chance import LEVEL
from claimbook.checks import TERMS, stamp
from claimbook.csvfile import csv_text, lines_of
from claimbook.find import search
from claimbook.registry import Paper
from claimbook.results import Result
from claimbook.rules import NUMBER_RULES, PRINT, Claim, read_plain, read_rules, read_signatures
from claimbook.verdicts import ANSWERS, VERDICTS, Judgement, judge_stored
from claimbook.worlds import world_text

Folder = str | Path | None


@dataclass(frozen=True)
class JudgedClaim:
    """One claim with its judgement, the stored result behind it, and its history."""

    paper: Paper
    claim: Claim
    judgement: Judgement
    part: str  # the first part that measures it, or the row that judges it
    runs: Mapping[str, Result]  # what is stored of the parts behind it
    history: tuple[Mapping[str, str], ...] = ()

    @property
    def result(self) -> Result | None:
        """Stored result of its first part."""
        return self.runs.get(self.part)

    @property
    def kind(self) -> str:
        """Kind under which it counts: that of its claim, or ``repeat``."""
        return "repeat" if self.claim.same_as else self.claim.kind

    @property
    def ours(self) -> bool:
        """True if this project says it, and not the paper."""
        return self.claim.kind in ("own", "sanity")

    @property
    def first_verdict(self) -> str:
        """The verdict that the claim had when it was first measured."""
        return self.history[0]["verdict"] if self.history else ""


Entries = list[JudgedClaim]


def judged_claims(
    papers: Iterable[Paper], *, folder: Folder = None, only: Collection[str] | None = None
) -> Entries:
    """Each claim of some papers with its judgement, the stored result behind it and its history.

    ``only`` names ids: then their parts alone are read and judged.
    """
    if folder is not None and not isinstance(folder, (str, os.PathLike)):
        raise TypeError(f"folder must be a path, got {type(folder).__name__}; pass a str or Path")
    return [entry for paper in papers for entry in _entries(paper, folder, only)]


class NoneFound(ValueError):
    """No row matches the whole query; ``nearest`` are the ids of the best matches."""

    def __init__(self, missing: str, nearest: Sequence[str]) -> None:
        hint = f"did you mean {', '.join(nearest[:3])}? " if nearest else ""
        super().__init__(f"{missing}; {hint}`pplab claims` lists all")
        self.missing, self.nearest = missing, nearest


def found_claims(query: str | None, papers: Sequence[Paper], *, folder: Folder = None) -> Entries:
    """Claims that a query finds (``claimbook.find``), judged; all where there is none.

    Raises
    ------
    NoneFound
        If no row has all of it; the sentence says what no row has, and what is near.
    """
    if query is None:
        return judged_claims(papers, folder=folder)
    papers = [p for p in papers if p.key == query.partition(":")[0]] or papers  # an id names it
    abouts = {p: f"{p.authors} {p.year}\n{p.title} {p.address}" for p in papers}
    known = [(claim, abouts[paper]) for paper in papers for claim in read_plain(paper)]
    signed = dict(pair for paper in papers for pair in read_signatures(paper).items())
    matches = search(known, query, signed)
    if matches.missing:
        raise NoneFound(matches.missing, matches.ids)
    return claims_named(matches.ids, papers, folder=folder)


def claims_named(ids: Sequence[str], papers: Iterable[Paper], *, folder: Folder = None) -> Entries:
    """Claims by their ids, in that order, judged."""
    of = {name: paper for paper in papers for name in {c.id for c in read_plain(paper)} & {*ids}}
    judged = judged_claims(dict.fromkeys(of.values()), folder=folder, only=ids)
    entries = {entry.claim.id: entry for entry in judged}
    return [entries[name] for name in ids]


def totals(entries: Iterable[JudgedClaim]) -> dict[tuple[str, str], Counter[str]]:
    """Paper and kind -> verdict -> how many; a repeated row is of the kind ``repeat``."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for entry in entries:
        counts[entry.claim.paper, entry.kind][entry.judgement.verdict] += 1
    return counts


def evidence(entries: Iterable[JudgedClaim]) -> Iterator[str]:
    """Sentences about what speaks against the stored runs of a paper in a folder.

    The project's own are tested, and the page tells of each run.
    """
    own = [entry for entry in entries if entry.paper.results and not entry.claim.same_as]
    for entry in own:
        now, past = entry.judgement.verdict, [line["verdict"] for line in entry.history]
        if entry.judgement.fault:
            yield f"{entry.claim.id}: not judged: {entry.judgement.note}"
        elif past and now not in ("open", past[-1]):
            yield f"{entry.claim.id}: its stored rows say {now}, but its run said {past[-1]}"
        if past and past[0] != past[-1]:
            why = f" ({changed.rstrip('.')})" if (changed := entry.claim.changed) else ""
            yield f"{entry.claim.id}: its first verdict was {past[0]}{why}"
    runs = {(entry.paper, part): run for entry in own for part, run in entry.runs.items()}
    against: dict[str, list[str]] = defaultdict(list)
    for (paper, part), run in runs.items():
        if (fixed := results.fixed_before(paper, run)).startswith("not"):
            why = fixed.removeprefix("not shown: ")
            against[f"nothing shows that rules were fixed before the run ({why})"].append(part)
        if part != PRINT and run.code_hash not in ("", results.code_hash(paper)):
            against["the code differs from that of the run"].append(part)
        if results.data_changed(paper, run):
            against["the data differ from those of the run"].append(part)
    for why, parts in against.items():
        yield f"{', '.join(parts)}: {why}"


# Groups of verdicts, as the page shows them.
GROUPS = {
    name: [v for v, facts in TERMS["verdicts"].items() if facts["group"] == name]
    for name in TERMS["groups"]
}
FAILS = GROUPS["fails here"]


def by_slip(entries: Iterable[JudgedClaim]) -> list[tuple[JudgedClaim, int]]:
    """Failing rows of the papers: one for each slip, with the number of further rows it affects."""
    printed = (entry for entry in entries if entry.kind in ("number", "statement"))
    failing = {row.claim.id: row for row in printed if row.judgement.verdict in FAILS}
    slips: dict[str, list[JudgedClaim]] = defaultdict(list)
    for entry in failing.values():
        slips[entry.claim.cause or entry.claim.id].append(entry)
    return [(failing.get(cause, rows[0]), len(rows) - 1) for cause, rows in slips.items()]


def _entries(paper: Paper, folder: Folder, only: Collection[str] | None) -> list[JudgedClaim]:
    where = paper.stored if folder is None else Path(folder)
    if not where.is_dir():
        remedy = f"measure first: pplab reproduce {paper.named}"
        raise FileNotFoundError(f"there is no folder of results {where}; {remedy}")
    files = (paper.rules, paper.choices, paper.history, *sorted((where / paper.key).glob("*.json")))
    asked = None if only is None else frozenset(only)
    return _judged(paper, where, asked, tuple((file, stamp(file)) for file in files))


@lru_cache(99)
def _judged(paper: Paper, where: Path, only: Collection[str] | None, _stamps: object) -> Entries:
    """Entries, judged anew when rules, choices, history or results are other files."""
    claims = read_rules(paper)
    ids = {claim.id for claim in claims if only is None or claim.id in only}
    stored = verdicts.read_results(paper, verdicts.parts_behind(claims, ids), where)
    judged = judge_stored(paper, stored, only=ids)
    by_id = {claim.id: claim for claim in claims}
    history: dict[str, list[Mapping[str, str]]] = defaultdict(list)
    for line in results.read_history(paper):
        history[line["id"]].append(line)
    entries = []
    for claim in (claim for claim in claims if claim.id in ids):
        past = tuple(history[claim.same_as or claim.id])
        parts = by_id[claim.same_as or claim.id].parts
        runs = {part: stored[part] for part in parts if part in stored}
        first = next(iter(parts), "")
        entries.append(JudgedClaim(paper, claim, judged[claim.id], first, runs, past))
    return entries


def rerun_command(entry: JudgedClaim, *, check: bool = False) -> str:
    """Command that measures a claim again, or only checks it; empty if there is none.

    One of a single claim is asked for by its id.
    """
    if not entry.part:
        return ""
    name = entry.paper.named
    if check:
        return f"pplab reproduce {name} {entry.claim.id} --check"
    parts = [entry.part] if entry.claim.same_as else entry.claim.parts
    return " && ".join(f"pplab reproduce {name} --part {part} --again" for part in parts)


def remark(judgement: Judgement) -> str:
    """The note of a judgement, without its final stop."""
    return judgement.note.strip("; .")


def cut(text: str, words: int) -> tuple[str, str]:
    """The first words of a text, and the rest."""
    parts = text.split(" ")
    return " ".join(parts[:words]), " ".join(parts[words:])


def allowed(claim: Claim) -> str:
    """Misfit allowed by what is printed."""
    low, high = claim.interval
    cell = claim.cell
    if cell.bound:
        return f"any number {cell.bound} {cell.number:f}"
    digits = f"± {high:g}" if low == -high else f"{low:g} to {high:+g}"
    if cell.spread is None:
        return digits
    return f"{digits}, ± {cell.spread:g} as the spread of one printed value"


def row(entry: JudgedClaim) -> dict[str, object]:
    """One line of the ledger: the columns of ``claims``."""
    claim, judgement = entry.claim, entry.judgement
    decided = entry.result if judgement.verdict not in ("open", "not-testable") else None
    digits = claim.rule in NUMBER_RULES and not claim.cell.bound
    notes = (claim.note, judgement.note, *map(str, judgement.joints))
    known = {name: getattr(decided, name, none) for name, none in _OF_RUN.items()}
    known |= {
        "kind": entry.kind,
        "measured": judgement.measured,
        "tolerance": claim.interval[1] if digits else None,
        "reading": judgement.reading,
        "verdict": judgement.verdict,
        "first_verdict": entry.first_verdict,
        "note": ". ".join(text.rstrip(". ") for text in notes if text),
        "versions": version_line(decided) if decided else "",
        "read_in": claim.source,
        "author_tolerance": judgement.beside,
    }
    return {name: known[name] if name in known else getattr(claim, name) for name in LEDGER}


# Columns of the ledger.
LEDGER = (
    *("id", "paper", "kind", "place", "setting", "published", "measured", "source", "rule"),
    *("tolerance", "criterion", "null", "reading", "verdict", "first_verdict", "cause", "same_as"),
    *("part", "note", "changed", "seed", "versions", "code_commit", "rules_commit", "seconds"),
    *("unit", "main", "read_in", "author_tolerance"),
)
_OF_RUN = {"source": "", "seed": None, "code_commit": "", "rules_commit": "", "seconds": None}


def code_of(paper: Paper, result: Result) -> str:
    """File, line and name of the experiment that a part ran, at their present place."""
    return result.code if paper.results else paper.collection.place(result.code)


def version_line(result: Result) -> str:
    """Python and packages of a run, in one line."""
    return ", ".join(f"{name} {version}" for name, version in result.versions.items())


# The ledger for other programs: CSV, JSON (``report/claims.schema.json``).

SCHEMA_VERSION = "1.0"


def as_csv(entries: Sequence[JudgedClaim]) -> str:
    """One line per claim, with the columns of ``pplab.claims()``.

    A text that a spreadsheet would run as a formula begins with an apostrophe.
    """
    rows = [row(entry) for entry in entries]
    for cells in rows:
        formulas = [name for name, cell in cells.items() if re.match(r"[=@+\t\r]", str(cell))]
        cells |= {name: f"'{cells[name]}" for name in formulas}
    return csv_text(LEDGER, rows)


def as_json(entries: Sequence[JudgedClaim]) -> str:
    """Claims with their papers and the versions that wrote them."""
    papers = {entry.claim.paper: entry.paper for entry in entries}
    content = {
        "schema_version": SCHEMA_VERSION,
        "versions": results.versions(),
        "papers": {
            key: {name: getattr(paper, name) for name in ("title", "authors", "year", "address")}
            for key, paper in papers.items()
        },
        "claims": [row(entry) for entry in entries],
    }
    return f"{json.dumps(content, indent=1, ensure_ascii=False)}\n"


FORMATS: dict[str, Callable[..., str]] = {"csv": as_csv, "json": as_json}


# The ledger on a terminal: a line per claim, counts, or one claim with all that is known of it.


COUNTED: dict[str, str] = TERMS["kinds"]


def table_lines(entries: Sequence[JudgedClaim], *, width: int) -> Iterator[str]:
    """One line per claim: id, published, measured, verdict; both texts in the room that is left."""
    table = [("id", "published", "measured", "verdict")]
    for entry in entries:
        claim, judged = entry.claim, entry.judgement
        table.append((claim.id, claim.published, judged.measured, judged.verdict))
    ids, ends = (max(len(row[column]) for row in table) for column in (0, 3))
    room = max(_LEAST_ROOM, (width - ids - ends - 6) // 2)
    remarks = [
        judged.note if judged.verdict == "open" and not judged.fault else judged.beside
        for judged in (entry.judgement for entry in entries)
    ]
    for (name, *texts, verdict), more in zip(table, ["", *remarks], strict=True):
        said = [textwrap.shorten(text, room, placeholder=" ...").ljust(room) for text in texts]
        yield "  ".join([name.ljust(ids), *said, f"{verdict}, {more}" if more else verdict])


_LEAST_ROOM = 22  # characters of a text in a narrow terminal


def count_lines(entries: Sequence[JudgedClaim]) -> Iterator[str]:
    """Number of rows with each verdict: by paper and kind, then the papers together.

    The totals of numbers and statements count what the papers print, each once; claims of this
    project, checks of the program and repeated rows stand apart.
    """
    counts = totals(entries)
    names = dict.fromkeys(paper for paper, _ in counts)
    if len(names) > 1:
        for (_, kind), sums in list(counts.items()):
            counts["all papers", kind] += sums
        names["all papers"] = None
    for name in names:
        for kind, words in COUNTED.items():
            sums = counts.get((name, kind), Counter())
            if text := ", ".join(f"{sums[one]} {one}" for one in VERDICTS if sums[one]):
                yield f"{name}, {words}: {sums.total()} ({text})"
    slips = by_slip(entries)
    if rows := sum(1 + more for _, more in slips):
        yield f"what fails: {rows} (separate slips: {len(slips)})"


def brief_lines(entry: JudgedClaim, *, width: int) -> Iterator[str]:
    """The paper's text, our value, the verdict and its reason, in at most 200 words."""
    caps, texts = defaultdict(lambda: _SHOWN, TERMS["claim"]["words"]), dict(_texts(entry, "brief"))
    seen = (texts.get(label, "") for label in ("measured", "computed", "verdict", "why"))
    said = " ".join([entry.claim.criterion[:8], *seen])
    meanings = (text for sign, text in TERMS["claim"]["explained"].items() if sign in said)
    ends = [textwrap.fill(text.format(level=1 - LEVEL), width) for text in meanings]
    ends += [f"{'check:':<11} {rerun_command(entry, check=True)}"] if entry.part else []
    ends.append("--full shows rule, worlds, data, history")
    sizes = {label: len(text.split()) for label, text in texts.items()}
    spare = MOST_WORDS - len(" ".join([entry.claim.id, *ends, *texts]).split())
    spare -= sum(min(size, caps[label] + 1) for label, size in sizes.items())
    yield entry.claim.id
    for label in [label for label in caps if label in texts]:  # what is left goes to the first
        longer = min(max(spare, 0), max(sizes[label] - caps[label], 0))
        caps[label], spare = caps[label] + longer, spare - longer
    for label, text in texts.items():
        short, rest = cut(" ".join(text.split()), caps[label])
        yield _wrap(label, f"{short} ..." if rest else short, width)
    yield from ends


MOST_WORDS = 200
_SHOWN = 45  # words of a text for which `report/words.toml` has no number


def _texts(entry: JudgedClaim, *forms: str) -> Iterator[tuple[str, str]]:
    """Labels and texts of a claim, as ``report/words.toml`` lists them; empty ones are left out."""
    claim, judgement, run = entry.claim, entry.judgement, entry.result
    rule, first = claim.rule, next(iter(entry.history), None)
    before = entry.first_verdict not in ("", judgement.verdict)
    measured, why = judgement.measured, _why(entry)
    if claim.criterion.startswith("for B in") and re.search(r"\d at [\d.]+;", why):
        measured = measured.partition("; at ")[0]  # each border is in the reason
    if rule in NUMBER_RULES:
        rule += f", {allowed(claim)} and what the spread of both sides allows"
    known: dict[str, Any] = {
        **{"paper": entry.paper, "claim": claim, "judgement": judgement, "run": run},
        "measured": measured and f"{measured} {claim.unit}",
        "means": _meaning(judgement),
        "why": why,
        "cause": claim.cause if claim.cause != claim.id else "",
        "before": f"{entry.first_verdict}. {claim.changed}" if before else "",
        "earlier": f"{entry.first_verdict}; --full says what changed" if before else "",
        "choices": ". ".join(joint.outcome for joint in judgement.joints),
        "rule": rule,
        "null": claim.null and f"{claim.null}{judgement.null and f': it {judgement.null} there'}",
        "first": "{verdict} (rule {hash} of {rules_commit})".format(**first) if first else "",
        "note": ". ".join(filter(None, (claim.note.rstrip("."), remark(judgement)))),
    }
    if run and "run" in forms:
        used = f", {run.processor_seconds:g} of processor time" if run.processor_seconds else ""
        known |= {"code": code_of(entry.paper, run), "versions": version_line(run), "used": used}
        known["seed"] = "" if run.seed is None else run.seed  # a proof draws nothing
        known["fixed"] = results.fixed_before(entry.paper, run)
    for label, form in (line for name in forms for line in TERMS["claim"][name].items()):
        if text := form.format(**known).strip():
            if entry.ours and label in ("it says", "published"):
                label = "we check" if claim.kind == "sanity" else "we claim"
            elif label == "measured" and (claim.computed or entry.part == PRINT):
                label = "computed"
            yield label, text


def _meaning(judgement: Judgement) -> str:
    """What a verdict says, without the cases that are not this one's."""
    forms, joints = TERMS["verdicts"][judgement.verdict], judgement.joints
    names = ["admitted", "alone"] if joints else ["alone"]
    if judgement.source:
        names = ["elsewhere"]
    elif not all(joint.admitted or not joint.count for joint in joints):
        names = ["unadmitted"]
    text = next(forms[name] for name in (*names, "means") if name in forms)
    return str(text).format(level=1 - LEVEL)


def _why(entry: JudgedClaim) -> str:
    """What led to a verdict: worlds by what they mean, and none of them for other data."""
    alien = "It fits in|In the world nearest" if entry.judgement.source else ".*the plain one: "
    said = [s for s in remark(entry.judgement).split(". ") if not re.match(alien, s)]
    text = ". ".join(f"{sentence[:1].upper()}{sentence[1:]}" for sentence in said)
    text = text.replace("nearest to all,", "nearest to all printed numbers,")
    text = text.replace("worlds that no number rules out", "admitted worlds").replace("; it ", "; ")
    for line in lines_of(entry.paper.choices, rules.CHOICE_COLUMNS) if entry.claim.choices else ():
        options, meanings = (line[head].split(" | ") for head in ("options", "meaning"))
        for option, meaning in zip(options, meanings, strict=True):
            text = text.replace(f"{line['name']}: {option}", f"where {meaning}")
    text = text.replace("; where", ", where")
    return text.replace("In the world where", "This is the world where")


def _wrap(name: str, text: str, width: int) -> str:
    whole: dict[str, Any] = {"break_long_words": False, "break_on_hyphens": False}
    return textwrap.fill(f"{name + ':':<11} {text}", width, subsequent_indent=" " * 12, **whole)


def claim_lines(entry: JudgedClaim, *, width: int) -> Iterator[str]:
    """All that is known of one claim, with the command that measures it again."""
    judgement, run = entry.judgement, entry.result
    lines = [*_texts(entry, "full", *["run"] * bool(run))]
    lines += [("tried", str(trial)) for trial in judgement.trials]
    if len(judgement.outcomes) > 1:
        answers = ((world, ANSWERS[answer]) for world, answer in judgement.outcomes)
        lines += [("in world", f"{world}: {text.removeprefix('is ')}") for world, text in answers]
    lines += _refusals(judgement)
    if run:
        lines += [("data", f"{file} sha256 {sum_}") for file, sum_ in run.checksums.items()]
    for name, text in lines:
        yield _wrap(name, text, width)
    if entry.part:  # last and in one line: they are pasted
        yield f"{'check:':<11} {rerun_command(entry, check=True)}"
        yield f"{'again:':<11} {rerun_command(entry)}"


def _refusals(judgement: Judgement) -> Iterator[tuple[str, str]]:
    """The worlds of the paper's choices, and which numbers rule out which of them."""
    for joint in judgement.joints:
        worlds = list(joint.refused)
        for place, world in enumerate(worlds, start=1):
            count = len(joint.refused[world])
            status = f"admitted but for {count}" if count else "admitted"
            status = status if world in joint.admitted else f"ruled out by {joint.refusals(world)}"
            yield f"world {place}", f"{world_text(world, joint.group.choices) or 'plain'}: {status}"
        for name in dict.fromkeys(name for world in worlds for name in joint.refused[world]):
            places = [str(n) for n, world in enumerate(worlds, 1) if name in joint.refused[world]]
            yield "ruled out", f"{' '.join(places)}  by {name.partition(':')[2]}"
