"""The ledger as people meet it: search, a table, a terminal, a page, exports."""

import csv
import io
import json
import re
import shlex
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from claimbook.find import MOST
from claimbook.page import _address, render_page
from claimbook.results import write_result
from claimbook.verdicts import VERDICTS
from claimbook.views import FAILS, as_csv, brief_lines, claim_lines, totals
from pplab import claims
from pplab.cli import app
from pplab_papers.collection import (
    COLLECTION,
    judged_claims,
    papers,
    published_claims,
    read_result,
    results_folder,
)
from tests.claimbook.cases import cases
from tests.helpers import ended, output_of, run

COLUMNS = "id paper kind place setting published measured source rule tolerance criterion null"
COLUMNS += " reading verdict first_verdict cause same_as part note changed seed versions"
COLUMNS += " code_commit rules_commit seconds unit main read_in author_tolerance"
ONE = "noise-graphs:table-3:p=0.05:published-edges"


def test_columns_and_rows():
    ledger = claims()
    assert " ".join(ledger.columns) == COLUMNS
    assert len(ledger) == len(published_claims())
    assert set(ledger["verdict"]) <= set(VERDICTS)


def test_a_number_nobody_computed_has_no_verdict(tmp_path):
    ledger = claims(folder=tmp_path)
    print_decides = set(ledger["id"][ledger["part"] == "print"])
    ledger = ledger[~ledger["id"].isin(print_decides) & ~ledger["same_as"].isin(print_decides)]
    assert set(ledger["verdict"]) == {"open", "not-testable"}
    assert set(ledger["measured"]) == {""}


def test_without_results_nothing_is_said_of_any_claim(tmp_path, monkeypatch):
    monkeypatch.setenv("PPLAB_RESULTS", str(tmp_path / "none"))
    for folder in (None, tmp_path / "none"):
        with pytest.raises(FileNotFoundError, match=r"no folder of results .*none; measure"):
            claims(folder=folder)


def test_a_verdict_that_is_not_the_plain_one_shows_how_the_others_fare():
    ledger = claims()
    read = ledger[ledger["verdict"] == "reproduced-under-reading"]
    assert len(read)
    assert read["reading"].ne("").all()
    for text in ("Admitted: ", r"Numbers that rule it out: plain [1-9]"):
        assert read["note"].str.contains(text).all()


def test_what_holds_fails_under_its_null():
    entries = [*judged_claims(), *judged_claims("yardstick")]
    stands = ("holds", "holds-under-reading")
    texts = [each for each in entries if each.kind in ("statement", "own")]
    held = {each.claim.id: each.judgement for each in texts if each.judgement.verdict in stands}
    assert len(held) > 200
    assert {name for name, result in held.items() if result.null != "fails"} == set()


@pytest.mark.parametrize("stored", ["3:" + "0" * 16, "", "3:", None])
def test_a_rule_that_is_not_the_one_of_the_run_has_no_verdict(tmp_path, stored):
    """Another hash, an empty one, none, or no entry at all; it moves no other verdict."""
    result = read_result("microaggregation", "planes_movielens")

    def verdicts(lost):
        rules = {name: rule for name, rule in result.rules.items() if name not in lost}
        if stored is not None:
            rules |= dict.fromkeys(lost, stored)
        write_result(replace(result, rules=rules), tmp_path)
        return claims(paper="microaggregation", folder=tmp_path).set_index("id")

    before = verdicts([])
    decided = before.index[before["part"] == result.part]
    assert set(decided) <= set(result.rules)
    for lost in ([], [*decided], *([name] for name in decided)):
        after = verdicts(lost)
        gone = after.index.isin(lost) | after["same_as"].isin(lost)
        assert set(after.loc[gone, "verdict"]) == ({"open"} if lost else set())
        assert set(after.loc[lost, "note"].str.contains("rule changed, not yet run")) <= {True}
        assert after.loc[~gone, "verdict"].equals(before.loc[~gone, "verdict"])


