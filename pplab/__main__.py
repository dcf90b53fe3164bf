"""The command `pplab`, also `python -m pplab`: Ctrl-C ends it in one line, at any moment."""

import os
import signal
from typing import NoReturn


def main() -> None:
    """Run the command line."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not where it is ignored
        signal.signal(signal.SIGINT, _stop)
    from pplab.cli import app

    app(prog_name="pplab")


def _stop(*_: object) -> NoReturn:
    """End at once: what is stored is whole, and what a killed run leaves the next one removes.

    Libraries that are being imported or compile would turn a KeyboardInterrupt into errors of
    their own, or swallow it.
    """
    try:
        os.write(2, b"\npplab: stopped; what is finished is kept, the same command goes on\n")
    finally:
        os._exit(130)


if __name__ == "__main__":
    main()
