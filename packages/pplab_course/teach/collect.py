"""Hand-ins from the archive that Moodle packs: each goes to the folder of its student."""

import csv
import io
import re
import unicodedata
import zipfile
from collections import Counter, defaultdict
from pathlib import Path

from pplab_course.start import write_whole
from pplab_course.teach.mark import LARGEST, USER

# Moodle: FULL NAME_NUMBER_assignsubmission_file_/FILE, or without the last slash.
_FILE = re.compile(r"(?:.*/)?([^/]+?)_\d+_assignsubmission_file_/?([^/]+\.ipynb)")


def collect(course: Path, name: str, archive: Path, people: Path) -> tuple[int, list[str]]:
    """Put the hand-ins of one notebook into the course; count them, and say what was left and why.

    Raises
    ------
    ValueError
        If the course has no such notebook, the archive is none, or the class list none.
    """
    if not (course / "release" / name).is_dir():
        raise ValueError(f"{course} has no notebook {name!r}: name the course, then such as 01_...")
    users = class_list(people)
    if not zipfile.is_zipfile(archive):
        raise ValueError(f"{archive} is no archive: name the zip file of Moodle")
    submissions, copied, left = defaultdict[str, list[str]](list), [], []
    with zipfile.ZipFile(archive) as packed:
        for file in packed.namelist():
            place = _FILE.fullmatch(file)
            if place and _normal_form(place[1]) in users:
                submissions[users[_normal_form(place[1])]].append(file)
            elif not file.endswith("/"):
                why = f"no such name in {people.name}, which ends with {[*users][-1]!r}"
                why = why if place else "no .ipynb file of a student"
                left.append(f"{file}: {why}")
        for user, files in submissions.items():
            if len(files) > 1:
                left.append(f"{', '.join(files)}: more than one notebook")
                continue
            if not USER.fullmatch(user):
                left.append(f"{files[0]}: {people.name} has {user!r} as the user name")
                continue
            try:
                with packed.open(files[0]) as file_in:
                    content = file_in.read(LARGEST + 1)
            except (zipfile.BadZipFile, RuntimeError) as error:
                left.append(f"{files[0]}: cannot be unpacked ({error}); download it once more")
                continue
            copied.append(user)
            target = course / "submitted" / user / name / f"{name}.ipynb"
            if not target.exists() or target.read_bytes() != content:  # else it is marked already
                write_whole(target, content)
    return len(copied), left


def class_list(file: Path) -> dict[str, str]:
    """User names by full name, from a CSV file with a line for each person.

    Raises
    ------
    ValueError
        If the file is not UTF-8, has no line with two columns, or two people have one full name or
        one user name.
    """
    text = text_of(file)
    # spreadsheets of many countries write semicolons
    mark = max(",;\t", key=text.partition("\n")[0].count)
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
    rows = [[_normal_form(cell.strip()) for cell in row[:2]] for row in lines if len(row) > 1]
    if not rows:
        raise ValueError(
            f"{file} has no line with two columns: write a full name and a user name on each line"
        )
    users = dict(rows)
    if len(users) < len(rows):
        raise ValueError(f"{file} has a full name twice: leave it out, and move its files by hand")
    if twice := [user for user, count in Counter(users.values()).items() if count > 1]:
        raise ValueError(f"{file} gives the user name {twice[0]!r} to two people: correct one")
    return users


def text_of(file: Path) -> str:
    """Text of a class list, without a mark of UTF-8 in front.

    Raises
    ------
    ValueError
        If it is not UTF-8, with the line.
    """
    data = file.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ValueError(
            f"{file}, line {line}, has a letter that is not UTF-8; save the list as CSV UTF-8"
        ) from error


def _normal_form(name: str) -> str:
    """A name in one spelling: an accent may be a letter of its own, and spaces may be many."""
    return " ".join(unicodedata.normalize("NFC", name).split())
