"""Sentences that data decide: each can hold and can fail, and their parts against slow twins."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from pplab import load_dataset
from pplab.papers import PARTS
from pplab.papers.noise_graphs.on_data import (
    _accuracy_preserved,
    _better_tuned,
    _constant_weight,
    _falls,
    _laws,
    _ordered,
    _strong_privacy,
    mean_absolute_error,
    right_guesses,
)
from pplab.papers.noise_graphs.on_data import data_statements as experiment
from pplab.response.ratings import WeightedNoiseGraph
from tests.experiments.parts import complaints


@pytest.fixture(scope="module")
def train():
    """A corner of the stand-in: 200 users and the 300 films that they rate most."""
    data = load_dataset("movielens-100k", source="standin", split="u1.base")
    ratings = data.ratings[:200]
    films = np.sort(np.argsort(-np.bincount(ratings.indices, minlength=1650))[:300])
    ratings = sparse.csr_array(ratings[:, films])
    return replace(data, ratings=ratings, users=data.users[:200], items=data.items.iloc[films])


def losses(**by_trait):
    return pd.DataFrame(
        [
            {"trait": trait, "p": p, "value": value}
            for trait, values in by_trait.items()
            for p, value in zip((0.0, 0.05, 0.1, 0.3), values, strict=True)
        ]
    )


def test_each_claim_selects_one_row(train):
    complete = load_dataset("movielens-100k", source="standin")
    test = load_dataset("movielens-100k", source="standin", split="u1.test")
    table = experiment(train, test, complete, rng=1, runs=2)
    said = complaints(PARTS["noise-graphs", "data_statements"], table)
    # its witnesses are notes, not sentences
    assert [wrong for wrong in said if not wrong.endswith("ends without a stop")] == []
    assert len(table) == 6
    assert table["witness"].str.contains(r"\d").all()


def test_accuracy_preserved_has_its_border_at_ten_per_cent():
    assert _accuracy_preserved(losses(age=(0, 2, 10.0, 50), gender=(0, 1, 2, 3)))[0]
    holds, witness = _accuracy_preserved(losses(age=(0, 2, 10.1, 50), gender=(0, 1, 2, 3)))
    assert not holds
    assert "age 10.1 at p = 0.1" in witness
    assert "50" not in witness


def test_strong_privacy_needs_both():
    good, bad = losses(age=(0, 2, 3, 9)), losses(age=(0, 2, 3, 11))
    assert _strong_privacy(good, 0.80, 0.87)[0]
    assert not _strong_privacy(bad, 0.80, 0.87)[0]
    holds, witness = _strong_privacy(good, 0.80, 0.90)
    assert not holds
    assert "+12.5 %" in witness


def test_falls_needs_every_trait():
    def table(last):
        return pd.DataFrame(
            {
                "trait": ["a", "b"] * 2,
                "p": [0.005] * 2 + [0.4] * 2,
                "value": [0.8, 0.6, 0.5, last],
            }
        )

    assert _falls(table(0.59))[0]
    assert not _falls(table(0.61))[0]


def test_ordered_looks_from_5_to_95_per_cent():
    shares = np.linspace(0, 1, 101).round(2)

    def table(change):
        small = pd.DataFrame({"p": 0.1, "share": shares, "value": shares})
        large = small.assign(p=0.2, value=0.9 * shares + change)
        return pd.concat([small, large])

    assert _ordered(table(0))[0]
    outside = np.where((shares < 0.05) | (shares > 0.95), 0.5, 0)
    assert _ordered(table(outside))[0]
    assert not _ordered(table(np.where(shares == 0.95, 0.2, 0)))[0]
    assert not _ordered(table(np.where(shares == 0.05, 0.2, 0)))[0]


def test_better_tuned_finds_p_for_each_target(train):
    holds, witness = _better_tuned(train, np.random.default_rng(1))
    assert "of 75 targets" in witness
    assert isinstance(holds, bool)


@pytest.mark.parametrize("weights", ["empirical", [3.0]])
def test_laws_are_those_of_one_cell(weights):
    """What a cell publishes, from the mechanism's exact distribution on one cell."""
    ratings = sparse.csr_array(np.array([[1, 5, 5, 0], [0, 3, 0, 0]]))
    p = Fraction(1, 4)
    listed = ratings.data.tolist() if weights == "empirical" else weights
    mechanism = WeightedNoiseGraph(p, 5, noise_weights=weights)
    one_cell = WeightedNoiseGraph(p, 5, noise_weights=listed)
    noise, true = np.zeros(6), np.zeros(6)
    for cell in ratings.toarray().ravel():
        content = sparse.csr_array(np.array([[float(cell)]]))
        for ((answer,),), chance in one_cell.distribution(content).items():
            if answer is not None:
                (true if cell else noise)[int(answer)] += float(chance) / 8
    found_noise, found_true = _laws(ratings, mechanism)
    assert found_noise == pytest.approx(noise)
    assert found_true == pytest.approx(true)


def test_right_guesses_come_out_as_often_as_the_law_says(train):
    mechanism = WeightedNoiseGraph(0.1, 5, noise_weights=[3.0])
    noise, true = _laws(train.ratings, mechanism)
    expected = np.maximum(noise, true).sum() / (noise + true).sum()
    shares = [
        right_guesses(train.ratings, mechanism, rng=child)
        for child in np.random.default_rng(1).spawn(20)
    ]
    spread = np.std(shares, ddof=1) / np.sqrt(20)
    assert abs(np.mean(shares) - expected) < 6 * spread
    assert expected < 1


def test_constant_weight_holds_on_ratings_that_differ_and_not_on_equal_ones(train):
    seeds = np.arange(3)
    assert _constant_weight(train, seeds)[0]
    threes = train.ratings.copy()
    threes.data[:] = 3  # now both kinds of noise are the same
    assert not _constant_weight(replace(train, ratings=threes), seeds)[0]


def planted(seed=1):
    """Ratings of one taste and their test part: 60 users, 50 films, a third held out."""
    rng = np.random.default_rng(seed)
    people, films = rng.choice([-1.0, 1.0], 60), rng.choice([-1.0, 1.0], 50)
    stars = 3 + 2 * np.outer(people, films)
    known = rng.random(stars.shape) < 0.67
    return sparse.csr_array(stars * known), sparse.csr_array(stars * ~known)


def test_predictions_find_a_planted_taste():
    """The means alone are two stars off on every rating; the taste is worth a part of it."""
    known, held_out = planted()
    assert mean_absolute_error(known, held_out) < 1.5
    shuffled = known.copy()
    shuffled.data = np.random.default_rng(1).permutation(shuffled.data)
    assert mean_absolute_error(shuffled, held_out) > 1.8


def test_predictions_of_equal_ratings_are_right():
    known, held_out = planted()
    known.data[:] = 4
    held_out.data[:] = 4
    known.data[0] = 4.001  # the solver needs something to decompose
    assert mean_absolute_error(known, held_out) == pytest.approx(0, abs=1e-3)
