"""The guard on the number of tests, tried on small projects in a process of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
THREE_TESTS = "def test_a(): pass\ndef test_b(): pass\ndef test_c(): pass\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\ntestpaths = tests\naddopts = --import-mode=importlib -p no:cacheprovider\n"
    )
    for name in ("__init__.py", "fixtures.py", "conftest.py"):
        (tmp_path / "tests" / name).write_text((TESTS / name).read_text())
    (tmp_path / "tests" / "test_three.py").write_text(THREE_TESTS)
    return tmp_path


def run(project: Path, minimum: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    conftest = project / "tests" / "conftest.py"
    text, changed = re.subn(
        r"^MINIMUM_TESTS = \d+$", f"MINIMUM_TESTS = {minimum}", conftest.read_text(), flags=re.M
    )
    assert changed == 1
    conftest.write_text(text)
    return subprocess.run(
        [sys.executable, "-m", "pytest", *arguments],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},  # starts in half the time
    )


def test_enough_tests_pass(project: Path) -> None:
    result = run(project, 3)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "3 passed" in result.stdout


def test_too_few_tests_fail_with_a_sentence(project: Path) -> None:
    result = run(project, 4)
    assert result.returncode == 1, result.stdout + result.stderr
    assert "collected 3 tests, expected at least 4" in result.stdout
    assert "passed" not in result.stdout


@pytest.mark.parametrize(
    "selection",
    [
        ["tests/test_three.py"],
        ["-k", "test_a or test_b or test_c"],
        ["-m", "not slow"],
        ["--deselect", "tests/test_three.py::test_none"],
    ],
)
def test_a_part_of_the_suite_is_not_held_to_it(project: Path, selection: list[str]) -> None:
    result = run(project, 4, *selection)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "3 passed" in result.stdout


def test_a_broken_test_file_is_reported_as_such(project: Path) -> None:
    (project / "tests" / "test_broken.py").write_text("import no_such_module\n")
    result = run(project, 4)
    assert result.returncode == 2
    assert "no_such_module" in result.stdout
