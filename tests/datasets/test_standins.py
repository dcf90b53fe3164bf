"""The stand-ins against the summaries of the real data, with the tolerances stated.

They are made in full size: what takes longest, and another seed, is left to `make verify`.
"""

import hashlib
import os
import re
import sys
import tracemalloc
from dataclasses import replace
from functools import cache
from itertools import chain
from types import SimpleNamespace

import community
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components
from sklearn.linear_model import Ridge
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pplab.datasets import align, catalog, likes, load_dataset, people, ratings, social, webgraphs
from pplab.datasets import load as loading
from pplab.graphs import as_adjacency
from tests.datasets.made import matrices
from tests.datasets.shapes import describe_network, describe_ratings, describe_rows, describe_scores
from tests.generated.inputs import read
from tests.helpers import ended

NAME = "movielens-100k"
recomputed = pytest.mark.verify("recomputed")


def standin(name, split=None):
    return load_dataset(name, source="standin", split=split)


def digest(data):
    arrays = chain.from_iterable(matrices(data))
    return hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()


def assert_close(result, expected, names, **tolerance):
    for name in names:
        assert result[name] == pytest.approx(expected[name], **tolerance), name


# MovieLens-100K. Tolerances: singular values of who rates what and of the centred ratings
# (relative), spreads of means and the correlation of fame and mean (absolute), years.
PRESENCE, RATING, SPREAD, JOB_AGE = 0.10, 0.12, 0.10, 7.0


@pytest.fixture(scope="module")
def movielens():
    return standin(NAME)


def assert_films_and_people_as_measured(data, *, mean_age, least):
    """With the mean age of each occupation that so many people have."""
    measured, users = catalog()[NAME].measured, data.users
    assert data.items.iloc[:, 2:].sum().to_dict() == measured["genres"]
    assert (users["gender"] == "F").sum() == measured["women"]
    jobs = users.groupby("occupation")["age"].agg(["size", "mean"])
    known = pd.DataFrame(measured["occupations"]).T
    assert jobs["size"].to_dict() == known["people"].to_dict()
    common = known.index[known["people"] >= least]
    assert jobs["mean"][common].to_numpy() == pytest.approx(known["mean_age"][common], abs=mean_age)


def test_movielens_has_the_stored_shape(movielens):
    described, expected = describe_ratings(movielens.ratings), catalog()[NAME].measured
    for exact in ("histogram", "user_degrees", "item_degrees"):
        assert described[exact] == expected[exact], exact
    assert_close(described, expected, ["presence_values"], rel=PRESENCE)
    assert_close(described, expected, ["rating_values"], rel=RATING)
    spreads = ("user_mean_std", "item_mean_std", "popularity_quality")
    assert_close(described, expected, spreads, abs=SPREAD)


def test_movielens_has_the_films_and_people_that_were_measured(movielens):
    assert_films_and_people_as_measured(movielens, mean_age=JOB_AGE, least=20)


made = cache(standin)


def share_of_raters(data):
    """Of each of a hundred jokes."""
    return np.bincount(data.ratings.indices, minlength=100) / len(data.users)


def assert_true_of(load, entry):
    """An entry names a data set and perhaps a split, an expression over it, and its value."""
    name, split, call, value = re.fullmatch("(.+?)(?:, (.+?))?: (.+) -> (.+)", entry).groups()
    facts = {"facts": catalog()[name].statistics, "measured": catalog()[name].measured}
    given = {**globals(), **facts, "members": catalog()[name].members, "data": load(name, split)}
    assert eval(call, given) == eval(value, given)


@pytest.mark.parametrize("entry", read("../datasets/standins.txt"))
def test_a_standin_is_as_it_should_be(entry):
    assert_true_of(made, entry)


@pytest.mark.parametrize("entry", read("../datasets/real.txt"))
def test_the_real_data_are_as_published_and_as_measured(real_data, entry):
    def load(name, split):
        return load_dataset(name, source="real", split=split, root=real_data)

    assert_true_of(load, entry)


