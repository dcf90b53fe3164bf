"""Social experiments: each claim finds its rows, each answer could be the other."""

from math import inf

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from pplab.datasets.catalog import Dataset
from pplab.papers import social
from pplab.papers.social import curves, paper, rivals, statements, sybils
from pplab.papers.social.paper import graphs_of
from pplab.recommenders.recommend import recommend
from tests.papers.parts import complaints, frame_of

PARTS = {part.name: part for part in social.PARTS}


def small(name, seed):
    """90 users in three communities, 130 items, weights 1 to 5."""
    rng = np.random.default_rng(seed)
    group = np.repeat([0, 1, 2], 30)
    together = group[:, None] == group
    upper = np.triu(rng.random((90, 90)) < np.where(together, 0.3, 0.01), 1)
    social_graph = sparse.csr_array((upper | upper.T).astype(np.int8))
    liked = rng.random((90, 130)) < np.where(np.arange(130) % 3 == group[:, None], 0.3, 0.05)
    liked[np.arange(90), rng.integers(0, 130, 90)] = True
    weights = np.where(liked, rng.integers(1, 6, liked.shape), 0)
    people, things = (pd.DataFrame(index=range(1, count + 1)) for count in liked.shape)
    return Dataset(
        name=name,
        source="generated",
        users=people,
        items=things,
        social=social_graph,
        preferences=sparse.csr_array(weights),
    )


@pytest.fixture(scope="module")
def data():
    names = ("lastfm", "flixster", "ciao")
    return {(name, None): small(name, seed) for seed, name in enumerate(names)}


@pytest.fixture(scope="module")
def frames(data):
    """Every part, once, on the small data."""
    few = {"repetitions": 2, "runs": 2, "seeds": 2, "victims": 5}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sybils, "GRAPHS", 50)
        patch.setattr(sybils, "TRIALS", 2_000)
        patch.setattr(statements, "COUNT", 15)
        return {name: frame_of(part, data, few) for name, part in PARTS.items()}


def test_every_claim_is_judged_and_every_statement_has_one(frames):
    assert [said for name in PARTS for said in complaints(PARTS[name], frames[name])] == []


def test_low_counts_are_dropped_and_the_rest_weighs_one(data):
    lastfm = data["lastfm", None]
    graphs = graphs_of(lastfm)
    stored = lastfm.preferences.data
    assert graphs.dropped == (stored < paper.LEAST_COUNT).sum() > 0
    assert graphs.preferences.nnz == (stored >= paper.LEAST_COUNT).sum()
    assert set(graphs.preferences.data.tolist()) == {1.0}


def test_statements_come_out_as_known(frames):
    found = frames["statements"].set_index("statement")["value"]
    false = ["theorem-4:user", "equation-5:linear-sum", "equation-8:as-printed"]
    true = ["section-2:sybil-cn-aa", "theorem-4:algorithm-1", "equation-8:corrected"]
    for value, names in enumerate((false, true)):
        assert [found[name] for name in names] == [value] * 3


def table_of(**by_level):
    """A table of means: NDCG of each level, the same for each measure and length."""
    keys = pd.MultiIndex.from_product(
        [paper.MEASURES, paper.EPSILONS, paper.LISTS], names=["measure", "epsilon", "top_n"]
    )
    values = [by_level["values"][epsilon] - 0.001 * top_n for _, epsilon, top_n in keys]
    return pd.DataFrame({"value": values, "se": 0.0, "sd": 0.0}, index=keys).sort_index()


def repeated(table, *, shift=0.0):
    """Three runs that share their luck, and a rise from N = 10 to 100 on top of it."""
    rows = table.reset_index()
    longer = shift * (rows["top_n"] > min(paper.LISTS))
    return pd.concat(
        rows.assign(repetition=run, ndcg=rows["value"] + luck + longer)
        for run, luck in enumerate((-0.05, 0.0, 0.05))
    )


GOOD = dict(zip(paper.EPSILONS, (0.87, 0.86, 0.85, 0.73, 0.48, 0.1), strict=True))


def test_sentences_on_figure_1_hold_or_not():
    for change, failing in (
        ({}, set()),
        ({0.6: 0.7}, {"little-effect", "falls-with-epsilon"}),
        ({0.05: 0.7}, {"poor-below"}),
        ({0.01: 0.47}, {"poor-below"}),
        ({1.0: 0.9}, {"falls-with-epsilon"}),
    ):
        table = table_of(values=GOOD | change)
        found = curves._about_one_measure(table, repeated(table), "cn")
        wrong = {name.split(":")[1] for name, (holds, _) in found.items() if not holds}
        assert wrong == failing


def test_a_rise_with_the_length_is_seen_within_a_repetition():
    """It is far smaller than what luck moves all lists of a run by."""
    table = table_of(values=GOOD)
    found = curves._about_one_measure(table, repeated(table, shift=0.05), "cn")
    assert not found["figure-1:falls-with-N:cn"][0]


def test_printed_extremes_are_those_over_the_measures():
    table = table_of(values=GOOD)
    table.loc[("gd", inf, paper.TOP), "value"] = 0.9
    rows = {row["quantity"]: row for row in curves._printed_rows(table)}
    assert rows["smallest loss"]["value"] == pytest.approx(0.1)
    assert rows["largest loss"]["value"] == pytest.approx(1 - 0.87 + 0.05)