def test_one_hit_is_shown_in_few_words_and_nothing_of_it_is_lost(monkeypatch):
    """At most 200 words, whatever the row; what is longer is cut, and shown in full elsewhere."""
    monkeypatch.setattr("claimbook.results.fixed_before", lambda *_: "yes")  # git's, for each row
    for entry in judged_claims():
        brief = "\n".join(brief_lines(entry, width=100))
        assert len(brief.split()) <= 200, entry.claim.id
        assert entry.claim.id in brief
        assert f"verdict:    {entry.judgement.verdict}:" in brief
        starts = {"own": "we claim", "sanity": "we check"}.get(entry.claim.kind, "it says")
        assert f"\n{starts}:" in brief
        whole = " ".join(" ".join(claim_lines(entry, width=100)).split())
        measured, _, borders = entry.judgement.measured.partition("; at ")
        for text in (entry.claim.published, measured, entry.claim.note):
            assert " ".join(text.rstrip(".").split()) in whole
            assert " ".join(text.split()[:10]) in " ".join(brief.split())
        assert " ..." in brief or all(b in brief for b in re.findall(r"[\d.]+(?= it)", borders))
    message = output_of("claims", ONE)
    for text in ("\nit says:    153,864\n", "falls on the 1,650 films", "--full shows rule"):
        assert text in message
    assert "tried:" not in message


def test_a_row_that_another_judges_shows_that_row():
    folded, judge = "smooth:beyond:goal:cnr-2000:thorough", "smooth:beyond:goal:cnr-2000:fast"
    shown = output_of("claims", folded)
    assert shown.startswith(f"{folded} is judged by another row, this one:\n\n{judge}\n")
    assert "effort fast\nwe claim: " in shown
    assert f"id:         {folded}\n" in output_of("claims", folded, "--full")


def test_one_hit_is_shown_in_full_with_the_command_that_reruns_it():
    for query in (ONE, "Table 3, p = 0.05, E(G+g)"):
        result = output_of("claims", query, "--full")
        assert "verdict:    reproduced-under-reading" in result
        assert "world:      films: 1,650" in result
        assert f"check:      pplab reproduce noise-graphs {ONE} --check" in result
        assert "again:      pplab reproduce noise-graphs --part table3 --again" in result
        assert re.search(r"code: +packages/pplab_papers/noise_graphs/tables.py:\d+ table3", result)
        assert result.count("tried:") == 6
        assert max(map(len, result.splitlines())) <= 100
        for fact in ("rule hash", "choices", "first", "data", "rules of", "seconds"):
            assert f"\n{fact}:" in result, fact
    several = run("claims", "Table 3, p = 0.05").output
    assert several.count("noise-graphs:table-3:p=0.05:") == 2
    assert "pplab claims ID shows one of them" in several
    assert "tried:" not in several


def test_each_number_of_a_joint_test_shows_which_worlds_it_rules_out():
    text = CliRunner().invoke(app, ["claims", ONE, "--full"], env={"COLUMNS": "80"}).output
    assert max(len(each) for each in text.splitlines() if "pplab reproduce" not in each) <= 80
    text = re.sub(r"\n {12}", " ", text)
    joint = judged_claims("noise-graphs", only=[ONE])[0].judgement.joints[0]
    admitted = {f"world {i}" for i, w in enumerate(joint.group.worlds, 1) if w in joint.admitted}
    assert admitted == set(re.findall(r"^(world \d+): .*: admitted$", text, re.MULTILINE))
    for place, world in enumerate(joint.group.worlds, start=1):
        marked = re.findall(rf"^ruled out: .* {place} .* by (\S+)$", text, re.MULTILINE)
        assert {f"noise-graphs:{name}" for name in marked} == set(joint.refused[world])


@pytest.mark.parametrize(
    "name", ["smooth:table-1:adult:smooth:jaccard", "social:section-6.2:lastfm:clusters-add-up"]
)
def test_a_row_by_print_and_one_that_another_judges_tell_how_to_check_them(name):
    paper, text = name.partition(":")[0], run("claims", name, "--full").output
    assert f"\ncheck:      pplab reproduce {paper} {name} --check\n" in text
    assert re.search(rf"^again:      pplab reproduce {paper} --part \w+ --again$", text, re.M)


def test_a_claim_is_shown_without_what_takes_long_to_import():
    code = f"import sys; from pplab.cli import app; app(['claims', {ONE!r}], standalone_mode=False)"
    code += "; print({'pandas', 'numba', 'pplab_papers.smooth', 'pplab.datasets'} & {*sys.modules})"
    assert ended(sys.executable, "-c", code).stdout.splitlines()[-1] == "set()"


# Counts: the papers' numbers and statements; all else stands apart.


def test_totals_count_repeats_and_own_claims_apart():
    entries = judged_claims("social")
    counts = totals(entries)
    assert sum(map(Counter.total, counts.values())) == len(entries)
    first = entries[0]
    folded = replace(first, claim=replace(first.claim, same_as=entries[1].claim.id))
    after = totals([folded, *entries[1:]])
    kind, verdict = ("social", first.kind), first.judgement.verdict
    assert after[kind][verdict] == counts[kind][verdict] - 1
    repeats = counts["social", "repeat"] + Counter({verdict: 1})
    assert after["social", "repeat"] == repeats


