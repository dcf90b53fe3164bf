"""The MovieLens stand-in against the summaries of the real data, with the tolerances stated."""

import hashlib
import os
import subprocess
import sys
import tracemalloc

import community
import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pplab.datasets import load as loading
from pplab.datasets import people as tables
from pplab.datasets import ratings as jester
from pplab.datasets import social
from pplab.datasets import webgraphs as web
from pplab.datasets.catalog import align, catalog
from pplab.datasets.likes import make_likes
from pplab.datasets.load import load_dataset
from pplab.datasets.ratings import _whole, degrees_from_quantiles, draw_presence
from pplab.datasets.social import lognormal_counts, settle, within
from pplab.graphs import as_adjacency
from tests.datasets.shapes import describe_network, describe_ratings, describe_rows, describe_scores

NAME = "movielens-100k"
PRESENCE_TOLERANCE = 0.10  # relative, per singular value of who rates what
RATING_TOLERANCE = 0.12  # relative, per singular value of the centred ratings
SPREAD_TOLERANCE = 0.10  # absolute, spreads of means and the popularity correlation
JOB_AGE_TOLERANCE = 7.0  # years, mean age of the larger occupations
CLOSE = {
    "presence_values": PRESENCE_TOLERANCE,
    "rating_values": RATING_TOLERANCE,
}


@pytest.fixture(scope="module")
def standin():
    return load_dataset(NAME, source="standin")


@pytest.fixture(scope="module")
def described(standin):
    return describe_ratings(standin.ratings)


def people_by_occupation():
    return {job: facts["people"] for job, facts in catalog()[NAME].measured["occupations"].items()}


def assert_same_shape(described, expected):
    for exact in ("histogram", "user_degrees", "item_degrees"):
        assert described[exact] == expected[exact], exact
    for name, tolerance in CLOSE.items():
        assert described[name] == pytest.approx(expected[name], rel=tolerance), name
    for name in ("user_mean_std", "item_mean_std", "popularity_quality"):
        assert described[name] == pytest.approx(expected[name], abs=SPREAD_TOLERANCE), name


def test_its_shape_is_the_stored_one(described):
    assert_same_shape(described, catalog()[NAME].measured)


def test_the_stored_shape_is_that_of_the_real_data(real_data):
    real = load_dataset(NAME, source="real", root=real_data)
    measured = catalog()[NAME].measured
    found = describe_ratings(real.ratings)
    for name, value in found.items():
        assert value == pytest.approx(measured[name], abs=0.0015), name
    assert real.items.iloc[:, 2:].sum().to_dict() == measured["genres"]
    jobs = real.users.groupby("occupation")["age"].agg(["size", "mean"])
    assert jobs["size"].to_dict() == people_by_occupation()
    for job, facts in measured["occupations"].items():
        assert jobs["mean"][job] == pytest.approx(facts["mean_age"], abs=0.051)
    assert (real.users["gender"] == "F").sum() == measured["women"]


def test_its_tables_have_the_columns_of_the_real_data(real_data, standin):
    real = load_dataset(NAME, source="real", root=real_data)
    assert standin.users.dtypes.equals(real.users.dtypes)
    assert standin.items.dtypes.equals(real.items.dtypes)


def test_factors_make_the_difference(standin, described):
    """Shuffled ratings and random presence have no leading values: the test can tell."""
    shuffled = standin.ratings.copy()
    shuffled.data = np.random.default_rng(0).permutation(shuffled.data)
    assert describe_ratings(shuffled)["rating_values"][0] < 0.75 * described["rating_values"][0]
    rows, columns = (np.diff(m.indptr) for m in (standin.ratings, standin.ratings.T.tocsr()))
    flat = draw_presence(
        np.zeros(standin.ratings.shape),
        row_degrees=rows,
        column_degrees=columns,
        rng=np.random.default_rng(0),
    )
    spread = sparse.csr_array(flat.astype(np.int8))
    spread.data = shuffled.data
    assert describe_ratings(spread)["presence_values"][0] < 0.5 * described["presence_values"][0]


