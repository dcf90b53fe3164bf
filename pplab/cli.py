"""The command line: data and protect; the packages that are here add their own."""

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from pplab import _above

# Packages that some commands need, and what brings them.
_NEEDED = {"jupyterlab": "jupyterlab", "nbgrader": "nbgrader", "nbformat": "nbgrader"}


class _OneLine(TyperGroup):
    """Commands that end with one line if they are refused, also by other packages."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was typed."""
        try:
            return super().invoke(ctx)
        except (typer.Exit, typer.Abort, BrokenPipeError):  # typer ends these
            raise
        except ModuleNotFoundError as error:
            if (missing := _NEEDED.get(str(error.name).partition(".")[0])) is None:
                raise
            _tell(f"{missing} is not installed; install it: python -m pip install {missing}")
        except (OSError, ValueError, RuntimeError, OverflowError, MemoryError) as error:
            _tell(error)
        except KeyboardInterrupt:
            typer.echo("\nstopped; no file is left half-written, run it again", err=True)
            raise typer.Exit(130) from None
        raise typer.Exit(1)


def _tell(error: Exception | str) -> None:
    """Say what went wrong in one line, even if it quotes text from a file."""
    from pplab.checks import sentence_of

    signs = (s if s.isprintable() else repr(s)[1:-1] for s in sentence_of(error))
    typer.echo(f"pplab: {''.join(signs)}", err=True)


# Commands import what they need: a claim is to be shown within a second.

app = typer.Typer(
    cls=_OneLine,
    help="A laboratory for graph and recommender privacy.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"obj": _above.collection},  # for the commands of the ledger
)
data_app = typer.Typer(help="Data sets: which exist, where, and whether they are correct.")
app.add_typer(data_app, name="data", no_args_is_help=True)
for added in _above.commands():
    app.add_typer(added)


def _tell_version(wanted: bool) -> None:
    if wanted:
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
def data_status() -> None:
    """Print where each data set was found, its size and what to do."""
    from pplab.datasets.load import status_rows
    from pplab.datasets.store import data_root

    if (named := data_root()) is not None and not named.is_dir():
        typer.echo(f"PPLAB_DATA names {named}, which is not a folder; mend or unset it", err=True)
    rows = [("name", "found", "size", "what to do"), *status_rows()]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row[:3], widths, strict=True)]
        typer.echo("  ".join([*cells, row[3]]))


@data_app.command("fetch")
def data_fetch(
    name: Annotated[str, typer.Argument(help="A name that `pplab data status` lists.")],
) -> None:
    """Bring a data set from its owner into the cache; safe to interrupt and to start again."""
    from pplab.datasets.catalog import catalog
    from pplab.datasets.store import fetch

    typer.echo(f"{name} is in {fetch(name)}; terms: {catalog()[name].terms}")


@data_app.command("verify")
def data_verify(
    name: Annotated[str | None, typer.Argument(help="One data set; default: all.")] = None,
) -> None:
    """Recompute checksums, one line per file; the exit code is 1 when one is wrong.

    Naming a data set of which no file is here is an error, too.
    """
    from pplab.checks import check_choice
    from pplab.datasets.catalog import catalog
    from pplab.datasets.load import verify_rows

    names = list(catalog()) if name is None else [check_choice("name", name, catalog())]
    verdicts = []
    for dataset in names:
        for verdict, file, text in verify_rows(dataset):
            verdicts.append(verdict)
            if verdict != "missing" or name is not None:
                typer.echo(f"{verdict:<8} {file}: {text}")
    if nothing := not set(verdicts) - {"missing"}:
        typer.echo("nothing to verify: no file is on this machine, see `pplab data status`")
    if "wrong" in verdicts or (nothing and name is not None):
        raise typer.Exit(1)


