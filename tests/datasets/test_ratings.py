"""The reader of Jester: made parts, every way it refuses, the real part 1."""

import re

import numpy as np
import pytest

from pplab.datasets.load import load_dataset
from pplab.datasets.ratings import numbers_sha256
from pplab.datasets.ratings import read_jester_part as read_part
from pplab.datasets.store import DataFileError, sha256_of
from tests.datasets import made
from tests.datasets.made import joke_row  # noqa: F401 (of bad_jokes.txt)
from tests.generated.inputs import read
from tests.helpers import output_of

GOOD = made.joke_lines(1)
FIRST, SECOND, THIRD = GOOD.splitlines()


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An empty data folder, an empty cache, a catalogue of the made parts."""
    made.without_data(tmp_path, monkeypatch)
    monkeypatch.setenv("PPLAB_DATA", str(tmp_path / "data"))
    (tmp_path / "data" / "jester").mkdir(parents=True)
    return tmp_path / "data" / "jester"


def as_rows(ratings):
    """Each row as {joke: rating}, from what is stored."""
    cuts = ratings.indptr[1:-1]
    parts = zip(np.split(ratings.indices + 1, cuts), np.split(ratings.data, cuts), strict=True)
    return [dict(zip(jokes.tolist(), each.tolist(), strict=True)) for jokes, each in parts]


def test_a_part_becomes_a_matrix_that_keeps_zeros_and_empty_rows(tmp_path):
    ratings = read_part(made.write_jokes(tmp_path / "jester-data-1.zip", GOOD), users=3)
    assert ratings.shape == (3, 100)
    assert ratings.dtype == np.float64
    assert ratings.has_canonical_format
    assert as_rows(ratings) == made.JOKES[1]
    assert np.diff(ratings.indptr).tolist() == [3, 100, 0]


def test_the_way_a_spreadsheet_writes_numbers_does_not_matter(tmp_path):
    plain = made.write_jokes(tmp_path / "plain" / "jester-data-1.zip", GOOD)
    for text in (
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("-7.82", "-7.820").replace(",0,", ",-0.00,").replace("99,", "99.00,"),
        GOOD.replace("3,-7.82", "3.0,-7.82"),
    ):
        path = made.write_jokes(tmp_path / "jester-data-1.zip", text)
        assert as_rows(read_part(path)) == made.JOKES[1]
        assert sha256_of(path) != sha256_of(plain)
        assert numbers_sha256(path) == numbers_sha256(plain)


BAD = [
    re.fullmatch("(.+) -> (.): (.+)", entry).groups() for entry in read("../datasets/bad_jokes.txt")
]


def test_a_doubtful_table_is_refused_with_file_and_line(tmp_path):
    cuts = [(GOOD[:end], "[1-3]", "") for end in range(0, len(GOOD), 5)]
    for text, line, words in [*((eval(text), *rest) for text, *rest in BAD), *cuts]:
        path = made.write_jokes(tmp_path / "jester-data-1.zip", text)
        where = re.escape(f"{path / 'jester.csv'}, line ") + f"{line}: "
        with pytest.raises(DataFileError, match=where + ".*" + words) as refused:
            read_part(path, users=3)
        assert "\n" not in str(refused.value)


def test_an_archive_cut_anywhere_or_with_a_changed_bit_is_never_misread(tmp_path):
    path = made.write_jokes(tmp_path / "jester-data-1.zip", GOOD)
    whole, right = path.read_bytes(), as_rows(read_part(path, users=3))
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        with pytest.raises(DataFileError, match=re.escape(str(path))):
            read_part(path, users=3)
    refused = []
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 1 << place % 8
        path.write_bytes(changed)
        try:
            assert as_rows(read_part(path, users=3)) == right  # a date or a flag, no number
        except DataFileError as error:
            refused.append(str(error))
    assert len(refused) > len(whole) / 2
    assert all(str(path) in sentence for sentence in refused)


def test_an_archive_must_hold_one_csv(tmp_path):
    path = made.write_jokes(tmp_path / "jester-data-1.zip", "table", inside="jester-data-1.xls")
    with pytest.raises(DataFileError, match=r"hold one csv file, got \['jester-data-1\.xls'\];"):
        read_part(path)
    path.write_bytes(b"not an archive")
    with pytest.raises(DataFileError, match="is damaged and cannot be unpacked"):
        read_part(path)


def test_all_parts_in_order_are_the_whole(place, capsys):
    made.write_jester(place)
    whole = load_dataset("jester")
    assert (whole.source, whole.split, whole.portion) == ("real", None, "")
    assert as_rows(whole.ratings) == [row for part in (1, 2, 3) for row in made.JOKES[part]]
    assert whole.users.index.tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert whole.users["part"].tolist() == [1, 1, 1, 2, 2, 3, 3]
    assert whole.items.index.tolist() == list(range(1, 101))
    assert whole.checksums == {path.name: sha256_of(path) for path in sorted(place.iterdir())}
    assert capsys.readouterr().err == ""
    for part in (1, 2, 3):
        one = load_dataset("jester", split=f"part-{part}")
        assert as_rows(one.ratings) == made.JOKES[part]
        assert one.users.equals(whole.users[whole.users["part"] == part])
        assert one.portion == f"part {part} of 3"
        assert list(one.checksums) == [f"jester-data-{part}.zip"]
    assert capsys.readouterr().err == ""  # who asks for a part is not surprised


def test_the_parts_that_are_there_say_that_they_are_not_all(place, capsys):
    for parts, portion, users in (
        ((1,), "part 1 of 3", [1, 2, 3]),
        ((1, 3), "parts 1 and 3 of 3", [1, 2, 3, 6, 7]),
    ):
        made.write_jester(place, parts)
        data = load_dataset("jester")
        assert (data.source, data.portion) == ("real", portion)
        assert data.users.index.tolist() == users
        assert repr(data).startswith(f"<jester, {portion} (real): {len(users)} users x 100 items, ")
        text = capsys.readouterr().err
        assert text == f"pplab: jester is {portion}, {len(users)} users; the full set has 7\n"
        load_dataset("jester", source="real")
        assert capsys.readouterr().err == ""


def test_a_part_that_is_not_there_is_refused_with_the_names_that_exist(place):
    made.write_jester(place, (1,))
    with pytest.raises(FileNotFoundError, match=r"lacks jester-data-2\.zip.*set PPLAB_DATA"):
        load_dataset("jester", source="real", split="part-2")
    for source in ("real", "standin"):
        with pytest.raises(ValueError, match="one of 'part-1', 'part-2', 'part-3', got 'u1"):
            load_dataset("jester", split="u1.base", source=source)


def test_other_numbers_are_refused_and_the_same_numbers_zipped_anew_are_not(place, monkeypatch):
    path = made.write_jester(place, (1,)) / "jester-data-1.zip"
    known = {"sha256": sha256_of(path), "numbers": numbers_sha256(path)}
    made.use_catalog(monkeypatch, made.write_catalog(place / "known.toml", **known))
    assert load_dataset("jester").ratings.nnz == 103
    made.write_jokes(path, GOOD.replace("\n", "\r\n"), inside="by-hand.csv")
    data = load_dataset("jester", source="real")
    assert data.checksums[path.name] == sha256_of(path) != known["sha256"]
    first = output_of("data", "verify", "jester").splitlines()[0]
    assert "with the published numbers" in first
    made.write_jokes(path, GOOD.replace("-7.82", "-7.81"))
    for source in ("auto", "real"):
        with pytest.raises(DataFileError, match="does not hold the numbers that its owner"):
            load_dataset("jester", source=source)
    text = output_of("data", "verify", "jester", code=1)
    assert text.startswith("wrong    jester/jester-data-1.zip")


def test_another_file_is_refused_where_only_its_checksum_is_known(place, monkeypatch):
    path = made.write_jester(place, (1,)) / "jester-data-1.zip"
    catalogue = made.write_catalog(place / "known.toml", sha256="0" * 64)
    made.use_catalog(monkeypatch, catalogue)
    with pytest.raises(
        DataFileError, match=r"is not the file .* fetch jester`.* says how"
    ) as error:
        load_dataset("jester")
    assert str(path) in str(error.value)


def test_the_command_line_tells_what_is_there_and_what_to_do(place):
    made.write_jester(place, (1,))
    line = output_of("data", "status").splitlines()[2]
    assert line.endswith(
        "ready: load_dataset('jester'), without jester-data-2.zip, jester-data-3.zip; "
        "not checked: the catalogue has no checksum for jester-data-1.zip"
    )
    rows = output_of("data", "verify", "jester", code=0).splitlines()
    assert [row.split()[0] for row in rows] == ["unknown", *["missing"] * 2]
