"""The reader of the Play Store and our construction of its matrix."""

import re

import numpy as np
import pytest

from pplab.datasets import DataFileError, catalog, load_dataset
from pplab.datasets.playstore import attributes_of, read_apps

from .tables import APPS, write_table_catalog, write_tables


@pytest.fixture
def apps(tmp_path):
    path = tmp_path / "made.csv"
    path.write_text(APPS)
    return read_apps(path, lines=7)


def test_the_shifted_line_is_left_out(apps):
    assert apps["App"].tolist() == ["First", "Second, too", "Third", "Fourth", "Fifth"]


def test_what_is_missing_takes_the_middle_or_the_most_frequent_value(apps):
    table = attributes_of(apps)
    assert table["Rating"].tolist() == ["4.1", "4.1", "3.0", "5.0", "4.0"]  # middle of 3 4 4.1 5
    assert table["Type"].tolist() == ["Free", "Paid", "Free", "Free", "Free"]
    assert table["Android Ver"].tolist() == [
        *("4.0 and up", "4.0 and up", "Varies with device", "4.0 and up", "1.0 and up")
    ]
    assert table["Last Updated"].tolist() == ["2018-01", "2017-05", "2017-05", "2018-06", "2018-06"]
    # known: 900k and 0.9M are the same size, then 1M, 19M; what varies is the upper middle, 1M
    assert table["Size"].tolist() == ["75", "00", "50", "50", "00"]
    assert not table.isna().any(axis=None)


def test_the_matrix_says_what_the_table_says(tmp_path, monkeypatch):
    monkeypatch.setenv("PPLAB_CATALOG", str(write_table_catalog(tmp_path / "catalog.toml")))
    data = load_dataset("playstore", source="real", root=write_tables(tmp_path / "data"))
    assert data.biadjacency.shape[0] == 4  # 80 in 100 of five
    rows = np.split(data.biadjacency.indices, data.biadjacency.indptr[1:-1])
    told = [dict(data.items.iloc[row].itertuples(index=False, name=None)) for row in rows]
    assert told == data.users.to_dict("records")
    assert data.users.index.is_monotonic_increasing
    assert data.labels is None


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "expected the header"),
        (APPS.replace("Genres", "Genre", 1), 1, "expected the header"),
        (APPS.replace(",Free,0,Everyone,Art;Play", ",0"), 2, "got 10 columns, expected 13"),
        (APPS[:-12], 7, "got 12 columns, expected 13"),
        (APPS.replace("4.1", "19"), 2, "Rating cannot be read, got '19'"),
        (APPS.replace("900k", "big"), 3, "Size cannot be read, got 'big'"),
        (APPS.replace("May 1,", "Mai 1,"), 5, "Last Updated cannot be read, got 'Mai 1, 2017'"),
    ],
)
def test_a_doubtful_line_is_refused_with_file_and_line(tmp_path, text, line, words):
    path = tmp_path / "made.csv"
    path.write_text(text)
    with pytest.raises(DataFileError, match=re.escape(f"{path}, line {line}: ") + ".*" + words):
        read_apps(path)


def test_missing_records_are_noticed(tmp_path):
    path = tmp_path / "made.csv"
    path.write_text(APPS)
    with pytest.raises(DataFileError, match="line 7: the file ends here, cut short, expected 8"):
        read_apps(path, lines=8)


def test_the_real_file_gives_the_published_sizes(real_data):
    facts = catalog()["playstore"].statistics
    data = load_dataset("playstore", source="real", root=real_data)
    sizes = facts["one_hot"]
    assert data.biadjacency.shape == (sizes["rows"], sizes["columns"]) == (8_672, 521)
    assert data.biadjacency.nnz == sizes["entries"] == 86_720
    assert data.items.groupby("attribute").size().to_dict() == facts["levels"]
    assert facts["sound_rows"] * 8 // 10 == 8_672
    assert set(np.diff(data.biadjacency.indptr)) == {10}
