"""load_dataset and its catalogue: which place wins, what is refused, what a stand-in says."""

import re

import pytest

from pplab.datasets.catalog import align, catalog
from pplab.datasets.load import READERS, load_dataset, real_files
from pplab.datasets.store import DataFileError, sha256_of
from tests.datasets.made import FILES, use_catalog, without_data, write_catalog, write_files

NAME = "movielens-100k"
DATA = FILES[NAME]["u.data"]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """No data anywhere: an empty PPLAB_DATA, an empty cache, a catalogue of the made files."""
    without_data(tmp_path, monkeypatch)
    monkeypatch.delenv("PPLAB_DATA", raising=False)
    (tmp_path / "data").mkdir()
    return tmp_path


def test_real_files_are_found_by_root_then_environment_then_cache(place, monkeypatch):
    write_files(place / "cache" / NAME, NAME)
    assert load_dataset(NAME).ratings.nnz == 6
    assert real_files(NAME)[0] == place / "cache" / NAME / "u.data"
    monkeypatch.setenv("PPLAB_DATA", str(place / "data"))
    write_files(place / "data" / NAME, NAME)
    assert real_files(NAME)[0] == place / "data" / NAME / "u.data"
    (place / "other").mkdir()
    write_files(place / "other" / NAME, NAME)
    data = load_dataset(NAME, source="real", root=place / "other")
    assert data.source == "real"
    assert data.checksums["u.data"] == sha256_of(place / "other" / NAME / "u.data")
    assert set(data.checksums) == {"u.data", "u.user", "u.item"}


def test_root_is_the_only_place_when_given(place):
    write_files(place / "cache" / NAME, NAME)
    with pytest.raises(FileNotFoundError, match="pplab data fetch"):
        load_dataset(NAME, source="real", root=place / "data")
    for root in (place / "nowhere", "", "\0", "x" * 5000):
        with pytest.raises(FileNotFoundError, match="root must be a folder that holds") as refused:
            load_dataset(NAME, root=root)
        assert len(str(refused.value)) < 250
    for root in (5, True, b"data", [place], 10**5000):
        with pytest.raises(TypeError, match=r"root must be a path, got .*; pass the folder above"):
            load_dataset(NAME, source="standin", root=root)


def test_a_split_has_the_users_and_films_that_occur_in_it(place):
    write_files(place / "data" / NAME, NAME)
    base = load_dataset(NAME, root=place / "data", split="u2.base")
    test = load_dataset(NAME, root=place / "data", split="u2.test")
    assert base.users.index.tolist() == [1, 2]
    assert base.items.index.tolist() == [1, 2, 4]
    assert base.ratings.toarray().tolist() == [[5, 3, 0], [4, 0, 1]]
    assert test.ratings.toarray().tolist() == [[2, 5]]
    whole = load_dataset(NAME, root=place / "data")
    assert align(test, whole).ratings.toarray().tolist() == [[0] * 4, [0] * 4, [0, 2, 5, 0]]
    with pytest.raises(ValueError, match=r"2 ratings without a place; pass missing=\"drop\""):
        align(test, base)
    assert align(test, base, missing="drop").ratings.nnz == 0


def test_a_changed_file_is_read_anew_and_a_result_is_your_own(place):
    folder = write_files(place / "data" / NAME, NAME)
    first = load_dataset(NAME, root=place / "data")
    first.ratings.data[:] = 1
    first.users.loc[:, "age"] = 0
    first.checksums.clear()
    again = load_dataset(NAME, root=place / "data")
    assert again.ratings.data.tolist() == [5, 3, 4, 1, 2, 5]
    assert again.users["age"].tolist() == [37, 58, 41]
    assert again.checksums
    (folder / "u.data").write_text(DATA.replace("3\t3\t5\t8812509", "3\t3\t4\t88125"))
    assert load_dataset(NAME, root=place / "data").ratings.data.tolist() == [5, 3, 4, 1, 2, 4]


@pytest.mark.parametrize("source", ["auto", "real"])
def test_a_damaged_file_is_refused_and_no_standin_takes_its_place(place, monkeypatch, source):
    folder = write_files(place / "data" / NAME, NAME)
    known = sha256_of(folder / "u.data")
    text = write_catalog(place / "catalog2.toml", sha256=known)
    use_catalog(monkeypatch, text)
    assert load_dataset(NAME, source=source, root=place / "data").ratings.nnz == 6
    (folder / "u.data").write_text(DATA.replace("1\t2\t3", "1\t2\t4"))
    with pytest.raises(DataFileError, match=r"u\.data is not the file .*pplab data fetch"):
        load_dataset(NAME, source=source, root=place / "data")


def test_auto_without_files_makes_the_standin_and_says_so_once(place, monkeypatch, capsys):
    use_catalog(monkeypatch)
    assert load_dataset(NAME, source="standin").source == "standin"
    assert capsys.readouterr().err == ""  # no surprise
    data = load_dataset(NAME)
    assert data.source == "standin"
    assert data.checksums == {}
    text = capsys.readouterr().err
    assert text.count("\n") == 1
    for words in (NAME, "STAND-IN", "PPLAB_DATA is not set", "pplab data fetch"):
        assert words in text
    load_dataset(NAME)
    assert capsys.readouterr().err == ""
    load_dataset(NAME, split="u1.base")
    assert "u1.base" not in capsys.readouterr().err  # no folder at all: the same reason
    folder = write_files(place / "data" / NAME, NAME)
    (folder / "u.item").unlink()
    assert load_dataset(NAME, root=place / "data").source == "standin"
    assert f"{folder} lacks u.item" in capsys.readouterr().err


def test_each_entry_of_the_catalogue_says_what_a_person_needs():
    assert list(catalog()) == [
        *("movielens-100k", "jester", "lastfm", "ciao", "flixster", "adult", "playstore"),
        *("dblp-2010", "cnr-2000", "com-dblp", "web-stanford", "likes"),
    ]
    for name, expected in catalog().items():
        assert all((expected.title, expected.terms, expected.citation, expected.statistics)), name
        assert bool(READERS[expected.reader].read) != expected.never, name
        assert expected.never or expected.home.startswith("https://"), name
        assert expected.never or bool(expected.download) != bool(expected.by_hand), name
        anywhere = expected.home or expected.download or expected.members
        assert not (expected.never and anywhere), name
        assert not expected.doi or re.fullmatch(r"10\.\d{4,}/\S+", expected.doi), name
        archive = expected.archive
        assert not archive or archive.endswith(".zip") or archive in expected.members, name
        for member in expected.members.values():
            assert member.sha256 is None or re.fullmatch(r"[0-9a-f]{64}", member.sha256)


@pytest.mark.parametrize("source", ["auto", "standin"])
def test_a_set_without_a_standin_says_where_its_files_go(tmp_path, source):
    with pytest.raises(FileNotFoundError, match=r"ciao has no stand-in.*PPLAB_DATA"):
        load_dataset("ciao", source=source, root=tmp_path)
