"""Copies and comparisons of smooth anonymity: claims find rows, answers can be the other."""

import numpy as np
import pandas as pd
import pytest

from pplab.datasets.blocks import block_model
from pplab.datasets.load import load_dataset
from pplab.ledger.registry import papers
from pplab.ledger.rules import read_rules
from pplab.papers import smooth
from pplab.papers.smooth import across, copies, lemmas, paper
from tests.papers.parts import complaints, first_rows, frame_of

PARTS = {
    part.name: part
    for part in smooth.PARTS
    if part.name.startswith(("copies_", "edge_dp", "across_", "identities"))
}
FEW = {"repetitions": 2, "draws": 20, "copies": 20}


@pytest.fixture(scope="module")
def data():
    graph = block_model(block_size=20, blocks=6, inside=0.3, outside=0.01, rng=1)
    tables = {
        (name, None): first_rows(load_dataset(name, source="standin"), 220)
        for name in ("adult", "playstore")
    }
    return tables | {("dblp-2010", None): graph, ("cnr-2000", None): graph}


@pytest.fixture(scope="module")
def frames(data):
    return {name: frame_of(part, data, FEW) for name, part in PARTS.items()}


def test_every_claim_is_judged_and_every_statement_has_one(frames):
    assert [said for name in PARTS for said in complaints(PARTS[name], frames[name])] == []


def test_runs_share_groups_between_votes_and_differ_by_seed(data):
    recipe = copies.Recipe(data["adult", None].biadjacency)
    rng = np.random.default_rng(3)
    runs = copies.runs_of(recipe, rng=rng, repetitions=2, ks=(4,))
    jaccard = runs.set_index(["reading", "repetition"])["jaccard"]
    for name in copies.ASSIGNMENTS:
        for run in range(2):
            kept, dropped = (jaccard[f"{name}, half {what}", run] for what in ("kept", "dropped"))
            assert kept >= dropped >= jaccard[name, run]
            assert jaccard[f"{name}, {copies.CUT}", run] >= jaccard[name, run]
    assert jaccard[next(iter(copies.ASSIGNMENTS)), 0] != jaccard[next(iter(copies.ASSIGNMENTS)), 1]


def made_runs(smooth_values, other_values):
    rows = [
        {"k": k, "repetition": run, "method": method, "reading": reading}
        | {"jaccard": value + run, "suppressed": 100 - value - run, "created": 0.0}
        for method, reading, values in (
            ("smooth", copies.SMOOTH, smooth_values),
            ("non-smooth", copies.PLAIN, other_values),
        )
        for k, value in zip(paper.K, values, strict=True)
        for run in range(2)
    ]
    return pd.DataFrame(rows)


FALLING = (90, 80, 70, 60, 50, 40)


def test_sentences_on_curves_hold_or_not():
    for better, worse, beats, falls in (
        (FALLING, (85, 70, 60, 50, 40, 30), 1, 1),
        (FALLING, (95, 70, 60, 50, 40, 30), 0, 1),
        (FALLING, (80, 70, 60, 50, 40, 40), 0, 1),
        ((90, 80, 70, 60, 75, 40), (80, 70, 60, 50, 40, 30), 1, 0),
    ):
        found = copies.about_curves("dblp", made_runs(better, worse), pd.DataFrame())
        assert found["figures-3-5:smooth-beats-non-smooth:dblp"][0] == beats
        assert found["figures-3-5:falls-with-k:dblp"][0] == falls
        assert found["table-3:suppresses-less:dblp"][0]


def test_mondrian_must_lose_in_every_form():
    runs = made_runs(FALLING, (80, 70, 60, 50, 40, 30))
    fixed = pd.DataFrame(
        {"k": k, "repetition": 0, "method": "mondrian", "reading": form, "jaccard": value}
        for form, value in (("columns, median", 20), ("columns, balanced", 45))
        for k in paper.K
    )
    found = copies.about_curves("adult", runs, fixed)
    assert not found["figures-3-5:smooth-beats-mondrian:adult"][0]
    assert not found["figure-3a:mondrian-at-large-k"][0]
    assert found["section-6:non-smooth-at-small-k:adult"][0]


def test_levels_of_similarities_at_the_ends():
    assert copies.equal_epsilon(0.0, 0.1) == 0
    assert copies.equal_epsilon(50.0, 0.1) == pytest.approx(np.log(10))
    assert copies.equal_epsilon(100.0, 0.1) == np.inf


@pytest.mark.parametrize(
    ("row", "fits"),
    [((59.9, 40.1, 0.0), True), ((68.1, 17.7, 21.0), True), ((68.3, 17.7, 21.0), False)],
)
def test_the_identity_allows_rounding_only(row, fits):
    assert lemmas._identity(*row)[0] == fits


def test_densities_are_held_to_their_digits():
    assert lemmas._density(0.0784, "0.078")[0]
    assert not lemmas._density(0.0786, "0.078")[0]


def test_copies_and_draws_are_told_apart(data, monkeypatch):
    adult = data["adult", None]
    rng = np.random.default_rng(1)
    assert across._same_as_copies(adult, rng, 60)[0]
    monkeypatch.setattr(across, "epsilon_to_flip", lambda _: 0.4)
    assert not across._same_as_copies(adult, rng, 60)[0]


def test_about_ten_is_a_range():
    assert across._needs_ten(2_099_732, 317_080**2)[0]
    assert not across._needs_ten(260_488, 32_561 * 102)[0]


def test_spreads_are_the_largest_of_the_curve():
    table = across.curve({"a": (100, 10_000)}, epsilons=(1.0, 6.0), rng=1, draws=200)
    found = across.spreads(table, 200).set_index("reading")["value"]
    assert found["one copy per run"] == pytest.approx(100 * table["sd"].max())
    assert found["mean of the draws of a run"] < found["one copy per run"]


def test_denser_is_better_or_not():
    densities = {"a": 0.1, "b": 0.01}
    assert across._denser_better(densities, (("a", "b"),))["figure-3c:denser-better:a-b"][0]
    assert not across._denser_better(densities, (("b", "a"),))["figure-3c:denser-better:b-a"][0]


def test_printed_values_are_those_of_the_ledger():
    printed = {
        claim.id: claim.published
        for claim in read_rules(papers()["smooth"])
        if claim.id.startswith(("smooth:table-1:", "smooth:table-3:"))
    }
    for number, table in ((1, paper.TABLE_1), (3, paper.TABLE_3)):
        for (name, method), row in table.items():
            for quantity, value in zip(("jaccard", "suppressed", "created"), row, strict=True):
                identity = f"smooth:table-{number}:{name}:{method}:{quantity}"
                if name != "user-lists":
                    assert float(printed[identity]) == value
