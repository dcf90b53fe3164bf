"""Every benchmark script runs to its end at a small size, and stores nothing then."""

import sys

import pytest

from tests.helpers import ROOT, ended

SCRIPTS = sorted(set((ROOT / "benchmarks").glob("[a-z]*.py")) - {ROOT / "benchmarks" / "house.py"})


@pytest.mark.verify("commands")
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_trial_ends_and_changes_no_stored_result(script):
    stored = {file: file.read_bytes() for file in (ROOT / "benchmarks/results").iterdir()}
    assert ended(sys.executable, script, "--trial", timeout=300).stdout
    assert {file: file.read_bytes() for file in stored} == stored
