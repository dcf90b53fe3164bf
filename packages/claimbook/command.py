"""An experiment in any language: a command that writes a table."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import current_thread, main_thread
from typing import IO, Any

import pandas as pd

from claimbook.checks import stamp

_LAST = 12  # lines of a log that are shown


@dataclass(frozen=True)
class Command:
    """A command as the experiment of a `Part`; it is run in the paper's folder.

    All that it says goes into a file beside its table, ``out.csv.log`` for ``out.csv``.

    Parameters
    ----------
    words : sequence of str
        The program and its arguments. Braces stand for what the part has: ``{rng}`` for the seed,
        ``{runs}`` for an option, ``{club[data/members.csv]}`` for a file of the data set ``club``;
        a brace itself is written twice.
    output : str
        The table that it writes: a CSV file, or a JSON file with a list of records.
    minutes : float
        Longest run; then the command is stopped, and what it started.

    Examples
    --------
    >>> Command(["Rscript", "table2.R", "{rng}"], output="table2.csv", minutes=30).minutes
    30
    """

    words: Sequence[str]
    output: str
    minutes: float

    def __call__(self, **arguments: Any) -> pd.DataFrame:
        """Run it here, and read what it wrote.

        Raises
        ------
        ValueError
            If its words or its output are not as they should be.
        RuntimeError
            If it fails, takes too long or writes nothing; the last lines of its log follow.
        """
        output, log = Path(self.output), Path(f"{self.output}.log")
        if (read := _READERS.get(output.suffix.lower())) is None:
            raise ValueError(f"output must be a .csv or a .json file, got {self.output!r}")
        words = [_fill(word, arguments) for word in self.words]
        before = stamp(output)
        try:
            with log.open("wb") as file, _process(words, file) as process:
                status = process.wait(60 * self.minutes)
        except subprocess.TimeoutExpired:
            reason = f"was stopped after {self.minutes:g} minutes"
        except OSError as error:
            reason = f"could not be started ({error.strerror}): install it, or correct its name"
        else:
            if not status and stamp(output) != before:
                return read(output)
            reason = f"ended with status {status}" if status else f"did not write {self.output}"
        last_lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-_LAST:]
        raise RuntimeError("\n".join([f"{' '.join(words)!r} {reason}; see {log}", *last_lines]))


_READERS = {
    ".csv": pd.read_csv,
    ".json": lambda file: pd.DataFrame(json.loads(file.read_text(encoding="utf-8"))),
}


def _fill(word: str, arguments: Mapping[str, Any]) -> str:
    try:
        return word.format(**arguments)
    except (LookupError, ValueError, AttributeError) as error:
        names = ", ".join(arguments) or "none"
        raise ValueError(
            f"{word!r} cannot be filled in ({error}); the part has {names}, and a brace itself is "
            f"written twice"
        ) from error


@contextmanager
def _process(words: Sequence[str], log: IO[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """Start a command; however this ends, neither it nor what it started goes on."""
    process = subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
    )
    before: Any = signal.getsignal(signal.SIGINT)

    def stop(*signal_arguments: Any) -> None:  # Ctrl-C does not reach another session
        _end(process)
        before(*signal_arguments)

    stoppable = callable(before) and current_thread() is main_thread()
    if stoppable:
        signal.signal(signal.SIGINT, stop)
    try:
        yield process
    finally:
        if stoppable:
            signal.signal(signal.SIGINT, before)
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
