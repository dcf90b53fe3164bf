"""The readers of the owners' files: what they read from made ones, what they refuse, real sizes."""

import hashlib
import re

import numpy as np
import pytest

from pplab.datasets.catalog import catalog
from pplab.datasets.load import load_dataset
from pplab.datasets.people import attributes_of
from pplab.datasets.store import DataFileError
from pplab.graphs import as_adjacency
from tests.datasets.made import FILES, SNAP, matrices, use_catalog, write_catalog, write_files
from tests.datasets.made import write_text as write

NAMES = [name for name in FILES if name != "jester"]


@pytest.fixture
def place(tmp_path, monkeypatch):
    use_catalog(monkeypatch, write_catalog(tmp_path / "catalog.toml"))
    for name in NAMES:
        write_files(tmp_path / "data" / name, name)
    return tmp_path / "data"


def load(name, place, split=None):
    return load_dataset(name, source="real", root=place, split=split)


def same(one, other):
    for first, second in zip(matrices(one), matrices(other), strict=True):
        assert all(map(np.array_equal, first, second))
    assert one.users.equals(other.users)
    assert one.items.equals(other.items)


def test_movielens_rows_and_columns_follow_the_ids(place):
    data = load("movielens-100k", place)
    assert data.ratings.dtype == np.int64  # products of ratings do not overflow
    assert data.ratings.has_sorted_indices
    assert data.ratings.toarray().tolist() == [[5, 3, 0, 0], [4, 0, 0, 1], [0, 2, 5, 0]]
    times = [881_250_941, 881_250_942, 881_250_941, 881_250_944, 881_250_942, 881_250_943]
    assert data.times.data.tolist() == times  # row by row, as the ratings stand
    assert data.times.indices.tolist() == data.ratings.indices.tolist()
    assert data.users.index.tolist() == [1, 2, 3]
    assert data.users.loc[3].tolist() == [41, "F", "doctor", "V0R2H"]
    assert data.users.loc[1, "zip"] == "01234"
    assert data.items["title"][1] == "Café (1995)"
    assert str(data.items["release_date"][4].date()) == "1922-12-01"
    assert data.items["release_date"].isna().tolist() == [False, True, False, False]
    genres = data.items.columns[data.items.loc[4].eq(True)]
    assert genres.tolist() == ["Action", "Adventure", "Western"]


def test_lastfm_becomes_a_network_and_counts(place):
    data = load("lastfm", place)
    assert data.users.index.tolist() == [2, 3, 5]
    assert data.items.index.tolist() == [7, 10, 51]
    assert data.items["name"].tolist() == ['"quoted" name', "Sigur Rós ☆", "51"]
    assert data.items["picture"].tolist() == ["", "http://p/10", "http://p/51"]
    assert data.social.toarray().tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    assert data.preferences.toarray().tolist() == [[0, 1, 900], [0, 352698, 0], [0, 0, 2]]
    assert (data.social.dtype, data.preferences.dtype) == (np.int32, np.int64)
    assert set(data.checksums) == set(FILES["lastfm"])
    assert repr(data).endswith("3 users x 3 items, 4 preferences, 2 friendships>")


def test_ciao_takes_either_direction_and_the_highest_rating(place):
    data = load("ciao", place)
    assert data.users.index.tolist() == [1, 2, 4, 7]
    assert data.items.index.tolist() == [3, 8, 9]
    # trust in oneself makes no friendship; user 7 trusts nobody
    assert data.social.toarray().tolist() == [[0, 1, 1, 0], [1, 0, 0, 0], [1, 0, 0, 0], [0] * 4]
    # user 1 rates item 8 with 2 and 4: the higher one; user 7's only rating is a stored 0
    assert data.preferences.toarray().tolist() == [[5, 4, 0], [0, 3, 0], [0, 0, 1], [0, 0, 0]]
    assert data.preferences[[3], :].indices.tolist() == [2]
    assert (data.social.dtype, data.preferences.dtype) == (np.int32, np.int64)


