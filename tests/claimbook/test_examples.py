"""The foreign papers of examples/: their ledgers run, and their pages say what the rows say."""

import csv
import json
import re
import shutil
import sys
from collections import Counter
from fnmatch import fnmatchcase

import pytest

from claimbook.verdicts import VERDICTS
from pplab import claims
from tests.helpers import ROOT, output_of

EXAMPLES = ROOT / "examples"
# Verdicts of the papers' rows: numbers and statements, without repeats.
TOTALS = {
    "dp-sgd": "4 reproduced, 6 reproduced-under-reading, 4 differs, 4 holds, 1 refuted, "
    "1 misprint, 1 shape-only",
    "small-networks": "29 reproduced, 4 reproduced-under-reading, 5 compatible, 1 differs, "
    "7 holds, 3 holds-under-reading, 1 inconsistent, 3 refuted, 1 shape-only, 4 open",
}
TOLD = re.compile(r"`([a-z-]+:[^`]+)`:\s([a-z0-9,\s-]+)(?=[;\]])")
NUMBER = re.compile(r"(?<![\w.:/])\d+\.\d+(?![\w.])")

each_folder = pytest.mark.parametrize("name", TOTALS)


def in_words(verdicts):
    """Number of rows with each verdict, in the order of the verdicts."""
    counts = Counter(verdicts)
    return ", ".join(f"{counts[each]} {each}" for each in VERDICTS if counts[each])


def totals(folder):
    ledger = claims(paper=folder)
    own = ledger["kind"].isin(["number", "statement"]) & (ledger["same_as"] == "")
    return in_words(ledger["verdict"][own])


@pytest.mark.verify("recomputed")
@each_folder
def test_a_copy_measures_what_is_stored(name, tmp_path):
    copy = shutil.copytree(EXAMPLES / name, tmp_path / name)
    *_, last = output_of("reproduce", copy, "--check", "--yes").splitlines()
    assert ", 0 changed, 0 preliminary, 0 no stored verdict" in last
    assert totals(copy) == TOTALS[name]


def test_the_examples_are_these():
    assert {file.parent.name for file in EXAMPLES.glob("*/paper.toml")} == set(TOTALS)


@each_folder
def test_the_stored_rows_give_the_totals(name):
    assert totals(EXAMPLES / name) == TOTALS[name]


@each_folder
def test_the_page_tells_each_row_with_its_verdict(name):
    ledger = claims(paper=EXAMPLES / name)
    rows = dict(zip(ledger["id"], ledger["verdict"], strict=True))
    single = set(ledger["id"][ledger["same_as"] == ""])
    text = (EXAMPLES / name / "README.md").read_text()
    result = TOLD.findall(text)
    assert len(result) == text.count(f"`{name}:") > 15
    for pattern, message in result:
        words = in_words(rows[id] for id in single if fnmatchcase(id, pattern))
        expected = words if "*" in pattern else rows.get(pattern)
        assert " ".join(message.split()) == expected, pattern


@each_folder
def test_each_number_of_the_page_stands_in_a_rule_or_a_row(name):
    folder = EXAMPLES / name
    files = (folder / "results" / name).glob("*.json")
    rows = [row for file in files for row in json.loads(file.read_text())["rows"]]
    values = {cell for row in rows for cell in row.values() if isinstance(cell, float)}
    values |= {100 * value for value in values}  # as a percentage
    with (folder / "rules.csv").open() as file:
        printed = set(NUMBER.findall(" ".join(" ".join(line) for line in csv.reader(file))))
    text = re.sub(r"\[[^\]]*\]\([^)]*\)|`[^`]*`", "", (folder / "README.md").read_text())

    def is_rounded(number):
        digits = len(number.partition(".")[2])
        return any(f"{value:.{digits}f}" == number for value in values)

    strange = set(NUMBER.findall(text)) - printed
    assert [number for number in strange if not is_rounded(number)] == []


def test_without_the_accountant_a_part_says_what_is_missing(tmp_path, monkeypatch):
    copy = shutil.copytree(EXAMPLES / "dp-sgd", tmp_path / "dp-sgd")
    monkeypatch.setitem(sys.modules, "dp_accounting", None)
    text = output_of("reproduce", copy, "--part", "levels", "--again", "--yes", code=1)
    assert "the exact levels need dp-accounting: python -m pip install dp-accounting" in text