@pytest.mark.parametrize(("name", "column"), [(NAME, "title"), ("lastfm", "name")])
def test_no_film_or_artist_of_a_standin_is_a_real_one(name, column, real_data):
    both = standin(name), load_dataset(name, source="real", root=real_data)
    made, real = (each.items[column].dropna() for each in both)
    bare = [each.str.replace(r" \(\d+\)$", "", regex=True).str.lower() for each in (made, real)]
    assert bare[0].is_unique
    assert not bare[0].isin(bare[1]).any()


JESTER = pytest.param("jester", ratings._jester_parts, marks=recomputed)


@pytest.mark.parametrize(("name", "kept"), [(NAME, ratings._whole_movielens), JESTER])
def test_made_again_it_is_the_same(name, kept):
    first = standin(name)
    kept.cache_clear()
    again = standin(name)
    assert digest(again) == digest(first)
    assert again.users.equals(first.users)
    assert again.items.equals(first.items)


def test_movielens_splits_are_five_fifths_of_it(movielens):
    whole, tests = movielens.ratings.toarray(), []
    for fold in range(1, 6):
        base, test = standin(NAME, f"u{fold}.base"), standin(NAME, f"u{fold}.test")
        assert (base.ratings.nnz, test.ratings.nnz) == (80_000, 20_000)
        assert (np.diff(base.ratings.indptr) > 0).all()
        assert (np.diff(base.ratings.T.tocsr().indptr) > 0).all()
        tests.append(align(test, movielens).ratings.toarray())
        assert np.array_equal(align(base, movielens).ratings.toarray() + tests[-1], whole)
    assert np.array_equal(sum(tests), whole)
    base, test = standin(NAME, "u1.base"), standin(NAME, "u1.test")
    assert base.ratings.shape == (943, 1650)  # as in the real split
    gone = movielens.items.index.difference(base.items.index)
    assert ((whole > 0).sum(axis=0)[gone - 1] == 1).all()
    assert gone.isin(test.items.index).all()


def test_movielens_times_lie_in_sittings_of_the_real_months(movielens):
    base, days = standin(NAME, "u1.base"), movielens.times.data // 86_400
    rows = np.repeat(np.arange(943), np.diff(movielens.ratings.indptr))
    assert np.array_equal(movielens.times.indices, movielens.ratings.indices)
    assert (days.min() >= 10_124, days.max() <= 10_339) == (True, True)  # 20 Sep 1997, 23 Apr 1998
    sittings = pd.Series(days).groupby(rows).nunique()
    assert (sittings.median(), 0.6 < (sittings == 1).mean() < 0.7) == (1, True)
    laid = align(replace(base, ratings=base.times), movielens)
    present = align(base, movielens).ratings.toarray() > 0
    assert laid.times is None
    assert np.array_equal(laid.ratings.toarray(), movielens.times.toarray() * present)


def test_the_stored_sittings_are_those_of_the_real_movielens(real_data):
    times, firsts, largest = load_dataset(NAME, source="real", root=real_data).times, [], []
    for own in np.split(times.data, times.indptr[1:-1]):
        own = np.sort(own)
        firsts.append((own[0] - 874_713_600) / 86_400)
        ends = np.flatnonzero(np.diff(own, append=np.inf) > 6 * 3600) + 1  # of each sitting
        largest.append(np.diff(ends, prepend=0).max() / len(own))
    several = np.array(largest) < 1
    measured = catalog()[NAME].measured
    assert np.abs(np.quantile(firsts, np.linspace(0, 1, 11)) - measured["first_days"]).max() < 0.6
    assert 1 - several.mean() == pytest.approx(measured["one_sitting"], abs=0.005)
    assert np.mean(largest, where=several) == pytest.approx(measured["largest_sitting"], abs=0.005)


