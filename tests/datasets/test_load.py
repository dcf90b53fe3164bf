"""load_dataset and its catalogue: which place wins, what is refused, what a stand-in says."""

import re

import pytest

from pplab.datasets.catalog import align, catalog
from pplab.datasets.load import load_dataset, real_files
from pplab.datasets.store import DataFileError, sha256_of
from tests.datasets.made import FILES, without_data, write_catalog, write_files
from tests.helpers import output_of

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
    assert again.users["age"].tolist() == [24, 53, 41]
    assert again.checksums
    (folder / "u.data").write_text(DATA.replace("3\t3\t5\t8812509", "3\t3\t4\t88125"))
    assert load_dataset(NAME, root=place / "data").ratings.data.tolist() == [5, 3, 4, 1, 2, 4]


@pytest.mark.parametrize("source", ["auto", "real"])
def test_a_damaged_file_is_refused_and_no_standin_takes_its_place(place, monkeypatch, source):
    folder = write_files(place / "data" / NAME, NAME)
    known = sha256_of(folder / "u.data")
    text = write_catalog(place / "catalog2.toml", sha256=known)
    monkeypatch.setenv("PPLAB_CATALOG", str(text))
    assert load_dataset(NAME, source=source, root=place / "data").ratings.nnz == 6
    (folder / "u.data").write_text(DATA.replace("1\t2\t3", "1\t2\t4"))
    with pytest.raises(DataFileError, match=r"u\.data is not the file .*pplab data fetch"):
        load_dataset(NAME, source=source, root=place / "data")


def test_auto_without_files_makes_the_standin_and_says_so_once(place, monkeypatch, capsys):
    monkeypatch.delenv("PPLAB_CATALOG")
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
        assert bool(expected.reader) != expected.never, name
        assert expected.never or expected.home.startswith("https://"), name
        assert expected.never or bool(expected.download) != bool(expected.by_hand), name
        assert not expected.never or not (expected.home or expected.download or expected.members), (
            name
        )
        assert not expected.doi or re.fullmatch(r"10\.\d{4,}/\S+", expected.doi), name
        for member in expected.members.values():
            assert member.sha256 is None or re.fullmatch(r"[0-9a-f]{64}", member.sha256)


def test_what_cannot_be_loaded_is_refused_in_a_sentence(tmp_path, monkeypatch):
    data = load_dataset(NAME, source="standin")
    for name, source, split, words in (
        ("movielens", "auto", None, "name must be one of 'movielens-100k'"),
        (NAME, "maybe", None, "source must be one of 'auto', 'real', 'standin'"),
        (NAME, "standin", "u6.base", r"split must be one of 'u1\.base'"),
        ("ciao", "auto", None, "ciao has no stand-in.*PPLAB_DATA"),
        ("ciao", "standin", None, "ciao has no stand-in.*PPLAB_DATA"),
    ):
        with pytest.raises((ValueError, FileNotFoundError), match=words):
            load_dataset(name, source=source, split=split, root=tmp_path)
    with pytest.raises(ValueError, match="missing must be one of"):
        align(data, data, missing="ignore")
    with pytest.raises(ValueError, match=r"must be two data sets with ratings, got 5 and <movie"):
        align(5, data)
    later = tmp_path / "catalog.toml"
    monkeypatch.setenv("PPLAB_CATALOG", str(later))
    with pytest.raises(FileNotFoundError, match="PPLAB_CATALOG must name a catalogue file"):
        catalog()
    later.write_text('[later]\ntitle = "made"\nhome = ""\nterms = "none"\ncitation = "none"\n')
    with pytest.raises(ValueError, match="the reader of later in the catalogue must be one of 'mo"):
        load_dataset("later")


ENTRY = '[made]\ntitle = ""\nhome = ""\nterms = ""\ncitation = ""\n'
UNFIT_NAMES = ("..", "../victim", "/etc", "a/b", ".staging", "C:", "", r"a\b", "n" * 999 + "/")
UNFIT_ADDRESSES = ("x.zip", "file:///x.zip", "https://x.zip", "https://x/f.csv", "https://x/..")
MALFORMED = [  # a catalogue, and what the refusal says after the catalogue's name
    ("[made", " must be a TOML file in UTF-8, got Expected"),
    (b"[made]\ntitle = '\xff'", " must be a TOML file in UTF-8, got 'utf-8' codec"),
    ("made = 5", ", entry 'made' must be a table .*, got 5;"),
    ("[made]", ", entry 'made', 'citation' must be str in plain text, got None;"),
    (ENTRY + "never = 1", ", entry 'made', 'never' must be bool .*, got 1;"),
    (ENTRY + r'doi = "\u001b[2J"', r", entry 'made', 'doi' must be str .*, got '\\x1b\[2J';"),
    (ENTRY + "colour = 1", ", entry 'made', 'colour' must be left out, got 1;"),
    (ENTRY + "members = ['u.data']", ", entry 'made', 'members' must be dict"),
    (ENTRY + "[made.members]\nfile = 5", ", entry 'made', file 'file' must be a table"),
    (ENTRY + "members = {f = {lines = true}}", ", entry 'made', file 'f', 'lines' must be int "),
    (ENTRY + "reader = 'none'", "the reader of made in the catalogue must be one of 'movielens'"),
    (ENTRY + "reader = 'jester'", ", entry 'made' must give the number part_1,"),
    *(
        (ENTRY.replace("made", f"'{name}'"), ", entry '.*' must be a table with a plain name")
        for name in UNFIT_NAMES
    ),
    (ENTRY + "folder = '..'", ", entry 'made' must be a table with a plain name and folder"),
    (ENTRY + "members = {'../f' = {}}", r", entry 'made', file '\.\./f' must be a table"),
    *(
        (ENTRY + f"download = '{address}'", ", entry 'made' must download from http")
        for address in UNFIT_ADDRESSES
    ),
]


def test_a_malformed_catalogue_is_refused_in_a_sentence(tmp_path, monkeypatch):
    for number, (text, words) in enumerate(MALFORMED):
        path = tmp_path / f"{number}.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        monkeypatch.setenv("PPLAB_CATALOG", str(path))
        where = words if words.startswith("the") else re.escape(str(path)) + words
        with pytest.raises(ValueError, match=where) as refused:
            load_dataset("made", source="standin")
        assert len(str(refused.value)) < 500, text
        assert "\n" not in str(refused.value), text
        if "reader" not in str(text):
            assert output_of("data", "status", code=1) == f"pplab: {refused.value}\n"
