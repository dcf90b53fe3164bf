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
)
from pplab.attacks.sybil import sybil_attack
from pplab.counts import NoisyCount
from pplab.datasets import holdout_cells
from pplab.graphs import with_frame
from pplab.metrics import ndcg
from pplab.microaggregation import complete
from pplab.recommenders import cluster_averages, modularity, predict_from_nearest
from pplab.response import BipartiteNoiseGraph, FairCoin, TwoStageResponse
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
POSITIONS = CANONICAL.matrix


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
        with pytest.raises(AttributeError, match="does not change"):
            made.named = False
        with pytest.raises(TypeError, match=r"is not an array; take its \.matrix"):
            np.asarray(made)
        made.matrix.data[:] = 9
        assert lines(again) == lines(made)


LIKES, SORTED_LIKES = STARS.keep(), CANONICAL.keep()
RELEASES = {
    "bipartite_noise_graph": lambda t, _g: pplab.bipartite_noise_graph(
        t.keep(), flip_probability=0.3, rng=1
    ),
    "FairCoin": lambda t, _g: FairCoin(replacement_probability=0.5).sample(t.keep(), rng=1),
    "TwoStageResponse": lambda t, _g: TwoStageResponse(
        levels=5, flip_probability=0.3, rating_odds=3
    ).sample(t, rng=1),
    "categorical_response": lambda t, _g: pplab.categorical_response(t, levels=5, epsilon=1, rng=1),
    "weighted_noise_graph": lambda t, _g: pplab.weighted_noise_graph(
        t, flip_probability=0.3, top_rating=5, rng=1
    ),
    "noise_graph": lambda _t, g: pplab.noise_graph(g, flip_probability=0.3, rng=1),
    "similarity": lambda _t, g: pplab.similarity(g, measure="aa"),
    "utilities": lambda t, g: pplab.utilities(g, t.keep(), measure="cn"),
    "microaggregate": lambda t, _g: pplab.microaggregate(t, 2, rating_range=(1, 5)).table,
    "gaussian_noise": lambda t, _g: (
        pplab.gaussian_noise(t, sigma=0.5, rating_range=(1, 5), rng=1).table
    ),
    "suppress_k_anonymize": lambda t, _g: pplab.suppress_k_anonymize(t.keep(), 2, rng=1).table,
    **{
        f"smooth_k_anonymize, {name}": lambda t, _g, name=name: (
            pplab.smooth_k_anonymize(t.keep(), 2, method=name, rng=1).table
        )
        for name in ("greedy", "paper", "alg1", "alg2")
    },
}


@pytest.mark.parametrize("name", RELEASES)
def test_the_order_of_the_labels_changes_the_order_and_nothing_else(name):
    stated, plain = RELEASES[name](STARS, CIRCLE), RELEASES[name](CANONICAL, SORTED_CIRCLE)
    assert lines(stated) == lines(plain)
    expected = [PEOPLE, PEOPLE if type(stated).__name__ == "Graph" else FILMS]
    assert stated.axis_labels == expected
    order = [sorted(labels) for labels in expected]
    rows, columns = (
        [there.index(x) for x in here] for here, there in zip(expected, order, strict=True)
    )
    assert np.array_equal(stated.matrix.toarray(), plain.matrix.toarray()[rows][:, columns])