def test_flixster_counts_a_friendship_once(place):
    data = load("flixster", place)
    assert data.users.index.tolist() == [1, 3, 900, 901]
    assert data.items.index.tolist() == [2, 66]
    # 1 and 3 are listed from both sides, 3 and 900 from one; 901 befriends herself
    assert data.social.toarray().tolist() == [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 0], [0] * 4]
    assert data.preferences.toarray().tolist() == [[4.5, 0], [5, 0.5], [0, 0], [0, 3]]
    write(place / "flixster" / "links.txt", LINKS + "900\t3\n1\t3\n")
    same(load("flixster", place), data)


def decoded(data):
    """Attributes and levels out of the matrix and the names of its columns."""
    rows = np.split(data.biadjacency.indices, data.biadjacency.indptr[1:-1])
    return [dict(data.items.iloc[row].itertuples(index=False, name=None)) for row in rows]


def test_adult_is_a_matrix_of_the_levels_of_its_training_part(place):
    base, test = load("adult", place), load("adult", place, "test")
    unknown = ["?", "Masters", "Divorced", "?", "Wife", "Other", "Female", "?"]
    assert base.users.loc[1].tolist() == unknown
    jobs = base.items["level"][base.items["attribute"] == "occupation"]
    assert jobs.tolist() == ["?", "Adm-clerical", "Sales"]
    assert base.labels.tolist() == [0, 1, 0]
    assert test.labels.tolist() == [1, 0]
    assert test.items.equals(base.items)
    assert test.biadjacency.shape == (2, base.biadjacency.shape[1])
    for data in (base, test):
        assert decoded(data) == data.users.to_dict("records")
    assert (set(base.checksums), set(test.checksums)) == (
        {"adult.data"},
        {"adult.data", "adult.test"},
    )
    with pytest.raises(ValueError, match="split must be one of 'test'"):
        load_dataset("adult", source="standin", split="train")


def test_playstore_fills_what_is_missing_and_leaves_the_shifted_line_out(place, monkeypatch):
    seen = []

    def attributes(apps):
        seen.append(attributes_of(apps))
        return seen[-1]

    monkeypatch.setattr("pplab.datasets.people.attributes_of", attributes)
    data = load("playstore", place)
    [table] = seen
    assert table["Rating"].tolist() == ["4.1", "4.1", "3.0", "5.0", "4.0"]  # middle of 3 4 4.1 5
    assert table["Type"].tolist() == ["Free", "Paid", "Free", "Free", "Free"]
    assert table["Android Ver"].tolist() == [
        *("4.0 and up", "4.0 and up", "Varies with device", "4.0 and up", "1.0 and up")
    ]
    assert table["Last Updated"].tolist() == ["2018-01", "2017-05", "2017-05", "2018-06", "2018-06"]
    # known: 900k and 0.9M are the same size, then 1M, 19M; what varies is the upper middle, 1M
    assert table["Size"].tolist() == ["75", "00", "50", "50", "00"]
    assert not table.isna().any(axis=None)
    assert data.biadjacency.shape[0] == 4  # 80 in 100 of five
    assert decoded(data) == data.users.to_dict("records")
    assert data.users.index.is_monotonic_increasing


def test_graphs_lose_rows_and_columns_without_an_entry(place):
    law, stanford, dblp = (load(name, place) for name in ("cnr-2000", "web-stanford", "com-dblp"))
    assert law.users.index.tolist() == [0, 2, 5]
    assert law.items.index.tolist() == [1, 2, 3]
    assert law.biadjacency.toarray().tolist() == [[1, 0, 1], [0, 1, 0], [0, 0, 1]]  # 2 to itself
    assert law.biadjacency.dtype == np.int32
    assert stanford.users.index.tolist() == [1, 4]  # directed
    assert stanford.biadjacency.toarray().tolist() == [[1, 1], [0, 1]]
    # here a line of an undirected graph is two entries; the other one lists both directions
    assert dblp.biadjacency.toarray().tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    twice = load("dblp-2010", place)
    assert twice.biadjacency.toarray().tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]


