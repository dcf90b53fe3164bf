"""A draft for a CODECHECK (codecheck.org.uk): manifest of the stored results, and a report to fill.

Codechecker, time, certificate and verdict stay empty: nobody certifies himself. ``codecheck.yml``
stands at the root of the bundle, the report in its folder ``codecheck``; a paper that brings its
own folder is its bundle. The rules are those of the configuration 2.0; CC-... are their names.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from pplab.datasets.store import sha256_of
from pplab.ledger.git import origin
from pplab.ledger.registry import Paper, find_paper
from pplab.ledger.results import Result, fixed_before, result_file, results_folder, write_atomically
from pplab.ledger.rules import NUMBER_RULES
from pplab.ledger.terminal import count_lines
from pplab.ledger.views import Entry, allowed, evidence, judged_claims, rerun_command

_SPEC = "https://codecheck.org.uk/spec/config/2.0/"
_EMPTY = "left empty: nobody certifies himself; an independent codechecker fills it in"


def write_codecheck(
    paper: str | Path, folder: str | Path | None = None, *, results: str | Path | None = None
) -> list[Path]:
    """Write ``codecheck.yml`` and ``codecheck/report.md``, and copy what lies outside the folder.

    Parameters
    ----------
    paper : str or path
        Key of a paper, or a folder that holds one.
    folder : path, optional
        The bundle; by default the paper's own folder, or ``codecheck/PAPER`` for one of ours.
    results : path, optional
        Folder of stored results.

    Returns
    -------
    list of Path
        The files written.

    Raises
    ------
    FileExistsError
        If a file is there that holds something else; nothing is written then.
    ValueError
        If no part of the paper has a stored result.
    """
    article = find_paper(paper)
    own = Path("codecheck", article.key) if article.results is None else article.file.parent
    target = Path(folder) if folder is not None else own
    entries = judged_claims(paper, folder=results)
    stored = Path(results) if results else article.results or results_folder()
    runs = {part: run for entry in entries for part, run in entry.runs.items()}
    if not runs:
        raise ValueError(f"nothing of {article.key} is stored in {stored}; run it first")
    files = [result_file(article.key, part, stored) for part in runs]
    names = {file: _name(file, target, "results") for file in files}
    pairs = zip(runs, files, strict=True)
    comments = {names[file]: _comment(part, entries, file) for part, file in pairs}
    if (log := stored / article.key / "run.log").is_file():
        names[log] = _name(log, target, "codecheck")
    texts = {target / name: file.read_text(encoding="utf-8") for file, name in names.items()}
    texts[target / "codecheck.yml"] = _configuration(entries, comments)
    texts[target / "codecheck" / "report.md"] = _report(entries, runs, names.get(log, ""))
    for file, text in texts.items():
        if file.exists() and file.read_text(encoding="utf-8") != text:
            raise FileExistsError(
                f"{file} holds something else, perhaps your edits; nothing was written: "
                f"name another folder, or move the file away"
            )
    return [write_atomically(file, text) for file, text in texts.items() if not file.exists()]


def _name(file: Path, bundle: Path, place: str) -> str:
    """Name of a file in the bundle: where it lies, or where its copy goes."""
    whole, home = file.resolve(), bundle.resolve()
    inside = whole.is_relative_to(home)
    return (whole.relative_to(home) if inside else Path(place, file.name)).as_posix()


def _comment(part: str, entries: list[Entry], file: Path) -> str:
    mine = [entry for entry in entries if part in entry.runs]
    places = "; ".join(dict.fromkeys(entry.claim.place for entry in mine))
    return f"Part {part}: {len(mine)} claims of {places}. sha256 {sha256_of(file)}"


def _configuration(entries: list[Entry], comments: dict[str, str]) -> str:
    """The draft; strings are quoted as in JSON, which YAML reads."""
    paper, quoted = entries[0].paper, partial(json.dumps, ensure_ascii=False)
    lines = ["---", f"version: {_SPEC}", "", "paper:", f"  title: {quoted(paper.title)}"]
    lines += ["  authors:  # full names; the corresponding author comes first"]
    for name, orcid in paper.people:
        missing = "  # its ORCID must be added (CC-CFG-020)"
        lines += [f"    - name: {quoted(name)}{'' if orcid else missing}"]
        lines += [f"      ORCID: {quoted(orcid)}"] if orcid else []
    address = quoted(paper.address) if paper.address else " # must be added (CC-CFG-021)"
    lines += [f"  reference: {address}", "", "manifest:"]
    for name, comment in comments.items():
        lines += [f"  - file: {name}", f"    comment: {quoted(comment)}"]
    summary = "; ".join(count_lines(entries))
    lines += ["", f"codechecker:  # {_EMPTY}", "", f"summary: {quoted(summary)}"]
    lines += [f"repository: {_repository(paper.file)}  # where the public can read this code"]
    lines += [f"check_time:  # {_EMPTY}", f"certificate:  # {_EMPTY}", f"report:  # {_EMPTY}"]
    return "\n".join([*lines, ""])


def _repository(file: Path) -> str:
    """Public address of the clone; empty where it has none."""
    address = origin(file.parent)
    return address if address.startswith("https://") and "@" not in address else ""


def _report(entries: list[Entry], runs: dict[str, Result], log: str) -> str:
    paper = entries[0].paper
    here = paper if paper.results is None else replace(paper, file=Path("paper.toml"))  # as "."
    command = f"pplab reproduce {here.named}"
    again = [
        f"| {part} | `{command} --part {part} --again` | {run.seconds:g} | |"
        for part, run in runs.items()
    ]
    machines = {run.machine for run in runs.values()}
    lines = [
        f"# CODECHECK report (draft): {paper.title}",
        f"{paper.authors}, {paper.year}. {paper.address}",
        "**Codechecker:**",
        f"**Verdict:**\n\n<!-- Both are {_EMPTY}. -->",
        "## What the ledger says",
        "\n".join(f"- {line}" for line in count_lines(entries)),
        _fixed(paper, list(runs.values())),
        "\n".join(f"- {line}" for line in evidence(entries)),
        "## What to run",
        f"Stored runs were made on: {'; '.join(sorted(filter(None, machines))) or 'not recorded'}. "
        f"`{command} --check` runs all parts again and says, claim by "
        "claim, *same*, *same verdict* or *changed*.",
        "\n".join(["| part | command | seconds | outcome |", "|---|---|---|---|", *again]),
        f"Log of the stored runs: `{log}`." if log else "No log of the stored runs was kept.",
        "## Main claims",
        "\n".join(_main_claims([replace(entry, paper=here) for entry in entries])),
        "## What the codechecker did and saw",
        "## Recommendations to the authors",
    ]
    return "\n\n".join([*filter(None, lines), ""])


def _main_claims(entries: list[Entry]) -> Iterator[str]:
    """What a committee for artifacts (ACM's badges) asks for: claim, tolerance, minutes, command.

    Where no row is marked as main, all that the paper prints are listed.
    """
    printed = [row for row in entries if row.kind in ("number", "statement")]
    yield "| claim | printed | tolerance | measured | verdict | minutes | command |"
    yield "|---|---|---|---|---|---|---|"
    for entry in [one for one in printed if one.claim.main] or printed:
        claim, run = entry.claim, entry.result
        digits = f"{claim.rule}, {allowed(claim)}" if claim.rule in NUMBER_RULES else claim.rule
        took = f"{max(run.seconds / 60, 0.1):.1f}" if run else ""
        again = rerun_command(entry, check=True)
        cells = (
            f"{claim.place}: {claim.setting}",
            claim.published,
            claim.tolerance or digits,
            entry.judgement.measured,
            "; ".join(filter(None, (entry.judgement.verdict, entry.judgement.beside))),
            claim.minutes or took,
            again and f"`{again}`",
        )
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


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