def test_size_types_and_titles(standin):
    assert standin.ratings.shape == (943, 1682)
    assert standin.ratings.nnz == 100_000
    assert standin.ratings.dtype == np.int64
    assert standin.ratings.has_canonical_format
    assert standin.items["title"][17] == "Film 17 (stand-in)"
    assert standin.items["title"].str.contains("stand-in").all()
    assert standin.items.iloc[:, 2:].any(axis=1).all()
    measured = catalog()[NAME].measured
    assert standin.items.iloc[:, 2:].sum().to_dict() == measured["genres"]
    assert standin.users["occupation"].value_counts().to_dict() == people_by_occupation()
    assert (standin.users["gender"] == "F").sum() == measured["women"]
    jobs = standin.users.groupby("occupation")["age"].agg(["size", "mean"])
    for job in jobs.index[jobs["size"] >= 20]:
        assert jobs["mean"][job] == pytest.approx(
            measured["occupations"][job]["mean_age"], abs=JOB_AGE_TOLERANCE
        )
    ages = np.quantile(standin.users["age"], np.linspace(0, 1, 21))
    assert np.abs(ages - measured["ages"]).max() <= 1


def test_it_is_the_same_every_time(standin):
    _whole.cache_clear()
    again = load_dataset(NAME, source="standin")
    assert np.array_equal(again.ratings.toarray(), standin.ratings.toarray())
    assert again.users.equals(standin.users)
    assert again.items.equals(standin.items)


def test_its_splits_are_five_fifths_of_it(standin):
    tests = []
    for fold in range(1, 6):
        base = load_dataset(NAME, source="standin", split=f"u{fold}.base")
        test = load_dataset(NAME, source="standin", split=f"u{fold}.test")
        assert (base.ratings.nnz, test.ratings.nnz) == (80_000, 20_000)
        assert (np.diff(base.ratings.indptr) > 0).all()
        assert (np.diff(base.ratings.T.tocsr().indptr) > 0).all()
        both = align(base, standin).ratings + align(test, standin).ratings
        assert np.array_equal(both.toarray(), standin.ratings.toarray())
        tests.append(align(test, standin).ratings)
    assert np.array_equal(sum(tests[1:], tests[0]).toarray(), standin.ratings.toarray())


def test_u1_base_lacks_32_films_with_a_single_rating(standin):
    base = load_dataset(NAME, source="standin", split="u1.base")
    test = load_dataset(NAME, source="standin", split="u1.test")
    assert base.ratings.shape == (943, 1650)
    gone = standin.items.index.difference(base.items.index)
    degrees = np.diff(standin.ratings.T.tocsr().indptr)
    assert (degrees[gone - 1] == 1).all()
    assert gone.isin(test.items.index).all()


def test_traits_can_be_guessed_a_little_from_the_ratings(standin):
    """About as well as in the real data (gender AUC 0.76, age r 0.59), far from certainty."""
    present = standin.ratings.astype(float).toarray() > 0
    values, vectors = np.linalg.eigh(present.astype(float) @ present.T)
    tastes = vectors[:, -30:] * np.sqrt(values[-30:])
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    for trait, low, high in (
        (standin.users["gender"] == "F", 0.65, 0.85),
        (standin.users["occupation"] == "student", 0.62, 0.85),
    ):
        model = make_pipeline(StandardScaler(), LogisticRegression(C=0.1))
        guess = cross_val_predict(model, tastes, trait, cv=folds, method="predict_proba")[:, 1]
        assert low < roc_auc_score(trait, guess) < high
    age = standin.users["age"]
    guess = cross_val_predict(make_pipeline(StandardScaler(), Ridge(100)), tastes, age, cv=5)
    assert 0.45 < np.corrcoef(guess, age)[0, 1] < 0.75


def test_degrees_that_cannot_add_up_are_refused():
    with pytest.raises(ValueError, match="add up to 5"):
        degrees_from_quantiles([1, 2, 9], count=10, total=5)