@pytest.mark.parametrize("name", RELEASES)
def test_labels_draw_what_positions_draw(name):
    """Positions 0 to n - 1, the same cells by name: the same noise."""
    numbered = [table(POSITIONS), graph(SORTED_CIRCLE.matrix)]
    release = RELEASES[name](*numbered)
    by_name = RELEASES[name](CANONICAL, SORTED_CIRCLE)
    assert np.array_equal(release.matrix.toarray(), by_name.matrix.toarray())


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
    for method, more in (("exact", {}), ("cluster", {"clusters": groups}), ("nou", {})):
        level = np.inf if method == "exact" else 1.0
        results = [
            pplab.recommend(
                friends,
                likes,
                epsilon=level,
                method=method,
                rng=1,
                return_utilities=True,
                **more,
                **ask,
            )
            for friends, likes in (
                (CIRCLE, LIKES),
                (SORTED_CIRCLE, SORTED_LIKES),
                (CIRCLE, SORTED_LIKES),
            )
        ]
        assert [list(one.items.index) for one in results] == [
            PEOPLE,
            sorted(PEOPLE),
            sorted(PEOPLE),
        ]
        for one in results[1:]:
            assert one.items.loc[PEOPLE].equals(results[0].items)
            assert one.utilities.loc[PEOPLE].equals(results[0].utilities)
        assert list(results[0].items.columns) == [1, 2]
    few = pplab.recommend(CIRCLE, LIKES, epsilon=np.inf, method="exact", users=[102, 101], **ask)
    assert few.items.index.tolist() == [102, 101]
    sums = pplab.utilities(CIRCLE, LIKES, measure="cn", users=[104, 102])
    assert sums.users == (104, 102)
    whole = pplab.utilities(CIRCLE, LIKES, measure="cn").matrix.toarray()
    assert np.array_equal(sums.matrix.toarray(), whole[[PEOPLE.index(u) for u in sums.users]])
    averages = [cluster_averages(t, groups, epsilon=1.0, rng=1) for t in (LIKES, SORTED_LIKES)]
    assert np.array_equal(averages[0], averages[1][:, [2, 1, 0]])


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: table(RATED), r"example pplab\.table\(frame, user='who', item='film', value='st"),
        (lambda: table(RATED, **NAMES), r"numbers, 'stars'; pass value='stars'"),
        (lambda: table(RATED, **NAMES, value="score"), "the column 'score' once, got columns"),
        (lambda: table(RATED, user="who", item="who", value="stars"), "each once"),
        (lambda: table(RATED.assign(film=9), **NAMES, value="stars"), "who 101 with film 9 more"),
        (lambda: table(RATED, **NAMES, value="title"), "numbers in its column title"),
        (
            lambda: table(RATED.assign(who=[1, None, 2, 3, 4]), **NAMES, value="stars"),
            r"got none at index 1 \(1 such lines",
        ),
        (
            lambda: table(RATED, **NAMES, value="stars", users=[1], items=FILMS),
            "frame only, got 101",
        ),
        (lambda: table(CIRCLE), r"got a Graph of people; pass its \.rows\(\)"),
        (lambda: pplab.smooth_k_anonymize(CIRCLE, 2), "got a Graph of people"),
        (lambda: pplab.noise_graph(STARS, flip_probability=0.1), "got a Table; make it with"),
        (lambda: pplab.bipartite_noise_graph(STARS, flip_probability=0.1), r"\.keep\(at_least"),
        (lambda: pplab.smooth_k_anonymize(STARS, 2), r"\.keep\(at_least"),
        (lambda: pplab.is_k_anonymous(STARS, 2), r"\.keep\(at_least"),
        (lambda: pplab.jaccard_similarity(STARS, STARS), r"\.keep\(at_least"),
        (lambda: pplab.sensitive_attribute_risk(STARS, LIKES), "both have values or none"),
        (lambda: pplab.jaccard_similarity(LIKES, LIKES.matrix), "labels of one kind or none"),
        (
            lambda: pplab.jaccard_similarity(LIKES, table(RATED, **NAMES, value="stars").keep()),
            "the same users, got users 103 in original only and none in protected only",
        ),
        (
            lambda: pplab.microaggregate(STARS, 2, rating_range=(1, 4)),
            "the first 5 at who 101 and film 9",
        ),
        (
            lambda: modularity(CIRCLE, pd.Series([0, 0, 1, 1], index=[101, 102, 103, 105])),
            "each person of the data, got none for 104",
        ),
        (
            lambda: pplab.utilities(CIRCLE, LIKES, measure="cn", users=[7]),
            "people of the data, got 7",
        ),
        (lambda: graph(FRIENDS, source="a", target="b", weight="w"), "the column 'w' once"),
        (
            lambda: graph(FRIENDS.assign(b=101), source="a", target="b"),
            "themselves, got one of 101",
        ),
        (
            lambda: graph(FRIENDS.assign(w=[1, 0, 2]), source="a", target="b", weight="w"),
            "positive numbers in its column w, got 0",
        ),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_in_the_persons_words(call, sentence):
    with pytest.raises((TypeError, ValueError), match=sentence):
        call()


