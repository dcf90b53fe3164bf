"""The collection of these papers: where they lie, their results, their data, the code behind them.

The functions are those of `claimbook`, to which they hand the collection.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from claimbook import results, rules, views
from claimbook.registry import Collection, Paper
from pplab.shipped import is_clone, shipped

if TYPE_CHECKING:
    import pandas as pd

    from claimbook.part import Part
    from pplab.datasets.catalog import Dataset

_HERE = Path(__file__).parent
_PACKAGES = "packages/" if is_clone() else ""  # where the others stand beside pplab
_ROOT = _HERE.parents[_PACKAGES.count("/")]
# No result depends on these files of pplab.
_NO_EXPERIMENT = ("plots", "widgets.py", "cli.py", "commands.py", "_above.py", "__main__.py")


def results_folder() -> Path:
    """Folder of the results: PPLAB_RESULTS, else those of the project."""
    variable = os.environ.get("PPLAB_RESULTS")
    return Path(variable) if variable else project_results()


def project_results() -> Path:
    """Folder of the committed results: data/results of the clone, or the wheel's copy."""
    return shipped() / "data" / "results"


def _load(part: Part, argument: str, source: str) -> Dataset:
    from pplab.datasets.catalog import catalog
    from pplab.datasets.load import load_dataset, real_files

    name, split = part.datasets[argument]
    if argument in part.instead and not real_files(name, split):
        name, split = part.instead[argument]
    made = catalog()[name].never or argument in part.standins
    return load_dataset(name, split=split, source="standin" if made else source)


def _never(name: str) -> bool:
    from pplab.datasets.catalog import catalog

    return bool(catalog()[name].never)


def _fetch(name: str) -> None:
    from pplab.datasets.load import real_files
    from pplab.datasets.store import fetch

    if not real_files(name):
        fetch(name)


def _behind(paper: Paper) -> list[Path]:
    """Library, engine and own folder of a paper; the engine alone, if it brings its folder."""
    engine = sorted((_ROOT / _PACKAGES / "claimbook").glob("*.py"))
    if paper.results:
        return engine
    library = [_ROOT / "pplab", _ROOT / _PACKAGES / "smoothbound", _HERE]
    others = {*COLLECTION.members, *COLLECTION.aside} - {paper.folder.name}
    left_out = {_ROOT / "pplab" / name for name in _NO_EXPERIMENT} | {_HERE / n for n in others}
    files = sorted(f for top in library for end in ("py", "toml") for f in top.rglob(f"*.{end}"))
    return engine + [file for file in files if left_out.isdisjoint([file, *file.parents])]


COLLECTION = Collection(
    package="pplab_papers",
    folder=_HERE,
    members=("noise_graphs", "social", "smooth", "microaggregation"),
    aside=("yardstick",),
    results=results_folder,
    committed=project_results(),
    frozen=not is_clone(),
    root=_ROOT,
    tracked=("pplab", "packages", ":(exclude)*/history.csv"),  # a run writes the history itself
    moved={
        "pplab/papers/": f"{_PACKAGES}pplab_papers/",
        "pplab/ledger/": f"{_PACKAGES}claimbook/",
        "pplab_course/": f"{_PACKAGES}pplab_course/",
        "packages/": _PACKAGES,
    },
    behind=_behind,
    load=_load,
    never=_never,
    fetch=_fetch,
)

papers, apart, find_paper = COLLECTION.papers, COLLECTION.apart, COLLECTION.find


def judged_claims(paper: str | Path | None = None, **how: Any) -> list[views.JudgedClaim]:
    """Each claim, judged (`claimbook.views.judged_claims`), of one paper or of all."""
    return views.judged_claims(COLLECTION.chosen(paper), **how)


def published_claims() -> tuple[rules.Claim, ...]:
    """All claims of the papers, in the order of their files."""
    return tuple(claim for paper in papers().values() for claim in rules.read_rules(paper))


def read_result(paper: str, part: str, folder: Path | None = None) -> results.Result | None:
    """The stored result of a part, by default of the project (`claimbook.results.read_result`)."""
    return results.read_result(paper, part, folder or results_folder())


def claims(*, paper: str | Path | None = None, folder: str | Path | None = None) -> pd.DataFrame:
    """The claims ledger: every published number and statement beside what this code measured.

    Parameters
    ----------
    paper : str or path, optional
        Key of a paper, or a folder that holds one (``paper.toml``); by default all papers of this
        project.
    folder : path, optional
        Folder of stored results; by default those of the project, or of the paper's folder.

    Returns
    -------
    DataFrame
        One row per claim; columns id, paper, kind, place, setting, published, measured, source,
        rule, tolerance, criterion, null, reading, verdict, first_verdict, cause, same_as, part,
        note, changed, seed, versions, code_commit, rules_commit, seconds, unit, main, read_in,
        author_tolerance. The verdict is computed from the stored measurement by the committed rule
        each time this is called.

    Raises
    ------
    FileNotFoundError
        If there is no folder of results; then nothing can be said of any claim.
    TypeError
        If the folder is no path.
    ValueError
        If a stored result cannot be read, or does not hold what its claims need; the sentence
        names the file.

    References
    ----------
    The papers' DOIs stand in docs and README; the rules beside each ``paper.toml``.

    Examples
    --------
    >>> ledger = claims()
    >>> "noise-graphs" in set(ledger.paper)
    True
    >>> ledger.id.is_unique
    True
    """
    import pandas as pd

    return pd.DataFrame([views.row(entry) for entry in judged_claims(paper, folder=folder)])
