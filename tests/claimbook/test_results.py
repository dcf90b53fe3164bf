"""Stored results: whole or absent, readable, and in step with the rules they were judged by."""

import json
import os
import re
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from claimbook import results
from claimbook.reproduce import _options, claims_of
from pplab.datasets.catalog import catalog
from pplab_papers import PARTS
from pplab_papers.collection import COLLECTION, claims, papers, published_claims, read_result
from tests.helpers import ROOT, ended, script

RESULT = read_result("noise-graphs", "table1")
# Rows that no run judges any more stay in the result of the run that once did.
KEPT = {claim.id for claim in published_claims() if claim.same_as or not claim.part}
STORED = [part for part in PARTS.values() if read_result(part.paper, part.name) is not None]


def test_round_trip(tmp_path):
    results.write_result(RESULT, tmp_path)
    assert read_result(RESULT.paper, RESULT.part, tmp_path) == RESULT
    assert read_result(RESULT.paper, "table1_sizes", tmp_path) is None
    assert RESULT.frame["value"].tolist() == [row["value"] for row in RESULT.rows]


def test_whatever_stands_in_a_file_it_is_read_or_refused_in_one_sentence(tmp_path):
    file = results.write_result(RESULT, tmp_path)
    good = json.loads(file.read_text())

    def made(row=None, **fields):
        return json.dumps(good | {"rows": [old | (row or {}) for old in good["rows"]]} | fields)

    strange = ("", "hello", "[]", "3", "null", "[" * 10**5, made() + "x", made()[:-30], "\xe9{}")
    texts = [*strange, *(made({"value": value}) for value in ([1], {}))]
    for name in ("rules", "versions", "rows", "checksums", "source", "seconds", "paper"):
        texts += [made(**{name: value}) for value in ([[]], None, 10**400, {"a": [1]})]
    refused = "not a stored result .*pplab reproduce noise-graphs --part table1 --again$"
    cases = [(text, refused) for text in texts]
    cases += [
        (made({"value": value}), "needs a number as value") for value in (None, "\x1b", "x" * 10**6)
    ]
    cases += [
        (made({"se": float("inf")}).replace("Infinity", "1e999"), "the se inf"),
        (made({"se": None}), "needs a number as se"),
        (made(rows=[]), "selects 0 rows"),
        (made(source="wishful"), "the source must be one of"),
        *((made({"value": value}), "^fine") for value in (float("nan"), 1e308)),
        (made(seed="x"), "^fine"),
    ]
    complaints = []
    for text, words in cases:
        file.write_text(text, encoding="latin-1")
        try:
            ledger = claims(folder=tmp_path)
            own_rows = ledger[(ledger["part"] == "table1") & (ledger["verdict"] == "open")]
            result = own_rows["note"].iloc[0] if len(own_rows) else f"fine {len(ledger)}"
        except ValueError as error:
            result = str(error)
        named = result.startswith((f"{file} ", "fine")) or "claim noise-graphs:" in result
        named = named and len(result) < 1000
        if not (named and re.search(words, result)):
            complaints.append((text[:80], words, result[:300]))
    assert complaints == []
    file.unlink()
    file.mkdir()
    with pytest.raises(OSError, match=str(file)):
        claims(folder=tmp_path)


def test_a_file_that_is_no_result_of_this_part_is_refused_by_its_name(tmp_path):
    file = results.write_result(RESULT, tmp_path)
    text = file.read_text()
    for old, new, message in (
        ('"part": "table1"', '"part": "table2"', "says that it is table2 of noise-graphs"),
        ('"paper": "noise-graphs"', '"paper": "social"', "says that it is table1 of social"),
        (f'"seconds": {RESULT.seconds}', '"seconds": -49.4', r"took -49\.4 s"),
        (f'"seconds": {RESULT.seconds}', '"seconds": NaN', "took nan s"),
        (
            f'"processor_seconds": {RESULT.processor_seconds}',
            '"processor_seconds": -1',
            "took -1 s",
        ),
    ):
        assert old in text
        file.write_text(text.replace(old, new))
        with pytest.raises(ValueError, match=f"{file.name} is not a stored result.*{message}"):
            read_result(RESULT.paper, RESULT.part, tmp_path)
    for target in ("/dev/zero", file, "nowhere"):
        file.unlink()
        file.symlink_to(target)
        with pytest.raises(ValueError, match="not a plain file"):
            read_result(RESULT.paper, RESULT.part, tmp_path)
    file.unlink()
    os.mkfifo(file)
    with pytest.raises(ValueError, match="not a plain file"):
        read_result(RESULT.paper, RESULT.part, tmp_path)


def test_a_failed_write_names_the_file_and_leaves_the_old_one(tmp_path, monkeypatch):
    file = results.write_atomically(tmp_path / "a.txt", "old")

    def full_disk(path, *_, **__):
        path.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full_disk)
    with pytest.raises(OSError, match=r"a\.txt could not be written \(No space left on device\)"):
        results.write_atomically(file, "new")
    assert file.read_text() == "old"
    assert {path.name for path in tmp_path.iterdir()} == {"a.txt", ".lock"}


def test_what_a_killed_run_left_is_removed_and_a_writer_at_work_is_waited_for(tmp_path):
    old = os.umask(0o027)
    file = results.write_atomically(tmp_path / "smooth" / "a.json", "{}")
    os.umask(old)
    assert file.stat().st_mode & 0o777 == 0o640
    rest, own = file.with_name(".b.json.new"), file.with_name(".notes")
    rest.touch()
    own.touch()
    with results._one_writer(file.parent):
        cleaning = threading.Thread(target=results.clean, args=(tmp_path,))
        cleaning.start()
        assert rest.exists()
    cleaning.join()
    assert [path.exists() for path in (rest, file, own)] == [False, True, True]


