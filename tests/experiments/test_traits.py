"""Guessing traits: the decomposition against a plain one, the judges against slow twins."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from pplab import load_dataset
from pplab.datasets.catalog import Dataset, catalog
from pplab.papers import PARTS, noise_graphs
from pplab.papers.noise_graphs import paper
from pplab.papers.noise_graphs.traits import OCCUPATION_GROUPS, accuracies, make_folds, user_scores
from pplab.response.noise_graph import BipartiteNoiseGraph
from tests.experiments.parts import complaints


def tastes_and_likes(users=400, items=250, tastes=3, seed=1):
    rng = np.random.default_rng(seed)
    places = rng.standard_normal((users, tastes))
    odds = -1 + places @ rng.standard_normal((tastes, items))
    chances = 1 / (1 + np.exp(-odds))
    return places, sparse.csr_array((rng.random(chances.shape) < chances).astype(np.int8))


@pytest.fixture(scope="module")
def small():
    """A little data set with the eight traits of the paper, all read off its tastes."""
    places, likes = tastes_and_likes()
    rng = np.random.default_rng(2)
    lean = places @ rng.standard_normal((3, len(paper.LIKES_ACCURACY)))
    traits = pd.DataFrame(lean + rng.standard_normal(lean.shape), columns=[*paper.LIKES_ACCURACY])
    for words in ("gender", "political"):
        traits[words] = np.where(traits[words] > 0, "yes", "no")
    items = pd.DataFrame(index=range(likes.shape[1]))
    return Dataset(name="small", source="generated", users=traits, items=items, biadjacency=likes)


@pytest.fixture(scope="module")
def small_table(small):
    return noise_graphs.table2(small, rng=1)


@pytest.mark.parametrize("debiased", [False, True])
def test_user_scores_are_singular_vectors(debiased):
    """The space they span is that of a plain decomposition; the other one's is not."""
    p, wanted = 0.2, 4  # three tastes, and how many like what
    _, likes = tastes_and_likes()
    noisy = BipartiteNoiseGraph(p).sample(likes, rng=1)
    rng = np.random.default_rng(1)
    scores = user_scores(noisy, flip_probability=p, rng=rng, components=wanted)
    dense = noisy.toarray().astype(float)
    plain = {False: dense, True: (dense - p) / (1 - 2 * p)}
    cosines = {
        which: np.linalg.svd(np.linalg.svd(table)[0][:, :wanted].T @ scores[debiased])[1]
        for which, table in plain.items()
    }
    assert cosines[debiased].min() > 1 - 1e-5
    assert cosines[not debiased].min() < 1 - 1e-3


def test_user_scores_refuse_what_cannot_be():
    _, likes = tastes_and_likes(users=20, items=10)
    rng = np.random.default_rng(1)
    with pytest.raises(ValueError, match="components must be an integer between 1 and 10"):
        user_scores(likes, flip_probability=0.1, rng=rng, components=11)
    with pytest.raises(ValueError, match="below 1/2"):
        user_scores(likes, flip_probability=0.5, rng=rng, components=2)


def test_folds_are_a_partition_fixed_by_the_seed():
    folds = make_folds(95, rng=np.random.default_rng(3))
    assert len(folds) == 10
    assert sorted(np.concatenate([test for _, test in folds])) == list(range(95))
    assert all(len(set(train) & set(test)) == 0 for train, test in folds)
    again = make_folds(95, rng=np.random.default_rng(3))
    assert all(np.array_equal(a[1], b[1]) for a, b in zip(folds, again, strict=True))


def test_accuracies_are_cross_validation(small):
    """Against scikit-learn's own loop; three words are judged one against the rest."""
    rng = np.random.default_rng(4)
    scores = rng.standard_normal((len(small.users), 4)) + small.users[["age"]].to_numpy()
    traits = small.users[["gender", "age"]].assign(
        group=np.where(small.users["openness"] > 1, "a", small.users["gender"])
    )
    folds = make_folds(len(traits), rng=rng)
    found = accuracies(scores, traits, folds)
    predicted = cross_val_predict(LinearRegression(), scores, traits["age"], cv=folds)
    by_fold = [np.corrcoef(predicted[test], traits["age"][test])[0, 1] for _, test in folds]
    assert found["age"] == pytest.approx(np.mean(by_fold), abs=1e-6)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    for trait, words in (("gender", ["yes"]), ("group", ["a", "no", "yes"])):
        areas = [
            cross_val_score(model, scores, traits[trait] == word, cv=folds, scoring="roc_auc")
            for word in words
        ]
        assert found[trait] == pytest.approx(np.mean(areas), abs=2e-3)


