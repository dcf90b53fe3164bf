"""Verdicts: each one reached by a case made for it, on both sides of every border."""

import math
from dataclasses import replace

import pytest
from scipy.stats import chi2

from pplab.ledger.rules import Claim, Convention
from pplab.ledger.verdicts import folded, judge


def claim(published="0.50", rule="rounded", readings="", select="p=0.1", **fields):
    convention = Convention("open", tuple(readings.split(" | "))) if readings else None
    kind = "number" if rule in ("rounded", "truncated", "exact") else "statement"
    plain = Claim("x:1", "x", kind, "Table 1", "p", published, rule, "part", select)
    return replace(plain, convention=convention, **fields)


def rows(*each):
    return [{"p": 0.1} | row for row in each]


def judged(one, measured, source="real"):
    return judge([one], measured, source, lambda _: [])[one.id]


ERRORS = {"se": 0.003, "sd": 0.004}  # together 0.005
FEW = {"se": 0.003, "runs": 5}  # 6.62 standard errors allowed


@pytest.mark.parametrize(
    ("claim", "beside", "fits", "misses"),
    [
        (claim(), {}, (0.495, 0.505), (0.4949, 0.5051, float("nan"))),
        (claim(rule="truncated"), {}, (0.50, 0.5099), (0.51, 0.4999)),
        (claim("-0.50", rule="truncated"), {}, (-0.50, -0.5099), (-0.51, -0.4999)),
        (claim(), ERRORS, (0.519, 0.481), (0.521, 0.479)),
        (claim(rule="truncated"), ERRORS, (0.524, 0.4851), (0.526, 0.4849)),
        (claim(draws="4"), {"sd": 0.01}, (0.519, 0.481), (0.521, 0.479)),
        (claim(), FEW, (0.524, 0.476), (0.526, 0.474)),
        (claim(), {"low": 0.46, "high": 0.49}, (), (0.47,)),
        (claim(), {"low": 0.46, "high": 0.4951}, (0.47, 0.2), ()),
        (claim("80,000", "exact"), {}, (80_000,), (80_001, 79_999)),
    ],
)
def test_numbers_on_both_sides_of_every_border(claim, beside, fits, misses):
    for values, verdict in ((fits, "reproduced"), (misses, "differs")):
        for value in values:
            assert judged(claim, rows({"value": value} | beside)).verdict == verdict, value


@pytest.mark.parametrize(
    ("published", "beside", "verdict"),
    [
        ("0.50", {"se": 0.016}, "reproduced"),
        ("0.50", {"se": 0.017}, "compatible"),  # 0.051 is more than a tenth
        ("0.50", {"low": 0.44, "high": 0.55}, "compatible"),
        ("0.50", {"se": 0.003, "runs": 2}, "compatible"),
        ("0.50", {"se": 0.003, "runs": 1}, "compatible"),  # one run tells no spread
        ("0.50", {"sd": 0.003, "runs": 1}, "compatible"),
        ("0.50", {"se": 0.0, "runs": 1}, "reproduced"),
        ("-0.05", {"se": 0.0016}, "reproduced"),
        ("-0.05", {"se": 0.0017}, "compatible"),  # a tenth, though one unit is more
        ("0.00", {"se": 0.003}, "reproduced"),  # a printed zero: one unit
        ("0.00", {"se": 0.004}, "compatible"),
    ],
)
def test_a_fit_that_chance_allows_too_much_is_compatible(published, beside, verdict):
    value = {"value": float(published)}
    assert judged(claim(published), rows(value | beside)).verdict == verdict


def table(readings, printed, measured):
    """Claims of a table under one convention, and rows that measure each reading."""
    governed = Convention("open", readings)
    claims = [
        replace(claim(number, select=f"cell={i}"), id=f"x:{i}", convention=governed)
        for i, number in enumerate(printed)
    ]
    found = [
        {"cell": i, "reading": reading, "value": value}
        for reading, values in zip(readings, measured, strict=True)
        for i, value in enumerate(values)
    ]
    return claims, found


A, B = (0.1, 0.2, 0.3), (0.15, 0.25, 0.3)


@pytest.mark.parametrize(
    ("measured", "reading", "verdicts"),
    [
        ((B, A, A), "b", ["reproduced-under-reading"] * 3),  # the first that passes
        ((A, B), "a", ["reproduced"] * 3),
        ((B, A), "b", ["reproduced-under-reading"] * 3),
        ((B, B), "a", ["differs", "differs", "reproduced"]),  # none passes: the plain one judges
        ((B, (0.1, 0.2, 0.31)), "b", ["reproduced-under-reading"] * 2 + ["differs"]),
    ],
)
def test_one_reading_judges_the_whole_table(measured, reading, verdicts):
    claims, found = table(tuple("abc"[: len(measured)]), ("0.10", "0.20", "0.30"), measured)
    judgements = judge(claims, found, "real", lambda _: [])
    assert [each.verdict for each in judgements.values()] == verdicts
    assert {each.reading for each in judgements.values()} == {reading}
    assert all(f"Chosen: {reading}" in each.joint for each in judgements.values())


def tabled(measured):
    """Judgements of cells that print 0.50 where "a" misses all of them and "b" measures this."""
    printed, far = ["0.50"] * len(measured), [7.0] * len(measured)
    claims, found = table(("a", "b"), printed, (far, measured))
    return [*judge(claims, found, "real", lambda _: []).values()]


SIZES = [1, 2, 5, 9, 10, 11, 19, 20, 29, 30]  # of a table, in cells


