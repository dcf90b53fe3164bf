"""What must not matter: names of users and items, the order and the form of the lists of edges."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from pplab.graphs import as_adjacency
from pplab.recommenders.communities import communities, modularity
from pplab.recommenders.recommend import recommend
from pplab.recommenders.similarity import Similarity, similarity, similarity_times
from pplab.recommenders.utilities import sensitivity_of, utilities

INF = float("inf")
MEASURES = ["cn", "gd", "aa", "katz", "jaccard", "resource-allocation"]
METHODS = ["exact", "cluster", "nou", "noe", "lrm", "gs", "random"]
ITEMS = 7


@st.composite
def worlds(draw, least=2, most=9):
    """A social graph, weights in [0, 1], a partition, and new names of users and items."""
    users = draw(st.integers(least, most))
    chance, seed = draw(st.sampled_from([0.15, 0.4, 0.8])), draw(st.integers(0, 2**32))
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((users, users)) < chance, 1)
    social = (upper | upper.T).astype(np.int8)
    likes = np.where(rng.random((users, ITEMS)) < 0.4, rng.integers(1, 5, (users, ITEMS)) / 4, 0)
    labels = np.unique(rng.integers(0, 3, users), return_inverse=True)[1]
    people = np.array(draw(st.permutations(range(users))))
    things = np.array(draw(st.permutations(range(ITEMS))))
    return social, likes, labels, people, things


measures, selves = st.sampled_from(MEASURES), st.booleans()
counted = st.sampled_from(["simple", "walks"])


@settings(deadline=None, max_examples=60)
@given(worlds(), measures, selves, counted)
def test_similarity_is_symmetric_and_knows_no_names(world, measure, own, paths):
    social, _, _, people, _ = world
    how = {"measure": measure, "self_similarity": own, "paths": paths}
    plain = similarity(social, **how).toarray()
    assert np.array_equal(plain, plain.T)
    assert (plain >= 0).all()
    assert own or not plain.diagonal().any()
    renamed = similarity(social[np.ix_(people, people)], **how).toarray()
    assert np.allclose(renamed, plain[np.ix_(people, people)], rtol=1e-12)
    both = (as_adjacency(g) for g in (social, social[np.ix_(people, people)]))
    largest = [sensitivity_of(graph, Similarity(**how)) for graph in both]
    assert largest[0] == pytest.approx(largest[1], rel=1e-12)
    assert largest[0] == pytest.approx(plain.sum(axis=0).max(), rel=1e-12)


@settings(deadline=None, max_examples=60)
@given(worlds(), measures, selves)
def test_utilities_know_no_names_and_add_up(world, measure, own):
    social, likes, labels, people, things = world
    how = {"measure": measure, "self_similarity": own}
    mu = utilities(social, likes, **how).toarray()
    assert np.allclose(mu, similarity(social, **how).toarray() @ likes, rtol=1e-12)
    moved = utilities(social[np.ix_(people, people)], likes[np.ix_(people, things)], **how)
    assert np.allclose(moved.toarray(), mu[np.ix_(people, things)], rtol=1e-12)
    some = utilities(social, likes, users=people[:2], **how).toarray()
    assert np.array_equal(some, mu[people[:2]])
    halves = utilities(social, likes / 2, **how).toarray()
    assert np.allclose(2 * halves, mu, rtol=1e-12)
    members = np.eye(labels.max() + 1)[labels]
    sums = similarity_times(social, members, **how)
    assert np.allclose(sums.sum(axis=1), similarity(social, **how).toarray().sum(axis=1))


def shuffled_forms(social, likes, seed):
    """The same two graphs as edges in another order: sparse, and as a networkx graph."""
    rng = np.random.default_rng(seed)
    rows, columns = np.nonzero(np.triu(social))
    order = rng.permutation(len(rows))
    graph = nx.Graph()
    graph.add_nodes_from(rng.permutation(len(social)).tolist())
    graph.add_edges_from(zip(columns[order].tolist(), rows[order].tolist(), strict=True))
    parts = []
    for table in (social, likes):
        rows, columns = np.nonzero(table)
        order = rng.permutation(len(rows))
        cells = (table[rows, columns][order], (rows[order], columns[order]))
        parts.append(sparse.coo_array(cells, shape=table.shape))
    return parts[0], parts[1], graph


def ask(method, social, likes, labels, **changes):
    options = {"cluster": {"clusters": labels}, "gs": {"group_size": 1}}
    settings = {"epsilon": 1.0, "measure": "cn", "top_n": ITEMS, "return_utilities": True, "rng": 5}
    return recommend(
        social, likes, method=method, **{**settings, **options.get(method, {}), **changes}
    )


@settings(deadline=None, max_examples=40)
@given(worlds(), measures, st.sampled_from(METHODS), st.integers(0, 99))
def test_the_order_of_edges_changes_no_list(world, measure, method, seed):
    """To the last bit, noise included."""
    social, likes, labels, _, _ = world
    listed, wanted, graph = shuffled_forms(social, likes, seed)
    truth = ask(method, social, likes, labels, measure=measure)
    for other in (listed, graph):
        found = ask(method, other, wanted, labels, measure=measure)
        assert np.array_equal(found.items, truth.items)
        assert np.array_equal(found.utilities, truth.utilities, equal_nan=True)


def full(found):
    table = np.empty(found.utilities.shape)
    np.put_along_axis(table, found.items, found.utilities, axis=1)
    return table


@settings(deadline=None, max_examples=60)
@given(worlds(), measures, st.sampled_from(["exact", "cluster", "nou", "noe", "gs"]))
def test_names_change_no_estimate_without_noise(world, measure, method):
    """With noise they do: whoever has row 3 draws the noise of row 3."""
    social, likes, labels, people, things = world
    how = {"measure": measure, "epsilon": INF}
    plain = full(ask(method, social, likes, labels, **how))
    moved = ask(
        method,
        social[np.ix_(people, people)],
        likes[np.ix_(people, things)],
        np.unique(labels[people], return_inverse=True)[1],
        **how,
    )
    assert np.allclose(full(moved), plain[np.ix_(people, things)], rtol=1e-5, atol=1e-6)
    numbers = np.random.default_rng(0).permutation(labels.max() + 1)  # names of the clusters
    again = full(ask(method, social, likes, numbers[labels], **how))
    assert np.allclose(again, plain, rtol=1e-6, atol=1e-7)


@settings(deadline=None, max_examples=40)
@given(worlds(), st.sampled_from(METHODS), st.integers(1, ITEMS))
def test_shorter_lists_are_the_beginning_of_longer_ones(world, method, top_n):
    social, likes, labels, _, _ = world
    long = ask(method, social, likes, labels)
    short = ask(method, social, likes, labels, top_n=top_n)
    assert short.items.shape == (len(social), top_n)
    if method != "random":  # drawn anew for each length
        assert np.array_equal(short.items, long.items[:, :top_n])
    assert (np.diff(np.sort(short.items), axis=1) > 0).all()


@settings(deadline=None, max_examples=25)
@given(worlds(least=3), st.integers(0, 99), st.sampled_from([True, False]))
def test_communities_whatever_the_order_and_form_of_the_edges(world, seed, refine):
    social, likes, _, _, _ = world
    listed, _, graph = shuffled_forms(social, likes, seed)
    how = {"runs": 2, "refine": refine, "rng": 3}
    labels = communities(social, **how)
    assert np.array_equal(np.unique(labels), np.arange(labels.max() + 1))
    assert (np.diff(np.bincount(labels)) <= 0).all()  # the largest first
    assert np.array_equal(labels, communities(listed, **how))
    assert np.array_equal(labels, communities(graph, **how))
    if social.any():
        frame = pd.DataFrame(np.argwhere(np.triu(social))[::-1], columns=["source", "target"])
        named = np.unique(np.argwhere(social))  # an edge list cannot name a user without a friend
        part = communities(social[np.ix_(named, named)], **how)
        assert np.array_equal(communities(frame, **how), part)


@settings(deadline=None, max_examples=25)
@given(st.lists(st.integers(3, 6), min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_communities_know_no_names(sizes, random):
    """Cliques that know nobody else are their own answer, whoever has which number."""
    truth = np.repeat(np.arange(len(sizes)), sizes)
    names = list(range(len(truth)))
    random.shuffle(names)
    truth = truth[names]
    social = (truth[:, None] == truth).astype(np.int8) - np.eye(len(truth), dtype=np.int8)
    found = communities(social, runs=2, rng=1)
    assert np.array_equal(found[:, None] == found, truth[:, None] == truth)
    assert modularity(social, found) == pytest.approx(modularity(social, truth))
