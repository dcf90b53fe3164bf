"""A paper's folder before, during and after the run: faults, where one stands, CI."""

import os
import re
import shutil
import sys
from functools import partial
from pathlib import Path

import pytest

from claimbook.own import is_known
from claimbook.rules import read_rules
from pplab_papers.collection import COLLECTION, apart, find_paper, papers, project_results
from tests.claimbook.cases import cases
from tests.helpers import ROOT, edit, ended, output_of, run


@pytest.fixture
def club(tmp_path):
    folder = tmp_path / "club"
    assert run("ledger", "new", folder).exit_code == 0
    return folder


@pytest.mark.parametrize(("old", "new", "said"), cases("cases.txt", "rules"))
def test_a_fault_of_a_rule_is_told_with_line_and_id(club, old, new, said):
    lines = (club / "rules.csv").read_text().splitlines()
    at = next(number for number, line in enumerate(lines, start=1) if old in line)
    edit(club / "rules.csv", old, new)
    text = output_of("ledger", "check", club, code=1)
    assert f"rules.csv, line {at}, claim club:section-" in text
    assert said in text


@pytest.mark.parametrize(("file", "old", "new", "said"), cases("cases.txt", "files"))
def test_a_fault_of_another_file_is_told_with_its_line(club, file, old, new, said):
    edit(club / file, old, new)
    assert said in output_of("ledger", "check", club, code=1)


def test_all_faults_are_told_at_once_and_nothing_runs(club):
    edit(club / "rules.csv", "1.65,rounded", "1.65,round")
    edit(club / "rules.csv", "number,Section 3", "nmber,Section 3")
    edit(club / "choices.csv", "club:table-1:", "club:table-9:")
    edit(club / "parts.py", "def months(attendance", "def months(visitors")
    text = run("ledger", "check", club).output
    assert text.splitlines()[-1] == "4 faults"
    assert len(text.splitlines()) == 5
    stopped = output_of("reproduce", club, code=1)
    assert all(line in stopped for line in text.splitlines()[:4])
    assert "nothing was run" in stopped
    assert not (club / "results").exists()


RUN = '__import__("pathlib").Path("ran").touch()\n'


@pytest.mark.parametrize(("code", "said"), cases("cases.txt", "parts"))
def test_parts_are_read_and_nothing_of_them_runs(club, code, said):
    head = f"{RUN}from claimbook.part import Part\nKEY = 'club'\ndef run(): {RUN}"
    more = "\nMORE = (Part(KEY, 'attendance', run),)\n"
    (club / "parts.py").write_text(f"{head}{more}{code}\n")
    for module in ("random", "pandas", "nowhere"):
        (club / f"{module}.py").write_text(RUN)
    text = run("ledger", "check", club).output
    assert said in text
    assert not [*club.rglob("ran")]
    assert not Path("ran").exists()


def test_tuples_that_double_and_files_that_never_end_do_not_hold_the_check(club):
    (club / "parts.py").write_text("A = [1]\n" + "A = [*A, *A]\n" * 60 + "PARTS = A\n")
    assert "are known only when this file runs" in output_of("ledger", "check", club)
    pipe = "is a device or a pipe"
    for name, text in (("parts.py", "there is no file"), ("rules.csv", pipe), ("data.toml", pipe)):
        (club / name).unlink()
        os.mkfifo(club / name)
        assert text in output_of("ledger", "check", club, code=1)
        assert text in run("claims", club).output or name == "parts.py"


def test_a_folder_that_is_new_to_the_account_is_asked_about_once(club, tmp_path):
    (club / "parts.py").write_text(RUN + (club / "parts.py").read_text())
    other = shutil.copytree(club, tmp_path / "other")
    for options, typed, last in (
        ((), "", "nothing was run, since there is no terminal to ask in; add --yes"),
        (("--check",), "n\n", "nothing was run"),
    ):
        text = output_of("reproduce", other, *options, code=1, typed=typed)
        assert f"{other} is new to this account, and its code gets all rights of the acc" in text
        assert "read parts.py and what it imports" in text
        assert last in text
        assert not (other / "ran").exists()
    assert "is new to this account" in output_of("reproduce", other, typed="y\n")
    assert (other / "ran").exists()
    assert "new to" not in output_of("reproduce", other)
    shutil.move(other, tmp_path / "moved")
    assert "is new to this account" in output_of("reproduce", tmp_path / "moved", "--yes")
    shutil.copytree(club, other)  # another folder in a known place
    assert "is new to this account" in output_of("reproduce", other, "--yes")


