"""A paper that is not ours: a new folder runs, its rules are kept, its data are checked."""

import csv
import io
import re

import pytest

from pplab import claims
from pplab.ledger.registry import find_paper
from pplab.ledger.results import read_history
from tests.helpers import edit, output_of, run

VERDICTS = {
    "section-1:members": "reproduced",
    "section-1:books": "reproduced",
    "table-1:attendance": "reproduced-under-reading",
    "section-2:formula": "misprint",
    "section-2:rises": "refuted",
    "section-3:other-club": "not-testable",
}


@pytest.fixture
def club(tmp_path):
    folder = tmp_path / "reading-club"
    assert run("ledger", "new", folder).exit_code == 0
    output_of("reproduce", folder)
    return folder


def verdicts(folder):
    ledger = claims(paper=folder)
    return dict(zip(ledger["id"].str.removeprefix("reading-club:"), ledger["verdict"], strict=True))


def test_the_example_runs_and_stays_in_its_folder(club):
    assert verdicts(club) == VERDICTS
    assert (club / "results" / "claims.html").is_file()
    assert "finished before" in run("reproduce", club).output
    assert "reading-club" not in set(claims()["paper"])
    assert all(verdict in output_of("claims", club) for verdict in VERDICTS.values())
    assert re.search(
        r"code: +parts.py:\d+ ", run("claims", "section-1:books", "--paper", club).output
    )


def test_a_rule_changed_after_the_run_is_caught_and_its_first_verdict_stays(club):
    edit(club / "rules.csv", ",1.65,rounded", ",1.8,rounded")
    after = verdicts(club)
    assert after.pop("section-1:books") == "open"
    assert after == {name: verdict for name, verdict in VERDICTS.items() if name in after}
    run("reproduce", club)
    assert verdicts(club)["section-1:books"] == "differs"
    lines = [line for line in read_history(find_paper(club)) if line["id"].endswith(":books")]
    assert [line["verdict"] for line in lines] == ["reproduced", "differs"]
    row = claims(paper=club).set_index("id").loc["reading-club:section-1:books"]
    assert row["first_verdict"] == "reproduced"


def test_a_choice_is_part_of_the_rule(club):
    edit(club / "choices.csv", "| members who", "| only members who")
    edit(club / "parts.py", '"members who', '"only members who')
    assert verdicts(club)["table-1:attendance"] == "open"
    run("reproduce", club)
    past = [line for line in read_history(find_paper(club)) if line["id"].endswith(":attendance")]
    assert [line["verdict"] for line in past] == [VERDICTS["table-1:attendance"]] * 2
    assert past[0]["hash"] != past[1]["hash"]


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("data/attendance.csv", "1,Ada,1", "1,Ada,0", "has the checksum"),
        ("data.toml", "[attendance", "[guests", "data set must be one of 'guests'"),
        ("choices.csv", ":table-1:attendance", ":table-1:friends", "which is no row of rules.csv"),
        ("choices.csv", "members,all", "the members,all", "needs a name of letters"),
        ("choices.csv", " | who never", "; who never", "it has 2 and 1"),
        ("rules.csv", "id,kind", "id,sort", "line 1: columns unknown: sort"),
        ("paper.toml", "title =", "name =", "describes no paper"),
        ("rules.csv", "quantity=books", "quantity=pages", "selects 0 rows"),
        ("rules.csv", "all(steps(value()) > 0)", "all(rises())", "without a number"),
    ],
)
def test_what_is_wrong_in_a_folder_is_one_sentence(club, file, old, new, words):
    edit(club / file, old, new)
    said = output_of("reproduce", club, "--again", code=1)
    assert words in said
    assert len(said.splitlines()[-1]) < 500
    assert "Traceback" not in said


def test_a_check_finds_the_forged_row_and_the_changed_run(club):
    """A stored row that somebody touched is not the recorded verdict, whatever a run says."""
    assert run("reproduce", club, "--check").output.strip().endswith("0 no stored verdict")
    stored = club / "results" / "reading-club" / "attendance.json"
    edit(stored, '"quantity": "books", "value": 1.65', '"quantity": "books", "value": 1.85')
    said = output_of("reproduce", club, "reading-club:section-1:books", "--check", code=1)
    assert "changed" in said
    assert "recorded reproduced, the stored rows say differs" in said


def test_nothing_is_overwritten(club):
    before = {file: file.read_bytes() for file in club.rglob("*") if file.is_file()}
    assert "new or empty folder" in output_of("ledger", "new", club, code=1)
    assert {file: file.read_bytes() for file in before} == before


def test_a_paper_that_is_not_there_is_refused(tmp_path):
    assert "paper must be one of" in output_of("reproduce", tmp_path, code=1)


def test_columns_of_the_example_are_those_of_our_rules(club):
    def columns(text):
        return next(csv.reader(io.StringIO(text)))

    ours = find_paper("social")
    for mine, theirs in (("rules.csv", ours.rules), ("choices.csv", ours.choices)):
        assert columns((club / mine).read_text()) == columns(theirs.read_text())
