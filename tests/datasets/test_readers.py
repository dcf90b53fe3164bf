"""The readers of the owners' files: what they read from made ones, what they refuse, real sizes."""

import hashlib
import re
from itertools import product

import numpy as np
import pytest

from pplab.datasets import DataFileError, load_dataset
from pplab.datasets.people import attributes_of
from tests.datasets.made import FILES, matrices, use_catalog, write_catalog, write_files
from tests.datasets.made import write_text as write
from tests.generated.inputs import read
from tests.helpers import plain

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


def decoded(data):
    """Attributes and levels out of the matrix and the names of its columns."""
    rows = np.split(data.biadjacency.indices, data.biadjacency.indptr[1:-1])
    return [dict(data.items.iloc[row].itertuples(index=False, name=None)) for row in rows]


@pytest.mark.parametrize("entry", read("../datasets/read.txt"))
def test_a_reader_makes_this_of_the_files(place, entry):
    name, split, call, value = re.fullmatch("(.+?)(?:, (.+?))?: (.+) -> (.+)", entry).groups()
    given = {**globals(), "data": load(name, place, split)}
    assert plain(eval(call, given)) == plain(eval(value, given))


def test_an_undirected_friendship_counts_once(place):
    data, file = load("flixster", place), "links.txt"
    write(place / "flixster" / file, FILES["flixster"][file] + "900\t3\n1\t3\n")
    same(load("flixster", place), data)


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


DOUBTFUL = [
    re.fullmatch("(.+?)/(.+?): (.+) -> (.+)", entry).groups()
    for entry in read("../datasets/bad_lines.txt")
]


@pytest.mark.parametrize(("name", "file", "changed", "sentence"), DOUBTFUL)
def test_a_doubtful_file_is_refused_with_its_path_and_line(place, name, file, changed, sentence):
    path, text = place / name / file, FILES[name][file]
    write(path, eval(changed, {"text": text}))
    assert eval(changed, {"text": text}) != text
    with pytest.raises(DataFileError, match=re.escape(str(path)) + sentence) as refused:
        load(name, place, "test" if name == "adult" else None)
    assert "\n" not in str(refused.value)


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


CUT = [("movielens-100k", "u.data"), *product(["ciao"], FILES["ciao"])]
CUT += product(["flixster"], FILES["flixster"])


@pytest.mark.parametrize(("name", "file"), CUT)
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


def test_where_checksums_are_known_damage_is_refused_before_the_file_is_read(place, monkeypatch):
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
        sizes = r"it has \d rows.* 3 lines.*expected \d{3},\d{3} rows.*fetch"
        with pytest.raises(DataFileError, match=sizes):
            load(name, place)
