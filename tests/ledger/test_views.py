"""The ledger as people meet it: a table, a terminal, a page."""

import re
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from pplab import claims
from pplab.cli import app
from pplab.ledger.results import read_result, write_result
from pplab.ledger.rules import published_claims
from pplab.ledger.verdicts import VERDICTS
from pplab.ledger.views import render_page

COLUMNS = "id paper place setting published measured source rule tolerance verdict note"
COLUMNS += " seed versions"


def run(*arguments):
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "200"})


def test_columns_and_rows():
    ledger = claims()
    assert " ".join(ledger.columns) == COLUMNS
    assert len(ledger) == len(published_claims())
    assert set(ledger["verdict"]) <= set(VERDICTS)


def test_a_number_nobody_computed_has_no_verdict(tmp_path):
    ledger = claims(folder=tmp_path)
    assert set(ledger["verdict"]) == {"open", "not-testable"}
    assert set(ledger["measured"]) == {""}


def test_without_results_nothing_is_said_of_any_claim(tmp_path, monkeypatch):
    monkeypatch.setenv("PPLAB_RESULTS", str(tmp_path / "none"))
    for folder in (None, tmp_path / "none"):
        with pytest.raises(FileNotFoundError, match=r"no folder of results .*none; measure"):
            claims(folder=folder)


def test_a_verdict_that_is_not_the_plain_one_shows_how_the_others_miss():
    ledger = claims()
    read = ledger[ledger["verdict"] == "reproduced-under-reading"]
    assert len(read)
    assert read["note"].str.contains("read as: ").all()
    assert read["note"].str.contains("misses").all()


def test_a_rule_that_is_not_the_one_of_the_run_has_no_verdict(tmp_path):
    result = read_result("noise-graphs", "table1")
    rules = {name: rule | {"hash": "0" * 16} for name, rule in result.rules.items()}
    write_result(replace(result, rules=rules), tmp_path)
    ledger = claims(folder=tmp_path).set_index("id")
    row = ledger.loc["noise-graphs:table-1:p=0.1:epsilon"]
    assert row["verdict"] == "open"
    assert "rerun the part" in row["note"]


def test_rows_tell_whether_one_reading_serves_their_table():
    ledger = claims().set_index("id")
    note = ledger.loc["noise-graphs:table-3:p=0.05:noise-edges", "note"]
    assert "each reading fits so many: 943 x 1,682: 1; 943 x 1,650: 6" in note


def test_terminal_table_and_counts():
    result = run("claims", "--paper", "noise-graphs")
    assert result.exit_code == 0
    here = [claim for claim in published_claims() if claim.paper == "noise-graphs"]
    assert f"{len(here)} claims:" in result.output
    assert "noise-graphs:table-3:p=0.05:noise-edges" in result.output


def test_one_claim_with_the_command_that_reruns_it():
    result = run("claims", "noise-graphs:table-3:p=0.05:published-edges")
    assert result.exit_code == 0
    assert "again:      pplab reproduce noise-graphs --part table3 --again" in result.output
    assert result.output.count("tried:") == 4
    assert "rule hash:" in result.output


def test_wrong_names_are_answered_in_one_sentence():
    for arguments, sentence in (
        (["claims", "noise-graphs:table-3:p=0.5"], "there is no claim .* perhaps noise-graphs:"),
        (["claims", "--verdict", "true"], "verdict must be one of"),
        (["claims", "--paper", "nobody"], "paper must be one of"),
        (["claims", "--results", "nowhere"], "there is no folder of results nowhere"),
        (["reproduce", "nobody"], "paper must be one of"),
        (["reproduce", "noise-graphs", "--part", "table9"], "part must be one of"),
        (["reproduce", "--source", "wishful"], "source must be one of"),
    ):
        result = run(*arguments)
        assert result.exit_code == 1
        assert re.search(sentence, result.output), arguments
        assert len(result.output.strip().splitlines()) == 1


def test_the_page_stands_alone_and_shows_every_claim():
    page = render_page()
    assert not re.search(r'(src|href)\s*=\s*"', page)  # nothing to load, nothing to miss
    assert "http" not in page
    assert page.count("<tr id=") == len(published_claims())
    assert "{{" not in page
    assert "max(p00/p01, p11/p10) &lt;= e^eps" in page  # what it shows is escaped
    for verdict in set(claims()["verdict"]):
        assert f'data-verdict="{verdict}"' in page


def test_a_foreign_result_is_text_on_the_page_and_on_the_terminal(tmp_path):
    tag, orders = "</li><script>alert(1)</script>", "\x1b[2J\x1b]0;\x07\b\r\x9b\u202e\u2066"
    spelled = r"\x1b[2J\x1b]0;\x07\x08\r\x9b\u202e\u2066"
    result = read_result("smooth", "lemmas")
    rows = [row | {"witness": tag + orders} for row in result.rows]
    evil = {"seed": tag + orders, "versions": {tag + orders: tag}, "rules_commit": tag + orders}
    write_result(replace(result, rows=rows, **evil), tmp_path)
    page = render_page(folder=tmp_path)
    assert page.count("<script") == 1
    assert f"seed &lt;/li&gt;&lt;script&gt;alert(1)&lt;/script&gt;{spelled}" in page
    one = next(name for name in result.rules if result.rules[name]["verdict"] == "holds")
    shown = run("claims", one, "--results", str(tmp_path)).output
    assert shown.count(spelled) == 4  # measured, seed, versions, commit
    refused = run("claims", "--results", str(tmp_path / orders)).output
    assert spelled in refused
    for text in (page, shown, refused):
        assert all(each.isprintable() or each == "\n" for each in text)


def test_a_folder_that_is_no_path_is_refused():
    for folder in (5, True, [], b"results", {"a": 1}):
        with pytest.raises(TypeError, match=r"folder must be a path, got .*; pass"):
            claims(folder=folder)
    for folder in ("a\0b", "README.md", "x" * 5000):
        with pytest.raises(OSError, match=r"no folder of results|too long"):
            claims(folder=folder)


def test_the_page_is_written_where_the_terminal_says(tmp_path):
    result = run("claims", "--html", "--results", str(tmp_path))
    assert result.exit_code == 0
    assert (tmp_path / "claims.html").read_text().startswith("<!DOCTYPE html>")


# No stored copy, by whatever method, is more similar to its original than certificates allow.


# Data as the copies name them -> parts that hold the certificates of the same table.
CERTIFIED = {
    "adult": ("beyond_adult",),
    "playstore": ("beyond_playstore",),
    "dblp": ("beyond_dblp", "beyond_dblp_ks"),
    "stanford": ("beyond_cnr", "beyond_cnr_ks"),
}
SLACK = 1e-6  # per cent


def certificates(data):
    """The least certificate of each k."""
    least = {}
    for part in CERTIFIED[data]:
        frame = read_result("smooth", part).frame
        rows = frame[frame["quantity"] == "certificate"]
        least |= rows.groupby("k")["value"].min().to_dict()
    return least


@pytest.mark.parametrize("data", CERTIFIED)
def test_copies_of_all_methods_stay_below(data):
    least = certificates(data)
    alone, across = (
        read_result("smooth", part).frame for part in (f"copies_{data}", "across_data")
    )
    alone = alone[alone["quantity"] == "jaccard"]
    assert set(alone["method"]) >= {"smooth", "non-smooth"}
    assert set(alone["k"]) == set(least)
    across = across[across["data"] == data]
    assert len(across) == 6
    for copies in (alone, across):
        assert (copies["value"] <= copies["k"].map(least) + SLACK).all()
    assert least[8] < 100  # no empty promise
