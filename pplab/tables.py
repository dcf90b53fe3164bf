"""Full tables of ratings: users x items in float64, NaN where there is no rating.

Methods that complete a table, or compare whole rows, work on such tables; everything else in the
package keeps to CSR arrays. Orders of rows that depend on what they hold make sums come out the
same to the last bit however somebody lists the users.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from pplab import checks, graphs
from pplab.graphs import Array, GraphLike
from pplab.labelled import Labelled

DENSE_LIMIT = 8 * 2**30  # bytes of one full table; methods hold up to four of them at a time


def as_table(
    data: GraphLike, *, name: str = "ratings", rating_range: tuple[float, float] | None = None
) -> Array:
    """Bring ratings into a full table of their own; the input stays as it is.

    Parameters
    ----------
    data : scipy sparse, 2-D array, nested lists, Table or networkx bipartite graph
        Of a sparse matrix, a Table or a graph, what is not
        stored is absent and a stored zero is a rating. Of an array or lists, NaN is absent, and a
        zero exactly where rating_range leaves 0 out. Masked cells are refused. Elsewhere in the
        package a 0 of an array says that there is no entry; the private recommenders refuse one
        where rating_range holds 0, and ``pplab.table(array, zero=...)`` decides.
    name : str
        What the argument is called in the sentence of a refusal.
    rating_range : pair of float, optional
        Lowest and highest rating; others are refused.

    Returns
    -------
    float64 array, shape (users, items)
        NaN where there is no rating.

    Raises
    ------
    TypeError
        If the data are none of these, or rating_range is no pair of numbers.
    ValueError
        If the table is empty, has other than two dimensions, holds infinite or strange values or
        one outside rating_range, or would fill more than ``DENSE_LIMIT`` bytes (8 GiB).

    Examples
    --------
    >>> as_table([[5, 0], [1, 3]], rating_range=(1, 5))
    array([[ 5., nan],
           [ 1.,  3.]])
    >>> as_table([[5, 0], [-1, 3]], rating_range=(-10, 10))
    array([[ 5.,  0.],
           [-1.,  3.]])
    """
    scale = None if rating_range is None else checks.check_rating_range(rating_range)
    if sparse.issparse(data) or graphs.is_network(data) or isinstance(data, Labelled):
        matrix = graphs.as_matrix(data, name=name)
        checks.check_dense_room(name, matrix.shape, limit=DENSE_LIMIT)
        table = np.full(matrix.shape, np.nan)
        table[graphs.rows_of_entries(matrix), matrix.indices] = matrix.data
    else:
        dense = graphs.as_dense(data, name)
        graphs.check_shape(name, dense.shape)
        checks.check_dense_room(name, dense.shape, limit=DENSE_LIMIT)
        table = dense.astype(np.float64, order="C")
        if scale is not None and not scale[0] <= 0 <= scale[1]:
            table[table == 0] = np.nan
    _check_table_values(name, table, scale, data)
    table += 0.0  # -0.0 becomes 0.0, so that equal tables have equal bytes
    return table


def as_aligned_tables(**tables: GraphLike) -> list[Array]:
    """Bring tables that belong together into full ones whose rows and columns mean the same.

    Networkx graphs, and tables made by `pplab.table`, must have the same labels. Beside data
    without labels both are refused. Everything else is taken row by row.

    Examples
    --------
    >>> left, right = as_aligned_tables(first=[[5, 3]], second=[[2, float("nan")]])
    >>> left.ravel(), right.ravel()
    (array([5., 3.]), array([ 2., nan]))
    """
    if any(graphs.is_network(data) or isinstance(data, Labelled) for data in tables.values()):
        tables = dict(zip(tables, graphs.as_aligned(**tables), strict=True))
    return [as_table(data, name=name) for name, data in tables.items()]


def as_published(data: GraphLike) -> Array:
    """Bring a published table into a full one without gaps."""
    data = graphs.with_labels(data, bipartite=True, name="protected")
    table, known = as_table(data, name="protected"), data if isinstance(data, Labelled) else None
    checks.check_full("protected", table, remedy="complete it before it is published", people=known)
    return table


def as_ratings_and_release(
    ratings: GraphLike, protected: GraphLike, rating_range: tuple[float, float]
) -> tuple[Array, Array]:
    """Bring ratings, some at least, and their release into full tables of one shape."""
    ratings, protected = in_one_order(ratings=ratings, protected=protected)
    table = as_table(ratings, rating_range=checks.check_rating_range(rating_range))
    published = as_published(protected)
    checks.check_same_shape(table, published, names=("ratings", "protected"))
    checks.check_some_rated("ratings", int((~np.isnan(table)).sum()))
    return table, published


def in_one_order(*, sides: tuple[str, ...] = ("users", "items"), **tables: GraphLike) -> list[Any]:
    """Tables whose rows and columns must mean the same: labelled ones in the order of the first."""
    first, second = (graphs.with_labels(x, bipartite=True, name=n) for n, x in tables.items())
    if isinstance(first, Labelled) != isinstance(second, Labelled):
        raise ValueError(
            f"{' and '.join(tables)} must both carry labels or none, got "
            f"{' and '.join(type(x).__name__ for x in (first, second))}; pass two tables made by "
            "pplab.table, or two matrices"
        )
    if not isinstance(first, Labelled):
        return [first, second]
    graphs.check_one_frame(dict(zip(tables, (first, second), strict=True)), sides=sides)
    pairs = zip(("users", "items"), first.axes, second.axes, strict=True)
    axes = [one if side in sides else other for side, one, other in pairs]
    return [first, second.with_cells(second.canonical, axes)]


def as_points(points: Any, *, name: str = "points") -> Array:
    """Bring points into a dense table of finite numbers, one row for each point.

    Parameters
    ----------
    points : array, nested list, scipy sparse or DataFrame of numbers, shape (points, dimensions)
        What a sparse table does not store is 0.
    name : str
        What the argument is called in the sentence of a refusal.

    Returns
    -------
    C-contiguous array, shape (points, dimensions)
        float32 stays float32; every other kind of number becomes float64.

    Raises
    ------
    TypeError
        If the points are not numbers, or none of these.
    ValueError
        If the table is not two-dimensional, is empty, stores a cell twice, would fill more than
        ``DENSE_LIMIT`` bytes, or holds NaN, infinity or masked cells.

    Examples
    --------
    >>> as_points([[1, 2], [3, 4]])
    array([[1., 2.],
           [3., 4.]])
    """
    if sparse.issparse(points := graphs.as_pandas(points)):
        matrix = graphs.as_matrix(points, name=name)
        checks.check_dense_room(name, matrix.shape, limit=DENSE_LIMIT)
        table = matrix.toarray()
    elif graphs.is_frame(points) or isinstance(points, (np.ndarray, list, tuple)):
        table = checks.as_array(name, points)
    else:
        raise TypeError(
            f"{name} must be a table of numbers, got {type(points).__name__}; pass an array, "
            "nested lists, a scipy sparse matrix or a DataFrame of numbers"
        )
    graphs.check_shape(name, table.shape)
    if table.dtype.kind not in "biuf":
        raise TypeError(
            f"{name} must hold real numbers, got {table.dtype}; turn names and dates into numbers "
            "first"
        )
    table = np.ascontiguousarray(table, None if table.dtype == np.float32 else np.float64)
    finite = np.isfinite(table)
    if not finite.all():
        row, column = np.argwhere(~finite)[0]
        raise ValueError(
            f"{name} must be finite, got {table[row, column]} in row {row}, column {column} "
            f"({int((~finite).sum())} such cells in all); complete the table first"
        )
    return table


def _check_table_values(
    name: str, table: Array, rating_range: tuple[float, float] | None, data: GraphLike
) -> None:
    """Refuse infinite ratings, and ratings outside the scale where one is given; NaN is no rating.

    Raises
    ------
    ValueError
        With the number of such ratings and the first of them.
    """
    low, high = rating_range or (-np.finfo(float).max, np.finfo(float).max)
    # fmin and fmax pass over NaN and need no table of True and False beside a good table
    if not np.fmin.reduce(table, axis=None) < low and not np.fmax.reduce(table, axis=None) > high:
        return
    outside = (table < low) | (table > high)
    user, item = (int(place[0]) for place in np.nonzero(outside))
    data = graphs.with_labels(data, bipartite=True, name=name)
    by_label = isinstance(data, Labelled)
    where = data.cell(user, item) if by_label else f"row {user}, column {item}"
    raise ValueError(
        f"{name} must hold ratings from {low:g} to {high:g}, got {np.count_nonzero(outside):,} "
        f"outside, the first {table[user, item]:g} at {where}; drop them (NaN is "
        "no rating), or pass the rating_range of these data"
    )


# Orders of rows, and rows that are equal.


def canonical_order(table: Array) -> Array:
    """Order of the rows that depends only on their contents.

    Sums taken in this order come out the same to the last bit however somebody lists the users.
    Equal rows are interchangeable; the order itself (that of the bytes) means nothing.

    Examples
    --------
    >>> table = np.array([[2.0, 1.0], [1.0, 5.0], [2.0, 1.0]])
    >>> np.array_equal(table[canonical_order(table)], table[::-1][canonical_order(table[::-1])])
    True
    """
    rows = np.ascontiguousarray(table)
    return np.argsort(rows.view(np.dtype((np.void, rows.strides[0]))).ravel(), kind="stable")


def coordinate_order(table: Array) -> Array:
    """Rows by their first coordinate, then the second and so on; equal rows stay as they are.

    Rows are compared as strings of bytes of the same order, which takes one sort where
    ``np.lexsort`` takes one per column.

    Examples
    --------
    >>> coordinate_order(np.array([[2.0, -1.0], [-3.0, 5.0], [2.0, -4.0]]))
    array([1, 2, 0])
    """
    bits = (table.astype(np.float64) + 0.0).view(np.int64)  # + 0.0 turns -0.0 into 0.0
    bits ^= (bits >> 63) | np.int64(-(2**63))  # negative numbers backwards, before positive ones
    return np.argsort(bits.astype(">i8").view(f"V{8 * table.shape[1]}").ravel(), kind="stable")


class _DistinctRows(NamedTuple):
    """Distinct rows with their multiplicities, numbered in the order of their first appearance.

    Attributes
    ----------
    first : int64 array, shape (distinct,)
        The first row that holds each.
    labels : int64 array, shape (rows,)
        Which of the distinct rows each row holds.
    sizes : int64 array, shape (distinct,)
        Multiplicity of each.
    """

    first: Array
    labels: Array
    sizes: Array


def distinct_points(table: Array) -> _DistinctRows:
    """Collapse a full table to its distinct rows; 0 and -0 are equal, and so are gaps.

    Examples
    --------
    >>> distinct_points(np.array([[4.0], [2.0], [4.0]])).sizes
    array([2, 1])
    """
    rows = np.where(np.isnan(table), np.nan, table) + 0.0  # one pattern of bits for each value
    labels = graphs.numbered(row.tobytes() for row in rows)
    return _DistinctRows(np.unique(labels, return_index=True)[1], labels, np.bincount(labels))


def by_group(table: Array, groups: Array, order: Array) -> tuple[Array, Array, Array]:
    """Rows sorted by group, with the start and the size of each group."""
    order = order[np.argsort(groups[order], kind="stable")]
    sizes = np.bincount(groups)
    return table[order], np.cumsum(sizes) - sizes, sizes


def shares(parts: Array, wholes: Array) -> Array:
    """Quotients of counts; NaN where the divisor is 0."""
    return np.divide(parts, wholes, out=np.full(len(wholes), np.nan), where=wholes > 0)


# Squared distances, and points of a size whose squares are finite.


def squared_error(left: Array, right: Array) -> float:
    """Sum of the squared differences of two full tables, independent of the order of users.

    Examples
    --------
    >>> squared_error(np.array([[1.0, 2.0]]), np.array([[1.5, 4.0]]))
    4.25
    """
    step = max(1, 2**16 // left.shape[1])  # small blocks: no third table beside the two
    sums: list[float] = []
    for start in range(0, len(left), step):
        differences = left[start : start + step] - right[start : start + step]
        np.square(differences, out=differences)
        sums.extend(differences.sum(axis=1).tolist())
    return math.fsum(sums)


def squares_to(place: Array, points: Array) -> Array:
    """Squared distances of points to a place; a point gives the same number wherever it stands."""
    differences = points - place
    return np.square(differences, out=differences).sum(axis=1)


def scaled(table: Array) -> Array:
    """Bring float64 points to at most 1 by a power of two: exact, and no square leaves the range.

    Examples
    --------
    >>> scaled(np.array([[3e200], [-6e200]])) / scaled(np.array([[6e200]]))
    array([[ 0.5],
           [-1. ]])
    """
    return np.ldexp(table, -int(np.frexp(max(table.max(), -table.min()))[1]))
