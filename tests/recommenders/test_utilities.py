"""Utilities against the sum of the paper's equation 1, and what they are at the edges."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from pplab.recommenders.utilities import utilities
from tests.recommenders.social_twins import MEASURES, graphs, random_graph, slow_similarity


def slow_utilities(graph, preferences, measure, **options):
    similar = slow_similarity(graph, measure, **options)
    users, items = len(preferences), len(preferences[0])
    return np.array(
        [
            [sum(similar[u, v] * preferences[v][i] for v in range(users)) for i in range(items)]
            for u in range(users)
        ]
    )


@pytest.mark.parametrize("measure", MEASURES)
@settings(max_examples=20, deadline=None)
@given(graph=graphs(), keep=st.booleans(), ratings=st.booleans(), seed=st.integers(0, 9))
def test_against_equation_1(measure, graph, keep, ratings, seed):
    preferences = np.random.default_rng(seed).integers(0, 2, (len(graph), 5))
    if ratings:
        preferences = preferences * np.random.default_rng(seed).random(preferences.shape)
    found = utilities(graph, preferences, measure=measure, self_similarity=keep)
    expected = slow_utilities(graph, preferences, measure, self_similarity=keep)
    assert np.allclose(found.toarray(), expected, rtol=1e-12, atol=0)
    assert (found.data > 0).all()


def test_some_users_in_the_order_asked_for():
    graph = random_graph(50, 150, seed=1)
    likes = sparse.random(50, 20, density=0.2, rng=2, format="csr")
    everybody = utilities(graph, likes, measure="aa").toarray()
    some = utilities(graph, likes, measure="aa", users=[40, 3, 3])
    assert (some.toarray() == everybody[[40, 3, 3]]).all()


@pytest.mark.parametrize("measure", MEASURES)
def test_users_without_similar_users_and_items_nobody_likes(measure):
    graph = [[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0]]  # user 3 is alone
    likes = [[1, 0, 0], [1, 1, 0], [0, 1, 0], [1, 1, 0]]  # nobody likes item 2
    found = utilities(graph, likes, measure=measure).toarray()
    assert not found[3].any()
    assert not found[:, 2].any()
    assert found[:3, :2].all()


def test_stored_zeros_are_no_preferences():
    likes = sparse.csr_array(([0.0, 1.0], [0, 1], [0, 2, 2]), shape=(2, 3))
    found = utilities([[0, 1], [1, 0]], likes, measure="gd")
    assert found.nnz == 1
    assert found.toarray().tolist() == [[0, 0, 0], [0, 1, 0]]


@pytest.mark.parametrize(
    ("preferences", "words"),
    [
        ([[1], [0], [1]], "a row for each of the 2 users of the social graph, got 3"),
        ([[1]], "a row for each of the 2 users of the social graph, got 1"),
        ([[2], [1]], "between 0 and 1"),
        ([[-0.5], [1]], "between 0 and 1"),
        ([[np.nan], [1]], "finite"),
    ],
)
def test_other_preferences_are_refused(preferences, words):
    with pytest.raises(ValueError, match=words):
        utilities([[0, 1], [1, 0]], preferences, measure="cn")
