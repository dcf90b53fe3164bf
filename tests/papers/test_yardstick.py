"""The yardstick on a small block model, and that no total counts it."""

from pathlib import Path

import numpy as np
import pytest

from pplab.ledger.registry import apart, find_paper, papers
from pplab.ledger.reproduce import select_parts
from pplab.ledger.results import read_result
from pplab.ledger.rules import read_rules
from pplab.papers.yardstick import compare

FEW = {
    compare.NOISE: (1, 6),
    compare.CLUSTERS: (0.3, 3),
    compare.SMOOTH: (3, 20),
    compare.MEANS: (3, 20),
}


@pytest.fixture(scope="module")
def measured():
    random = np.random.default_rng(5)
    block = random.integers(0, 4, 150)
    likes = random.random((150, 40)) < (0.6 * random.random((4, 40)))[block]
    near = np.where(block[:, None] == block, 0.3, 0.01)
    friends = np.triu(random.random((150, 150)) < near, 1)
    social = (friends | friends.T).astype(float)
    return compare.compare(likes, rng=1, seeds=2, social=social, strengths=FEW)


def test_no_total_counts_it():
    assert "yardstick" not in papers()
    assert "yardstick" in apart()
    assert {paper.key for paper, _ in select_parts()} == set(papers())
    assert {part.name for _, part in select_parts("yardstick")} == {"lastfm", "movielens"}
    assert all(claim.kind == "own" for claim in read_rules(find_paper("yardstick")))


def test_each_family_meets_each_attacker_or_the_cell_is_empty(measured):
    rows = measured[measured["quantity"] == "advantage"]
    for family in FEW:
        met = set(rows.loc[rows["family"] == family, "attacker"])
        assert met == set(compare.ATTACKERS) - ({"link"} if family == compare.CLUSTERS else set())


def test_values_lie_in_their_intervals_and_below_the_limits(measured):
    assert ((measured["low"] <= measured["value"]) & (measured["value"] <= measured["high"])).all()
    limited = measured.dropna(subset="limit")
    assert (limited["low"] <= limited["limit"] + 0.02).all()
    insiders = measured[(measured["attacker"] == "insiders") & (measured["at"] == "strength")]
    assert (insiders.loc[insiders["family"] == compare.MEANS, "value"] == 1).all()


def test_without_friends_there_are_no_clusters():
    likes = np.random.default_rng(6).random((60, 20)) < 0.5
    found = compare.compare(likes, rng=1, seeds=1, strengths={compare.NOISE: (2,), **FEW})
    assert compare.CLUSTERS not in set(found["family"])


def test_an_order_is_reversed_only_where_intervals_are_apart():
    def row(family, attacker, low, high):
        return {"family": family, "attacker": attacker, "low": low, "high": high}

    one = [row("a", "link", 0.1, 0.2), row("b", "link", 0.3, 0.4)]
    assert compare._reversals([*one, row("a", "insiders", 5, 6), row("b", "insiders", 1, 2)]) == 1
    assert compare._reversals([*one, row("a", "insiders", 1.5, 6), row("b", "insiders", 1, 2)]) == 0


@pytest.mark.parametrize(("data", "title"), [("lastfm", "Last.fm"), ("movielens", "MovieLens")])
def test_the_page_prints_the_stored_numbers(data, title):
    """Recall and advantages at equal usefulness, with two decimals; words where nothing is."""
    text = (Path(__file__).parents[2] / "docs/which-release.md").read_text()
    lines = text[text.index(f"| {title}:") :].split("\n\n")[0].splitlines()
    attackers = [cell.strip() for cell in lines[0].strip("|").split("|")][2:]
    result = read_result("yardstick", data)
    assert result
    stored = result.frame.query("at == 'equal' and family > ''")
    stored = stored.set_index(["family", "attacker"])
    told = {}
    for line in lines[2:]:
        family, recall, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        for attacker, cell in zip(attackers, cells, strict=True):
            if cell[:1].isdigit() or cell[:1] == "-":
                told[family, attacker] = (recall, cell)
    measured = {
        name: (f"{row.recall:.2f}", f"{row.value:.2f}")
        for name, row in zip(stored.index, stored.itertuples(), strict=True)
    }
    assert told == measured
