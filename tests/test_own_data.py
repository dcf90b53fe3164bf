"""A table or a graph of one's own: columns are named, labels come out again, order is harmless."""

import copy
import gzip
import pickle
from datetime import date
from fractions import Fraction  # noqa: F401 (of positions.txt, as some others)

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from pyarrow import table as arrow
from scipy import sparse
from scipy.io import mmread

import pplab
from pplab import attacks, graph, read_table, table
from pplab.attacks.sybil import sybil_attack
from pplab.datasets import holdout_cells
from pplab.metrics import l_diversity, ndcg, within_group_sse
from pplab.microaggregation import complete, group_means  # noqa: F401
from pplab.microaggregation.microaggregate import pool_groups
from pplab.recommenders import cluster_averages, error_parts, modularity, predict_from_nearest
from pplab.response import BipartiteNoiseGraph  # noqa: F401
from pplab.smooth import nearest_rows, publish_votes, smooth_optimum  # noqa: F401
from tests.generated.inputs import read

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
    STARS.frame().rename(columns={"who": "person"}).to_csv(tmp_path / "b.csv", index=False)
    other = read_table(tmp_path / "b.csv", like=STARS, user="person")  # columns may be renamed
    assert (other.matrix != STARS.matrix).nnz == 0
    assert other.columns == ("person", "film", "stars")


def test_values_never_take_the_column_of_an_id():
    near = graph(FRIENDS, source="a", target="b").to_networkx()
    nx.set_edge_attributes(near, 2.0, "source")
    assert list(graph(near, weight="source").frame()) == ["source", "target", "value"]
    made = graph(FRIENDS.rename(columns={"a": "value"}), source="value", target="b")
    similar = pplab.similarity(made, measure="aa").frame()
    assert list(similar) == ["value", "b", "x"]
    assert set(similar["value"]) <= set(PEOPLE)


@pytest.mark.parametrize("people", [102, "102", [[102]], (x for x in [102])])
def test_whom_to_serve_is_a_list_of_labels(people):
    ask = {"epsilon": np.inf, "measure": "cn", "top_n": 2, "method": "exact"}
    with pytest.raises(ValueError, match=r"people of the data, got .*102|got <gen.*list of labels"):
        pplab.recommend(CIRCLE, LIKES, users=people, **ask)


def test_columns_are_given_by_name():
    with pytest.raises(ValueError, match=r"must have the column .* once, got columns \['who'"):
        table(RATED, user=RATED["who"], item="film", value="stars")
    with pytest.raises(TypeError, match="columns must be a list of labels, got 3"):
        table(RATED, user="who", columns=3)


def test_a_damaged_file_is_named(tmp_path):
    packed = gzip.compress(b"u,i\na,x\n" * 99)
    for content in (b"u,i\na,x\n", packed[:-9], packed[:-6] + b"damage"):
        (tmp_path / "a.csv.gz").write_bytes(content)
        with pytest.raises(ValueError, match=r"a\.csv\.gz must be sound, got: .*again"):
            read_table(tmp_path / "a.csv.gz", user="u", item="i")
    with pytest.raises(FileNotFoundError):
        read_table(tmp_path / "b.csv.gz", user="u", item="i")


@pytest.mark.parametrize("word", ["Total", "SUMME", "Grand Total"])
def test_a_total_is_not_a_person(word, tmp_path):
    (tmp_path / "a.csv").write_text(f"u,i\na,{word}\nb,x\n{word},2\n")
    frame = pd.read_csv(tmp_path / "a.csv")
    frame.to_parquet(tmp_path / "a.parquet")
    sums = pd.DataFrame({"u": ["a", word], "q": [1, 1]})
    for make, where in (
        (lambda: read_table(tmp_path / "a.csv", user="u", item="i"), "line 4"),
        (lambda: read_table(tmp_path / "a.parquet", user="u", item="i"), "index 2"),
        (lambda: table(arrow(frame), user="u", item="i"), "index 2"),
        (lambda: table(sums, user="u", columns=["q"]), "index 1"),
        (lambda: table(sums.set_index("u"), columns=["q"]), f"index '{word}'"),
        (lambda: graph(frame, source="u", target="i"), "index 2"),
    ):
        with pytest.raises(ValueError, match=f"got '{word}' at {where}, a total; drop it"):
            make()
    known = table(frame, user="u", item="i", users=["a", "b", word], items=["x", word, "2"])
    known.to_csv(tmp_path / "a.csv")
    assert read_table(tmp_path / "a.csv", like=known).users == ("a", "b", word)
    (tmp_path / "a.csv").write_text(f"u,i\na,x\nb,{word}\n")
    assert word in read_table(tmp_path / "a.csv", user="u", item="i").items


