"""The door: every form of a graph in, one CSR form out."""

import subprocess
import sys
from fractions import Fraction

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from pplab import jaccard_similarity, sensitive_attribute_imprecision, sensitive_attribute_risk
from pplab.graphs import as_adjacency, as_matrix, to_networkx, to_pandas

DENSE = np.array([[5, 0, 3], [0, 1, 0]])


def test_edge_list_of_a_social_graph_may_list_each_edge_once_or_twice():
    once = pd.DataFrame({"source": ["a", "b"], "target": ["b", "c"]})
    twice = pd.DataFrame({"source": ["a", "b", "b", "c"], "target": ["b", "a", "c", "b"]})
    expected = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    assert as_adjacency(once).toarray().tolist() == expected
    assert as_adjacency(twice).toarray().tolist() == expected


def test_nodes_of_mixed_types_have_an_order():
    one, two = nx.Graph([(1, "a"), ("a", "b")]), nx.Graph([("b", "a"), ("a", 1)])
    assert np.array_equal(as_adjacency(one).toarray(), as_adjacency(two).toarray())


def test_every_sparse_format():
    for form in ("csr", "csc", "coo", "lil", "dok", "bsr"):
        given = sparse.coo_array(DENSE).asformat(form)
        assert np.array_equal(as_matrix(given).toarray(), DENSE), form
    blocks = sparse.bsr_array(np.kron(np.eye(2), [[1, 0], [1, 1]]), blocksize=(2, 2))
    assert as_matrix(blocks).nnz == 6  # the padding of blocks is no record


def test_unsorted_rows_are_sorted_and_the_input_stays_as_it_is():
    given = sparse.csr_array(([3, 5, 1], [2, 0, 1], [0, 2, 3]), shape=(2, 3))
    found = as_matrix(given)
    assert found.indices.tolist() == [0, 2, 1]
    assert np.array_equal(found.toarray(), DENSE)
    assert given.indices.tolist() == [2, 0, 1]


def broken(indices, indptr):
    """A CSR array whose parts were changed after it was made."""
    matrix = sparse.csr_array(([1.0, 1.0], [0, 1], [0, 1, 2]), shape=(2, 3))
    matrix.indices, matrix.indptr = np.array(indices), np.array(indptr)
    return matrix


def test_bad_tables_are_refused():
    mixed = nx.Graph([("u1", "u2"), ("u1", "i1")])
    nx.set_node_attributes(mixed, {"u1": 0, "u2": 0, "i1": 1}, "bipartite")
    for data, sentence in (
        (pd.DataFrame({"a": [1], "b": [2]}), "edge list with columns user, item"),
        (pd.DataFrame({"user": [1, np.nan], "item": [1, 2]}), "no missing ids"),
        (pd.DataFrame({"user": [1, 1], "item": [2, 2]}), "duplicate edges"),
        (pd.DataFrame([[1, 2, 3]], columns=["user", "item", "item"]), "each once"),
        (pd.DataFrame({"user": [1], "item": [2], "rating": ["good"]}), "in its column rating"),
        (nx.path_graph(3), "node attribute bipartite"),
        (nx.DiGraph([("u", "i")]), "undirected, simple"),
        (nx.Graph(), "got 0 users and 0 items"),
        (mixed, "with edges between the two"),
        (np.ones(3), "2-D array"),
        (np.array([["a"]]), "2-D array of numbers"),
        (np.zeros((3, 0)), "must have rows and columns"),
        (sparse.csr_array((1, 2**32), dtype=np.int8), r"fewer than 2\^31 columns"),
        (sparse.csr_array(([1.0, np.nan], [0, 1], [0, 2]), shape=(1, 2)), "finite"),
        (sparse.csr_array(([1, 1, 1], [2, 0, 2], [0, 0, 3]), shape=(2, 3)), r"\(1, 2\) twice"),
        (broken([0, 7], [0, 1, 2]), r"a sound CSR array .*\(indices must be < 3\)"),
        (broken([0, -1], [0, 1, 2]), r"a sound CSR array .*\(indices must be >= 0\)"),
        (broken([0, 1], [0, 3, 2]), r"a sound CSR array .*non-decreasing sequence\)"),
        (sparse.csr_array(np.ones(3)), "two dimensions, got 1"),
        (sparse.coo_array(np.ones((2, 2, 2))), "two dimensions, got 3"),
        (sparse.coo_array((2**31, 2)), r"2\^31 rows"),
        (7, "must be a scipy sparse matrix"),
    ):
        with pytest.raises((ValueError, TypeError), match=sentence):
            as_matrix(data, name="table")


