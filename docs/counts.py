"""Write what is counted where it is told: `make counts`, or `python docs/counts.py`.

A text between ``<!-- counts: NAME -->`` and ``<!-- end -->`` is written anew from the ledger, and
so are the verdicts beside a group of rows, such as `` `paper:table-1:*`: 6 reproduced ``, the
minutes of each notebook in the teacher's guide, and the hours of the syllabus. A test fails while a
document is out of step, and names this command.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from claimbook.verdicts import NOT_AT_HAND, VERDICTS, Judgement
from claimbook.views import JudgedClaim, count_lines
from pplab_course.exercises import NOTEBOOK
from pplab_papers.collection import judged_claims, papers

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = ("README.md", "CHANGELOG.md", "docs/findings.md")
DOCUMENTS += ("docs/teach/notebooks.md", "docs/teach/syllabus.md")
KINDS = ("number", "statement")  # the papers' own
_MARKED = re.compile(r"(<!-- counts: ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
_GROUP = re.compile(
    r"(`((?:" + "|".join(papers()) + r"):[^`]*\*[^`]*)`:\s)([a-z0-9,\s-]+)(?=[;\]])"
)
_ESTIMATE = r"(?:about )?\d+ to read, (?:about )?\d+ for the exercises"
_MINUTES = re.compile(  # within its section, also where the line is broken
    rf"(^## ({NOTEBOOK}) (?:(?!\n## ).)*?\*\*Minutes\.\*\*\s)" + _ESTIMATE.replace(" ", r"\s"),
    re.DOTALL | re.MULTILINE,
)
_WEEK = re.compile(r"^\| \d+ \|(.*?)((?: \d+:\d\d \|)+)$", re.MULTILINE)
_SPENT = re.compile(rf"\b(read|do) ({NOTEBOOK})\b|\b(\d+) min\b")


@cache
def _entries() -> list[JudgedClaim]:
    return judged_claims()


def size() -> str:
    """Number of claims in the ledger, in a sentence."""
    counts = Counter(entry.kind for entry in _entries())
    numbers, statements = counts["number"], counts["statement"]
    return (
        f"The ledger holds {numbers + statements} claims of {len(papers())} papers: "
        f"{numbers} printed numbers and {statements} statements."
    )


def summary() -> str:
    """Outcome of all claims, in sentences whose numbers add up; what was measured comes first.

    Printed numbers that agree with each other count apart: nothing was measured.
    """
    entries = [entry for entry in _entries() if entry.kind in KINDS]
    counts = Counter(_why(entry.judgement) for entry in entries)
    held, reading = ("reproduced", "holds"), ("reproduced-under-reading", "holds-under-reading")
    groups = {
        "are compatible": ("compatible",),
        "agree only with other printed numbers": ("consistent",),
        "are misprints": ("misprint",),
        "**fail**": ("differs", "inconsistent", "refuted", "proof-fails"),
        "stay undecided": ("undecided",),
        "need data that we did not have": ("not at hand",),
        "need data that nobody can have": ("not to be had",),
        "depend on a threshold of ours": ("shape-only",),
        "cannot be tested": ("not-testable",),
    }
    told = [(sum(counts.pop(v, 0) for v in group), word) for word, group in groups.items()]
    under = sum(counts.pop(verdict, 0) for verdict in reading)
    stand = under + sum(counts.pop(verdict, 0) for verdict in held)
    told += [(count, f"are {verdict}") for verdict, count in counts.items()]
    stands = f"{stand} claims are confirmed by measurement ({under} under one reading)"
    total = stand + sum(count for count, _ in told)
    *parts, last = [stands, *(f"{count} {word}" for count, word in told if count)]
    *first, middle = parts[: len(parts) // 2 + 1]
    rest = ", ".join(parts[len(first) + 1 :])
    changed = sum(len({line["verdict"] for line in entry.history}) > 1 for entry in entries)
    sentence = (
        f"{changed} of {total} claims have had more than one verdict; the ledger explains every "
        f"verdict. Now {', '.join(first)}, and {middle}. Of the others, {rest}, and {last}. "
        "[Which, and why](docs/findings.md)."
    )
    return textwrap.fill(sentence, 100, break_on_hyphens=False, break_long_words=False)


def _why(judgement: Judgement) -> str:
    """A verdict; of shape-only, what keeps it from being another."""
    if judgement.source in NOT_AT_HAND:
        return "not at hand"
    return "not to be had" if judgement.source else judgement.verdict


def paragraph(paper: str) -> str:
    """Count the numbers and statements of a paper by verdict."""
    entries = [entry for entry in _entries() if entry.claim.paper == paper]
    lines = list(count_lines(entries))[:2]
    counts = [re.sub(r"^.*?, (.*?): ([\d,]+)", r"\2 \1", line) for line in lines]
    return textwrap.fill(f"The ledger has {' and '.join(counts)}.", 100, break_on_hyphens=False)


def group(pattern: str) -> str:
    """Count the rows of a group by verdict; repeats count elsewhere."""
    counts = Counter(
        entry.judgement.verdict
        for entry in _entries()
        if fnmatchcase(entry.claim.id, pattern) and entry.kind in KINDS
    )
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])


def _source(number: str) -> list[Path]:
    return list((ROOT / "notebooks" / "src").glob(f"{number}_*.py"))


def minutes(number: str) -> str:
    """The estimate that stands at the top of a notebook."""
    [source] = _source(number)
    estimates: list[str] = re.findall(_ESTIMATE, source.read_text(encoding="utf-8"))
    return estimates[0].replace("about ", "")


def spent(cell: str) -> int:
    """Minutes in a cell of the syllabus: "read 02" and "do 02" by the notebook, and "45 min"."""
    total = 0
    for what, number, told in _SPENT.findall(cell):
        read, tried = re.findall(r"\d+", minutes(number)) if number else (told, "")
        total += int(tried if what == "do" else read)
    return total


def week(row: re.Match[str]) -> str:
    """A row of the syllabus with its hours: in class, and at home in each track."""
    in_class, at_home, *tracks = map(spent, row[1].split("|")[:-1])
    sums = [in_class, *(at_home + track for track in tracks or [0])]
    times = (f" {total // 60}:{total % 60:02} |" for total in sums)
    return row[0].removesuffix(row[2]) + "".join(times)


def written(text: str) -> str:
    """A document with its counts of today; a group is touched only where it has changed."""

    def beside(place: re.Match[str]) -> str:
        new = group(place[2])
        return place[0] if " ".join(place[3].split()) == new else f"{place[1]}{new}"

    text = _WEEK.sub(week, text)
    text = _MINUTES.sub(lambda it: f"{it[1]}{minutes(it[2])}", _GROUP.sub(beside, text))
    whole = {"size": size, "summary": summary}
    return _MARKED.sub(
        lambda it: f"{it[1]}{whole[it[2]]() if it[2] in whole else paragraph(it[2])}\n\n{it[3]}",
        text,
    )


def main() -> None:
    """Write the documents that are out of step."""
    for name in DOCUMENTS:
        text = (ROOT / name).read_text(encoding="utf-8")
        if (new := written(text)) != text:
            (ROOT / name).write_text(new, encoding="utf-8")
            print(f"counts: {name} is written anew")


if __name__ == "__main__":
    main()
