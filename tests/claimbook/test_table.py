"""What a table is: cells as papers print them, a table in one line, columns that may be missing."""

import csv
import io
import json
import re

import pytest

from claimbook.results import read_history
from claimbook.rules import Claim, read_cell, read_rules
from pplab_papers.collection import find_paper
from tests.claimbook.cases import cases
from tests.helpers import ROOT, output_of, run, verdicts


@pytest.mark.parametrize(("text", "words"), cases("cases.txt", "no number"))
def test_what_is_no_printed_number_is_asked_about(text, words):
    with pytest.raises(ValueError, match="got") as refused:
        read_cell(text)
    assert words in str(refused.value)


PARTS = """
from math import nan
import pandas as pd
from claimbook.part import Part

ROWS = {rows!r}


def measured(part):
    return lambda: pd.DataFrame(ROWS[part])


PARTS = [Part("paper", part, measured(part)) for part in ROWS]
"""
HEAD = "id,place,published,rule,part,select"


@pytest.fixture
def folder(tmp_path):
    """A paper without data: its rules and what its parts measure are given by `fill`."""
    made = tmp_path / "paper"
    output_of("ledger", "new", made)
    (made / "choices.csv").write_text("name,options,meaning,touches,note\n")
    return made


def write(folder, lines, head=HEAD, **rows):
    (folder / "rules.csv").write_text("\n".join([head, *lines, ""]))
    (folder / "parts.py").write_text(PARTS.format(rows=rows))


def fill(folder, lines, head=HEAD, code=0, **rows):
    write(folder, lines, head, **rows)
    return output_of("reproduce", folder, code=code)


CELLS = cases("cases.txt", "cells")


def test_printed_cells_are_judged_with_what_they_say(folder):
    printed = [f"{number},{rule}" for number, rule, *_ in CELLS]
    lines = [f"paper:{n},Table 1,{text},one,n={n}" for n, text in enumerate(printed)]
    fill(folder, lines, one=[{"n": n, **json.loads(row)} for n, (_, _, row, _) in enumerate(CELLS)])
    assert list(verdicts(folder).values()) == [verdict for *_, verdict in CELLS]
    for n, words in (
        (1, "It fits times 100: the print is in percent, so measure percent"),
        (27, "It fits as percent, and would not fit as a share"),
        (2, "rule type: rounded, ± 0.005, ± 0.06 as the spread of one printed value and what"),
        (10, "rule type: rounded, any number > 1.6 and what"),
    ):
        message = run("claims", f"paper:{n}", "--paper", folder, "--full").output
        assert words in " ".join(message.split())
    text = run("claims", "--paper", folder, "--format", "json").output
    json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))


NETWORKS = ("Karate", "Dolphins", "Les Mis", "Books", "Football", "Jazz", "E-mail", "PGP", "Power")
METHODS = ("LPA", "LPA+", "LPAm", "LPAm+", "MSG", "MSG-VM", "Greedy", "k = 2")


def printed_table(mark=","):
    values = ([f"{(i + 1) * (j + 2) / 100:.2f}" for j in range(8)] for i in range(9))
    lines = [[name, *each] for name, each in zip(NETWORKS, values, strict=True)]
    return "\n".join(mark.join(line) for line in (["Network", *METHODS], *lines))


def add(folder, *options, file="-", select="network={Network}; method={column}", **how):
    fixed = ("--place", "Table 2", "--part", "all", "--folder", folder)
    return output_of("ledger", "table", file, *fixed, "--select", select, *options, **how)


ROWS = [
    {"network": network, "method": method, "value": (i + 1) * (j + 2) / 100}
    for i, network in enumerate(NETWORKS)
    for j, method in enumerate(METHODS)
]


