"""The process that runs a student's notebook: it answers questions and knows no judge's secret."""

import base64
import io
import os
import sys
from contextlib import suppress
from functools import cache
from typing import Any

from pplab_course.teach.cage import limit
from pplab_course.teach.plain import Gone, Peer

LONGEST = 4_000  # characters of a cell's output that the marker sees


def main() -> None:
    """Serve the judge over what were standard input and output; cells get empty ones."""
    reading, writing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    with suppress(AttributeError, OSError):  # Windows; a leader already
        os.setsid()  # a signal to the group stays within the cage
    limit()
    try:
        Peer(reading, writing, _run, _answer).serve()
    except Gone:
        os._exit(0)  # threads of a cell may still run


def _run(cell: str) -> list[Any]:
    """Run a cell; give what it printed, figures as PNG in base64, Markdown, and how it failed."""
    from IPython.utils.capture import capture_output

    with capture_output() as output:
        done = _shell().run_cell(cell)
    error = done.error_before_exec or done.error_in_exec
    shown = [item.data or {} for item in output.outputs]
    plain = [f"{data.get('text/plain', '')}\n" for data in shown if not data.get("text/markdown")]
    text = "".join([output.stdout, output.stderr, *plain])[:LONGEST]
    pictures = [data["image/png"] for data in shown if isinstance(data.get("image/png"), str)]
    prose = "\n\n".join(str(data["text/markdown"]) for data in shown if data.get("text/markdown"))
    return [text, pictures + _left_open(), prose, type(error).__name__ if error else ""]


def _left_open() -> list[str]:
    """Figures of pyplot that the cell has not closed: a notebook shows them at its end."""
    pyplot, pictures = sys.modules.get("matplotlib.pyplot"), []
    if pyplot is not None:
        for number in pyplot.get_fignums():
            png = io.BytesIO()
            pyplot.figure(number).savefig(png, format="png")
            pictures.append(base64.b64encode(png.getvalue()).decode())
        pyplot.close("all")
    return pictures


def _answer(expression: str) -> list[Any]:
    """The answer to an exercise, within a list."""
    return [eval(expression, _shell().user_ns)]


@cache
def _shell() -> Any:
    from IPython.core.interactiveshell import InteractiveShell

    return InteractiveShell.instance(colors="NoColor")


if __name__ == "__main__":
    main()
