"""Noise-graph addition: exact law on small graphs, invariances, refusals."""

from fractions import Fraction

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from pplab import bipartite_noise_graph, noise_graph
from pplab.response.mechanism import Mechanism
from pplab.response.noise_graph import BipartiteNoiseGraph, FairCoin, NoiseGraph
from pplab.response.ratings import WeightedNoiseGraph
from tests.helpers import count_fits, outcomes_fit

PATH = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]


def row_counts(mechanism, row, law, samples):
    """Counts of the outcomes of one row, from one release of many copies of it."""
    published = mechanism.sample(np.tile(row, (samples, 1)), rng=1).toarray()
    counts = dict.fromkeys(law, 0)
    for answer in map(tuple, published.tolist()):
        counts[(answer,)] += 1
    return list(counts.values())


def test_samples_follow_the_exact_distribution():
    mechanism = BipartiteNoiseGraph(Fraction(1, 5))
    law = mechanism.distribution([[1, 0, 0, 1]])
    assert sum(law.values()) == 1
    counts = row_counts(mechanism, [1, 0, 0, 1], law, 20_000)
    assert outcomes_fit(counts, [float(q) for q in law.values()])


def test_undirected_samples_follow_the_exact_distribution():
    mechanism = NoiseGraph(Fraction(1, 3))
    law = mechanism.distribution(PATH)
    assert sum(law.values()) == 1
    rng = np.random.default_rng(1)
    counts = dict.fromkeys(law, 0)
    for _ in range(2000):
        counts[tuple(map(tuple, mechanism.sample(PATH, rng=rng).toarray().tolist()))] += 1
    assert outcomes_fit(list(counts.values()), [float(q) for q in law.values()])


@pytest.mark.parametrize(
    ("right", "wrong"), [(Fraction(1, 5), Fraction(1, 4)), (Fraction(1, 4), Fraction(1, 5))]
)
def test_the_comparison_catches_a_wrong_flip_probability(right, wrong):
    law = BipartiteNoiseGraph(right).distribution([[1, 0, 0, 1]])
    counts = row_counts(BipartiteNoiseGraph(wrong), [1, 0, 0, 1], law, 20_000)
    assert not outcomes_fit(counts, [float(q) for q in law.values()])


def test_exact_distribution_counts_flips():
    p = Fraction(1, 7)
    law = NoiseGraph(p).distribution(PATH)
    for published, probability in law.items():
        flips = int(np.sum(np.array(published) != np.array(PATH))) // 2
        assert probability == p**flips * (1 - p) ** (3 - flips)


def test_mechanisms_have_the_common_shape():
    for mechanism in (NoiseGraph(0.1), BipartiteNoiseGraph(0.1), WeightedNoiseGraph(0.1, 5)):
        assert isinstance(mechanism, Mechanism)
        assert mechanism.unit == "edge"
    assert NoiseGraph(0.1).epsilon == pytest.approx(np.log(9))


@pytest.mark.parametrize("p", [0.01, 0.3])
def test_the_mechanism_is_the_addition_of_a_noise_graph(p):
    """The same seed flips the same cells, whatever the graph."""
    rng = np.random.default_rng(1)
    likes, social = rng.random((70, 300)) < 0.1, np.triu(rng.random((80, 80)) < 0.1, k=1)
    for function, graph in ((bipartite_noise_graph, likes), (noise_graph, social | social.T)):
        noise = function(np.zeros(graph.shape), flip_probability=p, rng=2).toarray()
        published = function(graph, flip_probability=p, rng=2)
        assert np.array_equal(published.toarray(), graph ^ noise)
    assert (published != published.T).nnz == 0
    assert not published.diagonal().any()
    assert published.has_sorted_indices
    assert published.dtype == np.int8


