"""Worth of items, and the identity that turns a ratio into a sum."""

from fractions import Fraction

import numpy as np
import pytest

from pplab.smooth._greedy import soft_worth, worth_table
from pplab.smooth.groups import least_kept, publish_votes
from tests.anonymity.search_cases import KEEPS, random_table


def enough(size, count, keep):
    if keep == "all":
        return count == size
    return 2 * count >= size if keep == "half" else 2 * count > size


@pytest.mark.parametrize("keep", KEEPS)
def test_soft_worth_rises_to_the_worth(keep):
    rule = {"keep": keep, "price": 0.375}
    for k in (2, 3, 4, 7, 8):
        soft, worth = soft_worth(k, **rule), worth_table(k, **rule)[k]
        least = next(count for count in range(1, k + 1) if enough(k, count, keep))
        assert least == least_kept(np.array(k), keep)
        assert np.array_equal(soft[least:], worth[least:])
        expected = [worth[least] * count**2 / least**2 for count in range(least)]
        assert soft[:least] == pytest.approx(expected)
        assert (np.diff(soft) > 0).all()


@pytest.mark.parametrize("keep", KEEPS)
def test_worths_tell_exactly_which_similarities_are_reached(keep):
    rng = np.random.default_rng(1)
    for _ in range(50):
        rows = int(rng.integers(4, 10))
        table = random_table(rng, rows, int(rng.integers(2, 9)))
        labels = np.unique(rng.integers(0, 3, rows), return_inverse=True)[1]
        published, entries = publish_votes(table, labels, keep=keep), int(table.sum())
        reached = Fraction(published.kept, max(entries + published.created, 1))
        for price in [reached, reached + Fraction(1, 10**9), reached - Fraction(1, 10**9)]:
            total = Fraction(0)
            for group in range(labels.max() + 1):
                size = int((labels == group).sum())
                for count in table[labels == group].sum(axis=0).tolist():
                    if count and enough(size, count, keep):
                        total += (1 + price) * count - price * size
            assert (total >= price * entries) == (reached >= price or not entries)
            assert (total == price * entries) == (reached == price or not entries)
