"""The README's example runs as printed, without a network and without real data."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Put before the example: whoever opens a connection now gets an error.
NO_NETWORK = """
import socket
def refuse(*arguments, **keywords):
    raise OSError("the example must not need a network")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
"""


def python_blocks(text: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", text, flags=re.M | re.S)


def run_offline(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PPLAB_DATA"}
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", NO_NETWORK + code],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_the_example_runs_offline(tmp_path: Path) -> None:
    blocks = python_blocks((ROOT / "README.md").read_text())
    assert blocks, "README.md has no ```python block"
    result = run_offline(blocks[0], tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip(), "the example prints nothing"


def test_the_example_is_short() -> None:
    [example, *_] = python_blocks((ROOT / "README.md").read_text())
    assert len([line for line in example.splitlines() if line.strip()]) <= 10


def test_links_of_the_readme_lead_somewhere() -> None:
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", (ROOT / "README.md").read_text())
    assert targets, "README.md links nothing"
    assert [target for target in targets if not (ROOT / target).exists()] == []


@pytest.mark.parametrize(
    "code", ["import socket; socket.create_connection(('localhost', 9))", "raise SystemExit(3)"]
)
def test_a_wrong_example_is_noticed(tmp_path: Path, code: str) -> None:
    [block] = python_blocks(f"Text.\n\n```python\n{code}\n```\n\n```\nnot this\n```\n")
    assert run_offline(block, tmp_path).returncode != 0
