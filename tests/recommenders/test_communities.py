"""Communities: backends, refinement, seeds, and labels that stay in step with their users."""

import importlib
import random
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from pplab.graphs import as_adjacency
from pplab.recommenders import modularity
from pplab.recommenders.communities import BACKENDS, ProgramResult, modularity_of_csr, refined

FAST = {"igraph", "leiden"}
EVERY_BACKEND = [
    pytest.param(
        name,
        marks=pytest.mark.skipif(
            name in FAST and importlib.util.find_spec("igraph") is None,
            reason=f"{name} is not installed; it comes with the extra fast",
        ),
    )
    for name in BACKENDS
]
every_backend = pytest.mark.parametrize("backend", EVERY_BACKEND)
communities_module = importlib.import_module("pplab.recommenders.communities")
communities = communities_module.communities


def graph_of(edges, users):
    rows, columns = np.array(edges).T
    half = sparse.coo_array((np.ones(len(rows), dtype=np.int8), (rows, columns)), (users, users))
    return (half + half.T).tocsr()


def scattered_cliques(sizes, rng):
    """Cliques in a ring of single edges, their members scattered over the user numbers."""
    member = np.repeat(np.arange(len(sizes)), sizes)
    firsts = np.cumsum(sizes) - sizes
    edges = np.argwhere(np.triu(member[:, None] == member, 1)).tolist()
    edges += [(firsts[c], firsts[c - 1] + 1) for c in range(len(sizes))]
    number = np.random.default_rng(rng).permutation(len(member))
    labels = np.empty_like(member)
    labels[number] = member
    return graph_of(number[np.array(edges)], len(member)), labels


def with_tastes(users=120, groups=4, rng=0):
    """A block graph whose blocks overlap so much that runs differ."""
    rng = np.random.default_rng(rng)
    block = rng.integers(groups, size=users)
    chance = np.where(block[:, None] == block, 0.12, 0.04)
    return graph_of(np.argwhere(np.triu(rng.random((users, users)) < chance, 1)), users)


@pytest.fixture(scope="module")
def tastes():
    return with_tastes()


