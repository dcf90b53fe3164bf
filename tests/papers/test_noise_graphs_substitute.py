"""The k-anonymous substitute against a slow twin; its statements can hold and can fail."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from pplab.datasets.catalog import Dataset
from pplab.microaggregation.mdav import mdav
from pplab.papers import PARTS
from pplab.papers.noise_graphs.on_data import _statements, mean_risks
from pplab.papers.noise_graphs.on_data import substitute as experiment
from tests.papers.parts import complaints


@pytest.fixture(scope="module")
def train():
    rng = np.random.default_rng(1)
    ratings = rng.integers(1, 6, (61, 40)) * (rng.random((61, 40)) < 0.2)
    ratings[:, 0] = 4
    people, films = (pd.DataFrame(index=range(1, count + 1)) for count in ratings.shape)
    matrix = sparse.csr_array(ratings)
    return Dataset(name="small", source="generated", users=people, items=films, ratings=matrix)


@pytest.fixture(scope="module")
def table(train):
    return experiment(train, rng=1, runs=3)


def test_each_claim_selects_its_rows_and_the_part_is_a_substitute(table):
    part = PARTS["noise-graphs", "substitute"]
    assert complaints(part, table) == []
    assert part.substitute


def test_every_release_is_k_anonymous(table):
    achieved = table[table["quantity"] == "k_achieved"]
    assert len(achieved) == 15
    assert (achieved["value"] >= achieved["k"]).all()


@pytest.mark.parametrize("k", [2, 4])
def test_mdav_rows_are_what_a_slow_twin_counts(train, table, k):
    ratings = train.ratings.toarray()
    labels = mdav((ratings > 0).astype(int), k, leftover="group")
    noise, risks, errors = 0, [], []
    for user, label in enumerate(labels):
        group = ratings[labels == label]
        shown = {item for item in range(40) if group[:, item].any()}
        own = {item for item in range(40) if ratings[user, item]}
        noise += len(shown - own)
        risks.append(len(own) / len(shown))
        for item in shown:
            column = group[:, item]
            errors.append(abs(column[column > 0].mean() - ratings[user, item]))
    rows = table[(table["reading"] == "MDAV") & (table["k"] == k)].set_index("quantity")
    assert rows.loc["noise_edges", "value"] == noise
    assert rows.loc["published_edges", "value"] == noise + train.ratings.nnz
    assert rows.loc["mean_risk", "value"] == pytest.approx(np.mean(risks))
    assert rows.loc["imprecision", "value"] == pytest.approx(np.mean(errors))
    assert (rows["sd"] == 0).all()


def test_random_groups_have_a_spread(table):
    drawn = table[(table["reading"] == "random") & (table["quantity"] == "mean_risk")]
    assert (drawn["sd"] > 0).all()
    assert drawn["se"].to_numpy() == pytest.approx(drawn["sd"].to_numpy() / np.sqrt(3))


@pytest.mark.parametrize(
    ("risks", "drawn", "equal", "falls"),
    [
        ({2: 0.50, 4: 0.281, 6: 0.21}, 0.284, 1, 1),
        ({2: 0.50, 4: 0.281, 6: 0.21}, 0.286, 0, 1),
        ({2: 0.50, 4: 0.281, 6: 0.29}, 0.284, 1, 0),
        ({2: 0.27, 4: 0.281, 6: 0.21}, 0.284, 1, 0),
    ],
)
def test_statements_hold_or_not(risks, drawn, equal, falls):
    rows = _statements(risks, drawn).set_index("quantity")
    assert rows.loc["p=0.1 equals k=4", "value"] == equal
    assert rows.loc["risk falls with k", "value"] == falls
    assert "0.2810 at k = 4" in rows.loc["p=0.1 equals k=4", "witness"]


def test_mean_risks_are_those_of_mdav(table):
    assert list(mean_risks(table)) == [2, 3, 4, 5, 6]


def test_same_seed_same_rows(train, table):
    assert table.equals(experiment(train, rng=1, runs=3))
    assert not table.equals(experiment(train, rng=2, runs=3))
