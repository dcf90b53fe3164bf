"""What can be proved or counted: exact levels, composition, the Jaccard law and its bound."""

from pplab.theory.composition import DisjointRows, PostProcessed, Repeated
from pplab.theory.exact import cells_of_unit, exact_epsilon, exact_group_epsilon
from pplab.theory.jaccard_bound import jaccard_bound, violation_probability
from pplab.theory.jaccard_law import (
    epsilon_for_jaccard,
    expected_jaccard,
    jaccard_distribution,
    sample_jaccard,
)
from pplab.theory.optimal_mechanism import optimal_jaccard

__all__ = [
    "DisjointRows",
    "PostProcessed",
    "Repeated",
    "cells_of_unit",
    "epsilon_for_jaccard",
    "exact_epsilon",
    "exact_group_epsilon",
    "expected_jaccard",
    "jaccard_bound",
    "jaccard_distribution",
    "optimal_jaccard",
    "sample_jaccard",
    "violation_probability",
]