@given(seed=st.integers(0, 2**32), rows=st.integers(2, 12), columns=st.integers(2, 12))
def test_margins_are_exact(seed, rows, columns):
    rng = np.random.default_rng(seed)
    wanted = rng.random((rows, columns)) < 0.5  # margins of some matrix, so they can be had
    wanted[0], wanted[:, 0] = True, True
    got = draw_presence(
        3 * rng.standard_normal((rows, columns)),
        row_degrees=wanted.sum(1),
        column_degrees=wanted.sum(0),
        rng=rng,
    )
    assert got.sum(1).tolist() == wanted.sum(1).tolist()
    assert got.sum(0).tolist() == wanted.sum(0).tolist()


# The Jester stand-in: published sizes, and part 1 against the summaries of the real part 1.


PARTS = {"part-1": (24_983, 1_810_455), "part-2": (23_500, 1_708_993), "part-3": (24_938, 616_912)}
# Stated before other seeds were looked at. One of them missed: the eigenvalues hung on the luck of
# drawing a hundred jokes. The model was mended (_unrelated), the tolerances stayed.
HISTOGRAM_TOLERANCE = 0.003  # absolute, share of all ratings in one of 20 bins
DENSITY_TOLERANCE = 0.03  # absolute, quantiles of the jokes' densities
GEOMETRY_TOLERANCE = 0.2  # relative, per eigenvalue of the completed items' correlations
FIRST_TOLERANCE = 0.05  # relative, the first of them
PRESENCE_TOLERANCE_STANDIN_JESTER = 0.2  # relative, per eigenvalue of who rated
SPREAD_TOLERANCE_STANDIN_JESTER = 0.15  # absolute, in points of the scale
ZERO_TOLERANCE = 0.1  # relative, ratings of exactly zero
ZEROS = 5_383  # in the real part 1


@pytest.fixture(scope="module")
def whole():
    return load_dataset("jester", source="standin")


@pytest.fixture(scope="module")
def part_1():
    return load_dataset("jester", source="standin", split="part-1")


def assert_same_shape_standin_jester(described, expected):
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
        expected["presence_values"], rel=PRESENCE_TOLERANCE_STANDIN_JESTER
    )
    for name in ("user_mean_std", "item_mean_std", "user_spread"):
        assert described[name] == pytest.approx(
            expected[name], abs=SPREAD_TOLERANCE_STANDIN_JESTER
        ), name


def test_part_1_has_the_stored_shape(part_1):
    assert_same_shape_standin_jester(describe_scores(part_1.ratings), catalog()["jester"].measured)
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
    monkeypatch.setattr(jester, "_JESTER_SEED", 11)
    parts = jester._parts.__wrapped__("jester")
    other = parts["part-1"]
    assert (other.indices[:1000] != part_1.ratings.indices[:1000]).any()
    assert_same_shape_standin_jester(describe_scores(other), catalog()["jester"].measured)


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


def test_it_is_the_same_every_time_standin_jester(whole):
    jester._parts.cache_clear()
    again = load_dataset("jester", source="standin")
    for part in ("data", "indices", "indptr"):
        assert np.array_equal(getattr(again.ratings, part), getattr(whole.ratings, part))


@given(seed=st.integers(0, 2**32), rows=st.integers(1, 9), columns=st.integers(1, 9))
def test_the_foremost_are_as_many_as_asked_for(seed, rows, columns):
    rng = np.random.default_rng(seed)
    score = rng.permuted(np.arange(rows * columns, dtype=float)).reshape(rows, columns)
    counts = rng.integers(0, columns + 1, rows)
    marked = jester._foremost(score, counts)
    assert marked.sum(axis=1).tolist() == counts.tolist()
    for row, mark in zip(score, marked, strict=True):
        assert not mark.any() or mark.all() or row[mark].min() > row[~mark].max()


# The Likes stand-in: exact sizes, the trimming, eight traits, little memory, never the real.


TRAITS = {
    *("gender", "age", "political", "openness", "conscientiousness"),
    *("extroversion", "agreeableness", "neuroticism"),
}
DENSE_BYTES = 19_742 * 8_523 * 4


@pytest.fixture(scope="module")
def likes():
    return load_dataset("likes", source="standin")