def test_a_release_of_other_people_is_no_release():
    """Although it has as many rows: who differs is named."""
    lines = pd.DataFrame({"who": ["x", "y"], "film": [1, 2]})
    one, other = (table(lines.replace("y", name), **NAMES) for name in "yz")
    for call in (pplab.jaccard_similarity, pplab.sensitive_attribute_risk):
        with pytest.raises(ValueError, match="got users 'y' in original only and 'z' in protected"):
            call(one, other)


def test_a_level_needs_a_named_frame():
    result, near = table(RATED[["who", "film"]], **NAMES), graph(FRIENDS, source="a", target="b")
    both = graph(FRIENDS, source="a", target="b", nodes=PEOPLE)
    who, films = sorted(set(RATED["who"])), sorted(set(RATED["film"]))
    halves = [
        table(RATED[["who", "film"]], **NAMES, **half)
        for half in ({"users": who}, {"items": films})
    ]
    for call in (
        *(
            lambda half=half: pplab.bipartite_noise_graph(half, flip_probability=0.1)
            for half in halves
        ),
        lambda: pplab.bipartite_noise_graph(result, flip_probability=0.1),
        lambda: pplab.noise_graph(near, flip_probability=0.1),
        lambda: NoisyCount(count="edges", noise="laplace", epsilon=1.0, unit="edge").sample(near),
        lambda: cluster_averages(result, [0, 0, 1], epsilon=1.0),
        lambda: pplab.recommend(near, result, epsilon=1, measure="cn", top_n=1, method="nou"),
    ):
        with pytest.raises(ValueError, match="got one that was found in the entries"):
            call()
    outcome = table(RATED[["who", "film"]], **NAMES, listed="public")
    assert pplab.bipartite_noise_graph(outcome, flip_probability=0.1, rng=1).named
    assert pplab.noise_graph(both, flip_probability=0.1, rng=1).named
    assert pplab.is_k_anonymous(result, 2) is False


def test_a_directed_list_is_not_guessed():
    trust = pd.DataFrame({"a": list("xyy"), "b": list("yxz")})
    with pytest.raises(ValueError, match="'y' to 'z' in one direction beside others in both"):
        graph(trust, source="a", target="b")
    ends = {"source": "a", "target": "b", "nodes": list("zyx")}
    assert graph(trust, **ends, reciprocal="either").matrix.toarray().tolist() == [
        [0, 1, 0], [1, 0, 1], [0, 1, 0],
    ]  # fmt: skip
    assert graph(trust, **ends, reciprocal="mutual").matrix.nnz == 2
    weighed = trust.assign(w=[1.0, 2.0, 1.0])
    with pytest.raises(ValueError, match="one weight for each pair, got two for 'x' and 'y'"):
        graph(weighed, **ends, weight="w", reciprocal="either")


def test_networks_keep_the_order_of_their_nodes():
    miserables = nx.les_miserables_graph()
    people = graph(miserables)
    assert people.nodes == tuple(miserables)
    plain = nx.to_scipy_sparse_array(miserables, weight=None)
    assert (people.matrix != plain).nnz == 0
    same = pplab.noise_graph(people, flip_probability=0.0)
    assert pplab.jaccard_similarity(same.matrix, plain) == 1
    groups = pplab.communities(people, rng=1)
    parts = [set(part.index) for _, part in groups.groupby(groups)]
    assert nx.community.modularity(miserables, parts, weight=None) >= 0.55
    weighed = graph(miserables, weight="weight")
    assert (weighed.matrix != nx.to_scipy_sparse_array(miserables)).nnz == 0
    assert weighed.to_networkx().size(weight="weight") == miserables.size(weight="weight")
    women = nx.davis_southern_women_graph()
    events = table(women)
    order = [n for n in women if women.nodes[n]["bipartite"] == 0]
    assert events.users == tuple(order)
    biadjacency = nx.bipartite.biadjacency_matrix(women, order, list(events.items))
    released = pplab.bipartite_noise_graph(events, flip_probability=0.0)
    assert pplab.sensitive_attribute_risk(biadjacency, released.matrix).mean() == 1
    again = table(STARS.to_networkx(), value="weight")
    assert (again.users, again.items) == (STARS.users, STARS.items)
    assert (again.matrix != STARS.matrix).nnz == 0


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
    with pytest.raises(ValueError, match="zeros, so zero must be given"):
        table(survey, user="id", columns=["q2", "q1"])
    with pytest.raises(ValueError, match="numbers, got text in 'why'"):
        table(survey, user="id", columns=["q1", "why"], zero="rating")
    rated = table(survey, user="id", columns=["q2", "q1"], zero="rating")
    assert (rated.users, rated.items, rated.named) == (("b", "a"), ("q2", "q1"), True)
    assert (rated.matrix.nnz, rated.matrix.toarray().tolist()) == (3, [[0, 0], [3, 5]])
    assert table(survey, user="id", columns=["q1"], zero="absent").matrix.nnz == 1


