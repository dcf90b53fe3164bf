"""The Jester stand-in: published sizes, and part 1 against the summaries of the real part 1."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pplab.datasets import ratings as module
from pplab.datasets.catalog import catalog
from pplab.datasets.load import load_dataset
from tests.datasets.shapes import describe_scores

PARTS = {"part-1": (24_983, 1_810_455), "part-2": (23_500, 1_708_993), "part-3": (24_938, 616_912)}
# Stated before other seeds were looked at. One of them missed: the eigenvalues hung on the luck of
# drawing a hundred jokes. The model was mended (_unrelated), the tolerances stayed.
HISTOGRAM_TOLERANCE = 0.003  # absolute, share of all ratings in one of 20 bins
DENSITY_TOLERANCE = 0.03  # absolute, quantiles of the jokes' densities
GEOMETRY_TOLERANCE = 0.2  # relative, per eigenvalue of the completed items' correlations
FIRST_TOLERANCE = 0.05  # relative, the first of them
PRESENCE_TOLERANCE = 0.2  # relative, per eigenvalue of who rated
SPREAD_TOLERANCE = 0.15  # absolute, in points of the scale
ZERO_TOLERANCE = 0.1  # relative, ratings of exactly zero
ZEROS = 5_383  # in the real part 1


@pytest.fixture(scope="module")
def whole():
    return load_dataset("jester", source="standin")


@pytest.fixture(scope="module")
def part_1():
    return load_dataset("jester", source="standin", split="part-1")


def assert_same_shape(described, expected):
    assert described["user_degrees"] == expected["user_degrees"]
    shares, wanted = (np.array(d["histogram"]) / sum(d["histogram"]) for d in (described, expected))
    assert shares == pytest.approx(wanted, abs=HISTOGRAM_TOLERANCE)
    assert described["item_densities"] == pytest.approx(
        expected["item_densities"], abs=DENSITY_TOLERANCE
    )
    ours, theirs = described["completed_values"], expected["completed_values"]
    assert ours[0] == pytest.approx(theirs[0], rel=FIRST_TOLERANCE)
    assert ours == pytest.approx(theirs, rel=GEOMETRY_TOLERANCE)
    assert described["presence_values"] == pytest.approx(
        expected["presence_values"], rel=PRESENCE_TOLERANCE
    )
    for name in ("user_mean_std", "item_mean_std", "user_spread"):
        assert described[name] == pytest.approx(expected[name], abs=SPREAD_TOLERANCE), name


def test_part_1_has_the_stored_shape(part_1):
    assert_same_shape(describe_scores(part_1.ratings), catalog()["jester"].measured)
    assert (part_1.ratings.data == 0).sum() == pytest.approx(ZEROS, rel=ZERO_TOLERANCE)


def test_the_stored_shape_is_that_of_the_real_part_1(real_data):
    real = load_dataset("jester", source="real", split="part-1", root=real_data)
    measured = catalog()["jester"].measured
    found = describe_scores(real.ratings)
    assert set(found) == set(measured)
    for name, value in found.items():
        assert value == pytest.approx(measured[name], abs=0.011), name
    assert (real.ratings.data == 0).sum() == ZEROS


def test_the_jokes_of_the_gauge_set_are_the_ones_that_all_rated(real_data, part_1):
    gauge = np.array(catalog()["jester"].statistics["gauge_set"])
    real = load_dataset("jester", source="real", split="part-1", root=real_data)
    for data in (real, part_1):
        density = np.bincount(data.ratings.indices, minlength=100) / len(data.users)
        assert (density[gauge - 1] > 0.999).all()
        assert density[70:].max() < density[:70].min()


def test_another_seed_has_the_same_shape(monkeypatch, part_1):
    """The tolerances hold for the model, not for one lucky draw."""
    monkeypatch.setattr(module, "_SEED", 11)
    parts = module._parts.__wrapped__("jester")
    other = parts["part-1"]
    assert (other.indices[:1000] != part_1.ratings.indices[:1000]).any()
    assert_same_shape(describe_scores(other), catalog()["jester"].measured)


def test_tastes_and_ways_make_the_difference(part_1):
    """Ratings dealt out anew among the present cells have no geometry: the test can tell."""
    dealt = part_1.ratings.copy()
    dealt.data = np.random.default_rng(0).permutation(dealt.data)
    described = describe_scores(dealt)
    assert (
        described["completed_values"][0] < 0.5 * catalog()["jester"].measured["completed_values"][0]
    )
    assert described["user_mean_std"] < 1
    assert described["item_mean_std"] < 0.5


def test_sizes_are_the_published_ones(whole):
    facts = catalog()["jester"].statistics
    assert whole.ratings.shape == (facts["users"], facts["items"])
    assert whole.ratings.nnz == facts["ratings"] == sum(count for _, count in PARTS.values())
    assert (whole.source, whole.portion, whole.checksums) == ("standin", "", {})
    assert round(whole.ratings.nnz / (73_421 * 100), 2) == 0.56
    assert repr(whole) == "<jester (standin): 73,421 users x 100 items, 4,136,360 ratings>"
    assert facts["part_1"]["ratings"] == PARTS["part-1"][1]
    assert whole.users.index.tolist() == list(range(1, 73_422))


def test_values_lie_on_the_scale_with_two_decimals(whole):
    data = whole.ratings.data
    assert data.dtype == np.float64
    assert whole.ratings.has_canonical_format
    assert -10 <= data.min() < -9.9
    assert 9.9 < data.max() <= 10
    assert np.array_equal(data, np.round(data, 2))
    assert not np.signbit(data[data == 0]).any()


def test_the_parts_are_its_rows(whole):
    for split, (users, ratings) in PARTS.items():
        part = load_dataset("jester", source="standin", split=split)
        assert part.ratings.shape == (users, 100)
        assert part.ratings.nnz == ratings
        rows = whole.users["part"] == int(split[-1])
        assert part.users.equals(whole.users[rows])
        assert (whole.ratings[np.flatnonzero(rows)] != part.ratings).nnz == 0
        degrees = np.diff(part.ratings.indptr)
        least, most = (15, 35) if split == "part-3" else (36, 100)
        assert (degrees.min(), degrees.max()) == (least, most)
        assert part.portion == f"part {split[-1]} of 3"


def test_it_is_the_same_every_time(whole):
    module._parts.cache_clear()
    again = load_dataset("jester", source="standin")
    for part in ("data", "indices", "indptr"):
        assert np.array_equal(getattr(again.ratings, part), getattr(whole.ratings, part))


@given(seed=st.integers(0, 2**32), rows=st.integers(1, 9), columns=st.integers(1, 9))
def test_the_foremost_are_as_many_as_asked_for(seed, rows, columns):
    rng = np.random.default_rng(seed)
    score = rng.permuted(np.arange(rows * columns, dtype=float)).reshape(rows, columns)
    counts = rng.integers(0, columns + 1, rows)
    marked = module._foremost(score, counts)
    assert marked.sum(axis=1).tolist() == counts.tolist()
    for row, mark in zip(score, marked, strict=True):
        assert not mark.any() or mark.all() or row[mark].min() > row[~mark].max()
