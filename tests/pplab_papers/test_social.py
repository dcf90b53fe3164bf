"""Social experiments: each claim finds its rows, each answer could be the other."""

from importlib import import_module
from math import inf

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from pplab.metrics.ranking import ndcg
from pplab.recommenders.group_smooth import group_smooth_utilities
from pplab.recommenders.recommend import lists_of_one_noise, recommend
from pplab.recommenders.similarity import Similarity
from pplab.recommenders.top_items import top_items
from pplab.recommenders.utilities import utilities
from pplab_papers import social
from pplab_papers.social import curves, paper, rivals, statements, sybils
from pplab_papers.social.paper import graphs_of
from pplab_papers.social.rivals import best_group_size
from tests.helpers import mirrored
from tests.pplab_papers.parts import complaints, frame_of, made

PARTS = {part.name: part for part in social.PARTS}


def small(name, seed):
    """90 users in three communities, 130 items, weights 1 to 5."""
    rng = np.random.default_rng(seed)
    group = np.repeat([0, 1, 2], 30)
    chance = np.where(group[:, None] == group, 0.3, 0.01)
    social_graph = sparse.csr_array(mirrored(rng.random((90, 90)) < chance).astype(np.int8))
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
        patch.setattr(sybils, "GRAPHS", 15)
        patch.setattr(sybils, "TRIALS", 2_000)
        patch.setattr(statements, "COUNT", 8)
        return {name: frame_of(part, data, few) for name, part in PARTS.items()}


def test_every_claim_is_judged_and_every_statement_has_one(frames):
    assert [text for name in PARTS for text in complaints(PARTS[name], frames[name])] == []


def test_low_counts_are_dropped_and_the_rest_weighs_one(data):
    lastfm = data["lastfm", None]
    graphs = graphs_of(lastfm)
    stored = lastfm.preferences.data
    assert graphs.dropped == (stored < paper.LEAST_COUNT).sum() > 0
    assert graphs.preferences.nnz == (stored >= paper.LEAST_COUNT).sum()
    assert set(graphs.preferences.data.tolist()) == {1.0}


def test_statements_come_out_as_known(frames):
    result = frames["statements"].set_index("statement")["value"]
    false = ["equation-5:linear-sum", "equation-8:as-printed", "section-5:noe-error"]
    true = ["theorem-4:algorithm-1", "equation-8:corrected", "equation-2:perfect"]
    for value, names in enumerate((false, true)):
        assert [result[name] for name in names] == [value] * 3


def test_an_attack_by_common_neighbours_reads_the_victim_alone(frames):
    table = frames["statements"].set_index(["of", "attack"])["value"]
    assert table["cn and aa", "friend, 1"] == table["cn and aa", "victim, 2"] == 1
    assert table["gd", "victim, 2"] == 1 > table["gd", "victim, 1"]


def test_printed_extremes_are_those_over_the_measures():
    keys = [(m, e, n) for m in paper.MEASURES for e in paper.EPSILONS for n in paper.LISTS]
    runs = pd.DataFrame([[0.8] * len(keys)] * 2, columns=pd.MultiIndex.from_tuples(keys))
    runs["gd", inf, paper.TOP] = [0.85, 0.95]
    runs["aa", 0.1, paper.TOP] = [0.5, 0.7]
    again = runs.copy()
    again["aa", 0.1, paper.TOP] = [0.7, 0.5]  # all of the spread is noise
    rows = {(row["quantity"], row["partition"]): row for row in curves._printed(runs, again)}
    one, each = ("smallest loss", "one for all repetitions"), ("smallest loss", "one each")
    assert rows[one]["value"] == pytest.approx(0.1)
    assert rows["largest loss", "one each"]["value"] == pytest.approx(0.2)
    assert rows[one]["sd"] == pytest.approx(np.std([0.05, 0.15], ddof=1))
    assert rows[each]["sd"] == pytest.approx(rows[one]["sd"] / 10**0.5)
    for partition in ("one for all repetitions", "one each"):
        assert rows["lowest NDCG", partition]["sd"] == pytest.approx((0.02 / 10) ** 0.5)


def test_users_without_utility_are_left_out_or_count():
    means = paper.over_users(np.array([0.5, np.nan, 0.7, np.nan]))
    assert means == pytest.approx({"left out": 0.6, "as 0": 0.3, "as 1": 0.8})


def test_changes_are_taken_within_a_repetition(frames):
    rows = frames["figure_1"].query("measure == 'cn'")
    for _, world in rows.groupby(["self_similarity", "without_utility"]):
        means = world[world["quantity"] == "mean"].set_index(["epsilon", "top_n"])["value"]
        change = world[world["quantity"] == "change to the next epsilon"].set_index("epsilon")
        gap = means[0.1, paper.TOP] - means[0.6, paper.TOP]
        assert change["value"][0.1] == pytest.approx(gap)