@pytest.mark.parametrize("folder", ["packages/claimbook/example", "examples/dp-sgd"])
def test_what_comes_with_the_package_and_what_one_makes_is_not_asked_about(club, folder):
    assert is_known(ROOT / folder, COLLECTION)
    assert is_known(club, COLLECTION)
    assert not is_known(club.parent, COLLECTION)


def full_disk(*command, room, cwd):
    """Message, in one line, of a command that may write files of at most this many bytes."""
    resource = pytest.importorskip("resource")  # Windows has no such limits
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (room, room))
    pplab = (sys.executable, "-m", "pplab")
    text = ended(*pplab, *command, code=1, cwd=cwd, preexec_fn=limit).stderr
    assert text.count("\n") == 1, text
    return text


@pytest.mark.parametrize("room", [0, 900])
def test_where_the_disk_is_full_nothing_is_left_half_written(club, tmp_path, room):
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    for name, left in (("new", None), ("repository", [".git"])):
        text = full_disk("ledger", "new", name, room=room, cwd=tmp_path)
        assert f"{name} could not be written (File too large); nothing is left of it" in text
        folder = tmp_path / name
        assert ([file.name for file in folder.iterdir()] if folder.exists() else None) == left
    text = full_disk("reproduce", club, room=room, cwd=tmp_path)
    file = "run.log" if room == 0 else "attendance.json"
    assert re.search(rf"{file} could not be written \(File too large\)", text)
    assert not [file for file in club.rglob("*.json") if file.stat().st_size]
    assert "2 claims measured" in output_of("reproduce", club)  # once there is room again


@pytest.mark.parametrize("name", ["paper.toml", "rules.csv", "choices.csv", "data.toml"])
@pytest.mark.parametrize("how", ["gone", "empty", "a folder", "binary"])
def test_a_half_made_folder_is_told_in_words(club, name, how):
    place = club / name
    place.unlink()
    if how == "a folder":
        place.mkdir()
    elif how != "gone":
        place.write_bytes(b"" if how == "empty" else b"\xff\x00" * 9)
    for command in (["ledger", "check"], ["reproduce"], ["claims"]):
        output_of(*command, club, code=1)


def test_a_module_that_cannot_be_loaded_is_told_before_the_run(club):
    edit(club / "parts.py", "PARTS = (", "import nowhere\nPARTS = (")
    assert "0 faults" in output_of("ledger", "check", club)
    text = output_of("reproduce", club, code=1)
    assert "parts.py, line 35: ModuleNotFoundError: No module named 'nowhere'" in text


@pytest.mark.parametrize("key", [*papers(), *apart()])
def test_our_own_rules_have_no_fault(key):
    text = run("ledger", "check", key)
    assert text.output.splitlines()[-1] == "0 faults"


def test_counts_of_printed_numbers_and_worlds_are_told(club):
    edit(club / "rules.csv", "all(steps(value()) > 0)", "all(printed('club:section-1:*') > 0)")
    edit(club / "rules.csv", "1.65,rounded,attendance", "1.65,rounded,")
    edit(club / "rules.csv", ",shuffle,", ",,")
    text = output_of("ledger", "check", club)
    said_open = "claim club:section-1:books: no part measures it, so it stays open; write 'print'"
    assert said_open in text
    assert "claim club:section-2:rises: printed('club:section-1:*') takes 2 numbers" in text
    assert "claim club:section-2:rises: no null, so nothing shows that it can fail" in text
    assert "members: 2 worlds; numbers to choose by: 1" in text


SPREADSHEETS = {
    "semicolons separate the columns": lambda text: text.replace(",", ";"),
    "line 3: a byte is not UTF-8; in Excel": lambda text: text.replace("books,", "b\udcfccher,", 1),
    "line 3: 18 fields where 17 are expected: quote the cell": lambda t: t.replace(
        '"books, ', "books, "
    ),
    "line 2: 16 fields where 17 are expected: add": lambda t: t.replace(",10,exact", ",10 exact"),
    "quote the cell that holds a comma, or delete 2 at": lambda t: t.replace("s,,", "s,,,,", 1),
    "columns without a name: 1; delete": lambda text: text.replace("\n", ",\n"),
    "columns missing: rule": lambda text: text.replace(",rule,", ",,", 1),
    "columns unknown: nul": lambda text: text.replace("null", "nul", 1),
    "line 8: all cells are empty": lambda text: f"{text}{',' * 16}\n",
    "line 8: it is not CSV": lambda text: f'{text}"open,',
    "line 1: a merge conflict of git": lambda text: f"<<<<<<< HEAD\n{text}",
}


