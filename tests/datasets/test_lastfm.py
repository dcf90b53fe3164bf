"""The reader of Last.fm: made files, every way it refuses, the real network."""

import re

import numpy as np
import pytest

from pplab.datasets import DataFileError, catalog, load_dataset
from pplab.datasets.lastfm import read_artists, read_counts, read_friends
from pplab.graphs import as_adjacency

from .made import LASTFM, write_social, write_social_catalog


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("PPLAB_CATALOG", str(write_social_catalog(tmp_path / "catalog.toml")))
    return write_social(tmp_path / "data", "lastfm")


def test_made_files_become_a_network_and_counts(place):
    data = load_dataset("lastfm", source="real", root=place.parent)
    assert data.users.index.tolist() == [2, 3, 5]
    assert data.items.index.tolist() == [7, 10, 51]
    assert data.items["name"].tolist() == ['"quoted" name', "Sigur Rós ☆", "51"]
    assert data.items["picture"].tolist() == ["", "http://p/10", "http://p/51"]
    assert data.social.toarray().tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    assert data.social.dtype == np.int8
    assert data.preferences.toarray().tolist() == [[0, 1, 900], [0, 352698, 0], [0, 0, 2]]
    assert data.preferences.dtype == np.int64
    assert set(data.checksums) == set(LASTFM)
    assert repr(data).endswith("3 users x 3 items, 4 preferences, 2 friendships>")


COUNTS, FRIENDS, ARTISTS = (
    LASTFM[name] for name in ("user_artists.dat", "user_friends.dat", "artists.dat")
)


@pytest.mark.parametrize(
    ("reader", "text", "line", "words"),
    [
        (read_counts, "", 1, "got ''"),
        (read_counts, COUNTS.replace("weight", "count"), 1, "expected the header"),
        (read_counts, "userID\tartistID\tweight\n", 1, "ends here, cut short"),
        (read_counts, COUNTS[:-1], 5, "in the middle of a line, cut short"),
        (read_counts, COUNTS[: COUNTS.rindex("\n", 0, -1) + 1], 4, "cut short, expected 5 lines"),
        (read_counts, COUNTS + "9\t7\t1\n", 6, "too long, expected 5 lines"),
        (read_counts, COUNTS.replace("2\t51\t900", "2\t51"), 2, "got 2 columns, expected 3"),
        (read_counts, COUNTS.replace("900", "-9"), 2, "weight must be a whole number, got '-9'"),
        (read_counts, COUNTS.replace("900", "9.5"), 2, "weight must be a whole number"),
        (read_counts, COUNTS.replace("900", ""), 2, "weight must be a whole number, got ''"),
        (read_counts, COUNTS.replace("900", "9" * 30), 2, "weight must be a whole number"),
        (read_counts, COUNTS.replace("900", "0"), 2, "count must be 1 or more, got 0"),
        (read_counts, COUNTS.replace("5\t51", "2\t51"), 5, "user 2 has artist 51 a second time"),
        (read_friends, FRIENDS.replace("2\t3", "2\t2"), 2, "user 2 is listed as her own friend"),
        (read_friends, FRIENDS.replace("5\t3", "2\t3"), 5, "user 2 and friend 3 are listed twice"),
        (read_friends, FRIENDS.replace("5\t3", "5\t2"), 4, "3 and friend 5 .* one side alone"),
        (read_friends, FRIENDS.replace("\t", " "), 1, "expected the header"),
        (read_artists, ARTISTS.replace("pictureURL", "picture"), 1, "expected the header"),
        (read_artists, ARTISTS.replace("\thttp://p/10", ""), 3, "got 3 columns, expected 4"),
        (read_artists, ARTISTS.replace("51\t", "x\t", 1), 2, "id must be a whole number"),
        (read_artists, ARTISTS.replace("10\t", "51\t", 1), 3, "artist 51 occurs a second time"),
        (read_artists, ARTISTS[:-1], 4, "cut short"),
    ],
)
def test_a_doubtful_line_is_refused_with_file_and_line(tmp_path, reader, text, line, words):
    path = tmp_path / "made.dat"
    path.write_text(text, encoding="utf-8")
    where = re.escape(f"{path}, line {line}: ")
    with pytest.raises(DataFileError, match=where + ".*" + words) as refused:
        reader(path, lines=len(COUNTS.splitlines()) if reader is read_counts else None)
    assert "\n" not in str(refused.value)


def test_a_name_that_is_not_utf8_is_refused(tmp_path):
    path = tmp_path / "artists.dat"
    path.write_bytes(ARTISTS.replace("Sigur Rós ☆", "Sigur Rós").encode("latin-1"))
    with pytest.raises(DataFileError, match=r"line 3: the name of artist 10 is not UTF-8"):
        read_artists(path)


def test_an_artist_without_a_name_is_refused(place):
    text = COUNTS.replace("5\t51", "5\t52")
    (place / "user_artists.dat").write_text(text)
    with pytest.raises(DataFileError, match=r"line 5: artist 52 is not in artists\.dat"):
        load_dataset("lastfm", source="real", root=place.parent)


def test_real_lastfm_has_the_published_sizes(real_data):
    data = load_dataset("lastfm", source="real", root=real_data)
    facts = catalog()["lastfm"].statistics
    assert data.preferences.shape == (facts["users"], facts["items"]) == (1892, 17632)
    assert data.preferences.nnz == facts["listening_counts"] == 92_834
    assert (data.preferences.data >= 2).sum() == facts["preference_edges"] == 92_198
    assert data.social.nnz == 2 * facts["social_edges"] == 2 * 12_717
    assert (as_adjacency(data.social) != data.social).nnz == 0
    assert data.items["name"].is_unique
    assert data.items.loc[707, "name"] == "Metallica"
    assert data.users.index[0] == 2
    known = catalog()["lastfm"].members
    assert data.checksums == {
        name: known[name].sha256 for name in ("user_artists.dat", "user_friends.dat", "artists.dat")
    }