def test_files_are_read_by_the_columns_that_they_have(tmp_path):
    file = tmp_path / "ratings.dat"
    file.write_text("1::1193::5::978300760\n2::::4::978298413\n")
    ask = {"sep": "::", "names": ["u", "i", "x", "t"], "user": "u", "item": "i", "value": "x"}
    with pytest.raises(ValueError, match="got none at line 2 of the file"):
        read_table(file, **ask)
    file.write_text("1::1193::5::978300760\n2::1193::4::978298413\n")
    assert lines(read_table(file, **ask)) == {"u": [1, 2], "i": [1193, 1193], "x": [5, 4]}
    text = table(pd.DataFrame({"u": ["007", "7"], "i": ["1", "2"]}), user="u", item="i")
    text.to_csv(tmp_path / "ids.csv")
    assert read_table(tmp_path / "ids.csv", like=text).users == ("007", "7")


def test_a_matrix_is_a_table_where_somebody_insists():
    made = table(sparse.csr_array([[1, 0], [0, 1]]))
    assert (made.users, made.named) == ((0, 1), True)
    assert lines(made) == {"user": [0, 1], "item": [0, 1], "rating": [1, 1]}


def test_a_bare_network_is_labelled_like_one_that_was_made():
    """Cases B1 to B3: whoever zips results with the nodes has the right people."""
    miserables, women = nx.les_miserables_graph(), nx.davis_southern_women_graph()
    release = pplab.noise_graph(miserables, flip_probability=0.0)
    assert pplab.jaccard_similarity(miserables, release) == 1
    plain = nx.to_scipy_sparse_array(miserables, weight=None)
    assert pplab.jaccard_similarity(plain, release.matrix) == 1
    with pytest.raises(ValueError, match="labels of one kind or none"):
        pplab.jaccard_similarity(plain, release)
    groups = pplab.communities(miserables, rng=1)
    known = dict(zip(miserables.nodes, groups, strict=True))
    parts = [{n for n in miserables if known[n] == part} for part in set(known.values())]
    assert nx.community.modularity(miserables, parts, weight=None) >= 0.55
    assert modularity(miserables, groups) == modularity(miserables, list(groups))
    events = pplab.bipartite_noise_graph(women, flip_probability=0.0)
    assert pplab.sensitive_attribute_risk(women, events).mean() == 1
    near = pplab.similarity(miserables, measure="cn")
    common = len(list(nx.common_neighbors(miserables, "Valjean", "Javert")))
    people = list(miserables)
    assert near.nodes == tuple(people)
    assert near.matrix[people.index("Valjean"), people.index("Javert")] == common


def test_stored_weights_of_a_bipartite_network_are_ratings():
    rated = STARS.to_networkx()
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
        with pytest.raises(ValueError, match="labels given as a Series must have one value for"):
            call(groups.reset_index(drop=True))


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
    with pytest.raises(ValueError, match="must both carry labels or none, got Table and ndarray"):
        group_inference(ratings, release.matrix.toarray(), **SCALE)
    gone = table(release.frame().query("user != 'u03'"), user="user", item="item", value="x")
    with pytest.raises(ValueError, match="got users 'u03' in ratings only and none"):
        group_inference(ratings, gone, **SCALE)


def test_lists_are_judged_by_label():
    near = graph(FRIENDS, source="a", target="b", nodes=PEOPLE)
    lists = pplab.recommend(near, LIKES, epsilon=1, measure="cn", top_n=2, method="nou", rng=1)
    truth = pplab.utilities(near, LIKES, measure="cn")
    score = ndcg(truth, lists.items.iloc[::-1], top_n=2)
    assert score.index.tolist() == list(LIKES.users)
    numbers = [[LIKES.items.index(film) for film in row] for row in lists.items.to_numpy()]
    assert np.array_equal(score, ndcg(truth.matrix, numbers, top_n=2), equal_nan=True)
    for judged, arguments, sentence in (
        (truth, numbers, "both carry labels or none, got Table and list"),
        (truth.matrix, lists.items, "both carry labels or none, got csr_array and DataFrame"),
        (truth, lists.items.iloc[1:], "one list for each of the 4 users of utilities, got 3"),
        (truth, lists.items.replace(9, 10), "name items of utilities, got 10"),
    ):
        with pytest.raises(ValueError, match=sentence):
            ndcg(judged, arguments, top_n=2)


