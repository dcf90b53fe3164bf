"""Risk measures of a release: sensitive attribute risk and imprecision, achieved k, linkage.

The first three are Definitions 9 to 13 of Salas and Torra 2020 (doi 10.5220/0009833804150422); the
disclosure risk, how often the nearest record is the right one, is Section 4 of Casino et al. 2015
(doi 10.1016/j.jcss.2014.12.013).
"""

import numpy as np
from scipy import sparse

from pplab import graphs
from pplab.checks import check_choice, check_flag, check_full, check_same_shape, check_stored_values
from pplab.graphs import GraphLike
from pplab.labelled import Labelled, Table, per_person
from pplab.metrics.anonymity import row_classes
from pplab.nearest import nearest_records, record_distances, ties_with
from pplab.tables import as_aligned_tables


def sensitive_attribute_risk(
    original: GraphLike, protected: GraphLike, *, weighted: bool = False, noise: GraphLike = None
) -> np.ndarray:
    """Sensitive attribute risk of each user: true records over true records plus noise.

    ``SA_R(u) = |N_G(u)| / (|N_g(u)| + |N_G(u)|)``, with G the original graph and g the noise
    graph; the weighted form puts sums of weights in place of counts.

    Parameters
    ----------
    original, protected : csr_array, shape (users, items), or other tables of one shape
        Stored entries are records.
    weighted : bool, default False
        Whether to add up weights in place of counting records.
    noise : csr_array, shape (users, items), optional
        The noise graph g, when it is known. Without it g is the set of cells whose stored value
        changed (or appeared, or disappeared), with the size of the change as weight: noise that
        met a true record and left its value alone cannot be seen then.

    Returns
    -------
    ndarray of float, shape (users,)
        In [0, 1], higher is riskier; NaN where both totals are 0, as for a user with neither
        records nor noise.

    Raises
    ------
    TypeError, ValueError
        If the shapes differ, all are arrays that list edges by their ends, weighted is no truth
        value, or a weight is negative in the weighted form.

    References
    ----------
    Salas and Torra 2020, Definitions 11 and 12 (equations 3 and 4),
    doi 10.5220/0009833804150422.

    Examples
    --------
    >>> sensitive_attribute_risk([[1, 1, 0, 0], [1, 0, 0, 0]], [[1, 1, 1, 0], [1, 1, 0, 1]])
    array([0.66666667, 0.33333333])
    """
    check_flag("weighted", weighted)
    _refuse_values_beside_ones(original, protected)
    given = {} if noise is None else {"noise": noise}
    tables = {"original": original, "protected": protected, **given}
    graph, published, *known = graphs.as_aligned(graphs_too=True, **tables)
    added = known[0] if known else _changes(graph, published)
    if weighted:
        for name, table in (("original", graph), ("noise", added)):
            check_stored_values(name, table, low=0, high=np.inf)
    true, false = _row_totals(graph, weighted), _row_totals(added, weighted)
    with np.errstate(invalid="ignore", over="ignore"):  # 0/0 is the documented NaN
        total = true + false
        risks = true / total
    if not np.isfinite(total).all():
        raise ValueError(
            "original and protected must have weights whose sum over a row is a float, got one of "
            f"more than {np.finfo(float).max:.2g}; pass smaller weights"
        )
    return per_person(_people_of(original, protected), risks, "risk")


def _people_of(original: GraphLike, protected: GraphLike) -> GraphLike:
    """People whose values a metric gives: those of the original, else of the release."""
    if isinstance(protected, Labelled):  # then a networkx original has the same nodes
        return graphs.with_labels(original, bipartite=isinstance(protected, Table), name="original")
    return original


def _refuse_values_beside_ones(original: GraphLike, protected: GraphLike) -> None:
    """Refuse a Table of ratings beside one of ones: each rating but 1 would count as changed."""
    tables = [table for table in (original, protected) if isinstance(table, Table)]
    if len(tables) == 2 and tables[0].has_values != tables[1].has_values:
        raise ValueError(
            "original and protected must both have values or none, got one of each; take the "
            "ones of the other with .keep()"
        )


def sensitive_attribute_imprecision(original: GraphLike, protected: GraphLike) -> float:
    """Average sensitive attribute imprecision: mean |published - true weight| over all edges.

    Parameters
    ----------
    original, protected : csr_array, shape (users, items), or other tables of one shape
        Stored values are weights, an absent cell weighs 0.

    Returns
    -------
    float
        In the units of the stored values; the mean runs over cells stored in either table, and
        is 0 when there are none.

    Raises
    ------
    ValueError
        If the shapes differ.

    References
    ----------
    Salas and Torra 2020, Definition 13 (equation 5), doi 10.5220/0009833804150422.

    Examples
    --------
    >>> sensitive_attribute_imprecision([[5, 3, 0]], [[5, 2, 4]])  # (0 + 1 + 4) / 3
    1.6666666666666667
    """
    graph, published = graphs.as_aligned(graphs_too=True, original=original, protected=protected)
    _, before, after = graphs.paired_values(graph, published)
    return float(np.abs(after - before).mean()) if len(before) else 0.0