@app.command("protect")
def protect_command(
    file: Annotated[Path, typer.Argument(help="CSV or Parquet, one entry per line.")],
    user: Annotated[str, typer.Option(help="Column of user ids.")],
    item: Annotated[str, typer.Option(help="Column of item ids.")],
    method: Annotated[
        str, typer.Option(help="smooth, suppress, microaggregate, gaussian or noise.")
    ],
    out: Annotated[Path, typer.Option(help="New folder for the release and its pages.")],
    value: Annotated[str | None, typer.Option(help="The column of ratings; default: ones.")] = None,
    keep: Annotated[float | None, typer.Option(help="Ratings of at least this are likes.")] = None,
    k: Annotated[int | None, typer.Option(help="Smallest group.")] = None,
    epsilon: Annotated[float | None, typer.Option(help="Method noise: level of one entry.")] = None,
    sigma: Annotated[float | None, typer.Option(help="gaussian: standard deviations.")] = None,
    lowest: Annotated[float | None, typer.Option(help="Lowest rating of the scale.")] = None,
    highest: Annotated[float | None, typer.Option(help="Highest rating.")] = None,
    users: Annotated[
        Path | None, typer.Option(help="Method noise: public file of all users, one a line.")
    ] = None,
    items: Annotated[
        Path | None, typer.Option(help="Method noise: public file of all items, one a line.")
    ] = None,
    frame_is_public: Annotated[
        bool, typer.Option("--frame-is-public", help="The file's users and items are public.")
    ] = False,
    sep: Annotated[str, typer.Option(help="Separator between two columns.")] = ",",
    names: Annotated[str | None, typer.Option(help="Columns, if no header: u,i,x.")] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="A seed to repeat it; keep it secret.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report.")] = False,
) -> None:
    """Make a release of a file to learn from, with a report for you and a label for readers."""
    import json
    import re
    import sys
    from functools import partial

    from pplab import protect as pages
    from pplab.own_data import read_table

    if method == "noise" and not frame_is_public and (users is None or items is None):
        raise ValueError(
            "noise needs a public frame: give --users FILE and --items FILE with all that may "
            "occur, or --frame-is-public if the users and items that it lists are public"
        )
    if (lowest is None) != (highest is None):
        raise ValueError("a scale has two ends: give --lowest and --highest")
    scale = None if lowest is None else (lowest, highest)
    listed = "public" if frame_is_public else None
    ends: dict[str, Any] = {"user": user, "item": item, "value": value, "sep": sep}
    heads = names if names is None else [name.strip() for name in names.split(",")]
    read = partial(read_table, file, **ends, names=heads, listed=listed)
    entry = f"a line with {user} and {item}" if value is None else f"{value} by {user} and {item}"
    try:
        table = read()
        frame: dict[str, Any] = {}
        notes = [f"not read: {', '.join(map(str, table.skipped))}"] if table.skipped else []
        sides = ("users", users, user), ("items", items, item)
        for axis, (name, path, column) in zip(table.axes, sides, strict=True):
            if path is not None:
                frame[name] = pages.labels_in(path, axis.labels, column=column)
                present = set(axis.labels)
                if idle := [label for label in frame[name] if label not in present]:
                    notes.append(f"{path}: {len(idle):,} have no entry, the first is {idle[0]!r}")
        if frame:
            table = read(**frame)
        if keep is not None and value is None:
            raise ValueError("--keep compares ratings: give --value COLUMN, or leave --keep out")
        if keep is not None:
            ratings, table = table.matrix.nnz, table.keep(at_least=keep)
            entry = f"{value} at least {keep:.15g}"
            notes.append(f"{table.matrix.nnz:,} of {ratings:,} entries have {entry}")
        report = pages.protect(
            table, method=method, folder=out, command=shlex.join(["pplab", *sys.argv[1:]]),
            rng=seed, entry=entry, say=lambda text: typer.echo(text, err=True),
            k=k, epsilon=epsilon, sigma=sigma, rating_range=scale,
        )  # fmt: skip
    except (TypeError, ValueError) as error:  # in the words of this command
        text = re.sub("pass value=(.*), or frame.*", r"give --value \1, or drop it", str(error))
        text = re.sub(r"(--|the )?rating_range(=\(1, 5\))?", "--lowest and --highest", text)
        raise ValueError(re.sub("^at_least", "--keep", text)) from error
    for note in notes:
        typer.echo(note, err=True)
    if as_json:
        typer.echo(json.dumps(report, indent=1, default=lambda x: x.item()))
    else:
        typer.echo(f"{out} has release.csv, report.html (for you) and release-label.html (for all)")
