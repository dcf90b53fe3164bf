"""What needs more room or time than there is, is refused in one sentence, before it begins."""

import numpy as np
import pytest
from scipy import sparse

from pplab import recommend, utilities
from pplab.counts import TopItem
from pplab.recommenders import _similarity
from pplab.recommenders.clusters import cluster_averages, indicator
from pplab.recommenders.private import NoisyCovariance

MANY = 10**6
PLACES = np.random.default_rng(3).integers(MANY, size=(2, 1000))
LIKES = sparse.csr_array((np.ones(1000), PLACES), shape=(MANY, MANY))
FRIENDS = sparse.csr_array(([1.0, 1.0], ([0, 1], [1, 0])), shape=(MANY, MANY))
CELLS = "1,000,000 x 1,000,000 cells, which need 7,450.6 GiB; take fewer users or items"
TOO_LARGE = {
    "covariance": (lambda: NoisyCovariance(noise=1, delta=1e-5).sample(LIKES, rng=1), CELLS),
    "averages": (
        lambda: cluster_averages(LIKES, np.arange(MANY) % 250_000, epsilon=1.0, rng=1),
        "250,000 x 1,000,000 cells, which need 1,862.6 GiB",
    ),
    "indicator": (lambda: indicator(np.arange(MANY)), CELLS),
    "noise on edges": (
        lambda: recommend(
            FRIENDS, LIKES, epsilon=1.0, measure="cn", top_n=5, method="noe", users=[0, 1], rng=1
        ),
        CELLS,
    ),
    "exact probabilities": (
        lambda: TopItem(unit="edge", epsilon=1.0).distribution(np.eye(2)[[0] * 2000]),
        "at most 65,536 binary digits, these have",
    ),
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_what_is_too_large_is_refused_before_it_begins(name):
    call, result = TOO_LARGE[name]
    with pytest.raises(ValueError, match="must") as refused:
        call()
    assert result in str(refused.value)
    assert "\n" not in str(refused.value)


def test_utilities_without_room_say_what_to_do(monkeypatch):
    def full(*_, **__):
        raise MemoryError

    monkeypatch.setattr(_similarity, "in_threads", full)
    with pytest.raises(
        MemoryError, match=r"need [\d,.]+ GiB, and .* ask for fewer users at a time"
    ):
        utilities(FRIENDS, LIKES, measure="cn")


def test_a_million_items_have_exact_probabilities_in_a_moment():
    result = TopItem(unit="edge", odds=3).distribution(LIKES)
    counts = LIKES.sum(axis=0).astype(int)
    assert len(result) == MANY
    total = sum(3 ** int(count) for count in counts)
    assert all(result[item] * total == 3 ** int(counts[item]) for item in PLACES[1].tolist())
