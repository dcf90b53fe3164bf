"""From a file of one's own to a release in the same columns, and two pages about it."""

import base64
import io
import math
import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, reduce
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from pplab import _above, metrics, own_data
from pplab.checks import check_choice, check_k, check_positive, check_rating_range, shown
from pplab.graphs import as_aligned, rows_of_entries
from pplab.labelled import Table
from pplab.microaggregation import gaussian_noise, microaggregate
from pplab.response import bipartite_noise_graph, epsilon_to_flip
from pplab.smooth import smooth_k_anonymize, suppress_k_anonymize

_Made = tuple[Any, dict[str, Any]]  # a Table, and what was measured
_PEOPLE = 2000  # at most so many are looked for when an attacker knows some of their entries
_MOST_EDGES = 10**8  # of a noise graph: some 1.2 GB, and as much again while it is written


@dataclass(frozen=True)
class Scheme:
    """A way to protect a table.

    Attributes
    ----------
    release : callable
        The release and what was measured on the way, by table and settings.
    needs : tuple of str
        Settings that it takes; it takes no others.
    unit : str
        What is protected.
    guarantee : str
        What is guaranteed, in terms of the settings alone.
    takes_ratings : bool
        Whether it takes ratings; the others take ones.
    """

    release: Callable[..., _Made]
    needs: tuple[str, ...]
    unit: str
    guarantee: str
    takes_ratings: bool = False


def _smooth(table: Table, *, k: int, rng: Any) -> _Made:
    copy = smooth_k_anonymize(table, k, rng=rng)
    measured = _of_copy(copy, _above.jaccard_certificates(table, k, effort="fast"))
    measured["smooth k-anonymous"] = metrics.is_smooth_k_anonymous(table, copy.table, k)
    return copy.table, measured


def _suppress(table: Table, *, k: int, rng: Any) -> _Made:
    copy = suppress_k_anonymize(table, k, rng=rng)
    return copy.table, _of_copy(copy, _above.jaccard_certificates(table, k, copies="suppression"))


def _of_copy(copy: Any, bounds: dict[str, float]) -> dict[str, Any]:
    return {
        "Jaccard similarity": copy.jaccard,
        "no such copy is above": min(bounds.values()),
        "share of entries suppressed": copy.suppressed,
        "entries created, per entry of the original": copy.created,
        "share of people published without an entry": copy.empty_rows,
    }


def _microaggregate(table: Table, *, k: int, rating_range: Any, rng: Any) -> _Made:
    del rng  # nothing is drawn
    means = microaggregate(table, k, rating_range=rating_range)
    return means.table, _of_ratings(table, means)


def _gaussian(table: Table, *, sigma: float, rating_range: Any, rng: Any) -> _Made:
    check_positive("sigma", sigma)  # without noise this is the original
    noisy = gaussian_noise(table, sigma=sigma, rating_range=rating_range, rng=rng)
    return noisy.table, _of_ratings(table, noisy)


def _of_ratings(table: Table, release: Any) -> dict[str, Any]:
    linked = metrics.disclosure_risk(
        table, release.table, direction="original-to-protected", cells="rated"
    )
    original = table.matrix
    published = release.table.matrix.toarray()[rows_of_entries(original), original.indices]
    measured: dict[str, Any] = {
        "root mean squared error of ratings": math.sqrt(np.mean((published - original.data) ** 2)),
        "share of cells that nobody rated": 1 - original.nnz / math.prod(table.shape),
    }
    if (groups := getattr(release, "labels", None)) is not None:
        members = sparse.csr_array(np.arange(groups.max() + 1)[:, None] == groups).astype(int)
        alone = (members @ table.keep().matrix).data == 1
        measured["ratings alone in their group, which can be computed"] = int(alone.sum())
    return measured | {"people linked by all their ratings": float(linked.mean())}


def _noise(table: Table, *, epsilon: float, rng: Any) -> _Made:
    flip, expected = epsilon_to_flip(epsilon), _expected(table, epsilon)
    if expected > _MOST_EDGES:
        raise ValueError(
            f"epsilon {epsilon:g} on {table.shape[0]:,} x {table.shape[1]:,} cells gives about "
            f"{expected:,.0f} edges, of which at most {_MOST_EDGES:,} fit; pass a larger epsilon, "
            "or fewer users or items"
        )
    sampler = "vetted" if rng is None and find_spec("opendp") else "teaching"
    release = bipartite_noise_graph(table, flip_probability=flip, sampler=sampler, rng=rng)
    return release, {
        "sampler": sampler,
        "edges expected": expected,
        "edges": release.matrix.nnz,
        "Jaccard similarity": metrics.jaccard_similarity(table, release),
    }


