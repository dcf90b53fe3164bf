"""Risk measures of a published graph: sensitive attribute risk and imprecision, achieved k."""

from __future__ import annotations

from collections import Counter

import numpy as np
from scipy import sparse

from pplab.checks import check_stored_values
from pplab.graphs import (
    GraphLike,
    as_aligned,
    as_matrix,
    from_cell_keys,
    paired_values,
    rows_of_entries,
)

__all__ = ["k_achieved", "sensitive_attribute_imprecision", "sensitive_attribute_risk"]


def sensitive_attribute_risk(
    original: GraphLike,
    protected: GraphLike,
    *,
    weighted: bool = False,
    noise: GraphLike | None = None,
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
    ValueError
        If the shapes differ, or a weight is negative in the weighted form.

    References
    ----------
    Salas and Torra 2020, Definitions 11 and 12 (equations 3 and 4),
    doi 10.5220/0009833804150422.

    Examples
    --------
    >>> sensitive_attribute_risk([[1, 1, 0, 0], [1, 0, 0, 0]], [[1, 1, 1, 0], [1, 1, 0, 1]])
    array([0.66666667, 0.33333333])
    """
    if noise is None:
        graph, published = as_aligned(original=original, protected=protected)
        added = _changes(graph, published)
    else:
        graph, _, added = as_aligned(original=original, protected=protected, noise=noise)
    if weighted:
        for name, table in (("original", graph), ("noise", added)):
            check_stored_values(name, table, low=0, high=np.inf)
    true, false = _row_totals(graph, weighted), _row_totals(added, weighted)
    with np.errstate(invalid="ignore"):  # 0/0 is the documented NaN
        return true / (true + false)


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
    graph, published = as_aligned(original=original, protected=protected)
    _, before, after = paired_values(graph, published)
    return float(np.abs(after - before).mean()) if len(before) else 0.0


def k_achieved(matrix: GraphLike) -> int:
    """Size of the smallest group of identical rows: the k of k-anonymity that a table has.

    Parameters
    ----------
    matrix : csr_array, shape (users, items), or other table
        Rows are equal when they store the same values in the same columns.

    Returns
    -------
    int
        At least 1.

    Raises
    ------
    ValueError
        If the table is empty or holds NaN.

    References
    ----------
    Salas and Torra 2020, Definition 9, doi 10.5220/0009833804150422; Samarati 2001,
    doi 10.1109/69.971193.

    Examples
    --------
    >>> k_achieved([[1, 0], [1, 0], [0, 1], [0, 1], [0, 1]])
    2
    """
    table = as_matrix(matrix)
    values = table.data + 0  # so that -0.0 and 0.0 are the same value
    bounds = zip(table.indptr[:-1], table.indptr[1:], strict=True)
    rows = Counter((table.indices[a:b].tobytes(), values[a:b].tobytes()) for a, b in bounds)
    return min(rows.values())


def _changes(graph: sparse.csr_array, published: sparse.csr_array) -> sparse.csr_array:
    """Cells whose stored value differs, stored or not counting as a difference."""
    keys, before, after = paired_values(graph, published, absent=np.nan)
    changed = before != after  # NaN, for absent, differs from every value
    size = np.abs(np.nan_to_num(after) - np.nan_to_num(before))
    return from_cell_keys(keys[changed], size[changed], graph.shape)


def _row_totals(matrix: sparse.csr_array, weighted: bool) -> np.ndarray:
    if not weighted:
        return np.diff(matrix.indptr).astype(float)
    return np.bincount(rows_of_entries(matrix), weights=matrix.data, minlength=matrix.shape[0])