BREAK = """
import numpy as np
from scipy import sparse
import pplab
from pplab.recommenders.clusters import cluster_top_items
from pplab.recommenders.top_items import top_items

doors = (
    lambda m: pplab.mdav(m, 2),
    lambda m: top_items(m, 2),
    lambda m: cluster_top_items(m, np.ones((3, 4)), 2),
    lambda m: pplab.ndcg(m, [[0, 1]] * 3, top_n=2, ideal=[9.0] * 3),
    lambda m: pplab.bipartite_noise_graph(m, flip_probability=0.0),
)
far = 10**7
starts = [0, 2, 3, far], [0, far, 3, 5], [0, -5, 3, 5], [1, 2, 3, 5], [0, 2, 5], [0, 2, 3, 4], []
places = [1, 2, 0, 1, far], [1, 2, 0, 1, -1], [1, 2, 0, 1], [], [1.0, 2, 0, 1, 2]
cases = [(form, "indptr", value) for form in ("csr", "csc") for value in starts]
cases += [(form, "indices", value) for form in ("csr", "csc") for value in places]
cases += [("coo", part, value) for part in ("row", "col") for value in places[:4]]
cases += [("bsr", "indptr", [0, far]), ("bsr", "indptr", [1, 1]), ("bsr", "indices", [-1])]
cases += [("dia", "offsets", value) for value in ([0] * 4, [0], [0.5] * 4, [2**62, 1, 2, 3])]
cases += [("lil", "rows", value) for value in ([3], [-1], [far], [0, 1, 2], None, ["a"])]
cases += [("dok", "_dict", key) for key in ((5, 5), (-1, 0), (0, far), (0,), (0, 1, 2), "ab", 3)]
built = sparse.csr_array((np.ones(3), np.array([0, far * 10, 0]), np.arange(4)), shape=(3, 3))
for form, part, value in [("csr", "shape", built.shape), *cases]:
    matrix = getattr(sparse, f"{form}_array")(np.array([[0, 1.0, 2], [1, 0, 0], [0, 3, 1]]))
    getattr(matrix, "has_canonical_format", None)  # which scipy goes on believing
    if form in ("lil", "dok"):
        getattr(matrix, part).__setitem__(*((0, value) if form == "lil" else (value, 1.0)))
    elif part != "shape":
        setattr(matrix, part, np.array(value))
    for door in doors:
        try:
            print(form, part, value, door(matrix if part != "shape" else built))
        except ValueError as error:
            if "must be a sound" not in str(error):
                print(form, part, value, error)
"""


def test_malformed_containers_neither_end_the_process_nor_give_an_answer():
    run = subprocess.run([sys.executable, "-c", BREAK], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, ""), run.stderr[-2000:]


def test_every_kind_of_number_and_layout_means_the_same():
    wide = np.zeros((4, 6), dtype=np.int64)
    wide[::2, ::2] = DENSE
    layouts = [np.asfortranarray(DENSE), wide[::2, ::2], DENSE.view(np.matrix), DENSE.tolist()]
    layouts += [np.ma.array(DENSE), [[Fraction(int(x)) for x in row] for row in DENSE]]
    for dtype in (">i8", ">f4", np.float16, np.longdouble, np.uint64, np.int8, object):
        layouts += [DENSE.astype(dtype)]
        for form in ("csr", "csc", "coo", "bsr", "dia"):
            layouts += [sparse.coo_array(DENSE).asformat(form)]
            layouts[-1].data = layouts[-1].data.astype(dtype)
    layouts += [sparse.csr_array(DENSE)]
    layouts[-1].indices = layouts[-1].indices.astype(">i8")
    layouts[-1].indptr = layouts[-1].indptr.astype(np.uint64)
    for data in layouts:
        found = as_matrix(data)
        assert found.dtype.isnative
        assert np.array_equal(found.toarray(), DENSE), data
    for bad in ([[1, None]], [[1, "2"]], [[1, pd.NA]], [[1, 10**400]], [[1, 2j]], [[1, 2], [3]]):
        with pytest.raises(ValueError, match=r"^ratings must"):
            as_matrix(bad, name="ratings")


def test_a_stored_zero_survives_every_format_that_lists_its_cells():
    stored = sparse.csr_array(([5, 0, 1], [0, 2, 1], [0, 2, 3]), shape=(2, 3))
    for form in ("csr", "csc", "coo", "lil"):
        assert as_matrix(stored.asformat(form)).indices.tolist() == [0, 2, 1], form


def test_same_column_in_neighbouring_rows_is_no_duplicate():
    matrix = sparse.csr_array(([1, 1, 1], [2, 2, 2], [0, 1, 1, 2, 3]), shape=(4, 3))
    assert as_matrix(matrix).nnz == 3


def frame(*edges):
    return pd.DataFrame(list(edges), columns=["user", "item", "rating"][: len(edges[0])])


def test_edge_lists_are_compared_by_their_labels():
    one, other = frame((1, 1), (2, 2)), frame((1, 1), (2, 3))
    assert jaccard_similarity(one, other) == pytest.approx(1 / 3)
    assert jaccard_similarity(one, frame((5, "x"), (6, "y"))) == 0
    assert sensitive_attribute_imprecision(frame((1, 1, 5), (2, 2, 3)), frame((1, 1, 5))) == 1.5


