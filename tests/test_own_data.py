"""A table or a graph of one's own: columns are named, labels come out again, order is harmless."""

import copy
import gzip
import pickle
import re
from fractions import Fraction

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.io import mmread

import pplab
from pplab import graph, read_table, table
from pplab.attacks import (
    group_inference,
    homogeneous_cells,
    pivotal_counts,
    reidentification_curve,
)
from pplab.attacks.sybil import sybil_attack
from pplab.datasets import holdout_cells
from pplab.graphs import with_frame
from pplab.metrics import l_diversity, ndcg, within_group_sse
from pplab.microaggregation import complete, group_means
from pplab.microaggregation.microaggregate import pool_groups
from pplab.recommenders import (
    cluster_averages,
    error_parts,
    modularity,
    predict_from_nearest,
)
from pplab.response import BipartiteNoiseGraph
from pplab.smooth import nearest_rows, publish_votes, smooth_optimum

RATED = pd.DataFrame(
    {
        "who": [101, 101, 102, 102, 104],
        "film": [9, 7, 9, 7, 9],
        "stars": [5.0, 1.0, 4.0, 2.0, 3.0],
        "title": list("abcde"),
    }
)
PEOPLE, FILMS = [104, 101, 103, 102], [9, 8, 7]
NAMES = {"user": "who", "item": "film"}
STARS = table(RATED, **NAMES, value="stars", users=PEOPLE, items=FILMS)
CANONICAL = table(RATED, **NAMES, value="stars", users=sorted(PEOPLE), items=sorted(FILMS))
FRIENDS = pd.DataFrame({"a": [101, 102, 103], "b": [102, 104, 101]})
CIRCLE = graph(FRIENDS, source="a", target="b", nodes=PEOPLE)
SORTED_CIRCLE = graph(FRIENDS, source="a", target="b", nodes=sorted(PEOPLE))


def lines(released):
    """Cells of a release by person, whatever the order of its rows."""
    return released.frame().to_dict("list")


def test_a_stated_order_is_kept_and_lines_come_by_cell():
    assert (STARS.users, STARS.items) == (tuple(PEOPLE), tuple(FILMS))
    assert STARS.matrix.toarray().tolist() == [[3, 0, 0], [5, 0, 1], [0, 0, 0], [4, 0, 2]]
    assert STARS.frame().to_dict("list") == {
        "who": [101, 101, 102, 102, 104], "film": [7, 9, 7, 9, 9], "stars": [1, 5, 2, 4, 3],
    }  # fmt: skip
    assert repr(STARS) == (
        "<Table: 4 users x 3 items, 5 entries, with values; frame named; not read: ['title']>"
    )
    result = table(RATED[::-1], **NAMES, value="stars")
    assert (result.users, result.items, result.named) == ((101, 102, 104), (7, 9), False)


def test_ones_and_ratings_leave_as_numbers_to_multiply(tmp_path):
    likes = STARS.keep(at_least=3)
    assert (likes.matrix.dtype, STARS.matrix.dtype) == (np.int32, np.float64)
    assert likes.shape == STARS.shape
    assert lines(likes) == {"who": [101, 102, 104], "film": [9, 9, 9]}
    assert STARS.keep().matrix.nnz == 5
    STARS.to_csv(tmp_path / "a.csv")
    back = read_table(tmp_path / "a.csv", like=STARS)
    assert (back.matrix != STARS.matrix).nnz == 0
    assert (back.users, back.columns) == (STARS.users, STARS.columns)


def test_tables_do_not_change_and_pickle():
    for made in (STARS, CIRCLE):
        again = pickle.loads(pickle.dumps(made))
        assert lines(again) == lines(made)
        assert again.axis_labels == copy.copy(made).axis_labels == made.axis_labels
        made.matrix.data[:] = 9
        assert lines(again) == lines(made)


LIKES, SORTED_LIKES = STARS.keep(), CANONICAL.keep()
RELEASES = [  # of a table and a graph
    "pplab.bipartite_noise_graph(t.keep(), flip_probability=0.3, rng=1)",
    "response.FairCoin(replacement_probability=0.5).sample(t.keep(), rng=1)",
    "response.TwoStageResponse(levels=5, flip_probability=0.3, rating_odds=3).sample(t, rng=1)",
    "pplab.categorical_response(t, levels=5, epsilon=1, rng=1)",
    "pplab.weighted_noise_graph(t, flip_probability=0.3, top_rating=5, rng=1)",
    "pplab.noise_graph(g, flip_probability=0.3, rng=1)",
    "pplab.similarity(g, measure='aa')",
    "pplab.utilities(g, t.keep(), measure='cn')",
    "pplab.microaggregate(t, 2, rating_range=(1, 5)).table",
    "pplab.gaussian_noise(t, sigma=0.5, rating_range=(1, 5), rng=1).table",
    "pplab.suppress_k_anonymize(t.keep(), 2, rng=1).table",
    *(
        f"pplab.smooth_k_anonymize(t.keep(), 2, method={name!r}, rng=1).table"
        for name in ("greedy", "paper", "alg1", "alg2")
    ),
]


