"""The reader of Adult: made files, refusals that name the line, and the real files."""

import re

import numpy as np
import pytest

from pplab.datasets import DataFileError, catalog, load_dataset
from pplab.datasets.adult import ATTRIBUTES, read_people

from .tables import ADULT, ADULT_TEST, write_table_catalog, write_tables


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("PPLAB_CATALOG", str(write_table_catalog(tmp_path / "catalog.toml")))
    return write_tables(tmp_path / "data")


def decoded(data):
    """Attributes and levels out of the matrix and the names of its columns."""
    rows = np.split(data.biadjacency.indices, data.biadjacency.indptr[1:-1])
    return [dict(data.items.iloc[row].itertuples(index=False, name=None)) for row in rows]


def test_the_matrix_says_what_the_table_says(place):
    data = load_dataset("adult", source="real", root=place)
    assert list(data.users.columns) == list(ATTRIBUTES)
    unknown = ["?", "Masters", "Divorced", "?", "Wife", "Other", "Female", "?"]
    assert data.users.loc[1].tolist() == unknown
    assert decoded(data) == data.users.to_dict("records")
    assert data.items["level"][data.items["attribute"] == "occupation"].tolist() == [
        *("?", "Adm-clerical", "Sales")
    ]
    assert data.labels.tolist() == [0, 1, 0]
    assert set(data.checksums) == {"adult.data"}
    assert data.biadjacency.data.tolist() == [1] * 24


def test_the_test_part_has_the_columns_of_the_training_part(place):
    base = load_dataset("adult", source="real", root=place)
    test = load_dataset("adult", source="real", root=place, split="test")
    assert test.items.equals(base.items)
    assert test.biadjacency.shape == (2, base.biadjacency.shape[1])
    assert decoded(test) == test.users.to_dict("records")
    assert test.labels.tolist() == [1, 0]
    assert set(test.checksums) == {"adult.data", "adult.test"}


def test_a_level_that_nobody_in_training_has_is_refused(place):
    (place / "adult" / "adult.test").write_text(ADULT_TEST.replace("Atlantis", "Mars"))
    with pytest.raises(DataFileError, match=r"adult\.test, line 3: native-country 'Mars' is not a"):
        load_dataset("adult", root=place, split="test")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "the file is empty"),
        (ADULT[:-2], 3, "in the middle of a line"),
        (ADULT.replace(", 14, Divorced, ?", ", Divorced, ?"), 2, "got 14 columns, expected 15"),
        (ADULT.replace(">50K", ">50K."), 2, "the income must be <=50K or >50K, got '>50K.'"),
        (ADULT.replace("Masters", "", 1), 2, "an attribute is empty"),
        (ADULT.replace("\n50", "\n\n50"), 2, "got 1 columns, expected 15"),
    ],
)
def test_a_doubtful_line_is_refused_with_file_and_line(tmp_path, text, line, words):
    path = tmp_path / "made.txt"
    path.write_text(text)
    with pytest.raises(DataFileError, match=re.escape(f"{path}, line {line}: ") + ".*" + words):
        read_people(path)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (ADULT_TEST.split("\n", 1)[1], 1, "expected the comment"),
        (ADULT_TEST.replace(">50K.", ">50K"), 2, "must be <=50K. or >50K., got '>50K'"),
        (ADULT_TEST[:-30], 3, "in the middle of a line"),
    ],
)
def test_a_doubtful_test_part_is_refused(tmp_path, text, line, words):
    path = tmp_path / "made.txt"
    path.write_text(text)
    with pytest.raises(DataFileError, match=re.escape(f"{path}, line {line}: ") + ".*" + words):
        read_people(path, test=True)


def test_missing_lines_are_noticed(tmp_path):
    path = tmp_path / "made.txt"
    path.write_text(ADULT)
    assert len(read_people(path, lines=4)) == 3
    with pytest.raises(DataFileError, match="line 4: the file ends here, cut short, expected 5"):
        read_people(path, lines=5)


def test_other_splits_are_refused():
    with pytest.raises(ValueError, match="split must be one of 'test'"):
        load_dataset("adult", source="standin", split="train")


def test_real_adult_has_the_published_sizes(real_data):
    facts = catalog()["adult"].statistics
    base = load_dataset("adult", source="real", root=real_data)
    test = load_dataset("adult", source="real", root=real_data, split="test")
    assert base.biadjacency.shape == (facts["rows"], facts["one_hot"]["columns"]) == (32_561, 102)
    assert base.biadjacency.nnz == facts["one_hot"]["entries"] == 260_488
    assert test.biadjacency.shape == (16_281, 102)
    assert test.items.equals(base.items)
    assert base.items.groupby("attribute").size().to_dict() == facts["levels"]
    rich = (base.labels.sum() + test.labels.sum()) / (32_561 + 16_281)
    assert round(rich, 4) == facts["rich_share"]
    assert np.bincount(base.biadjacency.indices).min() >= 1
