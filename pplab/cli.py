"""The command line: data, reproduce, claims, ledger; the course adds its own."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable, Collection, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pplab.commands import one_line, refuse, tell
from pplab_course.commands import app as course_app

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from pplab.ledger.views import Entry

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
certificate_app = typer.Typer(help="Bounds on smooth k-anonymous copies, as files to check.")
app.add_typer(certificate_app, name="certificate", no_args_is_help=True)


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
    from pplab.datasets.store import data_root

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
    for dataset in names:
        for verdict, file, text in verify_rows(dataset):
            verdicts.append(verdict)
            if verdict != "missing" or name is not None:
                typer.echo(f"{verdict:<8} {file}: {text}")
    if not set(verdicts) - {"missing"}:
        typer.echo("nothing to verify: no file is on this machine, see `pplab data status`")
    nothing_asked_for = name is not None and not set(verdicts) - {"missing"}
    if "wrong" in verdicts or nothing_asked_for:
        raise typer.Exit(1)


@app.command("protect")
@one_line(TypeError, MemoryError)
def protect_command(
    file: Annotated[Path, typer.Argument(help="CSV or Parquet, a line an entry.")],
    user: Annotated[str, typer.Option(help="The column that says who.")],
    item: Annotated[str, typer.Option(help="The column that says what.")],
    method: Annotated[
        str, typer.Option(help="smooth, suppress, microaggregate, gaussian or noise.")
    ],
    out: Annotated[Path, typer.Option(help="A new folder for the release and its pages.")],
    value: Annotated[str | None, typer.Option(help="The column of ratings; else ones.")] = None,
    keep: Annotated[float | None, typer.Option(help="Ratings from here on count as ones.")] = None,
    k: Annotated[int | None, typer.Option(help="Smallest group.")] = None,
    epsilon: Annotated[float | None, typer.Option(help="noise: level of one entry.")] = None,
    sigma: Annotated[float | None, typer.Option(help="gaussian: in deviations.")] = None,
    lowest: Annotated[float | None, typer.Option(help="Lowest rating of the scale.")] = None,
    highest: Annotated[float | None, typer.Option(help="Highest rating.")] = None,
    users: Annotated[
        Path | None, typer.Option(help="noise: all who may occur, one a line; public.")
    ] = None,
    items: Annotated[
        Path | None, typer.Option(help="noise: all that may occur, one a line; public.")
    ] = None,
    frame_is_public: Annotated[
        bool, typer.Option("--frame-is-public", help="Who and what the file lists is public.")
    ] = False,
    sep: Annotated[str, typer.Option(help="What stands between two columns.")] = ",",
    seed: Annotated[int | None, typer.Option(help="To repeat a release.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report.")] = False,
) -> None:
    """Publish a file of your own: a release in its columns, a report for you, a label for all."""
    import sys
    from functools import partial

    from pplab import protect as pages
    from pplab.own_data import read_table

    if method == "noise" and not frame_is_public and (users is None or items is None):
        raise ValueError(
            "noise needs a public frame: give --users FILE and --items FILE with all that may "
            "occur, or --frame-is-public if who and what the file lists is public"
        )
    if (lowest is None) != (highest is None):
        raise ValueError("a scale has two ends: give --lowest and --highest")
    if method in ("microaggregate", "gaussian") and lowest is None:
        raise ValueError(f"{method} needs the scale of the ratings: give --lowest and --highest")
    listed = "public" if frame_is_public else None
    read = partial(read_table, file, user=user, item=item, value=value, sep=sep, listed=listed)
    try:
        table = read()
    except ValueError as error:  # its remedy in the words of this command
        told = str(error).partition("pass value=")
        if told[1]:
            name = told[2].partition(", or frame")[0]
            raise ValueError(f"{told[0]}give --value {name}") from error
        raise
    if users is not None or items is not None:
        frame: dict[str, Any] = {
            name: pages.labels_in(path, list(axis.labels), column=column)
            for name, path, axis, column in zip(
                ("users", "items"), (users, items), table.axes, (user, item), strict=True
            )
            if path is not None
        }
        table = read(**frame)
    notes = [f"not read: {', '.join(map(str, table.skipped))}"] if table.skipped else []
    entry = f"a line with {user} and {item}" if value is None else f"a {value} of {item} by {user}"
    if keep is not None:
        ratings, table = table.matrix.nnz, table.keep(at_least=keep)
        entry = f"a {value} of {keep:g} or more"
        notes.append(f"{table.matrix.nnz:,} of {ratings:,} entries are {entry}")
    scale = None if lowest is None and highest is None else (lowest, highest)
    report = pages.protect(
        table, method=method, folder=out, command=shlex.join(["pplab", *sys.argv[1:]]), rng=seed,
        entry=entry, say=lambda text: typer.echo(text, err=True),
        k=k, epsilon=epsilon, sigma=sigma, rating_range=scale,
    )  # fmt: skip
    for note in notes:
        typer.echo(note, err=True)
    if as_json:
        typer.echo(pages.as_json(report))
    else:
        typer.echo(f"{out} has release.csv, report.html (for you) and release-label.html (for all)")


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
    fail_on: Annotated[
        str, typer.Option(help="Verdicts that set the exit status to 1, as differs,refuted.")
    ] = "",
    yes: Annotated[
        bool, typer.Option("--yes", help="Run a folder that is new to this account unasked.")
    ] = False,
) -> None:
    """Rerun the experiments, judge every claim they touch, write results and the ledger page.

    Safe to interrupt: finished parts are kept and not redone. Where a part fails, the others go on,
    and the exit status is 1. With --check nothing is written:
    each claim is the same, has the same verdict on other numbers, or changed (exit status 1).
    Within a folder that holds a paper.toml, its paper is meant where none is named.
    """
    from pplab.checks import check_choice
    from pplab.ledger.reproduce import PartsFailed, reproduce, select_parts
    from pplab.ledger.terminal import count_lines
    from pplab.ledger.verdicts import VERDICTS
    from pplab.ledger.views import evidence, judged_claims

    failed = None
    if paper is not None and claim is None and ":" in paper and not Path(paper).exists():
        paper, claim = paper.partition(":")[0], paper  # an id names its paper
    try:
        paper = _meant(paper)
        check_choice("source", source, ("auto", "real", "standin"))
        failing = [check_choice("fail-on", e, VERDICTS) for e in fail_on.replace(",", " ").split()]
        _ask_before_the_first_run(paper, yes)
        _stop_at_faults(paper)
        if check:
            _check(paper, claim, part, source, full)
            _fail_on(failing, judged_claims(paper))
            return
        if claim is not None:
            raise ValueError(f"{claim!r} is no option; add --check, or name a part with --part")
        parts = select_parts(paper, part)
        if source == "auto" and all(article.catalog is None for article, _ in parts):
            _fetch_missing({name for _, piece in parts for name, _ in piece.datasets.values()})
        say = _logged(paper)
        try:
            folder = reproduce(parts, full=full, again=again, source=source, say=say)
        except PartsFailed as error:
            folder, failed = error.folder, error
        page = _write_page(_brought(paper), folder)
    except (OSError, ValueError, LookupError, NotImplementedError) as error:
        refuse(error)
    entries = judged_claims(paper, folder=folder)
    for line in [*count_lines(entries), *evidence(entries)]:
        say(line)
    typer.echo(f"results: {folder}\npage:    {page}")
    if failed:
        refuse(failed)
    if unjudged := sum(entry.judgement.fault for entry in entries):
        refuse(f"claims that cannot be judged: {unjudged}; the lines above say why")
    _fail_on(failing, entries)


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
    form: Annotated[str, typer.Option("--format", help="table, csv or json.")] = "table",
    counts: Annotated[bool, typer.Option(help="Only how many have which verdict.")] = False,
    html: Annotated[
        bool, typer.Option("--html", help="Write the page that sorts; a query NAME.html names it.")
    ] = False,
    results: Annotated[Path | None, typer.Option(help="Folder of stored results.")] = None,
) -> None:
    """Print the ledger: what was published, what this code measured, and the verdict.

    A query that finds one claim shows all that is known of it. Within a folder that holds a
    paper.toml, its paper is meant where none is named.
    """
    from pplab.checks import check_choice
    from pplab.ledger.export import FORMATS
    from pplab.ledger.registry import holds_paper
    from pplab.ledger.terminal import COUNTED, claim_lines, count_lines, table_lines
    from pplab.ledger.verdicts import VERDICTS
    from pplab.ledger.views import evidence, found_claims, judged_claims

    if query is not None and holds_paper(query):
        paper, query = query, None
    try:
        paper = _meant(paper)
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
        entries = [entry for entry in entries if verdict in (None, entry.judgement.verdict)]
        entries = [entry for entry in entries if kind in (None, entry.kind)]
    except (OSError, ValueError, LookupError) as error:
        refuse(error)
    if form != "table":
        typer.echo(FORMATS[form](entries), nl=False)
    elif query is not None and len(entries) == 1 and not counts:
        width = min(100, shutil.get_terminal_size((100, 24)).columns)
        typer.echo("\n".join(claim_lines(entries[0], width=width)))
    else:
        lines = [] if counts else [*table_lines(entries), ""]
        typer.echo("\n".join([*lines, *count_lines(entries), *evidence(entries)]))
        if query is not None and len(entries) > 1:
            typer.echo("\npplab claims ID shows one of them in full")


@certificate_app.command("make")
@one_line(LookupError)
def certificate_make(
    dataset: Annotated[str, typer.Argument(help="A data set: pplab data status names them.")],
    k: Annotated[int, typer.Argument(help="Smallest size of a group.")],
    file: Annotated[Path | None, typer.Option(help="Else build/DATASET-k.npz.")] = None,
) -> None:
    """Search for a certificate and write it to a file, which holds the rows of the table, too."""
    from pplab.checks import check_k
    from pplab.smooth._rows import distinct_rows
    from pplab.smooth.proof import save_certificate
    from pplab.smooth.symmetric import prove

    table = _table_of(dataset)
    proof = prove(table, distinct_rows(table), check_k(k, table.shape[0]))
    file = file or Path("build", f"{dataset}-{k}.npz")
    file.parent.mkdir(parents=True, exist_ok=True)
    save_certificate(proof, file)
    typer.echo(f"no smooth {k}-anonymous copy keeps more than {_upwards(proof.ratio)}: {file}")


def _table_of(dataset: str) -> csr_array:
    from pplab.datasets.load import load_dataset

    if (table := load_dataset(dataset).biadjacency) is None:
        raise ValueError(f"{dataset} holds no table of ones; adult and dblp-2010 do, for example")
    return table


def _upwards(ratio: int) -> str:
    """The ratio of a certificate with six decimals, rounded upwards: more would not be proved."""
    from pplab.smooth.proof import BITS

    return f"{-(-ratio * 10**6 // 2**BITS) / 10**6:.6f}"


@certificate_app.command("check")
@one_line(LookupError, OverflowError)
def certificate_check(
    file: Annotated[Path, typer.Argument(help="What pplab certificate make wrote.")],
    dataset: Annotated[
        str | None, typer.Option(help="See that it speaks of this data set, too.")
    ] = None,
) -> None:
    """Add up pairs of rows in whole numbers and see whether a certificate holds."""
    from pplab.smooth.proof import BITS, excess, load_certificate, same_table

    proof = load_certificate(file)
    entries = proof.rows.astype(object) @ (proof.starts[1:] - proof.starts[:-1])
    if dataset is not None and not same_table(proof, _table_of(dataset)):
        refuse(f"{file} speaks of another table than {dataset}")
    if proof.ratio < 2**BITS and excess(proof) > 0:
        refuse(f"{file} does not prove {_upwards(proof.ratio)}: its sums are above that")
    typer.echo(
        f"holds: no smooth {proof.k}-anonymous copy of these {proof.rows.sum():,} rows with "
        f"{entries:,} entries has a Jaccard similarity above {_upwards(proof.ratio)}"
    )


@ledger_app.command("new")
@one_line()
def ledger_new(
    folder: Annotated[Path, typer.Argument(help="A new folder, empty but for .git.")],
) -> None:
    """Make a folder that holds the ledger of your own paper, with a worked example."""
    from pplab.ledger.known import remember
    from pplab.ledger.own import new_folder

    for file in new_folder(folder):
        typer.echo(f"wrote {file}")
    remember(folder)
    typer.echo(f"now: pplab reproduce {shlex.quote(str(folder))}; then {folder / 'README.md'}")


@ledger_app.command("check")
@one_line()
def ledger_check(
    folder: Annotated[
        str | None, typer.Argument(help="A folder that holds a paper; else the one you are in.")
    ] = None,
) -> None:
    """Read rules, choices, parts, data and history, run nothing, and print every fault.

    The exit status is 1 where there is one. `pplab reproduce` does this first.
    """
    from pplab.ledger.faults import check_folder, not_stored
    from pplab.ledger.results import shown

    meant = _one_meant(folder)
    faults, notes = check_folder(meant)
    notes += [] if faults else not_stored(meant)
    for line in (*notes, *faults, f"{len(faults)} fault{'s' * (len(faults) != 1)}"):
        typer.echo(shown(line))
    if faults:
        raise typer.Exit(1)


def _meant(paper: str | None) -> str | None:
    """The paper that is named, or the folder of the one in which one stands."""
    from pplab.ledger.registry import apart, find_paper, paper_here, papers

    if paper is not None and (paper in papers() | apart() or Path(paper).exists()):
        return paper
    here = paper_here()
    own = here is not None and (paper is None or paper == find_paper(here).key)
    return here if own else paper


def _one_meant(paper: str | None) -> str:
    if (meant := _meant(paper)) is None:
        raise ValueError("no paper.toml is here or above: name a paper, or a folder that holds one")
    return meant


def _ask_before_the_first_run(paper: str | None, yes: bool) -> None:
    """Say once what the code of a folder may do that this account has neither made nor run."""
    from pplab.ledger.known import is_known, remember
    from pplab.ledger.registry import find_paper

    if paper is None or find_paper(paper).results is None or is_known(find_paper(paper).folder):
        return
    article = find_paper(paper)
    tell(
        f"{article.folder} is new to this account, and its code gets all rights of the account: "
        f"read {article.module} and what it imports and starts before you run it"
    )
    try:
        agreed = yes or typer.confirm("Run it now?", err=True)
    except typer.Abort:
        typer.echo(err=True)  # after the question
        refuse("nothing was run: there is nobody to ask; add --yes")
    if not agreed:
        refuse("nothing was run")
    remember(article.folder)


def _stop_at_faults(paper: str | None) -> None:
    """Let no experiment of a folder begin while something in it cannot be judged."""
    from pplab.ledger.faults import check_folder
    from pplab.ledger.registry import find_paper

    if paper is not None and find_paper(paper).results is not None:
        for fault in (faults := check_folder(paper, load=True)[0]):
            tell(fault)
        if faults:
            refuse(f"nothing was run: mend this first; pplab ledger check {paper} tells it again")


def _logged(paper: str | None) -> Callable[[str], None]:
    """How a run speaks; that of a folder's paper is kept beside its results, with the time."""
    from pplab.ledger.registry import find_paper
    from pplab.ledger.results import machine, rules_commit, versions

    article = None if paper is None else find_paper(paper)
    if article is None or article.results is None:
        return typer.echo
    log = article.results / article.key / "run.log"
    used = ", ".join(f"{name} {version}" for name, version in versions().items())
    head = [f"run on {machine()}; {used}; rules of {rules_commit(article)}"]

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