def test_sizes_and_trimming_are_those_of_the_paper(likes):
    matrix = likes.biadjacency
    assert likes.source == "standin"
    assert matrix.shape == (19_742, 8_523) == (len(likes.users), len(likes.items))
    assert matrix.nnz == 3_817_840
    assert set(matrix.data) == {1}
    assert np.diff(matrix.indptr).min() >= 50
    assert np.bincount(matrix.indices, minlength=8_523).min() >= 150


def test_cells_are_distinct_and_sorted(likes):
    matrix = likes.biadjacency
    steps = np.diff(matrix.indices)
    steps = np.delete(steps, matrix.indptr[1:-1] - 1)  # from one row to the next it may fall
    assert (steps > 0).all()


def test_traits_are_words_or_numbers(likes):
    users = likes.users
    assert set(users.columns) == TRAITS
    assert not users.isna().any(axis=None)
    assert set(users["gender"]) == {"F", "M"}
    assert set(users["political"]) == {"conservative", "liberal"}
    assert users["age"].between(18, 70).all()
    for trait in TRAITS - {"gender", "political", "age"}:
        assert abs(users[trait].mean()) < 4.9 / np.sqrt(len(users))
        assert users[trait].std() == pytest.approx(1, abs=0.025)


def test_made_again_it_is_the_same_and_takes_little_memory(likes):
    tracemalloc.start()
    again = make_likes.__wrapped__("likes")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert np.array_equal(again.biadjacency.indices, likes.biadjacency.indices)
    assert again.users.equals(likes.users)
    assert peak < DENSE_BYTES / 2


def test_the_real_data_and_splits_are_refused():
    with pytest.raises(ValueError, match="withdrawn for privacy reasons"):
        load_dataset("likes", source="real")
    with pytest.raises(ValueError, match=r"likes has no splits, got 'u1\.base'"):
        load_dataset("likes", split="u1.base")


def test_auto_says_that_it_is_a_standin(capsys, monkeypatch):
    monkeypatch.setattr(loading, "_SAID", set())
    assert load_dataset("likes").source == "standin"
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "STAND-IN" in said
    assert "withdrawn for privacy reasons" in said
    assert "fetch" not in said


# The stand-ins of the tables and graphs of the smooth paper against what is known of them.


GRAPHS = ["dblp-2010", "cnr-2000", "com-dblp", "web-stanford"]
MEASURED = ["adult", "playstore", "dblp-2010", "cnr-2000"]
# Stated before other seeds were looked at.
DISTANCE = 0.15  # relative, of the mean distance to the nearest rows
DISTINCT = 0.06  # relative, of the number of distinct rows
ALIKE = 0.04  # absolute, of the share of rows that have copies enough
QUANTILES = {"rel": 0.35, "abs": 2}  # of entries per row, the largest apart
TRIANGLES = 0.1  # absolute


def triangles(matrix):
    """Three times the triangles, divided by the pairs of neighbours of a node."""
    wide = matrix.astype(np.int64)
    degrees = np.diff(wide.indptr)
    return float((wide @ wide).multiply(wide).sum() / (degrees * (degrees - 1)).sum())


def digest(data):
    return hashlib.sha256(data.biadjacency.indices.tobytes()).hexdigest()


def assert_as_alike_as_the_real_rows(name, data):
    found, measured = describe_rows(data.biadjacency, k=8), catalog()[name].measured
    assert found["distance"] == pytest.approx(measured["distance"], rel=DISTANCE)
    assert found["distinct_rows"] == pytest.approx(measured["distinct_rows"], rel=DISTINCT)
    assert found["alike"] == pytest.approx(measured["alike"], abs=ALIKE)
    if "row_degrees" in measured:
        wanted = measured["row_degrees"][:-1]
        assert found["row_degrees"][:-1] == pytest.approx(wanted, **QUANTILES)
        largest = found["column_tops"][0] / measured["column_tops"][0]
        assert 1 / 3 < largest < 3
    if "triangles" in measured:
        assert triangles(data.biadjacency) == pytest.approx(measured["triangles"], abs=TRIANGLES)


@pytest.mark.parametrize("name", MEASURED)
def test_rows_are_as_alike_as_the_real_ones(name):
    assert_as_alike_as_the_real_rows(name, load_dataset(name, source="standin"))


