"""What is missing, slow or stale on this machine, and the command that mends it."""

from __future__ import annotations

import importlib.metadata
import platform
import sys
import time
import webbrowser
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

# A few of the modules whose compiled functions notebooks call: what is true of their cache is
# true of all, since numba chooses one folder for each.
_COMPILED = (
    "metrics.ranking",
    "microaggregation._mdav",
    "recommenders._similarity",
    "smooth._rows",
)


class Finding(NamedTuple):
    """One thing that was looked at: "good", "note" (the course runs), or "mend" (it does not)."""

    state: str
    text: str
    mend: str = ""


def examine(folder: Path) -> Iterator[Finding]:
    """All findings; the folder is that of the student's notebooks."""
    yield Finding("good", f"Python {platform.python_version()}, {sys.executable}")
    packages = list(_packages())
    yield from packages
    if any(finding.state == "mend" for finding in packages):
        return  # the rest cannot be looked at without them
    yield from _lab()
    yield from _course(folder)
    yield from _data()
    yield from _cache()
    yield from _progress()


def _packages() -> Iterator[Finding]:
    """Each package that pplab needs, against the bounds that pplab declares."""
    from packaging.requirements import Requirement

    try:
        told = importlib.metadata.distribution("pplab")
    except importlib.metadata.PackageNotFoundError:
        mend = "python -m pip install -e ."
        yield Finding("mend", "pplab runs from a folder and is not installed", mend)
        return
    wrong = False
    for requirement in map(Requirement, told.requires or []):
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        try:
            found = importlib.metadata.version(requirement.name)
        except importlib.metadata.PackageNotFoundError:
            found = ""
        if not found or not requirement.specifier.contains(found, prereleases=True):
            wrong = True
            text = f"{requirement.name} is {found or 'missing'}, pplab needs {requirement}"
            yield Finding("mend", text, f'python -m pip install "{requirement}"')
    if not wrong:
        yield Finding("good", f"pplab {told.version}, and every package that it needs")
    try:
        import_module("numba")
    except ImportError as error:
        mend = "python -m pip install --upgrade numba"
        yield Finding("mend", f"numba does not load: {error}", mend)


def _lab() -> Iterator[Finding]:
    try:
        yield Finding("good", f"JupyterLab {importlib.metadata.version('jupyterlab')}")
    except importlib.metadata.PackageNotFoundError:
        mend = "python -m pip install jupyterlab"
        yield Finding("note", "JupyterLab is missing, `pplab lab` needs it", mend)
        return
    try:
        webbrowser.get()
    except webbrowser.Error:
        mend = "pplab lab --no-browser   (then open the address that it prints)"
        yield Finding("note", "no browser is found on this machine", mend)


def _course(folder: Path) -> Iterator[Finding]:
    """Stored results and notebooks that came with pplab; those in the student's folder."""
    from pplab.ledger.results import results_folder
    from pplab_course.start import MANIFEST, course_files, is_shipped, look

    wheel = f"pplab-{importlib.metadata.version('pplab')}-py3-none-any.whl"
    again = f"python -m pip install --force-reinstall --no-deps {wheel}"
    if not any(results_folder().glob("*/*.json")):
        yield Finding("mend", f"no stored results in {results_folder()}", again)
    try:
        count = sum("/" not in name for name in course_files())
    except FileNotFoundError as error:
        yield Finding("mend", str(error), again)
        return
    if is_shipped(folder) or not (folder / MANIFEST).exists():
        yield Finding("good", f"{count} notebooks; `pplab lab` opens them")
        return
    try:
        found = look(folder)[0]
    except ValueError as error:
        yield Finding("mend", str(error))
        return
    text = f"{count} notebooks in {folder}, {len(found.edited)} of them edited"
    if found.new or found.older:
        text = f"{folder}: {len(found.new)} files are missing, {len(found.older)} are older"
        yield Finding("note", text, f'pplab notebooks "{folder}" --update')
    else:
        yield Finding("good", text)


