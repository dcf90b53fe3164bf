"""Similarities against enumeration on small graphs and against networkx on larger ones."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from pplab.recommenders.similarity import similarity
from tests.recommenders.social_twins import MEASURES, graphs, random_graph, slow_similarity

STAR = [[0, 1, 1, 1], [1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]


@pytest.mark.parametrize("measure", MEASURES)
@settings(max_examples=40, deadline=None)
@given(graph=graphs(), self_similarity=st.booleans(), paths=st.sampled_from(["simple", "walks"]))
def test_against_enumeration(measure, graph, self_similarity, paths):
    options = {"self_similarity": self_similarity, "paths": paths}
    found = similarity(graph, measure=measure, **options)
    expected = slow_similarity(graph, measure, **options)
    assert np.allclose(found.toarray(), expected, rtol=1e-12, atol=0)
    assert found.nnz == np.count_nonzero(expected)


@pytest.mark.parametrize("paths", ["simple", "walks"])
@pytest.mark.parametrize("self_similarity", [False, True])
@pytest.mark.parametrize("measure", MEASURES)
def test_canonical_and_symmetric_to_the_last_bit(measure, self_similarity, paths):
    graph = random_graph(150, 600, seed=1)
    found = similarity(graph, measure=measure, self_similarity=self_similarity, paths=paths)
    assert isinstance(found, sparse.csr_array)
    assert found.dtype == np.float64
    assert (found.data > 0).all()
    fresh = sparse.csr_array((found.data, found.indices, found.indptr), shape=found.shape)
    assert fresh.has_canonical_format  # looked at anew by scipy
    assert (found.toarray() == found.toarray().T).all()


@pytest.mark.parametrize(
    ("measure", "theirs"),
    [
        ("cn", nx.common_neighbor_centrality),
        ("aa", nx.adamic_adar_index),
        ("jaccard", nx.jaccard_coefficient),
        ("resource-allocation", nx.resource_allocation_index),
    ],
)
def test_against_networkx(measure, theirs):
    graph = nx.from_numpy_array(random_graph(60, 200, seed=2))
    found = similarity(graph, measure=measure).toarray()
    pairs = [(u, v) for u in graph for v in graph if u < v]
    options = {"alpha": 1} if measure == "cn" else {}  # alpha 1: common neighbours, no distances
    values = {(u, v): value for u, v, value in theirs(graph, pairs, **options)}
    assert max(values.values()) > 0
    for (u, v), value in values.items():
        assert found[u, v] == pytest.approx(value, rel=1e-12)


def test_gd_against_shortest_paths_of_networkx():
    graph = nx.from_numpy_array(random_graph(60, 120, seed=3))
    lengths = dict(nx.all_pairs_shortest_path_length(graph, cutoff=2))
    expected = [[1 / lengths[u][v] if lengths[u].get(v) else 0 for v in graph] for u in graph]
    assert (similarity(graph, measure="gd").toarray() == np.array(expected)).all()


def test_katz_against_simple_paths_of_networkx():
    graph = nx.from_numpy_array(random_graph(25, 60, seed=4))
    found = similarity(graph, measure="katz").toarray()
    for u in graph:
        for v in set(graph) - {u}:
            lengths = [len(path) - 1 for path in nx.all_simple_paths(graph, u, v, cutoff=3)]
            assert found[u, v] == pytest.approx(sum(0.05**n for n in lengths), rel=1e-12)


def test_katz_walks_are_powers_of_the_adjacency():
    a = random_graph(40, 150, seed=5).astype(float)
    powers = 0.05 * a + 0.05**2 * a @ a + 0.05**3 * a @ a @ a
    found = similarity(a, measure="katz", paths="walks", self_similarity=True)
    assert np.allclose(found.toarray(), powers, rtol=1e-12, atol=0)


def test_what_a_user_is_to_itself():
    """The diagonal on a star: the middle has degree 3, the ends degree 1."""

    def diagonal(measure, **options):
        found = similarity(STAR, measure=measure, self_similarity=True, **options)
        return found.diagonal().tolist()

    assert diagonal("cn") == [3, 1, 1, 1]
    assert diagonal("gd") == [1, 1, 1, 1]
    assert diagonal("aa") == pytest.approx([0, *[1 / np.log(3)] * 3])  # ends add nothing
    assert diagonal("jaccard") == [1, 1, 1, 1]
    assert diagonal("resource-allocation") == pytest.approx([3, 1 / 3, 1 / 3, 1 / 3])
    assert diagonal("katz") == [0, 0, 0, 0]
    assert diagonal("katz", paths="walks") == pytest.approx([3 * 0.05**2, *[0.05**2] * 3])


@pytest.mark.parametrize("measure", MEASURES)
def test_a_graph_without_edges_has_no_similar_users(measure):
    empty = np.zeros((3, 3), dtype=int)
    assert similarity(empty, measure=measure).nnz == 0
    of_itself = similarity(empty, measure=measure, self_similarity=True)
    assert of_itself.nnz == (3 if measure == "gd" else 0)


@pytest.mark.parametrize("measure", MEASURES)
@settings(max_examples=20, deadline=None)
@given(graph=graphs(least=4), data=st.data())
def test_renaming_users_renames_similarities(measure, graph, data):
    order = data.draw(st.permutations(range(len(graph))))
    renamed = np.array(graph)[np.ix_(order, order)]
    expected = similarity(graph, measure=measure).toarray()[np.ix_(order, order)]
    found = similarity(renamed, measure=measure).toarray()
    assert np.allclose(found, expected, rtol=1e-12, atol=0)


def test_the_order_of_the_edges_does_not_matter():
    edges = pd.DataFrame(np.argwhere(np.triu(random_graph(30, 80, seed=6))))
    edges.columns = ["source", "target"]
    first = similarity(edges, measure="aa")
    second = similarity(edges.sample(frac=1, random_state=1), measure="aa")
    assert (first != second).nnz == 0


@pytest.mark.parametrize("measure", MEASURES)
def test_one_thread_or_two_give_the_same(measure, monkeypatch):
    graph = random_graph(300, 1200, seed=7)
    results = []
    for threads in (1, 2):
        monkeypatch.setattr("numba.get_num_threads", lambda count=threads: count)
        results.append(similarity(graph, measure=measure))
    assert (results[0].data == results[1].data).all()
    assert (results[0].indices == results[1].indices).all()


@pytest.mark.parametrize(
    ("social", "words"),
    [
        ([[0, 1], [0, 0]], "symmetric"),
        ([[1, 1], [1, 0]], "self-loops"),
        ([[0, 1, 0], [1, 0, 0]], "square"),
        ([[0, 0.5], [0.5, 0]], "without weights, 1 for each edge, got 0.5"),
        (nx.Graph([(0, 1, {"weight": 3})]), "without weights"),
        (pd.DataFrame({"source": [1], "target": [2], "weight": [4]}), "without weights"),
        (nx.DiGraph([(0, 1)]), "undirected"),
        (np.zeros((0, 0)), "rows and columns"),
    ],
)
def test_other_graphs_are_refused(social, words):
    with pytest.raises(ValueError, match=words):
        similarity(social, measure="cn")


@pytest.mark.parametrize("measure", ["CN", "pagerank", None, 3])
def test_other_measures_are_refused(measure):
    with pytest.raises(ValueError, match="measure must be one of 'cn'"):
        similarity(STAR, measure=measure)


def test_other_options_are_refused():
    with pytest.raises(ValueError, match="paths must be one of 'simple', 'walks'"):
        similarity(STAR, measure="katz", paths="all")
    with pytest.raises(TypeError, match="self_similarity must be True or False"):
        similarity(STAR, measure="cn", self_similarity="no")
