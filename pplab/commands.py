"""How a command ends where it is refused or interrupted: with one line and an exit code."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer

# Packages that some commands need, and what brings them.
_NEEDED = {"jupyterlab": "jupyterlab", "nbgrader": "nbgrader", "nbformat": "nbgrader"}


@contextmanager
def one_line(*others: type[Exception]) -> Iterator[None]:
    """Let a command end with one line if it is refused, also by other packages, or interrupted."""
    refused: tuple[type[Exception], ...] = (OSError, ValueError, *others)
    try:
        yield
    except ModuleNotFoundError as error:
        if (missing := _NEEDED.get(str(error.name).partition(".")[0])) is None:
            raise
        refuse(f"{missing} is not installed; install it: python -m pip install {missing}")
    except refused as error:
        refuse(error)
    except KeyboardInterrupt:
        typer.echo("\nstopped; no file is left half-written, run it again", err=True)
        raise typer.Exit(130) from None


def tell(error: Exception | str) -> None:
    """Say what went wrong in one line, even if it quotes text from a file."""
    from pplab.checks import sentence_of

    signs = (s if s.isprintable() else repr(s)[1:-1] for s in sentence_of(error))
    typer.echo(f"pplab: {''.join(signs)}", err=True)


def refuse(error: Exception | str) -> NoReturn:
    """Say what went wrong, and end the command."""
    tell(error)
    raise typer.Exit(1)
