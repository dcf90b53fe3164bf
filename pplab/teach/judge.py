"""The process that judges one notebook: it holds the secret and never runs the student's code.

It starts a second process, `pplab.teach.student`, which runs the notebook, and asks it for the
answers in plain data. A function that a student wrote is called there and judged here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from pplab.teach.plain import Far, Gone, Peer

MOST = 15  # times the seconds of a cell, for a whole notebook
STARTS = 4  # of the student's process: each cell or exercise that ends it costs one


class _Student:
    """The student's process, ended when one thing takes longer than the seconds it has."""

    def __init__(self, user: str | None, folder: str, seconds: float, last: float) -> None:
        environment = {**os.environ, "MPLBACKEND": "Agg"}
        environment |= {"IPYTHONDIR": folder, "PPLAB_PROGRESS": folder}
        environment.pop("PPLAB_SECRET", None)
        another: dict[str, Any] = {"user": user, "extra_groups": []}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pplab.teach.student"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=environment,
            **(another if user else {}),
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.peer = Peer(self._process.stdout, self._process.stdin, [])
        self.cell, self._seconds, self._last = -1, seconds, last
        self.begin()
        threading.Thread(target=self._watch, daemon=True).start()

    def begin(self, cell: int = -1) -> None:
        """A new cell or exercise has all its seconds."""
        self.cell, self._until = cell, time.monotonic() + self._seconds

    def run(self, cells: list[Any]) -> tuple[dict[str, Any], list[str]]:
        """Answers, not yet decoded, and what each cell printed."""
        answers, printed = Far(self.peer, 0)(cells, self.begin)
        return dict(answers), [str(each) for each in printed]

    def _watch(self) -> None:
        while self._process.poll() is None:
            if time.monotonic() > min(self._until, self._last):
                self._process.kill()
            time.sleep(0.1)

    def end(self) -> None:
        """Leave no process behind."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            _close(pipe)


def _close(pipe: IO[bytes] | None) -> None:
    try:
        if pipe is not None:
            pipe.close()
    except OSError:  # what was still to be written finds nobody
        return


def judge_notebook(
    cells: Sequence[Any], *, seconds: float, user: str | None = None
) -> dict[str, Any]:
    """Run a notebook in a process of its own and judge its answers in this one.

    Parameters
    ----------
    cells : sequence of str or of pairs
        Sources in order; a pair (exercise, expression) where an answer is to be taken.
    seconds : float
        For each cell and for each exercise.
    user : str, optional
        Account that runs the student's cells, where this one may change accounts (root, not on
        Windows); this one when left out.

    Returns
    -------
    dict
        ``verdicts``: exercise to (right or not, sentence); ``printed``: a text for each cell.

    Examples
    --------
    >>> cells = ["answer = 6 * (2 - 2 / 3)", ("02-C", "answer")]
    >>> judge_notebook(cells, seconds=60)["verdicts"]["02-C"][0]
    True
    """
    cells = list(cells)
    verdicts: dict[str, tuple[bool, str]] = {}
    printed = [""] * len(cells)
    last = time.monotonic() + MOST * seconds
    for _ in range(STARTS):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            Path(folder).chmod(0o777 if user else 0o700)
            student = _Student(user, folder, seconds, last)
            try:
                answers, printed = student.run(cells)
                for exercise, _ in (cell for cell in cells if not isinstance(cell, str)):
                    if exercise not in verdicts:
                        verdicts[exercise] = False, "your function ended, or took too long."
                        verdicts[exercise] = _verdict(student, exercise, answers.get(exercise))
                break
            except Gone:
                if 0 <= student.cell < len(cells):  # which is left out next time
                    cells[student.cell] = f"print('stopped, or longer than {seconds:g} s')"
            except Exception:  # what came is no answer of `pplab.teach.student`
                break
            finally:
                student.end()
    for cell in cells:
        if not isinstance(cell, str) and cell[0] not in verdicts:
            verdicts[cell[0]] = (False, "no answer: the notebook's process ended before it.")
    return {"verdicts": verdicts, "printed": printed}


def _verdict(student: _Student, exercise: str, given: Any) -> tuple[bool, str]:
    from pplab.course.check import _judged

    if not isinstance(given, list) or len(given) != 1:
        return False, f"no answer ({given if isinstance(given, str) else 'none was given'})."
    student.begin()
    try:
        answer = student.peer.decode(given[0])
    except Exception as error:
        return False, f"the answer cannot be read ({type(error).__name__})."
    return _judged(exercise, answer)


def main() -> None:
    """Read the work from standard input as JSON, write verdicts to standard output as JSON."""
    work = json.load(sys.stdin)
    os.environ["PPLAB_SECRET"] = work["secret"]  # before the judges draw what they hide
    found = judge_notebook(work["cells"], seconds=work["seconds"], user=work["user"])
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
