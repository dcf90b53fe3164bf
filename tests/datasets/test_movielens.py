"""The reader of MovieLens files: what it reads from made files, and every way it refuses."""

import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pplab.datasets import DataFileError
from pplab.datasets.movielens import assemble, read_items, read_ratings, read_users

from .made import RATINGS, USERS, item_lines, rating_lines, write_made

GOOD = rating_lines()


def refused(path, line, *words):
    """A pattern for one sentence that names file, line and the words."""
    return re.escape(f"{path}, line {line}: ") + ".*" + ".*".join(re.escape(word) for word in words)


def write(tmp_path, text, name="u.data"):
    path = tmp_path / name
    path.write_bytes(text.encode("latin-1"))
    return path


def test_made_files_become_a_matrix_in_the_order_of_the_ids(tmp_path):
    folder = write_made(tmp_path / "movielens-100k")
    users, items = read_users(folder / "u.user"), read_items(folder / "u.item")
    table = read_ratings(folder / "u.data", lines=6)
    ratings, users, items = assemble(folder / "u.data", table, users, items, whole=True)
    assert ratings.dtype == np.int64  # products of ratings do not overflow
    assert ratings.has_sorted_indices
    assert ratings.toarray().tolist() == [[5, 3, 0, 0], [4, 0, 0, 1], [0, 2, 5, 0]]
    assert users.index.tolist() == [1, 2, 3]
    assert users.loc[3].tolist() == [41, "F", "doctor", "V0R2H"]
    assert items["title"][1] == "Café (1995)"
    assert str(items["release_date"][4].date()) == "1922-12-01"
    assert items["release_date"].isna().tolist() == [False, True, False, False]
    assert items.columns[items.loc[4].eq(True)].tolist() == ["Action", "Adventure", "Western"]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (GOOD[:-4], 6, ("cut short",)),
        (GOOD[: GOOD.rindex("\t")], 6, ("cut short",)),
        (GOOD[: GOOD.rindex("3\t3")], 5, ("cut short", "expected 6 lines")),
        (GOOD + "4\t4\t4\t4\n", 7, ("too long",)),
        ("", 1, ("empty",)),
        (GOOD.replace("1\t2\t3\t", "1\t2\t3\t7\t"), 2, ("5 columns", "expected 4")),
        (GOOD.replace("1\t1\t5\t", "1\t1\t5\t7\t"), 1, ("5 columns", "expected 4")),
        (GOOD.replace("1\t2\t3\t", "1\t2\t"), 2, ("3 columns", "expected 4")),
        ("\n" + GOOD, 1, ("1 columns",)),
        (GOOD.replace("2\t4\t1\t", "2\tfour\t1\t"), 4, ("item", "'four'")),
        (GOOD.replace("2\t4\t1\t", "2.0\t4\t1\t"), 4, ("user", "'2.0'")),
        (GOOD.replace("2\t4\t1\t", "-2\t4\t1\t"), 4, ("user", "'-2'")),
        (GOOD.replace("2\t4\t1\t", "2\t\t1\t"), 4, ("item", "''")),
        (GOOD.replace("2\t4\t1\t", "2\t" + "4" * 30 + "\t1\t"), 4, ("item", "444")),
        (GOOD.replace("3\t2\t2\t", "3\t2\t6\t"), 5, ("rating", "got 6")),
        (GOOD.replace("3\t2\t2\t", "3\t2\t0\t"), 5, ("rating", "got 0")),
        (GOOD.replace("3\t2\t2\t", "1\t1\t2\t"), 5, ("user 1 rates item 1", "second time")),
        (GOOD.replace("\n", "\r\n"), 1, ("time", r"\r")),
    ],
    ids=lambda value: "file" if isinstance(value, str) else None,
)
def test_a_doubtful_file_is_refused_with_file_and_line(tmp_path, text, line, words):
    path = write(tmp_path, text)
    with pytest.raises(DataFileError, match=refused(path, line, *words)):
        read_ratings(path, lines=6)


def test_missing_lines_cannot_be_noticed_without_their_number(tmp_path):
    path = write(tmp_path, rating_lines(RATINGS[:5]))
    assert len(read_ratings(path)) == 5


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ("1|24|M|technician", ("4 columns", "expected 5")),
        ("one|24|M|technician|85711", ("user", "'one'")),
        ("1|young|M|technician|85711", ("age", "'young'")),
        ("1|24|X|technician|85711", ("gender", "'X'")),
        ("3|24|M|technician|85711", ("user 3", "second time")),
    ],
)
def test_a_doubtful_list_of_users_is_refused(tmp_path, bad, words):
    path = write(tmp_path, "\n".join([USERS[0], bad, USERS[2]]) + "\n", "u.user")
    with pytest.raises(DataFileError, match=refused(path, 2, *words)):
        read_users(path)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("3|Third", "x|Third", ("item", "'x'")),
        ("3|Third", "1|Third", ("item 1", "second time")),
        ("23-Feb-1998", "30-Feb-1998", ("date", "'30-Feb-1998'")),
        ("23-Feb-1998", "1998-02-23", ("date", "'1998-02-23'")),
        ("3|Third", "3|Thi|rd", ("25 columns", "expected 24")),
    ],
)
def test_a_doubtful_list_of_films_is_refused(tmp_path, old, new, words):
    path = write(tmp_path, item_lines().replace(old, new), "u.item")
    with pytest.raises(DataFileError, match=refused(path, 3, *words)):
        read_items(path)


def test_a_genre_flag_is_0_or_1(tmp_path):
    path = write(tmp_path, item_lines().replace("|0\n", "|2\n", 1), "u.item")
    with pytest.raises(DataFileError, match=refused(path, 1, "genres must be 0 or 1")):
        read_items(path)


@pytest.mark.parametrize(("pair", "word"), [("9\t1", "user 9"), ("1\t9", "item 9")])
def test_ids_must_be_listed(tmp_path, pair, word):
    folder = write_made(tmp_path)
    path = write(tmp_path, GOOD + pair + "\t5\t7\n")
    users, items = read_users(folder / "u.user"), read_items(folder / "u.item")
    with pytest.raises(DataFileError, match=refused(path, 7, word, "not in the list")):
        assemble(path, read_ratings(path), users, items, whole=True)


CELLS = st.sets(st.tuples(st.integers(1, 3), st.integers(1, 4)), min_size=1)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cells=CELLS, data=st.data())
def test_the_order_of_the_lines_does_not_matter(tmp_path, cells, data):
    folder = write_made(tmp_path)
    users, items = read_users(folder / "u.user"), read_items(folder / "u.item")
    ratings = [(*cell, 1 + sum(cell) % 5) for cell in sorted(cells)]
    shuffled = data.draw(st.permutations(ratings))
    whole = data.draw(st.booleans())
    results = []
    for order in (ratings, shuffled):
        path = write(tmp_path, rating_lines(order))
        results.append(assemble(path, read_ratings(path), users, items, whole=whole))
    (one, one_users, one_items), (other, other_users, other_items) = results
    assert one.toarray().tolist() == other.toarray().tolist()
    assert one_users.equals(other_users)
    assert one_items.equals(other_items)
    for user, item, value in ratings:
        cell = one_users.index.get_loc(user), one_items.index.get_loc(item)
        assert one[cell] == value
    assert one.nnz == len(ratings)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(end=st.integers(0, len(GOOD) - 1))
def test_a_file_cut_anywhere_is_refused(tmp_path, end):
    path = write(tmp_path, GOOD[:end])
    with pytest.raises(DataFileError, match=re.escape(str(path)) + ", line [1-6]: "):
        read_ratings(path, lines=6)