def generated(number):
    """A small graph of one of nine kinds, and a resolution."""
    rng = np.random.default_rng(number)
    n, seed = int(rng.integers(8, 40)), number
    kinds = (
        lambda: nx.planted_partition_graph(12, 12, 0.6, 0.02, seed),
        lambda: nx.planted_partition_graph(2, n, 0.5, 0.1, seed),
        lambda: nx.random_partition_graph(rng.integers(2, n, 5).tolist(), 0.6, 0.03, seed),
        lambda: nx.gnp_random_graph(n, 4 / n, seed),
        lambda: nx.gnp_random_graph(n, 0.5, seed),
        lambda: nx.barabasi_albert_graph(2 * n, 2, seed),
        lambda: nx.grid_2d_graph(4, n // 4),
        lambda: nx.disjoint_union(nx.empty_graph(9), nx.powerlaw_cluster_graph(n, 3, 0.5, seed)),
        lambda: nx.disjoint_union_all(map(nx.complete_graph, rng.integers(1, 9, 6).tolist())),
    )
    graph = nx.from_numpy_array(nx.to_numpy_array(kinds[number % len(kinds)]()))
    graph.add_edge(0, 1)
    return graph, (0.01, 100.0, *10 ** rng.uniform(-2, 2, 8))[number // 3 % 10]


def best_known(graph, resolution):
    """The value of the best of 20 runs of Leiden and of two trivial partitions."""
    igraph = pytest.importorskip("igraph", reason="Leiden comes with the extra fast")
    ours, adjacency = igraph.Graph.from_networkx(graph), as_adjacency(graph)
    how = {"objective_function": "modularity", "resolution": resolution, "n_iterations": -1}
    igraph.set_random_number_generator(random.Random(1))
    results = [ours.community_leiden(**how).membership for _ in range(20)]
    igraph.set_random_number_generator(random)
    results += [list(range(len(graph))), ours.connected_components().membership]
    return max(modularity_of_csr(adjacency, np.array(labels), resolution) for labels in results)


def test_a_graph_of_igraph_is_refused_with_what_converts_it():
    igraph = pytest.importorskip("igraph", reason="igraph comes with the extra fast")
    graph = igraph.Graph([(0, 1), (1, 2)])
    with pytest.raises(TypeError, match=r"got Graph; pass its \.to_networkx\(\)$"):
        as_adjacency(graph)
    assert as_adjacency(graph.to_networkx()).toarray().tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]


def same_partition(one, other):
    return len({*zip(one, other, strict=True)}) == len({*one}) == len({*other})


@every_backend
@pytest.mark.parametrize("refine", [True, False])
def test_scattered_cliques_come_back_with_their_users(backend, refine):
    graph, planted = scattered_cliques([9, 8, 7, 6, 5], rng=3)
    labels = communities(graph, runs=3, backend=backend, refine=refine, rng=1)
    assert labels.dtype == np.int64
    assert labels.tolist() == planted.tolist()  # numbered by size, largest first


@every_backend
def test_seeds_runs_and_resolution(backend, tastes):
    """More runs begin with the same ones; refinement never lowers modularity."""

    def result(rng, runs=1, refine=False, **how):
        return communities(tastes, runs=runs, backend=backend, refine=refine, rng=rng, **how)

    runs = [result(rng).tolist() for rng in (1, 1, np.random.default_rng(1), 2, 3, 4)]
    assert runs[0] == runs[1] == runs[2]
    assert any(runs[0] != other for other in runs[3:])
    values = [modularity(tastes, result(3, runs)) for runs in (1, 2, 8)]
    assert values == sorted(values)
    assert values[0] < values[-1]
    pairs = [(result(seed, refine=True), result(seed)) for seed in range(4)]
    gains = [modularity(tastes, one) - modularity(tastes, other) for one, other in pairs]
    assert min(gains) >= 0
    assert backend == "leiden" or max(gains) > 0  # Leiden may leave nothing to gain
    counts = [result(1, 2, True, resolution=resolution).max() for resolution in (0.2, 1, 4)]
    assert counts[0] < counts[1] < counts[2]


FEW, MANY = range(9), pytest.param(range(9, 109), marks=pytest.mark.verify("generated"))


@every_backend
@pytest.mark.parametrize("numbers", [FEW, MANY])
def test_every_backend_finds_what_leiden_finds(backend, numbers):
    wrong = []
    for number in numbers:
        graph, resolution = generated(number)
        best = best_known(graph, resolution)
        for refine, allowed in ((True, 0.02), (False, 0.04)):
            how = {"backend": backend, "refine": refine, "resolution": resolution}
            labels = communities(graph, rng=number, **how)
            labels = labels.sort_index().to_numpy()
            result = modularity_of_csr(as_adjacency(graph), labels, resolution)
            if not result >= best - allowed:
                wrong.append(f"graph {number}, {how}: {result:.3f}, Leiden {best:.3f}")
    assert not wrong


@every_backend
@pytest.mark.parametrize("refine", [True, False])
def test_resolutions_far_from_1(backend, refine):
    """All users are one cluster, or each is one; the values were 0.672 and an IndexError."""
    groups = nx.planted_partition_graph(12, 12, 0.6, 0.02, seed=1)
    for graph, resolution, clusters in (
        (groups, 0.05, 1),
        (groups, Fraction(1, 100), 1),
        (nx.complete_graph(2), 2.5, 2),
        (nx.complete_graph(3), 1.6, 3),
        (nx.Graph(nx.karate_club_graph().edges), 20, 34),
    ):
        how = {"backend": backend, "refine": refine, "resolution": resolution, "runs": 2}
        assert communities(graph, rng=1, **how).max() + 1 == clusters, (graph, how)


@every_backend
def test_global_random_states_stay_as_they_were(backend, tastes):
    random.seed(1)
    expected = [random.random() for _ in range(3)]
    np.random.seed(1)  # noqa: NPY002 (the global state is what is tested)
    numbers = np.random.random(3)  # noqa: NPY002
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002
    communities(tastes, runs=1, backend=backend, rng=7)
    assert [random.random() for _ in range(3)] == expected
    assert np.random.random(3).tolist() == numbers.tolist()  # noqa: NPY002


@every_backend
def test_users_without_a_friend_are_alone(backend):
    friends = [(1, 3), (1, 5), (3, 5)]
    labels = communities(graph_of(friends, 8), runs=2, backend=backend, rng=1)
    assert labels.tolist() == [1, 0, 2, 0, 3, 0, 4, 5]
    labels = communities(np.zeros((4, 4)), backend=backend, rng=1)
    assert labels.tolist() == [0, 1, 2, 3]


def test_labels_out_of_step_with_their_users_are_noticed(monkeypatch, tastes):
    right = communities(tastes, runs=1, rng=1)

    def wrong(graph, resolution, seed):  # noqa: ARG001
        return ProgramResult([right], modularity(tastes, right))  # right users, wrong order

    monkeypatch.setitem(BACKENDS, "igraph", wrong)
    with pytest.raises(RuntimeError, match="labels and users must be in step"):
        communities(tastes, runs=1, backend="igraph", rng=1)


# Refinement on its own


@st.composite
def nested_partitions(draw):
    users = draw(st.integers(2, 9))
    cells = draw(st.lists(st.booleans(), min_size=users**2, max_size=users**2))
    upper = np.triu(np.array(cells).reshape(users, users), 1)
    upper[0, 1] = True
    numbers = st.lists(st.integers(0, users - 1), min_size=users, max_size=users)
    levels = [numbered(draw(numbers))]
    for _ in range(draw(st.integers(0, 2))):
        levels.append(numbered(np.array(draw(numbers))[levels[-1]]))
    return as_adjacency(upper | upper.T), levels


def numbered(labels):
    return np.unique(labels, return_inverse=True)[1]


@given(nested_partitions(), st.sampled_from([0.4, 1.0, 3.0]))
def test_refined_partitions_cannot_be_mended_by_one_move(pair, resolution):
    graph, levels = pair
    labels = numbered(refined(graph, levels, resolution))
    value = modularity_of_csr(graph, labels, resolution)
    assert value >= modularity_of_csr(graph, levels[-1], resolution) - 1e-12
    for user in range(len(labels)):
        for cluster in range(labels.max() + 2):
            moved = labels.copy()
            moved[user] = cluster
            other = modularity_of_csr(graph, numbered(moved), resolution)
            assert other <= value + 1e-8


def test_refinement_undoes_a_merger_by_way_of_its_levels():
    graph, cliques = scattered_cliques([6] * 4, rng=1)
    graph = as_adjacency(graph)
    merged = np.minimum(cliques, 1)  # three cliques in one cluster: too many
    by_users = numbered(refined(graph, [merged], 1.0))
    by_levels = numbered(refined(graph, [cliques, merged], 1.0))
    assert same_partition(by_users, merged)  # no single user gains by leaving
    assert same_partition(by_levels, cliques)


# Modularity against networkx and against the definition.


@given(nested_partitions(), st.sampled_from([0.3, 1.0, 2.5]))
def test_against_networkx(pair, resolution):
    graph, (*_, labels) = pair
    clusters = [set(np.flatnonzero(labels == c).tolist()) for c in range(labels.max() + 1)]
    network = nx.from_scipy_sparse_array(graph)
    expected = nx.community.modularity(network, clusters, resolution=resolution)
    result = modularity_of_csr(graph, labels, resolution)
    assert result == pytest.approx(expected, abs=1e-12)
    if resolution == 1:
        assert modularity(graph, labels) == result
        assert -0.5 <= result < 1


def test_a_network_is_its_pattern_whatever_weights_it_ships():
    karate = nx.karate_club_graph()
    plain = nx.to_scipy_sparse_array(karate, weight=None)
    assert np.array_equal(communities(karate, rng=1), communities(plain, rng=1))
