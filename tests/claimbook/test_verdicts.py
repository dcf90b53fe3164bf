"""Verdicts: each one reached by a case made for it, on both sides of every border."""

import json
from dataclasses import replace

import pytest

from claimbook.chance import limits, quantile
from claimbook.rules import Claim
from claimbook.verdicts import NOT_AT_HAND, SHAPE_ONLY, MeasuredRows, folded, judge, parts_behind
from claimbook.worlds import Choice, Group
from tests.claimbook.cases import cases


def claim(published="0.50", rule="rounded", options="", select="p=0.1", **fields):
    kind = "number" if rule in ("rounded", "truncated", "exact") else "statement"
    plain = Claim("x:1", "x", kind, "Table 1", "p", published, rule, "part", select)
    return replace(plain, **(touched(options, ["x:1"]) if options else {}), **fields)


def touched(options, numbers):
    """The fields of a claim that one choice touches."""
    choice = Choice("open", tuple(options.split(" | ")))
    return {"choices": (choice,), "groups": (Group((choice,), tuple(numbers), "open"),)}


def rows(*each):
    return [{"p": 0.1} | row for row in each]


def judge_all(claims, measured, source="real", printed=lambda _: []):
    parts = {} if measured is None else {"part": MeasuredRows(measured, source)}
    return judge(claims, parts, printed)


def judged(one, measured, source="real"):
    return judge_all([one], measured, source)[one.id]


@pytest.mark.parametrize(
    ("published", "rule", "more", "row", "what", "said"), cases("cases.txt", "numbers")
)
def test_a_number_is_judged_on_both_sides_of_every_border(published, rule, more, row, what, said):
    judgement = judged(claim(published, rule, **json.loads(more)), rows(json.loads(row)))
    assert getattr(judgement, what) == said


def table(options, printed, measured):
    """Claims of a table that one choice touches, and rows that measure each world."""
    arguments = touched(" | ".join(options), [f"x:{i}" for i in range(len(printed))])
    claims = [
        replace(claim(number, select=f"cell={i}"), id=f"x:{i}", **arguments)
        for i, number in enumerate(printed)
    ]
    results = [
        {"cell": i, "open": option, "value": value}
        for option, values in zip(options, measured, strict=True)
        for i, value in enumerate(values)
    ]
    return claims, results


A, B = (0.1, 0.2, 0.3), (0.15, 0.25, 0.3)


@pytest.mark.parametrize(
    ("measured", "reading", "verdicts"),
    [
        ((B, A, A), "open: b", ["reproduced-under-reading"] * 3),  # the first that is admitted
        ((A, B), "", ["reproduced"] * 3),
        ((B, A), "open: b", ["reproduced-under-reading"] * 3),
        ((B, B), "", ["differs", "differs", "compatible"]),  # none: the plain world judges
        ((B, (0.1, 0.2, 0.31)), "", ["compatible"] * 3),  # or the nearest, which fits two
    ],
)
def test_one_world_judges_all_numbers_that_it_touches(measured, reading, verdicts):
    claims, result = table("abc"[: len(measured)], ("0.10", "0.20", "0.30"), measured)
    judgements = judge_all(claims, result)
    assert [each.verdict for each in judgements.values()] == verdicts
    assert {each.reading for each in judgements.values()} == {reading}
    assert [len(each.trials) for each in judgements.values()] == [len(measured)] * 3


def test_a_number_whose_label_is_lost_chooses_no_world_and_reproduces_nothing():
    claims, result = table("ab", ("0.10", "0.20"), ((0.1, 0.2), (0.1, 0.2)))
    lost = [row | {"low": 0.1, "high": 0.1} if not row["cell"] else row for row in result]
    assert [each.verdict for each in judge_all(claims, result).values()] == ["reproduced"] * 2
    assert [e.verdict for e in judge_all(claims, lost).values()] == ["compatible", "reproduced"]
    far = {"value": 0.3, "low": 0.3, "high": 0.3}
    off = [row | far if not row["cell"] else row for row in lost]
    assert [e.verdict for e in judge_all(claims, off).values()] == ["shape-only", "reproduced"]
    assert judge_all(claims, off)["x:1"].joints[0].admitted


