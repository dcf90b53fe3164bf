""".ci/run and its helper: what is left behind by a command is ended and collected."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
REAP = ROOT / ".ci" / "reap.py"

on_linux = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="only Linux hands orphans to another process"
)


def test_run_is_an_executable_bash_script() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert subprocess.run(["bash", "-n", script], check=False).returncode == 0


def test_run_prints_the_closing_line_last_and_keeps_the_status(tmp_path: Path) -> None:
    """With a make that only prints, so that this test does not start itself."""
    folder = tmp_path / "a clone"
    shutil.copytree(ROOT / ".ci", folder / ".ci")
    data = tmp_path / "shared" / "data"
    data.mkdir(parents=True)
    closing = "==== 1 failed, 2 passed in 3.21s ===="
    result = _run_ci(folder, f'echo "$*"; echo "$PPLAB_DATA $CI"; echo "{closing}"; exit 2')
    lines = result.stdout.splitlines()
    assert lines[0] == "test"
    assert lines[1] == f"{data} true"
    assert lines[-1] == closing
    assert result.returncode == 2


def test_run_says_when_pytest_never_ended(tmp_path: Path) -> None:
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    result = _run_ci(tmp_path, "exit 3")
    assert result.stdout.splitlines() == ["ci: pytest did not come to its closing line"]
    assert result.returncode == 3


@pytest.mark.parametrize(("user", "calls"), [("0", ["update", "install"]), ("1000", [])])
def test_run_installs_a_browser_where_it_may(tmp_path: Path, user: str, calls: list[str]) -> None:
    """On a PATH without a browser, with an apt-get that only notes what it is asked."""
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "python3").symlink_to(sys.executable)
    for name in ("bash", "dirname", "grep", "mktemp", "rm", "tail", "tee", "timeout"):
        (tools / name).symlink_to(shutil.which(name) or name)
    _script(tools / "id", f"echo {user}")
    _script(tools / "apt-get", f"echo $* >> '{tmp_path}/apt.txt'")
    _script(tools / "make", "echo '== 1 passed in 0.01s =='")
    result = subprocess.run(
        [tmp_path / ".ci" / "run"],
        env={**os.environ, "PATH": str(tools)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[-1] == "== 1 passed in 0.01s =="
    noted = tmp_path / "apt.txt"
    asked = noted.read_text().splitlines() if noted.exists() else []
    assert [line.split()[0] for line in asked] == calls
    assert all("chromium" in line for line in asked[1:])


def _script(path: Path, body: str) -> None:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


def _run_ci(folder: Path, body: str) -> subprocess.CompletedProcess[str]:
    tools = folder / "tools"
    tools.mkdir()
    _script(tools / "make", body)
    _script(tools / "chromium", "exit 0")
    environment = {k: v for k, v in os.environ.items() if k not in {"CI", "PPLAB_DATA"}}
    environment["PATH"] = f"{tools}{os.pathsep}{environment['PATH']}"
    return subprocess.run(
        [folder / ".ci" / "run"], env=environment, capture_output=True, text=True, check=False
    )


@on_linux
def test_orphans_are_ended_and_collected(tmp_path: Path) -> None:
    """One left-over ends when asked; the other ignores that and is killed."""
    script = tmp_path / "leave.sh"
    script.write_text(
        f"cd '{tmp_path}'\n"
        "setsid sh -c 'echo $$ > polite; exec sleep 60' &\n"
        "setsid sh -c 'trap \"\" TERM; echo $$ > stubborn; while :; do sleep 1; done' &\n"
        "while ! test -s polite || ! test -s stubborn; do sleep 0.1; done\n"
        "exit 3\n"
    )
    ended = subprocess.run([sys.executable, REAP, "sh", script], check=False, timeout=50)
    assert ended.returncode == 3
    for name in ("polite", "stubborn"):
        assert not Path("/proc", (tmp_path / name).read_text().strip()).exists()


def test_the_status_of_the_command_is_passed_on() -> None:
    for status in (0, 5):
        command = [sys.executable, REAP, sys.executable, "-c", f"raise SystemExit({status})"]
        assert subprocess.run(command, check=False).returncode == status


def test_workflows_run_the_same_command() -> None:
    folder = ROOT / ".github" / "workflows"
    steps = {
        path.stem: [
            step.get("run", "")
            for job in yaml.safe_load(path.read_text())["jobs"].values()
            for step in job["steps"]
        ]
        for path in folder.glob("*.yml")
    }
    assert ".ci/run" in steps["ci"]
    assert any("make test" in line for line in steps["weekly"])
    assert any("gh issue list" in line and "gh issue create" in line for line in steps["weekly"])
    versions = yaml.safe_load((folder / "ci.yml").read_text())["jobs"]["test"]["strategy"]["matrix"]
    assert versions["python"] == ["3.11", "3.12", "3.13"]