@pytest.mark.parametrize("name", ["adult", "playstore", "cnr-2000"])
def test_another_seed_has_the_same_shape_standin_rows(monkeypatch, name):
    """The tolerances hold for the model, not for one lucky draw."""
    module, seed, make = {
        "adult": (tables, "_SEED", lambda: tables.make_adult.__wrapped__("adult", None)),
        "playstore": (
            tables,
            "_SEED",
            lambda: tables.make_playstore.__wrapped__("playstore", None),
        ),
        "cnr-2000": (web, "_WEB_SEED", lambda: web.make_web.__wrapped__("cnr-2000", None)),
    }[name]
    monkeypatch.setattr(module, seed, 11)
    other = make()
    assert digest(other) != digest(load_dataset(name, source="standin"))
    assert_as_alike_as_the_real_rows(name, other)


@pytest.mark.parametrize("name", MEASURED)
def test_the_measured_shape_is_that_of_the_real_data(real_data, name):
    real, measured = load_dataset(name, source="real", root=real_data), catalog()[name].measured
    found = describe_rows(real.biadjacency, k=8)
    if "triangles" in measured:
        found["triangles"] = round(triangles(real.biadjacency), 4)
    assert {word: found[word] for word in measured} == measured


@pytest.mark.parametrize("name", GRAPHS)
def test_graphs_have_exactly_the_published_sizes(name):
    data = load_dataset(name, source="standin")
    known, matrix = catalog()[name].statistics["biadjacency"], data.biadjacency
    assert (*matrix.shape, matrix.nnz) == (known["rows"], known["columns"], known["entries"])
    assert np.diff(matrix.indptr).min() >= 1
    assert np.bincount(matrix.indices, minlength=known["columns"]).min() >= 1
    assert (matrix.data == 1).all()
    assert matrix.has_canonical_format
    assert (data.source, data.checksums, data.name) == ("standin", {}, name)
    if "dblp" in name:
        assert (matrix != matrix.T).nnz == 0
        assert matrix.diagonal().sum() == 0


def test_adult_has_exactly_the_published_sizes():
    facts = catalog()["adult"].statistics
    base = load_dataset("adult", source="standin")
    test = load_dataset("adult", source="standin", split="test")
    assert base.biadjacency.shape == (32_561, 102)
    assert test.biadjacency.shape == (16_281, 102)
    assert base.biadjacency.nnz == 260_488
    assert test.items.equals(base.items)
    assert base.items.groupby("attribute").size().to_dict() == facts["levels"]
    assert base.users.nunique().to_dict() == facts["levels"]
    rich = (base.labels.sum() + test.labels.sum()) / (32_561 + 16_281)
    assert rich == pytest.approx(facts["rich_share"], abs=1e-4)
    assert base.labels.mean() == pytest.approx(test.labels.mean(), abs=0.02)


def test_income_can_be_learned_from_the_attributes():
    """Better than by the larger group, 0.76: the level that says most of each attribute does it."""
    base = load_dataset("adult", source="standin")
    test = load_dataset("adult", source="standin", split="test")
    ones = np.asarray(base.biadjacency.sum(axis=0)).ravel()
    rich = np.asarray(base.biadjacency[base.labels == 1].sum(axis=0)).ravel()
    share = (rich + 1) / (ones + 4)
    odds = np.log(share / (1 - share)) - np.log(0.2393 / 0.7607)
    merit = test.biadjacency @ odds + np.log(0.2393 / 0.7607)
    right = ((merit > 0) == test.labels).mean()
    assert right > 0.78 > 1 - test.labels.mean()


def test_playstore_has_exactly_the_published_sizes():
    data = load_dataset("playstore", source="standin")
    assert data.biadjacency.shape == (8_672, 521)
    assert data.biadjacency.nnz == 86_720
    levels = catalog()["playstore"].statistics["levels"]
    assert data.items.groupby("attribute").size().to_dict() == levels
    assert list(data.users.columns) == list(levels)