@pytest.mark.parametrize("wrong", [9.99, float("nan")])
@pytest.mark.parametrize("cells", SIZES)
def test_one_cell_in_ten_may_be_a_misprint(cells, wrong):
    """As many as the table has full tens, and not one more."""
    for misprints in range(cells // 10 + 2):
        judged = tabled([wrong] * misprints + [0.5] * (cells - misprints))
        right = "reproduced-under-reading" if misprints <= cells // 10 else "differs"
        wanted = ["differs"] * misprints + [right] * (cells - misprints)
        assert [each.verdict for each in judged] == wanted


@pytest.mark.parametrize("cells", SIZES)
def test_the_joint_test_has_its_level_at_every_number_of_cells(cells):
    """All cells off alike, to where chi-square over those that count leaves 0.001."""
    counted = cells - cells // 10
    border = 0.01 / math.sqrt(12) * math.sqrt(chi2.isf(0.001, counted) / counted)
    for factor, reading in ((0.999, "b"), (1.001, "a")):
        assert {each.reading for each in tabled([0.5 + factor * border] * cells)} == {reading}


@pytest.mark.parametrize(
    ("rule", "value", "verdict"),
    [
        ("holds", True, "holds"),
        ("holds", False, "refuted"),
        ("holds-or-proof-fails", 0.0, "proof-fails"),
        ("holds-or-misprint", 0, "misprint"),
        ("holds-or-misprint", 1, "holds"),
    ],
)
def test_statements(rule, value, verdict):
    found = rows({"value": value, "witness": "p = 3/4"})
    proof = claim("it is so", rule, criterion="proof: x.y")
    expression = claim("it is so", rule, criterion="value() == 1")
    for one in (proof, expression):
        judgement = judged(one, found, "no data")
        assert (judgement.verdict, judgement.measured) == (verdict, "p = 3/4")
    bare = judged(expression, rows({"value": value}), "no data")
    assert bare.measured == f"{value:g} == 1"


def test_a_statement_sees_the_rows_of_the_chosen_reading():
    claims, found = table(("a", "b"), ("0.10", "0.20"), ((0.5, 0.6), (0.1, 0.2)))
    said = replace(claims[0], id="x:said", rule="holds", select="", criterion="max(value()) < 0.3")
    judgement = judge([*claims, said], found, "real", lambda _: [])["x:said"]
    assert (judgement.verdict, judgement.note) == ("holds-under-reading", "read as: b")


def test_printed_numbers_decide_without_a_run():
    one = claim(
        "it rises", "holds", part="print", select="", criterion='all(steps(printed("*")) > 0)'
    )
    assert judge([one], None, "no data", lambda _: [1.0, 2.0])[one.id].verdict == "holds"


def test_fewer_runs_than_the_rule_asks_for_set_no_verdict():
    one = claim(repeats="5")
    for runs, verdict in ((5, "reproduced"), (4, "open")):
        judgement = judged(one, rows({"value": 0.5, "runs": runs}))
        assert judgement.verdict == verdict
    assert judgement.note == "preliminary, 4 of 5 runs: so far reproduced"
    said = claim("it is so", "holds", criterion="min(value()) > 0", repeats="5")
    for runs, verdict in (([5, 9, 5], "holds"), ([9, 4, 9], "open"), ([], "holds")):
        measured = [{"p": 0.1, "value": 1, "runs": n} for n in runs] or rows({"value": 1})
        assert judged(said, measured).verdict == verdict  # the fewest count, if any are told


@pytest.mark.parametrize("source", ["standin", "portion", "substitute"])
def test_other_data_never_reproduce(source):
    for found, where in (
        (rows({"value": 0.5}), source),
        (rows({"value": 0.5, "source": source}), "real"),
    ):
        judgement = judged(claim(), found, where)
        assert judgement.verdict == "shape-only"
        assert "it would be: reproduced" in judgement.note
    said = claim("it is so", "holds", criterion="min(value()) > 0")
    one_of_three = rows({"value": 1}, {"value": 1, "source": source}, {"value": 1})
    assert judged(said, one_of_three).verdict == "shape-only"
    assert judged(said, rows({"value": 1}) * 3).verdict == "holds"


def test_nobody_ran_it():
    assert judged(claim(), None).verdict == "open"
    assert judged(claim(rule="not-testable"), None).verdict == "not-testable"


def test_a_folded_row_shows_the_verdict_of_its_row():
    one, same = claim(), replace(claim(), id="x:2", same_as="x:1")
    found = judge([one, same], rows({"value": 0.5}), "real", lambda _: [])
    assert list(found) == ["x:1"]
    assert folded(found, [one, same])["x:2"].verdict == "reproduced"


def test_claims_that_cannot_be_judged_are_refused():
    plain, two = claim(), claim(readings="a | b")
    statement, select = claim("it is so", "holds"), "claim x:1 selects"
    unclear = (None, float("nan"), "False", 0.3, 2)
    for each, found, words in (
        (claim(select="q=1"), rows({"value": 0.5}), "selects 0 rows"),
        (two, rows({"reading": "a", "value": 1.0}), select),
        (two, rows({"reading": "a", "value": 1.0}, {"reading": "a", "value": 2.0}), select),
        (two, rows({"value": 1.0}, {"value": 2.0}), select),
        (plain, rows({"value": 0.5, "se": float("inf")}), "endless se"),
        (plain, rows({"value": "x"}), "needs a number as value"),
        *((statement, rows({"value": value}), "true or false value") for value in unclear),
        *((statement, rows({"value": True}) * number, "true or false value") for number in (0, 2)),
        *((plain, rows({"value": 0.5}) * number, f"selects {number} rows") for number in (0, 3)),
        (claim("so", "holds", criterion="value(k=1) > 0"), rows({"value": 1}), "finds nothing"),
    ):
        with pytest.raises(LookupError, match=words):
            judged(each, found)
    with pytest.raises(ValueError, match="source must be one of"):
        judged(plain, rows({"value": 0.5}), "stand-in")
