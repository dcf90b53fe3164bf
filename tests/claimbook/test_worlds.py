"""Worlds: which are crossed, which the print admits, and how sharp the joint test is."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from claimbook.chance import JOINT_LEVEL, POWER, quantile
from claimbook.worlds import (
    Choice,
    Group,
    Reach,
    combined,
    grouped,
    joint_test,
    joint_tests,
    world_text,
)
from tests.claimbook.cases import cases

CUT = Choice("cut", ("whole", "pieces"), touches=("x:table:*", "x:figure:*"))
TIES = Choice("ties", ("first", "any", "last"), touches=("x:table:*",))
SPLIT = Choice("split", ("users", "cells"), touches=("x:other:*",))


def test_choices_that_share_a_number_are_crossed_and_others_are_not():
    numbers = [("x:table:1", "a"), ("x:figure:1", "b"), ("x:other:1", "c")]
    groups = grouped((CUT, TIES, SPLIT), numbers)
    together = {frozenset(each.numbers) for each in groups}
    assert together == {frozenset(("x:table:1", "x:figure:1")), frozenset(("x:other:1",))}
    assert sorted(len(each.worlds) for each in groups) == [2, 6]
    alone = grouped((CUT, TIES), [("x:figure:1", "b")])  # no number is touched by both
    assert sorted(len(each.worlds) for each in alone) == [2, 3]


def test_too_many_worlds_are_refused():
    wide = [Choice(f"c{i}", ("a", "b"), touches=("x:*",)) for i in range(4)]
    with pytest.raises(ValueError, match="c0, c1, c2, c3 have 16 worlds together, 12 are the most"):
        grouped(wide, [("x:1", "")])


def test_worlds_are_tried_from_the_plain_one_outwards():
    worlds = [world_text(world, (CUT, TIES)) for world in combined((CUT, TIES))]
    assert worlds[0] == ""
    assert worlds[1:4] == ["cut: pieces", "ties: any", "ties: last"]
    assert [each.count(";") for each in worlds] == [0, 0, 0, 0, 1, 1]
    assert combined(()) == [()]


def group(numbers, choices=(SPLIT,)):
    return Group(choices, tuple(str(i) for i in range(numbers)))


def at(gap, spread=0.0, runs=math.inf, open_=0.01, size=0.5):
    return Reach(gap, spread, runs, open_, size)


def jointly(*by_world, tables=None):
    """A joint test of two or three worlds by the reaches of their numbers."""
    one = group(len(by_world[0]), (SPLIT,) if len(by_world) == 2 else (TIES,))
    lookup = dict(zip(one.worlds, by_world, strict=True))
    numbers = {str(i): (lambda world, i=i: lookup[world][i]) for i in range(len(by_world[0]))}
    return joint_test(one, numbers, tables)


def admitted(joint):
    return [world_text(world, joint.group.choices) or "plain" for world in joint.admitted]


@pytest.mark.parametrize(("plain", "other", "names", "allowed"), cases("cases.txt", "joint test"))
def test_a_world_that_fits_all_beats_one_that_fits_all_but_the_worst(plain, other, names, allowed):
    joint = jointly(*([at(float(gap)) for gap in gaps.split()] for gaps in (plain, other)))
    assert ("; ".join(admitted(joint)), joint.allowed) == (names, int(allowed))
    first = (admitted(joint) or ["plain"])[0]
    assert world_text(joint.chosen, joint.group.choices) == first.replace("plain", "")


@pytest.mark.parametrize(("numbers", "runs"), [(1, math.inf), (1, 20), (8, 20), (40, 100)])
def test_the_level_is_shared_among_the_numbers(numbers, runs):
    border = quantile(runs, JOINT_LEVEL / numbers)
    for factor, passes in ((0.999, True), (1.001, False)):
        others = [at(0.0, 0.1, runs)] * (numbers - 1)
        joint = jointly([at(0.1 * border * factor, 0.1, runs), *others], [at(9.0)] * numbers)
        assert (joint.refused[joint.group.worlds[0]] == ()) is passes


@pytest.mark.parametrize("runs", [math.inf, 20])
@pytest.mark.parametrize("draws", [1, 2, 6])
def test_a_table_that_is_off_as_a_whole_is_seen(draws, runs):
    """Six numbers, none far off: those of one draw count once, by the mean of their squares."""
    drawn = {str(i): ("table", str(i % draws)) for i in range(6)}
    border = math.sqrt(stats.chi2.isf(JOINT_LEVEL, draws) / draws)
    errors = stats.norm.isf(stats.norm.sf(border)) if math.isinf(runs) else None
    errors = errors or stats.t.isf(stats.norm.sf(border), runs - 1)
    for factor, passes in ((0.999, True), (1.001, False)):
        joint = jointly([at(0.1 * errors * factor, 0.1, runs)] * 6, [at(9.0)] * 6, tables=drawn)
        assert (admitted(joint) == ["plain"]) is passes
        assert joint.off[joint.group.worlds[0]] == (() if passes else ("table",))
    assert "Nearest: plain, at most" in str(joint)
    assert "; table is off as a whole" in str(joint)
    assert "plain 0 of 6 and table as a whole" in str(joint)


def test_the_level_of_sums_is_shared_among_tables_and_misprints_are_left_out_of_them():
    two = {str(i): (f"table{i // 2}", str(i)) for i in range(3)}
    border = math.sqrt(stats.chi2.isf(JOINT_LEVEL / 2, 2) / 2)
    for factor, off in ((0.999, ()), (1.001, ("table0",))):
        plain = [at(border * factor, 1.0)] * 2 + [at(0.0, 1.0)]
        joint = jointly(plain, [at(9.0)] * 3, tables=two)
        assert joint.off[joint.group.worlds[0]] == off
    tenth = jointly([at(9.0, 0.1)] + [at(0.0, 0.1)] * 9, [at(9.0, 0.1)] * 10)
    assert (admitted(tenth), tenth.allowed) == (["plain"], 1)


def test_a_world_with_other_error_bars_alone_is_none():
    def measured(value, gap, spread):
        return Reach(gap, spread, math.inf, 0.01, 0.5, value)

    narrow, wide = measured(0.6, 0.1, 0.01), measured(0.6, 0.1, 0.1)
    joint = jointly([narrow, at(0.0)], [wide, replace(at(0.0), value=1.0)])
    assert admitted(joint) == ["split: cells"]  # another value: a world of its own
    same = jointly([narrow], [wide])
    assert admitted(same) == []
    assert list(same.refused) == list(same.worlds) == same.group.worlds[:1]
    assert admitted(jointly([narrow], [wide], [replace(at(0.0), value=0.5)])) == ["ties: last"]
    twin = jointly([wide], [wide])  # nothing tells them apart, so both stand
    assert admitted(twin) == ["plain", "split: cells"]
    assert admitted(jointly([wide], [None])) == ["plain"]


@pytest.mark.parametrize("case", cases("cases.txt", "tables apart"))
def test_a_table_that_no_world_fits_or_another_program_gave_chooses_for_itself(case):
    gaps, apart, main, alone = map(json.loads, case)
    one = Group((SPLIT,), ("a", "b"))
    numbers = {
        name: (lambda world, row=row: at(row[one.worlds.index(world)]))
        for name, row in zip("ab", gaps, strict=True)
    }
    joints = joint_tests(one, numbers, {name: (name, "") for name in numbers}, apart)
    assert admitted(joints[""]) == main
    assert {table: admitted(joint) for table, joint in joints.items() if table} == alone
    assert joints[""].without == (("b",) if alone == {"b": []} else ())
    assert ("No world fits b: left out" in str(joints[""])) is bool(joints[""].without)
    names = ["split", *(f"split for {table}" for table in alone)]
    assert [joint.name for joint in joints.values()] == names


def test_numbers_with_few_runs_take_no_part_and_are_told():
    joint = jointly([at(9.0, 0.1, 19), at(0.0)], [at(0.0, 0.1, 19), at(1.0)])
    assert (admitted(joint), joint.count, joint.left_out) == (["plain"], 1, ("0",))
    assert "Fewer than 20 runs, so left out: 1" in str(joint)
    none = jointly([at(9.0, 0.1, 5)], [at(0.0, 0.1, 5)])
    assert not none.admitted
    assert "no number can choose" in str(none)


def test_a_world_that_was_not_run_on_every_number_is_not_admitted():
    assert admitted(jointly([at(0.0), at(0.0)], [at(0.0), None])) == ["plain"]
    none = jointly([at(0.0), at(1.0)], [at(0.0), None])
    assert admitted(none) == []
    assert [none.refusals(world) for world in none.group.worlds] == ["1 of 2", "0 of 1 (1 not run)"]


@pytest.mark.parametrize("numbers", [1, 8])
def test_the_power_is_what_the_print_leaves_open_and_both_quantiles(numbers):
    """A tenth of the draws may fall short on one side, the shared level on both."""
    far = stats.norm.isf(JOINT_LEVEL / numbers / 2) + stats.norm.isf(1 - POWER)
    assert at(0.0, 0.02).seen(numbers) == pytest.approx((0.01 + far * 0.02) / 0.5)
    joint = jointly([at(0.0, 0.02 + i / 100) for i in range(numbers)], [at(9.0)] * numbers)
    assert joint.power == pytest.approx((0.01 + far * 0.02) / 0.5)  # of the number that sees best


def test_the_number_that_sees_least_is_named():
    joint = jointly([at(0.0, 0.02), at(0.0, 0.04), at(0.0, size=0.0)], [at(9.0)] * 3)
    assert joint.least == (at(0.0, 0.04).seen(3), "1")
    assert str(joint).startswith("split: 3 numbers, level 0.001. Not ruled out: plain")
    assert str(jointly([at(0.0)], [at(9.0)])).startswith("split: 1 number, level 0.001.")
    both = jointly([at(0.0, 0.02)], [at(0.0, 0.04)])  # the first admitted world judges
    assert admitted(both) == ["plain", "split: cells"]
    assert both.power == both.least[0] == at(0.0, 0.02).seen(1)
    weak = jointly([at(0.0, 0.2)], [at(9.0)])  # it would not see a world that is off by a tenth
    assert (admitted(weak), weak.decides, len(weak.worlds)) == (["plain"], False, 2)
    exact = jointly([at(0.0, open_=0.0)], [at(9.0)])
    assert (exact.decides, len(exact.worlds)) == (True, 1)
    assert "Admitted: plain" in str(exact)
    assert "0 % off" not in str(exact)
    assert exact.least == (0.0, "0")


def test_where_none_is_admitted_the_nearest_world_is_named_by_its_largest_miss():
    joint = jointly([at(0.2, size=2.0), at(0.1, 0.02)], [at(0.01), at(0.06, 0.02)])
    assert not joint.admitted
    assert world_text(joint.nearest, joint.group.choices) == "split: cells"
    assert joint.miss == ((pytest.approx(0.12), "1"), (pytest.approx(3.0), "1"))
    right = jointly([at(0.0)], [at(9.0)])
    assert (right.nearest, right.miss) == ((), ((0.0, ""), (0.0, "")))


def drawn(rng, numbers, runs, off):
    """Reaches of one simulated table: prints rounded to hundredths, ours from runs of sd 0.02."""
    true = np.linspace(0.3, 0.9, numbers)
    printed = np.round(true + rng.normal(0, 0.02 / math.sqrt(10), numbers), 2)
    ours = rng.normal(true * (1 + off), 0.02, (runs, numbers))
    spread = ours.std(axis=0, ddof=1) / math.sqrt(runs) * math.sqrt(1 + runs / 10)
    gaps = np.maximum(np.abs(ours.mean(axis=0) - printed) - 0.005, 0)
    return [at(*each, runs, 0.01, size) for *each, size in zip(gaps, spread, printed, strict=True)]


@pytest.mark.parametrize("numbers", [3, 12])
def test_level_and_power_hold_by_simulation(numbers):
    """A right world is refused in at most 2 of 500 draws, one as far off as is told in 9 of 10."""
    rng = np.random.default_rng(numbers)
    right = [jointly(drawn(rng, numbers, 20, 0.0), [at(9.0)] * numbers) for _ in range(500)]
    assert sum(not each.admitted for each in right) <= 2
    off = float(np.median([each.power for each in right if each.admitted]))
    assert 0.01 < off < 0.2
    wrong = [jointly(drawn(rng, numbers, 20, off), [at(9.0)] * numbers) for _ in range(200)]
    assert sum(not each.admitted for each in wrong) >= 200 * POWER