def test_accuracies_of_nothing_and_of_everything():
    rng = np.random.default_rng(5)
    number = rng.standard_normal(1000)
    traits = pd.DataFrame({"number": number, "word": np.where(number > 0, "up", "down")})
    folds = make_folds(1000, rng=rng)
    chance = accuracies(rng.standard_normal((1000, 2)), traits, folds)
    assert abs(chance["number"]) < 4.9 / np.sqrt(1000)
    assert abs(chance["word"] - 0.5) < 4.9 / np.sqrt(12 * 500)  # sd of a rank statistic
    told = accuracies(number[:, None], traits, folds)
    assert told["number"] == pytest.approx(1)
    assert told["word"] == pytest.approx(1)


def test_each_claim_of_table2_selects_one_row(small_table):
    assert complaints(PARTS["noise-graphs", "table2"], small_table) == []


def test_imprecision_is_the_relative_loss(small_table):
    table = small_table.set_index(["quantity", "trait", "p"])["value"]
    for suffix in ("", ", debiased"):
        for trait in paper.LIKES_ACCURACY:
            clean = table[f"accuracy{suffix}", trait, 0.0]
            assert clean > 0.3
            assert table[f"imprecision{suffix}", trait, 0.0] == 0
            for p in paper.FLIP_PROBABILITIES:
                loss = 100 * (1 - table[f"accuracy{suffix}", trait, p] / clean)
                assert table[f"imprecision{suffix}", trait, p] == pytest.approx(loss)


def test_noise_costs_accuracy(small_table):
    table = small_table.set_index(["quantity", "trait", "p"])["value"]
    for trait in paper.LIKES_ACCURACY:
        assert table["accuracy", trait, 0.4] < table["accuracy", trait, 0.005]


def test_same_seed_same_table(small):
    options = {"runs": 2, "flip_probabilities": [0.3]}
    one, two = (noise_graphs.table2(small, rng=7, **options) for _ in range(2))
    assert one.equals(two)
    assert not one.equals(noise_graphs.table2(small, rng=8, **options))


def test_occupation_groups_are_a_partition():
    jobs = [job for group in OCCUPATION_GROUPS.values() for job in group]
    assert len(jobs) == 21
    assert set(jobs) == set(catalog()["movielens-100k"].measured["occupations"])


def test_movielens_traits_have_intervals():
    complete = load_dataset("movielens-100k", source="standin")
    table = noise_graphs.movielens_traits(complete, rng=1, runs=2, flip_probabilities=[0.4])
    assert set(table["trait"]) == {"gender", "age", "occupation"}
    low, value, high, se = table[table["p"] == 0.4][["low", "value", "high", "se"]].to_numpy().T
    # with two runs a 95 % interval reaches 12.7062 standard errors to either side
    assert high - value == pytest.approx(12.7062 * se, rel=1e-4)
    assert value - low == pytest.approx(12.7062 * se, rel=1e-4)
    assert (se > 0).all()


def test_the_standin_is_guessed_as_well_as_the_paper_says():
    """Without noise, each of the eight traits comes within 0.02 of the printed accuracy."""
    likes = load_dataset("likes", source="standin")
    rng = np.random.default_rng(1)
    folds = make_folds(len(likes.users), rng=rng)
    with threadpool_limits(1):
        scores = user_scores(likes.biadjacency, flip_probability=0.0, rng=rng)[False]
        found = accuracies(scores, likes.users, folds)
    for trait, printed in paper.LIKES_ACCURACY.items():
        assert found[trait] == pytest.approx(printed, abs=0.02), trait
