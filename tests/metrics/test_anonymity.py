"""Checks of published tables against the definitions written out cell by cell."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pplab.metrics.anonymity import is_k_anonymous, is_smooth_k_anonymous
from pplab.metrics.risk import k_achieved

tables = arrays(np.int8, (5, 3), elements=st.integers(0, 1))


def smooth(original, copy, k):
    for row in copy:
        group = [user for user, own in enumerate(copy) if (own == row).all()]
        if len(group) < k:
            return False
        for item in np.flatnonzero(row):
            if 2 * sum(original[user, item] for user in group) < len(group):
                return False
    return True


@given(tables, tables, st.integers(0, 3), st.sampled_from([0.2, 0.5]), st.integers(2, 5))
def test_against_the_definitions(original, copy, split, share, k):
    if split < 3:  # the votes of one or two classes, so that both answers come up
        for part in (slice(0, split), slice(split, None)):
            if original[part].size:
                copy[part] = original[part].mean(axis=0) >= share
    assert is_smooth_k_anonymous(original, copy, k) == smooth(original, copy, k)
    assert is_k_anonymous(copy, k) == (k_achieved(copy) >= k)