def test_a_number_names_what_it_is_in_the_nearest_world_where_none_is_admitted():
    claims, result = table("ab", ("0.10", "0.20"), ((0.3, 0.2), (0.1, 0.21)))
    one = judge_all(claims, result)["x:0"]
    assert (one.verdict, one.reading) == ("compatible", "")  # there it fits
    assert "It fits in 1 of 1 other worlds. In the world nearest to all, open: b: 0.1" in one.note
    assert "Nearest: open: b, at most 2.5 % off, in 1" in one.joints[0].outcome
    claims, result = table("ab", ("0.10", "0.20"), ((0.3, 0.2), (0.12, 0.21)))
    assert judge_all(claims, result)["x:0"].verdict == "differs"  # in that world, too


def test_a_number_that_follows_from_another_is_judged_but_does_not_choose():
    claims, result = table("ab", ("0.10", "0.20"), ((0.1, 0.5), (0.5, 0.2)))
    free = [claims[0], replace(claims[1], follows="x:0")]
    assert [each.verdict for each in judge_all(free, result).values()] == ["reproduced", "differs"]
    both = judge_all(claims, result)
    assert {each.verdict for each in both.values()} == {"compatible", "differs"}
    assert not both["x:0"].joints[0].admitted


@pytest.mark.parametrize(
    ("row", "verdicts"),
    [
        ({"value": 0.5}, ["reproduced"] * 2),
        ({"value": 0.51, "se": 0.02}, ["compatible", "reproduced"]),
        ({"value": 0.6}, ["differs", "compatible"]),
        ({"value": 0.6, "source": "substitute"}, ["shape-only", "reproduced"]),
    ],
)
def test_a_number_that_follows_from_one_that_differs_is_no_success_of_its_own(row, verdicts):
    first = claim(select="what=part")
    claims = [first, replace(claim("0.30", select="what=gap"), id="x:2", follows=first.id)]
    measured = [{"what": "part"} | row, {"what": "gap", "value": 0.3}]
    both = judge_all(claims, measured)
    assert [each.verdict for each in both.values()] == verdicts
    assert ("It follows from x:1, which differs" in both["x:2"].note) is ("differs" in verdicts)
    alone = judge(claims, {"part": MeasuredRows(measured)}, lambda _: [], only=["x:2"])
    assert alone == {"x:2": both["x:2"]}
    measured[1]["source"] = "substitute"
    assert judge_all(claims, measured)["x:2"].verdict == "shape-only"


def test_the_nearest_world_rescues_no_number_that_follows_from_one_that_differs():
    """It fits in the nearest world alone, and so does the other."""
    printed = ("0.30", "0.20", "0.10", "0.40")
    worlds = ((0.90, 0.2, 0.7, 0.9), (0.33, 0.2, 0.1, 0.4))
    claims, result = table("ab", printed, worlds)
    for follows, verdict in (("x:0", "differs"), ("x:3", "compatible")):
        last = replace(claims[2], follows=follows)
        judgements = judge_all([*claims[:2], last, claims[3]], result)
        found = [judgements[each].verdict for each in ("x:0", "x:3", "x:2")]
        assert found == ["differs", "compatible", verdict]


def test_a_number_needs_the_part_of_what_it_follows_from():
    first = replace(claim(), part="first")
    claims = [first, replace(claim(), id="x:2", follows=first.id), replace(claim(), id="x:3")]
    assert parts_behind(claims, ["x:2"]) == {"part", "first"}
    assert parts_behind(claims, ["x:3"]) == {"part"}


def test_numbers_of_other_parts_and_data_choose_together():
    """One part alone would admit both worlds; a substitute has no say."""
    claims, result = table("ab", ("0.10", "0.20"), ((0.1, 0.9), (0.1, 0.2)))
    other = replace(claims[1], part="other")
    for source, reading in (("real", "open: b"), ("substitute", "")):
        measured = {"part": MeasuredRows(result), "other": MeasuredRows(result, source)}
        judgement = judge([claims[0], other], measured, lambda _: [])["x:0"]
        assert judgement.reading == reading
    of_rows = [row | ({"source": "substitute"} if row["cell"] else {}) for row in result]
    assert judge_all(claims, of_rows)["x:0"].reading == ""


