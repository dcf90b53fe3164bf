"""Proofs by counting: exact levels, composition, the Jaccard law and its bound."""

from pplab.theory.accounting import (
    advanced_composition,
    exact_composition,
    laplace_divergence,
    renyi_epsilon,
)
from pplab.theory.composition import DisjointRows, PostProcessed, Repeated
from pplab.theory.exact import exact_epsilon, exact_group_epsilon
from pplab.theory.jaccard_bound import is_covered, jaccard_bound, violation_probability
from pplab.theory.jaccard_law import (
    epsilon_for_jaccard,
    expected_jaccard,
    jaccard_distribution,
    jaccard_first_term,
    sample_jaccard,
)
from pplab.theory.optimal_mechanism import (
    edge_level,
    optimal_jaccard,
    response_probabilities,
    worst_case_jaccard,
)

__all__ = [
    "DisjointRows",
    "PostProcessed",
    "Repeated",
    "advanced_composition",
    "edge_level",
    "epsilon_for_jaccard",
    "exact_composition",
    "exact_epsilon",
    "exact_group_epsilon",
    "expected_jaccard",
    "is_covered",
    "jaccard_bound",
    "jaccard_distribution",
    "jaccard_first_term",
    "laplace_divergence",
    "optimal_jaccard",
    "renyi_epsilon",
    "response_probabilities",
    "sample_jaccard",
    "violation_probability",
    "worst_case_jaccard",
]
