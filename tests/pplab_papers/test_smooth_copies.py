"""Copies by the paper's recipe: claims find rows, whose numbers are what they say."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from pplab.datasets.blocks import block_model
from pplab.datasets.load import load_dataset
from pplab.theory.jaccard_law import sample_jaccard
from pplab_papers import smooth
from pplab_papers.smooth import copies, paper
from tests.pplab_papers.parts import complaints, first_rows, frame_of

PARTS = {part.name: part for part in smooth.PARTS if part.name.startswith(("copies_", "edge_dp"))}
FEW = {"repetitions": 2, "draws": 20, "copies": 20}


@pytest.fixture(scope="module")
def data():
    graph = block_model(block_size=20, blocks=6, inside=0.3, outside=0.01, rng=1)
    tables = {
        (name, None): first_rows(load_dataset(name, source="standin"), 220)
        for name in ("adult", "playstore")
    }
    return tables | {("com-dblp", None): graph, ("web-stanford", None): graph}


@pytest.fixture(scope="module")
def frames(data):
    return {name: frame_of(part, data, FEW) for name, part in PARTS.items()}


def test_every_claim_is_judged_and_every_statement_has_one(frames):
    assert [text for name in PARTS for text in complaints(PARTS[name], frames[name])] == []


def test_groups_hold_k_and_votes_share_them(data):
    recipe = copies.Recipe(data["adult", None].biadjacency)
    worlds = {}
    for world, labels in recipe.groups(recipe.costs(4), 4, 3):
        worlds[world["assignment"], world["cut"]] = labels
        assert np.bincount(labels).min() >= 4
        kept, none = (recipe.shares(labels, keep)["jaccard"] for keep in ("half", "all"))
        assert kept >= none
    assert list(worlds) == [*product(copies.ASSIGNMENT, copies.CUT)]
    for assignment in copies.ASSIGNMENT:
        whole, pieces = (worlds[assignment, cut] for cut in copies.CUT)
        assert np.bincount(pieces).max() < 8
        assert len(set(zip(whole, pieces, strict=True))) == pieces.max() + 1


def test_runs_differ_by_seed_and_by_ties(data):
    recipe = copies.Recipe(data["adult", None].biadjacency)
    one, same, other = (
        pd.DataFrame(recipe.runs(4, [seed], ties=tuple(copies.TIES))) for seed in (3, 3, 4)
    )
    pd.testing.assert_frame_equal(one, same)
    assert not one["jaccard"].equals(other["jaccard"])
    first, any_of = (table["jaccard"].to_numpy() for _, table in one.groupby("ties", sort=False))
    assert (first != any_of).any()


def test_the_block_model_is_drawn_anew_and_a_table_stays(data, monkeypatch):
    drawn = []

    def draw(**_):
        drawn.append(1)
        return block_model(block_size=10, blocks=4, inside=0.5, outside=0.01, rng=len(drawn))

    monkeypatch.setattr(copies, "block_model", draw)
    options = {"repetitions": 3, "ks": (2, 8), "ties": ("first",), "spreads": (4,)}
    runs = copies.measure(None, rng=np.random.default_rng(1), mondrian_on=("columns",), **options)
    assert len(drawn) == 3
    assert runs.recipe["density"].nunique() == 3
    assert sorted(runs.recipe["run"].unique()) == [0, 1, 2]
    assert runs.mondrian.groupby(["mondrian_cut", "k"]).size().eq(3).all()
    assert "mondrian_on" not in runs.mondrian
    adult = data["adult", None]
    both = ("columns", "attributes")
    runs = copies.measure(adult, rng=np.random.default_rng(1), mondrian_on=both, **options)
    assert set(runs.recipe["density"]) == {copies.density_of(adult.biadjacency)}
    settings = runs.recipe.groupby(["assignment", "cut", "k", "b", "method"])
    assert settings["run"].nunique().eq(3).all()
    assert runs.mondrian.groupby(["mondrian_on", "mondrian_cut", "k"]).size().eq(1).all()


WORLD = {"assignment": "on arrival", "cut": "whole", "ties": "first"}


def made_runs(smooth_values, other_values, k=(2, 64), b=2):
    """Two runs at each k with given similarities, in one world."""
    rows = [
        WORLD
        | {"run": run, "k": at, "b": b, "method": method, "density": 0.1}
        | {"jaccard": value + run, "suppressed": 100 - value - run, "created": 0.0}
        for method, values in (("smooth", smooth_values), ("non-smooth", other_values))
        for at, value in zip(k, values, strict=True)
        for run in range(2)
    ]
    return pd.DataFrame(rows)


def test_gaps_are_taken_within_a_run():
    rival = pd.DataFrame({"k": [2, 64], "mondrian_cut": "median", "jaccard": 20.0})
    rival = rival.assign(suppressed=80.0, created=0.0)
    runs = copies.Runs(made_runs((90, 40), (85, 10)), rival)
    result = pd.DataFrame(copies.rows_over(runs)).set_index(["quantity", "k"]).sort_index()
    assert result.loc[("gap to suppression", 2), "value"].item() == 5
    assert result.loc[("gap to suppression", 2), "se"].item() == 0
    assert result.loc[("gap in suppressed", 2), "value"].item() == 5
    assert result.loc[("suppression over Mondrian", 2), "value"].item() == 65.5
    assert result.loc[("gap to Mondrian", 64), "value"].item() == 20.5
    ratio = result.loc["ratio to the best baseline", "value"]
    assert ratio[2] == pytest.approx(90.5 / 85.5)
    assert ratio[64] == pytest.approx(40.5 / 20)
    own = result[result["assignment"].notna()]
    assert (own["runs"] == 2).all()
    fixed = result[result["method"] == "mondrian"]
    assert fixed["runs"].isna().all()


def test_other_settings_are_held_against_the_paper_s_run_by_run():
    plain = made_runs((80, 70, 60), (0, 0, 0), k=(2, 8, 32))
    other = [made_runs((66 + b,), (0,), k=(8,), b=b) for b in (4, 8)]
    result = pd.DataFrame(copies._other_settings(pd.concat([plain, *other])))
    gaps = result.set_index(["quantity", "other"])["value"].to_dict()
    assert gaps == {
        ("over another b", 4): 0,
        ("over another b", 8): -4,
        ("over another k", 2): -10,
        ("over another k", 32): 10,
    }
    assert (result["runs"] == 2).all()


def test_levels_of_similarities_at_the_ends():
    assert copies.equal_epsilon(0.0, 0.1) == 0
    assert copies.equal_epsilon(50.0, 0.1) == pytest.approx(np.log(10))
    assert copies.equal_epsilon(100.0, 0.1) == np.inf


def test_copies_and_draws_are_told_apart(data, monkeypatch):
    adult = data["adult", None]
    assert copies.edge_dp_copies(adult, rng=1, copies=60)["value"].min() > 0.001
    monkeypatch.setattr(copies, "epsilon_to_flip", lambda _: 0.4)
    assert copies.edge_dp_copies(adult, rng=1, copies=60)["value"].min() < 0.001


def test_spreads_are_the_largest_of_the_curve():
    (result,) = copies.spreads({"a": (100, 10_000)}, rng=1, draws=200)
    known = {"density": 0.01, "cells": 10_000, "size": 200, "rng": np.random.default_rng(1)}
    sds = [sample_jaccard(**known, epsilon=e).std(ddof=1) for e in copies.EDGE_EPSILONS]
    assert result["value"] == pytest.approx(100 * max(sds))
    assert result["se"] < result["sd"] < result["value"]  # ours are 200 copies, theirs ten


def test_the_node_level_keeps_hardly_more_than_coins(frames):
    node, edge = (
        frames["edge_dp"].query("quantity == @level").set_index("data")["value"]
        for level in ("node level", "edge level")
    )
    assert set(node.index) == set(paper.TABLE_2)
    assert node.between(0, 0.05).all()
    assert (edge > 5 * node).all()
