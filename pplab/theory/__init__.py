"""Proofs by counting: exact levels, composition, the Jaccard law and its bound."""

from pplab import checks
from pplab.theory.accounting import advanced_composition as advanced_composition
from pplab.theory.accounting import exact_composition as exact_composition
from pplab.theory.composition import DisjointRows as DisjointRows
from pplab.theory.composition import PostProcessed as PostProcessed
from pplab.theory.composition import Repeated as Repeated
from pplab.theory.exact import exact_epsilon as exact_epsilon
from pplab.theory.exact import exact_group_epsilon as exact_group_epsilon
from pplab.theory.jaccard_bound import is_covered as is_covered
from pplab.theory.jaccard_bound import jaccard_bound as jaccard_bound
from pplab.theory.jaccard_bound import violation_probability as violation_probability
from pplab.theory.jaccard_law import epsilon_for_jaccard as epsilon_for_jaccard
from pplab.theory.jaccard_law import expected_jaccard as expected_jaccard
from pplab.theory.jaccard_law import jaccard_distribution as jaccard_distribution
from pplab.theory.jaccard_law import jaccard_first_term as jaccard_first_term
from pplab.theory.jaccard_law import sample_jaccard as sample_jaccard
from pplab.theory.optimal_mechanism import edge_level as edge_level
from pplab.theory.optimal_mechanism import optimal_jaccard as optimal_jaccard
from pplab.theory.optimal_mechanism import response_probabilities as response_probabilities
from pplab.theory.optimal_mechanism import worst_case_jaccard as worst_case_jaccard

__all__ = checks.exported(globals())  # noqa: PLE0605
