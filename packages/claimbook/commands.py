"""The commands of a ledger: reproduce, claims, and those for a folder of one's own.

Who adds them hands a collection over, as the object of the context: a function that gives it, and
says how a command ends that raises an error.
"""

import re
import shlex
import shutil
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Context, Option

from claimbook.checks import check_choice, printable, sentence_of
from claimbook.registry import NONE, Paper, holds_paper, paper_here
from claimbook.registry import Collection as Papers

if TYPE_CHECKING:
    from claimbook.reproduce import Experiment
    from claimbook.views import JudgedClaim

Name = str | None
Names = list[str] | None
# Commands import what they need: a claim is to be shown within a second.

app = typer.Typer()
ledger_app = typer.Typer(help="A ledger for a paper of your own.")
app.add_typer(ledger_app, name="ledger", no_args_is_help=True)


def tell(text: str) -> None:
    """Say something in one line, even if it quotes text from a file."""
    typer.echo(f"pplab: {printable(text)}", err=True)


def _papers(context: Context) -> Papers:
    """The collection that was handed over."""
    return NONE if context.obj is None else context.obj()


def _chosen(context: Context, named: Name) -> list[Paper]:
    """The paper that is named, or in whose folder one stands; else all of the collection."""
    collection = _papers(context)
    known = collection.papers() | collection.apart()
    if named is None or not (named in known or Path(named).exists()):
        here = paper_here()
        if here is not None and named in (None, collection.find(here).key):
            named = here
    return collection.chosen(named)


def _one(context: Context, folder: Name) -> Paper:
    """The paper of a folder, or of the one in which one stands."""
    if folder is None and paper_here() is None:
        raise ValueError("no paper.toml is here or above: name a paper, or a folder that holds one")
    return _chosen(context, folder)[0]


@app.command("reproduce")
def reproduce_command(
    context: Context,
    paper: Annotated[Name, Argument(help="A paper, or the id of a claim; default: all.")] = None,
    claim: Annotated[Name, Argument(help="With --check: only rows that this finds.")] = None,
    check: Annotated[bool, Option("--check", help="Run again, compare, write nothing.")] = False,
    part: Annotated[Name, Option(help="One part of the paper.")] = None,
    full: Annotated[bool, Option(help="More seeds: slower, tighter.")] = False,
    again: Annotated[bool, Option(help="Run finished parts once more.")] = False,
    source: Annotated[str, Option(help="auto, real or standin.")] = "auto",
    fail_on: Annotated[str, Option(help="Verdicts that set exit status 1: differs,refuted.")] = "",
    yes: Annotated[bool, Option("--yes", help="Run a new folder without asking.")] = False,
) -> None:
    """Rerun the experiments, judge every claim that they measure, write results and ledger page.

    Safe to interrupt: finished parts are kept and not redone.
    Where a part fails, the others go on, and the exit status is 1.
    With --check nothing is written: each claim is the same,
    has the same verdict on other numbers, or changed (exit status 1);
    what a run on other data, such as a stand-in, gives instead is no change.
    In a folder that holds a paper.toml, its paper is meant where none is named.
    """
    from claimbook.reproduce import PartsFailed, reproduce, select_parts
    from claimbook.verdicts import VERDICTS
    from claimbook.views import count_lines, evidence, judged_claims

    if paper is not None and claim is None and ":" in paper and not Path(paper).exists():
        paper, claim = paper.partition(":")[0], paper  # an id names its paper
    failed: PartsFailed | None = None
    papers = _chosen(context, paper)
    check_choice("source", source, ("auto", "real", "standin"))
    failing = [check_choice("fail-on", e, VERDICTS) for e in fail_on.replace(",", " ").split()]
    own = papers[0] if papers[0].results is not None else None
    if own:
        _ask_before_the_first_run(own, yes)
        _stop_at_faults(own)
    if check:
        _check(papers, claim, part, source, full)
        _fail_on(failing, judged_claims(papers))
        return
    if claim is not None:
        raise ValueError(f"{claim!r} is not an option; add --check, or name a part with --part")
    parts = select_parts(papers, part)
    if source == "auto":
        _fetch_missing(parts)
    say = _logger(own) if own else typer.echo
    try:
        folder = reproduce(parts, full=full, again=again, source=source, say=say)
    except PartsFailed as error:
        folder, failed = error.folder, error
    page = _write_page(_papers(context), papers, folder)
    entries = judged_claims(papers, folder=folder)
    for line in [*count_lines(entries), *evidence(entries)]:
        say(line)
    typer.echo(f"results: {folder}\npage:    {page}")
    if failed:
        raise failed
    if unjudged := sum(entry.judgement.fault for entry in entries):
        raise ValueError(f"claims that cannot be judged: {unjudged}; the lines above say why")
    _fail_on(failing, entries)