def test_terminal_table_and_counts():
    result = output_of("claims", "--paper", "noise-graphs", "--kind", "number")
    here = judged_claims("noise-graphs")
    numbers = [entry for entry in here if entry.kind == "number"]
    assert f"noise-graphs, printed numbers: {len(numbers)} (" in result
    assert "noise-graphs:table-3:p=0.05:noise-edges" in result
    short = run("claims", "--counts").output
    everything = judged_claims()
    ours = sum(each.kind == "statement" for each in everything)
    assert f"all papers, statements: {ours} (" in short
    assert ONE not in short
    assert set(re.findall(r"^[\w-]+", short, re.MULTILINE)) == {*papers(), "all", "what"}
    rows, slips = map(int, re.findall(r"\d+", short.splitlines()[-1]))
    own = [each for each in everything if each.kind in ("number", "statement")]
    assert 0 < slips < rows == sum(each.judgement.verdict in FAILS for each in own)


def test_what_no_row_has_is_the_first_line_and_the_nearest_rows_follow():
    first, *lines = output_of("claims", "Table 3, k = 900").splitlines()
    assert first == 'no row has "k = 900"; the nearest rows:'
    near = [line.split()[0] for line in lines if re.match(r"[\w-]+:table-3:", line)]
    assert len(near) == MOST
    assert output_of("claims", "Table 3, k = 9").startswith("id ")
    rows = CliRunner().invoke(app, ["claims", "Table 3, k = 900", "--format", "json"])
    assert {each["id"] for each in json.loads(rows.stdout)["claims"]} == set(near)
    assert rows.stderr.startswith(first)


@pytest.mark.parametrize(("command", "sentence"), cases("cases.txt", "refused"))
def test_wrong_names_are_answered_in_one_sentence(command, sentence):
    result = output_of(*shlex.split(command), code=1)
    assert re.search(sentence, result)
    assert len(result.strip().splitlines()) == 1


# Exports: the same rows in two forms.


def test_a_verdict_that_is_typed_as_a_query_is_one():
    form = ("--format", "csv")
    rows = output_of("claims", "misprint", *form)
    assert len(rows.splitlines()) > 2
    assert rows == output_of("claims", "--verdict", "misprint", *form)


def test_where_no_row_that_is_found_has_the_verdict_that_is_said():
    for form in ("table", "csv"):
        result = run("claims", ONE, "--verdict", "holds", "--kind", "own", "--format", form)
        assert result.stderr == "pplab: of 1 rows found, none is holds and own\n"
    assert result.stdout == f"{COLUMNS.replace(' ', ',')}\n"


def test_exports_hold_the_rows_asked_for():
    command = ("claims", "Table 3", "--paper", "noise-graphs", "--kind", "number")
    ids = [each.id for each in published_claims() if each.id.startswith("noise-graphs:table-3:p=")]
    table = list(csv.DictReader(io.StringIO(run(*command, "--format", "csv").output)))
    assert [line["id"] for line in table] == ids
    assert " ".join(table[0]) == COLUMNS
    text = json.loads(run(*command, "--format", "json").output)
    assert [line["id"] for line in text["claims"]] == ids
    assert text["versions"]["pplab"]


def test_the_page_stands_alone_and_shows_every_claim():
    page = render_page(COLLECTION.chosen())
    assert not re.search(r"\bsrc\s*=|<link|@import|url\(", page)  # nothing to load or miss
    links = {link for link in re.findall(r'href="([^"]*)"', page) if link[0] != "#"}
    code = {link for link in links if re.search(r"packages/\S+\.py#L\d+$", link)}
    assert [link for link in code if not Path(link.partition("#")[0]).is_file()] == []
    assert links - code == {paper.address for paper in papers().values()}
    assert page.count("<tr id=") == len(published_claims())
    assert "{{" not in page
    assert "max(p00/p01, p11/p10) &lt;= e^eps" in page  # what it shows is escaped
    for verdict in set(claims()["verdict"]):
        assert f'data-verdict="{verdict}"' in page


def test_the_page_leads_to_code_under_any_file_name(tmp_path):
    result = replace(read_result("smooth", "lemmas"), code="c# code/parts.py:7 lemmas")
    paper = replace(papers()["smooth"], file=tmp_path / "paper.toml", results=tmp_path)
    assert _address(paper, result, tmp_path) == "c%23%20code/parts.py#L7"