@pytest.mark.parametrize("call", RELEASES)
def test_the_order_of_the_labels_changes_the_order_and_nothing_else(call):
    """And positions 0 to n - 1, the same cells by number, draw the same noise."""
    numbered = table(CANONICAL.matrix), graph(SORTED_CIRCLE.matrix)
    stated, plain, by_number = (
        eval(call, {"pplab": pplab, "response": pplab.response, "t": people, "g": friends})
        for people, friends in ((STARS, CIRCLE), (CANONICAL, SORTED_CIRCLE), numbered)
    )
    assert lines(stated) == lines(plain)
    expected = [PEOPLE, PEOPLE if type(stated).__name__ == "Graph" else FILMS]
    assert stated.axis_labels == expected
    rows, columns = (np.searchsorted(sorted(labels), labels) for labels in expected)
    assert np.array_equal(stated.matrix.toarray(), plain.matrix.toarray()[rows][:, columns])
    assert np.array_equal(by_number.matrix.toarray(), plain.matrix.toarray())


def test_the_arrays_of_a_result_follow_the_frame():
    copied = pplab.smooth_k_anonymize(LIKES, 2, rng=1)
    plain = pplab.smooth_k_anonymize(SORTED_LIKES, 2, rng=1)
    assert (copied.biadjacency != copied.table.matrix).nnz == 0
    assert (copied.users, copied.items) == (tuple(PEOPLE), tuple(FILMS))
    labels = dict(zip(copied.users, copied.labels, strict=True))
    assert labels == dict(zip(plain.users, plain.labels, strict=True))
    means = pplab.microaggregate(STARS, 2, rating_range=(1, 5))
    assert np.array_equal(means.protected, means.table.matrix.toarray())
    noisy = pplab.gaussian_noise(STARS, sigma=0.0, rating_range=(1, 5))
    assert np.array_equal(noisy.completed, noisy.table.matrix.toarray())


def test_one_value_a_person_is_a_series():
    noisy = pplab.bipartite_noise_graph(LIKES, flip_probability=0.3, rng=1)
    risk = pplab.sensitive_attribute_risk(LIKES, noisy)
    plain = pplab.sensitive_attribute_risk(SORTED_LIKES.matrix, noisy.matrix[[1, 3, 2, 0]][:, ::-1])
    assert list(risk.index) == PEOPLE
    assert np.allclose(risk.loc[sorted(PEOPLE)], plain, equal_nan=True)
    means = pplab.microaggregate(STARS, 2, rating_range=(1, 5))
    linked = pplab.disclosure_risk(
        STARS, means.table, direction="original-to-protected", cells="rated"
    )
    assert list(linked.index) == PEOPLE


def test_friends_and_likes_meet_by_label():
    groups = pplab.communities(CIRCLE, rng=1)
    assert list(groups.index) == PEOPLE
    assert modularity(CIRCLE, groups) == modularity(SORTED_CIRCLE, groups)
    assert modularity(CIRCLE, groups[::-1]) == modularity(CIRCLE, groups.to_numpy())
    ask = {"measure": "cn", "top_n": 2}
    for method, level, more in (
        ("exact", np.inf, {}),
        ("cluster", 1.0, {"clusters": groups}),
        ("nou", 1.0, {}),
    ):
        more |= {"epsilon": level, "method": method, "rng": 1, "return_utilities": True}
        stated, *others = (
            pplab.recommend(friends, likes, **ask, **more)
            for friends in (CIRCLE, SORTED_CIRCLE)
            for likes in (LIKES, SORTED_LIKES)
        )
        assert list(stated.items.index) == PEOPLE
        assert list(stated.items.columns) == [1, 2]
        for one in others:
            assert one.items.loc[PEOPLE].equals(stated.items)
            assert one.utilities.loc[PEOPLE].equals(stated.utilities)
        assert list(one.items.index) == sorted(PEOPLE)
    few = pplab.recommend(CIRCLE, LIKES, epsilon=np.inf, method="exact", users=[102, 101], **ask)
    assert few.items.index.tolist() == [102, 101]
    sums = pplab.utilities(CIRCLE, LIKES, measure="cn", users=[104, 102])
    assert sums.users == (104, 102)
    whole = pplab.utilities(CIRCLE, LIKES, measure="cn").matrix.toarray()
    assert np.array_equal(sums.matrix.toarray(), whole[[PEOPLE.index(u) for u in sums.users]])
    averages = [cluster_averages(t, groups, epsilon=1.0, rng=1) for t in (LIKES, SORTED_LIKES)]
    assert np.array_equal(averages[0], averages[1][:, [2, 1, 0]])


def test_a_level_needs_a_named_frame():
    outcome = table(RATED[["who", "film"]], **NAMES, listed="public")
    assert pplab.bipartite_noise_graph(outcome, flip_probability=0.1, rng=1).named
    assert pplab.noise_graph(CIRCLE, flip_probability=0.1, rng=1).named
    assert pplab.is_k_anonymous(table(RATED[["who", "film"]], **NAMES), 2) is False


