"""pplab: a laboratory for graph and recommender privacy."""

from pplab.metrics import (
    jaccard_similarity,
    k_achieved,
    sensitive_attribute_imprecision,
    sensitive_attribute_risk,
)
from pplab.response import (
    bipartite_noise_graph,
    epsilon_to_flip,
    flip_to_epsilon,
    noise_graph,
    weighted_noise_graph,
)

__all__ = [
    "bipartite_noise_graph",
    "epsilon_to_flip",
    "flip_to_epsilon",
    "jaccard_similarity",
    "k_achieved",
    "noise_graph",
    "sensitive_attribute_imprecision",
    "sensitive_attribute_risk",
    "weighted_noise_graph",
]
