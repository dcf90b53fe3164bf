"""The published side: unique, complete, well formed; the rule's hash covers what decides."""

from dataclasses import fields, replace

import pandas as pd
import pytest

from pplab.ledger.rules import NUMBER_RULES, RULES, Claim, judge, published_claims
from pplab.papers import PARTS

CLAIMS = published_claims()

# The list of what cannot be tested is closed: a new entry must be argued for here.
NOT_TESTABLE = {
    "noise-graphs:definition-4:event-form",
    "noise-graphs:section-4.1:users-all",
    "noise-graphs:section-4.1:likes-all",
    "noise-graphs:section-4.1:pairs-all",
    "noise-graphs:section-4.1:likes",
}
# The proprietary data set of the smooth paper: every number printed of it, and nothing else.
NOT_TESTABLE |= {
    f"smooth:table-{table}:user-lists:{method}:{quantity}"
    for table in (1, 3)
    for method in ("non-smooth", "smooth")
    for quantity in ("jaccard", "suppressed", "created")
} | {
    f"smooth:table-2:user-lists:{quantity}"
    for quantity in ("rows", "columns", "entries", "density")
}


def test_ids_are_unique_and_name_their_paper():
    ids = [claim.id for claim in CLAIMS]
    assert len(set(ids)) == len(ids)
    assert all(claim.id.startswith(f"{claim.paper}:") for claim in CLAIMS)


def test_no_printed_value_stands_twice():
    places = [(c.paper, c.place, c.setting, c.published) for c in CLAIMS]
    assert len(set(places)) == len(places)


def test_each_claim_is_well_formed():
    said = {claim.id: complaints(claim) for claim in CLAIMS}
    assert {name: wrong for name, wrong in said.items() if wrong} == {}


def complaints(claim):
    number = claim.rule in NUMBER_RULES
    wrong = {
        "rule": claim.rule not in RULES,
        "place or published is empty": not (claim.place and claim.published),
        "space around a reading": any(name != name.strip() for name in claim.reading_names),
        "no number": number and not (claim.number.is_finite() and claim.unit > 0),
        "no such part": bool(claim.part) and (claim.paper, claim.part) not in PARTS,
        "no select": bool(claim.part) and not claim.conditions,
        "not testable, so a note and no part": claim.rule == "not-testable"
        and not (claim.note and not claim.part),
    }
    return [sentence for sentence, found in wrong.items() if found]


def test_not_testable_is_a_closed_list():
    assert {claim.id for claim in CLAIMS if claim.rule == "not-testable"} == NOT_TESTABLE


def test_tolerance_follows_from_the_printed_digits():
    for published, rule, tolerance in (
        ("0.84", "rounded", 0.005),
        ("5.29", "truncated", 0.01),
        ("840,162", "rounded", 0.5),
        ("0.450", "rounded", 0.0005),
        ("80,000", "exact", 0.0),
    ):
        claim = replace(CLAIMS[0], published=published, rule=rule)
        assert claim.tolerance == pytest.approx(tolerance), published


def test_the_hash_notices_a_change_of_the_rule():
    claim = CLAIMS[0]
    columns = {field.name for field in fields(Claim)}
    for column in columns - {"paper", "place", "setting", "note"}:
        changed = replace(claim, **{column: getattr(claim, column) + "x"})
        assert changed.rule_hash != claim.rule_hash, column
    assert replace(claim, note="reworded").rule_hash == claim.rule_hash


# Verdicts: each one reached by a case made for it, on both sides of every border.


def claim(published="0.50", rule="rounded", readings="", select="p=0.1"):
    return Claim("x:1", "x", "Table 1", "p", published, rule, "part", select, readings, "")


def frame(*rows):
    return pd.DataFrame([{"p": 0.1} | row for row in rows])


ERRORS = {"se": 0.003, "sd": 0.004}  # together 0.005


