"""How commands end where they are refused or interrupted: with one line and an exit code."""

from typing import Any

import typer
from typer.core import TyperGroup

# Packages that some commands need, and what brings them.
_NEEDED = {"jupyterlab": "jupyterlab", "nbgrader": "nbgrader", "nbformat": "nbgrader"}


class OneLine(TyperGroup):
    """Commands that end with one line if they are refused, also by other packages."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was typed."""
        try:
            return super().invoke(ctx)
        except (typer.Exit, typer.Abort, BrokenPipeError):  # typer ends these
            raise
        except ModuleNotFoundError as error:
            if (missing := _NEEDED.get(str(error.name).partition(".")[0])) is None:
                raise
            tell(f"{missing} is not installed; install it: python -m pip install {missing}")
        except (OSError, ValueError, RuntimeError, OverflowError, MemoryError) as error:
            tell(error)
        except KeyboardInterrupt:
            typer.echo("\nstopped; no file is left half-written, run it again", err=True)
            raise typer.Exit(130) from None
        raise typer.Exit(1)


def tell(error: Exception | str) -> None:
    """Say what went wrong in one line, even if it quotes text from a file."""
    from pplab.checks import sentence_of

    signs = (s if s.isprintable() else repr(s)[1:-1] for s in sentence_of(error))
    typer.echo(f"pplab: {''.join(signs)}", err=True)
