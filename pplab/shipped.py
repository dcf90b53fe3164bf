"""Files of the project that are no code: stored results, notebooks, documents."""

from pathlib import Path

_PACKAGE = Path(__file__).parent


def is_clone() -> bool:
    """True if the package is in its clone, not where pip installs a wheel."""
    return (_PACKAGE.parent / "pyproject.toml").is_file()


def shipped() -> Path:
    """Folder that holds ``data/results``, ``notebooks`` and ``docs``: the clone, or its copy.

    The build of the wheel makes the copy (``setup.py`` lists what is in it), so the clone's files
    are their only source.

    Examples
    --------
    >>> (shipped() / "data" / "results").is_dir()
    True
    """
    return _PACKAGE.parent if is_clone() else _PACKAGE / "_files"
