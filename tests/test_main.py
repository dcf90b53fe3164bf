"""The command `pplab` as a process: Ctrl-C at any moment is one line."""

import os
import sys

import pytest

from tests.helpers import ended

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
def test_ctrl_c_during_import_is_one_line_and_a_background_job_ignores_it():
    stopped = "\npplab: stopped; what is finished is kept, the same command goes on\n"
    for action, code, told, usage in (
        ("default_int_handler", 130, stopped, False),
        ("SIG_IGN", 0, "", True),  # as a shell starts it with &
    ):
        done = ended(sys.executable, "-c", STRUCK.format(action=action), code=code)
        assert done.stderr == told
        assert ("Usage: pplab claims" in done.stdout) is usage