def test_sentences_on_the_larger_network_can_fail():
    table, lesser = table_of(values=GOOD), table_of(values=GOOD)
    found = curves._about_the_larger_network(table, lesser)
    assert not found["figure-2:better-than-lastfm"][0]
    assert not found["figure-2:loss-at-inf:cn"][0]
    better = curves._about_the_larger_network(
        table_of(values=dict.fromkeys(paper.EPSILONS, 1.0)), lesser
    )
    assert better["figure-2:better-than-lastfm"][0]
    assert better["figure-2:at-least-0.79:cn"][0]


def test_degree_helps_or_not():
    rng = np.random.default_rng(1)
    degrees = rng.integers(1, 60, 400)
    for values, helps in ((degrees / 60, 1), (rng.random(400), 0), (-degrees / 60, 0)):
        assert curves.degree_helps(degrees, values)[0] == helps


def rival_table(**values):
    rows = [
        {"measure": m, "method": method, "epsilon": e, "value": value - (0.3 if e < 1 else 0)}
        for m in paper.MEASURES
        for e in rivals.LEVELS
        for method, value in values.items()
    ]
    return pd.DataFrame(rows)


START = pd.DataFrame({"value": [0.012]})


def test_sentences_on_figure_4_hold_or_not():
    as_printed = {"random": 0.31, "nou": 0.32, "noe": 0.6, "lrm": 0.5, "gs": 0.4, "cluster": 0.9}
    found = {
        name: holds
        for name, (holds, _) in rivals._findings(rival_table(**as_printed), START).items()
    }
    assert not found["figure-4:noe-poor:eps=0.1"]
    assert all(holds for name, holds in found.items() if "noe-poor" not in name)
    other = rivals._findings(rival_table(**as_printed | {"gs": 0.95, "nou": 0.5}), START)
    wrong = {name for name, (holds, _) in other.items() if not holds}
    assert wrong >= {"figure-4:gs-between:eps=1", "figure-4:cluster-best"}
    assert "figure-4:nou-random:eps=1" in wrong


def test_sentences_on_lrm_and_the_second_witness_can_be_false():
    table = pd.DataFrame({"queries": [1, 2, 3], "value": [1.0, 2.0, 3.0]})
    assert rivals._worsens(table)[0]
    assert not rivals._worsens(table.assign(value=[1.0, 3.0, 2.0]))[0]
    assert rivals._clusters_beat(rival_table(nou=0.1, noe=0.3, cluster=0.8))[0]
    assert not rivals._clusters_beat(rival_table(nou=0.1, noe=0.9, cluster=0.8))[0]


@pytest.mark.parametrize(("gain", "low", "stops"), [(0.0, 0, 1), (0.1, 0, 0), (0.0, 0.2, 0)])
def test_the_attack_is_stopped_or_not(gain, low, stops):
    common = {"method": "cluster", "epsilon": 0.1}
    seen = pd.DataFrame(
        [common | {"measure": "cn", "precision": 0.1, "gain": gain, "gain_se": 0.01}]
    )
    game = pd.DataFrame([common | {"advantage": low, "low": low, "high": 0.3}])
    assert sybils._stopped(seen, game)[0] == stops


def test_refinement_is_judged_by_spread_and_mean():
    steady, shaky = [0.41, 0.42], [0.39, 0.43]
    assert curves._stabilises({True: steady, False: shaky})[0]
    assert not curves._stabilises({True: shaky, False: steady})[0]


def test_pruning_merges_small_clusters():
    labels = np.array([0] * 12 + [1] * 3 + [2] * 4 + [3] * 11)
    merged = rivals._pruned(labels)
    assert np.bincount(merged).tolist() == [12, 11, 7]


def test_beyond_sentences_can_fail():
    plain = np.array([0.49, 0.5, 0.52])
    assert rivals._better(plain + np.array([0.1, 0.11, 0.09]), plain)[0]
    assert not rivals._better(plain + np.array([0.1, -0.05, 0.02]), plain)[0]
    losses = dict.fromkeys(paper.MEASURES, 0.1) | {"jaccard": 0.05, "resource-allocation": 0.2}
    assert not rivals._others(losses)[0]
    assert rivals._others(losses | {"resource-allocation": 0.1})[0]
    assert rivals._resolution({1.0: 0.96, 2.0: 1.0})[0]
    assert not rivals._resolution({1.0: 0.9, 2.0: 1.0})[0]


def test_noise_on_edges_drawn_once_gives_the_lists_of_recommend(data, monkeypatch):
    graphs, users = graphs_of(data["ciao", None]), np.array([3, 40, 77])
    monkeypatch.setattr(rivals, "_ITEMS", 50)
    found = rivals._noise_on_edges(graphs, users, np.array([5]))
    assert set(found) == {(m, e, 0) for m in paper.MEASURES for e in rivals.LEVELS}
    for (measure, epsilon, _), items in found.items():
        common = {"measure": measure, "epsilon": epsilon, "top_n": paper.TOP, "users": users}
        lists = recommend(graphs.social, graphs.preferences, method="noe", rng=5, **common)
        assert (items == lists.items).all()