def test_networkx_graphs_are_compared_by_their_nodes():
    def likes(*edges):
        graph = nx.Graph(list(edges))
        for node in graph:
            graph.nodes[node]["bipartite"] = int(str(node).startswith("i"))
        return graph

    one, other = likes(("u1", "i1"), ("u2", "i2")), likes(("u2", "i2"), ("u1", "i3"))
    assert jaccard_similarity(one, other) == pytest.approx(1 / 3)
    risk = sensitive_attribute_risk(one, other, noise=likes(("u1", "i1"), ("u1", "i3")))
    assert risk.tolist() == [pytest.approx(1 / 3), 1.0]


def test_labels_and_no_labels_do_not_mix():
    with pytest.raises(ValueError, match="must all carry labels of one kind or none"):
        jaccard_similarity(frame((1, 1)), [[1]])


def test_many_users_keep_their_order_and_ratings_in_other_forms():
    matrix = as_matrix(np.triu(np.arange(1, 626).reshape(25, 25)))
    for form in (to_networkx, to_pandas):
        assert np.array_equal(as_matrix(form(matrix)).toarray(), matrix.toarray())


def test_weights_do_not_matter_in_a_social_edge_list():
    edges = pd.DataFrame({"source": ["a", "b"], "target": ["b", "c"], "weight": [0.0, -1.0]})
    assert as_adjacency(edges).nnz == 4


def test_a_label_is_a_user_where_its_own_graph_says_so():
    one, two = nx.Graph([(1, 2)]), nx.Graph([(1, 2)])
    nx.set_node_attributes(one, {1: 0, 2: 1}, "bipartite")
    nx.set_node_attributes(two, {1: 1, 2: 0}, "bipartite")
    assert (jaccard_similarity(one, two), jaccard_similarity(one, one)) == (0, 1)


def labelled(*users, dtype=object):
    labels = pd.Series(users, dtype=dtype)
    return pd.DataFrame({"user": labels, "item": range(len(users)), "rating": range(len(users))})


def test_labels_of_any_type_are_compared_or_refused():
    for users in ([("a", 1), (1, "a"), "a"], ["b", 2, 1], [("b", 1), ("a",)]):
        graph = nx.Graph([(user, ("item", n)) for n, user in enumerate(users)])
        assert as_adjacency(graph).nnz == 2 * len(users)
        listed = labelled(*users)
        assert jaccard_similarity(listed, listed[::-1]) == 1
    plain = as_matrix(labelled("b", "a", dtype=None)).toarray()
    for dtype in ("category", "string"):
        assert np.array_equal(as_matrix(labelled("b", "a", dtype=dtype)).toarray(), plain)
    assert jaccard_similarity(labelled(3, 1, dtype="Int64"), labelled(3, 1, dtype=float)) == 1
    for users, sentence in (
        *(((1, other), "labels that are equal and of different types") for other in (True, 1.0)),
        *(((1, other), "no missing ids") for other in (None, pd.NA)),
        (([1], [2]), "names or numbers as labels, got unhashable type: 'list'"),
    ):
        with pytest.raises((TypeError, ValueError), match=sentence):
            as_matrix(labelled(*users))
    with pytest.raises(ValueError, match=r"ids up to 2\^53 where some are floats"):
        jaccard_similarity(labelled(2**60 + 1, dtype=int), labelled(1.0, dtype=float))
    with pytest.raises(ValueError, match="finite numbers in its column rating"):
        as_matrix(labelled("a", "b").assign(rating=pd.array([1, None], dtype="Int64")))


def test_bad_social_graphs_are_refused():
    for edges, sentence in (
        ([("a", "b"), ("a", "b")], "duplicate edges"),
        ([("a", "a"), ("a", "b")], "self-loops"),
    ):
        with pytest.raises(ValueError, match=sentence):
            as_adjacency(pd.DataFrame(edges, columns=["source", "target"]))
    for data, sentence in (
        (np.ones((2, 3)), "square adjacency matrix, got 2 x 3"),
        (np.eye(2), "self-loops"),
        ([[0, 1, 1], [1, 0, 0], [0, 0, 0]], "must be symmetric"),
        ([[0, 1, 0], [0, 0, 1], [1, 0, 0]], "must be symmetric"),  # as many in as out
        *[
            (nx.Graph([(1, 2, {"weight": weight})]), "as edge weights")
            for weight in (np.nan, "x", None, 1j, np.inf)
        ],
        (nx.Graph([(np.nan, 1)]), "got NaN; drop such nodes"),
        (nx.DiGraph([(1, 2)]), "undirected simple graph"),
    ):
        with pytest.raises(ValueError, match=sentence):
            as_adjacency(data)
