"""Social experiments: each claim finds its rows, each answer could be the other."""

from math import inf

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from pplab.metrics.ranking import ndcg
from pplab.papers import social
from pplab.papers.social import curves, paper, rivals, statements, sybils
from pplab.papers.social.paper import graphs_of
from pplab.papers.social.rivals import best_group_size
from pplab.recommenders.group_smooth import group_smooth_utilities
from pplab.recommenders.recommend import recommend
from pplab.recommenders.top_items import top_items
from tests.papers.parts import complaints, frame_of, made

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
    return made(name, social=social_graph, preferences=sparse.csr_array(weights))


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
    false = ["equation-5:linear-sum", "equation-8:as-printed", "section-5:noe-error"]
    true = ["theorem-4:algorithm-1", "equation-8:corrected", "equation-2:perfect"]
    for value, names in enumerate((false, true)):
        assert [found[name] for name in names] == [value] * 3


def test_an_attack_by_common_neighbours_reads_the_victim_alone(frames):
    table = frames["statements"].set_index(["of", "attack"])["value"]
    assert table["cn and aa", "friend, 1"] == table["cn and aa", "victim, 2"] == 1
    assert table["gd", "victim, 2"] == 1 > table["gd", "victim, 1"]


def test_printed_extremes_are_those_over_the_measures():
    keys = [(m, e, n) for m in paper.MEASURES for e in paper.EPSILONS for n in paper.LISTS]
    runs = pd.DataFrame([[0.8] * len(keys)] * 2, columns=pd.MultiIndex.from_tuples(keys))
    runs["gd", inf, paper.TOP] = [0.85, 0.95]
    rows = {row["quantity"] + how: row for how, row in curves._printed_rows(runs)}
    assert rows["smallest loss"]["value"] == pytest.approx(0.1)
    assert rows["largest loss"]["value"] == pytest.approx(0.2)
    one = rows["smallest loss, one partition"]
    assert (one["low"], one["high"]) == pytest.approx((0.05, 0.15))


def test_changes_are_taken_within_a_repetition(frames):
    rows = frames["figure_1"].query("self_similarity == 'no' and measure == 'cn'")
    means = rows[rows["quantity"] == "mean"].set_index(["epsilon", "top_n"])["value"]
    change = rows[rows["quantity"] == "change to the next epsilon"].set_index("epsilon")["value"]
    assert change[0.1] == pytest.approx(means[0.1, paper.TOP] - means[0.6, paper.TOP])


def test_degree_helps_or_not():
    rng = np.random.default_rng(1)
    degrees = rng.integers(1, 60, 400)
    for values, sign in ((degrees / 60, 1), (-degrees / 60, -1)):
        rows = {row["quantity"]: row for row in curves.degree_helps(degrees, values, "cn")}
        assert rows["rank correlation"]["value"] == pytest.approx(sign)
        assert rows["p-value"]["value"] < paper.ALPHA


def test_a_small_component_is_a_cluster_or_not():
    component = np.array([0, 0, 0, 0, 1, 1, 2, 2])
    for labels, missing in (
        ([0, 0, 1, 1, 2, 2, 3, 3], 0),
        ([0, 0, 1, 1, 2, 4, 3, 3], 1),
        ([0, 0, 1, 1, 2, 2, 2, 2], 2),
        ([0, 0, 1, 1, 1, 1, 3, 3], 1),
    ):
        dense = np.unique(labels, return_inverse=True)[1]
        found = curves._facts(dense, component)
        assert found["small components that are no cluster"] == missing


def test_random_clusters_have_the_sizes_of_the_others(frames):
    table = frames["random_clusters"].set_index(["quantity", "clusters", "measure"])["value"]
    parts = [table["similarity within clusters", name, "cn"] for name in ("Louvain", "random")]
    gap = table["similarity within clusters", "Louvain less random", "cn"]
    assert gap == pytest.approx(parts[0] - parts[1])
    assert gap > 0.2


def test_what_is_rebuilt_from_descriptions_is_marked(frames):
    rows = frames["figure_4"]
    rebuilt = rows["method"].isin(["lrm", "gs", "lrm, start by svd"]) | rows["queries"].notna()
    assert set(rows.loc[rebuilt, "source"]) == {"substitute"}
    assert rows.loc[~rebuilt, "source"].isna().all()


def test_pruning_merges_small_clusters():
    labels = np.array([0] * 12 + [1] * 3 + [2] * 4 + [3] * 11)
    merged = rivals._pruned(labels)
    assert np.bincount(merged).tolist() == [12, 11, 7]


def test_noise_on_edges_drawn_once_gives_the_lists_of_recommend(data, monkeypatch):
    graphs, users = graphs_of(data["ciao", None]), np.array([3, 40, 77])
    monkeypatch.setattr(rivals, "_ITEMS", 50)
    found = rivals._noise_on_edges(graphs, users, np.array([5]))
    assert set(found) == {(m, e, 0) for m in paper.MEASURES for e in rivals.LEVELS}
    for (measure, epsilon, _), items in found.items():
        common = {"measure": measure, "epsilon": epsilon, "top_n": paper.TOP, "users": users}
        lists = recommend(graphs.social, graphs.preferences, method="noe", rng=5, **common)
        assert (items == lists.items).all()


def test_the_best_group_size_has_the_best_ndcg():
    rng = np.random.default_rng(2)
    upper = np.triu(rng.integers(0, 5, (12, 12)), 1).astype(float)
    similarity = sparse.csr_array(upper + upper.T)
    table = sparse.csr_array((rng.random((12, 30)) < 0.4).astype(float))
    size, scores = best_group_size(similarity, table, epsilon=3, top_n=5, rng=1)
    assert list(scores) == [1, 2, 4, 8, 12]
    assert scores[size] == max(scores.values())
    for tried, score in scores.items():
        found = group_smooth_utilities(similarity, table, epsilon=3, group_size=tried, rng=1)
        shares = ndcg(similarity @ table, top_items(found, 5)[0], top_n=5)
        assert score == pytest.approx(np.nanmean(shares))
