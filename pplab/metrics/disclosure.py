"""Disclosure risk: how often the nearest record is the right one."""

from __future__ import annotations

import numpy as np

from pplab.checks import check_choice, check_full, check_same_shape
from pplab.graphs import GraphLike
from pplab.nearest import nearest_rows, row_distances, ties_with
from pplab.tables import as_aligned_tables

__all__ = ["disclosure_risk"]


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
    passes. Two squared distances tie when they differ by at most 1e-12 of the smaller.

    Parameters
    ----------
    original, protected : array, shape (users, items), or sparse
        Row i of both is the same user. In an array every number counts and NaN is an unrated
        cell; in a sparse table it is the cell that is not stored. Two edge lists, or two networkx
        graphs, are aligned by the labels that they carry.
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
    remedy = "fill it with pplab.anonymity.complete, or take .completed of a result"
    check_full("protected", release, remedy=remedy)
    if cells == "all":
        check_full("original", truth, remedy=f'{remedy}, or pass cells="rated"')
    forth = direction == "original-to-protected"
    found = nearest_rows(release, truth) if forth else nearest_rows(truth, release)
    if ties == "first":
        return (found.index == np.arange(len(truth))).astype(np.float64)
    linked = ties_with(row_distances(release, truth), found.distance)
    return linked / np.maximum(found.ties, 1)
