"""Run a command, then end and collect every process that it left behind.

A browser or a notebook kernel that outlives its parent is handed to process 1, and in a
container process 1 often collects nobody: zombies stay. On Linux this script asks to be the
one they are handed to, and sees them off. Elsewhere it only runs the command.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType

SET_CHILD_SUBREAPER = 36  # from linux/prctl.h
GRACE_SECONDS = 5.0


def adopt_orphans() -> bool:
    """Ask the kernel to hand orphaned descendants to this process; True where it does."""
    if not sys.platform.startswith("linux"):
        return False
    return ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0


def children() -> list[int]:
    """Process ids of this process's children, adopted ones among them."""
    me = os.getpid()
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        # A process may end between the listing and the reading: then it is no longer our child.
        with contextlib.suppress(OSError):
            parent = int(stat.read_text().rsplit(")", 1)[1].split()[1])
            if parent == me:
                found.append(int(stat.parent.name))
    return found


def collect() -> None:
    """Collect those that have ended, without waiting for the others."""
    with contextlib.suppress(ChildProcessError):  # none left
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def see_off() -> None:
    """End what is left, politely for a while and then not, until no child remains."""
    deadline = time.monotonic() + GRACE_SECONDS
    collect()
    while left := children():
        for pid in left:
            with contextlib.suppress(ProcessLookupError):  # ended meanwhile
                os.kill(pid, signal.SIGTERM if time.monotonic() < deadline else signal.SIGKILL)
        time.sleep(0.1)
        collect()


def main(command: list[str]) -> int:
    """Run the command and return its exit status; 128 + signal when it was ended by one."""
    adopted = adopt_orphans()

    def stop(number: int, _frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    try:
        status = subprocess.Popen(command).wait()
    finally:
        if adopted:
            see_off()
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("reap.py needs a command to run, for example: python3 .ci/reap.py make test")
    sys.exit(main(sys.argv[1:]))