@recomputed
def test_traits_can_be_guessed_a_little_from_the_ratings(movielens):
    """About as well as in the real data (gender AUC 0.76, age r 0.59), far from certainty."""
    present = (movielens.ratings.toarray() > 0).astype(float)
    values, vectors = np.linalg.eigh(present @ present.T)
    tastes = vectors[:, -30:] * np.sqrt(values[-30:])
    age, women = movielens.users["age"], movielens.users["gender"] == "F"
    model = make_pipeline(StandardScaler(), Ridge(100))
    of_age, of_women = (cross_val_predict(model, tastes, t, cv=5) for t in (age, women))
    assert 0.65 < roc_auc_score(women, of_women) < 0.85
    assert 0.45 < np.corrcoef(of_age, age)[0, 1] < 0.75


@given(seed=st.integers(0, 2**32), rows=st.integers(2, 12), columns=st.integers(2, 12))
def test_margins_are_exact(seed, rows, columns):
    rng = np.random.default_rng(seed)
    expected = rng.random((rows, columns)) < 0.5  # margins of some matrix, so they can be had
    expected[0], expected[:, 0] = True, True
    chances = 3 * rng.standard_normal((rows, columns))
    margins = {"rows": expected.sum(1), "columns": expected.sum(0)}
    got = ratings.draw_presence(chances, **margins, rng=rng)
    assert got.sum(1).tolist() == expected.sum(1).tolist()
    assert got.sum(0).tolist() == expected.sum(0).tolist()


# Jester: published sizes, and part 1 against the summaries of the real part 1.
#
# Stated before other seeds were looked at. One of them missed: the eigenvalues hung on the luck of
# drawing a hundred jokes. The model was mended (_unrelated), the tolerances stayed.

PARTS = {"part-1": (24_983, 1_810_455), "part-2": (23_500, 1_708_993), "part-3": (24_938, 616_912)}
HISTOGRAM = 0.003  # absolute, share of all ratings in one of 20 bins
DENSITY = 0.03  # absolute, quantiles of the jokes' densities
GEOMETRY, FIRST = 0.2, 0.05  # relative, eigenvalues of the completed items' correlations
JESTER_PRESENCE = 0.2  # relative, per eigenvalue of who rated
JESTER_SPREAD = 0.15  # absolute, in points of the scale
ZEROS, ZERO = 5_383, 0.1  # ratings of exactly zero in the real part 1; relative


def assert_like_jester(matrix):
    result, expected = describe_scores(matrix), catalog()["jester"].measured
    assert result["user_degrees"] == expected["user_degrees"]
    shares = [np.array(d["histogram"]) / sum(d["histogram"]) for d in (result, expected)]
    assert shares[0] == pytest.approx(shares[1], abs=HISTOGRAM)
    assert_close(result, expected, ["item_densities"], abs=DENSITY)
    assert_close(result, expected, ["completed_values"], rel=GEOMETRY)
    first = expected["completed_values"][0]
    assert result["completed_values"][0] == pytest.approx(first, rel=FIRST)
    assert_close(result, expected, ["presence_values"], rel=JESTER_PRESENCE)
    spreads = ["user_mean_std", "item_mean_std", "user_spread"]
    assert_close(result, expected, spreads, abs=JESTER_SPREAD)


def test_part_1_has_the_stored_shape():
    assert_like_jester(made("jester", "part-1").ratings)


def test_the_parts_of_jester_are_its_rows():
    jester = made("jester")
    for split, (users, count) in PARTS.items():
        part = standin("jester", split)
        assert (part.ratings.shape, part.ratings.nnz) == ((users, 100), count)
        rows = jester.users["part"] == int(split[-1])
        assert part.users.equals(jester.users[rows])
        assert (jester.ratings[np.flatnonzero(rows)] != part.ratings).nnz == 0
        degrees = np.diff(part.ratings.indptr)
        assert (degrees.min(), degrees.max()) == ((15, 35) if split == "part-3" else (36, 100))
        assert part.portion == f"part {split[-1]} of 3"


# Likes: exact sizes, the trimming, eight traits, little memory, never the real.

SCORES = ["openness", "conscientiousness", "extroversion", "agreeableness", "neuroticism"]
DENSE_BYTES = 19_742 * 8_523 * 4