def test_every_part_is_stored():
    assert len(STORED) == len(PARTS), "run: make reproduce"


def expected_source(part):
    names = {name for name, _ in part.datasets.values()}
    if part.standins or any(catalog()[name].never for name in names):
        return "standin"  # nobody may have these data
    if "jester" in names:
        return "portion"  # of the real data; of what has `instead`, nothing was at hand
    if part.substitute:
        return "substitute"
    if part.instead:
        return "other data"
    return "real" if names else "no data"


def test_stored_results_are_real_and_complete():
    texts = {part.name: complaints(part, read_result(part.paper, part.name)) for part in STORED}
    assert {name: wrong for name, wrong in texts.items() if wrong} == {}


def test_rows_whose_rule_is_newer_than_their_run_are_listed():
    """A rule that changed after the run shows here: rerun the part, never touch the result."""
    listed = Path(__file__).with_name("pending.txt").read_text().split()
    notes = claims().set_index("id")["note"]
    assert set(notes.index[notes.str.contains("rule changed, not yet run")]) == set(listed)


def complaints(part, result):
    reads_files = any(
        argument not in part.standins and not catalog()[name].never
        for argument, (name, _) in part.datasets.items()
    )
    options = [json.loads(json.dumps(_options(part, full))) for full in (False, True)]
    asked = {claim.id for claim in claims_of(papers()[part.paper], part)}
    wrong = {
        "source": result.source != expected_source(part),
        "checksums": bool(result.checksums) != reads_files,
        "seed": result.seed != part.seed,
        "options": result.options not in options,
        "rows": not result.rows,
        "claims": not asked <= set(result.rules) <= asked | KEPT,
        "code": part.experiment.__module__.replace(".", "/") not in COLLECTION.place(result.code)
        or not result.code.endswith(f" {part.experiment.__name__}"),
        "versions": not {"python", "numpy", "scipy", "pplab"} <= set(result.versions),
    }
    return [what for what, outcome in wrong.items() if outcome]


def test_commits_of_rules_are_in_the_history():
    commits = {read_result(part.paper, part.name).rules_commit for part in STORED}
    assert {len(commit) for commit in commits} == {40}, "run with uncommitted rules"
    if not (ROOT / ".git").exists() or (ROOT / ".git" / "shallow").exists():
        return
    command = ("git", "-C", str(ROOT), "merge-base", "--is-ancestor")
    known = {c: ended(*command, c, "HEAD", code=None).returncode for c in commits}
    assert {commit for commit, code in known.items() if code} == set(), "no commit before this one"


def test_rules_of_the_commit_that_stores_a_result_were_not_fixed_before_it(tmp_path):
    def commit(*names):
        git = ("git", "-C", str(tmp_path), "-c", "user.name=A", "-c", "user.email=a@example.org")
        for name in names:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(str(names))
        ended(*git, "add", ".")
        ended(*git, "commit", "-qm", "one")
        return ended(*git, "rev-parse", "HEAD").stdout.strip()

    ended("git", "-C", str(tmp_path), "init", "-q")
    paper = SimpleNamespace(key="p", file=tmp_path / "rules.csv", stored=tmp_path)
    before, both = commit("rules.csv"), commit("rules.csv", "p/part.json")
    later = commit("rules.csv")
    shown = [
        results.fixed_before(paper, SimpleNamespace(rules_commit=rules, part="part"))
        for rules in (before, both, later)
    ]
    assert shown == ["yes", *["not shown: the commits are not here, or in another order"] * 2]


def test_a_wheel_says_what_its_clone_knew_and_what_is_no_clone_says_so(tmp_path):
    paper = SimpleNamespace(key="p", file=tmp_path / "rules.csv", stored=tmp_path)
    run = SimpleNamespace(rules_commit="a" * 40, part="part")
    assert results.fixed_before(paper, run) == "not shown: this is not a git clone"
    (tmp_path / "fixed.json").write_text('{"p/part": "yes", "p/other": "no"}')
    assert results.fixed_before(paper, run) == "yes, as its clone knew at the build"
    run.part = "new"
    assert results.fixed_before(paper, run).startswith("not shown: of no known commit")


def test_a_build_tells_of_each_result_what_the_clone_says(monkeypatch):
    monkeypatch.chdir(ROOT)
    setup = script(ROOT / "setup.py")
    monkeypatch.setattr(setup, "FILES", ("data/results/noise-graphs/table[15].json",))
    if (ROOT / ".git").exists():
        known, paper = json.loads(setup.fixed()), papers()["noise-graphs"]
        texts = {
            name: results.fixed_before(paper, read_result("noise-graphs", name))
            for name in ("table1", "table5")
        }
        assert {name: known[f"noise-graphs/{name}"] for name in texts} == texts


def test_recorded_verdicts_are_those_that_the_stored_rows_give():
    """The history is what a reader compares with; nobody may touch rows behind its back."""
    ledger = claims().set_index("id")
    own_rows = ledger[(ledger["same_as"] == "") & ~ledger["verdict"].isin(["open", "not-testable"])]
    last = {
        name: verdict for p in papers().values() for name, verdict in results.recorded(p).items()
    }
    assert len(own_rows) > 600
    assert {name: last.get(name) for name in own_rows.index} == own_rows["verdict"].to_dict()