def test_rows_dealt_out_anew_are_far_from_each_other():
    """What the tests of shape look at can fail."""
    data = load_dataset("cnr-2000", source="standin").biadjacency[:5000].copy()
    near = describe_rows(data, k=8, sample=100)["distance"]
    data.indices = np.random.default_rng(0).integers(data.shape[1], size=data.nnz)
    assert describe_rows(data, k=8, sample=100)["distance"] > 1.5 * near


def test_a_copy_is_your_own():
    first = digest(load_dataset("playstore", source="standin"))
    load_dataset("playstore", source="standin").biadjacency.indices[:] = 0
    assert digest(load_dataset("playstore", source="standin")) == first


def test_own_links_that_cannot_reach_every_page_are_refused():
    few = np.ones(1000, dtype=np.int64)
    with pytest.raises(ValueError, match="own links cannot reach"):
        web.draw_links(few, 10_000, web._WEB, np.random.default_rng(0))


# The stand-ins of Last.fm and Flixster against what is published and measured.


# Stated before other seeds were looked at.
QUANTILES_STANDIN_SOCIAL = {"rel": 0.06, "abs": 1}  # of degrees and popularity
DEVIATION = 0.03  # relative, of degrees and of users per item
SHARE = 0.15  # relative, of what friends, and strangers, have in common
MODULARITY = 0.05  # absolute


def modularity(data):
    """Of the partition that python-louvain finds with one seed."""
    graph = nx.from_scipy_sparse_array(data.social)
    labels = community.best_partition(graph, random_state=0)
    return community.modularity(labels, graph)


def digest_standin_social(data):
    parts = [getattr(m, p) for m in (data.social, data.preferences) for p in ("data", "indices")]
    return hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest()


@pytest.fixture(scope="module")
def lastfm():
    return load_dataset("lastfm", source="standin")


@pytest.fixture(scope="module")
def flixster():
    return load_dataset("flixster", source="standin")


def assert_like_lastfm(data):
    facts, measured = (getattr(catalog()["lastfm"], part) for part in ("statistics", "measured"))
    assert data.preferences.shape == (facts["users"], facts["items"])
    assert data.preferences.nnz == facts["listening_counts"]
    assert (data.preferences.data >= 2).sum() == facts["preference_edges"]
    assert (data.preferences.data >= 1).all()
    assert data.social.nnz == 2 * facts["social_edges"]
    assert (as_adjacency(data.social) != data.social).nnz == 0
    found = describe_network(data.social, data.preferences)
    assert found["components"] == measured["components"]
    for name in ("degrees", "item_degrees", "item_tops"):
        assert found[name] == pytest.approx(measured[name], **QUANTILES_STANDIN_SOCIAL), name
    degrees, counts = np.diff(data.social.indptr), np.diff(data.preferences.indptr)
    assert degrees.std() == pytest.approx(measured["degree_std"], rel=DEVIATION)
    popular = np.bincount(data.preferences.indices, minlength=facts["items"])
    assert popular.std() == pytest.approx(measured["item_std"], rel=DEVIATION)
    assert (counts == 50).sum() == pytest.approx(1829, abs=2)
    assert counts.max() == 50
    for name in ("friend_share", "stranger_share"):
        assert found[name] == pytest.approx(measured[name], rel=SHARE), name
    assert modularity(data) == pytest.approx(measured["modularity"], abs=MODULARITY)


def test_lastfm_has_the_published_and_measured_shape(lastfm):
    assert (lastfm.source, lastfm.checksums, lastfm.name) == ("standin", {}, "lastfm")
    assert_like_lastfm(lastfm)


def test_another_seed_has_the_same_shape_standin_social(monkeypatch, lastfm):
    """The tolerances hold for the model, not for one lucky draw."""
    monkeypatch.setattr(social, "_SEED", 11)
    other = social.make_lastfm.__wrapped__("lastfm", None)
    assert digest_standin_social(other) != digest_standin_social(lastfm)
    assert_like_lastfm(other)