def test_a_directed_list_is_not_guessed():
    trust = pd.DataFrame({"a": list("xyy"), "b": list("yxz")})
    ends = {"source": "a", "target": "b", "nodes": list("zyx")}
    assert graph(trust, **ends, reciprocal="either").matrix.toarray().tolist() == [
        [0, 1, 0], [1, 0, 1], [0, 1, 0],
    ]  # fmt: skip
    assert graph(trust, **ends, reciprocal="mutual").matrix.nnz == 2


@pytest.mark.parametrize("made", [False, True])
def test_networks_keep_the_order_of_their_nodes(made):
    """Bare, and made into ours: whoever zips results with the nodes has the right people."""
    miserables, women = nx.les_miserables_graph(), nx.davis_southern_women_graph()
    near, events = (graph(miserables), table(women)) if made else (miserables, women)
    release = pplab.noise_graph(near, flip_probability=0.0)
    assert release.nodes == tuple(miserables)
    assert (release.matrix != nx.to_scipy_sparse_array(miserables, weight=None)).nnz == 0
    assert pplab.jaccard_similarity(near, release) == 1
    groups = pplab.communities(near, rng=1)
    known = dict(zip(miserables, groups, strict=True))
    parts = [{n for n in miserables if known[n] == part} for part in set(groups)]
    assert nx.community.modularity(miserables, parts, weight=None) >= 0.55
    assert modularity(near, groups) == modularity(near, list(groups))
    common = pplab.similarity(near, measure="cn")
    two = [common.nodes.index(name) for name in ("Valjean", "Javert")]
    assert common.matrix[*two] == len(list(nx.common_neighbors(miserables, "Valjean", "Javert")))
    released = pplab.bipartite_noise_graph(events, flip_probability=0.0)
    order = [n for n in women if women.nodes[n]["bipartite"] == 0]
    assert released.users == tuple(order)
    biadjacency = nx.bipartite.biadjacency_matrix(women, order, list(released.items))
    for original, copied in ((events, released), (biadjacency, released.matrix)):
        assert pplab.sensitive_attribute_risk(original, copied).mean() == 1


def test_a_friendship_list_has_a_row_for_everybody():
    friends = pd.DataFrame(
        {"source": [0, 0, 1, 2, 3], "target": [1, 2, 2, 3, 4], "since": list("abcde")}
    )
    five = graph(friends, source="source", target="target")
    assert five.shape == (5, 5)
    assert pplab.smooth_k_anonymize(five.rows(), 2, rng=1).table.shape == (5, 5)
    assert lines(five) == {"source": [0, 0, 1, 2, 3], "target": [1, 2, 2, 3, 4]}


def test_wide_tables_say_what_a_zero_is():
    survey = pd.DataFrame({"id": ["b", "a"], "q1": [0, 5], "q2": [np.nan, 3], "why": ["x", "y"]})
    rated = table(survey, user="id", columns=["q2", "q1"], zero="rating")
    assert (rated.users, rated.items, rated.named) == (("b", "a"), ("q2", "q1"), True)
    assert (rated.matrix.nnz, rated.matrix.toarray().tolist()) == (3, [[0, 0], [3, 5]])
    assert table(survey, user="id", columns=["q1"], zero="absent").matrix.nnz == 1


def test_a_matrix_is_a_table_where_somebody_insists():
    made = table(sparse.csr_array([[1, 0], [0, 1]]))
    assert (made.users, made.named) == ((0, 1), True)
    assert lines(made) == {"user": [0, 1], "item": [0, 1], "rating": [1, 1]}


def test_stored_weights_of_a_network_are_kept_and_of_a_bipartite_one_are_ratings():
    miserables, rated = nx.les_miserables_graph(), STARS.to_networkx()
    weighed = graph(miserables, weight="weight")
    assert (weighed.matrix != nx.to_scipy_sparse_array(miserables)).nnz == 0
    assert weighed.to_networkx().size(weight="weight") == miserables.size(weight="weight")
    again = table(rated, value="weight")
    assert (again.users, again.items) == (STARS.users, STARS.items)
    assert (again.matrix != STARS.matrix).nnz == 0
    means = pplab.microaggregate(rated, 2, rating_range=(1, 5))
    assert means.users == tuple(("user", label) for label in PEOPLE)
    assert np.array_equal(
        means.protected, pplab.microaggregate(STARS, 2, rating_range=(1, 5)).protected
    )
    lists = pplab.recommend(
        CIRCLE.to_networkx(), LIKES, epsilon=np.inf, measure="cn", top_n=2, method="exact"
    )
    assert list(lists.items.index) == PEOPLE


def backwards(cells):
    """A Table or Graph that states its labels in falling order, and the matrix in that order."""
    cells = np.array(cells)
    rows, columns = np.nonzero(cells)
    users, items = (
        [f"{side}{n:02}" for n in range(size)] for side, size in zip("ui", cells.shape, strict=True)
    )
    ends = {"user": np.array(users)[rows], "item": np.array(items)[columns]}
    frame, names = pd.DataFrame(ends | {"x": cells[rows, columns]}), {name: name for name in ends}
    made = table(frame, **names, value="x", users=users[::-1], items=items[::-1])
    return made, cells[::-1, ::-1]


