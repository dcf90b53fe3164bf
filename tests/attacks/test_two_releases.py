"""Two releases: newcomers and leavers are read exactly, reshuffled groups are said to be so."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pplab.attacks.two_releases import compare_releases, departed_member, newcomer

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


NAMES = np.array(list("abcdefghij"))


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("labelled", [True, False])
def test_one_group_grew(named, labelled):
    table = world(10, 12)
    labels = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2, 1])
    more = {}
    if named:
        more |= {"users_before": NAMES[:9], "users_after": NAMES}
    if labelled:
        more |= {"labels_before": labels[:9], "labels_after": labels + 4}
    found = compare_releases(
        release(table[:9], labels[:9]), release(table, labels), rating_range=SCALE, **more
    )
    assert found.changes.kind.tolist() == ["joined"]
    assert found.changes.size_before.tolist() == [3]
    assert found.changes.user.tolist() == (["j"] if named else [None])
    assert found.rows[0] == pytest.approx(table[9])
    assert (found.unchanged, found.unexplained, found.reshuffled) == (2, 0, False)


@pytest.mark.parametrize("named", [True, False])
def test_one_moved_between_groups_and_is_read_twice(named):
    table = world(9, 12, seed=2)
    before = np.array([0, 0, 0, 0, 1, 1, 1, 2, 2])
    after = np.array([1, 0, 0, 0, 1, 1, 1, 2, 2])
    names = {"users_before": NAMES[:9], "users_after": NAMES[:9]} if named else {}
    found = compare_releases(
        release(table, before), release(table, after), rating_range=SCALE, **names
    )
    assert sorted(found.changes.kind) == ["joined", "left"]
    assert found.rows == pytest.approx(np.array([table[0]] * 2))
    assert (found.unchanged, found.reshuffled) == (1, False)


def test_rows_may_come_in_any_order():
    table = world(10, 12)
    labels = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2, 1])
    order = np.random.default_rng(5).permutation(10)
    found = compare_releases(
        release(table[:9], labels[:9]), release(table, labels)[order], rating_range=SCALE
    )
    assert found.rows == pytest.approx(table[9:])


@pytest.mark.parametrize("named", [True, False])
def test_reshuffled_groups_give_nobody_away_and_say_so(named):
    table = world(10, 12, seed=3)
    before = np.repeat([0, 1, 2], 3)
    after = np.array([0, 1, 2, 0, 1, 2, 0, 1, 2, 0])
    names = {"users_before": NAMES[:9], "users_after": NAMES} if named else {}
    found = compare_releases(
        release(table[:9], before), release(table, after), rating_range=SCALE, **names
    )
    assert len(found.changes) == len(found.rows) == 0
    assert found.rows.shape == (0, 12)
    assert (found.unchanged, found.unexplained, found.reshuffled) == (0, 6, True)


def test_a_record_off_the_scale_is_no_ones():
    found = compare_releases([[2.0]] * 3, [[4.0]] * 4, rating_range=SCALE)  # 16 - 6 = 10
    assert len(found.changes) == 0
    assert found.reshuffled


def test_changed_records_of_old_members_show():
    found = compare_releases(
        [[2.0]] * 3,
        [[3.0]] * 3,
        rating_range=SCALE,
        users_before=list("abc"),
        users_after=list("abc"),
    )
    assert (found.unchanged, found.unexplained) == (0, 2)


def test_two_partners_are_one_too_many():
    """Either group may be the one that grew: an attacker without names cannot say which."""
    before = [[3.0]] * 2 + [[3.2]] * 2
    after = [[3.1]] * 3 + [[3.3]] * 3
    assert compare_releases(before, after, rating_range=SCALE).reshuffled
    named = compare_releases(
        before,
        after,
        rating_range=SCALE,
        users_before=list("abcd"),
        users_after=list("abxcdy"),
    )
    assert named.changes.user.tolist() == ["x", "y"]
    assert named.rows[:, 0] == pytest.approx([3.3, 3.5])


def test_the_same_release_twice_tells_nothing():
    table = release(world(6, 4), np.array([0, 0, 1, 1, 1, 1]))
    found = compare_releases(table, table, rating_range=SCALE)
    assert (found.unchanged, len(found.changes), found.reshuffled) == (2, 0, False)


ROWS = [[2.0], [2.0]]


@pytest.mark.parametrize(
    ("before", "after", "more", "sentence"),
    [
        (ROWS, [[2.0, 3.0]], {}, "must have the same shape"),
        ([[np.nan], [2.0]], ROWS, {}, "before must be complete, got 1 unrated cells"),
        (ROWS, [[np.inf]], {}, "after must hold finite ratings"),
        (ROWS, ROWS, {"users_before": ["a", "b"]}, "must both be given"),
        (
            ROWS,
            ROWS,
            {"users_before": ["a", "a"], "users_after": ["a", "b"]},
            "users_before must name each user once, got .*a.* 2 times",
        ),
        (
            ROWS,
            ROWS,
            {"users_before": ["a"], "users_after": ["a", "b"]},
            "users_before must name the user of each of the 2 rows",
        ),
        (
            ROWS,
            ROWS,
            {"users_before": [1.0, np.nan], "users_after": [1, 2]},
            "users_before must be names or numbers, got NaN",
        ),
        (ROWS, ROWS, {"labels_before": [0]}, "labels_before must be 2 whole numbers"),
        (ROWS, ROWS, {"labels_after": [0.5, 1]}, "labels_after must be 2 whole numbers"),
        (ROWS, ROWS, {"labels_after": [0, -1]}, "labels_after must be group numbers from 0"),
        ([[2.0], [3.0]], ROWS, {"labels_before": [0, 0]}, "must publish equal rows inside a grou"),
    ],
)
def test_bad_input_is_told(before, after, more, sentence):
    with pytest.raises(ValueError, match=sentence):
        compare_releases(before, after, rating_range=SCALE, **more)


@pytest.mark.parametrize(("change", "least"), [(newcomer, 1), (departed_member, 2)])
def test_bad_numbers_are_told(change, least):
    with pytest.raises(ValueError, match="size must be an integer at least"):
        change([3.0], [3.0], size=least - 1)
    with pytest.raises(ValueError, match="before and after must have the same shape"):
        change([3.0], [3.0, 4.0], size=3)
    with pytest.raises(ValueError, match="after must be finite numbers, got nan"):
        change([3.0], [np.nan], size=3)
