"""The yardstick on a small block model, and that no total counts it."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from claimbook.reproduce import select_parts
from claimbook.rules import read_rules
from pplab.datasets.catalog import Dataset
from pplab.recommenders.private import NoisyCovariance
from pplab_papers.collection import COLLECTION, apart, find_paper, papers, read_result
from pplab_papers.yardstick import compare, person
from tests.helpers import mirrored

FEW = {
    compare.NOISE: (1, 6),
    compare.CLUSTERS: (0.3, 3),
    compare.SMOOTH: (3, 20),
    compare.MEANS: (3, 20),
}


@pytest.fixture(scope="module", autouse=True)
def _few_strengths():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compare, "STRENGTHS", FEW)
        yield


@pytest.fixture(scope="module")
def measured():
    random = np.random.default_rng(5)
    block = random.integers(0, 4, 150)
    likes = random.random((150, 40)) < (0.6 * random.random((4, 40)))[block]
    near = np.where(block[:, None] == block, 0.3, 0.01)
    social = mirrored(random.random((150, 150)) < near).astype(float)
    return compare.compare(likes, rng=1, seeds=2, social=social)


def test_no_total_counts_it():
    assert "yardstick" not in papers()
    assert "yardstick" in apart()
    assert {paper.key for paper, _ in select_parts(COLLECTION.chosen())} == set(papers())
    assert {part.name for _, part in select_parts(COLLECTION.chosen("yardstick"))} == {
        *("lastfm", "movielens", "person-movielens", "person-jester", "person-audit"),
        *("capped-movielens", "capped-jester"),
    }
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
    result = compare.compare(likes, rng=1, seeds=1)
    assert compare.CLUSTERS not in set(result["family"])


def test_an_order_is_reversed_only_where_intervals_are_apart():
    def row(family, attacker, low, high):
        return {"family": family, "attacker": attacker, "low": low, "high": high}

    one = [row("a", "link", 0.1, 0.2), row("b", "link", 0.3, 0.4)]
    assert compare._reversals([*one, row("a", "insiders", 5, 6), row("b", "insiders", 1, 2)]) == 1
    assert compare._reversals([*one, row("a", "insiders", 1.5, 6), row("b", "insiders", 1, 2)]) == 0


def _around(frame, family, recall):
    """The strength with this recall, or the two that enclose it."""
    rows = frame[(frame["quantity"] == "recall") & (frame["family"] == family)]
    worse, better = rows[rows["value"] <= recall], rows[rows["value"] >= recall]
    ends = {worse.nlargest(1, "value").iloc[0]["strength"]} if len(worse) else set()
    ends |= {better.nsmallest(1, "value").iloc[0]["strength"]} if len(better) else set()
    return " to ".join(f"{end:g}" for end in sorted(ends))


@pytest.mark.parametrize(("data", "title"), [("lastfm", "Last.fm"), ("movielens", "MovieLens")])
def test_the_page_prints_the_stored_numbers(data, title):
    """Strengths around equal usefulness, recall and advantages with two decimals; else words."""
    text = (Path(__file__).parents[2] / "docs/which-release.md").read_text()
    lines = text[text.index(f"| {title}:") :].split("\n\n")[0].splitlines()
    attackers = [cell.strip() for cell in lines[0].strip("|").split("|")][2:]
    result = read_result("yardstick", data)
    assert result
    stored = result.frame.query("at == 'equal' and family > ''")
    stored = stored.set_index(["family", "attacker"])
    texts = {}
    for line in lines[2:]:
        name, recall, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        family, _, strengths = name.partition(", ")
        for attacker, cell in zip(attackers, cells, strict=True):
            if cell[:1].isdigit() or cell[:1] == "-":
                texts[family, attacker] = (strengths[2:], recall, cell)
    measured = {
        name: (_around(result.frame, name[0], row.recall), f"{row.recall:.2f}", f"{row.value:.2f}")
        for name, row in zip(stored.index, stored.itertuples(), strict=True)
    }
    assert texts == measured


# A promise for a person.


def tiny(kind, users=40, items=25):
    """A data set with as few cells as the settings allow; one person has nothing."""
    rng = np.random.default_rng(9)
    low, high = person.SETTINGS[kind]["range"]
    known = rng.random((users, items)) < 0.8
    known[1] = False
    table = sparse.csr_array(np.where(known, rng.integers(low, high + 1, known.shape) + 0.5, 0))
    table.data -= 0.5
    return Dataset(name=kind, source="generated", users=None, items=None, ratings=table)


def test_use_is_measured_for_both_mechanisms_at_each_level(monkeypatch):
    monkeypatch.setattr(person, "STEPS", 3)
    # what noise a level asks for is tested where it is computed, and takes half a minute here
    monkeypatch.setattr(person, "noise_for", lambda level, **_: 1 / level)
    both = (person.person(tiny(name), rng=1, seeds=2) for name in person.SETTINGS)
    result = pd.concat(both)
    use = result[result["quantity"].isin(["recall", "rmse"])]
    assert ((use["low"] <= use["value"]) & (use["value"] <= use["high"])).all()
    for (_, quantity), rows in use.groupby(["data", "quantity"]):
        for family in (person.COVARIANCE, person.FACTORISATION):
            assert set(rows.loc[rows["family"] == family, "epsilon"]) == {"inf", "8", "3", "1"}
        flipped = rows.loc[rows["family"] == person.NOISE, "epsilon"]
        assert set(flipped) == ({"8", "3", "1"} if quantity == "recall" else set())
    recall = use.loc[use["quantity"] == "recall", "value"]
    assert recall.between(0, 1).all()


def test_recall_and_error_of_predictions_known_by_hand():
    shown = sparse.csr_array(np.array([[1.0, 0, 0, 0], [0, 0, 1, 0]]))
    hidden = sparse.csr_array(np.array([[0, 1.0, 0, 1], [1, 0, 0, 0]]))
    scores = np.array([[9.0, 3, 2, 1], [1, 2, 9, 3]])
    assert person._recall(scores, shown, hidden, 2) == (1 / 2 + 0) / 2
    assert person._error(scores, hidden) == pytest.approx(np.sqrt((4 + 0 + 0) / 3))
    held = person._split(shown, np.random.default_rng(1))
    assert (held[0] + held[1]).toarray().tolist() == shown.toarray().tolist()


def test_capped_families_are_measured_at_each_level_with_the_cap_of_the_rule(monkeypatch):
    monkeypatch.setattr(person, "noise_for", lambda level, **_: 1 / level)
    result = pd.concat(person.capped(tiny(name), rng=1, seeds=2) for name in person.SETTINGS)
    assert ((result["low"] <= result["value"]) & (result["value"] <= result["high"])).all()
    recall = result[result["quantity"] == "recall"]
    for _, rows in recall.groupby("data"):
        for family in (person.FLIPS, person.COUNTS):
            caps = rows[rows["family"] == family].set_index("epsilon")["cap"].to_dict()
            assert caps == {f"{level}": person.cap_for(level, 25) for level in (8, 3, 1)}
    others = result[result["quantity"] == "recall by cap"]
    assert set(others["cap"]) == set(person.OTHER_CAPS)


def test_the_cap_is_the_one_that_estimates_a_count_best():
    """Against the variance written out from the flip probability, in exact terms of the rule."""
    for level in (0.5, 1.0, 3.0, 8.0):
        for items in (3, 100, 1682):
            errors = []
            for cap in range(1, items + 1):
                flip = 1 / (1 + np.exp(level / cap))
                of_flips = flip * (1 - flip) / (1 - 2 * flip) ** 2
                errors.append((cap / items + of_flips) / (cap / items) ** 2)
            assert person.cap_for(level, items) == 1 + int(np.argmin(errors))


def test_a_user_keeps_at_most_the_cap_and_only_likes():
    likes = sparse.csr_array((np.random.default_rng(2).random((60, 12)) < 0.4).astype(float))
    for cap in (1, 3, 12):
        kept = person.kept_likes(likes, cap, np.random.default_rng(3))
        assert (np.diff(kept.indptr) == np.minimum(np.diff(likes.indptr), cap)).all()
        assert (kept.toarray() <= likes.toarray()).all()
    draws = [person.kept_likes(likes[[0]], 1, np.random.default_rng(seed)) for seed in range(300)]
    often = sum(draw.toarray()[0] for draw in draws)[likes[[0]].toarray()[0] > 0]
    assert often.min() > 0.5 * often.mean()  # no like of a user is preferred


def test_sums_with_a_cap_are_the_counts_plus_the_noise_of_the_level():
    likes = sparse.csr_array((np.random.default_rng(4).random((4000, 6)) < 0.5).astype(float))
    for level, cap in ((2.0, 1), (4.0, 2)):
        flip = 1 / (1 + np.exp(level / cap))
        draws = [np.random.default_rng(seed) for seed in range(200)]
        flips = np.array([person.flipped_sums(likes, cap, level, rng) for rng in draws])
        counts = np.array([person.noisy_counts(likes, cap, level, rng) for rng in draws])
        exact = counts.mean(axis=0)
        assert flips.mean(axis=0) == pytest.approx(exact * (1 - 2 * flip) + 4000 * flip, rel=0.01)
        plain = sparse.csr_array((6, 6))  # nobody has a like: noise alone is left
        alone = np.array([person.noisy_counts(plain, cap, level, rng) for rng in draws])
        assert alone.std() == pytest.approx(2**0.5 * cap / level, rel=0.15)


def test_the_audit_of_weaker_noise_is_that_of_the_mechanism_itself():
    """Noise at half the scale, drawn by the mechanism, is half of the noise at full scale."""
    stated, half = (NoisyCovariance(noise=noise, delta=1e-5) for noise in (1.0, 0.5))
    leaning, member = person.canary(stated, 60, np.random.default_rng(3))
    weaker, same = person.canary(half, 60, np.random.default_rng(3))
    assert np.array_equal(member, same)
    assert weaker == pytest.approx(member + 0.5 * (leaning - member))


def test_membership_is_judged_person_by_person(monkeypatch):
    monkeypatch.setattr(person, "LEAST", 3)
    result = person.audit(tiny("movielens-100k"), rng=2, runs=2, samples=400, draws=60)
    outcome = result[result["quantity"] == "membership"]
    assert len(outcome) == 3 * person.PERSONS
    assert (outcome["members"] + outcome["others"] == 30).all()
    assert (outcome["value"] >= 0).all()
    refuted = result[result["quantity"] == "refuted"].set_index("scale")["value"]
    assert refuted[0.5] >= refuted[1.0]
