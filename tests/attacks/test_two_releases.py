"""Two releases: newcomers and leavers are read exactly, reshuffled groups are said to be so."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pplab.attacks.group_means import compare_releases, departed_member, newcomer

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