def test_a_test_that_sees_little_admits_no_more_than_compatible():
    """Both worlds fit, but a world has to be a fifth off to be refused."""
    noisy = {"se": 0.012, "runs": 20}
    claims, result = table("ab", ("0.50",), ((0.5,), (0.5,)))
    for beside, verdict in (({}, "reproduced"), (noisy, "compatible")):
        judgement = judge_all(claims, [row | beside for row in result])["x:0"]
        assert judgement.verdict == verdict
        assert (judgement.joints[0].power > 0.1) is (verdict == "compatible")


@pytest.mark.parametrize(("rule", "value", "verdict"), cases("cases.txt", "statements"))
def test_statements(rule, value, verdict):
    value = json.loads(value)
    result = rows({"value": value, "witness": "p = 3/4"})
    proof = claim("it is so", rule, criterion="proof: x.y")
    expression = claim("it is so", rule, criterion="value() == 1")
    for one in (proof, expression):
        judgement = judged(one, result, "no data")
        assert (judgement.verdict, judgement.measured) == (verdict, "p = 3/4")
    bare = judged(expression, rows({"value": value}), "no data")
    assert bare.measured == f"{value:g} == 1" + " (fails)" * (value != 1)


GAIN = {"id": "x:said", "kind": "statement", "rule": "holds", "published": "it gains"}
GAIN |= {"select": "what=gain", "criterion": "value() > 0"}


@pytest.mark.parametrize(("fitting", "values", "verdict"), cases("cases.txt", "worlds"))
def test_a_statement_is_judged_in_every_admitted_world(fitting, values, verdict):
    measured = [(0.1, 0.2) if fits == "fits" else (0.5, 0.6) for fits in fitting.split()]
    claims, result = table("ab", ("0.10", "0.20"), measured)
    gains = zip("ab", json.loads(values), strict=True)
    result += [{"what": "gain", "open": option, **value} for option, value in gains]
    outcome = replace(claims[0], **GAIN, null="times -1")
    judgement = judge_all([*claims, outcome], result)["x:said"]
    assert judgement.verdict == verdict
    words = {
        "fits fits": "that no number rules out ",
        "misses misses": ", none of which is admitted, ",
    }
    assert words.get(fitting, "") in judgement.note


def test_where_no_number_can_choose_every_world_stands():
    claims, _ = table("ab", ("0.10",), ((0.1,), (0.1,)))
    result = [{"what": "gain", "open": option, "value": v} for option, v in (("a", -1), ("b", 1))]
    outcome = replace(claims[0], **GAIN)
    assert judge_all([outcome], result)["x:said"].verdict == "holds-under-reading"


def test_options_are_found_where_rows_have_them_as_numbers():
    measured = rows({"open": 5, "value": 0.1}, {"open": 10.0, "value": 0.5})
    assert judged(claim("0.10", options="5 | 10"), measured).verdict == "reproduced"
    fewer = claim("so", "holds", options="10 | 5", criterion="value() > 0.2")
    worlds = [(text.split()[-1], true) for text, true in judged(fewer, measured).outcomes]
    assert worlds == [("plain", True), ("5", False)]


def test_rows_that_depend_on_a_choice_which_does_not_list_the_claim_stay_open():
    claims, result = table("ab", ("0.10",), ((0.1,), (0.2,)))
    other = Choice("cut", ("whole", "pieces"))
    wider = Group((*claims[0].choices, other), ("x:0",), "both")
    outcome = replace(claims[0], **GAIN, groups=(wider,))
    result += [{"what": "gain", "cut": "whole", "value": 1.0}, {"what": "gain", "value": 1.0}]
    judged_all = judge_all([*claims, outcome], result)
    assert "depend on the choice 'cut'" in judged_all["x:said"].note
    assert [each.fault for each in judged_all.values()] == [False, True]


