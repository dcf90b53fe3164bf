"""The Makefile, tried in a copy with made-up interpreters: nothing is installed here."""

import os
import shutil

import pytest

from pplab_papers.collection import papers
from tests.helpers import ROOT, ended

FILES = ("Makefile", "pyproject.toml", "requirements.lock", "requirements-lab.lock")
TARGETS = ["install", "lab", "test", "verify", "reproduce", "notebooks"]
TARGETS += ["slides", "book", "counts", "bench", "mutants", "lock", "clean"]

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
def clone(tmp_path):
    """The Makefile and what its rules look at, in a folder with spaces in its name."""
    folder = tmp_path / "a fresh clone"
    folder.mkdir()
    for name in FILES:
        shutil.copy2(ROOT / name, folder)
    return folder


def make(clone, *arguments, python=GOOD_PYTHON, code=0):
    # `make test` runs this test: its own variables must not reach the one that is tried
    inherited = ("MAKE", "MFLAGS", "PYTHON", "PAPER", "PYTEST", "LAB", "REPRODUCE", "JOBS")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(inherited)}
    path = clone.parent / "some python"
    path.write_text(python)
    path.chmod(0o755)
    environment |= {"PPLAB_DATA": "data"}
    return ended("make", f"PYTHON={path}", *arguments, cwd=clone, env=environment, code=code)


def lines(path):
    return path.read_text().splitlines() if path.exists() else []


def test_help_lists_every_target_in_one_line_each(clone):
    plain = make(clone)
    assert plain.stdout == make(clone, "help").stdout
    listed = plain.stdout.splitlines()
    assert [line.split()[1] for line in listed] == ["help", *TARGETS]
    assert all(len(line.split()) > 4 for line in listed), "a target has no explanation"


def test_a_dry_run_of_each_target_works_and_writes_nothing(clone):
    for target in TARGETS:
        make(clone, "-n", target)
    assert sorted(path.name for path in clone.iterdir()) == sorted(FILES)


def test_an_unfit_interpreter_is_refused_in_a_sentence(clone):
    for text, sentence in (
        (OLD_PYTHON, "pplab needs Python 3.11 or newer, and "),
        (OLD_PYTHON, "is Python 3.9.2: install a newer one"),
        (WITHOUT_VENV, "install python3-venv"),
    ):
        assert sentence in make(clone, "install", python=text, code=2).stdout
    missing = make(clone, "install", "PYTHON=no-such-python", code=2)
    assert "There is no Python at 'no-such-python'" in missing.stdout
    assert not (clone / ".venv").exists()


def test_each_tier_runs_its_tests_and_only_one_sees_the_data(clone):
    make(clone, "test")
    make(clone, "verify")
    command = [line for line in lines(clone / "run.txt") if line.startswith("-m pytest")]
    side_by_side = "-n 2 --dist worksteal --durations=3"
    assert " ".join(command[0].split()) == f"-m pytest {side_by_side} with nothing"
    assert " ".join(command[1].split()) == f"-m pytest -m verify {side_by_side} with data"


def test_nothing_is_installed_twice_but_a_new_lock_is(clone):
    make(clone, "install")
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


def test_an_interrupted_installation_is_taken_up_again(clone):
    (clone / "broken").touch()
    make(clone, "test", code=2)
    assert not (clone / "run.txt").exists(), "tests ran on half an installation"
    (clone / "broken").unlink()
    make(clone, "test")
    assert (clone / "run.txt").exists()


def test_bench_runs_every_script_and_names_those_that_fail(clone):
    (clone / "benchmarks").mkdir()
    assert "benchmarks/ holds no script" in make(clone, "bench", code=None).stdout
    for name in ("works.py", "_shared.py"):
        (clone / "benchmarks" / name).touch()
    good = make(clone, "bench")
    ran = [line for line in good.stdout.splitlines() if "ran" in line]
    assert ran == ["ran benchmarks/works.py"]
    (clone / "benchmarks" / "breaks.py").touch()
    bad = make(clone, "bench", code=2)
    assert "ran benchmarks/works.py" in bad.stdout
    assert bad.stdout.splitlines()[-1] == "bench: failed: benchmarks/breaks.py"


def test_clean_leaves_what_it_did_not_make(clone):
    kept = clone / "data" / "results" / "table1.csv"
    kept.parent.mkdir(parents=True)
    kept.touch()
    for name in ("pplab", "packages", "tests", "notebooks", "benchmarks", "docs", "build"):
        (clone / name / "__pycache__").mkdir(parents=True)
    make(clone, "clean")
    assert kept.exists()
    assert not (clone / "build").exists()
    assert not (clone / "packages" / "__pycache__").exists()


def test_reproduce_runs_each_paper_by_itself_and_a_part_once(clone):
    make(clone, "install")
    pplab = clone / ".venv" / "bin" / "pplab"
    pplab.write_text('#!/bin/sh\necho "$*" >> run.txt\n')
    pplab.chmod(0o755)
    asked = {"": papers(), "PAPER=social": ["social"]}
    asked["REPRODUCE_ARGS=--part sybil"] = ["--part sybil"]
    for argument, expected in asked.items():
        (clone / "run.txt").unlink(missing_ok=True)
        make(clone, "reproduce", *filter(None, [argument]))
        assert sorted(lines(clone / "run.txt")) == sorted(f"reproduce {one}" for one in expected)
