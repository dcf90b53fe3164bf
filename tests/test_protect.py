"""From a file of one's own to a release, its report and its label, by the command."""

import json

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import pplab
from pplab.cli import app
from pplab.protect import METHODS, protect, singled_out
from tests.generated.inputs import read

RNG = np.random.default_rng(3)
CELLS = RNG.random((40, 12)) < 0.5
RATED = pd.DataFrame({"userId": np.nonzero(CELLS)[0] + 500, "movieId": np.nonzero(CELLS)[1] * 7})
RATED["rating"] = RNG.integers(1, 11, len(RATED)) / 2
RATED["timestamp"] = 978300760
NAMES = {"user": "user", "item": "item", "value": "x"}
SETTINGS = {
    "smooth": ["--keep", "3", "--k", "4"],
    "suppress": ["--keep", "3", "--k", "4"],
    "microaggregate": ["--k", "4", "--lowest", "0.5", "--highest", "5"],
    "gaussian": ["--sigma", "0.5", "--lowest", "0.5", "--highest", "5"],
    "noise": ["--keep", "3", "--epsilon", "2", "--frame-is-public"],
}


@pytest.fixture
def ratings(tmp_path):
    RATED.to_csv(tmp_path / "ratings.csv", index=False)
    return tmp_path / "ratings.csv"


def run(file, method, *more, value="rating", out="out"):
    columns = ["--user", "userId", "--item", "movieId"] + (["--value", value] if value else [])
    folder = file.parent / out
    command = ["protect", str(file), *columns, "--method", method, "--out", str(folder), *more]
    return CliRunner().invoke(app, command), folder


def test_each_method_has_settings_here():
    assert SETTINGS.keys() == METHODS.keys()


@pytest.mark.parametrize("method", METHODS)
def test_a_file_becomes_a_release_and_two_pages(ratings, method):
    result, folder = run(ratings, method, *SETTINGS[method], "--seed", "1", "--json")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    release = pd.read_csv(folder / "release.csv")
    values = ["rating"] if METHODS[method].takes_ratings else []
    assert list(release.columns) == ["userId", "movieId", *values]
    assert set(release.userId) <= set(RATED.userId)
    assert set(release.movieId) <= set(RATED.movieId)
    assert release.equals(release.sort_values(["userId", "movieId"], ignore_index=True))
    page = (folder / "report.html").read_text()
    assert "<h1>For you, not for publication: computed from the original</h1>" in page
    assert page.count("<img ") == (1 if METHODS[method].takes_ratings else 2)
    assert "pplab" in page[page.index('scope="row">command') :]
    if "--k" in SETTINGS[method]:
        wide = release.assign(x=release.get("rating", 1.0)).pivot_table(
            index="userId", columns="movieId", values="x"
        )
        wide = wide.reindex(sorted(set(RATED.userId)))
        sizes = wide.fillna(0).round(9).value_counts()
        assert report["k achieved"] == sizes.min() >= 4
        if not METHODS[method].takes_ratings:
            assert all(after == 0 for _, after in report["singled out"].values())
    if method == "smooth":
        assert report["Jaccard similarity"] <= report["no such copy is above"]
        assert report["smooth k-anonymous"] is True


@pytest.mark.parametrize("method", METHODS)
def test_the_label_depends_on_no_entry(ratings, method):
    _, folder = run(ratings, method, *SETTINGS[method], "--seed", "1")
    other = RATED[~((RATED.userId == 500) & (RATED.movieId == RATED.movieId.iloc[0]))]
    other.to_csv(ratings, index=False)
    _, again = run(ratings, method, *SETTINGS[method], "--seed", "1", out="again")
    labels = [(f / "release-label.html").read_text() for f in (folder, again)]
    assert labels[0] == labels[1]
    assert "not for publication" not in labels[0]
    texts = {"smooth": "k = 4", "noise": "epsilon = 2", "gaussian": "without a stated level"}
    assert texts.get(method, "k = 4") in labels[0]


def test_a_frame_may_come_from_files(ratings):
    users, items = ratings.parent / "users", ratings.parent / "items"
    users.write_text("\n".join(map(str, range(500, 545))))
    items.write_text("\n".join(map(str, range(0, 84, 7))))
    files = ["--users", str(users), "--items", str(items)]
    level = ["--keep", "2.9999999", "--epsilon", "1.2345644"]  # none is told as less than it is
    result, folder = run(ratings, "noise", *level, *files, "--seed", "1")
    assert result.exit_code == 0, result.output
    label = (folder / "release-label.html").read_text()
    for told in ("public: 45 users x 12 items", "epsilon = 1.2345644,", "at least 2.9999999<"):
        assert told in label
    assert pd.read_csv(folder / "release.csv").userId.max() > 539
    assert "users: 5 have no entry, the first is 540" in result.stderr


