"""Cutting groups: sizes, nesting, chance."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pplab.smooth.groups import cut_to_size


@given(
    k=st.integers(2, 5),
    extra=st.lists(st.integers(0, 20), min_size=1, max_size=6),
    seed=st.integers(0, 99),
)
def test_pieces_have_k_to_2k_minus_1_rows_of_one_group(k, extra, seed):
    sizes = np.array(extra) + k
    labels = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(sizes)), sizes))
    pieces = cut_to_size(labels, k, rng=seed)
    counts = np.bincount(pieces)
    assert counts.min() >= k
    assert counts.max() < 2 * k
    assert len(counts) == (sizes // k).sum()
    groups_of_piece = {(piece, group) for piece, group in zip(pieces, labels, strict=True)}
    assert len(groups_of_piece) == len(counts)


def test_rows_are_dealt_out_at_random_and_by_the_seed():
    labels = np.zeros(40, dtype=int)
    assert (cut_to_size(labels, 4, rng=1) == cut_to_size(labels, 4, rng=1)).all()
    assert (cut_to_size(labels, 4, rng=1) != cut_to_size(labels, 4, rng=2)).any()
    together = [cut_to_size(labels, 4, rng=seed) for seed in range(600)]
    share = np.mean([pieces[0] == pieces[1] for pieces in together])
    assert share == pytest.approx(3 / 39, abs=0.04)


def test_what_cannot_be_cut_is_refused():
    for labels, k, words in [
        ([0, 0, 1], 2, "got one of 1"),
        ([0, 0], 3, "k"),
        ([0.5], 2, "labels"),
    ]:
        with pytest.raises((TypeError, ValueError), match=words):
            cut_to_size(np.array(labels), k)
