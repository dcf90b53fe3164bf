"""The MovieLens stand-in against the summaries of the real data, with the tolerances stated."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pplab.datasets.catalog import align, catalog
from pplab.datasets.load import load_dataset
from pplab.datasets.ratings import _whole, degrees_from_quantiles, draw_presence
from tests.datasets.shapes import describe_ratings

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
