"""The states of the effort slider are those of the greedy method."""

from __future__ import annotations

import numpy as np
import pytest

from pplab.datasets.blocks import block_model
from pplab.smooth.anonymize import smooth_k_anonymize
from pplab.smooth.certificates import jaccard_certificates
from pplab.widgets import similarity_after

TOWN = block_model(block_size=10, blocks=8, inside=0.7, outside=0.02, rng=1).biadjacency
FAST = 50_000 // 80  # proposals for each of its rows at fast effort, which has a least number


@pytest.mark.parametrize("k", [4, 6])
def test_the_budget_of_fast_effort_gives_the_copy_of_fast_effort(k: int) -> None:
    found = similarity_after(TOWN, k, proposals=[FAST], rng=7)
    assert found[FAST] == smooth_k_anonymize(TOWN, k, effort="fast", rng=7).jaccard


def test_more_effort_never_loses_what_the_first_groups_keep() -> None:
    found = similarity_after(TOWN, 4, proposals=[0, 1, 8, 64], rng=1)
    assert list(found.index) == [0, 1, 8, 64]
    assert (found >= found[0]).all()
    assert found[64] > found[0]
    assert found.max() <= min(jaccard_certificates(TOWN, 4, effort="fast").values())


def test_a_seed_repeats_the_run_and_the_first_groups_need_none() -> None:
    one, two, other = (similarity_after(TOWN, 4, proposals=[0, 2], rng=rng) for rng in (1, 1, 2))
    assert one.equals(two)
    assert one[0] == other[0]


def test_a_table_without_entries_is_kept() -> None:
    assert similarity_after(np.zeros((4, 3)), 2, proposals=[0, 1], rng=1).tolist() == [1, 1]


@pytest.mark.parametrize(
    ("k", "proposals", "message"),
    [(1, [1], "k must be"), (81, [1], "k must be"), (4, [-1], "proposals must be")],
)
def test_what_leaves_its_interval_is_refused(k: int, proposals: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        similarity_after(TOWN, k, proposals=proposals, rng=1)
