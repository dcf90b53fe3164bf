"""Chunks of similar rows: each on its own, k respected, the same with any number of threads."""

from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from pplab.compiled import mixed
from pplab.graphs import as_matrix
from pplab.metrics.anonymity import is_smooth_k_anonymous
from smoothbound import chunks
from smoothbound.parquet import made_rows
from tests.smoothbound.cases import tables


def made_table(rows, items=500, seed=1):
    where, what = made_rows(rows, items, seed, 0, rows)
    return sparse.csr_array((np.ones(len(where), np.int8), (where, what)), shape=(rows, items))


@given(st.integers(1, 300), st.integers(2, 9), st.integers(0, 40))
def test_chunks_have_the_wanted_rows(rows, k, more):
    chunk_rows = k + more
    sizes = np.diff(np.append(chunks.chunk_starts(rows, k, chunk_rows), rows))
    assert sizes.sum() == rows
    assert (sizes[:-1] == chunk_rows).all()
    assert sizes[-1] < chunk_rows + k
    assert sizes[-1] >= min(k, rows)


@given(st.integers(0, 10**6), st.sampled_from(["minhash", "random"]), st.integers(2, 5))
def test_published_copy_is_smooth_k_anonymous(seed, order, k):
    table = made_table(51, 40, seed)
    result = chunks.smooth_k_anonymize_chunks(table, k, chunk_rows=17, order=order, rng=seed)
    assert np.bincount(result.labels).min() >= k
    assert is_smooth_k_anonymous(table, result.biadjacency, k)
    assert np.array_equal(np.unique(result.labels), np.arange(result.labels.max() + 1))


@pytest.mark.parametrize("order", ["minhash", "random"])
def test_the_same_with_1_and_2_threads(order):
    table = made_table(600)
    both = chunks.smooth_k_anonymize_chunks(table, 4, chunk_rows=50, order=order, rng=7)
    with chunks.one_thread():
        alone = chunks.smooth_k_anonymize_chunks(table, 4, chunk_rows=50, order=order, rng=7)
    assert np.array_equal(alone.labels, both.labels)
    other = chunks.smooth_k_anonymize_chunks(table, 4, chunk_rows=50, order=order, rng=8)
    assert not np.array_equal(other.labels, both.labels)


def test_each_chunk_is_a_table_of_its_own():
    table, k = made_table(400), 3
    result = chunks.smooth_k_anonymize_chunks(table, k, chunk_rows=150, method="paper", rng=2)
    seed = int(np.random.default_rng(2).integers(2**63))
    order = chunks.minhash_order(table, hashes=8, seed=seed)
    for number, chunk in enumerate([order[:150], order[150:300], order[300:]]):
        own = chunks.chunk_labels(table[chunk], k, number, method="paper", effort="fast", seed=seed)
        labels = result.labels[chunk]
        assert np.array_equal(labels - labels.min(), own)
        assert not np.isin(np.delete(result.labels, chunk), labels).any()


def test_a_chunk_below_k_rows_is_refused():
    with pytest.raises(ValueError, match="chunk_rows must be an integer at least 4"):
        chunks.smooth_k_anonymize_chunks(made_table(20), 4, chunk_rows=3)


# Min-hashes against the definition in whole numbers, and the order that they make.


TABLES = tables(1, 9)
WORD = 2**64


def slow_mix(number):
    number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    number = (number ^ (number >> 27)) * 0x94D049BB133111EB % WORD
    return number ^ (number >> 31)


def slow_signatures(table, hashes, seed):
    keys = np.random.SeedSequence(seed).generate_state(hashes + 1, np.uint64).tolist()[:hashes]
    results = []
    for row in table:
        bits = [slow_mix((i + 1) * 0x9E3779B97F4A7C15 % WORD) for i in np.flatnonzero(row).tolist()]
        results.append([min((slow_mix(b ^ key) for b in bits), default=WORD - 1) for key in keys])
    return np.array(results, dtype=np.uint64)


@given(TABLES, st.integers(1, 4), st.integers(0, 2**40))
def test_against_the_definition(table, hashes, seed):
    rows = as_matrix(table)
    result = chunks.signatures_of(rows.indptr, rows.indices, hashes=hashes, seed=seed)[:, :hashes]
    assert result.dtype == np.uint64
    assert np.array_equal(result, slow_signatures(table, hashes, seed))
    for number in (0, 1, 2**63, 2**64 - 1, seed):
        assert int(mixed(np.uint64(number))) == slow_mix(number)


@given(TABLES)
def test_order_is_lexicographic_and_keeps_equal_rows_together(table):
    order = chunks.minhash_order(as_matrix(table), hashes=3, seed=5)
    assert np.array_equal(np.sort(order), np.arange(len(table)))
    signs = [tuple(sign) for sign in slow_signatures(table, 3, 5)[order].tolist()]
    assert signs == sorted(signs)
    runs = [row for row, _ in groupby(table[order].tolist())]
    assert len(runs) == len({tuple(row) for row in runs})  # each content is one run
    for content in {tuple(row) for row in runs}:
        numbers = order[(table[order] == content).all(axis=1)]
        assert np.array_equal(numbers, np.sort(numbers))


def test_a_key_does_not_depend_on_the_rest_of_the_table():
    table = as_matrix((np.random.default_rng(1).random((40, 30)) < 0.2).astype(np.int8))
    keys = chunks.order_keys(table.indptr, table.indices, np.arange(40), hashes=8, seed=3)
    some = table[10:20]
    items, numbers = some.indices.astype(np.int64), np.arange(10, 20)
    again = chunks.order_keys(some.indptr, items, numbers, hashes=8, seed=3)
    assert np.array_equal(again, keys[10:20])
    assert len(np.unique(keys)) == 40