def test_frames_of_other_libraries_go_where_those_of_pandas_go():
    frame = pd.DataFrame({"a": [1, 1, 0, 0], "b": [5, 5, 9, 9]})
    assert pplab.k_achieved(arrow(frame)) == 2
    assert pplab.mdav(arrow(frame), 2).tolist() == pplab.mdav(frame, 2).tolist()
    with pytest.raises(TypeError, match=r"pass pplab.table\(frame, user='a', item='b'\)"):
        pplab.smooth_k_anonymize(arrow(frame), 2)


def test_tables_do_not_change_and_pickle():
    for made in (STARS, CIRCLE):
        again = pickle.loads(pickle.dumps(made))
        assert lines(again) == lines(made)
        assert again.axis_labels == copy.copy(made).axis_labels == made.axis_labels
        made.matrix.data[:] = 9
        assert lines(again) == lines(made)


LIKES, SORTED_LIKES = STARS.keep(), CANONICAL.keep()


@pytest.mark.parametrize("call", read("../releases.txt"))
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
    methods = ("exact", np.inf, {}), ("cluster", 1.0, {"clusters": groups}), ("nou", 1.0, {})
    for method, level, more in methods:
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
    plain = pplab.microaggregate(STARS, 2, rating_range=(1, 5))
    assert np.array_equal(means.protected, plain.protected)
    friends, how = CIRCLE.to_networkx(), {"epsilon": np.inf, "measure": "cn", "top_n": 2}
    lists = pplab.recommend(friends, LIKES, **how, method="exact")
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


@pytest.mark.parametrize("call", read("../positions.txt"))
def test_positions_of_labelled_data_are_those_of_the_stated_order(call):
    made = {"likes": LIKED.astype(int), "ratings": RATINGS, "few": LIKED[:3, :3].astype(int)}
    both = {name: backwards(cells) for name, cells in made.items()}
    result, expected = (
        eval(call, {**globals(), **{name: pair[n] for name, pair in both.items()}}) for n in (0, 1)
    )
    np.testing.assert_equal(result, expected)


def test_two_tables_meet_by_label_in_attacks():
    """A release that states its labels in another order is the same release."""
    ratings, numbers = backwards(RATINGS)
    release = pplab.microaggregate(ratings, 3, **SCALE).table
    turned = release.by_value()
    assert turned.users != release.users
    expected = attacks.group_inference(numbers, release.matrix.toarray(), **SCALE)
    assert attacks.group_inference(ratings, turned, **SCALE) == expected
    same = predict_from_nearest(turned, ratings)
    assert np.array_equal(same.predicted, predict_from_nearest(release, ratings).predicted)


def test_lists_are_judged_by_label():
    lists = pplab.recommend(CIRCLE, LIKES, epsilon=1, measure="cn", top_n=2, method="nou", rng=1)
    truth = pplab.utilities(CIRCLE, LIKES, measure="cn")
    score = ndcg(truth, lists.items.iloc[::-1], top_n=2)
    assert score.index.tolist() == list(LIKES.users)
    numbers = [[LIKES.items.index(film) for film in row] for row in lists.items.to_numpy()]
    assert np.array_equal(score, ndcg(truth.matrix, numbers, top_n=2), equal_nan=True)
    assert score.equals(ndcg(truth, lists.items[[2, 1]], top_n=2))  # columns are labelled by rank
    again = lists.items.copy()
    again.loc[102] = [9, 9]
    with pytest.raises(ValueError, match="who 102 and film 9 twice"):
        ndcg(truth, again, top_n=2)
    for odd, count in ((lists.items.drop(102), 0), (pd.concat([lists.items] * 2).iloc[:5], 2)):
        with pytest.raises(ValueError, match=rf"got {count} for 10[24]; recommend to each"):
            ndcg(truth, odd, top_n=2)
    ten = pd.DataFrame([range(11, -1, -1)], columns=pd.RangeIndex(1, 13, name="rank"))
    text = ten.rename(columns=str)[sorted(map(str, ten))]  # ranks that came back from a file
    assert ndcg(table([[*range(1, 13)]]), text, top_n=12)[0] == 1