@recomputed
def test_likes_made_again_are_the_same_and_take_little_memory():
    tracemalloc.start()
    again = likes.make_likes.__wrapped__("likes", None)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert digest(again) == digest(standin("likes"))
    assert again.users.equals(standin("likes").users)
    assert peak < DENSE_BYTES / 2


def test_auto_says_that_the_real_likes_are_withdrawn(capsys):
    loading._say_once.cache_clear()
    assert load_dataset("likes").source == "standin"
    text = capsys.readouterr().err
    assert text.count("\n") == 1
    assert "STAND-IN" in text
    assert "withdrawn" in text
    assert "fetch" not in text


# Tables and graphs of the smooth paper. Stated before other seeds were looked at.

DISTANCE = 0.15  # relative, of the mean distance to the nearest rows
DISTINCT = 0.06  # relative, of the number of distinct rows
ALIKE = 0.04  # absolute, of the share of rows that have copies enough
QUANTILES = {"rel": 0.35, "abs": 2}  # of entries per row, the largest apart
TRIANGLES = 0.1  # absolute
MEASURED = ["adult", "playstore", "cnr-2000", "dblp-2010"]


def triangles(matrix):
    """Three times the triangles, divided by the pairs of neighbours of a node."""
    wide = matrix.astype(np.int64)
    degrees = np.diff(wide.indptr)
    return float((wide @ wide).multiply(wide).sum() / (degrees * (degrees - 1)).sum())


def assert_as_alike_as_the_real_rows(name, data):
    result = describe_rows(data.biadjacency, k=8, sample=400)
    measured = catalog()[name].measured
    assert result["distance"] == pytest.approx(measured["distance"], rel=DISTANCE)
    assert result["distinct_rows"] == pytest.approx(measured["distinct_rows"], rel=DISTINCT)
    assert result["alike"] == pytest.approx(measured["alike"], abs=ALIKE)
    if "row_degrees" in measured:
        expected = measured["row_degrees"][:-1]
        assert result["row_degrees"][:-1] == pytest.approx(expected, **QUANTILES)
        assert 1 / 3 < result["column_tops"][0] / measured["column_tops"][0] < 3
    if "triangles" in measured:
        assert triangles(data.biadjacency) == pytest.approx(measured["triangles"], abs=TRIANGLES)


@pytest.mark.parametrize("name", [*MEASURED[:-1], pytest.param("dblp-2010", marks=recomputed)])
def test_rows_are_as_alike_as_the_real_ones(name):
    assert_as_alike_as_the_real_rows(name, standin(name))


@pytest.mark.parametrize("name", MEASURED)
def test_the_measured_shape_is_that_of_the_real_data(real_data, name):
    real, measured = load_dataset(name, source="real", root=real_data), catalog()[name].measured
    result = describe_rows(real.biadjacency, k=8)
    if "triangles" in measured:
        result["triangles"] = round(triangles(real.biadjacency), 4)
    assert {word: result[word] for word in measured} == measured


LARGE = [pytest.param(name, marks=recomputed) for name in ("com-dblp", "web-stanford")]


@pytest.mark.parametrize("name", ["cnr-2000", "dblp-2010", *LARGE])
def test_graphs_have_exactly_the_published_sizes(name):
    data = standin(name)
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


def assert_adult_and_playstore_have_the_published_sizes(**place):
    base, test = (load_dataset("adult", split=split, **place) for split in (None, "test"))
    facts = catalog()["adult"].statistics
    assert base.biadjacency.shape == (facts["rows"], facts["one_hot"]["columns"]) == (32_561, 102)
    assert base.biadjacency.nnz == facts["one_hot"]["entries"] == 260_488
    assert test.biadjacency.shape == (16_281, 102)
    assert test.items.equals(base.items)
    assert base.items.groupby("attribute").size().to_dict() == facts["levels"]
    assert base.users.nunique().to_dict() == facts["levels"]
    rich = (base.labels.sum() + test.labels.sum()) / (32_561 + 16_281)
    assert round(rich, 4) == facts["rich_share"]
    levels, apps = catalog()["playstore"].statistics["levels"], load_dataset("playstore", **place)
    assert (apps.biadjacency.shape, apps.biadjacency.nnz) == ((8_672, 521), 86_720)
    assert apps.items.groupby("attribute").size().to_dict() == levels
    assert list(apps.users.columns) == list(levels)