def test_a_victim_is_named():
    near = graph(FRIENDS, source="a", target="b", nodes=PEOPLE)
    result = sybil_attack(near, LIKES, 104, measure="cn")
    by_number = sybil_attack(near.matrix, LIKES.matrix, 0, measure="cn")
    assert (result.social != by_number.social).nnz == 0
    with pytest.raises(ValueError, match="victim must be people of the data, got 7"):
        sybil_attack(near, LIKES, 7, measure="cn")


def test_a_result_is_refused_where_a_table_is_asked_for():
    """The sentence names the part of it to pass."""
    copy_ = pplab.suppress_k_anonymize(LIKES, 2, rng=1)
    means = pplab.microaggregate(STARS, 2, **SCALE)
    bare = pplab.suppress_k_anonymize([[1, 0], [1, 0]], 2)
    for call, part in (
        (lambda: pplab.is_smooth_k_anonymous(LIKES, copy_, 2), "table"),
        (lambda: pplab.sensitive_attribute_risk(LIKES, copy_), "table"),
        (lambda: pplab.metrics.sensitive_attribute_imprecision(STARS, means), "table"),
        (lambda: pplab.is_k_anonymous(bare, 2), "biadjacency"),
    ):
        with pytest.raises((TypeError, ValueError), match=rf"pass its \.{part}"):
            call()
    assert pplab.is_smooth_k_anonymous(LIKES, copy_.table, 2)


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
    for arguments in (pairs, pairs.tolist(), np.column_stack([pairs, [1, 1, 2, 2]])):
        with pytest.raises(ValueError, match=r"columns, as a list of edges has them; make it with"):
            pplab.bipartite_noise_graph(arguments, flip_probability=0.1)
    made = table(pairs).keep()
    assert pplab.bipartite_noise_graph(made, flip_probability=0.0).matrix.nnz == 6
    near = graph(pd.DataFrame(pairs), source=0, target=1, listed="public")
    assert pplab.noise_graph(near, flip_probability=0.0).matrix.nnz == 8
    assert pplab.metrics.k_achieved(pairs) == 1


def test_a_number_for_not_rated_is_off_the_scale():
    jokes = [[99, 7.5], [-3, 99], [2, 1]]  # as Jester writes what is not rated
    for call in (
        lambda: pplab.microaggregate(jokes, 3, rating_range=(-10, 10)),
        lambda: pplab.gaussian_noise(jokes, sigma=1, rating_range=(-10, 10)),
        lambda: complete(jokes, impute="midpoint", rating_range=(-10, 10)),
    ):
        with pytest.raises(ValueError, match="ratings from -10 to 10, got 2 outside, the first 99"):
            call()


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
    with pytest.raises(ValueError, match="must have friendships for a graph, got none"):
        _ = data.graph
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


SHAPES = {  # as the files of these places are written, with what pandas is told
    "Book-Crossing": (
        '"User-ID";"ISBN";"Book-Rating"\n"276725";"034545104X";"0"\n"276726";"0155061224";"5"\n',
        {"sep": ";"},
        ("User-ID", "ISBN", "Book-Rating"),
        [(276725, "034545104X", 0.0), (276726, "0155061224", 5.0)],
    ),
    "Last.fm": (
        "userID\tartistID\tweight\n2\t51\t13883\n2\t52\t11690\n",
        {"sep": "\t"},
        ("userID", "artistID", "weight"),
        [(2, 51, 13883.0), (2, 52, 11690.0)],
    ),
    "Epinions": (
        "22605 42915 5\n22605 5052 4\n",
        {"sep": " ", "names": ["u", "i", "x"]},
        ("u", "i", "x"),
        [(22605, 5052, 4.0), (22605, 42915, 5.0)],
    ),
    "MovieLens 1M": (
        "1::1193::5::978300760\n2::661::3::978302109\n",
        {"sep": "::", "names": ["u", "i", "x", "t"]},
        ("u", "i", "x"),
        [(1, 1193, 5.0), (2, 661, 3.0)],
    ),
}