@pytest.mark.parametrize("name", ["movielens-100k", "lastfm", "ciao", "flixster", "cnr-2000"])
def test_the_order_of_the_lines_does_not_matter(place, name):
    first = load(name, place)
    for file, text in FILES[name].items():
        head, lines = text.split("\n")[: name == "lastfm"], text.split("\n")[name == "lastfm" :]
        ends = [""] if text.endswith("\n") else []
        lines = [line for line in lines if line][::-1]
        again = lines[:1] if name == "cnr-2000" else []  # an arc listed again counts once
        write(place / name / file, "\n".join([*head, *lines, *again, *ends]))
    same(load(name, place), first)


DATA = FILES["movielens-100k"]["u.data"]
SCORES, TRUST = FILES["ciao"].values()
STARS, LINKS = FILES["flixster"].values()
BAD = {
    ("movielens-100k", "u.data"): [
        (DATA[:-4], 6, "cut short"),
        (DATA[: DATA.rindex("3\t3")], 5, "expected 6 lines"),
        (DATA + "4\t4\t4\t4\n", 7, "expected 6 lines"),
        (DATA.replace("1\t2\t3\t", "1\t2\t3\t7\t"), 2, "got 5 columns, expected 4"),
        (DATA.replace("2\t4\t1\t", "2\tfour\t1\t"), 4, "item must be a whole number, got 'four'"),
        (DATA.replace("2\t4\t1\t", "2\t" + "4" * 30 + "\t1\t"), 4, "item must be .* got '444"),
        (DATA.replace("3\t2\t2\t", "3\t2\t6\t"), 5, "rating must be .* got 6"),
        (DATA.replace("3\t2\t2\t", "3\t2\t0\t"), 5, "rating must be .* got 0"),
        (DATA.replace("3\t2\t2\t", "1\t1\t2\t"), 5, "user 1 rates item 1 a second time"),
        (DATA.replace("\n", "\r\n"), 1, r"time must be .*\\r"),
        (DATA.replace("3\t3\t5\t", "9\t3\t5\t"), 6, "user 9 or item 3 is not in its list"),
        (DATA.replace("3\t3\t5\t", "3\t9\t5\t"), 6, "user 3 or item 9 is not in its list"),
    ],
    ("ciao", "ca_ratings.txt"): [
        (SCORES.replace("1 3 5", "1 3 6"), 1, "rating must be 0, 1, .* got 6"),
        (SCORES.replace(" ", "\t"), 1, "got 1 columns, expected 3"),
    ],
    ("ciao", "ca_trust.txt"): [
        (TRUST.replace("1 2 1", "1 2 0"), 1, "last number must be 1, got 0"),
        (TRUST.replace("2 1 1", "1 2 1"), 2, "user 1 trusts 2 a second time"),
    ],
    ("flixster", "links.txt"): [
        ("", 1, "the file is empty"),
        (LINKS[:-1], 4, "in the middle of a line"),
    ],
    ("flixster", "ratings.txt"): [
        (STARS[:-1], 5, "in the middle of a line"),
        (STARS.replace("4.5", "4.25"), 1, "0.5, 1, 1.5, ... or 5, got 4.25"),
        (STARS.replace("4.5", "5.5"), 1, "or 5, got 5.5"),
        (STARS.replace("4.5", "0"), 1, "or 5, got 0"),
        (STARS.replace("4.5", "nan"), 1, "rating must be a number"),
        (STARS.replace("1\t2", "1.5\t2"), 1, "must be whole numbers, got 1.5"),
        (STARS.replace("1\t2", "-1\t2"), 1, "must be whole numbers, got -1"),
    ],
    ("com-dblp", "com-dblp.ungraph.txt.gz"): [
        ("", 1, "the file is empty"),
        (SNAP[:-1], 6, "in the middle of a line"),
        (SNAP.replace("1\t9", "1\t-9"), 5, "target must be a whole number, got '-9'"),
        (SNAP + "# the end\n", 7, "got 1 columns, expected 2"),
    ],
}