def test_standins_of_adult_and_playstore_have_exactly_the_published_sizes():
    assert_adult_and_playstore_have_the_published_sizes(source="standin")


def test_real_adult_and_playstore_have_the_published_sizes(real_data):
    assert_adult_and_playstore_have_the_published_sizes(source="real", root=real_data)


def test_income_can_be_learned():
    base, test = standin("adult"), standin("adult", "test")
    assert base.labels.mean() == pytest.approx(test.labels.mean(), abs=0.02)
    # better than by the larger group, 0.76: the odds of each level, added up
    had = base.biadjacency
    ones, rich = (np.asarray(had[base.labels >= least].sum(axis=0)).ravel() for least in (0, 1))
    share, prior = (rich + 1) / (ones + 4), np.log(0.2393 / 0.7607)
    merit = test.biadjacency @ (np.log(share / (1 - share)) - prior) + prior
    assert ((merit > 0) == test.labels).mean() > 0.78 > 1 - test.labels.mean()


def test_a_copy_is_your_own():
    data = standin("playstore")
    first = digest(data)
    data.biadjacency.indices[:] = 0
    assert digest(standin("playstore")) == first


# Last.fm and Flixster. Stated before other seeds were looked at.

SOCIAL_QUANTILES = {"rel": 0.06, "abs": 1}  # of degrees and popularity
DEVIATION = 0.03  # relative, of degrees and of users per item
SHARE = 0.15  # relative, of what friends, and strangers, have in common
MODULARITY = 0.05  # absolute


def modularity(data):
    """Of the partition that python-louvain finds with one seed."""
    graph = nx.from_scipy_sparse_array(data.social)
    labels = community.best_partition(graph, random_state=0)
    return community.modularity(labels, graph)


def assert_like_lastfm(data):
    facts, measured = (getattr(catalog()["lastfm"], part) for part in ("statistics", "measured"))
    assert data.preferences.shape == (facts["users"], facts["items"])
    assert data.preferences.nnz == facts["listening_counts"]
    assert (data.preferences.data >= 2).sum() == facts["preference_edges"]
    assert (data.preferences.data >= 1).all()
    assert data.social.nnz == 2 * facts["social_edges"]
    assert (as_adjacency(data.social) != data.social).nnz == 0
    result = describe_network(data.social, data.preferences)
    assert result["components"] == measured["components"]
    assert_close(result, measured, ("degrees", "item_degrees", "item_tops"), **SOCIAL_QUANTILES)
    degrees, counts = np.diff(data.social.indptr), np.diff(data.preferences.indptr)
    assert degrees.std() == pytest.approx(measured["degree_std"], rel=DEVIATION)
    popular = np.bincount(data.preferences.indices, minlength=facts["items"])
    assert popular.std() == pytest.approx(measured["item_std"], rel=DEVIATION)
    assert (counts == 50).sum() == pytest.approx(1829, abs=2)
    assert counts.max() == 50
    assert_close(result, measured, ("friend_share", "stranger_share"), rel=SHARE)
    assert modularity(data) == pytest.approx(measured["modularity"], abs=MODULARITY)


def test_lastfm_has_the_published_and_measured_shape():
    assert_like_lastfm(made("lastfm"))