def test_what_is_not_seen_is_not_refuted():
    one = claim("it gains", "holds", criterion="value() > 0")
    seen = {
        "holds": {"value": 0.1, "se": 0.02, "runs": 10},
        "undecided": {"value": 0.1, "se": 0.03, "runs": 10},  # 4.09 standard errors
        "refuted": {"value": -0.1, "se": 0.02, "runs": 10},
    }
    for verdict, row in seen.items():
        assert judged(one, rows(row)).verdict == verdict
    for value, at_95 in ((0.1, "holds"), (-0.1, "refuted")):
        open_ = judged(one, rows({"value": value, "se": 0.03, "runs": 10}))
        assert open_.verdict == "undecided"
        assert open_.note == f"With intervals of 95 % it would be: {at_95}"
    assert "95 %" not in judged(one, rows({"value": 0.01, "se": 0.03, "runs": 10})).note


def test_the_papers_own_level_judges_what_it_says_of_itself_and_ours_stands_beside_it():
    one = claim("significantly", "holds", criterion="value() > 0", level=0.05)
    for value, verdict, at_ours in (
        (0.1, "holds", "undecided"),
        (0.2, "holds", "holds"),
        (-0.1, "refuted", "undecided"),
        (0.05, "undecided", "undecided"),
    ):
        judgement = judged(one, rows({"value": value, "se": 0.03, "runs": 10}))
        assert judgement.verdict == verdict
        other = f"With intervals of 99.73 % it would be: {at_ours}"
        assert judgement.note == f"Judged at the paper's own level, 95 %. {other}"


def test_a_table_of_another_program_has_its_own_world():
    """The number of the other part is judged in the second world, the rest in the plain one."""
    claims, result = table("ab", ("0.10", "0.20"), ((0.1, 0.5), (0.1, 0.2)))
    claims[1] = replace(claims[1], part="other", apart=True)
    measured = {part: MeasuredRows(result) for part in ("part", "other")}
    judgements = judge(claims, measured, lambda _: [])
    found = [(each.verdict, each.reading) for each in judgements.values()]
    assert found == [("reproduced", ""), ("reproduced-under-reading", "open: b")]


def test_six_draws_see_what_one_draw_does_not():
    """Six numbers 2.4 errors off: too much for six draws, not for one."""
    claims, _ = table("ab", ["0.10"] * 6, ((0.1,) * 6, (0.1,) * 6))
    results = [
        {"cell": i, "open": option, "value": 0.105 + 0.0024 * far, "se": 0.001, "runs": 9999}
        for option, far in (("a", 1), ("b", 0))
        for i in range(6)
    ]
    each = [replace(one, draw=str(i)) for i, one in enumerate(claims)]
    for draws, reading in ((claims, ""), (each, "open: b")):
        assert {one.reading for one in judge_all(draws, results).values()} == {reading}


def test_borders_of_our_own_must_agree():
    """A border at which it is undecided agrees with none; most borders must have an answer."""
    claims, result = table("ab", ("0.10",), ((0.1,), (0.1,)))
    result += [{"what": "gain", "open": "a", "value": 0.3}]
    result += [{"what": "gain", "open": "b", "value": 0.2, "se": 0.01, "runs": 20}]
    for borders, sign, verdict in (
        ("0.05, 0.1, 0.2", ">", "holds-under-reading"),  # not seen in one world, at one border
        ("0.05, 0.1, 0.25", ">", "holds-under-reading"),  # false in it, at one border
        ("0.05, 0.1, 0.35", ">", "shape-only"),  # false in both
        ("0.05, 0.1, 0.15", "<", "refuted"),
        ("0.05, 0.1, 0.2", "<", "shape-only"),  # one world does not see that it is false
    ):
        criterion = f"for B in ({borders}): value() {sign} B"
        outcome = replace(claims[0], **GAIN | {"criterion": criterion})
        both = judge_all([*claims, outcome], result)["x:said"]
        assert both.verdict == verdict, criterion
    first = replace(claims[0], **GAIN | {"criterion": "for B in (0.25, 0.35): value() < B"})
    assert judge_all([*claims, first], result)["x:said"].reading == "open: b"  # true at 0.25
    for borders, row, verdict in cases("cases.txt", "borders"):
        one = claim("little", "holds", criterion=f"for B in ({borders}): value() > B")
        assert judged(one, rows(json.loads(row))).verdict == verdict, borders
    ends = "at 0.1 it holds, at 0.4 it fails"
    one = claim("little", "holds", criterion="for B in (0.1, 0.4): value() > B")
    for witness, seen in (({}, "0.3 > 0.1"), ({"witness": "Of 5: 1."}, "Of 5: 1.")):
        assert judged(one, rows({"value": 0.3} | witness)).measured == f"{seen}; {ends}"


