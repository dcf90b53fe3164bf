"""The process that judges one notebook: it holds the secret and never runs the student's code.

It starts a second process, the module `student` next to it, in a cage where the system has one,
hands it cell after cell and asks it for the answers in plain data. A function that a student
wrote is called there and judged here. Whatever that process does, it has its seconds and no more;
where an answer keeps this process busy, it ends itself, and the marker judges the rest anew.
"""

import base64
import hmac
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from pplab_course.draws import TOKEN
from pplab_course.teach.cage import caged, children, end, environment, limit, shut
from pplab_course.teach.plain import Far, Gone, Peer

MOST = 15  # times the seconds of a cell, for a whole notebook
STARTS = 4  # of the student's process: each cell or exercise that ends it costs one
START = 120  # seconds for the student's process to start, which no cell has to answer for
LONGEST = 4_000  # characters of a cell's output that the marker sees
NAME = 40  # characters of the name of an error
PICTURES = 20_000_000  # characters of all figures of a notebook, in base64


class _Student:
    """The student's process, and the line to it."""

    def __init__(self, folder: str, *, trusted: bool) -> None:
        from pplab_course.exercises import judged

        self._judged = judged
        program = [sys.executable, "-m", "pplab_course.teach.student"]
        self._others = children()
        self._process = subprocess.Popen(
            program if trusted else caged(program, folder),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=environment(folder) if trusted else environment(),
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.peer = Peer(self._process.stdout, self._process.stdin)
        self.peer.until = time.monotonic() + START

    def run(self, cell: str) -> tuple[str, list[str], str, str]:
        """Run a cell; give what it printed, its figures, its Markdown, and how it failed."""
        try:
            _alarm(self.peer.until - time.monotonic() + 1)
            reply = Far(self.peer, 0)(cell)
            whole = isinstance(reply, list) and len(reply) == 4
            text, outputs, prose, failed = reply if whole else (reply, [], "", "")
            figures = [*filter(None, map(_png, outputs))]
            return str(text)[:LONGEST], figures, str(prose)[:LONGEST], str(failed)[:NAME]
        except Exception as error:
            return str(error)[:LONGEST], [], "", type(error).__name__
        finally:
            _alarm(0)

    def verdict(self, exercise: str, expression: str) -> tuple[bool, str]:
        """Take the answer to an exercise and judge it; what was lent for that goes out of use."""
        try:
            _alarm(self.peer.until - time.monotonic() + 1)
            [answer] = Far(self.peer, 1)(expression)
            return self._judged(exercise, answer)
        except Exception as error:
            return False, f"no answer ({type(error).__name__}: {error})"[:LONGEST]
        finally:
            _alarm(0)
            self.peer.forget()

    def end(self) -> None:
        """Leave no process behind."""
        end(self._process, self._others)
        self.peer.close()


def _png(image: Any) -> str:
    """A picture in base64, written anew, if it is nothing else; or an empty text."""
    try:
        data = base64.b64decode("".join(image.split()), validate=True)
    except (AttributeError, ValueError):
        return ""
    return base64.b64encode(data).decode() if data.startswith(b"\x89PNG\r\n\x1a\n") else ""


def _late(*_: Any) -> None:
    raise Gone("the judge itself was kept busy")


def _alarm(seconds: float) -> None:
    """End a judging that an answer keeps busy, where this process has set the alarm up.

    Python hears an alarm only between two of its own steps. Where one step in C does not end, the
    second alarm ends this process, after twice the seconds of the processor.
    """
    if hasattr(signal, "setitimer") and signal.getsignal(signal.SIGALRM) is _late:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        signal.setitimer(signal.ITIMER_PROF, seconds and 2 * seconds + 2)


def judge_notebook(
    cells: Sequence[Any],
    *,
    seconds: float,
    trusted: bool = False,
    lost: Sequence[int] = (),
    begin: Callable[[int], object] = lambda _: None,
) -> dict[str, Any]:
    """Run a notebook in a process of its own and judge its answers in this one.

    Parameters
    ----------
    cells : sequence of str or of pairs
        Sources in order; a pair (exercise, expression) where an answer is to be taken.
    seconds : float
        For each cell and for each exercise.
    trusted : bool
        Whether the notebook runs with all rights of this account instead of in a cage.
    lost : sequence of int
        Places of cells and answers that are left out, since they ended a judge before.
    begin : callable
        Called with the place of each cell and answer before anything is done with it.

    Returns
    -------
    dict
        ``verdicts``: exercise to (right or not, sentence); ``printed``, ``figures``, ``prose``: a
        text, a list of PNG in base64, and a text in Markdown for each cell.

    Examples
    --------
    >>> cells = ["answer = 6 * (2 - 2 / 3)", ("02-C", "answer")]
    >>> judge_notebook(cells, seconds=60, trusted=True)["verdicts"]["02-C"][0]
    True
    """
    cells, printed, prose = list(cells), [""] * len(cells), [""] * len(cells)
    figures: list[list[str]] = [[] for _ in cells]
    failed = [""] * len(cells)
    verdicts: dict[str, tuple[bool, str]] = {}
    last = time.monotonic() + MOST * seconds
    early = f"ended early: it ended the process, or took longer than {seconds:g} s."
    for place in lost:
        if isinstance(cells[place], str):
            cells[place] = f"print({early!r})"
        else:
            verdicts[cells[place][0]] = False, f"{early[:-1]} to judge."
    for _ in range(STARTS):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            student, place, cell = _Student(folder, trusted=trusted), -1, None
            try:
                student.run("")  # so that no cell has to answer for the start
                for place, cell in enumerate(cells):
                    begin(place)
                    student.peer.until = min(time.monotonic() + seconds, last)
                    if isinstance(cell, str):
                        output = student.run(cell)
                        printed[place], figures[place], prose[place], failed[place] = output
                        if sum(len(image) for images in figures for image in images) > PICTURES:
                            figures[place] = []
                    elif cell[0] not in verdicts:
                        verdicts[cell[0]] = False, early
                        right, message = student.verdict(*cell)
                        if not right and place and failed[place - 1]:
                            message += f" (The cell above ended with {failed[place - 1]}, so the"
                            message += " answer may be missing or old.)"
                        verdicts[cell[0]] = right, message
                break
            except Gone:
                if isinstance(cell, str):  # it is left out next time
                    cells[place] = f"print({early!r})"
            finally:
                student.end()
    for cell in cells:
        if not isinstance(cell, str) and cell[0] not in verdicts:
            verdicts[cell[0]] = False, "no answer: the notebook's process ended before it."
    return {"verdicts": verdicts, "printed": printed, "figures": figures, "prose": prose}


def main() -> None:
    """Read the work from standard input as JSON; write the signed verdicts to standard output."""
    shut()
    limit()
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, _late)
    work = json.load(sys.stdin)
    os.environ["PPLAB_SECRET"] = work["secret"]  # before the judges draw what they hide
    os.environ[TOKEN] = work["token"]
    settings = {name: work[name] for name in ("cells", "seconds", "trusted", "lost")}
    text = json.dumps(judge_notebook(**settings, begin=partial(print, flush=True)))
    print(signed(text, work["key"]), text)


def signed(text: str, key: str) -> str:
    """Signature of a judge's answer, which only the owner of its key can make."""
    return hmac.digest(key.encode(), text.encode(), "sha256").hex()


if __name__ == "__main__":
    main()
