"""Microaggregation experiments: each claim finds its rows, each answer could be the other."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from pplab.microaggregation.microaggregate import complete
from pplab.microaggregation.noise import prepare
from pplab_papers import PARTS
from pplab_papers.microaggregation import planes, statements, tables
from pplab_papers.microaggregation.tables import movielens_noise, risk_in_per_cent
from tests.pplab_papers.parts import complaints, frame_of, made

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
    results = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "IMPUTATIONS", ("midpoint", "item-mean"))  # five take minutes
        patch.setattr(statements, "TABLES", 200)
        patch.setattr(statements, "EQUATION_TABLES", 50)
        for name in NAMES:
            part = PARTS["microaggregation", name]
            few = dict.fromkeys(part.full_options, 2)
            results[name] = frame_of(part, data, few)
    return results


def test_every_claim_is_judged_and_every_statement_has_one(frames):
    parts = [PARTS["microaggregation", name] for name in NAMES]
    found = [complaints(part, frames[part.name], frames) for part in parts]
    assert [text for texts in found for text in texts] == []


def test_risk_and_its_spread_in_per_cent():
    """One group always has its hit, one has it in two orders of three, one never."""
    risks, labels = np.array([0.5, 0.5, 1 / 3, 1 / 3, 0, 0]), np.array([0, 0, 1, 1, 2, 2])
    row = risk_in_per_cent(risks, labels)
    assert row["value"] == pytest.approx(100 * (5 / 3) / 6)
    assert row["sd"] == pytest.approx(100 * np.sqrt(2 / 3 * 1 / 3) / 6)


def test_the_scale_cuts_more_of_more_noise(frames):
    table = frames["movielens_noise"]
    left = table[table["quantity"] == "share of noise left"]["value"]
    assert 0.5 < left.iloc[0] <= 1
    assert (left.diff().iloc[1:] < 0).all()


def test_what_is_not_cut_has_the_error_that_it_is_held_against(movielens):
    prepared = prepare(movielens.ratings, impute="midpoint", rating_range=(1, 5))
    drawn = tables.noise_runs(prepared, sigma=2, seeds=range(20), truncate=False)["sse"]
    table = movielens_noise(movielens, rng=1, runs=2).query("sigma == 2").set_index("quantity")
    uncut = table.loc["sse exact", "value"] / table.loc["share of noise left", "value"]
    assert np.mean(drawn) == pytest.approx(uncut, rel=0.02)


def test_the_search_covers_each_convention_and_each_limit(frames):
    table = frames["noise_conventions"]
    assert (table["quantity"] == "misfit").sum() == 24
    limits = table[table["quantity"] == "limit"]
    assert len(limits) == 36
    same = limits["reference"] == limits["protected"]
    assert (limits[same]["value"] == 0).all()


def test_a_convention_is_as_good_as_its_worst_column():
    rows = pd.DataFrame(
        {
            "impute": "midpoint",
            "rounding": "rounded",
            "truncation": ["truncated", "truncated", "not truncated", "not truncated"],
            "scale": "noise on ratings",
            "value": [1.0, 4.0, 3.0, 3.0],
            "printed": 2.0,
        }
    )
    result = tables._misfits(rows).set_index("truncation")["value"]
    assert result.to_dict() == pytest.approx({"not truncated": np.log(1.5), "truncated": np.log(2)})


def test_a_column_without_a_label_has_a_range(frames):
    table = frames["movielens_mdav"]
    last = table[table["column"] == 15]
    assert (last["low"] <= last["value"]).all()
    assert (last["value"] <= last["high"]).all()
    assert table.loc[table["column"] < 15, "low"].isna().all()


def test_what_is_said_of_curves():
    """A line, a bend, and a curve that falls; risks that both methods reach."""
    k, sigma = np.array([2.0, 50, 100, 150]), np.array([0.25, 2, 10, 20, 50])
    mdav = {("sse",): np.array([1.0, 2, 3, 4])}
    noise = {("sse",): np.array([1.0, 2, 3, 4, 9])}
    for linkage in tables.DIRECTIONS:
        for ties in tables.TIES:
            mdav["dr", linkage, ties] = np.array([40.0, 20, 2, 1])
            noise["dr", linkage, ties] = np.array([90.0, 30, 20, 2, 1])
    for split, (ours, theirs) in {
        "line": (0.7 + 0.001 * k, [0.1, 1.0, 2.0, 2.2, 2.5]),
        "bend": (np.log(k), [1.0, 1.01, 2.0, 1.9, 9.0]),
        "falls": (1 - 0.001 * k, sigma),
    }.items():
        mdav["mae", split], noise["mae", split] = np.array(ours), np.array(theirs)
    result = planes._curves({"mdav": k, "noise": sigma}, {"mdav": mdav, "noise": noise})
    rows = pd.DataFrame(result)
    facts = rows.set_index(["quantity", "split"])["value"]
    assert facts["slope in k"].tolist() == pytest.approx([0.001, 0.0275, -0.001], rel=0.01)
    assert (facts["left by a line in k"] < 0.05).tolist() == [True, False, True]
    ratio = facts["slope at low sigma"] / facts["slope at high sigma"]
    assert (ratio > 3).tolist() == [True, False, False]
    steps = rows[rows["quantity"] == "step of the mae in sigma"].groupby("split", sort=False)
    assert (steps["value"].min() > 0).tolist() == [True, False, True]
    at_risk = rows.query("quantity == 'sse at risk' and release == 'mdav' and ties == 'at random'")
    at_risk = at_risk[at_risk["linkage"] == "protected to original"].set_index("risk")["value"]
    assert (at_risk[30], at_risk[2], at_risk[1]) == (1.5, 3, 4)  # straight lines join the points
    gap = rows.query("quantity == 'mae gap at risk' and split == 'line' and risk == 20")["value"]
    assert gap.tolist() == pytest.approx([0.75 - 2.0] * 4)
    shapes = rows.query(
        "quantity == 'distance of shapes' and release == 'mdav' and split == 'line'"
    )
    assert shapes.groupby("against")["value"].max().to_dict() == pytest.approx(
        {"no growth": 1, "sse": 0}, abs=0.05
    )


def test_held_out_cells_against_a_slow_twin(movielens):
    """Everybody is given the same row: then the errors are known without a neighbour."""
    ratings = movielens.ratings
    row = np.linspace(1, 5, ratings.shape[1])
    protect = lambda table, _: np.tile(row, (table.shape[0], 1))  # noqa: E731 one line, once
    result = planes.cells_held_out(ratings, protect, (1, 5), seed=3)
    table = complete(ratings, impute="midpoint", rating_range=(1, 5))
    rated = np.zeros(table.shape, dtype=bool)
    rated[ratings.tocoo().coords] = True
    hidden = result["cells held out, rated cells scored"]
    assert hidden == pytest.approx(np.abs(table - row)[rated].mean(), abs=0.15)
    empty = np.abs(table - row)[~rated].mean()
    share = rated.mean()  # both kinds of cell are held out alike
    both = share * hidden + (1 - share) * empty
    assert result["cells held out, all cells scored"] == pytest.approx(both, rel=1e-3)
    users = planes.users_held_out(ratings, protect, (1, 5), seed=3)
    assert len(users) == 3
    assert users["users held out, rated cells scored"] == pytest.approx(
        users["users held out, nearest by rated cells, rated cells scored"]
    )


def test_statements_come_out_as_known(frames):
    result = frames["statements"].set_index("statement")["value"]
    false = ["3:most-homogeneous", "3:attribute-disclosure"]
    true = ["3:k-anonymous", "3:equations-1-and-2", "3:leftover-always-better", "2.2:group-sizes"]
    for value, names in enumerate((false, true)):
        assert (result[[f"section-{name}" for name in names]] == value).all()


def test_same_seed_same_rows(frames, movielens):
    seed = PARTS["microaggregation", "planes_movielens"].seed
    again, other = (
        planes.planes_movielens(movielens, rng=each, runs=2, splits=2) for each in (seed, seed + 1)
    )
    assert frames["planes_movielens"].equals(again)
    assert not again.equals(other)