@pytest.mark.parametrize(("name", "file"), BAD)
def test_a_doubtful_line_is_refused_with_file_and_line(place, name, file):
    path = place / name / file
    for text, line, words in BAD[name, file]:
        write(path, text)
        with pytest.raises(DataFileError, match=re.escape(f"{path}, line {line}: ") + ".*" + words):
            load(name, place)


# Files that pandas reads: (data set, file, its text changed from, to, the sentence).
BAD_TEXTS = [
    ("movielens-100k", "u.user", "|37|M|", "|37|X|", "must not hold 'X' in the column gender"),
    ("movielens-100k", "u.user", "|37|M|", "|37|M|M|", "cannot be read: .*Expected 5 fields"),
    ("movielens-100k", "u.user", "3|41|", "1|41|", r"must not list \[1\] twice"),
    ("movielens-100k", "u.item", "4|Fourth", "3|Fourth", r"must not list \[3\] twice"),
    ("movielens-100k", "u.item", "01-Jan-1995", "41-Jan-1995", "must not hold '41-Jan-1995' in"),
    ("movielens-100k", "u.item", "01-Jan-1995", "01-Jan-199", "must not hold '01-Jan-199' in"),
    ("lastfm", "user_artists.dat", "2\t10\t", "2\t51\t", r"must not list \[2, 51\] twice"),
    ("lastfm", "artists.dat", "10\tSigur", "51\tSigur", r"must not list \[51\] twice"),
    ("lastfm", "user_artists.dat", "900", str(2**63), "whole numbers in the column weight"),
    ("lastfm", "user_artists.dat", "weight", "weigth", "must have 3 columns, userID to weight"),
    ("lastfm", "user_artists.dat", "\t900", "\tmany", "whole numbers in the column weight"),
    ("lastfm", "user_artists.dat", "3\t10", "3\t11", r", line 4: artist 11 is not in artists\.dat"),
    ("adult", "adult.data", ">50K", "50K", "must not hold '50K' in the column income"),
    ("adult", "adult.test", ">50K.", ">50K", "must not hold '>50K' in the column income"),
    ("adult", "adult.test", "Sales", "Fishing", "must not hold 'Fishing' in the column occupation"),
    ("playstore", "googleplaystore.csv", "App,", "", "must have 13 columns, App to Android Ver"),
    ("playstore", "googleplaystore.csv", ",4.1,", ",high,", "must not hold 'high' in .* Rating"),
    ("playstore", "googleplaystore.csv", "900k", "900G", "must not hold '900G' in the column Size"),
    ("playstore", "googleplaystore.csv", "May 1,", "Mai 1,", "must not hold 'Mai 1, 2017' in"),
]


def test_other_columns_and_unknown_levels_are_refused_in_a_sentence(place):
    for name, file, right, wrong, words in BAD_TEXTS:
        path, text = place / name / file, FILES[name][file]
        write(path, text.replace(right, wrong))
        assert text != text.replace(right, wrong)
        with pytest.raises(DataFileError, match=re.escape(str(path)) + ".*" + words) as refused:
            load(name, place, "test" if name == "adult" else None)
        assert "\n" not in str(refused.value)
        write(path, text)


def test_a_file_without_data_is_refused_whatever_its_lines(place):
    for name, file in ((each, file) for each in NAMES for file in FILES[each]):
        path, text = place / name / file, FILES[name][file]
        split = file if file.startswith("u2") else "test" if file == "adult.test" else None
        one_column = re.sub(r"[\t|, ].*", "", text)
        for bad in ("", "\n", "\n\n\n", "  \n", "#\n", one_column, "\0\0\n"):
            write(path, bad)
            with pytest.raises(DataFileError, match=re.escape(str(path))) as refused:
                load(name, place, split)
            assert "\n" not in str(refused.value)
        if name in ("lastfm", "playstore") or file == "adult.test":
            write(path, text.partition("\n")[0] + "\n")
            with pytest.raises(DataFileError, match=re.escape(str(path)) + ".*(some lines|No col)"):
                load(name, place, split)
        write(path, text)
    path = place / "playstore" / "googleplaystore.csv"
    for known in (",(Free|Paid),", ",[1-5][.][0-9],"):
        write(path, re.sub(known, ",NaN,", FILES["playstore"][path.name]))
        with pytest.raises(DataFileError, match=r"must hold some known (Type|Rating); get"):
            load("playstore", place)