def test_the_page_says_where_all_data_were_made(tmp_path):
    write_result(replace(read_result("smooth", "lemmas"), source="standin"), tmp_path)
    assert "STAND-IN DATA" in render_page(COLLECTION.chosen(), folder=tmp_path)


def test_a_foreign_result_is_text_on_the_page_and_on_the_terminal(tmp_path):
    tag, orders = "</li><script>alert(1)</script>", "\x1b[2J\x1b]0;\x07\b\r\x9b\u202e\u2066"
    spelled = r"\x1b[2J\x1b]0;\x07\x08\r\x9b\u202e\u2066"
    result = read_result("smooth", "lemmas")
    rows = [row | {"witness": tag + orders} for row in result.rows]
    evil = {"seed": tag + orders, "versions": {tag + orders: tag}, "rules_commit": tag + orders}
    write_result(replace(result, rows=rows, **evil), tmp_path)
    page = render_page(COLLECTION.chosen(), folder=tmp_path)
    assert page.count("<script") == 1
    assert f"seed &lt;/li&gt;&lt;script&gt;alert(1)&lt;/script&gt;{spelled}" in page
    judged = {each.claim.id: each.judgement.verdict for each in judged_claims("smooth")}
    one = next(name for name in result.rules if judged[name] == "holds")
    message = run("claims", one, "--full", "--results", str(tmp_path)).output
    assert message.count(spelled) == 5  # measured, seed, versions, commit and what is said of it
    refused = run("claims", "--results", str(tmp_path / orders)).output
    assert spelled in refused
    for text in (page, message, refused):
        assert all(each.isprintable() or each == "\n" for each in text)


def test_a_folder_that_is_no_path_is_refused():
    for folder in (5, True, [], b"results", {"a": 1}):
        with pytest.raises(TypeError, match=r"folder must be a path, got .*; pass"):
            claims(folder=folder)
    for folder in ("a\0b", "README.md", "x" * 5000):
        with pytest.raises(OSError, match=r"no folder of results|too long"):
            claims(folder=folder)


def test_the_page_goes_where_one_says_and_over_nothing_else(tmp_path, monkeypatch):
    output_of("claims", "--html", "--results", tmp_path)  # to these results where one says nothing
    (tmp_path / "claims.html").rename(tmp_path / "its.html")
    monkeypatch.chdir(tmp_path)
    results = str(results_folder())
    page = ("--html", "--results", results)
    output_of("claims", "mine.html", *page)
    for file in ("its.html", "mine.html"):
        assert Path(file).read_text().startswith("<!DOCTYPE html>")
    assert "mine.html exists: remove it" in output_of("claims", "mine.html", *page, code=1)
    assert "a page of all rows, got the query" in output_of("claims", "Table 3", *page, code=1)
    assert {file.name for file in tmp_path.glob("[!.]*")} == {"its.html", "mine.html"}


def test_no_cell_of_the_csv_is_run_by_a_spreadsheet():
    entry = judged_claims("noise-graphs")[0]
    for text in ("=1+1", "@SUM(A1)", "+1", "\tx"):
        result = as_csv([replace(entry, claim=replace(entry.claim, setting=text))])
        assert next(csv.DictReader(io.StringIO(result)))["setting"] == f"'{text}"
    assert next(csv.DictReader(io.StringIO(as_csv([entry]))))["setting"] == entry.claim.setting


# No stored copy, by whatever method, is more similar to its original than certificates allow.


# Data as the copies name them -> part that holds certificates of the same table.
CERTIFIED = {
    "adult": "beyond_adult",
    "playstore": "beyond_playstore",
    "dblp": "beyond_dblp",
    "stanford": "beyond_cnr",
}


@pytest.mark.parametrize("data", CERTIFIED)
def test_copies_of_all_methods_stay_below(data):
    frame = read_result("smooth", CERTIFIED[data]).frame
    least = frame[frame["quantity"] == "certificate"].groupby("k")["value"].min().to_dict()
    graph = data in ("dblp", "stanford")
    copies = read_result("smooth", "copies_graphs" if graph else f"copies_{data}").frame
    copies = copies[(copies["quantity"] == "jaccard") & (not graph or copies.get("data") == data)]
    assert set(copies["method"]) >= {"smooth", "non-smooth"}
    copies = copies[copies["k"].isin(least)]
    assert set(least) >= {2, 8}
    assert set(least) - set(copies["k"]) == ({2} if graph else set())  # copies of graphs: k from 8
    assert (copies["value"] <= copies["k"].map(least) + 1e-6).all()  # per cent
    assert least[8] < 100  # no empty promise
