"""The command line: the course, data, reproduce, claims, codecheck, ledger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from pplab.teach.commands import app as teach_app

# Commands import what they need: a claim is to be shown within a second.

COURSE = Path("pplab-course")  # of a student who names no folder

app = typer.Typer(
    help="A laboratory for graph and recommender privacy.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
data_app = typer.Typer(help="Data sets: what there is, where it lies, whether it is right.")
app.add_typer(data_app, name="data", no_args_is_help=True)
ledger_app = typer.Typer(help="A ledger for a paper of your own.")
app.add_typer(ledger_app, name="ledger", no_args_is_help=True)
app.add_typer(teach_app, name="teach", no_args_is_help=True)


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


@contextmanager
def _one_line() -> Iterator[None]:
    """Let a command about data end with one line where it is refused or interrupted."""
    try:
        yield
    except (OSError, ValueError) as error:
        _refuse(error)
    except KeyboardInterrupt:
        typer.echo("\nstopped; no file is left half-written, run it again", err=True)
        raise typer.Exit(130) from None


@data_app.command("status")
@_one_line()
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
@_one_line()
def data_fetch(
    name: Annotated[str, typer.Argument(help="A name that `pplab data status` lists.")],
) -> None:
    """Bring a data set from its owner into the cache; safe to interrupt and to start again."""
    from pplab.datasets.catalog import catalog
    from pplab.datasets.store import fetch

    typer.echo(f"{name} is in {fetch(name)}; terms: {catalog()[name].terms}")


@data_app.command("verify")
@_one_line()
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


@app.command("lab", context_settings={"ignore_unknown_options": True})
@_one_line()
def lab_command(
    folder: Annotated[Path, typer.Argument(help="Where your notebooks are, or will be.")] = COURSE,
    options: Annotated[
        list[str] | None, typer.Argument(help="Anything else, such as --port=8889, to JupyterLab.")
    ] = None,
    update: Annotated[
        bool, typer.Option("--update", help="Replace notebooks that you have not edited, too.")
    ] = False,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Whether to open a browser.")
    ] = True,
) -> None:
    """Open the course in JupyterLab, in a folder of your own; what is missing is copied there.

    A notebook that you have edited is never overwritten.
    """
    others = list(options or [])
    if str(folder).startswith("-"):  # an option of JupyterLab, before which no folder was named
        others, folder = [str(folder), *others], COURSE
    _copy(folder, update=update)
    from pplab.start import open_lab

    try:
        open_lab(folder, [*([] if browser else ["--no-browser"]), *others])
    except ModuleNotFoundError as error:
        if str(error.name).partition(".")[0] != "jupyterlab":
            raise
        _refuse("JupyterLab is not installed; install it: python -m pip install jupyterlab")


@app.command("notebooks")
@_one_line()
def notebooks_command(
    folder: Annotated[Path, typer.Argument(help="Where they go.")],
    update: Annotated[
        bool, typer.Option("--update", help="Replace those that you have not edited, too.")
    ] = False,
) -> None:
    """Copy the notebooks into a folder; one that you have edited is never overwritten."""
    _copy(folder, update=update)


def _copy(folder: Path, *, update: bool) -> None:
    """Copy the course and say what became of it."""
    from pplab.start import copy_course, is_shipped

    found = copy_course(folder, update=update)
    copied = f"{len(found.new)} files copied" if found.new else "nothing was missing"
    typer.echo(f"{folder}: {'the notebooks of this clone' if is_shipped(folder) else copied}")
    if found.replaced:
        typer.echo(f"replaced by newer ones: {', '.join(found.replaced)}")
    if found.older:
        older = ", ".join(found.older)
        typer.echo(f"older than this pplab: {older}; add --update to replace them")
    if found.edited:
        typer.echo(f"left as you edited them: {', '.join(found.edited)}")


@app.command("doctor")
@_one_line()
def doctor_command(
    folder: Annotated[Path, typer.Argument(help="Where your notebooks are.")] = COURSE,
    warm: Annotated[
        bool, typer.Option("--warm", help="First compile what the notebooks use.")
    ] = False,
) -> None:
    """Say what is missing, slow or stale, and the command that mends it.

    The exit code is 1 when something must be mended before the course can run.
    """
    from pplab.doctor import examine, warm_up

    if warm:
        typer.echo(f"compiled what the notebooks use in {warm_up():.0f} s")
    findings = list(examine(folder))
    for finding in findings:
        typer.echo(f"{finding.state:<5} {finding.text}")
        if finding.mend:
            typer.echo(f"      {finding.mend}")
    if any(finding.state == "mend" for finding in findings):
        raise typer.Exit(1)


@app.command("progress")
@_one_line()
def progress_command(
    forget: Annotated[bool, typer.Option("--forget", help="Delete these notes.")] = False,
) -> None:
    """Show which exercises are solved; the notes stay on this machine."""
    from itertools import groupby

    from pplab.course.check import REGISTER
    from pplab.course.progress import forget as forget_all
    from pplab.course.progress import progress_folder, solved

    known = sorted(REGISTER)
    if forget:
        typer.echo(f"{forget_all(known)} notes are deleted")
        return
    done = set(solved(known))
    for notebook, group in groupby(known, key=lambda each: each[:2]):
        ids = list(group)
        letters = "  ".join(each[3:] if each in done else "." * len(each[3:]) for each in ids)
        typer.echo(f"{notebook}  {len(done & set(ids))} of {len(ids)}  {letters}")
    typer.echo(f"{len(done)} of {len(known)} exercises solved; noted in {progress_folder()}")


@app.command("reproduce")
def reproduce_command(
    paper: Annotated[str | None, typer.Argument(help="One paper; all when left out.")] = None,
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

    Safe to interrupt: finished parts are kept and not redone. With --check nothing is written:
    each claim is the same, has the same verdict on other numbers, or changed (exit status 1).
    """
    from pplab.checks import check_choice
    from pplab.ledger.reproduce import reproduce, select_parts
    from pplab.ledger.terminal import count_lines
    from pplab.ledger.views import judged_claims

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
        folder = reproduce(parts, full=full, again=again, source=source, say=typer.echo)
        page = _write_page(_brought(paper), folder)
    except (OSError, ValueError, LookupError, NotImplementedError) as error:
        _refuse(error)
    typer.echo("\n".join(count_lines(judged_claims(paper, folder=folder))))
    typer.echo(f"results: {folder}\npage:    {page}")


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
    from pplab.ledger.views import found_claims, judged_claims

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
        _refuse(error)
    if form != "table":
        typer.echo(FORMATS[form](entries), nl=False)
    elif query is not None and len(entries) == 1 and not counts:
        typer.echo("\n".join(claim_lines(entries[0])))
    else:
        lines = [] if counts else [*table_lines(entries), ""]
        typer.echo("\n".join([*lines, *count_lines(entries)]))
        if query is not None and len(entries) > 1:
            typer.echo("\npplab claims ID shows one of them in full")


@app.command("codecheck")
@_one_line()
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
@_one_line()
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
            _tell(error)


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


def _tell(error: Exception | str) -> None:
    """Say what went wrong in one line, whatever the file says that it quotes."""
    from pplab.checks import sentence_of
    from pplab.ledger.results import shown

    typer.echo(f"pplab: {shown(sentence_of(error))}", err=True)


def _refuse(error: Exception | str) -> NoReturn:
    _tell(error)
    raise typer.Exit(1)
