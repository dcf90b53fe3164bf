"""Chunks of similar rows: each on its own, k respected, the same with any number of threads."""

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from pplab.datasets.blocks import block_model
from pplab.metrics.anonymity import is_smooth_k_anonymous
from pplab.smooth.chunks import chunk_labels, chunk_starts, minhash_order, smooth_k_anonymize_chunks
from pplab.smooth.groups import publish_votes
from pplab.smooth.parquet import made_rows


def made_table(rows, items=500, seed=1):
    where, what = made_rows(rows, items, seed, 0, rows)
    return sparse.csr_array((np.ones(len(where), np.int8), (where, what)), shape=(rows, items))


@given(st.integers(1, 300), st.integers(2, 9), st.integers(0, 40))
def test_chunks_have_the_wanted_rows(rows, k, more):
    chunk_rows = k + more
    sizes = np.diff(np.append(chunk_starts(rows, k, chunk_rows), rows))
    assert sizes.sum() == rows
    assert (sizes[:-1] == chunk_rows).all()
    assert sizes[-1] < chunk_rows + k
    assert sizes[-1] >= min(k, rows)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10**6), st.sampled_from(["minhash", "random"]), st.integers(2, 5))
def test_published_copy_is_smooth_k_anonymous(seed, order, k):
    table = made_table(90, 40, seed)
    found = smooth_k_anonymize_chunks(table, k, chunk_rows=17, order=order, rng=seed)
    assert np.bincount(found.labels).min() >= k
    assert is_smooth_k_anonymous(table, found.biadjacency, k)
    assert np.array_equal(np.unique(found.labels), np.arange(found.labels.max() + 1))
    again = publish_votes(table, found.labels, keep="half")
    assert (again.biadjacency != found.biadjacency).nnz == 0


@pytest.mark.parametrize("order", ["minhash", "random"])
def test_the_same_with_1_and_2_threads(order):
    table = made_table(600)
    both = smooth_k_anonymize_chunks(table, 4, chunk_rows=50, order=order, rng=7)
    numba.set_num_threads(1)
    try:
        alone = smooth_k_anonymize_chunks(table, 4, chunk_rows=50, order=order, rng=7)
    finally:
        numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    assert np.array_equal(alone.labels, both.labels)
    other = smooth_k_anonymize_chunks(table, 4, chunk_rows=50, order=order, rng=8)
    assert not np.array_equal(other.labels, both.labels)


def test_each_chunk_is_a_table_of_its_own():
    table, k = made_table(400), 3
    found = smooth_k_anonymize_chunks(table, k, chunk_rows=150, method="paper", rng=2)
    seed = int(np.random.default_rng(2).integers(2**63))
    order = minhash_order(table, hashes=8, seed=seed)
    for number, chunk in enumerate([order[:150], order[150:300], order[300:]]):
        own = chunk_labels(table[chunk], k, number, method="paper", effort="fast", seed=seed)
        labels = found.labels[chunk]
        assert np.array_equal(labels - labels.min(), own)
        assert not np.isin(np.delete(found.labels, chunk), labels).any()


def test_chunks_of_similar_rows_keep_more_than_random_ones():
    # About one row of each block in a random chunk.
    table = block_model(block_size=20, blocks=50, inside=0.6, outside=0.001, rng=1).biadjacency
    similar, anybody = (
        smooth_k_anonymize_chunks(table, 4, chunk_rows=50, order=order, rng=1).jaccard
        for order in ("minhash", "random")
    )
    assert similar > 1.5 * anybody


def test_rows_without_entries():
    table = sparse.csr_array((30, 4), dtype=np.int8)
    found = smooth_k_anonymize_chunks(table, 3, chunk_rows=10, rng=1)
    assert found.jaccard == 1
    assert found.empty_rows == 1
    assert np.bincount(found.labels).tolist() == [10, 10, 10]


def test_refused():
    for options, sentence in (
        ({"chunk_rows": 3}, "chunk_rows must be an integer at least 4"),
        ({"order": "sorted"}, "order must be one of 'minhash', 'random'"),
        ({"method": "alg1"}, "method must be one of"),
        ({"effort": "most"}, "effort must be one of"),
    ):
        with pytest.raises(ValueError, match=sentence):
            smooth_k_anonymize_chunks(made_table(20), 4, **options)