def test_order_of_edges_and_nodes_is_no_matter():
    rng = np.random.default_rng(2)
    edges = pd.DataFrame({"user": rng.integers(30, size=200), "item": rng.integers(40, size=200)})
    edges = edges.drop_duplicates()
    graph = nx.gnp_random_graph(20, 0.3, seed=5)
    shuffled = nx.Graph()
    shuffled.add_nodes_from(reversed(list(graph)))
    shuffled.add_edges_from(reversed([edge[::-1] for edge in graph.edges]))
    for function, forms in (
        (bipartite_noise_graph, (edges, edges.sample(frac=1, random_state=4))),
        (noise_graph, (graph, shuffled)),
    ):
        one, two = (function(form, flip_probability=0.1, rng=3) for form in forms)
        assert (one != two).nnz == 0


@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csr_matrix, sparse.coo_array, np.array])
def test_every_form_of_the_matrix_gives_the_same_release(form):
    dense = (np.random.default_rng(7).random((12, 70)) < 0.2).astype(int)
    expected = bipartite_noise_graph(dense, flip_probability=0.1, rng=8)
    published = bipartite_noise_graph(form(dense), flip_probability=0.1, rng=8)
    assert isinstance(published, sparse.csr_array)
    assert (published != expected).nnz == 0


def test_a_stored_zero_is_an_edge_and_the_input_is_left_alone():
    matrix = sparse.csr_array(([0.0, 4.0], [2, 0], [0, 2]), shape=(1, 3))  # unsorted on purpose
    assert bipartite_noise_graph(matrix, flip_probability=0.0).nnz == 2
    assert matrix.indices.tolist() == [2, 0]


@pytest.mark.parametrize(
    ("graph", "sentence"),
    [
        ([[0, 1], [0, 0]], "must be symmetric"),
        ([[1, 1], [1, 0]], "no self-loops"),
        ([[0, 1, 0], [1, 0, 1]], "square adjacency"),
        (nx.DiGraph([(0, 1)]), "undirected simple graph"),
        (np.zeros((0, 0)), "must have rows and columns"),
        ([[0, np.nan], [np.nan, 0]], "finite"),
        (sparse.coo_array(([1, 1, 1, 1], ([0, 0, 1, 1], [1, 1, 0, 0]))), "duplicate edges"),
        ("graph", "must be a scipy sparse matrix"),
    ],
)
def test_bad_social_graphs_are_refused(graph, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        noise_graph(graph, flip_probability=0.1)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        *(
            (lambda f=f, g=g, p=p: f(g, flip_probability=p), "flip_probability")
            for f, g in ((noise_graph, PATH), (bipartite_noise_graph, [[1, 0]]))
            for p in (-0.1, 0.6, np.nan, True)
        ),
        *(
            (lambda rng=rng: noise_graph(PATH, flip_probability=0.1, rng=rng), "rng must be")
            for rng in (-1, True, "seed", 1.5)
        ),
        (lambda: BipartiteNoiseGraph(0.1).distribution(np.ones((5, 5))), "number of outputs"),
    ],
)
def test_bad_arguments_are_refused(call, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        call()


# Replacement by a fair coin and the flip: one law, two stories.


@given(st.fractions(0, 1, max_denominator=50), st.lists(st.integers(0, 1), min_size=4, max_size=4))
@settings(max_examples=60, deadline=None)
def test_it_is_the_flip_with_half_the_probability(rho, cells):
    table = [cells[:2], cells[2:]]
    coin = FairCoin(replacement_probability=rho)
    assert coin.distribution(table) == BipartiteNoiseGraph(rho / 2).distribution(table)
    assert coin.epsilon == BipartiteNoiseGraph(rho / 2).epsilon
    if rho:
        smaller = BipartiteNoiseGraph(rho / Fraction(12, 5))
        assert coin.distribution(table) != smaller.distribution(table)


def test_half_of_the_coins_change_nothing():
    published = FairCoin(replacement_probability=0.4).sample(np.ones((100, 200)), rng=1)
    assert count_fits(published.nnz, 20_000, 0.8)
    assert not count_fits(published.nnz, 20_000, 0.6)


@pytest.mark.parametrize("rho", [-0.1, 1.1, float("nan"), True, None])
def test_what_is_no_probability_is_refused(rho):
    with pytest.raises((ValueError, TypeError), match="replacement_probability must"):
        FairCoin(replacement_probability=rho)