def assert_like_flixster(data, facts, *, closer):
    users, items = facts["users"], facts["items"]
    assert data.preferences.shape == (users, items)
    assert data.preferences.nnz == facts["preference_edges"]
    assert data.social.nnz == 2 * facts["social_edges"]
    assert (data.social != data.social.T).nnz == 0
    assert data.social.diagonal().sum() == 0
    degrees, counts = np.diff(data.social.indptr), np.diff(data.preferences.indptr)
    assert degrees.std() == pytest.approx(facts["degree_std"], rel=DEVIATION)
    assert counts.std() == pytest.approx(facts["preference_std"], rel=DEVIATION)
    assert np.corrcoef(np.log(degrees), np.log(counts))[0, 1] > 0.3
    assert set(np.unique(data.preferences.data)) == {2, 2.5, 3, 3.5, 4, 4.5, 5}
    assert np.bincount(data.preferences.indices, minlength=items).min() >= 1
    assert connected_components(data.social, directed=False)[0] == 1
    some = slice(0, 20_000)  # numbers are dealt at random, so these are anybody
    result = describe_network(data.social[some, some], data.preferences[some])
    assert result["friend_share"] > closer * result["stranger_share"]


def test_a_small_flixster_is_made_as_the_large_one(monkeypatch):
    known = catalog()["flixster"]
    facts = {"users": 4000, "items": 2000, "social_edges": 30_000, "preference_edges": 120_000}
    facts |= {"degree_std": 20.0, "preference_std": 40.0}
    small = SimpleNamespace(**vars(social._FLIXSTER) | {"community_sizes": (10, 250, 0.25)})
    monkeypatch.setattr(social, "entry", lambda _: replace(known, statistics=facts))
    monkeypatch.setattr(social, "_FLIXSTER", small)
    assert_like_flixster(social.make_flixster.__wrapped__("flixster", None), facts, closer=1.5)


@recomputed
def test_flixster_has_the_published_size_and_spread():
    data, facts = standin("flixster"), catalog()["flixster"].statistics
    assert round(np.diff(data.social.indptr).mean(), 1) == 18.5
    assert round(np.diff(data.preferences.indptr).mean(), 1) == 54.8
    assert_like_flixster(data, facts, closer=2)


def test_communities_are_as_many_and_as_large_as_published():
    for recipe, users, mean, largest in (
        (social._LASTFM, 1843, 115, 0.285 * 1892),
        (social._FLIXSTER, 137_372, 2986, 0.183 * 137_372),
    ):
        count, deviation, share = recipe.community_sizes
        most = round(largest)
        sizes = social.lognormal_counts(count, total=users, deviation=deviation, least=3, most=most)
        assert sizes.sum() == users
        assert sizes.mean() == pytest.approx(mean, rel=0.005)
        assert sizes.std() == pytest.approx(deviation, rel=DEVIATION)
        assert sizes.max() <= most
        assert share == pytest.approx(largest / (1892 if users == 1843 else users))


@pytest.mark.verify("commands")
def test_threads_do_not_change_it():
    program = (
        "from tests.datasets.test_standins import digest, standin\nprint(digest(standin('lastfm')))"
    )
    for threads in ("1", "2"):
        names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")
        run = ended(sys.executable, "-c", program, env=os.environ | dict.fromkeys(names, threads))
        assert run.stdout.strip() == digest(made("lastfm"))


# All of them: the tolerances hold for the model, not for one lucky draw.


@recomputed
def test_another_seed_has_the_same_shape(monkeypatch):
    first = {name: digest(standin(name)) for name in ("adult", "playstore", "cnr-2000", "lastfm")}
    usual = made("jester", "part-1").ratings.indices[:1000]  # before another seed is set
    for module, seed in (
        *((ratings, "_JESTER_SEED"), (people, "_SEED")),
        *((webgraphs, "_WEB_SEED"), (social, "_SEED")),
    ):
        monkeypatch.setattr(module, seed, 11)
    jokes = ratings._jester_parts.__wrapped__("jester")["part-1"]
    assert (jokes.indices[:1000] != usual).any()
    assert_like_jester(jokes)
    makers = {"adult": people.make_adult, "playstore": people.make_playstore}
    makers["cnr-2000"] = webgraphs.make_web
    for name, make in makers.items():
        other = make.__wrapped__(name, None)
        assert digest(other) != first[name]
        assert_as_alike_as_the_real_rows(name, other)
    friends = social.make_lastfm.__wrapped__("lastfm", None)
    assert digest(friends) != first["lastfm"]
    assert_like_lastfm(friends)
