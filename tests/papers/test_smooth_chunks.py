"""Chunks against the whole table: rows of the answer, a gain that can be negative, and order."""

import numpy as np
import pytest

from pplab.datasets.blocks import block_model
from pplab.papers.smooth import small as chunks
from pplab.smooth.anonymize import smooth_k_anonymize

SIZES = (100, 40)


@pytest.fixture(scope="module")
def graph():
    return block_model(block_size=20, blocks=20, inside=0.8, outside=0.001, rng=1)


@pytest.fixture(scope="module")
def frame(graph):
    return chunks.chunks(graph, rng=1, sizes=SIZES, repetitions=3)


def test_every_way_has_a_row(frame):
    kept = frame[frame["quantity"] == "jaccard"]
    lost = frame[frame["quantity"] == "lost to chunks"]
    assert kept["way"].tolist()[0] == chunks.WHOLE
    assert lost["way"].tolist() == kept["way"].tolist()[1:]
    assert len(lost) == 2 * len(SIZES)
    kept, lost = (part.set_index("way")["value"] for part in (kept, lost))
    about = 100 * (1 - kept[lost.index] / kept[chunks.WHOLE])
    assert np.allclose(about, lost, atol=2)  # a mean of ratios is not a ratio of means


def test_similar_rows_keep_more(frame):
    gained = frame[frame["quantity"] == "gain"]
    assert gained["rows"].tolist() == [*SIZES]
    assert (gained["value"] > 0).all()


def test_the_gain_is_of_the_least_run_over_the_best(graph, monkeypatch):
    kept = {("minhash", 1): 0.4, ("minhash", 2): 0.5, ("random", 1): 0.3, ("random", 2): 0.45}
    seeds = np.random.default_rng(1).integers(2**31, size=2).tolist()

    def made(*_, order, rng, **__):
        return type("Made", (), {"jaccard": kept[order, seeds.index(rng) + 1]})

    monkeypatch.setattr(chunks, "smooth_k_anonymize_chunks", made)
    frame = chunks.chunks(graph, rng=1, sizes=(40,), repetitions=2)
    assert frame.set_index("quantity").loc["gain", "value"] == pytest.approx(-5)


def test_one_chunk_is_the_table_itself(graph, frame):
    """Rows in another order, so not the same groups, but as much is kept."""
    whole = frame[frame["way"] == chunks.WHOLE]["value"].iloc[0]
    runs = [100 * smooth_k_anonymize(graph.biadjacency, 8, rng=seed).jaccard for seed in range(5)]
    assert abs(whole - np.mean(runs)) < 0.2 * np.mean(runs)