def _expected(table: Table, epsilon: float) -> float:
    """Expected number of edges of a noise graph."""
    cells, entries, flip = math.prod(table.shape), table.matrix.nnz, epsilon_to_flip(epsilon)
    if flip < 1e-300:  # OpenDP's least
        raise ValueError(f"epsilon must be at most 690, got {epsilon:g}; more is no noise")
    return entries + flip * (cells - 2 * entries)


_K = "each published row is shared by at least k = {k} people"
METHODS = {
    "smooth": Scheme(_smooth, ("k",), "a person's row", f"{_K}; an entry is published for a group "
                     "only if at least half of it has it, so up to half need not be true"),
    "suppress": Scheme(_suppress, ("k",), "a person's row", f"{_K}; no entry is invented, so "
                       "what is published of a person is true"),
    "microaggregate": Scheme(_microaggregate, ("k", "rating_range"), "a person's row",
                             f"{_K}: the means of a group, where the middle of the scale "
                             "counts for what nobody rated; a rating that is the only one of "
                             "its group can be computed from the mean", takes_ratings=True),
    "gaussian": Scheme(_gaussian, ("sigma", "rating_range"), "none",
                       "none: normal noise of sigma = {sigma} standard deviations of the item, "
                       "without a stated level; the middle of the scale counts for what nobody "
                       "rated, and an item with one value throughout is published as it is",
                       takes_ratings=True),
    "noise": Scheme(_noise, ("epsilon",), "one entry", "differential privacy for one entry, "
                    "epsilon = {epsilon:.15g}, delta = 0; for a person with d entries that differ, "
                    "d times epsilon"),
}  # fmt: skip


def protect(
    table: Table, *, method: str, folder: str | Path, command: str = "", entry: str = "",
    rng: Any = None, say: Callable[[str], None] = lambda _: None, **settings: Any,
) -> dict[str, Any]:  # fmt: skip
    """Write a release of a table, with a page for its owner and a label to publish.

    Parameters
    ----------
    table : Table
        Ones for "smooth", "suppress" and "noise"; ratings for the other two.
    method : {"smooth", "suppress", "microaggregate", "gaussian", "noise"}
        How it is protected.
    folder : str or Path
        A new folder: ``release.csv``, ``report.html``, ``release-label.html``.
    command : str
        What the report names as the command that made it.
    entry : str
        What an entry means, for the label, such as "rating at least 4".
    rng : int or None
        A seed, for repeating a release. With "noise" a seed rules out OpenDP's sampler, and anyone
        who knows it can remove the noise.
    say : callable
        Takes a sentence before something large is drawn.
    **settings
        k; sigma; rating_range; epsilon: those that the method needs, and no others.

    Returns
    -------
    dict
        What the report says, computed from the original: not for publication.

    Raises
    ------
    FileExistsError
        If the folder is there already.
    TypeError, ValueError
        If a setting is missing, is not the method's, or leaves its interval; with "noise" if the
        table's frame was taken from its entries.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, arXiv
    2207.06358; Salas and Torra 2020, doi 10.5220/0009833804150422; Casino et al. 2015, doi
    10.1016/j.jcss.2014.12.013.

    Examples
    --------
    >>> from pplab.own_data import table
    >>> with tempfile.TemporaryDirectory() as parent:
    ...     report = protect(
    ...         table([[1, 0], [1, 0], [1, 1]]), method="suppress", k=3, folder=Path(parent, "out")
    ...     )
    ...     sorted(file.name for file in Path(parent, "out").iterdir())
    ['release-label.html', 'release.csv', 'report.html']
    >>> report["k achieved"], report["Jaccard similarity"]
    (3, 0.75)
    """
    way, target = METHODS[check_choice("method", method, METHODS)], Path(folder)
    options = {name: value for name, value in settings.items() if value is not None}
    table = own_data.table(table)
    _check_settings(table, method, way, options)
    _check_entries(table)
    if target.exists():
        raise FileExistsError(f"{target} already exists; name a new folder, or move it away")
    if method == "noise":
        many, entries = _expected(table, options["epsilon"]), table.matrix.nnz
        say(f"about {many:,.0f} entries will be published for {entries:,}")
    release, measured = way.release(table, **options, rng=rng)
    report: dict[str, Any] = {"k achieved": metrics.k_achieved(release.matrix), **measured}
    if not way.takes_ratings:
        risks = metrics.sensitive_attribute_risk(table, release)
        report["mean attribute risk"] = float(np.nanmean(risks))
        report["singled out"] = singled_out(table, release)
    target.parent.mkdir(parents=True, exist_ok=True)
    staged = Path(tempfile.mkdtemp(prefix=".pplab-", dir=target.parent))
    try:
        release.to_csv(staged / "release.csv")
        label = _label(table, method, way, options, entry, str(report.get("sampler", "")))
        pages = {"report.html": _report(table, release, report, label, command)}
        pages["release-label.html"] = _page("What this release is", label)
        for name, page in pages.items():
            (staged / name).write_text(page, encoding="utf-8")
        staged.chmod(0o755)
        staged.rename(target)
    finally:
        shutil.rmtree(staged, ignore_errors=True)
    return report


