"""The constants that Theorems 5.4 and 5.5 print."""

from __future__ import annotations

from fractions import Fraction

import pandas as pd

from pplab.theory.smooth_constants import (
    LI,
    LOWER_BOUNDED_MEDIAN,
    distance_constant,
    largest_a,
    least_jaccard,
)

__all__ = ["A", "constants"]

A = Fraction("0.004")
FAR = Fraction("0.75")  # the similarity from which Theorem 5.5 is said to hold


def constants() -> pd.DataFrame:
    """Work out the constants of both theorems from the factors of the algorithms they use.

    Returns
    -------
    DataFrame
        Columns quantity and value.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorems 5.4 and 5.5, arXiv 2207.06358.
    """
    values = {
        "constant of 5.4": distance_constant(LOWER_BOUNDED_MEDIAN),
        "threshold of 5.4": least_jaccard(distance_constant(LOWER_BOUNDED_MEDIAN)),
        "constant of 5.5": distance_constant(LI),
        "threshold of 5.5": least_jaccard(distance_constant(LI, a=A)),
        "largest a": largest_a(FAR),
    }
    return pd.DataFrame([{"quantity": name, "value": float(v)} for name, v in values.items()])
