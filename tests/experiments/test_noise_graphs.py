"""Experiments against slow twins and against sampled noise; readings that must disagree do."""

import numpy as np
import pytest

from pplab import load_dataset, sensitive_attribute_imprecision, sensitive_attribute_risk
from pplab.datasets.catalog import catalog
from pplab.papers import PARTS, noise_graphs
from pplab.papers.noise_graphs import paper
from pplab.papers.noise_graphs.tables import edge_counts
from pplab.response._flips import flip_cells
from pplab.response.ratings import WeightedNoiseGraph


@pytest.fixture(scope="module")
def train():
    return load_dataset("movielens-100k", source="standin", split="u1.base")


@pytest.fixture(scope="module")
def complete():
    return load_dataset("movielens-100k", source="standin")


def test_edge_counts_are_the_law_of_sampled_noise(train):
    """Mean and spread over 200 sampled noise graphs, both readings of the addition."""
    ratings, p, runs = train.ratings, 0.05, 200
    cells = ratings.shape[0] * ratings.shape[1]
    law = {
        (row["quantity"], row["reading"]): (row["value"], row["sd"])
        for row in edge_counts(p=p, cells=cells, edges=ratings.nnz, reading="")
    }
    rng = np.random.default_rng(1)
    published = np.array(
        [flip_cells(ratings, flip_probability=p, rng=rng).nnz for _ in range(runs)]
    )
    mean, sd = law["published_edges", "symmetric difference"]
    assert abs(published.mean() - mean) < 4.9 * sd / np.sqrt(runs)
    assert published.std(ddof=1) == pytest.approx(sd, rel=0.25)
    mean, sd = law["published_edges", "union"]
    mechanism = WeightedNoiseGraph(p, 5)
    unions = np.array([mechanism.sample(ratings, rng=rng).nnz for _ in range(60)])
    assert abs(unions.mean() - mean) < 4.9 * sd / np.sqrt(60)
    assert law["published_edges", "symmetric difference"][0] < mean


def test_table1_covers_the_printed_table():
    table = noise_graphs.table1()
    for p in paper.FLIP_PROBABILITIES:
        here = table[table["p"] == p]
        assert set(here["quantity"]) == {"epsilon", "noise_edges", "published_edges"}
        assert len(here) == 1 + 2 + 4


def test_table1_sizes_recover_sizes_from_sampled_counts(monkeypatch):
    """Counts drawn from known sizes give those sizes back within four standard errors."""
    rng = np.random.default_rng(1)
    cells = 19_724 * paper.LIKES_ITEMS
    counts = {}
    for p in paper.FLIP_PROBABILITIES:
        hits = rng.binomial(paper.LIKES_PAIRS, p)
        noise = hits + rng.binomial(cells - paper.LIKES_PAIRS, p)
        counts[p] = (noise, paper.LIKES_PAIRS + noise - 2 * hits)
    monkeypatch.setattr(paper, "LIKES_COUNTS", counts)
    sizes = noise_graphs.table1_sizes().set_index("quantity")
    for quantity, true in (("users", 19_724), ("pairs", paper.LIKES_PAIRS)):
        assert abs(sizes.loc[quantity, "value"] - true) < 4 * sizes.loc[quantity, "se"]
    assert abs(sizes.loc["users", "value"] - 19_742) > 4 * sizes.loc["users", "se"]


def test_table3_tries_both_shapes_and_both_additions(train, complete):
    table = noise_graphs.table3(train, complete)
    readings = set(table["reading"])
    assert readings == {
        f"{shape}{addition}"
        for shape in ("943 x 1,682", "943 x 1,650")
        for addition in ("", ", union", ", symmetric difference")
    }


def test_figure2_is_the_public_metric(train):
    """The three readings against the metric called as a user would call it."""
    table = noise_graphs.figure2(train, rng=3, runs=2, flip_probabilities=[0.1])
    values = table.set_index("reading")["value"]
    mechanism = WeightedNoiseGraph(0.1, 5)
    told, seen, new = [], [], []
    for child in np.random.default_rng(3).spawn(2):
        noise = mechanism.draw_noise(train.ratings, rng=child)
        published = mechanism.add(train.ratings, noise)
        told.append(sensitive_attribute_risk(train.ratings, published, noise=noise).mean())
        seen.append(sensitive_attribute_risk(train.ratings, published).mean())
        degrees = np.diff(train.ratings.indptr)
        new.append((degrees / np.diff(published.indptr)).mean())
    assert values["drawn noise edges"] == pytest.approx(np.mean(told))
    assert values["changed values"] == pytest.approx(np.mean(seen))
    assert values["new edges"] == pytest.approx(np.mean(new))
    assert values["drawn noise edges"] < values["changed values"] < values["new edges"]


def test_table5_is_the_public_metric(train):
    table = noise_graphs.table5(train, rng=4, runs=2, flip_probabilities=[0.05])
    values = table.set_index("reading")["value"]
    for norm in ("min-max", "product", "lukasiewicz"):
        mechanism = WeightedNoiseGraph(0.05, 5, norm=norm)
        errors = [
            sensitive_attribute_imprecision(
                train.ratings, mechanism.sample(train.ratings, rng=child)
            )
            for child in np.random.default_rng(4).spawn(2)
        ]
        assert values[f"{norm}, weights 1 to 5"] == pytest.approx(np.mean(errors))
    scaled = values["min-max, weights in [0, 1]"]
    assert scaled == pytest.approx(values["min-max, weights 1 to 5"] / 5)


def test_risk_distribution_is_a_distribution(train):
    table = noise_graphs.risk_distribution(train, rng=1, flip_probabilities=[0.05, 0.4])
    for _, curve in table.groupby("p"):
        assert curve["value"].is_monotonic_increasing
        assert curve["value"].between(0, 1).all()
        assert curve["share"].iloc[[0, -1]].tolist() == [0, 1]


def test_same_seed_same_numbers(train):
    options = {"runs": 2, "flip_probabilities": [0.05]}
    for experiment in (noise_graphs.figure2, noise_graphs.table5):
        one, two = (experiment(train, rng=7, **options) for _ in range(2))
        assert one.equals(two)
        assert not one.equals(experiment(train, rng=8, **options))


def test_every_part_names_data_sets_that_exist():
    for part in PARTS.values():
        for name, split in part.datasets.values():
            assert catalog()[name].reader or catalog()[name].never
            if not catalog()[name].standin:
                continue  # only the real data can show more
            data = load_dataset(name, split=split, source="standin")
            tables = (data.ratings, data.biadjacency, data.preferences)
            assert any(table is not None and table.nnz for table in tables)