def _check_settings(table: Table, method: str, way: Scheme, options: dict[str, Any]) -> None:
    """Refuse settings that are missing, not the method's, or out of their interval."""
    missing = [name for name in way.needs if name not in options]
    odd = [name for name in options if name not in way.needs]
    if missing or odd:
        first = f"--{[*missing, *odd][0]}"
        got = f"no {first}; add" if missing else f"{shown(options[odd[0]])} as {first}; drop"
        takes = ", ".join(f"--{name}" for name in way.needs)
        raise ValueError(f"{method} takes {takes}, got {got} {first}")
    if way.takes_ratings and not table.has_values and table.columns[2] is None:
        raise ValueError(
            f"method {method!r} takes ratings, got ones; name the column of ratings, and leave "
            "--keep out"
        )
    if not way.takes_ratings and table.has_values:
        raise ValueError(
            f"method {method!r} takes ones, got values; say which count as an entry "
            "(--keep, or .keep(at_least=...))"
        )
    if "k" in options:
        check_k(options["k"], table.shape[0])
    if "rating_range" in options:
        check_rating_range(options["rating_range"])


def _check_entries(table: Table) -> None:
    """Refuse a table without an entry, and friendships: text that stands on both sides."""
    if not table.matrix.nnz:
        raise ValueError("the table must have entries, got none; keep more of them")
    if both := {x for x in table.users if isinstance(x, str)} & set(table.items):
        raise ValueError(
            f"the table must be of users and items, got {shown(min(both))} as both; a list of "
            "friendships is made by pplab.graph, and docs/your-data.md says what can be published"
        )


def singled_out(table: Table, release: Table) -> dict[int, tuple[float, float]]:
    """Share of people whom 1 to 5 of their own entries single out, in the original and after.

    For up to 2,000 people, drawn with a fixed seed, as many of their entries as the attacker
    knows are drawn. A person is singled out where theirs is the only row that has them all; shares
    are of those who have so many.
    """
    rows, copy = as_aligned(table=table, release=release)
    before, after = sparse.csc_array(rows), sparse.csc_array(copy)
    stream = np.random.default_rng(0)
    people = stream.permutation(np.flatnonzero(np.diff(rows.indptr)))[:_PEOPLE]
    shares = np.zeros((5, 3))
    for person in people.tolist():
        known = stream.permutation(rows.indices[rows.indptr[person] : rows.indptr[person + 1]])
        for many in range(1, min(len(shares), len(known)) + 1):
            alone = [_is_unique(side, known[:many], person) for side in (before, after)]
            shares[many - 1] += (1, *alone)
    sums = enumerate(shares.tolist(), 1)
    return {many: (one / count, two / count) for many, (count, one, two) in sums if count}


def _is_unique(columns: sparse.csc_array, items: np.ndarray, person: int) -> bool:
    """True if a person's row is the only one that has all of some items."""
    lists = [columns.indices[columns.indptr[item] : columns.indptr[item + 1]] for item in items]
    return reduce(partial(np.intersect1d, assume_unique=True), lists).tolist() == [person]


# The two pages.

_SAMPLERS = {
    "vetted": "OpenDP, which takes its randomness from the system",
    "teaching": "a sampler for learning, not for real secrets: floats, and anyone who knows its "
    "seed can remove the noise (see LIMITATIONS)",
}


def _label(
    table: Table, method: str, way: Scheme, options: dict[str, Any], entry: str, sampler: str
) -> list[tuple[str, str]]:
    """Label that may be published: nothing here depends on the entries."""
    lines = [("an entry", entry)] if entry else []
    lines += [
        ("method", method),
        ("unit that is protected", way.unit),
        ("guarantee", way.guarantee.format(**options)),
    ]
    if method == "noise":
        lines += [
            ("neighbours", "two tables of the same users and items that differ in one entry"),
            ("frame", f"public: {table.shape[0]:,} users x {table.shape[1]:,} items"),
            ("the noise was drawn by", _SAMPLERS[sampler]),
        ]
    lines.append(("ids", "as in the original: anyone who knows a person's id finds the row"))
    return [*lines, ("a second release", "is not covered: two releases reveal more than one")]


