"""Min-hashes against the definition in whole numbers, and the order that they make."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from pplab._compiled import mixed
from pplab.graphs import as_matrix
from pplab.smooth.chunks import minhash_order, order_keys, signatures_of

tables = arrays(
    np.int8,
    array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=9),
    elements=st.integers(0, 1),
)
WORD = 2**64


def slow_mix(number):
    number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    number = (number ^ (number >> 27)) * 0x94D049BB133111EB % WORD
    return number ^ (number >> 31)


def slow_signatures(table, hashes, seed):
    keys = np.random.SeedSequence(seed).generate_state(hashes + 1, np.uint64).tolist()[:hashes]
    found = []
    for row in table:
        bits = [slow_mix((i + 1) * 0x9E3779B97F4A7C15 % WORD) for i in np.flatnonzero(row).tolist()]
        found.append([min((slow_mix(b ^ key) for b in bits), default=WORD - 1) for key in keys])
    return np.array(found, dtype=np.uint64)


def signatures(table, *, hashes, seed):
    rows = as_matrix(table)
    return signatures_of(rows.indptr, rows.indices, hashes=hashes, seed=seed)[:, :hashes]


@settings(deadline=None)
@given(tables, st.integers(1, 4), st.integers(0, 2**40))
def test_against_the_definition(table, hashes, seed):
    found = signatures(table, hashes=hashes, seed=seed)
    assert found.dtype == np.uint64
    assert np.array_equal(found, slow_signatures(table, hashes, seed))
    for number in (0, 1, 2**63, 2**64 - 1, seed):
        assert int(mixed(np.uint64(number))) == slow_mix(number)


@settings(deadline=None)
@given(tables)
def test_order_is_lexicographic_and_keeps_equal_rows_together(table):
    order = minhash_order(as_matrix(table), hashes=3, seed=5)
    assert np.array_equal(np.sort(order), np.arange(len(table)))
    signs = [tuple(sign) for sign in slow_signatures(table, 3, 5)[order].tolist()]
    assert signs == sorted(signs)
    runs = [table[order[0]].tolist()]
    for row in table[order].tolist():
        if row != runs[-1]:
            runs.append(row)
    assert len(runs) == len({tuple(row) for row in runs})  # each content is one run
    for content in {tuple(row) for row in runs}:
        numbers = order[(table[order] == content).all(axis=1)]
        assert np.array_equal(numbers, np.sort(numbers))


def test_rows_without_an_item_come_last():
    table = np.zeros((6, 4), dtype=np.int8)
    table[[1, 4], 2] = 1
    assert minhash_order(as_matrix(table), hashes=8, seed=0).tolist() == [1, 4, 0, 2, 3, 5]


def test_agreement_estimates_jaccard():
    one, other = np.zeros((2, 300), dtype=np.int8)
    one[:200], other[100:300] = 1, 1  # 100 of 300 in common
    signs = signatures(np.vstack([one, other]), hashes=4000, seed=0)
    agree = (signs[0] == signs[1]).mean()
    assert abs(agree - 1 / 3) < 5 * (2 / 9 / 4000) ** 0.5


def test_a_key_does_not_depend_on_the_rest_of_the_table():
    rng = np.random.default_rng(1)
    table = as_matrix((rng.random((40, 30)) < 0.2).astype(np.int8))
    numbers = np.arange(40)
    keys = order_keys(table.indptr, table.indices, numbers, hashes=8, seed=3)
    some = table[10:20]
    again = order_keys(some.indptr, some.indices, numbers[10:20], hashes=8, seed=3)
    assert np.array_equal(again, keys[10:20])
    wide = order_keys(table.indptr, table.indices.astype(np.int64), numbers, hashes=8, seed=3)
    assert np.array_equal(wide, keys)
    assert len(np.unique(keys)) == 40
