"""From a file of one's own to a release, its report and its label, by the command."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import pplab
from pplab.cli import app
from pplab.protect import METHODS, protect, singled_out

RNG = np.random.default_rng(3)
CELLS = RNG.random((40, 12)) < 0.5
RATED = pd.DataFrame({"userId": np.nonzero(CELLS)[0] + 500, "movieId": np.nonzero(CELLS)[1] * 7})
RATED["rating"] = RNG.integers(1, 11, len(RATED)) / 2
RATED["timestamp"] = 978300760
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
    asked = ["protect", str(file), *columns, "--method", method, "--out", str(folder), *more]
    return CliRunner().invoke(app, asked), folder


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
    said = {"smooth": "k = 4", "noise": "epsilon = 2", "gaussian": "without a stated level"}
    assert said.get(method, "k = 4") in labels[0]


def test_a_frame_may_come_from_files(ratings):
    users, items = ratings.parent / "users", ratings.parent / "items"
    users.write_text("\n".join(map(str, range(500, 545))))
    items.write_text("\n".join(map(str, range(0, 84, 7))))
    files = ["--users", str(users), "--items", str(items)]
    result, folder = run(ratings, "noise", "--keep", "3", "--epsilon", "1", *files, "--seed", "1")
    assert result.exit_code == 0, result.output
    assert "public: 45 users x 12 items" in (folder / "release-label.html").read_text()
    assert pd.read_csv(folder / "release.csv").userId.max() > 539


@pytest.mark.parametrize(
    ("method", "more", "value", "sentence"),
    [
        ("noise", ["--keep", "3", "--epsilon", "1"], "rating", "found in the entries"),
        ("smooth", ["--keep", "3"], "rating", "takes k, got no k; pass k"),
        ("smooth", ["--k", "4"], "rating", "takes ones, got values; say which"),
        ("smooth", ["--k", "4"], None, "another column of numbers, 'rating'; pass value="),
        ("smooth", ["--k", "4", "--epsilon", "1"], "rating", "epsilon = 1.0; leave it out"),
        ("microaggregate", ["--k", "4"], "rating", "got no rating_range"),
        ("smoth", ["--k", "4"], "rating", "method must be one of 'smooth'"),
        ("smooth", ["--keep", "3", "--k", "41"], "rating", "k must be an integer between 2 and 40"),
        ("smooth", ["--k", "4"], "stars", "the column 'stars' once, got columns"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_leaves_nothing(ratings, method, more, value, sentence):
    result, folder = run(ratings, method, *more, value=value)
    assert result.exit_code == 1
    assert re.search(re.escape(sentence), result.output), result.output
    assert result.output.count("\n") == 1
    assert sorted(path.name for path in folder.parent.iterdir()) == ["ratings.csv"]


def test_a_folder_is_not_overwritten_and_a_fault_leaves_nothing(ratings, monkeypatch):
    (ratings.parent / "out").mkdir()
    result, folder = run(ratings, "suppress", *SETTINGS["suppress"])
    assert "is there already; name a new folder" in result.output
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
    copy = pplab.table([[1, 0, 0], [1, 0, 0], [1, 0, 0], [0, 0, 0]])
    shares = singled_out(table, copy)
    assert shares[2] == (1.0, 0.0)
    assert shares[1][0] in (0, 1 / 3, 2 / 3)
    assert 3 not in shares