LIKED = np.random.default_rng(3).random((9, 5)) < 0.5
RATINGS = np.random.default_rng(4).integers(1, 6, (9, 5))
GROUPS = [0, 0, 1, 1, 1, 2, 2, 2, 0]
SCALE = {"rating_range": (1, 5)}
# What is computed of positions alone, and nothing is drawn: row i is row i of the stated order.
BY_POSITION = {
    "publish_votes": lambda x: publish_votes(x, GROUPS, keep="half").biadjacency.toarray(),
    "pivotal_counts": lambda x: pivotal_counts(x, GROUPS, insiders=1).edges_read,
    "nearest_rows": lambda x: nearest_rows(x, 2).rows,
    "smooth_optimum": lambda x: smooth_optimum(x, 3).labels,
    "distribution": lambda x: BipartiteNoiseGraph(Fraction(1, 4)).distribution(x),
    "is_smooth": lambda x: pplab.is_k_anonymous(x, 2),
}
OF_VALUES = {
    "complete": lambda x: complete(x, impute="user-mean", **SCALE),
    "homogeneous_cells": lambda x: homogeneous_cells(x, labels=GROUPS, **SCALE).cells,
    "holdout_cells": lambda x: holdout_cells(x, share=0.2, rng=1).rows,
    "predictions": lambda x: predict_from_nearest(x, x, cells="rated").predicted,
}


@pytest.mark.parametrize("name", [*BY_POSITION, *OF_VALUES])
def test_positions_of_labelled_data_are_those_of_the_stated_order(name):
    cells = RATINGS if name in OF_VALUES else LIKED[:3, :3] if name == "distribution" else LIKED
    call = {**BY_POSITION, **OF_VALUES}[name]
    labelled, numbers = backwards(cells.astype(int))
    result, expected = call(labelled), call(numbers)
    assert (
        result == expected if isinstance(result, (dict, bool)) else np.array_equal(result, expected)
    )


def test_groups_as_a_series_go_by_label():
    likes, ratings = backwards(LIKED.astype(int))[0], backwards(RATINGS)[0]
    groups = pd.Series(GROUPS, index=likes.users)[list(likes.users[::-1])]
    for call in (
        lambda labels: publish_votes(likes, labels, keep="half").kept,
        lambda labels: pivotal_counts(likes, labels, insiders=1).edges_read,
        lambda labels: int(homogeneous_cells(ratings, labels=labels, **SCALE).cells.sum()),
    ):
        assert call(groups) == call(GROUPS)


def test_two_tables_meet_by_label_in_attacks():
    """A release that states its labels in another order is the same release."""
    ratings, numbers = backwards(RATINGS)
    release = pplab.microaggregate(ratings, 3, **SCALE).table
    turned = release.by_value()
    assert turned.users != release.users
    expected = group_inference(numbers, release.matrix.toarray(), **SCALE)
    assert group_inference(ratings, turned, **SCALE) == expected
    same = predict_from_nearest(turned, ratings)
    assert np.array_equal(same.predicted, predict_from_nearest(release, ratings).predicted)


def test_lists_are_judged_by_label():
    near = graph(FRIENDS, source="a", target="b", nodes=PEOPLE)
    lists = pplab.recommend(near, LIKES, epsilon=1, measure="cn", top_n=2, method="nou", rng=1)
    truth = pplab.utilities(near, LIKES, measure="cn")
    score = ndcg(truth, lists.items.iloc[::-1], top_n=2)
    assert score.index.tolist() == list(LIKES.users)
    numbers = [[LIKES.items.index(film) for film in row] for row in lists.items.to_numpy()]
    assert np.array_equal(score, ndcg(truth.matrix, numbers, top_n=2), equal_nan=True)
    assert score.equals(ndcg(truth, lists.items[[2, 1]], top_n=2))  # columns are labelled by rank


def test_a_victim_is_named():
    near = graph(FRIENDS, source="a", target="b", nodes=PEOPLE)
    result = sybil_attack(near, LIKES, 104, measure="cn")
    by_number = sybil_attack(near.matrix, LIKES.matrix, 0, measure="cn")
    assert (result.social != by_number.social).nnz == 0


def test_a_result_is_told_in_few_lines():
    ratings = np.random.default_rng(1).integers(1, 6, (600, 1800))
    likes = (ratings > 4).astype(int)
    near = np.roll(np.eye(600, dtype=int), 1, axis=0)
    ask = {"epsilon": 1, "measure": "cn", "top_n": 2, "method": "random", "rng": 1}
    for result in (
        pplab.suppress_k_anonymize(likes, 300),
        pplab.microaggregate(ratings, 200, **SCALE),
        pplab.gaussian_noise(ratings, sigma=1, rng=1, **SCALE),
        pplab.recommend(near + near.T, likes, **ask),
        table(likes),
    ):
        assert len(repr(result).splitlines()) <= 12
        assert len(repr(result)) < 1000


