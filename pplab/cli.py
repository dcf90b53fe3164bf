"""The command line: `pplab data ...`, `pplab reproduce`, `pplab claims`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from pplab.checks import check_choice
from pplab.datasets.catalog import catalog
from pplab.datasets.load import real_files, status_rows, verify_rows
from pplab.datasets.store import clean_staging, data_root, fetch

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


@app.callback()
def main() -> None:
    """A laboratory for graph and recommender privacy."""


@contextmanager
def _one_line() -> Iterator[None]:
    """Let a command about data end with one line where it is refused or interrupted."""
    try:
        yield
    except (OSError, ValueError) as error:
        _refuse(str(error))
    except KeyboardInterrupt:
        typer.echo("\nstopped; no file is left half-written, run it again", err=True)
        raise typer.Exit(130) from None


@data_app.command("status")
@_one_line()
def data_status() -> None:
    """Print where each data set was found, its size and what to do."""
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
    typer.echo(f"{name} is in {fetch(name)}; terms: {catalog()[name].terms}")


@data_app.command("verify")
@_one_line()
def data_verify(
    name: Annotated[str | None, typer.Argument(help="One data set; all when left out.")] = None,
) -> None:
    """Recompute checksums, one line per file; the exit code is 1 when one is wrong.

    Naming a data set of which no file is here is an error, too.
    """
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
    paper: Annotated[str | None, typer.Argument(help="One paper; all when left out.")] = None,
    part: Annotated[str | None, typer.Option(help="One part of the paper.")] = None,
    full: Annotated[bool, typer.Option(help="More seeds: slower, tighter.")] = False,
    again: Annotated[bool, typer.Option(help="Run finished parts once more.")] = False,
    source: Annotated[str, typer.Option(help="auto, real or standin.")] = "auto",
) -> None:
    """Rerun the experiments, judge every claim they touch, write results and the ledger page.

    Safe to interrupt: finished parts are kept and not redone.
    """
    from pplab.ledger.reproduce import reproduce, select_parts
    from pplab.ledger.views import claims, count_line, write_page

    try:
        check_choice("source", source, ("auto", "real", "standin"))
        parts = select_parts(paper, part)
        if source == "auto" and all(each.catalog is None for each, _ in parts):
            _fetch_missing({name for _, each in parts for name, _ in each.datasets.values()})
        folder = reproduce(parts, full=full, again=again, source=source, say=typer.echo)
        page = write_page(_page_of(folder), paper=_brought(paper), folder=folder)
    except (OSError, ValueError, LookupError, NotImplementedError) as error:
        _refuse(str(error))
    typer.echo(count_line(claims(paper=paper, folder=folder)))
    typer.echo(f"results: {folder}\npage:    {page}")


@app.command("claims")
def claims_command(
    claim_id: Annotated[str | None, typer.Argument(help="One claim; all when left out.")] = None,
    paper: Annotated[str | None, typer.Option(help="Only this paper.")] = None,
    verdict: Annotated[str | None, typer.Option(help="Only this verdict.")] = None,
    html: Annotated[bool, typer.Option("--html", help="Write the page that sorts.")] = False,
    results: Annotated[Path | None, typer.Option(help="Folder of stored results.")] = None,
) -> None:
    """Print the ledger: what was published, what this code measured, and the verdict."""
    from pplab.ledger.results import results_folder
    from pplab.ledger.verdicts import VERDICTS
    from pplab.ledger.views import claim_lines, claims, count_line, table_lines, write_page

    folder = results or results_folder()
    try:
        if html:
            typer.echo(f"page: {write_page(_page_of(folder), folder=folder)}")
            return
        if claim_id is not None:
            typer.echo("\n".join(claim_lines(claim_id, folder=folder)))
            return
        ledger = claims(folder=folder)
        known = {"paper": sorted(set(ledger["paper"])), "verdict": list(VERDICTS)}
        for column, wanted in {"paper": paper, "verdict": verdict}.items():
            if wanted is not None:
                ledger = ledger[ledger[column] == check_choice(column, wanted, known[column])]
    except (OSError, ValueError, LookupError) as error:
        _refuse(str(error))
    typer.echo("\n".join([*table_lines(ledger), count_line(ledger)]))


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


def _fetch_missing(names: Iterable[str]) -> None:
    """Bring data sets that are not here; without a network the stand-ins take their place."""
    for name in sorted(names):
        try:
            if not real_files(name):
                fetch(name)
        except (OSError, ValueError) as error:
            _tell(str(error))


def _brought(paper: str | None) -> str | None:
    """The folder of a paper that is none of ours: its page shows it alone."""
    from pplab.ledger.registry import papers

    return None if paper in papers() else paper


def _page_of(folder: Path) -> Path:
    """The page lies with the results it was made from, in the clone's build folder."""
    from pplab.ledger.results import project_results

    own = project_results()
    if folder.parent == own.parent:
        return own.parents[1] / "build" / f"claims{folder.name.removeprefix(own.name)}.html"
    return folder / "claims.html"


def _tell(sentence: str) -> None:
    """Say what went wrong in one line, whatever the file says that it quotes."""
    from pplab.ledger.results import shown

    typer.echo(f"pplab: {shown(sentence)}", err=True)


def _refuse(sentence: str) -> NoReturn:
    _tell(sentence)
    raise typer.Exit(1)
