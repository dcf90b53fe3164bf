"""The published side: unique, complete, well formed; the rule's hash covers what decides."""

import re
from ast import literal_eval
from dataclasses import fields, replace
from pathlib import Path

import pytest

from claimbook.rules import PRINT, Claim, read_rules
from pplab_papers.collection import COLLECTION, papers, published_claims
from tests.claimbook.cases import cases

CLAIMS = published_claims()


def test_ids_name_their_paper():
    """That each is there once, `pplab ledger check` sees (test_folder.py)."""
    assert [claim.id for claim in CLAIMS if not claim.id.startswith(f"{claim.paper}:")] == []


def test_no_printed_value_stands_twice():
    places = [(c.paper, c.place, c.setting, c.published) for c in CLAIMS]
    assert len(set(places)) == len(places)


def test_each_claim_is_well_formed():
    texts = {claim.id: complaints(claim) for claim in CLAIMS}
    assert {name: wrong for name, wrong in texts.items() if wrong} == {}


def complaints(claim):
    """Faults that neither the reader of rules nor `pplab ledger check` (test_folder.py) finds."""
    judged = claim.criterion or claim.same_as
    wrong = {
        "space around an option": any(
            name != name.strip() for choice in claim.choices for name in choice.options
        ),
        "no select": claim.part not in ("", PRINT) and not (claim.conditions or judged),
        "not testable, and a part": claim.rule == "not-testable" and claim.part != "",
        "folded into nothing": bool(claim.same_as) and claim.same_as not in FINAL,
        "long note": len(claim.note) > 600,
    }
    return [sentence for sentence, result in wrong.items() if result]


FINAL = {claim.id for claim in CLAIMS if not claim.same_as}


def test_not_testable_is_a_closed_list():
    listed = Path(__file__).with_name("not_testable.txt").read_text().splitlines()
    known = [line for line in listed if line and line[0] != "#"]
    assert sorted(claim.id for claim in CLAIMS if claim.rule == "not-testable") == sorted(known)


def test_what_the_printed_digits_leave_open():
    for published, rule, interval in (
        ("0.84", "rounded", (-0.005, 0.005)),
        ("5.29", "truncated", (0, 0.01)),
        ("-5.29", "truncated", (-0.01, 0)),
        ("840,162", "rounded", (-0.5, 0.5)),
        ("80,000", "exact", (0, 0)),
    ):
        claim = replace(CLAIMS[0], published=published, rule=rule)
        assert claim.interval == pytest.approx(interval), published


def test_the_hash_notices_a_change_of_the_rule():
    claim = next(claim for claim in CLAIMS if claim.rule == "rounded" and claim.choices)
    arguments = {"choices", "groups", "paper", "proofs", "level", "apart", "computed"}
    texts = {field.name for field in fields(Claim)} - arguments
    messages = {"changed", "note", "cause", "source", "draw"}
    for name in texts - messages:
        changed = replace(claim, **{name: getattr(claim, name) + "x"})
        assert changed.rule_hash != claim.rule_hash, name
    assert replace(claim, **dict.fromkeys(messages, "reworded")).rule_hash == claim.rule_hash
    other = replace(claim, groups=(replace(claim.groups[0], text="x"), *claim.groups[1:]))
    assert other.rule_hash != claim.rule_hash
    assert claim.rule_hash.startswith("3:")


def test_a_cell_that_changes_is_a_new_rule_for_its_whole_table(tmp_path):
    paper = papers()["noise-graphs"]
    lines = paper.rules.read_text().splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("noise-graphs:table-5:p=0.1:"))
    lines[at] = lines[at].replace(",2.351,", ",2.352,")
    (tmp_path / "rules.csv").write_text("\n".join(lines))
    before = {claim.id: claim.rule_hash for claim in read_rules(paper)}
    after = read_rules(replace(paper, rules=tmp_path / "rules.csv"))
    moved = {claim.id for claim in after if claim.rule_hash != before[claim.id]}
    table = {name for name in before if name.startswith("noise-graphs:table-5:p=")}
    # and all that one of its choices touches, and the statements about the printed numbers
    read = {claim.id for claim in after if "noise-graphs:table-5:" in claim.criterion}
    assert len(read) == 2
    assert table | read <= moved
    mine = {g.text for claim in after if claim.id in table for g in claim.groups}
    governed = {claim.id for claim in after if mine & {g.text for g in claim.groups}}
    assert moved <= governed | table | read


@pytest.mark.parametrize(("text", "refused"), cases("cases.txt", "papers"))
def test_what_a_paper_says_of_its_tests_is_found_in_its_rules(text, refused):
    paper = papers()["noise-graphs"]
    assert paper.drawn == ("p",)
    with pytest.raises(ValueError, match=re.escape(f"paper.toml: {refused}")):
        read_rules(replace(paper, **literal_eval(text)))


def test_a_pattern_of_ids_names_what_is_computed_within_a_part():
    paper = papers()["noise-graphs"]
    claims = {claim.id: claim for claim in read_rules(paper)}
    of_table = [claim for id, claim in claims.items() if id.startswith("noise-graphs:table-1:p=")]
    assert {claim.id for claim in of_table if claim.computed} == {
        claim.id for claim in of_table if claim.id.endswith(":epsilon")
    }
    assert not any(claim.computed for claim in read_rules(replace(paper, computed=())))


@pytest.mark.parametrize("level", ["0.0", "1.0", "95", '"5 %"'])
def test_a_level_is_a_number_between_0_and_1(tmp_path, level):
    file = papers()["smooth"].file
    text = file.read_text().replace("= 0.05", f"= {level}")
    (tmp_path / "paper.toml").write_text(text)
    with pytest.raises(ValueError, match=r"a level is a number between 0 and 1, as 0\.05; got"):
        COLLECTION.find(tmp_path)