def test_a_victim_is_named():
    result = sybil_attack(CIRCLE, LIKES, 104, measure="cn")
    by_number = sybil_attack(CIRCLE.matrix, LIKES.matrix, 0, measure="cn")
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


def test_weights_leave_for_other_programs(tmp_path):
    """Four groups of twenty: files are written and read again."""
    cells = np.kron(np.eye(4), np.ones((20, 20))).astype(int)
    made = table(cells).to_networkx()
    assert made.size(weight="weight") == 1600
    named = nx.relabel_nodes(made, {node: f"{node[0]} {node[1]}" for node in made})
    nx.write_weighted_edgelist(named, tmp_path / "edges")
    for form in ("gml", "graphml"):
        getattr(nx, f"write_{form}")(named, tmp_path / form)
        assert getattr(nx, f"read_{form}")(tmp_path / form).size(weight="weight") == 1600
    assert nx.node_link_data(named, edges="edges")["edges"][0]["weight"] == 1


FILES = [eval(entry) for entry in read("../own_files.txt")]
COLUMNS = {"user": "u", "item": "i", "value": "x"}


@pytest.mark.parametrize(("case", "text", "how", "expected"), FILES)
def test_a_file_is_read_as_it_is_written_and_comes_back(case, text, how, expected, tmp_path):
    file, content = tmp_path / "ratings.csv", text.encode()
    if case == "packed":
        file, content = file.with_suffix(".csv.GZ"), gzip.compress(content)
    file.write_bytes(content)
    made = read_table(file, **COLUMNS | how)
    assert list(made.frame().itertuples(index=False, name=None)) == expected
    made.to_csv(tmp_path / "again.csv")
    again = read_table(tmp_path / "again.csv", like=made)
    assert again.frame().equals(made.frame())
    assert again.users == made.users


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
    assert table(arrow(frame), user="u", item="i", value="x").frame().equals(coded.frame())
    assert lines(graph(arrow(FRIENDS), source="a", target="b")) == lines(SORTED_CIRCLE)
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


def test_columns_without_a_name_and_with_a_number(tmp_path):
    """Row names that R and pandas write are no ratings; a file has the names 0 and 1 as text."""
    (tmp_path / "a.csv").write_text('"","u","i"\n"1",4,x\n"2",7,x\n')
    made = read_table(tmp_path / "a.csv", user="u", item="i")
    assert (made.has_values, made.skipped) == (False, ("Unnamed: 0",))
    made = table(pd.DataFrame([[4, "x", 5], [7, "x", 2]]), user=0, item=1, value=2)
    made.to_csv(tmp_path / "b.csv")
    again = read_table(tmp_path / "b.csv", like=made)
    assert (again.users, again.matrix.data.tolist()) == ((4, 7), [5, 2])


def test_a_frame_that_was_found_is_not_named_by_a_file(tmp_path):
    """`like` gives labels and columns; whose frame it is goes with them."""
    result = table(RATED[["who", "film"]], **NAMES)
    result.to_csv(tmp_path / "likes.csv")
    again = read_table(tmp_path / "likes.csv", like=result)
    with pytest.raises(ValueError, match="taken from the entries"):
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


@pytest.mark.parametrize(
    "labels",
    [
        ["NA", "None", "null"],
        [1.0, 2.0],
        [False, True],
        [date(2026, 1, 1), date(2026, 1, 2)],
        list(pd.to_datetime(["2026-01-01", "2026-01-02"])),
        [(1, "a"), (1, "b")],
    ],
)
def test_a_release_comes_back_with_labels_of_any_kind(labels, tmp_path):
    made = table(pd.DataFrame({"who": labels, "film": 7}), **NAMES)
    made.to_csv(tmp_path / "r.csv")
    again = read_table(tmp_path / "r.csv", like=made)
    assert again.frame().equals(made.frame())
    assert list(map(repr, again.users)) == list(map(repr, labels))


@pytest.mark.parametrize("maker", [table, graph])
def test_attributes_that_nobody_names_are_listed(maker):
    edges = nx.Graph([("Ada", "x", {"stars": 3, "day": 1})])
    if maker is table:
        nx.set_node_attributes(edges, {"Ada": 0, "x": 1}, "bipartite")
    named = {"value" if maker is table else "weight": "stars"}
    assert maker(edges).skipped == ("stars", "day")
    assert repr(maker(edges, **named)).endswith("not read: ['day']>")


