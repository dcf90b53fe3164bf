"""Lists of every method from the definition, and what must not matter to them.

Names of users and items, the order and the form of the lists of edges, threads, who else is asked.
"""

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from pplab.recommenders.neighbours import predict_from_nearest
from pplab.recommenders.recommend import METHODS, recommend
from pplab.recommenders.similarity import MEASURES, similarity
from pplab.recommenders.top_items import RunningTop, top_items
from tests.helpers import by_threads, tables_with_gaps

USERS, ITEMS = 30, 50


def graphs(seed, users=USERS, items=ITEMS):
    drawn = nx.gnp_random_graph(users, 5 / users, seed=seed)
    social = sparse.csr_array(nx.to_scipy_sparse_array(drawn, dtype=np.int8, weight=None))
    likes = np.random.default_rng(seed).random((users, items)) < 0.15
    return social, sparse.csr_array(likes.astype(np.float64))


def ask(social, likes, method, **changes):
    options = {"cluster": {"clusters": np.arange(likes.shape[0]) % 4}, "gs": {"group_size": 3}}
    how = {"epsilon": 1.0, "measure": "cn", "top_n": 10, "return_utilities": True, "rng": 7}
    return recommend(social, likes, method=method, **{**how, **options.get(method, {}), **changes})


def assert_sorted_lists(result, items):
    """Different items, falling utilities, equal ones by number."""
    assert result.items.dtype == np.int64
    assert ((result.items >= 0) & (result.items < items)).all()
    steps = np.diff(result.utilities, axis=1)
    assert (steps <= 0).all()
    assert (np.diff(result.items, axis=1)[steps == 0] > 0).all()
    assert (np.diff(np.sort(result.items), axis=1) > 0).all()


@pytest.mark.parametrize("measure", MEASURES)
def test_lists_from_equations_1_3_and_4(measure):
    social, likes = graphs(1)
    weights = similarity(social, measure=measure).toarray()
    labels = np.random.default_rng(2).permutation(np.arange(USERS) % 4)
    mu = weights @ likes.toarray()
    result = ask(social, likes, "exact", measure=measure)
    assert_sorted_lists(result, ITEMS)
    assert np.allclose(result.utilities, np.take_along_axis(mu, result.items, axis=1))
    assert np.allclose(result.utilities, -np.sort(-mu, axis=1)[:, :10])
    means = np.array([likes.toarray()[labels == c].mean(axis=0) for c in range(4)])
    sums = np.stack([weights[:, labels == c].sum(axis=1) for c in range(4)], axis=1)
    result = ask(social, likes, "cluster", measure=measure, epsilon=np.inf, clusters=labels)
    assert_sorted_lists(result, ITEMS)
    assert np.allclose(result.utilities, -np.sort(-(sums @ means), axis=1)[:, :10])


def test_what_stays_inexact_without_noise():
    """Level inf: the low-rank mechanism leaves up to gamma out, groups are averaged, others not."""
    social, likes = graphs(4)
    exact = ask(social, likes, "exact")
    for method in ("nou", "noe"):
        result = ask(social, likes, method, epsilon=np.inf)
        assert np.array_equal(result.items, exact.items)
        assert np.array_equal(result.utilities, exact.utilities)
        nearly = ask(social, likes, method, epsilon=1e9)
        assert np.allclose(nearly.utilities, exact.utilities, atol=1e-5)
    alone = ask(social, likes, "cluster", epsilon=np.inf, clusters=np.arange(USERS))
    assert np.array_equal(alone.items, exact.items)
    rough = ask(social, likes, "lrm", epsilon=np.inf)
    assert not np.allclose(rough.utilities, exact.utilities, atol=1e-1)
    alone = ask(social, likes, "gs", epsilon=np.inf, group_size=1)
    assert np.allclose(alone.utilities, exact.utilities)
    whole = ask(social, likes, "gs", epsilon=np.inf, group_size=USERS)
    assert (whole.items == whole.items[0]).all()  # one group: one list for everybody


@pytest.mark.parametrize("method", METHODS)
def test_noise_seeds_and_some_of_the_users(method):
    social, likes = graphs(5)
    result = ask(social, likes, method, epsilon=0.1)
    assert result.items.shape == result.utilities.shape == (USERS, 10)
    some = ask(social, likes, method, epsilon=0.1, users=[11, 2, 29])
    assert np.array_equal(some.items, result.items[[11, 2, 29]])
    if method == "random":
        assert np.isnan(result.utilities).all()
    else:
        assert_sorted_lists(result, ITEMS)
    if method != "exact":
        other = ask(social, likes, method, epsilon=0.1, rng=8)
        assert not np.array_equal(result.items, other.items)
        assert not np.array_equal(result.items, ask(social, likes, "exact").items)


