"""A draft for a CODECHECK (codecheck.org.uk): manifest of the stored results, and a report to fill.

Codechecker, time, certificate and verdict stay empty: nobody certifies himself.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

from pplab.datasets.store import sha256_of
from pplab.ledger.registry import find_paper
from pplab.ledger.results import result_file, results_folder, write_atomically
from pplab.ledger.terminal import count_lines
from pplab.ledger.views import Entry, judged_claims, rerun_command

_SPEC = "https://codecheck.org.uk/spec/config/2.0/"
_EMPTY = "left empty: nobody certifies himself; an independent codechecker fills it in"


def write_codecheck(
    paper: str | Path, folder: str | Path, *, results: str | Path | None = None
) -> list[Path]:
    """Write ``codecheck.yml``, ``report.md`` and copies of the stored results.

    Parameters
    ----------
    paper : str or path
        Key of a paper, or a folder that holds one.
    folder : path
        Where the bundle goes.
    results : path, optional
        Folder of stored results; by default those of the paper or of the project.

    Returns
    -------
    list of Path
        The files.

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
    files = {f"results/{each}.json": result_file(found.key, each, stored) for each in parts}
    texts = {target / name: file.read_text(encoding="utf-8") for name, file in files.items()}
    comments = {
        name: _comment(part, entries, file)
        for part, (name, file) in zip(parts, files.items(), strict=True)
    }
    texts[target / "codecheck.yml"] = _configuration(parts[next(iter(parts))], entries, comments)
    texts[target / "report.md"] = _report(entries, parts)
    for file, text in texts.items():
        if file.exists() and file.read_text(encoding="utf-8") != text:
            raise FileExistsError(
                f"{file} holds something else, perhaps your edits; nothing was written: "
                f"name another folder, or move the file away"
            )
    return [write_atomically(file, text) for file, text in texts.items()]


def _comment(part: str, entries: list[Entry], file: Path) -> str:
    mine = [entry for entry in entries if entry.part == part]
    places = "; ".join(dict.fromkeys(entry.claim.place for entry in mine))
    return f"Part {part}: {len(mine)} claims of {places}. sha256 {sha256_of(file)}"


def _configuration(one: Entry, entries: list[Entry], comments: dict[str, str]) -> str:
    """The draft; strings are quoted as in JSON, which YAML reads."""
    paper = one.paper
    quoted = json.dumps
    authors = [each for each in re.split(r", | and ", paper.authors) if each]
    lines = ["---", f"version: {_SPEC}", "", "paper:"]
    lines += [f"  title: {quoted(paper.title, ensure_ascii=False)}"]
    lines += ["  authors:  # full names and ORCIDs are to be added"]
    lines += [f"    - name: {quoted(each, ensure_ascii=False)}" for each in authors]
    lines += [f"  reference: {quoted(paper.address)}", "", "manifest:"]
    for name, comment in comments.items():
        lines += [f"  - file: {name}", f"    comment: {quoted(comment, ensure_ascii=False)}"]
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
    commands = [
        f"| {part} | `{rerun_command(entry)}` | {entry.result.seconds:g} | |"
        for part, entry in parts.items()
        if entry.result
    ]
    machines = {entry.result.machine for entry in parts.values() if entry.result}
    lines = [
        f"# CODECHECK report (draft): {paper.title}",
        f"{paper.authors}, {paper.year}. {paper.address}",
        "**Codechecker:**",
        f"**Verdict:**\n\n<!-- Both are {_EMPTY}. -->",
        "## What the ledger says",
        "\n".join(f"- {line}" for line in count_lines(entries)),
        "Rules were fixed before the runs. `codecheck.yml` lists what is stored, with checksums.",
        "## What to run",
        f"Stored runs were made on: {'; '.join(sorted(filter(None, machines))) or 'not recorded'}. "
        f"`pplab reproduce {_name(entries[0])} --check` runs all parts again and says, claim by "
        "claim, *same*, *same verdict* or *changed*.",
        "\n".join(["| part | command | seconds | outcome |", "|---|---|---|---|", *commands]),
        "## What the codechecker did and saw",
        "## Recommendations to the authors",
    ]
    return "\n\n".join([*lines, ""])


def _name(entry: Entry) -> str:
    return str(entry.paper.file.parent) if entry.paper.results else entry.paper.key
