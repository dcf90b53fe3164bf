"""The process that runs a student's notebook: it answers questions and knows no judge's secret."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from pplab.teach.plain import Gone, Peer

LONGEST = 4_000  # characters of a cell's output that the marker sees


def main() -> None:
    """Serve the judge over what were standard input and output; cells get empty ones."""
    reading, writing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    try:
        peer = Peer(reading, writing, held := [])
        held.append(lambda cells, now: _run(peer, cells, now))
        peer.serve()
    except Gone:
        os._exit(0)  # threads of a cell may still run


def _run(peer: Peer, cells: list[Any], now: Callable[[int], None]) -> tuple[dict[str, Any], list]:
    """Run cells in order; give the answers to the exercises, and what each cell printed.

    A cell is its source, or the pair (exercise, expression) where an answer is to be taken. An
    answer travels within a list, or as a text that says why there is none.
    """
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output

    shell = InteractiveShell.instance(colors="NoColor")
    answers: dict[str, Any] = {}
    printed = []
    for place, cell in enumerate(cells):
        now(place)
        if isinstance(cell, str):
            with capture_output() as said:
                shell.run_cell(cell)
            text = "".join([said.stdout, said.stderr, *map(_shown, said.outputs)])
            printed.append(text[:LONGEST])
            continue
        printed.append("")
        exercise, expression = cell
        try:
            answers[exercise] = [peer.encode(eval(expression, shell.user_ns))]
        except (Exception, SystemExit) as error:
            answers[exercise] = f"{type(error).__name__}: {error}"[:200]
    return answers, printed


def _shown(output: Any) -> str:
    data = output.data or {}
    return f"{data.get('text/markdown') or data.get('text/plain', '')}\n"


if __name__ == "__main__":
    main()
