"""What the certificates share: a checked binary table, and fractions rounded upwards."""

from __future__ import annotations

import math
from fractions import Fraction

from scipy import sparse

from pplab.checks import check_k
from pplab.checks.binary import check_ones
from pplab.graphs import GraphLike, as_matrix

__all__ = ["binary_table", "upwards"]


def binary_table(biadjacency: GraphLike, k: int) -> tuple[sparse.csr_array, int]:
    """Table of ones with sorted rows, and a checked k."""
    table = as_matrix(biadjacency, name="biadjacency")
    check_ones("biadjacency", table)
    return table, check_k(k, table.shape[0])


def upwards(bound: Fraction) -> float:
    """Least float that is not below a fraction: a bound must not be lost in rounding.

    Examples
    --------
    >>> upwards(Fraction(1, 2)), upwards(Fraction(1, 10**20)) >= Fraction(1, 10**20)
    (0.5, True)
    """
    nearest = float(bound)
    return nearest if Fraction(nearest) >= bound else math.nextafter(nearest, math.inf)
