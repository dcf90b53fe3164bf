"""The other documents: their python blocks run, their links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .test_readme import python_blocks, run_offline

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    "CONTRIBUTING.md",
    "docs/LIMITATIONS.md",
    "docs/attack-model.md",
    "docs/certificates.md",
    "docs/scale.md",
]


def broken_links(document: Path) -> list[str]:
    targets = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", document.read_text())
    return [target for target in targets if not (document.parent / target).exists()]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_somewhere(name: str) -> None:
    assert broken_links(ROOT / name) == []


def test_a_broken_link_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "here.md").write_text("[one](here.md#part) [two](gone.md) [three](https://x.org)")
    assert broken_links(tmp_path / "here.md") == ["gone.md"]


def test_the_worked_examples_of_contributing_run(tmp_path: Path) -> None:
    blocks = python_blocks((ROOT / "CONTRIBUTING.md").read_text())
    assert blocks, "CONTRIBUTING.md has no ```python block"
    result = run_offline("\n".join(blocks), tmp_path)
    assert result.returncode == 0, result.stderr


def test_every_part_of_the_package_has_a_status() -> None:
    told = (ROOT / "docs" / "LIMITATIONS.md").read_text().split("## Status")[1]
    parts = {
        path.stem if path.suffix else path.name
        for path in (ROOT / "pplab").iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    plumbing = {"__init__", "__main__", "checks", "cli", "graphs"}
    assert [part for part in sorted(parts - plumbing) if f"`{part}`" not in told] == []
