"""Two releases: newcomers and leavers are read exactly, reshuffled groups are said to be so."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pplab.attacks.group_means import (
    compare_releases,
    departed_member,
    insider_intervals,
    last_member,
    newcomer,
)

SCALE = (1, 5)


def release(table, labels):
    """Exact means of the groups, row by row."""
    means = {group: table[labels == group].mean(axis=0) for group in np.unique(labels)}
    return np.array([means[group] for group in labels])


def world(users, items, seed=1):
    return np.random.default_rng(seed).integers(1, 6, (users, items)).astype(float)


def test_newcomer_is_four_means_minus_three():
    group = world(4, 6)
    found = newcomer(group[:3].mean(axis=0), group.mean(axis=0), size=3)
    assert found == pytest.approx(group[3])
    assert found == pytest.approx(4 * group.mean(axis=0) - 3 * group[:3].mean(axis=0))


@given(st.integers(1, 40), st.integers(0, 2**32))
def test_joining_and_leaving_undo_each_other(size, seed):
    group = world(size + 1, 3, seed)
    before, after = group[:size].mean(axis=0), group.mean(axis=0)
    assert newcomer(before, after, size=size) == pytest.approx(group[size], abs=1e-9)
    assert departed_member(after, before, size=size + 1) == pytest.approx(group[size], abs=1e-9)


def test_one_group_grew_and_rows_may_come_in_any_order():
    table = world(10, 12)
    labels = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2, 1])
    for order in (np.arange(10), np.random.default_rng(5).permutation(10)):
        found = compare_releases(
            release(table[:9], labels[:9]), release(table, labels)[order], rating_range=SCALE
        )
        assert found.changes.kind.tolist() == ["joined"]
        assert found.changes.size_before.tolist() == [3]
        assert found.rows == pytest.approx(table[9:])
        assert (found.unchanged, found.unexplained, found.reshuffled) == (2, 0, False)


def test_one_moved_between_groups_and_is_read_twice():
    table = world(9, 12, seed=2)
    before = np.array([0, 0, 0, 0, 1, 1, 1, 2, 2])
    after = np.array([1, 0, 0, 0, 1, 1, 1, 2, 2])
    found = compare_releases(release(table, before), release(table, after), rating_range=SCALE)
    assert sorted(zip(*found.changes.to_dict("list").values(), strict=True)) == [
        ("joined", 3),
        ("left", 4),
    ]
    assert found.rows == pytest.approx(np.array([table[0]] * 2))
    assert (found.unchanged, found.reshuffled) == (1, False)


def test_reshuffled_groups_give_nobody_away_and_say_so():
    table = world(10, 12, seed=3)
    before = np.repeat([0, 1, 2], 3)
    after = np.array([0, 1, 2, 0, 1, 2, 0, 1, 2, 0])
    found = compare_releases(release(table[:9], before), release(table, after), rating_range=SCALE)
    assert len(found.changes) == len(found.rows) == 0
    assert found.rows.shape == (0, 12)
    assert (found.unchanged, found.unexplained, found.reshuffled) == (0, 6, True)


def test_what_explains_nothing():
    off_the_scale = compare_releases([[2.0]] * 3, [[4.0]] * 4, rating_range=SCALE)  # 16 - 6 = 10
    assert len(off_the_scale.changes) == 0
    assert off_the_scale.reshuffled
    changed = compare_releases([[2.0]] * 3, [[3.0]] * 3, rating_range=SCALE)
    assert (changed.unchanged, changed.unexplained) == (0, 2)
    # either group may be the one that grew: two partners are one too many
    before, after = [[3.0]] * 2 + [[3.2]] * 2, [[3.1]] * 3 + [[3.3]] * 3
    assert compare_releases(before, after, rating_range=SCALE).reshuffled


def test_the_same_release_twice_tells_nothing():
    table = release(world(6, 4), np.array([0, 0, 1, 1, 1, 1]))
    found = compare_releases(table, table, rating_range=SCALE)
    assert (found.unchanged, len(found.changes), found.reshuffled) == (2, 0, False)


def test_bad_input_is_told():
    rows = [[2.0], [2.0]]
    for before, after, sentence in (
        (rows, [[2.0, 3.0]], "must have the same shape"),
        ([[np.nan], [2.0]], rows, "before must be complete, got 1 unrated cells"),
        (rows, [[np.inf]], "after must hold finite ratings"),
    ):
        with pytest.raises(ValueError, match=sentence):
            compare_releases(before, after, rating_range=SCALE)
    for change, least in ((newcomer, 1), (departed_member, 2)):
        with pytest.raises(ValueError, match="size must be an integer at least"):
            change([3.0], [3.0], size=least - 1)
        with pytest.raises(ValueError, match="before and after must have the same shape"):
            change([3.0], [3.0, 4.0], size=3)
        with pytest.raises(ValueError, match="after must be finite numbers, got nan"):
            change([3.0], [np.nan], size=3)


# Insiders read the last member: exactly from an exact mean, within bounds from a rounded one.


def test_two_who_gave_4_and_2_read_a_5_from_eleven_thirds():
    assert last_member(11 / 3, known=[4, 2], size=3) == pytest.approx(5)


@pytest.mark.parametrize("size", [2, 3, 10, 150])
def test_the_last_member_is_read_on_all_items_whatever_the_size(size):
    group = np.random.default_rng(size).uniform(-10, 10, (size, 7))
    found = last_member(group.mean(axis=0), known=group[1:], size=size)
    assert found == pytest.approx(group[0], abs=1e-9)


def test_an_unknown_record_of_an_insider_leaves_its_item_open():
    found = last_member([3.0, 4.0], known=[[3, np.nan]], size=2)
    assert found[0] == 3
    assert np.isnan(found[1])


@pytest.mark.parametrize("decimals", [0, 1])
@pytest.mark.parametrize("others", [(4, 2), (1, 1), (5, 4, 1)])
def test_the_possible_ratings_are_those_that_publish_the_same_mean(decimals, others):
    """Brute force over the last rating; a tie may have gone either way."""
    size, step = len(others) + 1, Fraction(1, 10**decimals)
    for truth in range(1, 6):
        exact = round(Fraction(sum(others) + truth, size) / step) * step
        found = insider_intervals(
            float(exact), known=others, size=size, decimals=decimals, rating_range=SCALE
        )
        fits = [r for r in range(1, 6) if abs(Fraction(sum(others) + r, size) - exact) <= step / 2]
        assert int(found.possible) == len(fits)
        assert truth in fits
        assert found.low - 1e-9 <= truth <= found.high + 1e-9
        assert bool(found.pinned) == (len(fits) == 1)
        assert np.array_equal(found.value, truth if len(fits) == 1 else np.nan, equal_nan=True)


@given(st.integers(2, 9), st.data())
def test_one_decimal_pins_every_group_of_up_to_nine(size, data):
    group = data.draw(st.lists(st.integers(1, 5), min_size=size, max_size=size))
    found = insider_intervals(
        round(sum(group) / size, 1), known=group[1:], size=size, decimals=1, rating_range=SCALE
    )
    assert bool(found.pinned)
    assert float(found.value) == group[0]


def test_one_decimal_does_not_pin_every_group_of_ten_or_more():
    loose = [
        insider_intervals(4.0, known=[4] * (size - 1), size=size, decimals=1, rating_range=SCALE)
        for size in (11, 20)
    ]
    assert [int(one.possible) for one in loose] == [1, 3]  # 3.45 to 4.55, and 3 to 5
    assert [one.width for one in loose] == pytest.approx([1.1, 2.0])


def test_whole_means_pin_only_what_the_ends_of_the_scale_cut_off():
    sizes = {}
    for group in product(range(1, 6), repeat=3):
        found = insider_intervals(
            round(sum(group) / 3), known=group[1:], size=3, decimals=0, rating_range=SCALE
        )
        sizes.setdefault(int(found.possible), 0)
        sizes[int(found.possible)] += 1
    assert min(sizes) == 1
    assert sizes[1] < 125 / 2
    assert max(sizes) == 3


def test_a_mean_that_contradicts_the_insiders_leaves_nothing():
    found = insider_intervals([5.0], known=[[1], [1]], size=3, decimals=1, rating_range=SCALE)
    assert found.possible.tolist() == [0]
    assert np.isnan(found.value).all()


def test_an_unknown_insider_leaves_no_interval():
    found = insider_intervals([4.0], known=[[np.nan]], size=2, decimals=1, rating_range=SCALE)
    assert np.isnan(found.low).all()
    assert found.possible.tolist() == [0]


def test_bad_input_is_told_insiders():
    right = {"means": 11 / 3, "known": [4, 2], "size": 3}
    rounded = {"decimals": 1, "rating_range": SCALE}
    for arguments, error, sentence in (
        ({"size": 1, "known": []}, ValueError, "known must be finite numbers, got none"),
        ({"size": 4}, ValueError, "all members but one, 3 of 4, got 2"),
        ({"size": 3.0}, TypeError, "size must be an integer at least 2, got 3.0"),
        ({"means": np.nan}, ValueError, "means must be finite numbers, got nan"),
        ({"means": "4"}, TypeError, "means must be numbers, got '4'"),
        ({"known": [4, np.inf]}, ValueError, "known must be finite numbers, got inf"),
        ({"known": [[4, 2]]}, ValueError, "a row per insider like the means"),
        ({"means": [3.0, 4.0]}, ValueError, "a row per insider like the means"),
    ):
        with pytest.raises(error, match=sentence):
            last_member(**right | arguments)
        with pytest.raises(error, match=sentence):
            insider_intervals(**right | arguments, **rounded)
    for name, value, error, sentence in (
        ("decimals", -1, ValueError, "decimals must be an integer between 0 and 12, got -1"),
        ("decimals", 0.5, TypeError, "decimals must be an integer"),
        ("rating_range", (5, 1), ValueError, "rating_range must be two finite numbers that asc"),
    ):
        with pytest.raises(error, match=sentence):
            insider_intervals(**right, **rounded | {name: value})
