"""The command `pplab` as a process: Ctrl-C at any moment is one line."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

# `pplab claims --help`, with a Ctrl-C in the middle of our imports.
STRUCK = """
import os, signal, sys
from pplab.__main__ import main
signal.signal(signal.SIGINT, signal.{action})
class Strike:
    def find_spec(self, name, *_):
        if name == "typer": os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Strike())
sys.argv = ["pplab", "claims", "--help"]
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no SIGINT")
def test_ctrl_c_during_import_is_one_line_and_a_background_job_ignores_it() -> None:
    stopped = "\npplab: stopped; what is finished is kept, the same command goes on\n"
    for action, code, told, usage in (
        ("default_int_handler", 130, stopped, False),
        ("SIG_IGN", 0, "", True),  # as a shell starts it with &
    ):
        command = [sys.executable, "-c", STRUCK.format(action=action)]
        ended = subprocess.run(command, check=False, capture_output=True, text=True)
        assert (ended.returncode, ended.stderr) == (code, told)
        assert ("Usage: pplab claims" in ended.stdout) is usage
