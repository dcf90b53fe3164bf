"""The commands of the course: a student's folder, machine and progress; a teacher's class."""

from pathlib import Path
from typing import Annotated

import typer

from pplab_course.start import COURSE
from pplab_course.teach.commands import app as teach_app

# Commands import what they need: `pplab --help` is to be there at once.

app = typer.Typer()
app.add_typer(teach_app, name="teach", no_args_is_help=True)


@app.command("lab", context_settings={"ignore_unknown_options": True})
def lab_command(
    folder: Annotated[Path, typer.Argument(help="Where your notebooks are, or will be.")] = COURSE,
    options: Annotated[
        list[str] | None, typer.Argument(help="Other options for JupyterLab, such as --port=8889.")
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
    from pplab_course.start import open_lab

    open_lab(folder, [*([] if browser else ["--no-browser"]), *others])


@app.command("notebooks")
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
    from pplab_course.start import copy_course

    copied = copy_course(folder, update=update)
    first = f"{len(copied.new)} files copied" if copied.new else "nothing was missing"
    typer.echo(f"{folder}: {first}")
    for names, sentence in (
        (copied.replaced, "replaced by newer ones: {}"),
        (copied.older, "older than this pplab: {}; add --update to replace them"),
        (copied.edited, "left as you edited them: {}"),
        (copied.changed, "pplab has newer versions of these: {}; rename yours to get them"),
    ):
        if names:
            typer.echo(sentence.format(", ".join(names)))


@app.command("doctor")
def doctor_command(
    folder: Annotated[Path, typer.Argument(help="Where your notebooks are.")] = COURSE,
    warm: Annotated[
        bool, typer.Option("--warm", help="First compile what the notebooks use.")
    ] = False,
) -> None:
    """Say what is missing, slow or stale, and the command that mends it.

    The exit code is 1 when something must be mended before the course can run.
    """
    from pplab_course.doctor import examine, warm_up

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
def progress_command(
    forget: Annotated[bool, typer.Option("--forget", help="Delete these notes.")] = False,
) -> None:
    """Show which exercises are solved; the notes stay next to the notebooks.

    Of an open exercise the form alone was checked, so it is counted apart.
    """
    from itertools import groupby
    from textwrap import fill, shorten

    from pplab_course.exercises import exercises, notebook_of
    from pplab_course.progress import KINDS, progress_folder, solved, titles
    from pplab_course.progress import forget as forget_all

    known = exercises()
    if forget:
        typer.echo(f"{forget_all(list(known))} notes are deleted")
        return
    done, closed = set(solved(list(known))), {name for name in known if not known[name].rubric}
    heads = {number: shorten(head, 46, placeholder=" ...") for number, head in titles().items()}
    for notebook, group in groupby(known, key=notebook_of):
        ids = set(group)
        rows = [sorted(ids & closed), sorted(ids - closed)]
        letters = [" ".join(it[-1] if it in done else it[-1].lower() for it in row) for row in rows]
        open_row = f"  open: {letters[1]}" * bool(rows[1])
        count = f"{len(done & set(rows[0]))} of {len(rows[0])}"
        typer.echo(f"{notebook}  {heads[notebook]:46}  {count}  {letters[0]}{open_row}")
    typer.echo(fill(f"capital letter: solved; {', '.join(map(' '.join, KINDS.items()))}", 80))
    summary = f"{len(done - closed)} of {len(known) - len(closed)} open exercises handed in"
    typer.echo(f"{len(done & closed)} of {len(closed)} exercises solved")
    typer.echo(f"{summary}; only the form of these was checked; judge them by the rubric")
    folder = progress_folder()
    elsewhere = "" if folder.is_dir() else ", which has none; type this in your notebooks' folder"
    typer.echo(f"noted in {folder}{elsewhere}")