def _fail_on(verdicts: Collection[str], entries: Iterable[Entry]) -> None:
    """End with exit status 1 where a claim has one of these verdicts."""
    if failed := [row for row in entries if row.judgement.verdict in verdicts]:
        for entry in failed:
            typer.echo(f"{entry.judgement.verdict}: {entry.claim.id}", err=True)
        refuse(f"{len(failed)} claims have a verdict that --fail-on names")


@ledger_app.command("table")
@one_line()
def ledger_table(
    file: Annotated[
        Path, typer.Argument(help="The table: CSV, or pasted with tabs, semicolons or bars.")
    ],
    place: Annotated[str, typer.Option(help="Where it stands in the paper: 'Table 2'.")],
    part: Annotated[str, typer.Option(help="The experiment that measures it.")],
    select: Annotated[str, typer.Option(help="As 'network={row}; measure={column}'.")],
    rule: Annotated[str, typer.Option(help="Of each cell.")] = "rounded",
    heads: Annotated[int, typer.Option(help="Columns at the left that are heads.")] = 1,
    cells: Annotated[
        list[str] | None,
        typer.Option("--set", help="More columns of each cell: 'unit=%; draws=10'."),
    ] = None,
    but: Annotated[
        list[str] | None,
        typer.Option(help="Other cells: 'karate-*: rule=not-testable; note=no data'."),
    ] = None,
    folder: Annotated[
        str | None, typer.Option(help="The folder of the ledger; else the one you are in.")
    ] = None,
) -> None:
    """Write a printed table into rules.csv, one claim for each cell.

    {row}, {column} and the titles of the columns at the left stand for the heads of a cell.
    """
    from pplab.ledger.registry import find_paper
    from pplab.ledger.table import add_table

    common = {"place": place, "rule": rule, "part": part, "select": select}
    paper = find_paper(_one_meant(folder))
    names, empty = add_table(paper, file, common, heads=heads, more=cells or (), but=but or ())
    typer.echo(f"claims written to {paper.rules}: {len(names)}, {names[0]} ... {names[-1]}")
    if empty:
        typer.echo(f"empty cells left out: {len(empty)}, {', '.join(empty[:9])}")


def _check(paper: str | None, claim: str | None, part: str | None, source: str, full: bool) -> None:
    """Run parts again and compare; the exit status is 1 where a verdict changed."""
    from pplab.ledger.check import STATES, check
    from pplab.ledger.reproduce import select_parts
    from pplab.ledger.views import found_claims, judged_claims

    entries = judged_claims(paper) if claim is None else found_claims(claim, paper)
    wanted = {(e.claim.paper, part) for e in entries for part in {e.part, *e.claim.parts}}
    parts = [pair for pair in select_parts(paper, part) if (pair[0].key, pair[1].name) in wanted]
    if not parts:
        raise ValueError("nothing is to run: printed numbers alone decide here, or nobody can")
    only = {entry.claim.same_as or entry.claim.id for entry in entries}
    source = "real" if source == "auto" else source
    outcomes = check(parts, only=only, source=source, full=full, say=typer.echo)
    states = [outcome.state for outcome in outcomes]
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

    article = find_paper(paper) if paper else None
    folder = folder or (article and article.results) or results_folder()
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