def test_degree_helps_or_not(data):
    graphs = graphs_of(data["lastfm", None])
    degrees = np.diff(graphs.social.indptr)
    for values, sign in ((degrees / 60, 1), (-degrees / 60, -1)):
        rows = curves.degree_helps(graphs, values[None], "cn", rng=np.random.default_rng(1))
        ranks = {(row["degrees"], row["without_utility"]): row for row in rows}
        assert ranks["of the users", "left out"]["value"] == pytest.approx(sign)
        dealt = ranks["dealt anew", "left out"]
        assert abs(dealt["value"]) < 4 * dealt["se"]


def test_partitions_of_one_seed_are_found_once(data):
    graphs = graphs_of(data["lastfm", None])
    seeds = np.random.default_rng
    few, many = (curves.partitions(graphs, count, seeds(8)) for count in (2, 3))
    assert all(one is other for one, other in zip(few, many, strict=False))
    assert all(one is not many[0] for one in curves.partitions(graphs, 1, seeds(9)))


def test_a_small_component_is_a_cluster_or_not():
    component = np.array([0, 0, 0, 0, 1, 1, 2, 2])
    for labels, missing in (
        ([0, 0, 1, 1, 2, 2, 3, 3], 0),
        ([0, 0, 1, 1, 2, 4, 3, 3], 1),
        ([0, 0, 1, 1, 2, 2, 2, 2], 2),
        ([0, 0, 1, 1, 1, 1, 3, 3], 1),
    ):
        dense = np.unique(labels, return_inverse=True)[1]
        result = curves._facts(dense, component)
        assert result["small components that are no cluster"] == missing


def test_random_clusters_have_the_sizes_of_the_others(frames):
    table = frames["random_clusters"].query("self_similarity == 'without'")
    table = table.set_index(["quantity", "clusters", "measure"])["value"]
    parts = [table["similarity within clusters", name, "cn"] for name in ("Louvain", "random")]
    gap = table["similarity within clusters", "Louvain less random", "cn"]
    assert gap == pytest.approx(parts[0] - parts[1])
    assert gap > 0.2


def test_what_is_rebuilt_from_descriptions_is_marked(frames):
    rows = frames["figure_4"]
    rebuilt = rows["method"].isin(["lrm", "gs", rivals.SVD]) | rows["queries"].notna()
    assert set(rows.loc[rebuilt, "source"]) == {"substitute"}
    assert rows.loc[~rebuilt, "source"].isna().all()


def test_pruning_merges_small_clusters():
    labels = np.array([0] * 12 + [1] * 3 + [2] * 4 + [3] * 11)
    merged = rivals._pruned(labels)
    assert np.bincount(merged).tolist() == [12, 11, 7]


def test_rivals_add_noise_to_the_true_utilities(data, monkeypatch):
    """With next to no noise the lists are the exact ones, in each world; with more they are not."""
    graphs, users = graphs_of(data["ciao", None]), np.array([3, 40, 77])
    monkeypatch.setattr(rivals, "LEVELS", (1e9, 0.1))
    lists = list(rivals._lists(graphs, users, 5, paper.SELF_SIMILARITY))
    assert len(lists) == 3 * 2 * 2 * len(paper.MEASURES)
    for (own, measure, epsilon), method, items in lists:
        how = {"measure": measure, "self_similarity": paper.SELF_SIMILARITY[own]}
        truth = utilities(graphs.social, graphs.preferences, users=users, **how).toarray()
        best = np.sort(truth)[:, ::-1][:, : paper.TOP]
        exact = np.allclose(np.take_along_axis(truth, items, axis=1), best)
        assert exact == (method != "random" and epsilon > 1)


@pytest.mark.parametrize("method", ["nou", "noe"])
def test_lists_of_one_noise_are_those_of_recommend(data, method, monkeypatch):
    """Each of them, in blocks of any size, is what a call of its own makes from the same seed."""
    graphs, ask = graphs_of(data["ciao", None]), {"users": [3, 40, 77], "method": method, "rng": 7}
    ask["top_n"] = paper.TOP
    keys = [(measure, epsilon) for measure in paper.MEASURES for epsilon in rivals.LEVELS]
    alone = [
        recommend(graphs.social, graphs.preferences, measure=m, epsilon=e, **ask).items
        for m, e in keys
    ]
    monkeypatch.setattr(import_module("pplab.recommenders.recommend"), "_CELLS_AT_ONCE", 2_000)
    settings = [(Similarity(measure), epsilon) for measure, epsilon in keys]
    lists = lists_of_one_noise(graphs.social, graphs.preferences, settings, **ask)
    assert all(np.array_equal(*pair) for pair in zip(lists, alone, strict=True))


def test_the_best_group_size_has_the_best_ndcg():
    rng = np.random.default_rng(2)
    similarity = sparse.csr_array(mirrored(rng.integers(0, 5, (12, 12))).astype(float))
    table = sparse.csr_array((rng.random((12, 30)) < 0.4).astype(float))
    size, scores = best_group_size(similarity, table, epsilon=3, top_n=5, rng=1)
    assert list(scores) == [1, 4, 12]
    assert scores[size] == max(scores.values())
    for tried, score in scores.items():
        result = group_smooth_utilities(similarity, table, epsilon=3, group_size=tried, rng=1)
        shares = ndcg(similarity @ table, top_items(result, 5)[0], top_n=5)
        assert score == pytest.approx(np.nanmean(shares))
