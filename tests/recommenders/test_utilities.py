"""Utilities against the sum of the paper's equation 1, and what they are at the edges."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from pplab.recommenders.utilities import utilities
from tests.oracles import slow_similarity
from tests.recommenders.social_twins import MEASURES, graphs, random_graph


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


def test_some_users_in_the_order_asked_for():
    graph = random_graph(50, 150, seed=1)
    likes = sparse.random(50, 20, density=0.2, rng=2, format="csr")
    everybody = utilities(graph, likes, measure="aa").toarray()
    some = utilities(graph, likes, measure="aa", users=[40, 3, 3])
    assert (some.toarray() == everybody[[40, 3, 3]]).all()


def test_users_without_similar_users_and_items_nobody_likes():
    graph = [[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0]]  # user 3 is alone
    likes = [[1, 0, 0], [1, 1, 0], [0, 1, 0], [1, 1, 0]]  # nobody likes item 2
    for measure in MEASURES:
        found = utilities(graph, likes, measure=measure).toarray()
        assert not found[3].any()
        assert not found[:, 2].any()
        assert found[:3, :2].all()


def test_stored_zeros_are_no_preferences():
    likes = sparse.csr_array(([0.0, 1.0], [0, 1], [0, 2, 2]), shape=(2, 3))
    found = utilities([[0, 1], [1, 0]], likes, measure="gd")
    assert found.nnz == 1
    assert found.toarray().tolist() == [[0, 0, 0], [0, 1, 0]]