@pytest.mark.parametrize("fault", SPREADSHEETS)
def test_what_a_spreadsheet_or_git_does_to_a_csv_has_a_name(club, fault):
    file = club / "rules.csv"
    text = SPREADSHEETS[fault](file.read_text())
    file.write_text(text, errors="surrogateescape")
    assert fault in output_of("ledger", "check", club, code=1)


def test_excels_mark_line_ends_and_breaks_in_cells_are_no_faults(club):
    plain = {claim.id: claim.rule_hash for claim in read_rules(find_paper(club))}
    for name in ("rules.csv", "choices.csv", "paper.toml", "data.toml", "parts.py"):
        text = (club / name).read_text().replace("\n", "\r\n")
        (club / name).write_bytes(b"\xef\xbb\xbf" + text.encode())
    rules = club / "rules.csv"
    edit(rules, "the report does not say whether a", '"the report does not say\n whether a')
    edit(rules, "never came counts", 'never came counts"')
    assert run("reproduce", club).exit_code == 0
    claims = read_rules(find_paper(club))
    assert {claim.id: claim.rule_hash for claim in claims} == plain
    assert any("does not say whether a member" in claim.note for claim in claims)


def test_an_open_merge_of_the_history_is_named(club):
    run("reproduce", club)
    file = club / "history.csv"
    file.write_text(file.read_text().replace("\n", "\n<<<<<<< ours\n", 1))
    for command in (["ledger", "check"], ["reproduce"], ["claims"]):
        text = output_of(*command, club, code=1)
        assert "history.csv, line 2: a merge conflict of git is open" in text


def test_one_claim_that_cannot_be_judged_leaves_the_others_their_verdicts(club):
    edit(club / "parts.py", 'year["books"].mean()', 'float("nan")')
    edit(club / "rules.csv", "all(steps(value()) > 0)", "all(valeu() > 0)")
    message = output_of("reproduce", club, code=1)
    assert "club:section-1:books: not judged: claim club:section-1:books needs" in message
    assert "club:section-2:rises: not judged: " in message
    assert "claims that cannot be judged: 2" in message
    history = (club / "history.csv").read_text()
    assert "club:section-1:members,reproduced," in history
    assert "section-1:books" not in history
    text = run("claims", club)
    assert text.exit_code == 0
    assert text.output.count("  open") == 2
    assert "club:section-1:books: not judged: claim" in text.output


def test_what_is_finished_before_a_stop_keeps_its_first_verdict(club):
    edit(club / "parts.py", "return by_month", "raise KeyboardInterrupt  #")
    run("reproduce", club)
    assert "club:table-1:attendance" in (club / "history.csv").read_text()


def test_a_row_that_is_gone_after_its_run_is_named(club):
    assert run("reproduce", club).exit_code == 0
    edit(club / "rules.csv", "club:section-2:rises,", "club:section-2:rise,")
    text = output_of("ledger", "check", club)
    assert "club:section-2:rises had a verdict and has no row now" in text


def test_a_part_that_no_longer_measures_a_claim_says_nothing_of_it(club):
    assert run("reproduce", club).exit_code == 0
    rule = "months,quantity=attendance,,,all(steps(value()) > 0),shuffle,"
    larger = '"printed(""club:section-1:books"") > printed(""club:table-1:attendance"")"'
    edit(club / "rules.csv", rule, f"print,,,,{larger},swap section-1:books|table-1:attendance,")
    for _ in range(2):
        assert run("reproduce", club, "--part", "print", "--again").exit_code == 0
    history = (club / "history.csv").read_text().splitlines()
    rises = [line.split(",")[1] for line in history if "section-2:rises" in line]
    assert rises == ["refuted", "consistent"]


