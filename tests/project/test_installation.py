"""What the README tells a newcomer to do, in a copy of the project and a fresh environment."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.test_documents import python_blocks, run_offline
from tests.project.test_no_leaks import ROOT, project_files


@pytest.mark.verify("installation")
def test_a_fresh_clone_installs_and_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)  # the new one finds its own pplab
    clone = tmp_path / "a fresh clone"
    for path in project_files(ROOT):
        target = clone / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
    inherited = ("MAKE", "MFLAGS", "PYTHON", "VIRTUAL_ENV", "PPLAB_DATA")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(inherited)}
    installed = subprocess.run(
        ["make", "install", f"PYTHON={Path(sys.base_prefix) / 'bin' / 'python3'}"],
        cwd=clone,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert installed.returncode == 0, installed.stdout + installed.stderr
    programs = clone / ".venv" / "bin"
    example = python_blocks((ROOT / "README.md").read_text())[0]
    where = "import pplab; assert 'a fresh clone' in pplab.__file__, pplab.__file__\n"
    result = run_offline(where + example, tmp_path, python=programs / "python")
    assert result.returncode == 0, result.stderr
    row = "noise-graphs:table-3:p=0.05:noise-edges"
    command = [programs / "pplab", "claims", row]
    told = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr
    assert "Table 3" in told.stdout
