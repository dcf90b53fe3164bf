"""Hand-ins out of an archive as Moodle packs it."""

import unicodedata
import zipfile

import pytest

from pplab_course.teach.collect import class_list, collect
from tests.helpers import output_of

NAME = "00_find_somebody"
PEOPLE = "Full name,Username\nAnna Perfekt,anna-p\nBo van Halb,bo\nCleo Zwei,cleo\n"
FILES = {
    f"Anna Perfekt_900_assignsubmission_file_/{NAME}.ipynb": "of Anna",
    f"Bo van Halb_901_assignsubmission_file_{NAME} (1).ipynb": "of Bo",
    "Cleo Zwei_902_assignsubmission_file_/a.ipynb": "first",
    "Cleo Zwei_902_assignsubmission_file_/b.ipynb": "second",
    f"Nobody_903_assignsubmission_file_/{NAME}.ipynb": "of a stranger",
    "Anna Perfekt_900_assignsubmission_onlinetext_/text.html": "words",
}


def _packed(folder):
    (folder / "course" / "release" / NAME).mkdir(parents=True)
    (folder / "people.csv").write_text(PEOPLE, encoding="utf-8-sig")
    with zipfile.ZipFile(folder / "moodle.zip", "w") as archive:
        for name, text in FILES.items():
            archive.writestr(name, text)
    return folder / "course", NAME, folder / "moodle.zip", folder / "people.csv"


def test_each_hand_in_goes_to_its_student_and_the_rest_is_named(tmp_path):
    first, *left = output_of("teach", "collect", *_packed(tmp_path), code=1).splitlines()
    assert first == f"{NAME}: 2 collected, 3 left"
    for name, reason in (
        ("Nobody_903", "no such name in people.csv, which ends with 'Cleo Zwei'"),
        ("onlinetext", "no .ipynb file of a student"),
        ("Cleo Zwei_902", "more than one notebook"),
    ):
        assert [line.endswith(reason) for line in left if name in line] == [True]
    submitted = tmp_path / "course" / "submitted"
    texts = {file.parts[-3]: file.read_text() for file in submitted.glob(f"*/{NAME}/{NAME}.ipynb")}
    assert texts == {"anna-p": "of Anna", "bo": "of Bo"}
    assert len([file for file in submitted.rglob("*") if file.is_file()]) == 2


def test_what_is_there_is_left_so_that_it_is_not_marked_again(tmp_path):
    course, *_ = packed = _packed(tmp_path)
    collect(*packed)
    [target] = course.glob(f"submitted/bo/{NAME}/*")
    before = target.stat().st_mtime_ns
    collect(*packed)
    assert target.stat().st_mtime_ns == before
    target.write_text("older")
    collect(*packed)
    assert target.read_text() == "of Bo"


def test_two_people_of_one_name_and_what_is_no_archive_are_refused(tmp_path):
    course, name, archive, people = _packed(tmp_path)
    with pytest.raises(ValueError, match="is no archive"):
        collect(course, name, people, people)
    with pytest.raises(ValueError, match="has no notebook '01'"):
        collect(course, "01", archive, people)
    people.write_text(f"{PEOPLE}Cleo Zwei,cleo2\n")
    with pytest.raises(ValueError, match="has a full name twice"):
        collect(course, name, archive, people)


def test_class_lists_of_spreadsheets(tmp_path):
    """Semicolons, a byte-order mark, accents as letters of their own; not UTF-8 is told by line."""
    file, expected = tmp_path / "class.csv", {"Zo\u00eb M\u00fcller": "z1", "Bo": "b3"}
    text = "Zo\u00eb M\u00fcller{0}z1\nBo{0}b3\n"
    for mark in ",;\t":
        for form in ("NFC", "NFD"):
            written = unicodedata.normalize(form, text.format(mark))
            for encoding in ("utf-8", "utf-8-sig"):
                file.write_text(written, encoding=encoding)
                assert class_list(file) == expected
    file.write_text("Bo,b3\n" + text.format(","), encoding="latin-1")
    with pytest.raises(
        ValueError, match=r"class.csv, line 2, has a letter that is not UTF-8; save"
    ):
        class_list(file)
    file.write_text("Bo b3\n", encoding="utf-8")
    with pytest.raises(ValueError, match="no line with two columns"):
        class_list(file)


def test_a_name_in_another_spelling_is_the_same_person(tmp_path):
    course, name, archive, _ = _packed(tmp_path)
    spelled = tmp_path / "spelled.zip"
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(spelled, "w") as new:
        content = old.read(next(f for f in old.namelist() if f.endswith(".ipynb")))
        who = unicodedata.normalize("NFD", "Zo\u00eb  M\u00fcller")
        new.writestr(f"{who}_7_assignsubmission_file_/{name}.ipynb", content)
    people = tmp_path / "list.csv"
    people.write_text("Zo\u00eb M\u00fcller;z1\n", encoding="utf-8")
    assert collect(course, name, spelled, people) == (1, [])


def test_a_hand_in_that_would_be_lost_is_named(tmp_path):
    """An empty user name put it where nothing is marked, and a damaged one ended the command."""
    course, name, archive, people = _packed(tmp_path)
    data = archive.read_bytes()
    archive.write_bytes(data.replace(b"of Bo", b"of Xo", 1))
    people.write_text("Anna Perfekt,\nBo van Halb,bo\nCleo Zwei,../cleo\n", encoding="utf-8")
    count, left = collect(course, name, archive, people)
    assert count == 0
    assert any(line.startswith("Anna") and "has '' as the user name" in line for line in left)
    assert any(line.startswith("Bo van") and "cannot be unpacked (Bad CRC" in line for line in left)
    assert not (course / "submitted").exists()
    people.write_text("Anna Perfekt,bo\nBo van Halb,bo\n", encoding="utf-8")
    with pytest.raises(ValueError, match="gives the user name 'bo' to two people"):
        collect(course, name, archive, people)
