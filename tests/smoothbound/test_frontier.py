"""The stored frontier: both ends are in order, and the page says what the rows say."""

import pandas as pd
import pytest

from benchmarks import frontier
from pplab.theory.jaccard_law import epsilon_for_jaccard


@pytest.fixture(scope="module")
def stored():
    return pd.read_csv(frontier.OUT)


def test_every_table_was_measured_at_every_size(stored):
    assert set(stored["table"]) == set(frontier.TABLES)
    for name, part in stored.groupby("table"):
        assert part["k"].tolist() == list(frontier.SIZES), name


def test_the_best_copy_is_enclosed_and_falls_with_k(stored):
    assert (stored["kept"] <= stored["bound"]).all()
    for _, table in stored.groupby("table"):
        part = table.reset_index(drop=True)
        assert part["kept"].is_monotonic_decreasing
        assert part["bound"].is_monotonic_decreasing
        again = frontier.with_prices(part)  # what is rounded already stays
        assert (again[["kept", "bound"]] == part[["kept", "bound"]]).all(axis=None)


def test_epsilons_belong_to_the_two_ends(stored):
    for row in stored.to_dict("records"):
        for end, column in (("kept", "least epsilon"), ("bound", "most epsilon")):
            expected = epsilon_for_jaccard(row[end], density=row["density"])
            assert row[column] == pytest.approx(expected, abs=0.01)


def test_the_page_has_the_table_of_the_stored_rows(stored):
    text = frontier.DOCS.read_text()
    assert f"\n\n{frontier.page_table(stored)}\n\n{frontier.MARKS[1]}" in text


def test_a_larger_k_lends_its_copy_and_a_smaller_one_its_bound():
    table = frontier.table_of("block model")[:40]
    rows = [frontier.measured(table, k, certificates="fast") for k in (16, 2, 5)]
    rows[0]["kept"], rows[1]["bound"] = 0.5, 0.6
    result = frontier.with_prices(pd.DataFrame(rows))
    assert result["k"].tolist() == [2, 5, 16]
    assert (result["kept"] >= 0.5).all()
    assert (result["bound"] <= 0.6).all()


def test_the_page_says_what_the_twenty_rows_show():
    """Where the search finds the best copy, what it misses, and what the certificates leave."""
    stored = pd.read_csv(frontier.OUT.with_name("frontier_exact.csv"))
    assert (stored["copy"] <= stored["best"]).all()
    assert (stored["best"] <= stored["certificate"]).all()
    missed = (1 - stored["copy"] / stored["best"]).sort_values().to_numpy()
    left = (1 - stored["best"] / stored["certificate"])[stored["k"] == 8]
    left = left.groupby([stored["table"], stored["chosen"]]).median().map("{:.0%}".format)
    text = " ".join(frontier.DOCS.read_text(encoding="utf-8").split())
    lastfm, movies = (sorted(set(left[name])) for name in ("lastfm", "movielens-100k"))
    assert f"In {(missed < 1e-4).sum()} of {len(stored)} samples" in text
    assert f"In one sample, it falls {missed[-1]:.0%} short" in text
    assert f"in the other eight samples, it falls at most {missed[-2]:.1%} short" in text
    assert f"{' to '.join(lastfm)} on Last.fm and {' to '.join(movies)} on MovieLens" in text
    assert {left["adult", "alike"], left["block model", "alike"]} == {"1%"}
    assert " 1% on " in text
