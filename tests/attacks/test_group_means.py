"""Group means: who joined or left is read from two releases, the last member by the others."""

from fractions import Fraction

import numpy as np
import pytest

from pplab.attacks.group_means import compare_releases, insider_intervals, last_member
from pplab.microaggregation.microaggregate import group_means

SCALE = (1, 5)


def world(users, items, seed=1):
    return np.random.default_rng(seed).integers(1, 6, (users, items)).astype(float)


def test_changes_of_groups():
    """One joined (rows in any order), one moved and is read twice, reshuffled groups, no change."""
    three = np.repeat([0, 1, 2], 3)
    joined = [("joined", 3)]
    moved = [("left", 4), ("joined", 3)]
    for before, after, changes, who, counts in (
        (three, [*three, 1], joined, [9], (2, 0)),
        ([0, 0, 0, 0, 1, 1, 1, 2, 2], [1, 0, 0, 0, 1, 1, 1, 2, 2], moved, [0, 0], (1, 0)),
        (three, [0, 1, 2, 0, 1, 2, 0, 1, 2, 0], [], [], (0, 6)),
        (three, three, [], [], (3, 0)),
    ):
        table = world(10, 12)
        first, second = (group_means(table[: len(x)], x) for x in (before, after))
        for order in (np.arange(len(after)), np.random.default_rng(5).permutation(len(after))):
            result = compare_releases(first, second[order], rating_range=SCALE)
            texts = list(zip(result.changes.kind, result.changes.size_before, strict=True))
            assert sorted(texts) == sorted(changes)
            assert result.rows.shape == (len(who), 12)
            assert result.rows == pytest.approx(table[who])
            assert (result.unchanged, result.unexplained) == counts


def test_what_explains_nothing():
    off_the_scale = compare_releases([[2.0]] * 3, [[4.0]] * 4, rating_range=SCALE)  # 16 - 6 = 10
    assert len(off_the_scale.changes) == 0
    assert off_the_scale.unexplained == 2
    changed = compare_releases([[2.0]] * 3, [[3.0]] * 3, rating_range=SCALE)
    assert (changed.unchanged, changed.unexplained) == (0, 2)
    # either group may be the one that grew: two partners are one too many, for one side as well
    (a, b), (c, d) = ([[3.0]] * 2, [[3.2]] * 2), ([[3.1]] * 3, [[3.3]] * 3)
    for before, after, groups in ((a + b, c + d, 4), (a, c + d, 3), (a + b, c, 3)):
        result = compare_releases(before, after, rating_range=SCALE)
        assert (len(result.changes), result.unexplained) == (0, groups)


# Insiders read the last member: exactly from an exact mean, within bounds from a rounded one.


@pytest.mark.parametrize("decimals", [0, 1])
@pytest.mark.parametrize("others", [(4, 2), (1, 1), (5, 4, 1), (2, 3, 5, 1, 4, 4, 1, 2)])
def test_the_possible_ratings_are_those_that_publish_the_same_mean(decimals, others):
    """Brute force over the last rating; a tie may have gone either way."""
    size, step = len(others) + 1, Fraction(1, 10**decimals)
    for truth in range(1, 6):
        exact = round(Fraction(sum(others) + truth, size) / step) * step
        result = insider_intervals(
            float(exact), known=others, size=size, decimals=decimals, rating_range=SCALE
        )
        fits = [r for r in range(1, 6) if abs(Fraction(sum(others) + r, size) - exact) <= step / 2]
        assert int(result.possible) == len(fits)
        assert truth in fits
        assert result.low - 1e-9 <= truth <= result.high + 1e-9
        assert bool(result.pinned) == (len(fits) == 1)
        assert np.array_equal(result.value, truth if len(fits) == 1 else np.nan, equal_nan=True)


def test_the_last_member_is_read_on_all_items_whatever_the_size():
    for size in (2, 3, 10, 150):
        group = np.random.default_rng(size).uniform(-10, 10, (size, 7))
        result = last_member(group.mean(axis=0), known=group[1:], size=size)
        assert result == pytest.approx(group[0], abs=1e-9)
    result = last_member(
        [3.0, 4.0], known=[[3, np.nan]], size=2
    )  # what an insider lacks stays open
    assert result.tolist() == pytest.approx([3, np.nan], nan_ok=True)


def test_larger_groups_and_contradictions():
    def asked(mean, known):
        size = len(known) + 1
        return insider_intervals(mean, known=known, size=size, decimals=1, rating_range=SCALE)

    loose = [asked(4.0, [4] * (size - 1)) for size in (11, 20)]
    assert [int(one.possible) for one in loose] == [1, 3]  # 3.45 to 4.55, and 3 to 5
    assert [one.width for one in loose] == pytest.approx([1.1, 2.0])
    contradiction, unknown = asked([5.0], [[1], [1]]), asked([4.0], [[np.nan]])
    assert [*contradiction.possible, *unknown.possible] == [0, 0]
    assert np.isnan([contradiction.value, unknown.low]).all()