def _report(table: Table, release: Table, report: dict[str, Any], label: list, command: str) -> str:
    lines = [("original", _sizes(table)), ("release", _sizes(release)), *label]
    others = {"singled out", "sampler", "edges"}  # below, in the label, in the size of the release
    numbers = {name: value for name, value in report.items() if name not in others}
    for name, value in numbers.items():
        text = f"{value:.4g}" if isinstance(value, float) else str(value)
        text = {"True": "yes", "False": "no"}.get(text, text)
        lines.append((name.replace("edges", "entries"), text + _MEANS.get(name, "")))
    for many, (before, after) in report.get("singled out", {}).items():
        name = f"people with {many} or more entries, singled out by {many} of them at random"
        lines.append((name, f"{before:.1%} before, {after:.1%} after"))
    lines.append(("command", command))
    title = "For you, not for publication: computed from the original"
    return _page(title, lines, _pictures(table, release, report))


def _sizes(table: Table) -> str:
    users, items = table.shape
    return f"{users:,} users x {items:,} items, {table.matrix.nnz:,} entries"


_MEANS = {
    "Jaccard similarity": ": entries in both tables, per entry in either; 1 is an exact copy",
    "no such copy is above": ", by any method: a bound on the similarity, not the best copy",
    "mean attribute risk": ": a person's entries over these and all changes; 1 if none changed",
}


def _pictures(table: Table, release: Table, report: dict[str, Any]) -> list[tuple[str, str]]:
    """Entries a person, and who is singled out, each as a picture with its alt text."""
    from matplotlib.figure import Figure

    from pplab.plots.style import COLOURS

    blue, figures = COLOURS["blue"], [Figure(figsize=(5, 3), layout="constrained") for _ in (1, 2)]
    axes, bars = (figure.subplots() for figure in figures)
    sizes = [np.diff(t.canonical.indptr) for t in (table, release)]
    first, last = np.concatenate(sizes).min(), np.concatenate(sizes).max()
    step = (last - first) // 20 + 1  # whole numbers, each in the middle of its bar
    edges = (np.arange(first, last + step + 1, step) - 0.5).tolist()
    axes.hist(sizes[0], edges, histtype="step", color="black", label="original")
    axes.hist(sizes[1], edges, color=blue, alpha=0.6, label="release")
    axes.set(xlabel="entries of a person", ylabel="people")
    axes.locator_params(integer=True)
    averages = f"{sizes[0].mean():.1f} in the original and {sizes[1].mean():.1f} in the release."
    texts = [f"Entries of a person: on average {averages}"]
    if shares := report.get("singled out"):
        many = np.array(list(shares))
        for place, (name, colour) in enumerate((("original", "black"), ("release", blue))):
            heights = [100 * pair[place] for pair in shares.values()]
            bars.bar(many + 0.4 * place - 0.2, heights, 0.4, color=colour, label=name)
        bars.set(xlabel="entries that the attacker knows", ylabel="people singled out, %")
        bars.set(ylim=(0, 100))
        both = "{:.0%} of the people in the original and {:.0%} in the release."
        texts.append(f"{many[-1]} known entries single out {both.format(*shares[int(many[-1])])}")
    pictures = []
    for figure, text in zip(figures, texts, strict=False):
        figure.axes[0].legend()
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", dpi=120)
        pictures.append((base64.b64encode(buffer.getvalue()).decode(), text))
    return pictures


def _page(title: str, lines: list[tuple[str, str]], pictures: Any = ()) -> str:
    from jinja2 import Environment

    template = Path(__file__).with_name("protect.html").read_text(encoding="utf-8")
    page = Environment(autoescape=True).from_string(template)
    return page.render(title=title, lines=lines, pictures=pictures)


def _unquoted(line: str) -> str:
    """A field of a CSV file without its quotes."""
    field = re.fullmatch(r'"((?:[^"]|"")*)"', line)
    return field[1].replace('""', '"') if field else line


def labels_in(file: Path, like: tuple, *, column: str) -> list[Any]:
    """Labels of a frame, one a line, as numbers where those of the table are numbers."""
    try:
        lines = file.read_text(encoding="utf-8-sig").split("\n")  # a label may hold other ends
    except UnicodeDecodeError as error:
        raise ValueError(f"{file} must be UTF-8, got another encoding; save it as UTF-8") from error
    lines = [_unquoted(line) for line in lines if line.strip()]
    if not lines:
        raise ValueError(f"{file} must list labels, one a line, got none; write them")
    if column in [field.strip(' "') for field in re.split("[,;\t]", lines[0])]:
        raise ValueError(
            f"{file} must list labels alone, got the header {lines[0]!r}; leave it out"
        )
    if all(isinstance(label, int) for label in like):
        if odd := [line for line in lines if not re.fullmatch(r"\s*(0|-?[1-9]\d*)\s*", line, re.A)]:
            raise ValueError(
                f"{file} must list whole numbers like the table, got {odd[0]!r}; correct it"
            )
        return [int(line) for line in lines]
    return lines