def _data() -> Iterator[Finding]:
    from pplab.datasets.catalog import catalog
    from pplab.datasets.load import real_files
    from pplab.datasets.store import data_root

    if (named := data_root()) is not None and not named.is_dir():
        mend = "correct or unset PPLAB_DATA"
        yield Finding("mend", f"PPLAB_DATA names {named}, which is no folder", mend)
    real = [name for name in catalog() if real_files(name)]
    if real:
        yield Finding("good", f"real data: {', '.join(real)}; stand-ins for the others")
    else:
        text = "no real data: everything runs on stand-ins, and says so"
        yield Finding("note", text, "pplab data status")


def _cache() -> Iterator[Finding]:
    """Whether compiled functions can be kept, and whether some are."""
    modules = [import_module(f"pplab.{name}") for name in _COMPILED]
    compiled = [each for module in modules for each in vars(module).values() if _keeps(each)]
    if not compiled:
        mend = "set NUMBA_CACHE_DIR to a folder that you can write"
        yield Finding("note", "compiled functions cannot be kept: every start is slow", mend)
        return
    places = [Path(file) for each in compiled for file in each._cache.places]
    kept = [file.parent for file in places if file.exists()]
    if kept:
        yield Finding("good", f"compiled functions are kept in {kept[0]}")
    else:
        folder = compiled[0].stats.cache_path
        text = f"nothing is compiled yet: first calls compile for minutes in all ({folder})"
        yield Finding("note", text, "pplab doctor --warm")


def _keeps(function: Any) -> bool:
    """Whether it is a compiled function with a place to be kept."""
    return bool(getattr(getattr(function, "stats", None), "cache_path", None))


def _progress() -> Iterator[Finding]:
    from pplab_course.progress import progress_folder

    folder = progress_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ".try").touch()
        (folder / ".try").unlink()
    except OSError as error:
        text = f"solved exercises cannot be noted in {folder} ({error.strerror})"
        yield Finding("note", text, "set PPLAB_PROGRESS to a folder that you can write")
    else:
        yield Finding("good", f"solved exercises are noted in {folder}")


def warm_up() -> float:
    """Call what the notebooks call, on small data, so that it is compiled; the seconds it took."""
    import numpy as np
    from scipy import sparse

    from pplab.attacks import reidentification_curve
    from pplab.datasets import block_model
    from pplab.metrics import disclosure_risk, ndcg
    from pplab.microaggregation import microaggregate
    from pplab.recommenders import communities, recommend, utilities
    from pplab.recommenders.recommend import METHODS
    from pplab.recommenders.similarity import MEASURES
    from pplab.response import bipartite_noise_graph, noise_graph, weighted_noise_graph
    from pplab.smooth import anonymize, smooth_k_anonymize, suppress_k_anonymize
    from pplab.smooth.certificates import jaccard_certificates

    start = time.monotonic()
    rng = np.random.default_rng(1)
    made = block_model(block_size=8, blocks=6, inside=0.7, outside=0.1, rng=rng)
    likes = made.biadjacency
    friends = sparse.csr_array(np.kron(np.eye(6), np.ones((8, 8))) - np.eye(48))
    stars = np.ascontiguousarray(rng.integers(1, 6, (48, 12)).astype(float))

    noise_graph(friends, flip_probability=0.1, rng=1)
    bipartite_noise_graph(likes, flip_probability=0.1, rng=1)
    weighted_noise_graph(likes, flip_probability=0.1, top_rating=5, rng=1)
    needs = {"clusters": communities(friends, runs=1, rng=1), "group_size": 8}
    for measure in MEASURES:
        ideal = utilities(friends, likes, measure=measure)
        for method, each in METHODS.items():
            needed: Any = {name: value for name, value in needs.items() if name == each.needs}
            settings = {"epsilon": 1, "measure": measure, "top_n": 3, "rng": 1, **needed}
            found = recommend(friends, likes, method=method, **settings)
            ndcg(ideal, found.items, top_n=3)
    for method in anonymize.METHODS:
        smooth_k_anonymize(likes, 4, method=method, rng=1)
    for method in anonymize.SUPPRESSION_METHODS:
        suppress_k_anonymize(likes, 4, method=method, rng=1)
    smooth_k_anonymize(likes, 4, effort="thorough", rng=1)
    jaccard_certificates(likes, 4)
    means = microaggregate(stars, 4, rating_range=(1, 5)).protected
    disclosure_risk(stars, means, direction="original-to-protected")
    reidentification_curve(stars, means, rating_range=(1, 5), rng=1)
    return time.monotonic() - start
