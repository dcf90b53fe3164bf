"""How similar two users are, by the public social graph alone: each measure is one record."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from scipy import sparse

from pplab.checks import as_array, check_choice, check_flag
from pplab.graphs import GraphLike, as_matrix, as_social, by_value, check_one_frame, with_labels
from pplab.labelled import Table, in_rows_of, in_stated_order, relabelled, rows_of
from pplab.recommenders._similarity import (
    COMMON,
    DAMPING,
    DISTANCE,
    PATHS,
    RowPlan,
    collect,
    common_products,
    katz_products,
)
from pplab.tables import as_points


def _everyone(degrees: np.ndarray) -> np.ndarray:
    return np.ones(len(degrees))


def _adamic_adar(degrees: np.ndarray) -> np.ndarray:
    """1/log of the degree; a neighbour of degree 1 is common to no pair: it adds nothing."""
    weights = np.zeros(len(degrees))
    np.divide(1, np.log(np.maximum(degrees, 1)), out=weights, where=degrees > 1)
    return weights


def _resource_allocation(degrees: np.ndarray) -> np.ndarray:
    return 1 / np.maximum(degrees, 1)


Matrix: TypeAlias = sparse.csr_array


def _common_neighbours(_a: Matrix, common: Matrix, _simple: bool) -> Matrix:
    """Common neighbours, each with its weight."""
    return common


def _share(a: Matrix, common: Matrix, _simple: bool) -> Matrix:
    """Common neighbours over all neighbours of either, the Jaccard coefficient."""
    (u, v), degrees = common.nonzero(), a.sum(axis=1)
    common.data /= degrees[u] + degrees[v] - common.data
    return common


def _twice_the_share(a: Matrix, common: Matrix, _simple: bool) -> Matrix:
    """Twice the common neighbours over both degrees, the coefficient of Dice and Sørensen."""
    (u, v), degrees = common.nonzero(), a.sum(axis=1)
    common.data *= 2
    common.data /= degrees[u] + degrees[v]
    return common


def _distance(a: Matrix, common: Matrix, _simple: bool) -> Matrix:
    """1 for neighbours; 1/2 for two steps apart, who have a common neighbour."""
    common.data[:] = 0.5
    return a.maximum(common)


def _katz(a: Matrix, common: Matrix, simple: bool) -> Matrix:
    """Paths of one, two and three edges, damped."""
    three = _product(common, a)
    if simple:  # less the walks u-x-u-v and u-v-x-v, of which u-v-u-v is both
        (u, v), degrees = a.nonzero(), a.sum(axis=1)
        three -= sparse.csr_array((degrees[u] + degrees[v] - 1, a.indices, a.indptr), a.shape)
    return DAMPING**3 * three + DAMPING**2 * common + DAMPING * a


@dataclass(frozen=True)
class Measure:
    """A measure of similarity: its formula, how its rows are compiled, how far it reaches.

    Attributes
    ----------
    formula : callable
        Similarities from the adjacency A, the weighted common neighbours A W A, and whether paths
        are simple; it may write into the second.
    rows : {COMMON, DISTANCE, PATHS}
        Which compiled row gives the same numbers. A formula that no row gives needs one in
        `_similarity.py`: sums are made of rows, never of the formula.
    lengths : tuple of int
        Edges of the paths between two users that it counts.
    weights : callable
        What each user, by degree, adds to the similarity of two neighbours: W.
    share : (float, float), optional
        (s, t) where a count c of common neighbours becomes s c / (both degrees - t c).
    own : float, optional
        Similarity to oneself where the formula gives nothing finite.
    """

    formula: Callable[[Matrix, Matrix, bool], Matrix]
    rows: int
    lengths: tuple[int, ...]
    weights: Callable[[np.ndarray], np.ndarray] = _everyone
    share: tuple[float, float] | None = None
    own: float | None = None

    @property
    def by_products(self) -> bool:
        """True if sums over similar users are products with the adjacency alone."""
        return self.rows != DISTANCE and self.share is None


MEASURES = {
    "cn": Measure(_common_neighbours, COMMON, (2,)),
    "gd": Measure(_distance, DISTANCE, (1, 2), own=1.0),
    "aa": Measure(_common_neighbours, COMMON, (2,), _adamic_adar),
    "katz": Measure(_katz, PATHS, (1, 2, 3)),
    "jaccard": Measure(_share, COMMON, (2,), share=(1.0, 1.0)),
    "resource-allocation": Measure(_common_neighbours, COMMON, (2,), _resource_allocation),
    "sorensen": Measure(_twice_the_share, COMMON, (2,), share=(2.0, 0.0)),
}


@dataclass(frozen=True)
class Similarity:
    """A similarity measure; its three fields are the parameters of `similarity`."""

    measure: str
    paths: str = "simple"
    self_similarity: bool = False

    def __post_init__(self) -> None:
        check_choice("measure", self.measure, MEASURES)
        check_choice("paths", self.paths, ("simple", "walks"))
        check_flag("self_similarity", self.self_similarity)

    @property
    def record(self) -> Measure:
        """The measure itself."""
        return MEASURES[self.measure]

    @property
    def simple(self) -> bool:
        """True if simple paths are counted."""
        return self.record.rows == PATHS and self.paths == "simple"

    @property
    def keeps_self(self) -> bool:
        """True if the diagonal can be other than 0: no simple path leads back."""
        return self.self_similarity and not self.simple


def similarity(
    social: GraphLike, *, measure: str, self_similarity: bool = False, paths: str = "simple"
) -> sparse.csr_array:
    """Similarity of all pairs of users.

    Parameters
    ----------
    social : adjacency, shape (users, users), Graph or networkx graph
        Undirected, unweighted, without self-loops.
    measure : {"cn", "gd", "aa", "katz", "jaccard", "resource-allocation", "sorensen"}
        With N(u) the neighbours of u: "cn" counts common neighbours, |N(u) and N(v)|. "gd" is 1 for
        neighbours and 1/2 for users two steps apart. "aa" (Adamic and Adar) adds 1/log |N(x)|
        over common neighbours x. "katz" adds a^l times the number of paths of l edges for l = 1,
        2, 3 and a = 0.05. "jaccard" is |N(u) and N(v)| / |N(u) or N(v)|. "resource-allocation"
        adds 1/|N(x)| over common neighbours. "sorensen" (or Dice) is 2 |N(u) and N(v)| over
        |N(u)| + |N(v)|.
    self_similarity : bool
        Keep sim(u, u), which is then what the formula gives for v = u: the degree for "cn", 1 for
        "jaccard" and "sorensen" where u has neighbours, 0 for "katz" with simple paths, since none
        leads back. Two formulas give nothing finite: "gd" takes 1 for every user (the most that it
        gives to a pair), and "aa" leaves out neighbours of degree 1, for which 1/log would be
        infinite.
    paths : {"simple", "walks"}
        What "katz" counts: paths that visit no user twice, or walks (powers of the adjacency).

    Returns
    -------
    csr_array of float64, shape (users, users)
        Symmetric, rows sorted, zeros not stored.

    Raises
    ------
    TypeError, ValueError
        If the graph is directed or weighted, has a self-loop, or an argument is not known.

    Notes
    -----
    The result of "katz" is close to full on a large graph; `similarity_times` multiplies with it
    without forming it.

    References
    ----------
    Jorgensen and Yu 2014, A privacy-preserving framework for personalized, social
    recommendations, EDBT 2014, doi 10.5441/002/edbt.2014.51, Section 2.

    Examples
    --------
    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> similarity(path, measure="gd").toarray()
    array([[0. , 1. , 0.5],
           [1. , 0. , 1. ],
           [0.5, 1. , 0. ]])
    """
    social = with_labels(social, bipartite=False, name="social")
    graph = as_social(by_value(social, bipartite=False))
    record = Similarity(measure, paths, self_similarity)
    return relabelled(social, collect(_plan(graph, record), np.arange(graph.shape[0])))


def similarity_matrix(graph: sparse.csr_array, record: Similarity) -> sparse.csr_array:
    """Similarity of all pairs by the formulas, with A the adjacency of a checked graph.

    The compiled rows behind `similarity` give the same numbers, and three times as fast.
    """
    a, measure = graph.astype(np.float64), record.record
    result = measure.formula(a, _product(a * measure.weights(a.sum(axis=1)), a), record.simple)
    if not record.keeps_self or measure.own is not None:
        result.setdiag(measure.own or 0.0 if record.keeps_self else 0.0)
    result.eliminate_zeros()
    return result


def _product(left: sparse.csr_array, right: sparse.csr_array) -> sparse.csr_array:
    """Multiply, and sort the rows at once: sums of sorted arrays take a tenth of the time."""
    result = left @ right
    result.sort_indices()
    result.has_canonical_format = True
    return result


# Sums over similar users, without a matrix of users x users.


def similarity_times(
    social: GraphLike,
    matrix: Any,
    *,
    measure: str,
    self_similarity: bool = False,
    paths: str = "simple",
    users: Any = None,
) -> np.ndarray | sparse.csr_array:
    """Rows of the similarity matrix times a matrix: for each user, sums over similar users.

    Parameters
    ----------
    social : adjacency, shape (users, users)
        Undirected, unweighted, without self-loops.
    matrix : sparse users x items, or array users x columns
        What to sum: preferences, or for instance memberships of clusters. Finite numbers. Its rows
        are the people of the graph, in the order in which the graph states them.
    measure, self_similarity, paths
        As `similarity` takes them.
    users : list of row numbers, or of labels if the graph has any, optional
        Whose rows to compute, in this order; all by default.

    Returns
    -------
    csr_array or ndarray of float64, shape (users asked for, columns of matrix)
        Sparse with sorted rows and without zeros if the matrix is sparse, else dense.

    Raises
    ------
    TypeError, ValueError
        If the rows of the matrix are not the users of the graph, a user is not in it, a number is
        not finite, or an argument is not known.

    Notes
    -----
    A sparse matrix is summed user by user; the memory needed is that of the result and of a few
    tables of 4 MB per thread. A dense one is multiplied with the adjacency once ("cn", "aa",
    "resource-allocation": twice; "katz": three times), which takes a few tables of its size; the
    other measures have no such form and go user by user. Rows do not depend on the number of
    threads, nor on which other users are asked for.

    References
    ----------
    Jorgensen and Yu 2014, A privacy-preserving framework for personalized, social
    recommendations, EDBT 2014, doi 10.5441/002/edbt.2014.51, equation 1 and the inner sum of
    equation 4.

    Examples
    --------
    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> similarity_times(path, [[1, 0], [0, 1], [0, 1]], measure="gd")
    array([[0. , 1.5],
           [1. , 1. ],
           [0.5, 1. ]])
    """
    people = with_labels(social, bipartite=False, name="social")
    graph = as_social(by_value(people, bipartite=False))
    record = Similarity(measure, paths, self_similarity)
    matrix = with_labels(matrix, bipartite=True, name="matrix")
    labelled = isinstance(matrix, Table)
    if labelled:
        check_one_frame({"social": people, "matrix": matrix}, sides=("users",))
    thin = sparse.issparse(matrix) or labelled
    if thin:
        table = as_matrix(by_value(matrix, bipartite=True), name="matrix")
    else:
        table = as_points(matrix, name="matrix")
    if table.shape[0] != graph.shape[0]:
        raise ValueError(
            f"social and matrix must have the same users, got {graph.shape[0]} and "
            f"{table.shape[0]}; give every user a row in both, an empty row where there is nothing"
        )
    rows = check_users(rows_of(by_value(people, bipartite=False), users), graph.shape[0])
    table = table if labelled else in_rows_of(people, table)
    if thin:
        sums: Any = sparse_sums(graph, record, table, rows)
    else:
        sums = dense_sums(graph, record, table.astype(np.float64, copy=False), rows)
    if labelled:
        return relabelled(matrix, sums) if users is None else matrix.of_rows(rows, sums)
    return in_stated_order(people, sums) if users is None else sums


def sparse_sums(
    graph: sparse.csr_array, record: Similarity, table: sparse.csr_array, users: np.ndarray
) -> sparse.csr_array:
    """Rows of the similarity matrix times a sparse table, all of it checked."""
    return collect(_plan(graph, record), users, table)


def dense_sums(
    graph: sparse.csr_array, record: Similarity, table: np.ndarray, users: np.ndarray
) -> np.ndarray:
    """Rows of the similarity matrix times a full table of float64, all of it checked."""
    plan = _plan(graph, record)
    if not record.record.by_products:
        return collect(plan, users, sparse.csr_array(table)).toarray()
    return (katz_products if record.record.rows == PATHS else common_products)(plan, table, users)


def _plan(graph: sparse.csr_array, record: Similarity) -> RowPlan:
    """Lay out a checked graph for the compiled loops."""
    measure, csr = record.record, (graph.indptr.astype(np.int64), graph.indices.astype(np.uint32))
    share, weights = measure.share or (1.0, 0.0), measure.weights(np.diff(graph.indptr))
    kinds = (measure.rows, measure.share is not None, share, record.simple, record.keeps_self)
    return RowPlan(*kinds, *csr, weights)


def check_users(users: Any, total: int, *, name: str = "users") -> np.ndarray:
    """Bring row numbers of users into an int64 array; None means all of them."""
    if users is None:
        return np.arange(total, dtype=np.int64)
    array = as_array(name, users)
    if array.ndim != 1 or not len(array) or array.dtype.kind not in "iu":
        raise ValueError(
            f"{name} must be a list of at least one row number, got shape {array.shape} of "
            f"{array.dtype}; pass for example [0, 3], or None for all users"
        )
    if array.min() < 0 or array.max() >= total:
        raise ValueError(
            f"{name} must be row numbers from 0 to {total - 1}, got {array.min()} to "
            f"{array.max()}; count the rows of the social graph from 0"
        )
    return array.astype(np.int64)
