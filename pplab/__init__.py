"""pplab: a laboratory for graph and recommender privacy."""

from pplab.anonymity import gaussian_noise, mdav, microaggregate, v_mdav
from pplab.attacks import audit_epsilon
from pplab.datasets import block_model, load_dataset
from pplab.exercises import check
from pplab.ledger import claims
from pplab.metrics import (
    disclosure_risk,
    jaccard_similarity,
    k_achieved,
    ndcg,
    sensitive_attribute_imprecision,
    sensitive_attribute_risk,
)
from pplab.recommenders import communities, recommend, similarity, utilities
from pplab.response import (
    bipartite_noise_graph,
    categorical_response,
    epsilon_to_flip,
    flip_to_epsilon,
    noise_graph,
    weighted_noise_graph,
)
from pplab.theory import exact_epsilon

__all__ = [
    "audit_epsilon",
    "bipartite_noise_graph",
    "block_model",
    "categorical_response",
    "check",
    "claims",
    "communities",
    "disclosure_risk",
    "epsilon_to_flip",
    "exact_epsilon",
    "flip_to_epsilon",
    "gaussian_noise",
    "jaccard_similarity",
    "k_achieved",
    "load_dataset",
    "mdav",
    "microaggregate",
    "ndcg",
    "noise_graph",
    "recommend",
    "sensitive_attribute_imprecision",
    "sensitive_attribute_risk",
    "similarity",
    "utilities",
    "v_mdav",
    "weighted_noise_graph",
]
