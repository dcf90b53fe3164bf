"""The Makefile, tried in a copy with made-up interpreters: nothing is installed here."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = ("Makefile", "pyproject.toml", "requirements.lock", "requirements-lab.lock")
TARGETS = ["install", "lab", "test", "verify", "reproduce", "notebooks"]
TARGETS += ["slides", "book", "counts", "bench", "lock", "clean"]

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="the Makefile is for a Unix shell"),
    pytest.mark.skipif(shutil.which("make") is None, reason="make is not on the PATH"),
]

# Answers like an interpreter that is new enough. `-m venv` copies it to .venv/bin/python; its
# pip notes what it was asked, and fails while a file called broken is there.
GOOD_PYTHON = """#!/bin/sh
case "$*" in
    *"-m venv"*) mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
    *"-m pip"*) echo "$*" >> pip.txt; test ! -e broken ;;
    *"-m "*) echo "$* with ${PPLAB_DATA-nothing}" >> run.txt ;;
    benchmarks/*) echo "ran $1"; test "$1" != benchmarks/breaks.py ;;
esac
"""
OLD_PYTHON = """#!/bin/sh
case "$*" in
    *version_info*) exit 1 ;;
    --version) echo "Python 3.9.2" ;;
esac
"""
WITHOUT_VENV = """#!/bin/sh
case "$*" in
    *ensurepip*) echo "No module named ensurepip" >&2; exit 1 ;;
esac
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The Makefile and what its rules look at, in a folder with spaces in its name."""
    folder = tmp_path / "a fresh clone"
    folder.mkdir()
    for name in FILES:
        shutil.copy2(ROOT / name, folder)
    return folder


def make(
    clone: Path, *arguments: str, python: str = GOOD_PYTHON
) -> subprocess.CompletedProcess[str]:
    # `make test` runs this test: its own variables must not reach the one that is tried
    inherited = ("MAKE", "MFLAGS", "PYTHON", "PAPER", "PYTEST", "LAB", "REPRODUCE", "JOBS")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(inherited)}
    path = clone.parent / "some python"
    path.write_text(python)
    path.chmod(0o755)
    command = ["make", f"PYTHON={path}", *arguments]
    environment |= {"PPLAB_DATA": "data"}
    return subprocess.run(
        command, cwd=clone, env=environment, capture_output=True, text=True, check=False
    )


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def test_help_lists_every_target_in_one_line_each(clone: Path) -> None:
    plain = make(clone)
    assert plain.stdout == make(clone, "help").stdout
    listed = plain.stdout.splitlines()
    assert [line.split()[1] for line in listed] == ["help", *TARGETS]
    assert all(len(line.split()) > 4 for line in listed), "a target has no explanation"


def test_a_dry_run_of_each_target_works_and_writes_nothing(clone: Path) -> None:
    for target in TARGETS:
        result = make(clone, "-n", target)
        assert result.returncode == 0, result.stderr
    assert sorted(path.name for path in clone.iterdir()) == sorted(FILES)


def test_an_unfit_interpreter_is_refused_in_a_sentence(clone: Path) -> None:
    for text, sentence in (
        (OLD_PYTHON, "pplab needs Python 3.11 or newer, and "),
        (OLD_PYTHON, "is Python 3.9.2: install a newer one"),
        (WITHOUT_VENV, "install python3-venv"),
    ):
        result = make(clone, "install", python=text)
        assert result.returncode != 0
        assert sentence in result.stdout
    missing = make(clone, "install", "PYTHON=no-such-python")
    assert missing.returncode != 0
    assert "There is no Python at 'no-such-python'" in missing.stdout
    assert not (clone / ".venv").exists()


def test_each_tier_runs_its_tests_and_only_one_sees_the_data(clone: Path) -> None:
    assert make(clone, "test").returncode == 0
    assert make(clone, "verify").returncode == 0
    asked = [line for line in lines(clone / "run.txt") if line.startswith("-m pytest")]
    side_by_side = "-n 2 --dist worksteal --durations=3"
    assert " ".join(asked[0].split()) == f"-m pytest {side_by_side} with nothing"
    assert " ".join(asked[1].split()) == f"-m pytest -m verify {side_by_side} with data"


def test_nothing_is_installed_twice_but_a_new_lock_is(clone: Path) -> None:
    first = make(clone, "install")
    assert first.returncode == 0, first.stdout + first.stderr
    asked = lines(clone / "pip.txt")
    assert len(asked) == 2
    assert "--require-hashes -r requirements.lock" in asked[0]
    assert "--no-deps --no-build-isolation -e ." in asked[1]
    make(clone, "test")
    assert lines(clone / "pip.txt") == asked
    stamp = (clone / ".venv" / "pplab-is-installed").stat().st_mtime
    os.utime(clone / "requirements.lock", (stamp + 10, stamp + 10))
    make(clone, "install")
    assert len(lines(clone / "pip.txt")) == 4


def test_an_interrupted_installation_is_taken_up_again(clone: Path) -> None:
    (clone / "broken").touch()
    assert make(clone, "test").returncode != 0
    assert not (clone / "run.txt").exists(), "tests ran on half an installation"
    (clone / "broken").unlink()
    assert make(clone, "test").returncode == 0
    assert (clone / "run.txt").exists()


def test_bench_runs_every_script_and_names_those_that_fail(clone: Path) -> None:
    (clone / "benchmarks").mkdir()
    assert "benchmarks/ holds no script" in make(clone, "bench").stdout
    for name in ("works.py", "_shared.py"):
        (clone / "benchmarks" / name).touch()
    good = make(clone, "bench")
    assert good.returncode == 0, good.stdout + good.stderr
    assert [line for line in good.stdout.splitlines() if "ran" in line] == [
        "ran benchmarks/works.py"
    ]
    (clone / "benchmarks" / "breaks.py").touch()
    bad = make(clone, "bench")
    assert bad.returncode != 0
    assert "ran benchmarks/works.py" in bad.stdout
    assert bad.stdout.splitlines()[-1] == "bench: failed: benchmarks/breaks.py"


def test_clean_leaves_what_it_did_not_make(clone: Path) -> None:
    kept = clone / "data" / "results" / "table1.csv"
    kept.parent.mkdir(parents=True)
    kept.touch()
    for name in ("pplab", "tests", "notebooks", "benchmarks", "docs", "build"):
        (clone / name / "__pycache__").mkdir(parents=True)
    assert make(clone, "clean").returncode == 0
    assert kept.exists()
    assert not (clone / "build").exists()
    assert not (clone / "pplab" / "__pycache__").exists()
