""".ci/run runs both tiers of tests, and its helper ends and collects what a command left behind."""

import importlib.metadata
import os
import re
import shutil
import sys
from pathlib import Path

import pytest
import yaml

from tests.helpers import ROOT, ended

REAP = ROOT / ".ci" / "reap.py"
VERSION = importlib.metadata.version("pplab")
GOOD, BAD = "==== 3 passed in 60.21s (0:01:00) ====", "==== 1 failed, 2 passed in 3.21s ===="
NAMED = "FAILED a::b - wrong\nand much more of it\n"
TOOLS = ("bash", "cut", "dirname", "grep", "mktemp", "rm", "tail", "tee", "timeout")

pytestmark = [
    pytest.mark.verify("commands"),
    pytest.mark.skipif(os.name == "nt", reason=".ci/run is for a Unix shell"),
]


def _script(path, body):
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


@pytest.mark.parametrize(
    ("test", "verify", "last", "status"),
    [
        (f'echo "{GOOD}"', f'echo "{GOOD}"', [GOOD, GOOD], 0),
        (f'echo "{BAD}"; exit 2', f'echo "{GOOD}"', [GOOD, BAD], 2),
        (f'echo "{GOOD}"', f'echo "{BAD}"; echo no; exit 2', [GOOD, BAD], 2),
        (f'echo "{NAMED}{BAD}"; exit 2', f'echo "{GOOD}"', ["FAILED a::b", GOOD, BAD], 2),
        (f'echo "{GOOD}"', "exit 3", [GOOD, "ci: make verify did not come to the closing"], 3),
    ],
)
def test_run_repeats_both_closing_lines(tmp_path, test, verify, last, status):
    """With a make that only prints, so that this test does not start itself."""
    tools = tmp_path / "a clone" / "tools"
    shutil.copytree(ROOT / ".ci", tools.parent / ".ci")
    tools.mkdir()
    data = tmp_path / "shared" / "data"
    data.mkdir(parents=True)
    body = f'echo "$1 $PPLAB_DATA $CI"\nif [ $1 = test ]; then\n{test}\nelse\n{verify}\nfi'
    _script(tools / "make", body)
    _script(tools / "chromium", "exit 0")
    environment = {k: v for k, v in os.environ.items() if k not in {"CI", "PPLAB_DATA"}}
    environment["PATH"] = f"{tools}{os.pathsep}{environment['PATH']}"
    result = ended(tools.parent / ".ci" / "run", env=environment, code=status)
    lines = result.stdout.splitlines()
    assert {f"test {data} true", f"verify {data} true"} <= set(lines)
    assert [line[: len(end)] for line, end in zip(lines[-len(last) :], last, strict=True)] == last


@pytest.mark.parametrize(("user", "calls"), [("0", ["update", "install"]), ("1000", [])])
def test_run_installs_a_browser_where_it_may(tmp_path, user, calls):
    """On a PATH without a browser, with an apt-get that only notes what it is asked."""
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "python3").symlink_to(sys.executable)
    for name in TOOLS:
        (tools / name).symlink_to(shutil.which(name) or name)
    _script(tools / "id", f"echo {user}")
    _script(tools / "apt-get", f"echo $* >> '{tmp_path}/apt.txt'")
    _script(tools / "make", f"echo '{GOOD}'")
    ended(tmp_path / ".ci" / "run", env={**os.environ, "PATH": str(tools)})
    noted = tmp_path / "apt.txt"
    asked = noted.read_text().splitlines() if noted.exists() else []
    assert [line.split()[0] for line in asked] == calls
    assert all("chromium" in line for line in asked[1:])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux hands orphans on")
def test_orphans_are_ended_and_collected(tmp_path):
    """One left-over ends when asked; the other ignores that and is killed."""
    script = tmp_path / "leave.sh"
    script.write_text(
        f"cd '{tmp_path}'\n"
        "setsid sh -c 'echo $$ > polite; exec sleep 60' &\n"
        "setsid sh -c 'trap \"\" TERM; echo $$ > stubborn; while :; do sleep 1; done' &\n"
        "while ! test -s polite || ! test -s stubborn; do sleep 0.1; done\n"
        "exit 3\n"
    )
    ended(sys.executable, REAP, "sh", script, timeout=50, code=3)  # of the command
    for name in ("polite", "stubborn"):
        assert not Path("/proc", (tmp_path / name).read_text().strip()).exists()


def test_a_run_is_ended_after_the_seconds_of_the_one_place(tmp_path):
    """A `make test` that hangs, with one second to live; `make verify` has its turn."""
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    (tmp_path / ".ci" / "times").write_text("test_seconds=1\nall_seconds=30\n")
    _script(tmp_path / "make", f'test "$1" = verify || sleep 60\necho "{GOOD}"')
    _script(tmp_path / "chromium", "exit 0")
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    text = ended(tmp_path / ".ci" / "run", env=environment, code=124, timeout=50).stdout
    assert "make test was stopped after 1 seconds" in text
    assert GOOD in text


def test_workflows_run_the_same_commands():
    folder = ROOT / ".github" / "workflows"
    jobs = {path.stem: yaml.safe_load(path.read_text())["jobs"] for path in folder.glob("*.yml")}
    steps = {
        name: "\n".join(step.get("run", "") for job in made.values() for step in job["steps"])
        for name, made in jobs.items()
    }
    assert ".ci/run" in steps["ci"]
    for words in (".ci/run", "gh issue list", "gh issue create"):
        assert words in steps["weekly"]
    wheel = f"pplab-{VERSION}-py3-none-any.whl"
    assert wheel in (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    released = "make test", "pip wheel", "make book BOOK_ARGS=--pdf", "make slides", "teach zip"
    for words in (*released, wheel.replace(VERSION, "${GITHUB_REF_NAME#v}"), "gh release create"):
        assert words in steps["release"]
    for words in (wheel, "requirements-lab.lock", "pplab notebooks", "pplab doctor"):
        assert words in steps["ci"]
    ends = ["3.11", "3.14"]
    assert jobs["ci"]["test"]["strategy"]["matrix"]["python"] == ends
    systems = ["ubuntu-latest", "windows-latest", "macos-latest"]
    matrix = jobs["ci"]["student"]["strategy"]["matrix"]
    assert matrix == {"system": systems, "python": ends}
    tested = [job for made in jobs.values() for job in made.values() if ".ci/run" in str(job)]
    assert len(tested) == 2
    assert "timeout-minutes" not in str(tested), "the times are in .ci/times"
    assert not re.search(r"timeout [^|&\n]*\b\d+[smh]\b", "\n".join(steps.values()))
