"""Similarities against enumeration on small graphs; what they are at the edges."""

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from pplab.recommenders.similarity import similarity
from tests.oracles import slow_similarity
from tests.recommenders.social_twins import MEASURES, graphs, random_graph

EVERY = list(itertools.product(MEASURES, (False, True), ("simple", "walks")))


@settings(max_examples=250, deadline=None)
@given(graph=graphs(), which=st.sampled_from(EVERY))
def test_against_enumeration(graph, which):
    measure, self_similarity, paths = which
    options = {"self_similarity": self_similarity, "paths": paths}
    found = similarity(graph, measure=measure, **options)
    expected = slow_similarity(graph, measure, **options)
    assert np.allclose(found.toarray(), expected, rtol=1e-12, atol=0)
    assert found.nnz == np.count_nonzero(expected)


def test_canonical_and_symmetric_to_the_last_bit():
    graph = random_graph(150, 600, seed=1)
    for measure, self_similarity, paths in EVERY:
        found = similarity(graph, measure=measure, self_similarity=self_similarity, paths=paths)
        assert isinstance(found, sparse.csr_array)
        assert found.dtype == np.float64
        assert (found.data > 0).all()
        fresh = sparse.csr_array((found.data, found.indices, found.indptr), shape=found.shape)
        assert fresh.has_canonical_format  # looked at anew by scipy
        assert (found.toarray() == found.toarray().T).all()


def test_a_graph_without_edges_has_no_similar_users():
    empty = np.zeros((3, 3), dtype=int)
    for measure in MEASURES:
        assert similarity(empty, measure=measure).nnz == 0
        of_itself = similarity(empty, measure=measure, self_similarity=True)
        assert of_itself.nnz == (3 if measure == "gd" else 0)
