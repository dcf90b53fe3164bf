"""Exact privacy by enumeration, levels of whole units, composition, and the refutations."""

from pplab.theory.composition import DisjointRows, PostProcessed, Repeated, Sequential, compose
from pplab.theory.exact import (
    ExactEpsilon,
    cells_of_unit,
    compare_inputs,
    exact_epsilon,
    exact_group_epsilon,
)
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
    "ExactEpsilon",
    "PostProcessed",
    "Repeated",
    "Sequential",
    "cells_of_unit",
    "compare_inputs",
    "compose",
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