def test_pairs_of_numbers_are_not_two_items():
    pairs = np.array([[0, 1], [0, 2], [1, 2], [3, 4]])
    made = table(pairs).keep()
    assert pplab.bipartite_noise_graph(made, flip_probability=0.0).matrix.nnz == 6
    near = graph(pd.DataFrame(pairs), source=0, target=1, listed="public")
    assert pplab.noise_graph(near, flip_probability=0.0).matrix.nnz == 8
    assert pplab.metrics.k_achieved(pairs) == 1


def test_ids_of_a_data_set_stay_with_their_rows():
    """Whatever the order in which the owner lists them."""
    cells = sparse.csr_array([[5.0, 0, 1], [0, 2, 0]])
    made = with_frame(cells, ["b", "a"], [3, 1, 2], ("who", "what", "x"))
    assert (made.users, made.items) == (("b", "a"), (3, 1, 2))
    assert made.matrix.toarray().tolist() == cells.toarray().tolist()
    assert made.frame().to_numpy().tolist() == [["a", 1, 2.0], ["b", 2, 1.0], ["b", 3, 5.0]]


def test_data_sets_come_with_their_ids():
    data = pplab.load_dataset("movielens-100k", source="standin")
    made = data.table
    assert (made.users, made.items) == (tuple(data.users.index), tuple(data.items.index))
    assert (made.matrix != data.ratings).nnz == 0
    assert made.columns == ("user", "item", "rating")
    social = pplab.load_dataset("lastfm", source="standin")
    assert (social.graph.matrix != social.social).nnz == 0
    assert social.graph.nodes == tuple(social.users.index)


def test_weights_leave_for_other_programs(tmp_path):
    """Four groups of twenty: both Louvains find them, and files are written and read again."""
    import community
    from networkx.algorithms import community as networkx_community

    cells = np.kron(np.eye(4), np.ones((20, 20))).astype(int)
    made = table(cells).to_networkx()
    assert made.size(weight="weight") == 1600
    result = networkx_community.louvain_communities(made, weight="weight", seed=1)
    assert len(result) == 4
    assert len(set(community.best_partition(made, weight="weight", random_state=1).values())) == 4
    named = nx.relabel_nodes(made, {node: f"{node[0]} {node[1]}" for node in made})
    for write, read in (
        (nx.write_gml, nx.read_gml),
        (nx.write_graphml, nx.read_graphml),
        (nx.write_weighted_edgelist, None),
    ):
        file = tmp_path / "graph"
        write(named, file)
        if read:
            assert read(file).size(weight="weight") == 1600
    assert nx.node_link_data(named, edges="edges")["edges"][0]["weight"] == 1


NAMED = {"names": ["u", "i", "x"]}
TWO = [("007", 1, 5.0), ("7", 1, 4.0)]
FILES = {  # as these places write them: the text, what pandas is told, the lines of the table
    "Book-Crossing": (
        '"User-ID";"ISBN";"Book-Rating"\n"276725";"034545104X";"0"\n"276726";"0155061224";"5"\n',
        {"sep": ";", "user": "User-ID", "item": "ISBN", "value": "Book-Rating"},
        [(276725, "034545104X", 0.0), (276726, "0155061224", 5.0)],
    ),
    "Last.fm": (
        "userID\tartistID\tweight\n2\t51\t13883\n2\t52\t11690\n",
        {"sep": "\t", "user": "userID", "item": "artistID", "value": "weight"},
        [(2, 51, 13883.0), (2, 52, 11690.0)],
    ),
    "Epinions": (
        "22605 42915 5\n22605 5052 4\n",
        NAMED | {"sep": " "},
        [(22605, 5052, 4.0), (22605, 42915, 5.0)],
    ),
    "MovieLens 1M": (
        "1::1193::5::978300760\n2::661::3::978302109\n",
        {"sep": "::", "names": ["u", "i", "x", "t"]},
        [(1, 1193, 5.0), (2, 661, 3.0)],
    ),
    "packed": ("u,i,x\n007,1,5\n7,1,4\n", {}, TWO),
    "a mark of UTF-8": ("\ufeff007,1,5\n7,1,4\n", NAMED, TWO),
    "many spaces": ("007  1 5\n7 1 4\n", NAMED | {"sep": r"\s+"}, TWO),
    "no header": ("007::1::5\n7::1::4\n", NAMED | {"sep": "::"}, TWO),
    "lines that end as on an old Mac": ("u,i,x\r007,1,5\r7,1,4\r", {}, TWO),
    "a telephone": ("u,i,x\n+495,1,5\n495,1,4\n", {}, [("+495", 1, 5.0), ("495", 1, 4.0)]),
    "a comma at the end": ("u,i,x\n4,1,5,\n7,1,4,\n", {}, [(4, 1, 5.0), (7, 1, 4.0)]),
    "hashtags": ("u,i,x\n#a,1,5\n#b,1,4\n", {}, [("#a", 1, 5.0), ("#b", 1, 4.0)]),
}
COLUMNS = {"user": "u", "item": "i", "value": "x"}


