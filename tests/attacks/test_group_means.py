"""Group means: insiders read the last member from a rounded mean."""

from fractions import Fraction

import numpy as np
import pytest

from pplab.attacks.group_means import insider_intervals

SCALE = (1, 5)


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


def test_bad_input_is_told():
    with pytest.raises(ValueError, match="all members but one, 3 of 4, got 2"):
        insider_intervals(11 / 3, known=[4, 2], size=4, decimals=1, rating_range=SCALE)
