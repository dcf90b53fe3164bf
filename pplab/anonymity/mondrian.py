"""Strict Mondrian: cut a table again and again while both sides keep k rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pplab.anonymity.mondrian_columns import cut_above_medians, sweep_columns
from pplab.anonymity.mondrian_cuts import cut_groups
from pplab.checks import check_attributes, check_choice, check_k, check_ones, check_sorted_levels
from pplab.graphs import as_biadjacency, as_matrix

__all__ = ["CUTS", "mondrian"]

CUTS = ("balanced", "median")


def mondrian(table: Any, k: int, *, cut: str = "balanced") -> np.ndarray:
    """Group the rows of a table by cuts between the levels of one attribute at a time.

    A group is cut in two at the attribute over which it spreads most, as long as there is one
    whose cut leaves k rows or more on both sides; rows with equal values stay on one side
    (strict). The spread is that of places: the levels of an attribute are put in order, and the
    width of a group is the distance of its highest level from its lowest over that in the table.

    Parameters
    ----------
    table : DataFrame, or csr_array of ones, shape (users, items), or another form of such a graph
        Of a DataFrame each column is an attribute and each distinct value a level. Of a graph each
        item is an attribute with the levels absent and present.
    k : int
        Least rows of a group, from 2 to the number of rows.
    cut : {"balanced", "median"}
        Where an attribute is cut. "balanced": between the two levels that leave the sides most
        equal (of two such places the lower one). "median": above the level of row floor(n / 2) of
        the n rows in sorted order; where it is the highest level, the attribute is not cut.

    Returns
    -------
    int64 array, shape (rows,)
        Group of each row, the lower side of every cut before the upper one. What a group
        publishes is another step; by suppression it is what all of its rows have in common.

    Raises
    ------
    TypeError, ValueError
        If k leaves its interval, cut is not known, a value is missing, levels of one attribute
        cannot be sorted, or a graph stores anything but ones.

    Notes
    -----
    The groups do not depend on the order of the rows; they do on the order of the columns, as of
    equally wide attributes the first one is cut. That happens all the time with a graph, where
    every item is as wide as any other.

    The published algorithm leaves open what is ours here. Categories without a hierarchy have no
    order of their own: ours is that of sorted values (that of the categories where a column is a
    pandas Categorical), and neighbouring levels are one step apart; numbers are levels like any
    other. A width is that of the rows a group holds. "balanced" goes on until no cut at all is
    allowed, and of each attribute it looks at the only cut that has to be looked at: if the most
    equal one leaves too few rows, so do the others. "median" is the rule of qiyuangong/Mondrian,
    the program that Esfandiari, Epasto, Mirrokni and Munoz Medina (*Smooth Anonymity for Sparse
    Graphs*, arXiv 2207.06358) compare with. It stops earlier, since it never separates the highest
    level where that holds more than half of a group. Program and function may differ all the
    same: the program numbers levels as they first occur in its file, and takes for the width of
    a group that of the region it was cut out of.

    References
    ----------
    LeFevre, DeWitt and Ramakrishnan 2006, Mondrian multidimensional k-anonymity,
    doi 10.1109/ICDE.2006.101.

    Examples
    --------
    >>> mondrian(pd.DataFrame({"sex": list("FMFMFM"), "job": list("aabbcc")}), 2)
    array([0, 1, 0, 1, 0, 1])
    >>> mondrian([[1, 0, 0], [1, 0, 1], [0, 1, 0], [0, 1, 1]], 2)
    array([1, 1, 0, 0])
    """
    check_choice("cut", cut, CUTS)
    if isinstance(table, pd.DataFrame):
        codes, levels = _codes(table)
        k = check_k(k, codes.shape[1])
        return cut_groups(codes, levels, k, cut == "balanced")
    matrix = as_matrix(table, name="table")
    check_ones("table", matrix)
    k = check_k(k, matrix.shape[0])
    if cut == "median":
        return cut_above_medians(matrix, k)
    columns = as_biadjacency(matrix).tocsc()
    return sweep_columns(columns.indptr, columns.indices, matrix.shape[0], k)


def _codes(table: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Place of each value among the sorted levels that occur, and how many there are."""
    check_attributes("table", table)
    codes = np.empty(table.shape[::-1], dtype=np.int64)
    levels = np.empty(len(codes), dtype=np.int64)
    for place, (attribute, column) in enumerate(table.items()):
        try:
            codes[place], found = pd.factorize(column, sort=True)
        except TypeError as problem:
            raise check_sorted_levels("table", attribute, problem) from problem
        levels[place] = len(found)
    return codes, levels