@pytest.mark.parametrize(("name", "file"), list(BAD)[:-1])
def test_a_file_cut_anywhere_is_refused_or_ends_with_a_whole_line(place, name, file):
    """The number of lines is known for two files: only these notice missing lines."""
    path, text = place / name / file, FILES[name][file]
    for end in range(len(text)):
        write(path, text[:end])
        ends_well = text[:end].endswith("\n") or (name == "ciao" and text[end] == "\n")
        if end and file not in ("u.data", "ca_ratings.txt") and (ends_well or name == "ciao"):
            continue
        with pytest.raises(DataFileError, match=re.escape(f"{path}, line ")):
            load(name, place)


def test_a_damaged_archive_is_refused(place):
    path = place / "cnr-2000" / "cnr-2000.arcs.txt.gz"
    whole = path.read_bytes()
    for raw in (whole[:-9], whole[:20] + b"\xff" + whole[21:], b"no archive"):
        path.write_bytes(raw)
        with pytest.raises(DataFileError, match=re.escape(str(path)) + " is damaged and cannot"):
            load("cnr-2000", place)


def test_where_checksums_are_known_every_damage_is_refused_before_the_file_is_read(
    place, monkeypatch
):
    text = (place.parent / "catalog.toml").read_text()
    for name in NAMES:
        for path in (place / name).iterdir():
            known = f'{{ sha256 = "{hashlib.sha256(path.read_bytes()).hexdigest()}" }}'
            text = re.sub(rf'("{re.escape(path.name)}" = ){{.*}}', rf"\1{known}", text)
    (place.parent / "known.toml").write_text(text)
    use_catalog(monkeypatch, place.parent / "known.toml")
    for name in NAMES:
        load(name, place)  # right files are taken
        for file in [file for file in FILES[name] if not file.startswith(("u2", "adult.test"))]:
            path = place / name / file
            whole = path.read_bytes()
            for damaged in (whole[:-1], whole[:3] + b"x" + whole[4:], whole + b"\n", b""):
                path.write_bytes(damaged)
                words = re.escape(f"{path} is not the file that its owner published")
                with pytest.raises(DataFileError, match=words):
                    load(name, place)
            path.write_bytes(whole)


def test_a_graph_of_another_size_is_refused(place, monkeypatch):
    use_catalog(monkeypatch)
    for name in ("com-dblp", "web-stanford"):
        with pytest.raises(
            DataFileError, match=r"it has \d rows.* 3 lines.*expected \d{3},\d{3} rows.*fetch"
        ):
            load(name, place)


def test_real_social_networks_have_the_published_sizes(real_data):
    lastfm, ciao = (load(name, real_data) for name in ("lastfm", "ciao"))
    facts = catalog()["lastfm"].statistics
    assert lastfm.preferences.nnz == facts["listening_counts"] == 92_834
    assert (lastfm.preferences.data >= 2).sum() == facts["preference_edges"] == 92_198
    assert lastfm.items.loc[707, "name"] == "Metallica"
    facts = catalog()["ciao"].statistics
    assert ciao.preferences.shape == (facts["users"], facts["items"]) == (7375, 105_114)
    assert ciao.preferences.nnz == facts["rated_pairs"] == 282_650
    assert ciao.social.nnz == 2 * facts["social_edges"] == 2 * 85_205
    assert (np.diff(ciao.social.indptr) > 0).sum() == facts["trusting_users"] == 7317
    assert np.bincount(ciao.preferences.data).tolist() == [31, 10967, 14246, 31099, 88012, 138295]
    for data in (lastfm, ciao):
        assert (as_adjacency(data.social) != data.social).nnz == 0
        members = catalog()[data.name].members
        assert data.checksums == {file: members[file].sha256 for file in data.checksums}