@pytest.mark.parametrize(("null", "criterion", "verdict"), cases("cases.txt", "nulls"))
def test_a_statement_that_holds_under_its_null_says_nothing(null, criterion, verdict):
    measured = [{"p": 0.1, "m": m, "value": v} for m, v in zip("aabb", (1, 2, 3, 4), strict=True)]
    select = "p=0.1"
    if null.startswith("instead"):
        measured += [{"p": 0.1, "m": "c", "value": -1}]
        select = "p=0.1; m=a"
    if null.startswith("wrong"):
        measured = rows({"value": 1, "null": 0})
    one = claim("so", "holds", select=select, criterion=criterion or "proof: x.y", null=null)
    judgement = judged(one, measured)
    assert judgement.verdict == verdict
    assert judgement.null == {"holds": "fails"}.get(verdict, "holds")
    if not criterion:
        assert judged(one, rows({"value": 1, "null": 1})).verdict == "undecided"


def test_printed_numbers_decide_and_are_moved_by_their_null():
    rises = 'all(steps(printed("*")) > 0)'
    one = claim("it rises", "holds", part="print", select="", criterion=rises)
    stored = {"print": MeasuredRows([{"id": "x:2", "value": 1.0}], "no data")}
    for null, numbers, verdict in (
        ("", [1.0, 2.0, 3.0], "consistent"),
        ("shuffle", [1.0, 2.0, 3.0], "consistent"),
        ("shuffle", [1.0, 2.0, 2.0], "inconsistent"),
        ("plus 1", [1.0, 2.0, 3.0], "undecided"),
    ):
        judgements = judge([replace(one, null=null)], stored, lambda _, n=numbers: n)
        assert judgements[one.id].verdict == verdict
    assert judge([one], {}, lambda _: [])[one.id].verdict == "open"


def test_fewer_runs_than_the_rule_asks_for_set_no_verdict():
    result = claim("it is so", "holds", criterion="min(value()) > 0")
    for runs, verdict in (([5, 9, 5], "holds"), ([9, 4, 9], "open"), ([], "holds")):
        measured = [{"p": 0.1, "value": 1, "runs": n} for n in runs] or rows({"value": 1})
        assert judged(result, measured).verdict == verdict  # the fewest count, if any are told


def test_chance_allows_the_same_in_rows_and_statements():
    row = {"value": 0.5, "se": 0.1, "runs": 7}
    reach = quantile(7) * 0.1
    assert limits(row) == (0.5 - reach, 0.5 + reach)
    assert judged(claim(), rows(row)).trials[0].width == pytest.approx(reach)
    assert judged(claim(), rows({"value": 0.5, "low": 0.25, "high": 0.75})).trials[0].width == 0.25
    assert limits({"value": 1.0}) == (1.0, 1.0)
    assert limits({"value": 1.0, "low": 0.5}) == (0.5, 1.0)