@pytest.mark.parametrize("case", FILES)
def test_a_file_is_read_as_it_is_written_and_comes_back(case, tmp_path):
    text, how, expected = FILES[case]
    file, content = tmp_path / "ratings.csv", text.encode()
    if case == "packed":
        file, content = file.with_suffix(".csv.gz"), gzip.compress(content)
    file.write_bytes(content)
    made = read_table(file, **COLUMNS | how)
    assert list(made.frame().itertuples(index=False, name=None)) == expected
    made.to_csv(tmp_path / "again.csv")
    again = read_table(tmp_path / "again.csv", like=made)
    assert again.frame().equals(made.frame())
    assert again.users == made.users


@pytest.mark.parametrize(
    ("content", "how", "sentence"),
    [
        ("u,i,x\n1,2,5,9\n", {}, "equally many fields in each line, got: more fields than names"),
        ("u::i::x\n1::2::5::9\n", {"sep": "::"}, "got: more fields than names"),
        ("u,i,x\n1,2,5\n1,3,5,9\n", {}, "got: Expected 3 fields in line 3, saw 4"),
        ("# a b\n1 2\n", NAMED | {"sep": " "}, "got '#', as a comment begins"),
        ("% a b\n1 2\n", NAMED | {"sep": " "}, "got '%', as a comment begins"),
        ("u,i,x\nNA,2,5\n", {}, "words such as NA and null count as none"),
        ("1::3::5\n2::::4\n", NAMED | {"sep": "::"}, "got none at line 2 of the file"),
        ("u,i,x\nŁ,x,1\n", {}, "must be text in UTF-8, got another letter; save it"),
        ("", {}, "must have lines, got an empty file"),
        ("u;i;x\na;b;1\n", {}, "name one of these, or another separator than ','"),
        ("u,i,x\na,b,good\n", {}, "numbers in its column x, got 'good'; convert them"),
    ],
)
def test_a_file_that_would_be_misread_is_refused(content, how, sentence, tmp_path):
    (tmp_path / "ratings.csv").write_bytes(content.encode("cp1250"))
    with pytest.raises(ValueError, match=re.escape(sentence)):
        read_table(tmp_path / "ratings.csv", **COLUMNS | how)


def test_other_files_go_by_the_library_that_reads_them(tmp_path):
    """KONECT's comments, Parquet with dictionary ids, MatrixMarket, npz, GraphML, Pajek."""
    (tmp_path / "out.x").write_text("% bip weighted\n% 3 2 2\n1 1 5\n2 2 3\n2 1 4\n")
    frame = pd.read_csv(tmp_path / "out.x", sep=" ", comment="%", names=["u", "i", "x"])
    konect = table(frame, user="u", item="i", value="x")
    assert konect.matrix.toarray().tolist() == [[5, 0], [4, 3]]
    ids = frame.astype({"u": "category", "i": "category"})
    ids.to_parquet(tmp_path / "x.parquet")
    coded = read_table(tmp_path / "x.parquet", user="u", item="i", value="x")
    assert (coded.users, coded.items) == (konect.users, konect.items)
    assert (coded.matrix != konect.matrix).nnz == 0
    pattern = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n"
    (tmp_path / "p.mtx").write_text(pattern)
    path = graph(mmread(tmp_path / "p.mtx"))
    assert path.matrix.toarray().tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    sparse.save_npz(tmp_path / "m.npz", konect.matrix)
    assert table(sparse.load_npz(tmp_path / "m.npz")).matrix.nnz == 3
    named = nx.Graph([("Ada", "Bo"), ("Bo", "Cy")])
    nx.write_graphml(named, tmp_path / "g.graphml")
    assert graph(nx.read_graphml(tmp_path / "g.graphml")).nodes == ("Ada", "Bo", "Cy")
    nx.write_pajek(named, tmp_path / "g.net")
    with pytest.raises(ValueError, match=r"got MultiGraph; convert it with networkx.Graph"):
        graph(nx.read_pajek(tmp_path / "g.net"))
    assert graph(nx.Graph(nx.read_pajek(tmp_path / "g.net"))).matrix.nnz == 4


def test_both_halves_of_a_matrix_file_are_told(tmp_path):
    whole = "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n2 1\n1 2\n"
    (tmp_path / "both.mtx").write_text(whole)
    with pytest.raises(ValueError, match="duplicate edges"):
        graph(mmread(tmp_path / "both.mtx"))