def k_achieved(matrix: GraphLike) -> int:
    """Size of the smallest group of identical rows: the k of k-anonymity that a table has.

    Parameters
    ----------
    matrix : csr_array, shape (users, items), or other table; or DataFrame
        Rows are equal when they store the same values in the same columns. Of a DataFrame each row
        is a person and each column, of numbers or text, a quasi-identifier.

    Returns
    -------
    int
        At least 1.

    Raises
    ------
    ValueError
        If the table is empty, holds NaN, or a row of a frame lacks a value.

    References
    ----------
    Salas and Torra 2020, Definition 9, doi 10.5220/0009833804150422; Samarati 2001,
    doi 10.1109/69.971193.

    Examples
    --------
    >>> k_achieved([[1, 0], [1, 0], [0, 1], [0, 1], [0, 1]])
    2
    """
    if graphs.is_frame(matrix := graphs.as_pandas(matrix)):
        import pandas as pd

        gaps = matrix.isna().any(axis=1)
        if matrix.empty or gaps.any():
            got = f"shape {matrix.shape}" if matrix.empty else f"none in row {gaps.idxmax()!r}"
            raise ValueError(f"matrix must have a value in each cell, got {got}; fill in or drop")
        return int(pd.MultiIndex.from_frame(matrix).value_counts().min())
    table = graphs.as_matrix(matrix)
    return int(np.bincount(row_classes(table, table.data)).min())


def _changes(graph: sparse.csr_array, published: sparse.csr_array) -> sparse.csr_array:
    """Cells whose stored value differs, stored or not counting as a difference."""
    keys, before, after = graphs.paired_values(graph, published, absent=np.nan)
    changed = before != after  # NaN, for absent, differs from every value
    size = np.abs(np.nan_to_num(after) - np.nan_to_num(before))
    return graphs.from_cell_keys(keys[changed], size[changed], graph.shape)


def _row_totals(matrix: sparse.csr_array, weighted: bool) -> np.ndarray:
    if not weighted:
        return np.diff(matrix.indptr).astype(float)
    rows = graphs.rows_of_entries(matrix)
    return np.bincount(rows, weights=matrix.data, minlength=matrix.shape[0])


# Disclosure risk: how often the nearest record is the right one.


def disclosure_risk(
    original: GraphLike,
    protected: GraphLike,
    *,
    direction: str,
    ties: str = "expected",
    cells: str = "all",
) -> np.ndarray:
    """Disclosure risk of each record: the chance that an attacker links it by distance.

    Distances are Euclidean on the numbers as given, ratings or z-scores, whichever the caller
    passes; squared distances tie by the tolerance of the package, one part in 10^12.

    Parameters
    ----------
    original, protected : array, shape (users, items), or sparse
        Row i of both is the same user. In an array every number counts and NaN is an unrated
        cell; in a sparse table it is the cell that is not stored. Two Tables, or two networkx
        graphs, are aligned by their labels.
    direction : {"original-to-protected", "protected-to-original"}
        Who looks for whom: with the first, each original record takes the nearest protected one;
        with the second, each protected record the nearest original one (the paper's text).
    ties : {"expected", "first"}
        What t equally near records give: "expected" counts 1/t where the right one is among them
        (the attacker draws one), "first" counts 1 where the right one has the lowest row number.
    cells : {"all", "rated"}
        "all" compares all cells of two complete tables; "rated" only those that the original
        record has rated. Each candidate may have rated other cells, and many of them, so "rated"
        compares mean squared differences.

    Returns
    -------
    float64 array, shape (users,)
        In [0, 1]; entry i belongs to the record that is looked for, or looked up, at row i. With
        cells="rated" it is 0 for a user without ratings: there is nothing to compare.

    Raises
    ------
    ValueError
        If the shapes differ, a choice is not known, protected has unrated cells, or original has
        some with cells="all".

    References
    ----------
    Casino, Domingo-Ferrer, Patsakis, Puig and Solanas 2015, A k-anonymous approach to privacy
    preserving collaborative filtering, section 4, doi 10.1016/j.jcss.2014.12.013.

    Examples
    --------
    Two groups of two: whoever looks up a record finds its group, and half of the time the record.

    >>> original = [[1.0, 2.0], [1.0, 4.0], [5.0, 5.0], [4.0, 5.0]]
    >>> protected = [[1.0, 3.0], [1.0, 3.0], [4.5, 5.0], [4.5, 5.0]]
    >>> disclosure_risk(original, protected, direction="original-to-protected")
    array([0.5, 0.5, 0.5, 0.5])
    """
    check_choice("direction", direction, ("original-to-protected", "protected-to-original"))
    check_choice("ties", ties, ("expected", "first"))
    check_choice("cells", cells, ("all", "rated"))
    truth, release = as_aligned_tables(original=original, protected=protected)
    check_same_shape(truth, release)
    remedy = "fill it with pplab.microaggregation.complete, or take .completed of a result"
    check_full("protected", release, remedy=remedy)
    if cells == "all":
        check_full("original", truth, remedy=f'{remedy}, or pass cells="rated"')
    forth = direction == "original-to-protected"
    nearest = nearest_records(release, truth) if forth else nearest_records(truth, release)
    if ties == "first":
        risk = (nearest.index == np.arange(len(truth))).astype(np.float64)
    else:
        tied = ties_with(record_distances(release, truth), nearest.distance)
        risk = tied / np.maximum(nearest.ties, 1)
    return per_person(_people_of(original, protected), risk, "risk")