@pytest.mark.parametrize("source", SHAPE_ONLY)
def test_other_data_never_reproduce(source):
    number = {"value": 0.5}
    for result, where in ((rows(number), source), (rows(number | {"source": source}), "real")):
        judgement = judged(claim(), result, where)
        assert judgement.verdict == "shape-only"
        assert judgement.note.startswith("Measured")
        assert ("not at hand here" in judgement.note) is (source in NOT_AT_HAND)
        assert ("cannot be had" in judgement.note) is (source == "standin")
        assert "reproduced" not in judgement.note
    outcome = claim("it is so", "holds", criterion="min(value()) > 0")
    one_of_three = rows({"k": 1, "value": 1}, {"value": 1, "source": source}, {"value": 1})
    assert judged(outcome, one_of_three).verdict == "shape-only"
    of_the_first = replace(outcome, criterion="value(k=1) > 0")  # reads no other row
    assert judged(of_the_first, one_of_three).verdict == "holds"
    assert judged(outcome, rows({"value": 1}) * 3).verdict == "holds"


def test_nobody_ran_it():
    assert judged(claim(), None).verdict == "open"
    assert judged(claim(rule="not-testable"), None).verdict == "not-testable"


def test_a_folded_row_shows_the_verdict_of_its_row():
    one, same = claim(), replace(claim(), id="x:2", same_as="x:1")
    result = judge_all([one, same], rows({"value": 0.5}))
    assert list(result) == ["x:1"]
    assert folded(result, [one, same])["x:2"].verdict == "reproduced"
    with pytest.raises(ValueError, match="judged by x:1, which is not there"):
        folded({}, [same])


def test_claims_that_cannot_be_judged_stay_open_and_say_why():
    plain, two = claim(), claim(options="a | b")
    statement, select = claim("it is so", "holds"), "claim x:1 selects"
    unclear = (None, float("nan"), "False", 0.3, 2)
    positive = claim("so", "holds", criterion="value() > 0")
    for each, result, words in (
        (claim(select="q=1"), rows({"value": 0.5}), "selects 0 rows"),
        (two, rows({"open": "b", "value": 1.0}), select),
        (two, rows({"open": "a", "value": 1.0}, {"open": "a", "value": 2.0}), select),
        (two, rows({"value": 1.0}, {"value": 2.0}), select),
        (plain, rows({"value": 0.5, "se": float("inf")}), "the se inf"),
        (plain, rows({"value": 0.5, "sd": -1.0}), "the sd -1"),
        (plain, rows({"value": "x"}), "needs a number as value, got 'x'; mend part part"),
        *((statement, rows({"value": value}), "one true or false") for value in unclear),
        *((statement, rows({"value": True}) * number, "one true or false") for number in (0, 2)),
        (plain, [], "selects 0 rows of part part, where one must stand: there is no row; mend"),
        (plain, rows({"value": 0.5}, {"value": 0.6}), "one must stand: they are alike; mend"),
        (plain, rows({"m": 1}, {"m": 2}), "one must stand: they differ in m (1, 2); mend"),
        (claim("so", "holds", criterion="value(k=1) > 0"), rows({"value": 1}), "selects nothing"),
        (positive, rows({"value": 0.5, "se": -0.1}), "claim x:1 has the se -0.1 in part part"),
        (positive, rows({"value": 0.5, "runs": "x"}), "needs a number as runs, got 'x'; mend part"),
    ):
        judgement = judged(each, result)
        assert (judgement.verdict, judgement.fault) == ("open", True)
        assert words in judgement.note
    assert "source must be one of" in judged(plain, rows({"value": 0.5}), "stand-in").note


def test_one_that_cannot_be_judged_leaves_the_others_alone():
    claims, result = table("ab", ("0.10", "0.20"), ((0.1, 0.2), (0.3, 0.4)))
    apart = replace(claim(select="q=1"), id="x:apart")
    result = [row | {"value": None} if row["value"] == 0.2 else row for row in result]
    judgements = judge_all([*claims, apart], [*result, {"q": 1, "value": 0.5}])
    assert judgements["x:apart"].verdict == "reproduced"
    assert {judgements[each.id].fault for each in claims} == {True}  # both need one joint test
    needed = "claim x:1 needs a number as value, got nothing (NaN is nothing); mend part part, "
    notes = {judgements[each.id].note for each in claims}
    assert notes == {f"{needed}or say not-testable and why"}
