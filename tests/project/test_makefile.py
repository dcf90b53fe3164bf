"""The Makefile, tried in a copy with made-up interpreters: nothing is installed here."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TARGETS = ["install", "lab", "test", "reproduce", "notebooks", "bench", "lock", "clean"]

pytestmark = pytest.mark.skipif(
    shutil.which("make") is None, reason="make is not on the PATH of this machine"
)

# Answers like an interpreter that is new enough. `-m venv` copies it to .venv/bin/python; its
# pip notes what it was asked, and fails while a file called broken is there.
GOOD_PYTHON = """#!/bin/sh
case "$*" in
    *"-m venv"*) mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
    *"-m pip"*) echo "$*" >> pip.txt; test ! -e broken ;;
    *"-m "*) echo "$*" >> run.txt ;;
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
    for name in ("Makefile", "pyproject.toml", "requirements.lock"):
        shutil.copy2(ROOT / name, folder)
    return folder


def interpreter(clone: Path, text: str) -> Path:
    path = clone / "some python"
    path.write_text(text)
    path.chmod(0o755)
    return path


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    # `make test` runs this test: its own variables must not reach the one that is tried
    inherited = ("MAKE", "MFLAGS", "PYTHON", "PAPER", "PYTEST_ARGS", "LAB_ARGS", "REPRODUCE_ARGS")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(inherited)}
    return subprocess.run(
        ["make", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_help_lists_every_target_in_one_line_each(clone: Path) -> None:
    plain, asked = make(clone), make(clone, "help")
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout == asked.stdout
    lines = plain.stdout.splitlines()
    assert [line.split()[1] for line in lines] == ["help", *TARGETS]
    assert all(len(line.split()) > 4 for line in lines), "a target has no explanation"


@pytest.mark.parametrize("target", TARGETS)
def test_a_dry_run_of_each_target_works(clone: Path, target: str) -> None:
    result = make(clone, "-n", target)
    assert result.returncode == 0, result.stderr
    assert sorted(path.name for path in clone.iterdir()) == [
        "Makefile",
        "pyproject.toml",
        "requirements.lock",
    ]


def test_tests_end_with_pytest(clone: Path) -> None:
    assert make(clone, "-n", "test").stdout.splitlines()[-1].strip() == ".venv/bin/python -m pytest"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (OLD_PYTHON, "pplab needs Python 3.11 or newer, and "),
        (WITHOUT_VENV, "install python3-venv"),
    ],
)
def test_an_unfit_interpreter_is_refused_in_a_sentence(
    clone: Path, text: str, sentence: str
) -> None:
    result = make(clone, "install", f"PYTHON={interpreter(clone, text)}")
    assert result.returncode != 0
    assert sentence in result.stdout
    assert not (clone / ".venv").exists()


def test_the_refusal_names_the_version_that_was_found(clone: Path) -> None:
    result = make(clone, "install", f"PYTHON={interpreter(clone, OLD_PYTHON)}")
    assert "is Python 3.9.2: install a newer one" in result.stdout


def test_a_missing_interpreter_is_refused_in_a_sentence(clone: Path) -> None:
    result = make(clone, "install", "PYTHON=no-such-python")
    assert result.returncode != 0
    assert "There is no Python at 'no-such-python'" in result.stdout


def test_nothing_is_installed_twice(clone: Path) -> None:
    python = f"PYTHON={interpreter(clone, GOOD_PYTHON)}"
    first = make(clone, "install", python)
    assert first.returncode == 0, first.stdout + first.stderr
    asked = (clone / "pip.txt").read_text().splitlines()
    assert len(asked) == 2
    assert "--require-hashes -r requirements.lock" in asked[0]
    assert "--no-deps --no-build-isolation -e ." in asked[1]
    assert make(clone, "test", python).returncode == 0
    assert (clone / "pip.txt").read_text().splitlines() == asked
    assert "-m pytest" in (clone / "run.txt").read_text().splitlines()[-1]


def test_a_new_lock_is_installed(clone: Path) -> None:
    python = f"PYTHON={interpreter(clone, GOOD_PYTHON)}"
    make(clone, "install", python)
    stamp = (clone / ".venv" / "pplab-is-installed").stat().st_mtime
    os.utime(clone / "requirements.lock", (stamp + 10, stamp + 10))
    make(clone, "install", python)
    assert len((clone / "pip.txt").read_text().splitlines()) == 4


def test_an_interrupted_installation_is_taken_up_again(clone: Path) -> None:
    python = f"PYTHON={interpreter(clone, GOOD_PYTHON)}"
    (clone / "broken").touch()
    assert make(clone, "test", python).returncode != 0
    assert not (clone / "run.txt").exists(), "tests ran on half an installation"
    (clone / "broken").unlink()
    assert make(clone, "test", python).returncode == 0
    assert (clone / "run.txt").exists()


def test_bench_runs_every_script_and_names_those_that_fail(clone: Path) -> None:
    python = f"PYTHON={interpreter(clone, GOOD_PYTHON)}"
    (clone / "benchmarks").mkdir()
    empty = make(clone, "bench", python)
    assert "benchmarks/ holds no script" in empty.stdout
    assert empty.returncode != 0
    for name in ("works.py", "_shared.py"):
        (clone / "benchmarks" / name).touch()
    good = make(clone, "bench", python)
    assert good.returncode == 0, good.stdout + good.stderr
    assert [line for line in good.stdout.splitlines() if "ran" in line] == [
        "ran benchmarks/works.py"
    ]
    (clone / "benchmarks" / "breaks.py").touch()
    bad = make(clone, "bench", python)
    assert bad.returncode != 0
    assert "ran benchmarks/works.py" in bad.stdout
    assert bad.stdout.splitlines()[-1] == "bench: failed: benchmarks/breaks.py"


def test_clean_leaves_what_it_did_not_make(clone: Path) -> None:
    (clone / "data" / "results").mkdir(parents=True)
    (clone / "data" / "results" / "table1.csv").touch()
    for name in ("pplab", "tests", "notebooks", "benchmarks", "docs", "build"):
        (clone / name / "__pycache__").mkdir(parents=True)
    assert make(clone, "clean").returncode == 0
    assert (clone / "data" / "results" / "table1.csv").exists()
    assert not (clone / "build").exists()
    assert not (clone / "pplab" / "__pycache__").exists()