@pytest.mark.parametrize("entry", read("../refused_commands.txt"))
def test_what_cannot_be_done_is_one_line_and_leaves_nothing(ratings, entry):
    command, sentence = entry.split(" -> ")
    result, folder = run(ratings, *command.split(), value=None)
    assert result.exit_code == 1
    assert sentence in result.output
    assert result.output.count("\n") == 1
    assert sorted(path.name for path in folder.parent.iterdir()) == ["ratings.csv"]


def test_a_seed_is_not_negative_and_names_may_have_spaces(ratings):
    result, _ = run(ratings, "noise", *SETTINGS["noise"], "--seed", "-1")
    assert (result.exit_code, "'--seed'" in result.output) == (2, True)
    ratings.write_text(ratings.read_text().partition("\n")[2])
    heads = ["--names", "userId, movieId, rating, timestamp"]
    result, folder = run(ratings, "suppress", *SETTINGS["suppress"], *heads)
    assert result.exit_code == 0, result.output
    assert (folder / "release.csv").is_file()


def test_a_folder_is_not_overwritten_and_a_fault_leaves_nothing(ratings, monkeypatch):
    (ratings.parent / "out").mkdir()
    result, folder = run(ratings, "suppress", *SETTINGS["suppress"])
    assert "already exists; name a new folder" in result.output
    assert list(folder.iterdir()) == []
    folder.rmdir()

    def full(*_args, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("pplab.protect._page", full)
    result, _ = run(ratings, "suppress", *SETTINGS["suppress"])
    assert (result.exit_code, "stopped; no file is left" in result.output) == (130, True)
    assert sorted(path.name for path in ratings.parent.iterdir()) == ["ratings.csv"]


def test_too_many_noise_edges_are_refused_before_anything_is_drawn(tmp_path):
    frame = pd.DataFrame({"u": [0], "i": [0]})
    table = pplab.table(frame, user="u", item="i", users=range(10**5), items=range(10**5))
    with pytest.raises(ValueError, match=r"gives about 2,689,414,2\d\d edges"):
        protect(table, method="noise", epsilon=1.0, folder=tmp_path / "out")


def test_who_is_singled_out_is_counted_row_by_row():
    table = pplab.table([[1, 1, 0], [1, 0, 1], [1, 0, 0], [0, 0, 0]])
    copy = pplab.table([[1, 0, 0], [1, 0, 0], [1, 0, 0], [1, 1, 0]])  # the last is another's
    shares = singled_out(table, copy)
    assert shares[2] == (1.0, 0.0)
    assert shares[1][0] in (0, 1 / 3, 2 / 3)
    assert 3 not in shares
    back = pplab.table(copy.frame()[["user", "item"]], user="user", item="item")
    with pytest.raises(ValueError, match="table and release must have the same items"):
        singled_out(table, back)  # a row number is no person


def test_a_frame_is_told_the_call_that_makes_a_table(tmp_path):
    with pytest.raises(TypeError, match=r"pplab.table\(frame, user='userId', item='movieId', val"):
        protect(RATED[["userId", "movieId", "rating"]], method="smooth", k=4, folder=tmp_path)


def test_gaussian_says_what_it_publishes_as_it_is(tmp_path):
    made = pplab.table([[3, 1], [3, 5]])
    protect(made, method="gaussian", sigma=1, rating_range=(1, 5), folder=tmp_path / "a", rng=1)
    assert set(pd.read_csv(tmp_path / "a" / "release.csv")["rating"][::2]) == {3.0}
    label = (tmp_path / "a" / "release-label.html").read_text()
    assert "an item with one value throughout is published as it is" in label


def test_what_was_left_out_and_what_an_entry_means_is_told(ratings):
    result, folder = run(ratings, "suppress", *SETTINGS["suppress"])
    kept = int((RATED.rating >= 3).sum())
    assert f"{kept} of {len(RATED)} entries have rating at least 3" in result.stderr
    assert "not read: timestamp" in result.stderr
    label = (folder / "release-label.html").read_text()
    assert "rating at least 3" in label
    assert "anyone who knows a person&#39;s id finds the row" in label
    result, folder = run(ratings, "noise", *SETTINGS["noise"], "--seed", "1", out="noise")
    assert "entries will be published for" in result.stderr
    assert "anyone who knows its seed can remove the noise" in (
        folder / "release-label.html"
    ).read_text().replace("\n", " ")


def test_the_report_of_means_counts_true_ratings_only(ratings):
    """Imputed values are not compared, and ratings that can be computed back are counted."""
    result, _ = run(ratings, "microaggregate", *SETTINGS["microaggregate"], "--json")
    report = json.loads(result.stdout)
    table = pplab.table(RATED, user="userId", item="movieId", value="rating")
    means = pplab.microaggregate(table, 4, rating_range=(0.5, 5))
    rows, columns = table.matrix.nonzero()
    errors = means.protected[rows, columns] - table.matrix.data
    expected = float(np.sqrt((errors**2).mean()))
    assert report["root mean squared error of ratings"] == pytest.approx(expected)
    groups = pd.Series(means.labels)
    raters = pd.DataFrame({"group": groups[rows].to_numpy(), "item": columns}).value_counts()
    alone = "ratings alone in their group, which can be computed"
    assert report.get(alone, 0) == int((raters == 1).sum())
    size = groups.value_counts()
    number = {(g, i): n for (g, i), n in raters.items()}
    for row, column, rating in zip(rows, columns, table.matrix.data, strict=True):
        if number[groups[row], column] == 1:  # the mean gives it away
            many = size[groups[row]]
            assert many * means.protected[row, column] - (many - 1) * 2.75 == pytest.approx(rating)


def test_a_rating_of_zero_is_a_rating_in_the_report(tmp_path):
    """It was dropped on one side of a difference, which then had two lengths."""
    frame = pd.DataFrame({"user": [1, 1, 2, 2, 3, 3, 4, 4], "item": [1, 2, 1, 2, 1, 2, 1, 3]})
    for method, own in (("microaggregate", {"k": 2}), ("gaussian", {"sigma": 0.3, "rng": 1})):
        reports = []
        for low in (0, 1):
            stars = frame.assign(x=low + np.array([0, 5, 4, 3, 0, 2, 1, 5]))
            own |= {"rating_range": (low, low + 5), "folder": tmp_path / f"{method}{low}"}
            table = pplab.table(stars, **NAMES)
            reports.append(protect(table, method=method, **own))
        assert reports[0] == pytest.approx(reports[1])
    own |= {"folder": tmp_path / "ones"}
    assert protect(pplab.table(frame.assign(x=1), **NAMES), method=method, **own)["k achieved"]


def test_friendships_and_headers_are_not_a_table(tmp_path):
    friends = tmp_path / "friends.csv"
    friends.write_text("userId,movieId\nAnn,Bob\nBob,Cy\nCy,Dan\n")
    result, folder = run(friends, "smooth", "--k", "2", value=None)
    assert "must be of users and items, got 'Bob' as both; a list of friendships" in result.output
    assert not folder.exists()
    loans = tmp_path / "loans.csv"
    loans.write_text("userId,movieId\n7,x\n8,y\n")
    (tmp_path / "all").write_text("userId,movieId\n7\n8\n")
    more = ["--epsilon", "1", "--users", str(tmp_path / "all"), "--items", str(tmp_path / "all")]
    result, folder = run(loans, "noise", *more, value=None)
    assert "must list labels alone, got the header 'userId,movieId'; leave it" in result.output
    for label, got in (
        (b"id", "got 'id'"),
        (b"1_0", "got '1_0'"),
        (b"\xe9", "all must be UTF-8, got another encoding"),
    ):
        (tmp_path / "all").write_bytes(b"7\n8\n" + label)
        assert got in run(loans, "noise", *more, value=None)[0].output


def test_ratings_that_nobody_named_are_not_compared(tmp_path):
    """The label said "a None of 1 or more"."""
    RATED[["userId", "movieId"]].to_csv(tmp_path / "ones.csv", index=False)
    result, folder = run(tmp_path / "ones.csv", "suppress", "--k", "4", "--keep", "1", value=None)
    assert "--keep compares ratings: give --value COLUMN" in result.output
    assert not folder.exists()


def test_a_label_that_has_the_letters_of_a_column_is_no_header(tmp_path):
    """A list is a column of a CSV file: in quotes or not, and with ends of lines of its own."""
    lines = pd.DataFrame({"id": ["david", "ida"], "it": ["a \u2028summit", 'the "pit", red']})
    lines.to_csv(tmp_path / "r.csv", index=False, header=False)
    for name, labels in (("users", lines["id"]), ("items", lines["it"])):
        labels.to_csv(tmp_path / name, index=False, header=False)
    command = (
        f"{tmp_path / 'r.csv'} --names id,it --user id --item it --method noise --epsilon 1".split()
    )
    command += ["--users", str(tmp_path / "users"), "--items", str(tmp_path / "items")]
    result = CliRunner().invoke(app, ["protect", *command, "--out", str(tmp_path / "out")])
    assert result.exit_code == 0, result.output
    assert "public: 2 users x 2 items" in (tmp_path / "out" / "release-label.html").read_text()