def test_a_wide_table_keeps_its_people_apart_from_its_items(tmp_path):
    survey = pd.DataFrame({"id": [7, 5], "q": [1, 3]})
    for name in ("item", "value"):
        made = table(survey.rename(columns={"id": name}), user=name, columns=["q"])
        assert made.frame().iloc[:, :3].to_numpy().tolist() == [[5, "q", 3], [7, "q", 1]]
        made.to_csv(tmp_path / f"{name}.csv")
        assert read_table(tmp_path / f"{name}.csv", like=made).users == (7, 5)


def test_ids_of_a_file_are_not_made_equal(tmp_path):
    """Beyond 2^63, after a space, and numbers that a long file mixes with text."""
    for ids in (
        ["18446744073709551614", "18446744073709551615"],
        [" 007", " 07"],
        [*map(str, range(300_000)), "300000.0", "a"],
    ):
        (tmp_path / "r.csv").write_text("u,i\n" + "".join(f"{a},x\n" for a in ids))
        made = read_table(tmp_path / "r.csv", user="u", item="i")
        assert {str(user) for user in made.users} == {*ids}
        assert len({type(user) for user in made.users}) == 1


def test_groups_go_by_label_wherever_they_are_asked_for():
    """Of a Table or a frame by label, of an array by row number."""
    ratings = table(pd.DataFrame({"q": [1.0, 3, 10, 10]}, index=list("abcd")), columns=["q"])
    frame, array = pd.DataFrame({"q": [1.0, 3, 10, 10]}, index=list("abcd")), [[1], [3], [10], [10]]
    named, plain = pd.Series([0, 1, 1, 0], list("acdb")), pd.Series([0, 1, 1, 0], [0, 2, 3, 1])
    means = [[2], [2], [10], [10]]
    assert [within_group_sse(ratings, named), within_group_sse(array, plain)] == [2, 2]
    assert group_means(frame, named).tolist() == group_means(array, plain).tolist() == means
    assert pool_groups(ratings, named).toarray().tolist() == means
    assert l_diversity(list("xyzz"), plain, form="distinct").tolist() == [2, 2, 1, 1]
    likes, rated = backwards(LIKED.astype(int))[0], backwards(RATINGS)[0]
    groups = pd.Series(GROUPS, index=likes.users)[list(likes.users[::-1])]
    for call in (
        lambda labels: publish_votes(likes, labels, keep="half").kept,
        lambda labels: attacks.pivotal_counts(likes, labels, insiders=1).edges_read,
        lambda labels: int(attacks.homogeneous_cells(rated, labels=labels, **SCALE).cells.sum()),
    ):
        assert call(groups) == call(GROUPS)


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


def test_cells_are_held_out_the_same_in_whatever_order_people_are_stated():
    made = backwards(RATINGS)[0]
    one, other = (holdout_cells(x, share=0.3, rng=1) for x in (made, made.by_value()))
    assert np.array_equal(one.training, other.training[::-1, ::-1], equal_nan=True)
    cells = zip(made.matrix.toarray()[one.rows, one.columns], one.ratings, strict=True)
    assert all(x == y for x, y in cells)
    assert np.array_equal(np.argwhere(np.isnan(one.training)), np.c_[one.rows, one.columns])


def test_an_attack_draws_the_same_in_whatever_order_people_are_stated():
    made = backwards(RATINGS)[0]
    releases = [(x, pplab.microaggregate(x, 3, **SCALE).table) for x in (made, made.by_value())]
    curves = [attacks.reidentification_curve(*pair, rng=1, **SCALE) for pair in releases]
    pd.testing.assert_frame_equal(*curves)


@pytest.mark.parametrize("kind", ["int8", "int16", "uint8", "uint64"])
def test_ids_of_few_bits_keep_their_values(kind):
    low, high = max(-120, np.iinfo(kind).min), 120
    people = np.repeat(np.arange(low, high, 2), 2).astype(kind)
    frame = pd.DataFrame({"who": people, "what": np.arange(len(people)) % 2})
    made = table(frame, user="who", item="what")
    assert list(made.users) == sorted({*people.tolist()})
    assert made.frame()["who"].tolist() == people.tolist()
