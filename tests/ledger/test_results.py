"""Stored results: whole or absent, readable, and in step with the rules they were judged by."""

import json
import subprocess
from pathlib import Path

import pytest

from pplab.datasets.catalog import catalog
from pplab.ledger.reproduce import _options, claims_of
from pplab.ledger.results import read_result, results_folder, write_atomically, write_result
from pplab.ledger.views import claims
from pplab.papers import PARTS

RESULT = read_result("noise-graphs", "table1")
STORED = [part for part in PARTS.values() if read_result(part.paper, part.name) is not None]


def test_round_trip(tmp_path):
    write_result(RESULT, tmp_path)
    assert read_result(RESULT.paper, RESULT.part, tmp_path) == RESULT
    assert RESULT.frame["value"].tolist() == [row["value"] for row in RESULT.rows]


def test_absent_is_none_and_broken_is_refused(tmp_path):
    assert read_result(RESULT.paper, RESULT.part, tmp_path) is None
    file = write_result(RESULT, tmp_path)
    file.write_text(file.read_text()[:-20])
    with pytest.raises(ValueError, match=r"no stored result .*reproduce .* --part table1"):
        read_result(RESULT.paper, RESULT.part, tmp_path)


def test_a_failed_write_leaves_the_old_file_and_no_rubbish(tmp_path, monkeypatch):
    file = write_atomically(tmp_path / "a.txt", "old")

    def full_disk(*_):
        raise OSError("no space left")

    monkeypatch.setattr(Path, "replace", full_disk)
    with pytest.raises(OSError, match="no space"):
        write_atomically(file, "new")
    assert file.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_every_part_is_stored():
    assert len(STORED) == len(PARTS), "run: make reproduce"


PORTIONS = {"jester"}  # only a part of the real data was at hand


def expected_source(part):
    names = {name for name, _ in part.datasets.values()}
    if part.standins or any(catalog()[name].never for name in names):
        return "standin"  # nobody may have these data, or nobody at hand
    if names & PORTIONS:
        return "portion"
    if part.substitute:
        return "substitute"
    return "real" if names else "no data"


def reads_files(part):
    """Whether a data set of the part is not made up."""
    return any(
        argument not in part.standins and not catalog()[name].never
        for argument, (name, _) in part.datasets.items()
    )


def test_stored_results_are_real_and_complete_and_carry_the_rules_of_today():
    """A rule that changed after the run shows here: rerun the part, never touch the result."""
    said = {part.name: complaints(part, read_result(part.paper, part.name)) for part in STORED}
    assert {name: wrong for name, wrong in said.items() if wrong} == {}


def as_stored(part, full):
    return json.loads(json.dumps(_options(part, full)))


def complaints(part, result):
    today = {claim.id: claim.rule_hash for claim in claims_of(part)}
    wrong = {
        "source": result.source != expected_source(part),
        "checksums": bool(result.checksums) != reads_files(part),
        "seed": result.seed != part.seed,
        "options": result.options not in [as_stored(part, full) for full in (False, True)],
        "rows": not result.rows,
        "versions": not {"python", "numpy", "scipy", "pplab"} <= set(result.versions),
        "rules": {name: rule["hash"] for name, rule in result.rules.items()} != today,
    }
    return [what for what, found in wrong.items() if found]


def test_rules_were_committed_before_the_run():
    commits = {read_result(part.paper, part.name).rules_commit for part in STORED}
    assert {len(commit) for commit in commits} == {40}, "run with uncommitted rules"
    root = Path(__file__).parents[2]
    if not (root / ".git").exists() or (root / ".git" / "shallow").exists():
        return
    asked = ("git", "-C", str(root), "merge-base", "--is-ancestor")
    known = {c: subprocess.run([*asked, c, "HEAD"], check=False).returncode for c in commits}
    assert {commit for commit, code in known.items() if code} == set(), "no commit before this one"


def test_no_decided_row_has_lost_its_verdict():
    """Stored verdicts are those that the stored measurements give today."""
    stored = {}
    for part in STORED:
        stored |= read_result(part.paper, part.name).rules
    ledger = claims().set_index("id")
    assert len(stored) >= 52
    for name, rule in stored.items():
        assert ledger.loc[name, "verdict"] == rule["verdict"], name
        assert rule["verdict"] != "open"


def test_results_hold_no_machine_paths():
    for file in results_folder().rglob("*.json"):
        json.loads(file.read_text())
        assert "/home/" not in file.read_text()
        assert str(Path.cwd()) not in file.read_text()
