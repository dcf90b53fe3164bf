"""pplab: a laboratory for graph and recommender privacy.

A topic is imported when one of its names is first asked for; ``import pplab`` itself loads none.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pplab.attacks.auditor import audit_epsilon
    from pplab.course.check import check
    from pplab.datasets.blocks import block_model
    from pplab.datasets.load import load_dataset
    from pplab.ledger.views import claims
    from pplab.metrics.anonymity import is_k_anonymous, is_smooth_k_anonymous
    from pplab.metrics.error import jaccard_similarity
    from pplab.metrics.ranking import ndcg
    from pplab.metrics.risk import (
        disclosure_risk,
        k_achieved,
        sensitive_attribute_imprecision,
        sensitive_attribute_risk,
    )
    from pplab.microaggregation.mdav import mdav, v_mdav
    from pplab.microaggregation.microaggregate import microaggregate
    from pplab.microaggregation.noise import gaussian_noise
    from pplab.recommenders.communities import communities
    from pplab.recommenders.recommend import recommend
    from pplab.recommenders.similarity import similarity
    from pplab.recommenders.utilities import utilities
    from pplab.response.categorical import categorical_response
    from pplab.response.levels import epsilon_to_flip, flip_to_epsilon
    from pplab.response.noise_graph import bipartite_noise_graph, noise_graph
    from pplab.response.ratings import weighted_noise_graph
    from pplab.smooth.anonymize import smooth_k_anonymize, suppress_k_anonymize
    from pplab.smooth.certificates import jaccard_certificate
    from pplab.theory.exact import exact_epsilon
    from pplab.theory.jaccard_bound import jaccard_bound

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
    "is_k_anonymous",
    "is_smooth_k_anonymous",
    "jaccard_bound",
    "jaccard_certificate",
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
    "smooth_k_anonymize",
    "suppress_k_anonymize",
    "utilities",
    "v_mdav",
    "weighted_noise_graph",
]

_TOPICS = {
    "anonymity": "gaussian_noise mdav microaggregate smooth_k_anonymize suppress_k_anonymize "
    "v_mdav",
    "attacks": "audit_epsilon",
    "datasets": "block_model load_dataset",
    "exercises": "check",
    "ledger": "claims",
    "metrics": "disclosure_risk is_k_anonymous is_smooth_k_anonymous jaccard_similarity k_achieved "
    "ndcg sensitive_attribute_imprecision sensitive_attribute_risk",
    "plots": "",
    "recommenders": "communities recommend similarity utilities",
    "response": "bipartite_noise_graph categorical_response epsilon_to_flip flip_to_epsilon "
    "noise_graph weighted_noise_graph",
    "theory": "exact_epsilon jaccard_bound jaccard_certificate",
    "widgets": "",
}
_HOMES = {name: topic for topic, names in _TOPICS.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """Import the topic that a public name, or a topic's own name, belongs to."""
    if name in _TOPICS:
        return import_module(f"pplab.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'pplab' has no attribute {name!r}")
    found = getattr(import_module(f"pplab.{_HOMES[name]}"), name)
    globals()[name] = found  # so that the next look finds it at once
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_TOPICS, *__all__})
