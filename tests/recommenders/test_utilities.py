"""Utilities against the sum of the paper's equation 1, and what they are at the edges."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from pplab.recommenders.clusters import cluster_averages
from pplab.recommenders.utilities import utilities, utility_sensitivity
from tests.oracles import slow_similarity
from tests.recommenders.social_twins import MEASURES, graphs


@settings(max_examples=100, deadline=None)
@given(graphs(), st.sampled_from(MEASURES), st.booleans(), st.booleans(), st.integers(0, 9))
def test_against_equation_1(graph, measure, keep, ratings, seed):
    likes = np.random.default_rng(seed).integers(0, 2, (len(graph), 5))
    if ratings:
        likes = likes * np.random.default_rng(seed).random(likes.shape)
    found = utilities(graph, likes, measure=measure, self_similarity=keep)
    similar, users = slow_similarity(graph, measure, self_similarity=keep), range(len(graph))
    expected = [[sum(similar[u, v] * likes[v][i] for v in users) for i in range(5)] for u in users]
    assert np.allclose(found.toarray(), expected, rtol=1e-12, atol=0)
    assert (found.data > 0).all()


def test_stored_zeros_are_no_preferences():
    likes = sparse.csr_array(([0.0, 1.0], [0, 1], [0, 2, 2]), shape=(2, 3))
    found = utilities([[0, 1], [1, 0]], likes, measure="gd")
    assert found.nnz == 1
    assert found.toarray().tolist() == [[0, 0, 0], [0, 1, 0]]


# Sensitivities by brute force: every single preference edge that comes or goes.


INF = float("inf")


def neighbours(likes):
    """All tables that differ by one edge."""
    for cell in np.ndindex(likes.shape):
        other = likes.copy()
        other[cell] = 1 - other[cell]
        yield other


def test_without_similar_users_nothing_moves():
    assert utility_sensitivity([[0, 1], [1, 0]], measure="cn") == 0


@settings(deadline=None)
@given(st.lists(st.integers(0, 2), min_size=5, max_size=5), st.integers(0, 2**15 - 1))
def test_one_edge_moves_one_average_by_one_over_the_size(raw, bits):
    """Theorem 4: noise of scale 1 / (|c| epsilon) covers exactly one such change."""
    labels = np.unique(raw, return_inverse=True)[1]
    likes = np.array([(bits >> place) & 1 for place in range(15)]).reshape(5, 3)
    before = cluster_averages(likes, labels, epsilon=INF)
    sizes = np.bincount(labels)
    for cell, other in zip(np.ndindex(likes.shape), neighbours(likes), strict=True):
        moved = cluster_averages(other, labels, epsilon=INF) - before
        assert np.count_nonzero(moved) == 1
        home = labels[cell[0]]
        assert abs(moved[home, cell[1]]) == pytest.approx(1 / sizes[home])
