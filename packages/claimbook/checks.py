"""Checks of what comes in, and how it is told."""

import hashlib
import reprlib
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

# The words of ``report/words.toml``: verdicts, sources, kinds, and those of a search.
TERMS: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("report").joinpath("words.toml").read_text(encoding="utf-8")
)


class _Repr(reprlib.Repr):
    def repr_int(self, number: int, level: int) -> str:
        try:
            str(number)
        except ValueError:  # Python refuses to write 10**5000
            return f"an integer of {number.bit_length():,} bits"
        return super().repr_int(number, level)


_REPR = _Repr()
_REPR.maxlist = _REPR.maxtuple = _REPR.maxdict = _REPR.maxset = 6
_REPR.maxlong = _REPR.maxother = _REPR.maxstring = 60


def shown(value: Any) -> str:
    """Show a value in one short line, whatever it is.

    Examples
    --------
    >>> shown([0] * 1000), shown([10**5000])
    ('[0, 0, 0, 0, 0, 0, ...]', '[an integer of 16,610 bits]')
    """
    try:
        text = " ".join(_REPR.repr(value).split())
    except Exception:  # a value that cannot be shown: an object of somebody's own
        return f"an object of type {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:77]}..."


def printable(text: str) -> str:
    """Spell out what a terminal would obey or hide, as \\x1b: control characters, bidi marks."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


def sentence_of(error: Exception | str) -> str:
    """Sentence of a command about an error; of one of the file system, with a remedy."""
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}; check that path, or name another"
    return str(error)


def check_choice(name: str, value: Any, choices: Iterable[str]) -> str:
    """Refuse a name that is not among the choices."""
    known = list(choices)
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, known))}, got {shown(value)}")
    return value


def stamp(file: Path) -> tuple[int, ...]:
    """What changes with a file, its content or its place on the disk; empty where there is none."""
    if not file.is_file():
        return ()
    facts = file.stat()
    return facts.st_mtime_ns, facts.st_ctime_ns, facts.st_size, facts.st_ino


def sha256_of(path: Path) -> str:
    """Checksum of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