@pytest.mark.parametrize(
    ("claim", "errors", "fits", "misses"),
    [
        (claim(), {}, (0.495, 0.505), (0.4949, 0.5051, float("nan"))),
        (claim(rule="truncated"), {}, (0.50, 0.5099), (0.51, 0.4999)),
        (claim(), ERRORS, (0.519, 0.481), (0.521, 0.479)),
        (claim(rule="truncated"), ERRORS, (0.524, 0.4851), (0.526, 0.4849)),
        (claim("80,000", "exact"), {}, (80_000,), (80_001, 79_999)),
    ],
    ids=["half a unit", "cut off", "standard errors", "cut off, standard errors", "exact"],
)
def test_numbers_on_both_sides_of_every_border(claim, errors, fits, misses):
    for values, verdict in ((fits, "reproduced"), (misses, "differs")):
        for value in values:
            assert judge(claim, frame({"value": value} | errors), "real").verdict == verdict, value


def test_misfits_of_random_counts_are_told_in_standard_deviations():
    rows = frame({"value": 1000.0, "sd": 100.0})
    judgement = judge(claim("1,250"), rows, "real")
    assert str(judgement.trials[0]) == "plain reading: 1,000 fits (-250; 2.5 sd)"


def test_plain_reading_first_then_the_others_in_order():
    rows = frame({"reading": "b", "value": 0.5}, {"reading": "a", "value": 0.9})
    judgement = judge(claim(readings="a | b"), rows, "real")
    assert judgement.verdict == "reproduced-under-reading"
    assert "read as: b" in judgement.note
    assert "a: 0.9 misses (+0.4; allowed -0.005 to +0.005)" in judgement.note
    assert judge(claim(readings="b | a"), rows, "real").verdict == "reproduced"


def test_every_reading_is_shown_when_none_fits():
    rows = frame({"reading": "a", "value": 0.9}, {"reading": "b", "value": 0.7})
    judgement = judge(claim(readings="a | b"), rows, "real")
    assert judgement.verdict == "differs"
    assert "a: 0.9 misses" in judgement.note
    assert "b: 0.7 misses" in judgement.note
    assert judgement.measured == "0.7000"  # the closest one


def test_statements():
    for value, verdict in ((True, "holds"), (False, "refuted")):
        rows = frame({"value": value, "witness": "p = 3/4"})
        judgement = judge(claim("it is so", "holds"), rows, "no data")
        assert (judgement.verdict, judgement.measured) == (verdict, "p = 3/4")


@pytest.mark.parametrize("source", ["standin", "portion", "substitute"])
def test_other_data_never_reproduce(source):
    judgement = judge(claim(), frame({"value": 0.5}), source)
    assert judgement.verdict == "shape-only"
    assert "it would be: reproduced" in judgement.note


def test_nobody_ran_it():
    assert judge(claim(), None).verdict == "open"
    assert judge(claim(rule="not-testable"), None).verdict == "not-testable"


def test_claims_that_cannot_be_judged_are_refused():
    plain, two, no_rows = claim(), claim(readings="a | b"), pd.DataFrame({"p": [0.2], "value": [1]})
    statement, select = claim("it is so", "holds"), "claim x:1 selects"
    unclear = (None, float("nan"), "False", 0.3, 2)
    for each, rows, words in (
        (plain, frame({"value": 1.0}, {"value": 2.0}), select),
        (plain, no_rows, select),
        (plain, frame({"value": 1.0, "p": 0.2}), select),
        (claim(select="q=1"), frame({"value": 0.5}), "selects 0 rows"),
        (two, frame({"reading": "a", "value": 1.0}), select),
        (two, frame({"reading": "a", "value": 1.0}, {"reading": "a", "value": 2.0}), select),
        (two, frame({"value": 1.0}, {"value": 2.0}), select),
        (plain, frame({"value": 0.5, "se": float("inf")}), "endless standard error"),
        *((statement, frame({"value": value}), "true or false value") for value in unclear),
    ):
        with pytest.raises(LookupError, match=words):
            judge(each, rows, "real")
    with pytest.raises(ValueError, match="source must be one of"):
        judge(plain, frame({"value": 0.5}), "stand-in")