class _MinusRead(typer.core.TyperCommand):
    """A command to which -1.65 is a number: its sign becomes a true minus, which is no option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [re.sub(r"^-(?=\.?\d)", "\N{MINUS SIGN}", a) for a in args])


@app.command("claims", cls=_MinusRead)
def claims_command(
    context: Context,
    query: Annotated[Name, Argument(help="'Table 3, k = 9', words, an id, a folder.")] = None,
    paper: Annotated[Name, Option(help="Only this paper, or a folder.")] = None,
    verdict: Annotated[Name, Option(help="Only this verdict.")] = None,
    kind: Annotated[Name, Option(help="number, statement, own, sanity or repeat.")] = None,
    form: Annotated[str, Option("--format", help="table, csv or json.")] = "table",
    full: Annotated[bool, Option(help="Show a claim's rule, worlds, history, data.")] = False,
    counts: Annotated[bool, Option(help="Show only how often each verdict occurs.")] = False,
    html: Annotated[bool, Option("--html", help="Write claims.html, or name it: x.html.")] = False,
    results: Annotated[Path | None, Option(help="Folder of stored results.")] = None,
) -> None:
    """Print the ledger: what was published, what this code measured, and the verdict.

    A query that finds one claim shows it in at most 200 words,
    with --full all that is known.
    In a folder that holds a paper.toml, its paper is meant where none is named.
    """
    from claimbook import views
    from claimbook.verdicts import VERDICTS

    if query is not None and holds_paper(query):
        paper, query = query, None
    if query in VERDICTS and verdict is None:
        query, verdict = None, query
    papers = _chosen(context, paper)
    check_choice("format", form, ("table", *views.FORMATS))
    if verdict is not None:
        check_choice("verdict", verdict, VERDICTS)
    if kind is not None:
        check_choice("kind", kind, views.COUNTED)
    if html:
        page = _write_page(_papers(context), papers, results, _named_page(query))
        typer.echo(f"page: {page}")
        return
    try:
        entries = views.found_claims(query, papers, folder=results)
    except views.NoneFound as none:
        if not none.nearest or re.fullmatch(r"\S*:\S*", str(query)):
            raise
        # of other forms than a table, no line is another's
        typer.echo(f"{none.missing}; the nearest rows:\n", err=form != "table")
        entries = views.claims_named(none.nearest, papers, folder=results)
    found = entries
    entries = [entry for entry in found if verdict in (None, entry.judgement.verdict)]
    entries = [entry for entry in entries if kind in (None, entry.kind)]
    if found and not entries:
        tell(f"of {len(found)} rows found, none is {' and '.join(filter(None, (verdict, kind)))}")
    columns = shutil.get_terminal_size((132, 24)).columns
    if form != "table":
        typer.echo(views.FORMATS[form](entries), nl=False)
    elif query is not None and len(entries) == 1 and not counts:
        if not full and (other := entries[0].claim.same_as):
            typer.echo(f"{entries[0].claim.id} is judged by another row, this one:\n")
            entries = views.claims_named([other], papers, folder=results)
        show = views.claim_lines if full else views.brief_lines
        typer.echo("\n".join(show(entries[0], width=min(100, columns))))
    else:
        table = [] if counts else [*views.table_lines(entries, width=columns), ""]
        typer.echo("\n".join([*table, *views.count_lines(entries), *views.evidence(entries)]))
        if query is not None and len(entries) > 1:
            typer.echo("\npplab claims ID shows one of them")


@ledger_app.command("new")
def ledger_new(
    context: Context,
    folder: Annotated[Path, Argument(help="A new folder, or one with only .git.")],
) -> None:
    """Make a folder that holds the ledger of your own paper, with a worked example."""
    from claimbook.own import new_folder, trust_folder

    for file in new_folder(folder, collection=_papers(context)):
        typer.echo(f"wrote {file}")
    trust_folder(folder)
    typer.echo(f"now: pplab reproduce {shlex.quote(str(folder))}; then {folder / 'README.md'}")


@ledger_app.command("check")
def ledger_check(
    context: Context,
    folder: Annotated[Name, Argument(help="A paper's folder; default: the current one.")] = None,
) -> None:
    """Read rules, choices, parts, data and history, run nothing, and print every fault.

    The exit status is 1 where there is one. `pplab reproduce` does this first.
    """
    from claimbook.faults import check_folder, not_stored

    paper = _one(context, folder)
    faults, notes = check_folder(paper)
    notes += [] if faults else not_stored(paper)
    for line in (*notes, *faults, f"{len(faults)} fault{'s' * (len(faults) != 1)}"):
        typer.echo(printable(line))
    if faults:
        raise typer.Exit(1)


def _ask_before_the_first_run(paper: Paper, yes: bool) -> None:
    """Say once what the code of a folder may do that this account has neither made nor run."""
    from claimbook.own import is_known, trust_folder

    if is_known(paper.folder, paper.collection):
        return
    rights = f"{paper.folder} is new to this account, and its code gets all rights of the account"
    tell(f"{rights}: read {paper.module} and what it imports and starts before you run it")
    try:
        if not yes and not typer.confirm("Run it now?", err=True):
            raise ValueError("nothing was run")
    except typer.Abort:
        typer.echo(err=True)  # after the question
        raise ValueError(
            "nothing was run, since there is no terminal to ask in; add --yes"
        ) from None
    trust_folder(paper.folder)


def _stop_at_faults(paper: Paper) -> None:
    """Let no experiment of a folder begin while something in it cannot be judged."""
    from claimbook.faults import check_folder

    for fault in (faults := check_folder(paper, load=True)[0]):
        tell(fault)
    if faults:
        again = f"pplab ledger check {paper.named} shows it again"
        raise ValueError(f"nothing was run: mend this first; {again}")


def _logger(paper: Paper) -> Callable[[str], None]:
    """Writer of a run's messages, which are kept with the results of a folder's paper."""
    from claimbook.results import machine, rules_commit, versions

    log = paper.stored / paper.key / "run.log"
    used = ", ".join(f"{name} {version}" for name, version in versions().items())
    head = [f"run on {machine()}; {used}; rules of {rules_commit(paper)}"]

    def say(line: str) -> None:
        typer.echo(line)
        lines = [f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC {text}\n" for text in (*head, line)]
        try:
            log.parent.mkdir(parents=True, exist_ok=True)
            with log.open("a", encoding="utf-8") as file:
                file.writelines(lines)
        except OSError as error:
            raise OSError(f"{log} could not be written ({error.strerror})") from error
        head.clear()

    return say


def _fail_on(verdicts: Collection[str], entries: Iterable["JudgedClaim"]) -> None:
    """End with exit status 1 where a claim has one of these verdicts."""
    if failed := [row for row in entries if row.judgement.verdict in verdicts]:
        for entry in failed:
            typer.echo(f"{entry.judgement.verdict}: {entry.claim.id}", err=True)
        raise ValueError(f"{len(failed)} claims have a verdict that --fail-on names")


@ledger_app.command("table")
def ledger_table(
    context: Context,
    file: Annotated[Path, Argument(help="The table: CSV, or with tabs, semicolons or bars.")],
    place: Annotated[str, Option(help="Its place in the paper: 'Table 2'.")],
    part: Annotated[str, Option(help="The experiment that measures it.")],
    select: Annotated[str, Option(help="As 'network={row}; measure={column}'.")],
    rule: Annotated[str, Option(help="Of each cell.")] = "rounded",
    heads: Annotated[int, Option(help="Number of header columns at the left.")] = 1,
    cells: Annotated[Names, Option("--set", help="More columns: 'unit=%; draws=10'.")] = None,
    but: Annotated[Names, Option(help="Exceptions: 'karate-*: rule=not-testable'.")] = None,
    folder: Annotated[Name, Option(help="A paper's folder; default: the current one.")] = None,
) -> None:
    """Write a printed table into rules.csv, one claim for each cell.

    {row}, {column} and the titles of the columns at the left stand for the heads of a cell.
    """
    from claimbook.own import add_table

    common = {"place": place, "rule": rule, "part": part, "select": select}
    paper = _one(context, folder)
    names, empty = add_table(paper, file, common, heads=heads, more=cells or (), but=but or ())
    typer.echo(f"claims written to {paper.rules}: {len(names)}, {names[0]} ... {names[-1]}")
    if empty:
        typer.echo(f"empty cells left out: {len(empty)}, {', '.join(empty[:9])}")


def _check(papers: Sequence[Paper], claim: Name, part: Name, source: str, full: bool) -> None:
    """Run parts again and compare; the exit status is 1 where a verdict changed."""
    from claimbook.reproduce import STATES, check_again, select_parts
    from claimbook.views import found_claims

    entries = found_claims(claim, papers)
    needed = {(e.claim.paper, name) for e in entries for name in {e.part, *e.claim.parts}}
    parts = [(p, one) for p, one in select_parts(papers, part) if (p.key, one.name) in needed]
    if not parts:
        raise ValueError("nothing needs a run: printed numbers alone decide here, or nobody can")
    only = {entry.claim.same_as or entry.claim.id for entry in entries}
    source = "real" if source == "auto" else source
    outcomes = check_again(parts, only=only, source=source, full=full, say=typer.echo)
    states = [outcome.state for outcome in outcomes]
    typer.echo(", ".join(f"{states.count(state)} {state}" for state in STATES))
    if "changed" in states:
        raise typer.Exit(1)


def _fetch_missing(experiments: Iterable["Experiment"]) -> None:
    """Bring data sets that are not here; without a network the stand-ins take their place."""
    used = [(paper, name) for paper, part in experiments for name, _ in part.datasets.values()]
    missing = {name: paper.collection.fetch for paper, name in used if paper.catalog is None}
    for name, fetch in sorted(missing.items()):
        try:
            fetch(name)
        except (OSError, ValueError) as error:
            tell(sentence_of(error))


def _named_page(query: Name) -> Path | None:
    """The file that the user names for the page; it shows all rows, so no query goes with it."""
    file = None if query is None else Path(query)
    if file and file.suffix != ".html":
        raise ValueError(f"--html writes a page of all rows, got the query {query!r}; leave it out")
    if file and file.exists():
        raise ValueError(f"{file} exists: remove it, or name another file")
    return file


def _write_page(
    collection: Papers, papers: Sequence[Paper], folder: Path | None, file: Path | None = None
) -> Path:
    """Write the page of a paper that brings its folder, or of all papers of the collection.

    Where no file is named, it lies with the results it was made from, in the clone's build folder;
    that of an installed package goes where the command is run.
    """
    from claimbook.page import write_page

    if (all_papers := collection.papers()).get(papers[0].key) == papers[0]:
        papers = [*all_papers.values()]
    folder, committed = folder or papers[0].stored, collection.committed
    if file is None:
        file = folder / "claims.html"
        if folder.parent == committed.parent:
            name = f"claims{folder.name.removeprefix(committed.name)}.html"
            file = committed.parents[1] / "build" / name
        if folder == committed and collection.frozen:
            file = Path("claims.html")
    return write_page(file, papers, folder=folder)