@pytest.mark.parametrize("place", SHAPES)
def test_files_of_known_places(place, tmp_path):
    text, how, (user, item, value), expected = SHAPES[place]
    file = tmp_path / "ratings.txt"
    file.write_text(text, encoding="utf-8")
    made = read_table(file, user=user, item=item, value=value, **how)
    assert list(made.frame().itertuples(index=False, name=None)) == expected
    made.to_csv(tmp_path / "again.csv")
    again = read_table(tmp_path / "again.csv", like=made)
    assert again.frame().equals(made.frame())
    assert again.users == made.users


AS_WRITTEN = {  # text, how it is read, the users in it
    "packed": ("u,i,x\n007,1,5\n7,1,4\n", {}, ("007", "7")),
    "a mark of UTF-8": ("\ufeff007,1,5\n7,1,4\n", {"names": ["u", "i", "x"]}, ("007", "7")),
    "many spaces": ("007  1 5\n7 1 4\n", {"sep": r"\s+", "names": ["u", "i", "x"]}, ("007", "7")),
    "lines that end as on an old Mac": ("u,i,x\r007,1,5\r7,1,4\r", {}, ("007", "7")),
    "a telephone": ("u,i,x\n+495,1,5\n495,1,4\n", {}, ("+495", "495")),
    "a comma at the end": ("u,i,x\n4,1,5,\n7,1,4,\n", {}, (4, 7)),
    "hashtags": ("u,i,x\n#a,1,5\n#b,1,4\n", {}, ("#a", "#b")),
}


@pytest.mark.parametrize("case", AS_WRITTEN)
def test_ids_come_as_the_file_has_them(case, tmp_path):
    text, how, users = AS_WRITTEN[case]
    file = tmp_path / ("ratings.csv.gz" if case == "packed" else "ratings.csv")
    file.write_bytes(gzip.compress(text.encode()) if case == "packed" else text.encode())
    made = read_table(file, user="u", item="i", value="x", **how)
    assert made.users == users
    assert made.matrix.toarray().tolist() == [[5], [4]]


@pytest.mark.parametrize(
    ("text", "how", "sentence"),
    [
        ("u,i,x\n1,2,5,9\n", {}, "equally many fields in each line, got: more fields than names"),
        ("u::i::x\n1::2::5::9\n", {"sep": "::"}, "got: more fields than names"),
        ("u,i,x\n1,2,5\n1,3,5,9\n", {}, "got: Expected 3 fields in line 3, saw 4"),
        ("# a b\n1 2\n", {"sep": " ", "names": ["u", "i", "x"]}, "got '#', as a comment begins"),
        ("% a b\n1 2\n", {"sep": " ", "names": ["u", "i", "x"]}, "got '%', as a comment begins"),
        ("u,i,x\nNA,2,5\n", {}, "words such as NA and null count as none"),
    ],
)
def test_a_line_that_would_be_misread_is_refused(text, how, sentence, tmp_path):
    (tmp_path / "ratings.csv").write_text(text)
    with pytest.raises(ValueError, match=re.escape(sentence)):
        read_table(tmp_path / "ratings.csv", user="u", item="i", value="x", **how)


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


def test_the_first_field_of_a_file_without_a_header_keeps_its_zero(tmp_path):
    (tmp_path / "r.dat").write_text("007::x\n7::x\n")
    made = read_table(tmp_path / "r.dat", sep="::", names=["u", "i"], user="u", item="i")
    assert made.users == ("007", "7")


def test_files_that_are_no_table_are_told_in_words(tmp_path):
    file = tmp_path / "r.csv"
    for content, sentence in (
        ("who,what\nŁ,x\n".encode("cp1250"), "must be text in UTF-8, got another letter; save it"),
        (b"", "must have lines, got an empty file"),
        (b"who;what\na;b\n", "name one of these, or another separator than ','"),
        (b"who,what,stars\na,b,good\n", "numbers in its column stars, got 'good'; convert them"),
    ):
        file.write_bytes(content)
        value = "stars" if b"stars" in content else None
        with pytest.raises(ValueError, match=re.escape(sentence)):
            read_table(file, user="who", item="what", value=value)
