"""The Likes stand-in: exact sizes, the trimming, eight traits, little memory, never the real."""

import tracemalloc

import numpy as np
import pytest

from pplab import load_dataset
from pplab.datasets import load as loading
from pplab.datasets.likes import make_likes

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
