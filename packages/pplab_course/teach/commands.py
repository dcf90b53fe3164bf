"""The commands of `pplab teach`."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="For teachers: a graded course, quizzes, archives.")
Course = Annotated[Path, typer.Argument(help="The folder of the course.")]
Name = Annotated[str, typer.Argument(help="Notebook, such as 01_privacy_by_counting.")]
Trust = Annotated[bool, typer.Option("--trust", help="Without a cage: see grading.md.")]
Solutions = Annotated[
    Path | None, typer.Option(help="Solved notebooks: a folder, or the teacher's archive.")
]


@app.command("export")
def export_command(
    folder: Annotated[Path, typer.Argument(help="A new folder, only for the teacher.")],
    secret: Annotated[Path, typer.Option(help="File with the secret for hidden inputs.")],
    solutions: Solutions = None,
    numbers: Annotated[
        Path | None, typer.Option(help="Class list: each student gets individual numbers.")
    ] = None,
    by_hand: Annotated[
        list[str] | None, typer.Option(help="Exercise D or O with points by hand; default: all.")
    ] = None,
) -> None:
    """Write an nbgrader course: source, release, gradebook and nbgrader_config.py."""
    from pplab_course.teach.export import export

    named = tuple(by_hand or ())
    export(folder, secret, solutions=solutions, by_hand=named, students=numbers, say=typer.echo)
    typer.echo(f"the course is in {folder}; its secret is in {secret}: keep both to yourself")


@app.command("collect")
def collect_command(
    folder: Course,
    name: Name,
    archive: Annotated[Path, typer.Argument(help="All hand-ins, as Moodle packs them.")],
    people: Annotated[Path, typer.Argument(help="CSV: full name, user name.")],
) -> None:
    """Put the hand-ins of an archive from Moodle into the folders of their students."""
    from pplab_course.teach.collect import collect

    count, left = collect(folder, name, archive, people)
    typer.echo("\n".join([f"{name}: {count} collected, {len(left)} left", *left]))
    if left:
        raise typer.Exit(1)


@app.command("mark")
def mark_command(
    folder: Course,
    name: Name,
    trust: Trust = False,
    again: Annotated[bool, typer.Option("--again", help="Also those marked already.")] = False,
    jobs: Annotated[int, typer.Option(min=1, help="Students at a time.")] = 2,
) -> None:
    """Mark all that was handed in of one notebook, student by student."""
    from pplab_course.teach.mark import mark

    outcomes = mark(folder, name, trusted=trust, again=again, jobs=jobs, say=typer.echo)
    failed = [outcome for outcome in outcomes if outcome.reason]
    typer.echo(f"{name}: {len(outcomes) - len(failed)} marked, {len(failed)} not marked")
    for outcome in failed:
        typer.echo(f"  {outcome}")
    if failed:
        raise typer.Exit(1)


@app.command("demo")
def demo_command(
    folder: Annotated[Path, typer.Argument(help="A new folder.")],
    open_browser: Annotated[bool, typer.Option("--browser/--no-browser")] = True,
    trust: Trust = False,
    solutions: Solutions = None,
) -> None:
    """Make a small course with three made-up students, mark it, and show a page of feedback."""
    from pplab_course.teach.demo import demo

    page = demo(folder, trusted=trust, solutions=solutions, say=typer.echo)
    typer.echo(f"feedback of each student is in {page.parents[2]}; this is one: {page}")
    if open_browser:
        typer.launch(str(page))


@app.command("feedback")
def feedback_command(folder: Course, name: Name) -> None:
    """Write a page of feedback for each student, with figures; it opens without a network."""
    from pplab_course.teach.feedback import feedback

    typer.echo(f"{folder / 'feedback'}: {len(feedback(folder, name))} pages")


@app.command("grades")
def grades_command(
    folder: Course,
    file: Annotated[
        Path | None, typer.Argument(help="File for the marks; default: grades.csv in the folder.")
    ] = None,
) -> None:
    """Write the marks of a course as Moodle imports them, in per cent: by the judge, by hand."""
    from pplab_course.teach.marks import write_grades

    file = file or folder / "grades.csv"
    counts = write_grades(folder, file)
    typer.echo(f"{file}: {counts.pop('students', 0)} students")
    for reason, count in (+counts).items():
        typer.echo(f"  notebooks {reason}: {count}")


@app.command("cards")
def cards_command(
    students: Annotated[Path, typer.Argument(help="Class list: a user name on each line.")],
    file: Annotated[Path, typer.Argument(help="A new file, such as cards.md.")],
    secret: Annotated[Path, typer.Option(help="File with the course's secret.")],
) -> None:
    """Write a card for the oral exam of each student, with the answers for the examiner."""
    from pplab_course.teach.cards import read_cards, write_cards
    from pplab_course.teach.export import secret_in, student_names

    count = write_cards(read_cards(), student_names(students), secret_in(secret), file)
    typer.echo(f"{file}: {count} cards; the same list and {secret} give them again")


@app.command("quiz")
def quiz_command(
    file: Annotated[Path, typer.Argument(help="A new file, such as quizzes.gift.")],
) -> None:
    """Write all quizzes as Moodle GIFT, with the wrong answers that the judges know."""
    from pplab_course.teach.quiz import write_quizzes

    typer.echo(f"{file}: {write_quizzes(file)} questions; Moodle: Question bank, Import, GIFT")


@app.command("zip")
def zip_command(
    folder: Annotated[Path, typer.Argument(help="Folder for the two archives.")],
    solutions: Solutions = None,
) -> None:
    """Write an archive for students, and one for teachers that also holds the solutions."""
    from pplab_course.teach.course import archives

    for archive in archives(folder, solutions=solutions):
        typer.echo(f"wrote {archive}")
    typer.echo("these are for reading; for marks hand out the notebooks of pplab teach export")
