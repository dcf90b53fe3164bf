"""Findings on this machine: what is missing, slow or stale, and the command that mends it."""

import importlib.metadata
import platform
import sys
import time
import webbrowser
from collections.abc import Iterator
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, testmod
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, NamedTuple

from claimbook.code import version_of

_TOPICS = (
    *("pplab.attacks", "pplab.metrics", "pplab.microaggregation", "pplab.recommenders"),
    *("pplab.response", "pplab.smooth", "smoothbound"),
)
# A few of the modules whose compiled functions notebooks call: what is true of their cache is
# true of all, since numba chooses one folder for each.
_COMPILED = (
    "pplab.metrics.error",
    "pplab.microaggregation._mdav",
    "pplab.recommenders._similarity",
    "pplab.smooth.rows",
)


class Diagnosis(NamedTuple):
    """One thing that was looked at: "good", "note" (the course runs), or "mend" (it does not)."""

    state: str
    text: str
    mend: str = ""


def examine(folder: Path) -> Iterator[Diagnosis]:
    """All findings; the folder is that of the student's notebooks."""
    yield Diagnosis("good", f"Python {platform.python_version()}, {sys.executable}")
    packages = list(_packages())
    yield from packages
    if any(finding.state == "mend" for finding in packages):
        return  # the rest cannot be looked at without them
    yield from _lab()
    yield from _course(folder)
    yield from _data()
    yield from _cache()
    yield from _progress(folder)


def _packages() -> Iterator[Diagnosis]:
    """Each package that pplab needs, against the bounds that pplab declares."""
    from packaging.requirements import Requirement

    if not (our_version := version_of("pplab")):
        mend = "python -m pip install -e ."
        yield Diagnosis("mend", "pplab runs from a folder and is not installed", mend)
        return
    wrong = False
    for requirement in map(Requirement, importlib.metadata.requires("pplab") or []):
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        version = version_of(requirement.name)
        if not version or not requirement.specifier.contains(version, prereleases=True):
            wrong = True
            text = f"{requirement.name} is {version or 'missing'}, pplab needs {requirement}"
            yield Diagnosis("mend", text, f'python -m pip install "{requirement}"')
    if not wrong:
        yield Diagnosis("good", f"pplab {our_version}, and every package that it needs")
    try:
        import_module("numba")
    except ImportError as error:
        mend = "python -m pip install --upgrade numba"
        yield Diagnosis("mend", f"numba does not load: {error}", mend)


def _lab() -> Iterator[Diagnosis]:
    if not (version := version_of("jupyterlab")):
        mend = "python -m pip install jupyterlab"
        yield Diagnosis("note", "JupyterLab is missing; `pplab lab` needs it", mend)
        return
    yield Diagnosis("good", f"JupyterLab {version}")
    try:
        webbrowser.get()
    except webbrowser.Error:
        mend = "pplab lab --no-browser   (then open the address that it prints)"
        text = "no browser can be opened here: none is installed, or the terminal has no display"
        yield Diagnosis("note", text, mend)


def _course(folder: Path) -> Iterator[Diagnosis]:
    """Stored results and notebooks that came with pplab; those in the student's folder."""
    from pplab_course.start import MANIFEST, course_files, look
    from pplab_papers.collection import results_folder

    wheel = f"pplab-{version_of('pplab')}-py3-none-any.whl"
    again = f"python -m pip install --force-reinstall --no-deps {wheel}"
    if not any(results_folder().glob("*/*.json")):
        yield Diagnosis("mend", f"no stored results in {results_folder()}", again)
    try:
        count = sum("/" not in name for name in course_files())
    except (FileNotFoundError, ValueError) as error:  # none are there; edited in the clone
        mend = again if isinstance(error, FileNotFoundError) else "git restore notebooks"
        yield Diagnosis("mend", str(error), mend)
        return
    if not (folder / MANIFEST).exists():
        yield Diagnosis("good", f"{count} notebooks; `pplab lab` opens them")
        return
    try:
        files = look(folder)[0]
    except ValueError as error:
        yield Diagnosis("mend", str(error))
        return
    if files.new or files.older:
        text = f"{folder}: {len(files.new)} files are missing, {len(files.older)} are older"
        yield Diagnosis("note", text, f'pplab notebooks "{folder}" --update')
    else:
        text = f"{count} notebooks in {folder}, {len(files.edited)} of them edited"
        yield Diagnosis("good", text)


def _data() -> Iterator[Diagnosis]:
    from pplab.datasets.catalog import catalog
    from pplab.datasets.load import real_files
    from pplab.datasets.store import data_root

    if (named := data_root()) is not None and not named.is_dir():
        mend = "correct or unset PPLAB_DATA"
        yield Diagnosis("mend", f"PPLAB_DATA names {named}, which is not a folder", mend)
    if real := [name for name in catalog() if real_files(name)]:
        yield Diagnosis("good", f"real data: {', '.join(real)}; stand-ins for the others")
    else:
        text = "no real data: everything runs on stand-ins, and says so"
        yield Diagnosis("note", text, "pplab data status")


def _cache() -> Iterator[Diagnosis]:
    """State of the cache: whether compiled functions can be kept, and whether some are."""
    modules = [import_module(name) for name in _COMPILED]
    functions = [function for module in modules for function in vars(module).values()]
    compiled = [f for f in functions if getattr(getattr(f, "stats", None), "cache_path", None)]
    if not compiled:
        mend = "set NUMBA_CACHE_DIR to a folder that you can write"
        yield Diagnosis("note", "compiled functions cannot be kept: every start is slow", mend)
        return
    places = [Path(file) for function in compiled for file in function._cache.places]
    if kept := [file.parent for file in places if file.exists()]:
        yield Diagnosis("good", f"compiled functions are kept in {kept[0]}")
    else:
        folder = compiled[0].stats.cache_path
        text = f"nothing is compiled yet: first calls will take a minute in all ({folder})"
        yield Diagnosis("note", text, "pplab doctor --warm")


def _progress(course: Path) -> Iterator[Diagnosis]:
    from pplab_course.progress import progress_folder

    folder = progress_folder(course if course.is_dir() else Path())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ".try").touch()
        (folder / ".try").unlink()
        if not any(folder.iterdir()):
            folder.rmdir()
    except OSError as error:
        text = f"solved exercises cannot be noted in {folder} ({error.strerror})"
        yield Diagnosis("note", text, "set PPLAB_PROGRESS to a folder that you can write")
    else:
        yield Diagnosis("good", f"solved exercises are noted in {folder}")


def warm_up() -> float:
    """Compile what the notebooks call, by the examples of the docstrings; the seconds it took."""
    import numpy as np

    from pplab.datasets import block_model
    from pplab.recommenders import recommend
    from pplab.recommenders.similarity import MEASURES
    from pplab.smooth import smooth_k_anonymize

    start = time.monotonic()
    for topic in _TOPICS:
        package = import_module(topic)
        for module in iter_modules(package.__path__, f"{package.__name__}."):
            testmod(import_module(module.name), optionflags=ELLIPSIS | NORMALIZE_WHITESPACE)
    likes = block_model(block_size=8, blocks=6, inside=0.7, outside=0.1, rng=1).biadjacency
    friends, clusters = np.kron(np.eye(6), 1 - np.eye(8)), np.repeat(range(6), 8)
    settings: Any = {"epsilon": 1, "top_n": 3, "method": "cluster", "clusters": clusters, "rng": 1}
    for measure in MEASURES:  # of which an example shows one
        recommend(friends, likes, measure=measure, **settings)
    smooth_k_anonymize(likes, 4, effort="thorough", rng=1)
    return time.monotonic() - start
