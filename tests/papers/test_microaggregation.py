"""Microaggregation experiments: each claim finds its rows, each answer could be the other."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from pplab.datasets.catalog import Dataset
from pplab.microaggregation.microaggregate import complete
from pplab.papers import PARTS
from pplab.papers.microaggregation import conventions, paper, planes, prediction, statements, tables
from pplab.papers.microaggregation.prediction import cells_held_out, users_held_out
from pplab.papers.microaggregation.tables import risk_in_per_cent
from tests.papers.parts import complaints, frame_of

NAMES = [name for part_paper, name in PARTS if part_paper == "microaggregation"]


def small(name, low, high, seed):
    """230 users, 12 items, two thirds rated; more users than the largest k."""
    rng = np.random.default_rng(seed)
    ratings = rng.integers(low, high + 1, (230, 12)).astype(float)
    rows, columns = np.nonzero(rng.random(ratings.shape) < 0.67)
    people, things = (pd.DataFrame(index=range(1, count + 1)) for count in ratings.shape)
    matrix = sparse.csr_array((ratings[rows, columns], (rows, columns)), shape=ratings.shape)
    return Dataset(name=name, source="generated", users=people, items=things, ratings=matrix)


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
            few |= {"largest": 110} if name == "leftover_jester" else {}
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


@pytest.mark.parametrize(("gap", "fits"), [(0.4, True), (1.4, False), (-0.1, False)])
def test_a_convention_fits_when_all_columns_do(gap, fits):
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
            "printed_dr": paper.TABLE_2_DR,
            "protected to original": paper.TABLE_2_DR,
            "original to protected": 0.0,
        }
    )
    misfits = conventions._misfits(rows)
    assert misfits["protected to original, mean gap"].item() == 0
    assert conventions._some_convention_fits(misfits)[0] is fits


def test_headers_find_a_label_that_is_shifted():
    right = tables._matched((1, 2, 3), [10.2, 20.9, 30.0], (10, 20, 30), lost=3, name="k")
    assert right["value"].tolist() == [1, 2, 3, 1]
    wrong = tables._matched((1, 2, 3), [10.2, 20.9, 30.0], (20, 30, 30), lost=3, name="k")
    assert wrong["value"].tolist() == [2, 3, 3, 0]


def gains(values):
    return pd.DataFrame({"k": [2, 50, 101, 150], "gain": values})


def test_leftover_sentences_hold_or_not():
    for values, always, large in (
        ([0.01, 0.01, 0.02, 0.02], True, True),
        ([0.01, 0.01, 0.02, 0.0], False, False),
        ([0.01, -0.01, 0.02, 0.02], False, True),
        ([-0.03, -0.03, -0.01, -0.01], False, False),
    ):
        assert conventions._always_better(gains(values))[0] is always
        assert conventions._most_for_large(gains(values))[0] is large


def curve(parameters, dr, sse, mae=None):
    frame = {"parameter": parameters, "dr": dr, "sse": sse, "mae": mae or sse}
    zero = dict.fromkeys(("sse_se", "dr_se", "mae_se"), 0.0)
    return pd.DataFrame(frame).astype(float).assign(**zero)


def test_order_at_equal_risk_can_fail_and_a_risk_out_of_reach_decides_against():
    points = curve([2, 3, 4], [40, 20, 10], [1, 3, 5])
    assert planes.at_risk(points, "sse", 30) == 2  # straight lines join the points
    assert planes.at_risk(points, "sse", 10) == 5
    assert np.isnan(planes.at_risk(points, "sse", 50))
    low, high = curve([2, 3], [40, 1], [1, 3]), curve([1, 2], [60, 1], [5, 9])
    assert planes.lower_at_equal_risk(low, high, "sse")[0]
    assert not planes.lower_at_equal_risk(high, low, "sse")[0]
    assert not planes.lower_at_equal_risk(low, curve([1, 2], [20, 1], [5, 9]), "sse")[0]


def test_steps_in_the_wrong_direction_are_seen():
    points = curve([2, 3, 4], [40, 20, 25], [1, 2, 3])
    assert planes._monotone(points, "sse", 1)[0]
    assert not planes._monotone(points, "dr", -1)[0]
    noisy = points.assign(dr_se=5.0)
    assert planes._monotone(noisy, "dr", -1, within_chance=True)[0]
    flat = curve([2, 3, 4], [100, 100, 25], [1, 2, 3])
    assert planes._monotone(flat, "dr", -1, within_chance=True)[0]
    assert not planes._monotone(flat, "dr", -1)[0]
    assert not planes._monotone(noisy.assign(dr=50.0), "dr", -1, within_chance=True)[0]


def test_a_line_a_curve_and_a_knee_are_told_apart():
    k = np.array([2.0, 10, 50, 100, 150])
    assert planes._linear(curve(k, k, k, list(0.7 + 0.001 * k)))[0]
    assert not planes._linear(curve(k, k, k, list(np.log(k))))[0]
    sigma = [0.25, 2, 10, 50]
    assert planes._steep_then_flat(curve(sigma, sigma, sigma, [0.1, 1.0, 2.0, 2.5]))[0]
    assert not planes._steep_then_flat(curve(sigma, sigma, sigma, [1.0, 1.01, 2.0, 9.0]))[0]


@pytest.mark.parametrize(("risks", "holds"), [((0.3, 0.1), 1), ((0.1, 0.1), 0), ((0.3, 0.2), 0)])
def test_a_parameter_is_needed_or_not(risks, holds):
    points = curve([100, 150], risks, [1, 2])
    assert planes._needed(points, 100, 150)[0] is bool(holds)
    assert planes._about(108.0, 100)[0]
    assert not planes._about(111.0, 100)[0]


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
    false = ["leftover-always-better", "attribute-disclosure", "smallest-dr"]
    true = ["k-anonymous", "equations-1-and-2", "dr-bound:protected-to-original"]
    for value, names in enumerate((false, true)):
        assert [found[f"section-3:{name}"] for name in names] == [value] * 3


def test_noise_matters_less_can_come_out_both_ways():
    rows = [
        {"data": data, "method": "noise", "parameter": sigma, "relative": error, "dr": risk}
        for sigma in planes.SIGMAS
        for data, error, risk in (("jester", 0.1, 50.0), ("movielens", 0.2, 40.0))
    ]
    points = pd.DataFrame(rows)
    assert planes._matters_less(points)[0]
    assert not planes._matters_less(points.assign(dr=1.0))[0]


def test_same_seed_same_rows(movielens):
    first, second, other = (
        prediction.movielens_prediction(movielens, rng=seed, runs=2) for seed in (1, 1, 2)
    )
    assert first.equals(second)
    assert not first.equals(other)
