"""Microaggregation experiments: each claim finds its rows, each answer could be the other."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from pplab.microaggregation.microaggregate import complete
from pplab.papers import PARTS
from pplab.papers.microaggregation import conventions, paper, planes, statements
from pplab.papers.microaggregation.prediction import cells_held_out, users_held_out
from pplab.papers.microaggregation.tables import risk_in_per_cent
from tests.papers.parts import complaints, frame_of, made

NAMES = [name for part_paper, name in PARTS if part_paper == "microaggregation"]


def small(name, low, high, seed):
    """320 users, 12 items, two thirds rated; more users than the largest k."""
    rng = np.random.default_rng(seed)
    ratings = rng.integers(low, high + 1, (320, 12)).astype(float)
    rows, columns = np.nonzero(rng.random(ratings.shape) < 0.67)
    stored = (ratings[rows, columns], (rows, columns))
    return made(name, ratings=sparse.csr_array(stored, shape=ratings.shape))


@pytest.fixture(scope="module")
def movielens():
    return small("movielens-100k", 1, 5, 1)


@pytest.fixture(scope="module")
def jester():
    return small("jester", -10, 10, 2)


@pytest.fixture(scope="module")
def frames(movielens, jester):
    """Every part, once, on the small data."""
    data = {("movielens-100k", None): movielens, ("jester", None): jester}
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(conventions, "IMPUTATIONS", ("midpoint", "item-mean"))  # five take minutes
        patch.setattr(statements, "TABLES", 200)
        patch.setattr(statements, "EQUATION_TABLES", 50)
        for name in NAMES:
            part = PARTS["microaggregation", name]
            few = {"runs": 2} if "runs" in part.full_options else {}
            found[name] = frame_of(part, data, few)
    return found


def test_every_claim_is_judged_and_every_statement_has_one(frames):
    parts = {name: PARTS["microaggregation", name] for name in NAMES}
    assert [said for name in NAMES for said in complaints(parts[name], frames[name])] == []


def test_risk_and_its_spread_in_per_cent():
    """One group always has its hit, one has it in two orders of three, one never."""
    risks, labels = np.array([0.5, 0.5, 1 / 3, 1 / 3, 0, 0]), np.array([0, 0, 1, 1, 2, 2])
    row = risk_in_per_cent(risks, labels)
    assert row["value"] == pytest.approx(100 * (5 / 3) / 6)
    assert row["sd"] == pytest.approx(100 * np.sqrt(2 / 3 * 1 / 3) / 6)


def test_noise_as_described_is_the_mean_of_gaussian_noise(frames):
    table = frames["movielens_noise"]
    wild = table[(table["reading"] == "not truncated") & (table["quantity"] == "sse exact")]
    tame = table[(table["reading"] == "as described") & (table["quantity"] == "sse exact")]
    assert (wild["value"].to_numpy() >= tame["value"].to_numpy()).all()
    # without truncation the error is sigma^2 times the total variance
    ratio = wild["value"].to_numpy() / wild["sigma"].to_numpy() ** 2
    assert ratio == pytest.approx(ratio.mean(), rel=0.1)


def test_the_search_covers_each_convention_and_each_limit(frames):
    table = frames["noise_conventions"]
    assert (table["quantity"] == "misfit").sum() == 24
    limits = table[table["quantity"] == "limit"]
    assert len(limits) == 36
    same = limits["reference"] == limits["protected"]
    assert (limits[same]["value"] == 0).all()


@pytest.mark.parametrize(("gap", "met"), [(0.4, 17), (1.4, 16), (-0.1, 16)])
def test_a_convention_is_held_against_cut_digits(gap, met):
    rows = pd.DataFrame(
        {
            "impute": "midpoint",
            "rounding": "rounded",
            "truncation": "truncated",
            "scale": "noise on ratings",
            "value": [printed + 0.5 for printed in paper.TABLE_2_SSE[:-1]]
            + [paper.TABLE_2_SSE[-1] + gap],
            "sd": 0.0,
            "rated": 1.0,
            "printed": paper.TABLE_2_SSE,
        }
    )
    assert conventions._misfits(rows)["columns_met"].item() == met


def test_a_column_without_a_label_has_a_range(frames):
    table = frames["movielens_mdav"]
    last = table[table["column"] == 15]
    assert (last["low"] <= last["value"]).all()
    assert (last["value"] <= last["high"]).all()
    assert table.loc[table["column"] < 15, "low"].isna().all()


def test_what_is_said_of_curves():
    """A line, a bend, a step back, and risks that both methods reach."""
    k, sigma = np.array([2.0, 50, 100, 150]), np.array([0.25, 2, 10, 20, 50])
    mdav = pd.DataFrame({"parameter": k, "dr": [40, 20, 2, 1], "sse": [1, 2, 3, 4]})
    noise = pd.DataFrame({"parameter": sigma, "dr": [90, 30, 20, 2, 1], "sse": [1, 2, 3, 4, 9]})
    for split, (ours, theirs) in {
        "cells": (0.7 + 0.001 * k, [0.1, 1.0, 2.0, 2.2, 2.5]),
        "users": (np.log(k), [1.0, 1.01, 2.0, 1.9, 9.0]),
        "users by rated cells": (1 - 0.001 * k, sigma),
    }.items():
        mdav[f"mae, {split}"], noise[f"mae, {split}"] = ours, theirs
    points = pd.concat([mdav.assign(method="mdav"), noise.assign(method="noise")])
    rows = pd.DataFrame(planes._curves(points)).set_index(["quantity", "split"])["value"]
    assert rows["slope in k"].tolist() == pytest.approx([0.001, 0.0275, -0.001], rel=0.01)
    assert (rows["left by a line in k"] < 0.05).tolist() == [True, False, True]
    ratio = rows["slope at low sigma"] / rows["slope at high sigma"]
    assert (ratio > 3).tolist() == [True, False, False]
    assert (rows["smallest step of the mae in sigma"] > 0).tolist() == [True, False, True]
    assert planes.at_risk(mdav, "sse", 30) == 1.5  # straight lines join the points
    assert planes.at_risk(mdav, "sse", 2) == 3
    assert planes.at_risk(mdav, "sse", 0.1) == 4


def test_held_out_cells_against_a_slow_twin(movielens):
    """Everybody is given the same row: then the errors are known without a neighbour."""
    ratings = movielens.ratings
    row = np.linspace(1, 5, ratings.shape[1])
    protect = lambda table, _: np.tile(row, (table.shape[0], 1))  # noqa: E731 one line, once
    found = cells_held_out(ratings, protect, (1, 5), seed=3)
    table = complete(ratings, impute="midpoint", rating_range=(1, 5))
    rated = np.zeros(table.shape, dtype=bool)
    rated[ratings.tocoo().coords] = True
    hidden = found["cells held out, rated cells scored"]
    assert hidden == pytest.approx(np.abs(table - row)[rated].mean(), abs=0.15)
    empty = np.abs(table - row)[~rated].mean()
    share = rated.mean()  # both kinds of cell are held out alike
    both = share * hidden + (1 - share) * empty
    assert found["cells held out, all cells scored"] == pytest.approx(both, rel=1e-3)
    users = users_held_out(ratings, protect, (1, 5), seed=3)
    assert len(users) == 3
    assert users["users held out, rated cells scored"] == pytest.approx(
        users["users held out, nearest by rated cells, rated cells scored"]
    )


def test_statements_come_out_as_known(frames):
    found = frames["statements"].set_index("statement")["value"]
    false = ["3:most-homogeneous", "3:attribute-disclosure"]
    true = ["3:k-anonymous", "3:equations-1-and-2", "3:leftover-always-better", "2.2:group-sizes"]
    for value, names in enumerate((false, true)):
        assert (found[[f"section-{name}" for name in names]] == value).all()


def test_same_seed_same_rows(movielens):
    first, second, other = (
        planes.planes_movielens(movielens, rng=seed, runs=2) for seed in (1, 1, 2)
    )
    assert first.equals(second)
    assert not first.equals(other)