def test_the_measured_shape_is_that_of_the_real_lastfm(real_data):
    real = load_dataset("lastfm", source="real", root=real_data)
    measured = catalog()["lastfm"].measured
    found = describe_network(real.social, real.preferences)
    for name, value in found.items():
        assert value == measured[name], name
    assert modularity(real) == pytest.approx(measured["modularity"], abs=0.01)
    assert np.diff(real.social.indptr).std() == pytest.approx(measured["degree_std"], abs=0.006)
    assert np.bincount(real.preferences.indices).std() == pytest.approx(
        measured["item_std"], abs=0.006
    )


def test_friends_dealt_out_anew_have_no_more_in_common_than_strangers(lastfm):
    """What the shape tests look at can fail."""
    order = np.random.default_rng(0).permutation(len(lastfm.users))
    found = describe_network(lastfm.social, lastfm.preferences[order])
    assert found["friend_share"] < 1.2 * found["stranger_share"]


def test_flixster_has_the_published_size_and_spread(flixster):
    data = flixster
    facts = catalog()["flixster"].statistics
    assert data.preferences.shape == (facts["users"], facts["items"]) == (137_372, 48_756)
    assert data.preferences.nnz == facts["preference_edges"] == 7_527_931
    assert data.social.nnz == 2 * facts["social_edges"] == 2 * 1_269_076
    assert (data.social != data.social.T).nnz == 0
    assert data.social.diagonal().sum() == 0
    degrees, counts = np.diff(data.social.indptr), np.diff(data.preferences.indptr)
    assert round(degrees.mean(), 1) == 18.5
    assert round(counts.mean(), 1) == 54.8
    assert degrees.std() == pytest.approx(facts["degree_std"], rel=DEVIATION)
    assert counts.std() == pytest.approx(facts["preference_std"], rel=DEVIATION)
    assert np.corrcoef(np.log(degrees), np.log(counts))[0, 1] > 0.3
    assert set(np.unique(data.preferences.data)) == {2, 2.5, 3, 3.5, 4, 4.5, 5}
    assert np.bincount(data.preferences.indices, minlength=48_756).min() >= 1


def test_flixster_hangs_together_and_friends_share_tastes(flixster):
    data = flixster
    some = slice(0, 20_000)  # numbers are dealt at random, so these are anybody
    found = describe_network(data.social[some, some], data.preferences[some])
    assert found["friend_share"] > 2 * found["stranger_share"]
    whole = connected_components(data.social, directed=False)[0]
    assert whole == 1


def test_communities_are_as_many_and_as_large_as_published():
    for recipe, users, mean, largest in (
        (social._LASTFM, 1843, 115, 0.285 * 1892),
        (social._FLIXSTER, 137_372, 2986, 0.183 * 137_372),
    ):
        count, deviation, share = recipe.community_sizes
        most = round(largest)
        sizes = lognormal_counts(count, total=users, deviation=deviation, least=3, most=most)
        assert sizes.sum() == users
        assert sizes.mean() == pytest.approx(mean, rel=0.005)
        assert sizes.std() == pytest.approx(deviation, rel=DEVIATION)
        assert sizes.max() <= most
        assert share == pytest.approx(largest / (1892 if users == 1843 else users))


def test_threads_do_not_change_it(lastfm):
    program = (
        "from tests.datasets.test_standins import digest_standin_social as digest\n"
        "from pplab.datasets import load_dataset\n"
        "print(digest(load_dataset('lastfm', source='standin')))"
    )
    for threads in ("1", "2"):
        names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")
        run = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, **dict.fromkeys(names, threads)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout.strip() == digest_standin_social(lastfm)


def test_circles_lie_within_communities():
    circles = settle(np.array([40, 25]), alone=[3, 2], circle_size=10, rng=np.random.default_rng(0))
    assert circles.main == 65
    assert np.bincount(circles.community).tolist() == [40, 25, 3, 2]
    for circle in np.unique(circles.circle):
        assert len(np.unique(circles.community[circles.circle == circle])) == 1


def test_within_keeps_as_many_as_there_is_room():
    ids = np.repeat([0, 1, 2], [5, 4, 3])
    marked = within(ids, np.array([2, 9, 0]), np.random.default_rng(3))
    assert np.bincount(ids[marked], minlength=3).tolist() == [2, 4, 0]
