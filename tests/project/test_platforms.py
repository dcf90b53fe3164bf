"""What other systems lack stops no test from being collected, and line ends are the same on all."""

import sys

import pytest

from tests.helpers import ROOT, ended

# Collect all tests where neither they nor what they import from here finds what Unix alone has.
ON_WINDOWS = """
import builtins, importlib, signal, sys
import pytest

UNIX = ("fcntl", "grp", "pwd", "resource", "termios")
imports, import_module = builtins.__import__, importlib.import_module

def refused(name):
    raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

def here(name, globals=None, *rest, **named):
    asks = (globals or {{}}).get("__file__") or ""
    ours = asks.startswith({root!r}) and "site-packages" not in asks
    return refused(name) if ours and name in UNIX else imports(name, globals, *rest, **named)

def by_pytest(name, *rest):
    return refused(name) if name in UNIX else import_module(name, *rest)

builtins.__import__, importlib.import_module = here, by_pytest
del signal.SIGKILL, signal.SIGHUP
sys.exit(pytest.main(["--collect-only", "-qq", "-p", "no:cacheprovider"]))
"""


@pytest.mark.verify("installation")
def test_all_tests_are_collected_without_what_windows_lacks():
    code = ON_WINDOWS.format(root=str(ROOT))
    ended(sys.executable, "-c", code, cwd=ROOT)


def test_git_keeps_line_ends():
    listed = ended("git", "-C", ROOT, "ls-files", "--eol", code=None)
    if listed.returncode:
        pytest.skip("this is no clone")
    files = listed.stdout.splitlines()
    assert len(files) > 100
    assert [line for line in files if "i/crlf" in line or "i/mixed" in line] == []
    assert [line for line in files if "eol=lf" not in line and ".png" not in line] == []
