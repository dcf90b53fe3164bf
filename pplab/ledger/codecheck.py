"""A draft for a CODECHECK (codecheck.org.uk): manifest of the stored results, and a report to fill.

Codechecker, time, certificate and verdict stay empty: nobody certifies himself.
"""

from __future__ import annotations

import json
import re
import subprocess
from functools import partial
from pathlib import Path

from pplab.datasets.store import sha256_of
from pplab.ledger.registry import Paper, find_paper
from pplab.ledger.results import (
    Result,
    fixed_before,
    result_file,
    results_folder,
    write_atomically,
)
from pplab.ledger.terminal import count_lines
from pplab.ledger.views import Entry, judged_claims, rerun_command

_SPEC = "https://codecheck.org.uk/spec/config/2.0/"
_EMPTY = "left empty: nobody certifies himself; an independent codechecker fills it in"


def write_codecheck(
    paper: str | Path, folder: str | Path, *, results: str | Path | None = None
) -> list[Path]:
    """Write ``codecheck.yml``, ``report.md`` and copies of the stored results into a folder.

    Raises
    ------
    FileExistsError
        If a file is there that holds something else; nothing is written then.
    ValueError
        If no part of the paper has a stored result.
    """
    found, target = find_paper(paper), Path(folder)
    entries = judged_claims(paper, folder=results)
    stored = Path(results) if results else found.results or results_folder()
    parts = {entry.part: entry for entry in entries if entry.result}
    if not parts:
        raise ValueError(f"nothing of {found.key} is stored in {stored}; run it first")
    files = {part: result_file(found.key, part, stored) for part in parts}
    texts = {target / _name(each): file.read_text(encoding="utf-8") for each, file in files.items()}
    comments = {_name(each): _comment(each, entries, file) for each, file in files.items()}
    texts[target / "codecheck.yml"] = _configuration(entries, comments)
    texts[target / "report.md"] = _report(entries, parts)
    for file, text in texts.items():
        if file.exists() and file.read_text(encoding="utf-8") != text:
            raise FileExistsError(
                f"{file} holds something else, perhaps your edits; nothing was written: "
                f"name another folder, or move the file away"
            )
    return [write_atomically(file, text) for file, text in texts.items()]


def _name(part: str) -> str:
    return f"results/{part}.json"


def _comment(part: str, entries: list[Entry], file: Path) -> str:
    mine = [entry for entry in entries if entry.part == part]
    places = "; ".join(dict.fromkeys(entry.claim.place for entry in mine))
    return f"Part {part}: {len(mine)} claims of {places}. sha256 {sha256_of(file)}"


def _configuration(entries: list[Entry], comments: dict[str, str]) -> str:
    """The draft; strings are quoted as in JSON, which YAML reads."""
    paper, quoted = entries[0].paper, partial(json.dumps, ensure_ascii=False)
    authors = [each for each in re.split(r", | and ", paper.authors) if each]
    lines = ["---", f"version: {_SPEC}", "", "paper:"]
    lines += [f"  title: {quoted(paper.title)}"]
    lines += ["  authors:  # full names and ORCIDs are to be added"]
    lines += [f"    - name: {quoted(each)}" for each in authors]
    lines += [f"  reference: {quoted(paper.address)}", "", "manifest:"]
    for name, comment in comments.items():
        lines += [f"  - file: {name}", f"    comment: {quoted(comment)}"]
    summary = "; ".join(count_lines(entries))
    lines += ["", f"codechecker:  # {_EMPTY}", "", f"summary: {quoted(summary)}"]
    lines += [f"repository: {_repository(paper.file)}  # where the public can read this code"]
    lines += [f"check_time:  # {_EMPTY}", f"certificate:  # {_EMPTY}", f"report:  # {_EMPTY}"]
    return "\n".join([*lines, ""])


def _repository(file: Path) -> str:
    """Public address of the clone; empty where it has none."""
    command = ["git", "-C", str(file.parent), "config", "remote.origin.url"]
    try:
        found = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
    return found if found.startswith("https://") and "@" not in found else ""


def _report(entries: list[Entry], parts: dict[str, Entry]) -> str:
    paper = entries[0].paper
    runs = [(part, rerun_command(each), each.result) for part, each in parts.items() if each.result]
    commands = [f"| {part} | `{again}` | {run.seconds:g} | |" for part, again, run in runs]
    machines = {run.machine for _, _, run in runs}
    check = commands[0].split("`")[1].split(" --part")[0]
    lines = [
        f"# CODECHECK report (draft): {paper.title}",
        f"{paper.authors}, {paper.year}. {paper.address}",
        "**Codechecker:**",
        f"**Verdict:**\n\n<!-- Both are {_EMPTY}. -->",
        "## What the ledger says",
        "\n".join(f"- {line}" for line in count_lines(entries)),
        _fixed(paper, [each.result for each in parts.values() if each.result]),
        "## What to run",
        f"Stored runs were made on: {'; '.join(sorted(filter(None, machines))) or 'not recorded'}. "
        f"`{check} --check` runs all parts again and says, claim by "
        "claim, *same*, *same verdict* or *changed*.",
        "\n".join(["| part | command | seconds | outcome |", "|---|---|---|---|", *commands]),
        "## What the codechecker did and saw",
        "## Recommendations to the authors",
    ]
    return "\n\n".join([*lines, ""])


def _fixed(paper: Paper, runs: list[Result]) -> str:
    """What the commits show of the rules, part by part, and where the checksums stand."""
    shown = {run.part: fixed_before(paper, run) for run in runs}
    others = "; ".join(f"{part} {why}" for part, why in shown.items() if why != "yes")
    yes = sum(why == "yes" for why in shown.values())
    return (
        f"The commits show of {yes} of {len(shown)} parts that their rules were fixed before the "
        f"stored run{f' ({others})' if others else ''}. `codecheck.yml` lists what is stored, with "
        "checksums."
    )
