"""A table of categories as a matrix of ones: a column per level, a one per attribute.

The levels are given, not found: two parts of one table have the same columns only in this way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy import sparse

__all__ = ["level_places", "one_hot"]


def one_hot(
    places: np.ndarray, levels: Mapping[str, Sequence[str]]
) -> tuple[sparse.csr_array, pd.DataFrame]:
    """Give the matrix of ones and what each of its columns means.

    Parameters
    ----------
    places : int array, shape (rows, attributes)
        Which level each row has of each attribute, from 0.
    levels : mapping of str to sequence of str
        The levels of each attribute, in the order of the columns.

    Returns
    -------
    csr_array of int8 ones, shape (rows, all levels), and DataFrame with columns attribute, level
        The rows of the table are the columns of the matrix.

    Examples
    --------
    >>> matrix, items = one_hot(np.array([[0, 1], [1, 1]]), {"sex": "FM", "paid": ["no", "yes"]})
    >>> matrix.toarray()
    array([[1, 0, 0, 1],
           [0, 1, 0, 1]], dtype=int8)
    >>> items.loc[3].tolist()
    ['paid', 'yes']
    """
    rows, attributes = places.shape
    sizes = [len(names) for names in levels.values()]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    columns = (places + starts[:-1]).astype(np.int32).ravel()  # ascending within a row
    indptr = np.arange(0, rows * attributes + 1, attributes, dtype=np.int32)
    matrix = sparse.csr_array(
        (np.ones(len(columns), dtype=np.int8), columns, indptr), shape=(rows, int(starts[-1]))
    )
    items = pd.DataFrame(
        {
            "attribute": np.repeat(list(levels), sizes),
            "level": [level for names in levels.values() for level in names],
        },
        index=pd.RangeIndex(int(starts[-1]), name="item"),
    )
    return matrix, items


def level_places(table: pd.DataFrame, levels: Mapping[str, Sequence[str]]) -> np.ndarray:
    """Give the place of each value among the levels of its attribute; -1 where it is none.

    Parameters
    ----------
    table : DataFrame of str
        A column per attribute.
    levels : mapping of str to sequence of str

    Returns
    -------
    int array, shape (rows, attributes)

    Examples
    --------
    >>> level_places(pd.DataFrame({"sex": ["M", "F", "?"]}), {"sex": ["F", "M"]}).ravel()
    array([ 1,  0, -1])
    """
    found = [pd.Index(names).get_indexer(table[name]) for name, names in levels.items()]
    return np.column_stack(found)
