"""l-diversity and t-closeness, group by group from their definitions."""

import math
from collections import Counter
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pplab.metrics.diversity import l_diversity, t_closeness

RECORDS = st.lists(st.tuples(st.sampled_from("abcd"), st.integers(0, 3)), min_size=1, max_size=30)


@given(RECORDS)
def test_each_group_from_the_definitions(records):
    values, labels = (list(column) for column in zip(*records, strict=True))
    whole = Counter(values)
    for place, group in enumerate(labels):
        inside = Counter(value for value, other in records if other == group)
        size = inside.total()
        entropy = -sum(count / size * math.log(count / size) for count in inside.values())
        distance = sum(abs(inside[v] / size - whole[v] / len(values)) for v in whole) / 2
        assert l_diversity(values, labels, form="distinct")[place] == len(inside)
        assert l_diversity(values, labels, form="entropy")[place] == pytest.approx(
            math.exp(entropy)
        )
        assert t_closeness(values, labels)[place] == pytest.approx(distance, abs=1e-12)


def test_one_group_is_as_close_as_can_be_and_numbers_are_values_too():
    assert t_closeness([1, 2, 2.5], [0, 0, 0]).tolist() == [0, 0, 0]
    assert l_diversity([True, False], [1, 1], form="distinct").tolist() == [2, 2]


@pytest.mark.parametrize("dtype", [None, "category", "object", "string"])
def test_missing_text_is_not_a_value(dtype):
    diseases = pd.Series(["flu", None, "flu", "cold"], dtype=dtype)
    for ask in (t_closeness, lambda values, labels: l_diversity(values, labels, form="distinct")):
        with pytest.raises(ValueError, match="got 1 without a value; leave such records out"):
            ask(diseases, [0, 0, 1, 1])
        texts = [x if isinstance(x, str) else math.nan for x in diseases]
        for values in (texts, tuple(texts), np.array(texts, dtype=object)):
            with pytest.raises(ValueError, match="got 1 without a value; leave such records out"):
                ask(values, [0, 0, 1, 1])


def test_the_entropy_form_is_the_number_of_equally_frequent_values_and_of_others_below_it():
    """By definition; `>= 3` was False for 3, and the form above the distinct one for 5."""
    equal = [[1] * many for many in range(1, 1001)]
    for counts in (*equal, *product(range(1, 13), range(1, 13), (0, 1, 2, 5, 12))):
        values = np.repeat(np.arange(len(counts)), counts)
        groups = np.zeros(len(values), int)
        entropy = l_diversity(values, groups, form="entropy")[0]
        distinct = np.count_nonzero(counts)
        assert entropy == distinct if len({*counts} - {0}) == 1 else entropy < distinct
