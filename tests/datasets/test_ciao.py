"""The reader of Ciao: made files, every way it refuses, the real network."""

import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pplab.datasets import DataFileError, catalog, load_dataset
from pplab.datasets.ciao import read_ratings, read_trust
from pplab.graphs import as_adjacency

from .made import CIAO, write_social, write_social_catalog

RATINGS, TRUST = CIAO["ca_ratings.txt"], CIAO["ca_trust.txt"]


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("PPLAB_CATALOG", str(write_social_catalog(tmp_path / "catalog.toml")))
    return write_social(tmp_path / "data", "ciao")


def load(place):
    return load_dataset("ciao", source="real", root=place.parent)


def test_made_files_become_a_network_and_ratings(place):
    data = load(place)
    assert data.users.index.tolist() == [1, 2, 4, 7]
    assert data.items.index.tolist() == [3, 8, 9]
    # either direction makes a friendship, trust in oneself none; user 7 trusts nobody
    assert data.social.toarray().tolist() == [[0, 1, 1, 0], [1, 0, 0, 0], [1, 0, 0, 0], [0] * 4]
    assert data.social.dtype == np.int8
    # user 1 rates item 8 with 2 and 4: the higher one; user 7's only rating is a stored 0
    assert data.preferences.toarray().tolist() == [[5, 4, 0], [0, 3, 0], [0, 0, 1], [0, 0, 0]]
    assert data.preferences.nnz == 5
    assert data.preferences[[3], :].indices.tolist() == [2]
    assert data.preferences.dtype == np.int64


def test_the_order_of_the_lines_does_not_matter(place):
    first = load(place)
    for name, text in CIAO.items():
        (place / name).write_text("\n".join(reversed(text.split("\n"))))
    again = load(place)
    for part in ("data", "indices", "indptr"):
        assert np.array_equal(getattr(first.preferences, part), getattr(again.preferences, part))
        assert np.array_equal(getattr(first.social, part), getattr(again.social, part))


@pytest.mark.parametrize(
    ("reader", "text", "line", "words"),
    [
        (read_ratings, "", 1, "the file is empty"),
        (read_ratings, RATINGS.replace("1 3 5", "1 3 6"), 1, "rating must be 0, 1, .* got 6"),
        (read_ratings, RATINGS.replace("1 3 5", "1 3"), 1, "got 2 columns, expected 3"),
        (read_ratings, RATINGS.replace("1 3 5", "1 3 5 0"), 1, "got 4 columns, expected 3"),
        (read_ratings, RATINGS.replace("1 3 5", "1 3 4.5"), 1, "rating must be a whole number"),
        (read_ratings, RATINGS.replace("1 3 5", "1 3 -1"), 1, "rating must be a whole number"),
        (read_ratings, RATINGS + "\n9 9 1", 7, "too long, expected 6 lines"),
        (read_ratings, RATINGS.replace(" ", "\t"), 1, "got 1 columns, expected 3"),
        (read_ratings, "\n" + RATINGS, 1, "got 1 columns, expected 3"),
        (read_trust, TRUST.replace("1 2 1", "1 2 0"), 1, "last number must be 1, got 0"),
        (read_trust, TRUST.replace("2 1 1", "1 2 1"), 2, "user 1 trusts 2 a second time"),
    ],
)
def test_a_doubtful_line_is_refused_with_file_and_line(tmp_path, reader, text, line, words):
    path = tmp_path / "made.txt"
    path.write_text(text)
    where = re.escape(f"{path}, line {line}: ")
    with pytest.raises(DataFileError, match=where + ".*" + words):
        reader(path, lines=6 if reader is read_ratings else None)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(end=st.integers(0, len(RATINGS) - 1))
def test_a_file_cut_anywhere_is_refused(tmp_path, end):
    """Although the owner's last line has no end, that a cut could be taken for."""
    path = tmp_path / "ca_ratings.txt"
    path.write_text(RATINGS[:end])
    with pytest.raises(DataFileError, match=re.escape(str(path)) + r", line [1-6]: "):
        read_ratings(path, lines=6)


def test_there_is_no_standin_and_it_says_so(place, tmp_path):
    for source in ("auto", "standin"):
        (tmp_path / "empty").mkdir(exist_ok=True)
        with pytest.raises(FileNotFoundError, match=r"ciao has no stand-in.*PPLAB_DATA"):
            load_dataset("ciao", source=source, root=tmp_path / "empty")
    assert load(place).source == "real"


def test_real_ciao_has_the_published_sizes(real_data):
    data = load_dataset("ciao", source="real", root=real_data)
    facts = catalog()["ciao"].statistics
    known = catalog()["ciao"].members
    assert data.preferences.shape == (facts["users"], facts["items"]) == (7375, 105_114)
    assert data.preferences.nnz == facts["rated_pairs"] == 282_650
    assert data.social.nnz == 2 * facts["social_edges"] == 2 * 85_205
    assert known["ca_ratings.txt"].lines == facts["ratings"] == 284_086
    assert known["ca_trust.txt"].lines == facts["trust_links"] == 111_781
    assert (np.diff(data.social.indptr) > 0).sum() == facts["trusting_users"] == 7317
    assert (as_adjacency(data.social) != data.social).nnz == 0
    assert np.bincount(data.preferences.data).tolist() == [31, 10967, 14246, 31099, 88012, 138295]
    assert data.users.index.tolist() == list(range(1, 7376))


def test_real_ciao_has_repeated_ratings_and_no_trust_in_oneself(real_data):
    ratings = read_ratings(real_data / "ciao" / "ca_ratings.txt")
    pairs = ratings.groupby(["user", "item"])["rating"].agg(["size", "nunique"])
    assert ((pairs["size"] > 1).sum(), (pairs["nunique"] > 1).sum()) == (1252, 458)
    trust = read_trust(real_data / "ciao" / "ca_trust.txt")
    assert (trust["user"] != trust["trusted"]).all()
