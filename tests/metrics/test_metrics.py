"""Risk, NDCG, diversity, errors and overlap against slow twins written from the definitions."""

import math
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from pplab import (
    jaccard_similarity,
    sensitive_attribute_imprecision,
    sensitive_attribute_risk,
    table,
)
from pplab.metrics import disclosure_risk, l_diversity, ndcg, t_closeness
from pplab.metrics.error import sum_of_squared_errors, within_group_sse
from pplab.metrics.ranking import Judge
from pplab.response.ratings import WeightedNoiseGraph
from tests.oracles import slow_distance, slow_nearest

FORTH, BACK = "original-to-protected", "protected-to-original"
few = st.integers(0, 2)
tables = st.integers(1, 7).flatmap(
    lambda rows: st.tuples(
        arrays(np.float64, (rows, 3), elements=few),
        arrays(np.float64, (rows, 3), elements=few),
        arrays(np.bool_, (rows, 3)),
    )
)


def slow_risk(original, protected, direction, ties):
    """By the definition: all distances over the cells the original rated, one by one."""
    records, queries = (protected, original) if direction == FORTH else (original, protected)
    for user, (first, equal, least) in enumerate(zip(*slow_nearest(records, queries), strict=True)):
        own = slow_distance(original[user], protected[user])
        if ties == "first":
            yield float(first == user)
        else:
            yield 1 / equal if own is not None and float(own) == least else 0.0


@given(tables, st.sampled_from([FORTH, BACK]), st.sampled_from(["expected", "first"]))
def test_against_all_pairs(made, direction, ties):
    original, protected, rated = made
    result = disclosure_risk(original, protected, direction=direction, ties=ties)
    assert result.tolist() == [*slow_risk(original, protected, direction, ties)]
    gaps = np.where(rated, original, np.nan)
    result = disclosure_risk(gaps, protected, direction=direction, ties=ties, cells="rated")
    assert result.tolist() == [*slow_risk(gaps, protected, direction, ties)]
    assert (result[~rated.any(axis=1)] == 0).all()


