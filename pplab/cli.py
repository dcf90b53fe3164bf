"""The command line: data, reproduce, claims, codecheck, ledger; the course adds its own."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from pplab.commands import one_line, refuse, tell
from pplab_course.commands import app as course_app

# Commands import what they need: a claim is to be shown within a second.

app = typer.Typer(
    help="A laboratory for graph and recommender privacy.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
data_app = typer.Typer(help="Data sets: what there is, where it lies, whether it is right.")
app.add_typer(data_app, name="data", no_args_is_help=True)
app.add_typer(course_app)
ledger_app = typer.Typer(help="A ledger for a paper of your own.")
app.add_typer(ledger_app, name="ledger", no_args_is_help=True)


def _tell_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"pplab {version('pplab')}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Print it.")
    ] = False,
) -> None:
    """A laboratory for graph and recommender privacy."""


@data_app.command("status")
@one_line()
def data_status() -> None:
    """Print where each data set was found, its size and what to do."""
    from pplab.datasets.load import status_rows
    from pplab.datasets.store import clean_staging, data_root

    for name in clean_staging():
        typer.echo(f"removed what an interrupted download of {name} had left behind", err=True)
    if (named := data_root()) is not None and not named.is_dir():
        typer.echo(f"PPLAB_DATA names {named}, which is no folder: correct or unset it", err=True)
    rows = [("name", "found", "size", "what to do"), *status_rows()]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row[:3], widths, strict=True)]
        typer.echo("  ".join([*cells, row[3]]))


@data_app.command("fetch")
@one_line()
def data_fetch(
    name: Annotated[str, typer.Argument(help="A name that `pplab data status` lists.")],
) -> None:
    """Bring a data set from its owner into the cache; safe to interrupt and to start again."""
    from pplab.datasets.catalog import catalog
    from pplab.datasets.store import fetch

    typer.echo(f"{name} is in {fetch(name)}; terms: {catalog()[name].terms}")


@data_app.command("verify")
@one_line()
def data_verify(
    name: Annotated[str | None, typer.Argument(help="One data set; all when left out.")] = None,
) -> None:
    """Recompute checksums, one line per file; the exit code is 1 when one is wrong.

    Naming a data set of which no file is here is an error, too.
    """
    from pplab.checks import check_choice
    from pplab.datasets.catalog import catalog
    from pplab.datasets.load import verify_rows

    names = list(catalog()) if name is None else [check_choice("name", name, catalog())]
    verdicts = []
    for each in names:
        for verdict, file, text in verify_rows(each):
            verdicts.append(verdict)
            if verdict != "missing" or name is not None:
                typer.echo(f"{verdict:<8} {file}: {text}")
    if not set(verdicts) - {"missing"}:
        typer.echo("nothing to verify: no file is on this machine, see `pplab data status`")
    nothing_asked_for = name is not None and not set(verdicts) - {"missing"}
    if "wrong" in verdicts or nothing_asked_for:
        raise typer.Exit(1)


@app.command("reproduce")
def reproduce_command(
    paper: Annotated[
        str | None, typer.Argument(help="One paper, or the id of a claim; all when left out.")
    ] = None,
    claim: Annotated[
        str | None, typer.Argument(help="With --check: only what this finds, as for claims.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Run in a scratch folder, compare, write nothing.")
    ] = False,
    part: Annotated[str | None, typer.Option(help="One part of the paper.")] = None,
    full: Annotated[bool, typer.Option(help="More seeds: slower, tighter.")] = False,
    again: Annotated[bool, typer.Option(help="Run finished parts once more.")] = False,
    source: Annotated[str, typer.Option(help="auto, real or standin.")] = "auto",
) -> None:
    """Rerun the experiments, judge every claim they touch, write results and the ledger page.

    Safe to interrupt: finished parts are kept and not redone. Where a part fails, the others go on,
    and the exit status is 1. With --check nothing is written:
    each claim is the same, has the same verdict on other numbers, or changed (exit status 1).
    """
    from pplab.checks import check_choice
    from pplab.ledger.reproduce import PartsFailed, reproduce, select_parts
    from pplab.ledger.terminal import count_lines
    from pplab.ledger.views import evidence, judged_claims

    failed = None
    if paper is not None and claim is None and ":" in paper and not Path(paper).exists():
        paper, claim = paper.partition(":")[0], paper  # an id names its paper
    try:
        check_choice("source", source, ("auto", "real", "standin"))
        if check:
            _check(paper, claim, part, source, full)
            return
        if claim is not None:
            raise ValueError(f"{claim!r} is no option; add --check, or name a part with --part")
        parts = select_parts(paper, part)
        if source == "auto" and all(each.catalog is None for each, _ in parts):
            _fetch_missing({name for _, each in parts for name, _ in each.datasets.values()})
        try:
            folder = reproduce(parts, full=full, again=again, source=source, say=typer.echo)
        except PartsFailed as error:
            folder, failed = error.folder, error
        page = _write_page(_brought(paper), folder)
    except (OSError, ValueError, LookupError, NotImplementedError) as error:
        refuse(error)
    entries = judged_claims(paper, folder=folder)
    typer.echo("\n".join([*count_lines(entries), *evidence(entries)]))
    typer.echo(f"results: {folder}\npage:    {page}")
    if failed:
        refuse(failed)


@app.command("claims")
def claims_command(
    query: Annotated[
        str | None,
        typer.Argument(help="Place, setting, words or id: 'Table 3, k = 9'; or a paper's folder."),
    ] = None,
    paper: Annotated[str | None, typer.Option(help="Only this paper, or a folder.")] = None,
    verdict: Annotated[str | None, typer.Option(help="Only this verdict.")] = None,
    kind: Annotated[
        str | None, typer.Option(help="number, statement, own, sanity or repeat.")
    ] = None,
    form: Annotated[str, typer.Option("--format", help="table, csv, json or latex.")] = "table",
    counts: Annotated[bool, typer.Option(help="Only how many have which verdict.")] = False,
    html: Annotated[
        bool, typer.Option("--html", help="Write the page that sorts; a query NAME.html names it.")
    ] = False,
    results: Annotated[Path | None, typer.Option(help="Folder of stored results.")] = None,
) -> None:
    """Print the ledger: what was published, what this code measured, and the verdict.

    A query that finds one claim shows all that is known of it.
    """
    from pplab.checks import check_choice
    from pplab.ledger.export import FORMATS
    from pplab.ledger.terminal import COUNTED, claim_lines, count_lines, table_lines
    from pplab.ledger.verdicts import VERDICTS
    from pplab.ledger.views import evidence, found_claims, judged_claims

    if query is not None and (Path(query) / "paper.toml").is_file():
        paper, query = query, None
    try:
        check_choice("format", form, ("table", *FORMATS))
        for name, wanted, known in (("verdict", verdict, VERDICTS), ("kind", kind, COUNTED)):
            if wanted is not None:
                check_choice(name, wanted, known)
        if html:
            typer.echo(f"page: {_write_page(_brought(paper), results, _named_page(query))}")
            return
        if query is None:
            entries = judged_claims(paper, folder=results)
        else:
            entries = found_claims(query, paper, folder=results)
        entries = [each for each in entries if verdict in (None, each.judgement.verdict)]
        entries = [each for each in entries if kind in (None, each.kind)]
    except (OSError, ValueError, LookupError) as error:
        refuse(error)
    if form != "table":
        typer.echo(FORMATS[form](entries), nl=False)
    elif query is not None and len(entries) == 1 and not counts:
        typer.echo("\n".join(claim_lines(entries[0])))
    else:
        lines = [] if counts else [*table_lines(entries), ""]
        typer.echo("\n".join([*lines, *count_lines(entries), *evidence(entries)]))
        if query is not None and len(entries) > 1:
            typer.echo("\npplab claims ID shows one of them in full")


@app.command("codecheck")
@one_line()
def codecheck_command(
    paper: Annotated[str, typer.Argument(help="A paper, or a folder that holds one.")],
    folder: Annotated[
        Path | None, typer.Option(help="Where it goes; codecheck/PAPER when left out.")
    ] = None,
    results: Annotated[Path | None, typer.Option(help="Folder of stored results.")] = None,
) -> None:
    """Draft a codecheck.yml and a report for an independent codechecker, who signs them."""
    from pplab.ledger.codecheck import write_codecheck
    from pplab.ledger.registry import find_paper

    target = folder or Path("codecheck") / find_paper(paper).key
    for file in write_codecheck(paper, target, results=results):
        typer.echo(f"wrote {file}")


@ledger_app.command("new")
@one_line()
def ledger_new(
    folder: Annotated[Path, typer.Argument(help="A new or empty folder.")],
) -> None:
    """Make a folder that holds the ledger of your own paper, with a worked example."""
    from pplab.ledger.own import new_folder

    for file in new_folder(folder):
        typer.echo(f"wrote {file}")
    typer.echo(f"now: pplab reproduce {folder}; then docs/your-paper.md")


def _check(paper: str | None, claim: str | None, part: str | None, source: str, full: bool) -> None:
    """Run parts again and compare; the exit status is 1 where a verdict changed."""
    from pplab.ledger.check import STATES, check
    from pplab.ledger.reproduce import select_parts
    from pplab.ledger.views import found_claims, judged_claims

    entries = judged_claims(paper) if claim is None else found_claims(claim, paper)
    wanted = {(each.claim.paper, each.part) for each in entries}
    parts = [each for each in select_parts(paper, part) if (each[0].key, each[1].name) in wanted]
    if not parts:
        raise ValueError("nothing is to run: printed numbers alone decide here, or nobody can")
    only = {each.claim.same_as or each.claim.id for each in entries}
    source = "real" if source == "auto" else source
    found = check(parts, only=only, source=source, full=full, say=typer.echo)
    states = [each.state for each in found]
    typer.echo(", ".join(f"{states.count(state)} {state}" for state in STATES))
    if "changed" in states:
        raise typer.Exit(1)


def _fetch_missing(names: Iterable[str]) -> None:
    """Bring data sets that are not here; without a network the stand-ins take their place."""
    from pplab.datasets.load import real_files
    from pplab.datasets.store import fetch

    for name in sorted(names):
        try:
            if not real_files(name):
                fetch(name)
        except (OSError, ValueError) as error:
            tell(error)


def _brought(paper: str | None) -> str | None:
    """The folder of a paper that is none of ours: its page shows it alone."""
    from pplab.ledger.registry import papers

    return None if paper in papers() else paper


def _named_page(query: str | None) -> Path | None:
    """The file that the user names for the page; it shows all rows, so no query goes with it."""
    if query is None:
        return None
    file = Path(query)
    if file.suffix != ".html":
        raise ValueError(f"--html writes a page of all rows, got the query {query!r}; leave it out")
    if file.exists():
        raise ValueError(f"{file} exists: remove it, or name another file")
    return file


def _write_page(paper: str | None, folder: Path | None, file: Path | None = None) -> Path:
    """Write the page of one paper, or of all papers of this project."""
    from pplab.ledger.page import write_page
    from pplab.ledger.registry import find_paper
    from pplab.ledger.results import results_folder

    found = find_paper(paper) if paper else None
    folder = folder or (found and found.results) or results_folder()
    return write_page(file or _page_of(folder), paper=paper, folder=folder)


def _page_of(folder: Path) -> Path:
    """The page lies with the results it was made from, in the clone's build folder.

    That of an installed package goes where the command is run.
    """
    from pplab.ledger.results import project_results
    from pplab.shipped import is_clone

    own = project_results()
    if folder == own and not is_clone():
        return Path("claims.html")
    if folder.parent == own.parent:
        return own.parents[1] / "build" / f"claims{folder.name.removeprefix(own.name)}.html"
    return folder / "claims.html"
