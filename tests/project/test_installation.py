"""What the README tells a newcomer to do, in a copy of the project and a fresh environment."""

import os
import sys
from pathlib import Path

import pytest

from tests.helpers import ROOT, ended
from tests.project.test_documents import python_blocks, run_offline
from tests.project.test_no_leaks import copy_project


@pytest.mark.verify("installation")
def test_a_fresh_clone_installs_and_runs(tmp_path, monkeypatch):
    monkeypatch.delenv("PYTHONPATH", raising=False)  # the new one finds its own pplab
    clone = tmp_path / "a fresh clone"
    copy_project(clone)
    inherited = ("MAKE", "MFLAGS", "PYTHON", "VIRTUAL_ENV", "PPLAB_DATA")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(inherited)}
    python = Path(sys.base_prefix) / "bin" / "python3"
    ended("make", "install", f"PYTHON={python}", cwd=clone, env=environment)
    programs = clone / ".venv" / "bin"
    example = python_blocks((ROOT / "README.md").read_text())[0]
    where = "import pplab; assert 'a fresh clone' in pplab.__file__, pplab.__file__\n"
    run_offline(where + example, tmp_path, python=programs / "python")
    row = "noise-graphs:table-3:p=0.05:noise-edges"
    text = ended(programs / "pplab", "claims", row, cwd=tmp_path, env=environment)
    assert "Table 3" in text.stdout