def test_a_select_and_a_null_find_numbers_as_they_are_written(club):
    rules = club / "rules.csv"
    edit(rules, "quantity=attendance,,,all(s", "quantity=attendance; month=01.0,,,all(s")
    edit(rules, "all(steps(value()) > 0)", "value() < 1")
    edit(rules, ",shuffle,", ",plus 1,")
    assert "1 holds" in run("reproduce", club).output
    falls = ",,,value(month=12) < value(month=1),swap month=1|12"
    edit(rules, "; month=01.0,,,value() < 1,plus 1", falls)
    assert run("reproduce", club).exit_code == 0
    rise = run("claims", "club:section-2:rises", "--paper", club, "--full").output
    assert "null:       swap month=1|12: it fails there" in rise
    edit(rules, "month=1|12", "month=1|13")
    run("reproduce", club)
    assert "no row has month=13: month is 1, 2, 3" in run("claims", club).output


def test_what_speaks_against_a_run_is_told(club):
    edit(club / "rules.csv", ",1.65,", ",1.80,")
    edit(club / "rules.csv", "holds-or-misprint,months,", "holds-or-misprint,attendance; months,")
    run("reproduce", club)
    edit(club / "rules.csv", ",1.80,", ",1.65,")
    run("reproduce", club, "--again")
    edit(club / "parts.py", "PARTS = (", "# another code\nPARTS = (")
    stored = club / "results" / "club" / "attendance.json"
    edit(stored, '"quantity": "members", "value": 10', '"quantity": "members", "value": 11')
    text = run("claims", club).output
    assert "club:section-1:books: its first verdict was differs" in text
    assert "club:section-1:members: its stored rows say differs, but its run said repr" in text
    assert "the code differs from that of the run" in text


def test_within_a_folder_its_paper_is_meant(club, monkeypatch):
    edit(club / "paper.toml", 'results = "results"\n', "")
    monkeypatch.chdir(club / "data")
    assert "measure first: pplab reproduce ..\n" in run("claims").output
    assert "[1/2] club attendance" in output_of("reproduce")
    assert (club / "results" / "club" / "attendance.json").is_file()
    assert not (project_results() / "club").exists()
    assert run("claims").output.count("\nclub:") == 6
    text = run("claims", "club:section-1:books", "--full").output
    assert "again:      pplab reproduce .. --part attendance --again" in text
    assert "0 changed" in run("reproduce", "club:section-1:books", "--check").output
    assert "finished before" in run("reproduce", "club", "--part", "months").output
    assert "no row has this id" in run("claims", "smooth:table-3:adult:smooth:jaccard").output
    assert "or a folder that holds a paper.toml" in run("reproduce", "klub").output
    (club / "results" / "club" / "months.json").write_text("{")
    assert f"pplab reproduce {club} --part months --again" in run("claims").output


def test_the_exit_status_tells_what_ci_is_to_fail_on(club):
    assert run("reproduce", club, "--fail-on", "differs,open").exit_code == 0
    text = output_of("reproduce", club, "--fail-on", "differs,refuted", code=1)
    assert "refuted: club:section-2:rises" in text
    output_of("reproduce", club, "--check", "--fail-on", "refuted", code=1)
    assert "fail-on must be one of" in run("reproduce", club, "--fail-on", "wrong").output


def test_the_new_folder_may_be_a_repository_and_names_its_paper(tmp_path, monkeypatch):
    folder = tmp_path / "Größen & Maße 2"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    assert run("ledger", "new", ".").exit_code == 0
    paper = find_paper(folder)
    assert paper.key == "groen-mae-2"
    assert paper.title.startswith("groen-mae-2: ")
    assert all(claim.id.startswith(f"{paper.key}:") for claim in read_rules(paper))
    assert run("ledger", "check").exit_code == 0
    workflow = (folder / ".github" / "workflows" / "ledger.yml").read_text()
    assert "actions/checkout@v4" in workflow
    assert "actions/setup-python@v5" in workflow
    assert "pplab reproduce --yes --again --fail-on differs" in workflow
    assert run("ledger", "new", tmp_path / "smooth").exit_code == 0
    assert find_paper(tmp_path / "smooth").key == "my-smooth"


def test_nothing_is_overwritten(club):
    before = {file: file.read_bytes() for file in club.rglob("*") if file.is_file()}
    assert "new or empty folder" in output_of("ledger", "new", club, code=1)
    assert {file: file.read_bytes() for file in before} == before


def test_columns_of_the_example_are_those_of_our_rules(club):
    ours = find_paper("social")
    for mine, theirs in (("rules.csv", ours.rules), ("choices.csv", ours.choices)):
        heads = [file.read_text().splitlines()[0] for file in (club / mine, theirs)]
        assert heads[0] == heads[1]
