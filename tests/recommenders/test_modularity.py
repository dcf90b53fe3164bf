"""Modularity against networkx and against the definition; refusals of what is no partition."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from pplab.checks import check_partition
from pplab.recommenders.communities import modularity, modularity_of_csr


@st.composite
def graphs_with_labels(draw):
    users = draw(st.integers(2, 9))
    cells = draw(st.lists(st.booleans(), min_size=users**2, max_size=users**2))
    upper = np.triu(np.array(cells).reshape(users, users), 1)
    upper[0, 1] = True
    labels = draw(st.lists(st.integers(0, 3), min_size=users, max_size=users))
    return (upper | upper.T).astype(int), np.unique(labels, return_inverse=True)[1]


@given(graphs_with_labels(), st.sampled_from([0.3, 1.0, 2.5]))
def test_against_networkx(pair, resolution):
    matrix, labels = pair
    clusters = [set(np.flatnonzero(labels == c).tolist()) for c in range(labels.max() + 1)]
    expected = nx.community.modularity(nx.from_numpy_array(matrix), clusters, resolution=resolution)
    found = modularity_of_csr(sparse.csr_array(matrix), labels, resolution)
    assert found == pytest.approx(expected, abs=1e-12)
    if resolution == 1:
        assert modularity(matrix, labels) == found
        assert -0.5 <= found < 1


@given(graphs_with_labels(), st.randoms(use_true_random=False))
def test_names_of_users_and_clusters_change_nothing(pair, random):
    matrix, labels = pair
    users = random.sample(range(len(matrix)), len(matrix))
    names = np.array(random.sample(range(len(set(labels))), len(set(labels))))
    renamed = matrix[np.ix_(users, users)], names[labels[users]]
    assert modularity(*renamed) == modularity(matrix, labels)


def test_the_printed_equation_halves_the_first_term():
    graph = nx.karate_club_graph()
    assert modularity(nx.Graph(graph.edges), np.zeros(34, dtype=int)) == 0
    inside, all_edges, degree_sum = 78, 78, 156
    assert inside / (2 * all_edges) - (degree_sum / (2 * all_edges)) ** 2 == -0.5


PAIR = sparse.csr_array(np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]]))


@pytest.mark.parametrize(
    ("labels", "error", "sentence"),
    [
        ([0, 1], ValueError, "each of the 3 users, got shape"),
        ([[0, 1, 1]], ValueError, "each of the 3 users, got shape"),
        ([[0], [1, 2]], ValueError, "each of the 3 users, got shape"),
        (0, ValueError, "each of the 3 users, got shape"),
        ([0, np.nan, 1], TypeError, "whole numbers, got float64"),
        ([True, False, True], TypeError, "whole numbers, got bool"),
        (["a", "b", "c"], TypeError, "whole numbers, got <U1"),
        (np.ma.array([0, 0, 0], mask=[0, 0, 1]), TypeError, "whole numbers, got masked cells"),
        ([0, -1, 1], ValueError, "got -1 for user 1"),
        ([0, 2, 2], ValueError, "nobody in cluster 1"),
        ([1, 1, 2], ValueError, "nobody in cluster 0"),
    ],
)
def test_what_is_no_partition_is_refused(labels, error, sentence):
    with pytest.raises(error, match=sentence):
        modularity(PAIR, labels)
    with pytest.raises(error, match=f"^clusters must .*{sentence}"):
        check_partition(labels, 3, name="clusters")


def test_labels_come_back_as_int64():
    assert check_partition(np.array([1, 0, 1], dtype=np.uint8), 3).dtype == np.int64


def test_a_graph_without_edges_has_no_modularity():
    with pytest.raises(ValueError, match="at least one edge, got none"):
        modularity(np.zeros((3, 3)), [0, 1, 0])