@pytest.mark.parametrize("k", [2, 5])
def test_groups_of_k_bound_the_risk(k):
    rng = np.random.default_rng(k)
    original = rng.normal(size=(60, 4))
    labels = np.arange(60) // k
    means = np.array([original[labels == group].mean(axis=0) for group in range(60 // k)])
    forth = disclosure_risk(original, means[labels], direction=FORTH)
    back = disclosure_risk(original, means[labels], direction=BACK)
    assert forth.max() == 1 / k  # some group is the nearest of one of its own
    assert 0 < back.mean() <= 1 / k  # one original at most is the nearest of a mean


def test_tables_are_aligned_by_their_labels():
    original = pd.DataFrame({"user": [7, 9, 8], "item": [1, 1, 1], "rating": [5, 1, 3]})
    listed = pd.DataFrame({"user": [8, 7, 9], "item": [1, 1, 1], "rating": [3, 5, 1]})
    ends = {"user": "user", "item": "item", "value": "rating"}
    first, second = table(original, **ends, users=[9, 8, 7], items=[1]), table(listed, **ends)
    risk = disclosure_risk(first, second, direction=FORTH)
    assert risk.to_dict() == {9: 1, 8: 1, 7: 1}


# NDCG against the formula written out, with bounds, conventions and refusals.


utility_tables = arrays(np.float64, (4, 6), elements=st.sampled_from([0.0, 0.1, 0.5, 1.0, 3.0]))


def dcg(utilities, ranked):
    return sum(
        utilities[item] / max(1, math.log2(rank) + 1) for rank, item in enumerate(ranked, start=1)
    )


def slow_ndcg(table, lists, top_n, empty):
    shares = []
    for utilities, ranked in zip(table, lists, strict=True):
        best = dcg(utilities, sorted(range(len(utilities)), key=lambda i: -utilities[i])[:top_n])
        shares.append(dcg(utilities, ranked[:top_n]) / best if best else empty)
    return np.array(shares)


RANKED = st.lists(st.permutations(range(6)), min_size=4, max_size=4)
UNDEFINED = st.sampled_from([("skip", math.nan), ("zero", 0.0), ("one", 1.0)])


@given(utility_tables, RANKED, st.integers(1, 6), UNDEFINED)
def test_against_the_formula(table, lists, top_n, convention):
    undefined, empty = convention
    expected = slow_ndcg(table, lists, top_n, empty)
    for utilities in (table, sparse.csr_array(table)):
        share = ndcg(utilities, np.array(lists), top_n=top_n, undefined=undefined)
        assert np.allclose(share, expected, rtol=1e-12, atol=0, equal_nan=True)
    if undefined == "skip":
        judge = Judge(sparse.csr_array(table), longest=6)
        judged = judge.ndcg(np.array(lists), (top_n, 6))[0]
        assert np.array_equal(share, judged, equal_nan=True)


def test_large_rows_and_few_items_in_blocks():
    rng = np.random.default_rng(1)
    table = sparse.random_array((300, 600), density=0.2, rng=rng, format="csr")
    lists = np.array([rng.permutation(600)[:100] for _ in range(300)])
    expected = slow_ndcg(table.toarray(), lists, 100, np.nan)
    for utilities in (table, table.toarray()):
        assert np.allclose(ndcg(utilities, lists, top_n=100), expected, rtol=1e-12)


@pytest.mark.parametrize("odd", [-1.0, np.nan, np.inf])
@pytest.mark.parametrize("kind", [np.array, sparse.csr_array])
def test_utilities_of_the_last_block_are_checked(odd, kind):
    table = np.ones((300, 3))
    table[-1, 1] = odd
    with pytest.raises(ValueError, match=r"^utilities must .*finite"):
        ndcg(kind(table), np.tile([0, 1], (300, 1)), top_n=1)


# l-diversity and t-closeness, group by group from their definitions.


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


# Errors, overlap and attribute risk against slow twins written from the definitions.


grouped = st.integers(1, 8).flatmap(
    lambda rows: st.tuples(
        arrays(np.float64, (rows, 3), elements=st.integers(-5, 5)),
        arrays(np.int64, rows, elements=st.integers(0, 3)),
    )
)


@given(grouped)
def test_within_groups_is_the_error_of_group_means(made):
    points, labels = made
    means = np.array([points[labels == label].mean(axis=0) for label in labels])
    exact = Fraction(0)
    for group in set(labels.tolist()):
        for column in points[labels == group].T:
            values = [Fraction(float(value)) for value in column]
            exact += sum((value - sum(values) / len(values)) ** 2 for value in values)
    for result in (within_group_sse(points, labels), sum_of_squared_errors(points, means)):
        assert result == pytest.approx(float(exact), rel=1e-12, abs=1e-12)
    other = points[::-1] + 1
    cells = zip(points.ravel().tolist(), other.ravel().tolist(), strict=True)
    assert sum_of_squared_errors(points, other) == sum(int(a - b) ** 2 for a, b in cells)


count_tables = arrays(np.int8, (3, 4), elements=st.integers(0, 3))


def edges(table):
    return {(i, j) for i, j in zip(*np.nonzero(table), strict=True)}


def slow_attribute_risk(original, protected, weighted):
    risk = []
    for before, after in zip(original.astype(int), protected.astype(int), strict=True):
        true = sum(before) if weighted else sum(before != 0)
        noise = sum(abs(before - after)) if weighted else sum(before != after)
        risk.append(true / (true + noise) if true + noise else np.nan)
    return np.array(risk)


@given(count_tables, count_tables)
def test_overlap_and_imprecision_against_sets(a, b):
    union = edges(a) | edges(b)
    kept = [edges(a), edges(b)]
    if any(table.all() and len(np.unique(table)) > 1 for table in (a, b)):  # values count
        kept = [{(*cell, int(t[cell])) for cell in edges(t)} for t in (a, b)]
    expected = len(kept[0] & kept[1]) / len(kept[0] | kept[1]) if union else 1.0
    assert jaccard_similarity(a, b) == pytest.approx(expected)
    errors = [abs(int(a[cell]) - int(b[cell])) for cell in union]
    wrong = np.mean(errors) if errors else 0.0
    assert sensitive_attribute_imprecision(a, b) == pytest.approx(wrong)


@given(count_tables, count_tables, st.booleans())
def test_risk_against_the_definition(a, b, weighted):
    risk = sensitive_attribute_risk(a, b, weighted=weighted)
    assert np.allclose(risk, slow_attribute_risk(a, b, weighted), equal_nan=True)


def test_known_noise_counts_what_cannot_be_seen():
    """A noise 1 on a rating 1 leaves 1: only the drawn noise graph tells."""
    mechanism = WeightedNoiseGraph(0.5, 5, noise_weights=[1])
    ratings = np.ones((4, 50))
    noise = mechanism.draw_noise(ratings, rng=1)
    published = mechanism.add(ratings, noise)
    seen = sensitive_attribute_risk(ratings, published)
    result = sensitive_attribute_risk(ratings, published, noise=noise)
    assert (seen == 1).all()
    assert result == pytest.approx(50 / (50 + np.diff(noise.indptr)))