@pytest.mark.parametrize("method", ["exact", "cluster", "nou", "noe", "random"])
def test_threads_change_nothing(method):
    social, likes = graphs(7, users=150, items=400)
    one, two = by_threads(lambda: ask(social, likes, method))
    assert np.array_equal(one.items, two.items)
    assert np.array_equal(one.utilities, two.utilities, equal_nan=True)


@pytest.mark.parametrize("method", METHODS)
def test_shorter_lists_are_the_beginning_of_longer_ones(method):
    social, likes = graphs(6)
    long = ask(social, likes, method, top_n=ITEMS)
    for top_n in (1, 4, 7, ITEMS - 1):
        short = ask(social, likes, method, top_n=top_n, return_utilities=False)
        assert short.items.shape == (USERS, top_n)
        assert short.utilities is None
        if method != "random":  # drawn anew for each length
            assert np.array_equal(short.items, long.items[:, :top_n])
        assert (np.diff(np.sort(short.items), axis=1) > 0).all()


# Lists of best items against a full sort, and prediction by the nearest protected user.


tables = arrays(np.float64, (5, 9), elements=st.sampled_from([-1.0, 0.0, 0.5, 2.0]))


def slow_top(table, top_n):
    """A stable sort keeps equal items in their order."""
    return np.argsort(-table, axis=1, kind="stable")[:, :top_n]


@given(tables, st.integers(1, 9))
def test_against_a_stable_sort(table, top_n):
    expected = slow_top(table, top_n)
    for given_table in (table, sparse.csr_array(table), table.astype(np.float32)):
        items, values = top_items(given_table, top_n)
        assert np.array_equal(items, expected)
        assert np.array_equal(values, np.take_along_axis(table, expected, axis=1))


@given(tables, st.integers(1, 9), st.lists(st.integers(1, 8), unique=True))
def test_blocks_of_items_change_nothing(table, top_n, cuts):
    top = RunningTop(len(table), top_n, dtype=np.float64)
    edges = [0, *sorted(cuts), 9]
    for first, last in pairwise(edges):
        top.add(table[:, first:last], first=first)
    assert np.array_equal(top.result()[0], slow_top(table, top_n))


def test_long_rows_with_many_ties():
    """Longer than a chunk, and every value many times over."""
    table = np.random.default_rng(1).integers(0, 40, size=(150, 1000)).astype(np.float64)
    assert np.array_equal(top_items(table, 100)[0], slow_top(table, 100))
    assert np.array_equal(top_items(sparse.csr_array(table), 100)[0], slow_top(table, 100))


# Prediction by the nearest protected user.


full = arrays(np.float64, st.tuples(st.integers(1, 7), st.just(3)), elements=st.integers(1, 3))


def slow_values(protected, query):
    """The least row, as a list, of those that are nearest over the rated cells."""
    rated = [cell for cell, value in enumerate(query) if value == value]
    if not rated:
        return [np.nan] * len(query)
    rows = protected.tolist()
    distances = [sum((row[cell] - query[cell]) ** 2 for cell in rated) for row in rows]
    return min(row for row, d in zip(rows, distances, strict=True) if d == min(distances))


@settings(max_examples=60, deadline=None)
@given(full, tables_with_gaps(1.0, 2.0, 3.0))
def test_against_all_pairs(protected, queries):
    result = predict_from_nearest(protected, queries, cells="rated")
    expected = [slow_values(protected, query) for query in queries]
    assert np.array_equal(result.predicted, expected, equal_nan=True)
    empty = np.isnan(queries).all(axis=1)
    assert (result.neighbours[empty] == -1).all()
    predicted = result.predicted[~empty]
    assert np.array_equal(predicted, protected[result.neighbours[~empty]])


@settings(max_examples=60, deadline=None)
@given(full, full)
def test_complete_queries_need_no_choice_of_cells(protected, queries):
    plain = predict_from_nearest(protected, queries)
    rated = predict_from_nearest(protected, queries, cells="rated")  # all cells are
    assert np.array_equal(plain.neighbours, rated.neighbours)
    assert np.array_equal(plain.predicted, rated.predicted)
    same = (protected[:, None] == protected[plain.neighbours]).all(axis=2)
    assert np.array_equal(plain.neighbours, same.argmax(axis=0))  # the first of identical rows
