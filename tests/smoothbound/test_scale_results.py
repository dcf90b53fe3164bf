"""The stored run at full size, and the page whose tables are made from it."""

from pathlib import Path

import pandas as pd
import pytest

from pplab_papers.smooth.beyond import SIZES, way_of

pytest.importorskip("resource", reason="the benchmark measures itself with what Unix alone has")
from benchmarks import scale


@pytest.fixture(scope="module")
def stored():
    return pd.read_csv(scale.OUT)


def test_every_size_was_measured(stored):
    for method in scale.METHODS:
        own_rows = stored[stored["method"] == method]
        assert own_rows["rows"].tolist() == list(scale.SIZES)
        assert own_rows["rows"].max() >= 5_000_000
    assert (stored["items"] == 100_000).all()
    assert (stored["chunks"] == stored["rows"] // scale.CHUNK_ROWS).all()


def test_every_published_table_was_checked(stored):
    for flag in scale.FLAGS:
        assert stored[flag].all()
    assert (stored["smallest group"] >= stored["k"]).all()
    assert stored["jaccard"].between(0, 1).all()


def test_memory_is_that_of_a_chunk(stored):
    """Ten times the rows take a worker and the client less than twice the memory."""
    for column in ("worker MB", "client MB"):
        assert stored[column].max() < 2 * stored[column].min()
    assert stored["worker MB"].max() < 2000


def test_the_page_has_the_tables_of_the_stored_runs(stored):
    text = scale.DOCS.read_text()
    assert text == scale.put(text, scale.MARKS, scale.tables_of(stored))
    assert text == scale.put(text, scale.CHUNKING_MARKS, scale.chunking_of())
    assert "| 1,000,000,000 rows of this kind would take |" in text
    assert f"| dblp-2010 | {way_of('random', SIZES[-1])} |" in text


def test_a_new_measurement_takes_the_place_of_the_old_one(tmp_path):
    out = tmp_path / "results" / "scale.csv"
    for method, rows, value in (("b", 2, 1.0), ("a", 3, 2.0), ("a", 1, 3.0), ("b", 2, 4.0)):
        scale.keep(out, {"method": method, "rows": rows, "value": value})
    result = pd.read_csv(out)
    assert result["method"].tolist() == ["a", "a", "b"]
    assert result["value"].tolist() == [3.0, 2.0, 4.0]


def test_a_small_run_measures_everything(stored, tmp_path):
    result = scale.measure("greedy", 6000, Path(tmp_path))
    assert set(result) == set(stored.columns)
    assert all(result[flag] for flag in scale.FLAGS)
