"""The reader of Flixster, on made files alone: the real ones are not to be had."""

import re

import numpy as np
import pytest

from pplab.datasets import DataFileError, load_dataset
from pplab.datasets.flixster import read_links, read_ratings

from .made import FLIXSTER, write_social, write_social_catalog

RATINGS, LINKS = FLIXSTER["ratings.txt"], FLIXSTER["links.txt"]


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("PPLAB_CATALOG", str(write_social_catalog(tmp_path / "catalog.toml")))
    return write_social(tmp_path / "data", "flixster")


def test_made_files_become_a_network_and_ratings(place):
    data = load_dataset("flixster", source="real", root=place.parent)
    assert data.users.index.tolist() == [1, 3, 900, 901]
    assert data.items.index.tolist() == [2, 66]
    # 1 and 3 are listed from both sides, 3 and 900 from one; 901 befriends herself
    assert data.social.toarray().tolist() == [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 0], [0] * 4]
    assert data.preferences.toarray().tolist() == [[4.5, 0], [5, 0.5], [0, 0], [0, 3]]
    assert data.preferences.dtype == np.float64
    assert set(data.checksums) == {"ratings.txt", "links.txt"}


def test_once_or_twice_listed_is_the_same_friendship(place):
    first = load_dataset("flixster", source="real", root=place.parent)
    (place / "links.txt").write_text(LINKS + "900\t3\n1\t3\n")
    again = load_dataset("flixster", source="real", root=place.parent)
    assert (first.social != again.social).nnz == 0
    assert again.social.data.max() == 1


@pytest.mark.parametrize(
    ("reader", "text", "line", "words"),
    [
        (read_links, "", 1, "the file is empty"),
        (read_links, LINKS[:-1], 4, "in the middle of a line"),
        (read_links, LINKS.replace("3\t900", "3\t900\t1"), 3, "got 3 columns, expected 2"),
        (read_links, LINKS.replace("3\t900", "3\tx"), 3, "friend must be a whole number, got 'x'"),
        (read_links, LINKS.replace("\t", " "), 1, "got 1 columns, expected 2"),
        (read_ratings, "", 1, "the file is empty"),
        (read_ratings, RATINGS[:-1], 5, "in the middle of a line"),
        (read_ratings, RATINGS.replace("4.5", "4.25"), 1, "0.5, 1, 1.5, ... or 5, got 4.25"),
        (read_ratings, RATINGS.replace("4.5", "5.5"), 1, "or 5, got 5.5"),
        (read_ratings, RATINGS.replace("4.5", "0"), 1, "or 5, got 0"),
        (read_ratings, RATINGS.replace("4.5", "-1"), 1, "or 5, got -1"),
        (read_ratings, RATINGS.replace("4.5", "nan"), 1, "column 3 must be a number"),
        (read_ratings, RATINGS.replace("4.5", ""), 1, "column 3 must be a number"),
        (read_ratings, RATINGS.replace("1\t2", "1.5\t2"), 1, "must be whole numbers, got 1.5"),
        (read_ratings, RATINGS.replace("1\t2", "-1\t2"), 1, "must be whole numbers, got -1"),
        (read_ratings, "user\titem\trating\n" + RATINGS, 1, "column 1 must be a number"),
    ],
)
def test_a_doubtful_line_is_refused_with_file_and_line(tmp_path, reader, text, line, words):
    path = tmp_path / "made.txt"
    path.write_text(text)
    where = re.escape(f"{path}, line {line}: ")
    with pytest.raises(DataFileError, match=where + ".*" + words):
        reader(path)
