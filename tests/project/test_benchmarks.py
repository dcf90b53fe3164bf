"""Every benchmark script runs to its end at a small size, and stores nothing then."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted(set((ROOT / "benchmarks").glob("[a-z]*.py")) - {ROOT / "benchmarks" / "house.py"})


@pytest.mark.verify("commands")
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_trial_ends_and_changes_no_stored_result(script: Path) -> None:
    stored = {file: file.read_bytes() for file in (ROOT / "benchmarks/results").iterdir()}
    done = subprocess.run(
        [sys.executable, str(script), "--trial"], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert {file: file.read_bytes() for file in stored} == stored