@pytest.mark.parametrize("mark", ["\t", " | "])
def test_a_table_is_one_paste_and_one_line(folder, mark):
    write(folder, [], all=ROWS)
    text = add(folder, typed=printed_table(mark))
    assert "72, paper:table-2:karate-lpa ... paper:table-2:power-2" in text
    output_of("reproduce", folder)
    result = verdicts(folder)
    assert len(result) == 72
    assert set(result.values()) == {"reproduced"}
    rule = read_rules(find_paper(folder))[3]
    assert rule.id == "paper:table-2:karate-lpam+"
    assert (rule.kind, rule.setting, rule.published) == ("number", "Karate, LPAm+", "0.05")
    assert rule.select == "network=Karate; method=LPAm+"
    assert "would hold twice" in add(folder, typed=printed_table(mark), code=1)
    # the hash is the cell's own
    edit = folder / "rules.csv"
    edit.write_text(edit.read_text().replace('"Karate, LPAm+",0.05', '"Karate, LPAm+",0.06'))
    changed = [name for name, each in verdicts(folder).items() if each == "open"]
    assert changed == ["table-2:karate-lpam+"]


def test_cells_that_are_other_than_their_table(folder, tmp_path):
    write(folder, ["paper:old,Section 1,1,exact,all,network=Jazz; method=LPA"], all=ROWS)
    file = tmp_path / "table.csv"
    file.write_text(printed_table().replace("0.10,0.12", "–,0.12", 1))
    options = ["--set", "tolerance=5 %; source=page 7"]
    options += ["--but", "jazz-*: rule=not-testable; note=no data of {row}"]
    options += ["--but", "karate-lpa: rule=exact; tolerance=0.1"]
    text = add(folder, *options, file=file)
    assert "empty cells left out: 1" in text
    claims = read_rules(find_paper(folder))
    rules = {claim.id.removeprefix("paper:table-2:"): claim for claim in claims}
    assert len(rules) == 72
    assert "paper:old" in rules
    jazz = [claim for name, claim in rules.items() if name.startswith("jazz-")]
    assert {(claim.rule, claim.note, claim.select) for claim in jazz} == {
        ("not-testable", "no data of Jazz", "")
    }
    assert (rules["karate-lpa"].rule, rules["karate-lpa"].tolerance) == ("exact", "0.1")
    assert (rules["pgp-msg"].tolerance, rules["pgp-msg"].source) == ("5 %", "page 7")


def test_two_columns_of_heads_and_a_head_that_is_a_condition(folder):
    write(folder, [], all=[{"network": "a", "n": 2, "k": 5, "value": 0.5}])
    text = "net,n,k = 5\na,1,0.4\n,2,0.5\n"
    add(folder, "--heads", "2", typed=text, select="network={net}; n={n}; {column}")
    rules = read_rules(find_paper(folder))
    assert [(claim.id, claim.select) for claim in rules] == [
        ("paper:table-2:a-1-5", "network=a; n=1; k = 5"),
        ("paper:table-2:a-2-5", "network=a; n=2; k = 5"),
    ]
    assert rules[1].conditions == {"network": "a", "n": "2", "k": "5"}


@pytest.mark.parametrize(("typed", "options", "words"), cases("cases.txt", "tables"))
def test_a_table_that_is_not_as_it_should_be_writes_nothing(folder, typed, options, words):
    write(folder, [], all=ROWS)
    before = (folder / "rules.csv").read_bytes()
    text = add(folder, *json.loads(options), typed=typed, select="network={row}", code=1)
    assert words in text
    assert "Traceback" not in text
    assert (folder / "rules.csv").read_bytes() == before


LINE = "paper:1,Table 1,1.65,rounded,one,q=books; month=1"
NASTY = [{"q": q, "month": m, "value": 1.65} for q in ("books", "films") for m in (1, 2)]


PAGE = (ROOT / "docs" / "your-paper.md").read_text()
SAID = re.findall(r"^\| `(\w+)` `(.*)` \| (.*?)(?: \.\.\..*)? \|$", PAGE, flags=re.M)


@pytest.mark.parametrize(("column", "cell", "words"), [*SAID, *cases("cases.txt", "columns")])
def test_a_fault_names_claim_column_what_was_got_and_what_to_do(folder, column, cell, words):
    assert len(SAID) == 9
    cells = dict(zip(HEAD.split(","), LINE.split(","), strict=True)) | {column: cell}
    line = ",".join(f'"{each}"' for each in cells.values())
    text = fill(folder, [line], ",".join(cells), code=1, one=NASTY, two=NASTY)
    assert words in text
    assert "Traceback" not in text
    assert f"claim {cells['id']}" in text
    assert column in text


def test_semicolons_need_no_space(folder):
    fill(folder, [LINE.replace("; ", ";")], one=NASTY)
    assert verdicts(folder) == {"1": "reproduced"}


