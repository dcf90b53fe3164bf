"""Copies by the paper's recipe: claims find rows, whose numbers are what they say."""

import numpy as np
import pandas as pd
import pytest

from pplab.datasets.blocks import block_model
from pplab.datasets.load import load_dataset
from pplab.papers import smooth
from pplab.papers.smooth import across, copies, paper
from tests.papers.parts import complaints, first_rows, frame_of

PARTS = {part.name: part for part in smooth.PARTS if part.name.startswith(("copies_", "edge_dp"))}
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


def test_ranges_over_ties_hold_the_plain_value(frames):
    frame = frames["copies_adult"]
    wide = frame.dropna(subset="low")
    plain = frame[frame["low"].isna()].set_index(["quantity", "method", "k", "reading"])["value"]
    assert len(wide) > 0
    for row in wide[wide["method"].notna()].to_dict("records"):
        reading = row["reading"].removesuffix(f", {copies.ANY}")
        value = plain[row["quantity"], row["method"], row["k"], reading]
        assert row["low"] - 1e-9 <= value <= row["high"] + 1e-9


def test_groups_can_be_checked_and_differ_by_ties(frames):
    checks = frames["copies_adult"].query("quantity == 'k achieved'")
    assert (checks["value"] >= checks["k"]).all()
    assert checks["labels"].str.len().eq(16).all()
    assert checks["labels"].nunique() > len(checks) / 2


def test_runs_share_groups_between_votes_and_differ_by_seed(data):
    recipe = copies.Recipe(data["adult", None].biadjacency)
    one, other, same = (recipe.runs(4, [seed]) for seed in (3, 4, 3))
    pd.testing.assert_frame_equal(one, same)
    keys = ["assignment", "clusters", "vote"]
    jaccard = one.set_index(keys)["jaccard"]
    for name in copies.ASSIGNMENTS:
        for clusters in copies.CLUSTERS:
            kept, dropped, none = (
                jaccard[name, clusters, vote] for vote in ("half kept", "half dropped", "")
            )
            assert kept >= dropped >= none
        assert jaccard[name, copies.CUT, "half kept"] >= jaccard[name, copies.WHOLE, ""]
    assert set(one["labels"]) & set(other["labels"]) == set()


def made_runs(smooth_values, other_values):
    """Two runs at each k with given similarities, under one assignment and both clusters."""
    rows = [
        {"k": k, "ties": copies.FIRST, "assignment": name, "clusters": clusters}
        | {"method": method, "vote": vote, "jaccard": value + run}
        | {"suppressed": 100 - value - run, "created": 0.0}
        for name in copies.ASSIGNMENTS
        for clusters in copies.CLUSTERS
        for method, vote, values in (
            ("smooth", "half kept", smooth_values),
            ("non-smooth", "", other_values),
        )
        for k, value in zip(paper.K, values, strict=True)
        for run in range(2)
    ]
    return pd.DataFrame(rows)


def test_differences_are_taken_within_a_run():
    ours, theirs = (90, 80, 70, 60, 50, 40), (85, 70, 60, 50, 40, 10)
    fixed = pd.DataFrame({"k": paper.K, "reading": "columns, median", "jaccard": 20.0})
    found = pd.DataFrame(copies._differences(made_runs(ours, theirs), fixed))
    cells = (
        found[found["reading"] == f"{copies.ARRIVAL}, {copies.CUT}"]
        .set_index(["quantity", "k"])
        .sort_index()
    )
    at_2, at_64 = (lambda name, k=k: cells.loc[[(name, k)]].iloc[-1] for k in (2, 64))
    assert at_2("gap to suppression")["value"] == 5
    assert at_2("gap to suppression")["se"] == 0
    assert at_2("gap in suppressed")["value"] == 5
    assert at_2("suppression over Mondrian")["value"] == 65.5
    assert at_64("gap to Mondrian")["value"] == 20.5
    assert at_2("ratio to the best baseline")["value"] == pytest.approx(90.5 / 85.5)
    assert at_64("ratio to the best baseline")["value"] == pytest.approx(40.5 / 20)
    assert (cells["runs"] == 2).all()


def test_levels_of_similarities_at_the_ends():
    assert copies.equal_epsilon(0.0, 0.1) == 0
    assert copies.equal_epsilon(50.0, 0.1) == pytest.approx(np.log(10))
    assert copies.equal_epsilon(100.0, 0.1) == np.inf


def test_copies_and_draws_are_told_apart(data, monkeypatch):
    adult = data["adult", None]
    assert across.edge_dp_copies(adult, rng=1, copies=60)["value"].min() > 0.001
    monkeypatch.setattr(across, "epsilon_to_flip", lambda _: 0.4)
    assert across.edge_dp_copies(adult, rng=1, copies=60)["value"].min() < 0.001


def test_spreads_are_the_largest_of_the_curve():
    table = across.curve({"a": (100, 10_000)}, epsilons=(1.0, 6.0), rng=1, draws=200)
    found = across.spreads(table, 200).set_index("reading")["value"]
    assert found["one copy per run"] == pytest.approx(100 * table["sd"].max())
    assert found["mean of the draws of a run"] < found["one copy per run"]


def test_the_node_level_keeps_hardly_more_than_coins(frames):
    node = frames["edge_dp"].query("quantity == 'node level'")
    assert len(node) == len(paper.TABLE_2)
    assert node["value"].between(0, 0.05).all()
