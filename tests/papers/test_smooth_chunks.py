"""Chunks against the whole table: rows of the answer, statements that can be false, and order."""

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
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "SIZES", SIZES)
        return chunks.chunks(graph, name="dblp", rng=1, repetitions=3)


def test_every_reading_has_a_row(frame):
    kept = frame[frame["quantity"] == "jaccard"]
    lost = frame[frame["quantity"] == "lost to chunks"]
    assert kept["reading"].tolist()[0] == chunks.WHOLE
    assert lost["reading"].tolist() == kept["reading"].tolist()[1:]
    assert len(lost) == 2 * len(SIZES)
    kept, lost = (part.set_index("reading")["value"] for part in (kept, lost))
    about = 100 * (1 - kept[lost.index] / kept[chunks.WHOLE])
    assert np.allclose(about, lost, atol=2)  # a mean of ratios is not a ratio of means


def test_similar_rows_keep_more(frame):
    said = frame[frame["statement"].notna()].iloc[0]
    assert said["value"] == 1


def test_the_statement_can_be_false(monkeypatch):
    monkeypatch.setattr(chunks, "SIZES", SIZES)
    found = {chunks.WHOLE: np.array([50.0, 50.0])}
    found |= {
        chunks.reading_of(order, size): np.array([40.0, 41.0 if order == "minhash" else 42.0])
        for order in chunks.ORDERS
        for size in SIZES
    }
    (true, _), *_ = chunks._statements("dblp", found).values()
    assert not true


def test_one_chunk_is_the_table_itself(graph, frame):
    """Rows in another order, so not the same groups, but as much is kept."""
    whole = frame[frame["reading"] == chunks.WHOLE]["value"].iloc[0]
    runs = [100 * smooth_k_anonymize(graph.biadjacency, 8, rng=seed).jaccard for seed in range(5)]
    assert abs(whole - np.mean(runs)) < 0.2 * np.mean(runs)