def test_a_frame_that_was_found_is_not_named_by_a_file(tmp_path):
    """`like` gives labels and columns; whose frame it is goes with them."""
    result = table(RATED[["who", "film"]], **NAMES)
    result.to_csv(tmp_path / "likes.csv")
    again = read_table(tmp_path / "likes.csv", like=result)
    with pytest.raises(ValueError, match="found in the entries"):
        pplab.bipartite_noise_graph(again, flip_probability=0.1)
    assert read_table(tmp_path / "likes.csv", like=result, listed="public").named
    LIKES.to_csv(tmp_path / "likes.csv")
    assert read_table(tmp_path / "likes.csv", like=LIKES).named


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        (["007", "7", "10"], ("007", "10", "7")),
        (["0000000017", "0000000123", "0000000009"], ("0000000009", "0000000017", "0000000123")),
        (["7", "8", "10"], (7, 8, 10)),
        (["-01", "-1", "2"], ("-01", "-1", "2")),
        (["1.50", "1.5", "2"], ("1.5", "1.50", "2")),
        (["0", "1", "2"], (0, 1, 2)),
        (["True", "TRUE", "no"], ("TRUE", "True", "no")),
    ],
)
@pytest.mark.parametrize("quoted", [False, True])
def test_ids_come_out_as_they_were_written(ids, expected, quoted, tmp_path):
    """Members 007 and 7 are two; only ids that no number changes become numbers."""
    mark = '"' if quoted else ""
    rows = [f"{mark}{a}{mark},{mark}x{mark},5" for a in ids]
    (tmp_path / "r.csv").write_text("\n".join(["who,what,stars", *rows, ""]))
    made = read_table(tmp_path / "r.csv", user="who", item="what", value="stars")
    assert made.users == expected
    made.to_csv(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text().count("\n") == 4
    assert read_table(tmp_path / "out.csv", like=made).users == expected


def test_blanks_do_not_tell_two_people_apart():
    with pytest.raises(ValueError, match="got 'Ada' beside 'Ada '; take them off"):
        table(pd.DataFrame({"who": ["Bo", "Ada", "Ada "], "film": 1}), **NAMES)


@pytest.mark.parametrize("maker", [table, graph])
def test_attributes_that_nobody_names_are_listed(maker):
    edges = nx.Graph([("Ada", "x", {"stars": 3, "day": 1})])
    if maker is table:
        nx.set_node_attributes(edges, {"Ada": 0, "x": 1}, "bipartite")
    named = {"value" if maker is table else "weight": "stars"}
    assert maker(edges).skipped == ("stars", "day")
    assert repr(maker(edges, **named)).endswith("not read: ['day']>")


SQUARE = np.array([[0, 1], [1, 0]])
PATH = nx.path_graph(3)
WIDE = pd.DataFrame({"q": [1, 2]}, index=["a", "b"])
DROPPED = [  # a name, label or value that this kind of data has no use for
    (lambda: table(SQUARE, users=["Ada", "Bo"], items=["x", "y"]), "users", "a matrix"),
    (lambda: table(np.array([[1, 9], [2, 7]]), user=0, item=1), "user", "a matrix"),
    (lambda: table(WIDE, columns=["q"], users=["b", "a"]), "users", "a wide frame"),
    (lambda: table(RATED, **NAMES, value="stars", zero="absent"), "zero", "a long frame"),
    (lambda: table(STARS, listed="public"), "listed", "a Table"),
    (lambda: table(nx.davis_southern_women_graph(), users=["Ada"]), "users", "a networkx graph"),
    (lambda: graph(SQUARE, nodes=["Ada", "Bo"]), "nodes", "a matrix"),
    (lambda: graph(SQUARE, source=0, target=1), "source", "a matrix"),
    (lambda: graph(PATH, nodes=[0, 1, 2, 9]), "nodes", "a networkx graph"),
    (lambda: graph(CIRCLE, weight="w"), "weight", "a Graph"),
]


@pytest.mark.parametrize(("call", "name", "kind"), DROPPED)
def test_what_is_named_is_used_or_refused(call, name, kind):
    with pytest.raises(ValueError, match=f"^{name} must be left out where data is {kind}, got"):
        call()


def test_a_wide_table_keeps_its_people_apart_from_its_items(tmp_path):
    survey = pd.DataFrame({"id": [7, 5], "q": [1, 3]})
    with pytest.raises(ValueError, match="columns must be items, got 'id', which names the people"):
        table(survey, user="id", columns=list(survey.columns))
    for name in ("item", "value"):
        made = table(survey.rename(columns={"id": name}), user=name, columns=["q"])
        assert made.frame().iloc[:, :3].to_numpy().tolist() == [[5, "q", 3], [7, "q", 1]]
        made.to_csv(tmp_path / f"{name}.csv")
        assert read_table(tmp_path / f"{name}.csv", like=made).users == (7, 5)
    two = pd.DataFrame({"q": [1, 2]}, index=pd.MultiIndex.from_tuples([("a", 1), ("a", 2)]))
    assert table(two, columns=["q"]).users == (("a", 1), ("a", 2))
    with pytest.raises(ValueError, match="columns must hold numbers"):
        table(pd.DataFrame({"q": [1 + 2j, 2]}), columns=["q"])


NUMBERS = {
    "categories": pd.Categorical([4, 5]),
    "decimals": pd.Series([Fraction(9, 2), Fraction(5)]).map(float).astype(object),
    "numbers as objects": pd.Series([4, 5], dtype=object),
}


@pytest.mark.parametrize("kind", NUMBERS)
def test_numbers_are_not_dropped_whatever_holds_them(kind):
    lines = pd.DataFrame({"u": [1, 2], "i": [1, 1], "x": NUMBERS[kind]})
    with pytest.raises(ValueError, match="got another column of numbers, 'x'"):
        table(lines, user="u", item="i")


@pytest.mark.parametrize("kind", ["Int64", "int64[pyarrow]"])
def test_a_missing_id_is_refused_of_every_kind_of_number(kind):
    lines = pd.DataFrame({"u": pd.Series([1, None], dtype=kind), "i": [1, 2]})
    with pytest.raises(ValueError, match="got none at index 1"):
        table(lines, user="u", item="i", users=[1, 2], items=[1, 2])


def test_columns_that_are_not_read_may_have_one_name():
    lines = pd.DataFrame([[1, 2, "a", "b", 5]], columns=["u", "i", "t", "t", "x"])
    assert lines_of(table(lines, user="u", item="i", value="x")) == [(1, 2, 5.0)]


def test_ids_of_a_file_are_not_made_equal(tmp_path):
    """Beyond 2^63, after a space, and numbers that a long file mixes with text."""
    for ids in (
        ["18446744073709551614", "18446744073709551615"],
        [" 007", " 07"],
        [*map(str, range(300_000)), "5.0", "a"],
    ):
        (tmp_path / "r.csv").write_text("u,i\n" + "".join(f"{a},x\n" for a in ids))
        made = read_table(tmp_path / "r.csv", user="u", item="i")
        assert {str(user) for user in made.users} == {*ids}
        assert len({type(user) for user in made.users}) == 1


def lines_of(made):
    return list(made.frame().itertuples(index=False, name=None))


def test_groups_go_by_label_wherever_they_are_asked_for():
    """Of a Table or a frame by label, of an array by row number; another index is refused."""
    ratings = table(pd.DataFrame({"q": [1.0, 3, 10, 10]}, index=list("abcd")), columns=["q"])
    frame, array = pd.DataFrame({"q": [1.0, 3, 10, 10]}, index=list("abcd")), [[1], [3], [10], [10]]
    named, plain = pd.Series([0, 1, 1, 0], list("acdb")), pd.Series([0, 1, 1, 0], [0, 2, 3, 1])
    means = [[2], [2], [10], [10]]
    assert [within_group_sse(ratings, named), within_group_sse(array, plain)] == [2, 2]
    assert group_means(frame, named).tolist() == group_means(array, plain).tolist() == means
    assert pool_groups(ratings, named).toarray().tolist() == means
    assert l_diversity(list("xyzz"), plain, form="distinct").tolist() == [2, 2, 1, 1]
    for call in (
        lambda: within_group_sse(ratings, plain),
        lambda: group_means(array, named),
        lambda: l_diversity(list("xyzz"), named, form="distinct"),
    ):
        with pytest.raises(ValueError, match="labels given as a Series must have one value for"):
            call()


def test_clusters_and_bounds_do_not_depend_on_the_stated_order():
    """Row numbers in another order beside a matrix, and a bound that a search finds."""
    rng = np.random.default_rng(0)
    likes, near = rng.random((12, 7)) < 0.45, np.triu(rng.random((12, 12)) < 0.35, 1)
    order = rng.permutation(12).tolist()
    one, other = np.nonzero(near)
    turned = graph(pd.DataFrame({"a": one, "b": other}), source="a", target="b", nodes=order)
    groups = pd.Series(np.arange(12) % 3)
    ask = {"measure": "cn", "epsilon": 1.0}
    plain = error_parts(near + near.T, likes.astype(int), groups.to_numpy(), **ask)
    result = error_parts(turned, likes.astype(int), groups, **ask)
    assert np.allclose(result.approximation, plain.approximation)
    rows, columns = np.nonzero(likes)
    lines = pd.DataFrame({"u": rows, "i": columns})
    made = table(lines, user="u", item="i", users=order, items=range(7)[::-1])
    assert pplab.jaccard_certificate(made, 3) == pplab.jaccard_certificate(made.by_value(), 3)


def test_an_attack_draws_the_same_in_whatever_order_people_are_stated():
    made = backwards(RATINGS)[0]
    curves = [
        reidentification_curve(x, pplab.microaggregate(x, 3, **SCALE).table, rng=1, **SCALE)
        for x in (made, made.by_value())
    ]
    pd.testing.assert_frame_equal(*curves)


@pytest.mark.parametrize("kind", ["int8", "int16", "uint8", "uint64"])
def test_ids_of_few_bits_keep_their_values(kind):
    low, high = max(-120, np.iinfo(kind).min), 120
    people = np.repeat(np.arange(low, high, 2), 2).astype(kind)
    frame = pd.DataFrame({"who": people, "what": np.arange(len(people)) % 2})
    made = table(frame, user="who", item="what")
    assert list(made.users) == sorted({*people.tolist()})
    assert made.frame()["who"].tolist() == people.tolist()