def test_a_criterion_that_selects_nothing_says_what_there_is(folder):
    line = 'paper:s,Section 1,It is.,holds,one,,value(q="boks") > 1'.replace('"', '""')
    line = line.replace('value(q=""boks"") > 1', '"value(q=""boks"") > 1"')
    text = fill(folder, [line], f"{HEAD},criterion", code=1, one=NASTY)
    assert "claim paper:s" in text
    assert "value(q='boks') selects nothing: q is books, films, not 'boks'" in text


def test_the_hash_of_a_rule_without_the_later_columns_is_that_of_before():
    number = Claim("x:1", "x", "number", "Table 1", "k = 2", "0.5", "rounded", "part", "k=2")
    assert number.rule_hash == "3:d69035472d00df6a"
    texts = {"criterion": "all(steps(value()) > 0)", "null": "shuffle"}
    sentence = Claim("x:2", "x", "statement", "Table 1", "", "It rises.", "holds", "part", **texts)
    assert sentence.rule_hash == "3:95b7387ae65dc1e0"


def test_an_author_s_tolerance_is_told_and_changes_no_verdict(folder):
    head = f"{HEAD},tolerance,unit,main,source"
    lines = [
        "paper:a,Table 1,1.65,rounded,one,n=1,2 %,s,yes,page 3",  # 0.03 <= 0.033
        "paper:b,Table 1,1.65,rounded,one,n=1,0.02,s,,page 3",
        "paper:c,Table 1,< 1.65,exact,one,n=1,0.03,s,,page 3",
        "paper:d,Table 1,1.65,rounded,one,n=1,,s,,page 3",
    ]
    fill(folder, lines, head, one=[{"n": 1, "value": 1.68}])
    assert set(verdicts(folder).values()) == {"differs"}
    table = run("claims", folder).output.splitlines()
    assert [line.partition("differs")[2] for line in table[1:5]] == [
        ", within the author's tolerance of 2 %",
        ", outside the author's tolerance of 0.02",
        ", within the author's tolerance of 0.03",
        "",
    ]
    shown = " ".join(run("claims", "paper:a", "--paper", folder, "--full").output.split())
    assert "tolerance: within the author's tolerance of 2 %" in shown
    assert "published: 1.65 s" in shown
    assert "read in: page 3" in shown
    text = run("claims", "--paper", folder, "--format", "csv").output
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["main"] for row in rows] == ["yes", "", "", ""]
    page = folder / "results" / "claims.html"
    output_of("claims", folder, "--html")
    assert "within the author&#39;s tolerance of 2 %" in page.read_text()


def test_a_sentence_over_two_parts(folder):
    head = f"{HEAD},criterion,null"
    criterion = '"value(part=""one"", m=""A"") > max(value(part=""two""))",swap part=one|two'
    lines = [f"paper:s,Section 2,A of one beats all of two.,holds,one; two,,{criterion}"]
    rows = {"one": [{"m": "A", "value": 3.0}], "two": [{"m": m, "value": 2.0} for m in "AB"]}
    fill(folder, lines, head, **rows)
    assert verdicts(folder) == {"s": "holds"}
    assert len(read_history(find_paper(folder))) == 1
    message = run("claims", "paper:s", "--paper", folder, "--full").output
    assert "--part one --again && pplab reproduce" in message
    checked = output_of("reproduce", folder, "paper:s", "--check")
    assert checked.strip().endswith("0 no stored verdict")
    # one part alone says nothing, and a changed rule needs both
    (folder / "results" / "paper" / "two.json").unlink()
    assert verdicts(folder) == {"s": "open"}
    run("reproduce", folder)
    assert verdicts(folder) == {"s": "holds"}
    text = (folder / "rules.csv").read_text()
    (folder / "rules.csv").write_text(text.replace("> max", ">= max"))
    run("reproduce", folder, "--part", "one")
    assert verdicts(folder) == {"s": "open"}
    run("reproduce", folder, "--part", "two")
    assert verdicts(folder) == {"s": "holds"}
    rows["two"][1]["value"] = 4.0
    fill(folder, lines, head, **rows)
    assert verdicts(folder) == {"s": "refuted"}
