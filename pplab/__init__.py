"""pplab: a laboratory for graph and recommender privacy.

A topic is imported when one of its names is first asked for; ``import pplab`` itself loads none.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pplab.attacks import audit_epsilon
    from pplab.course import check
    from pplab.datasets import block_model, load_dataset
    from pplab.ledger import claims
    from pplab.metrics import (
        disclosure_risk,
        is_k_anonymous,
        is_smooth_k_anonymous,
        jaccard_similarity,
        k_achieved,
        ndcg,
        sensitive_attribute_imprecision,
        sensitive_attribute_risk,
    )
    from pplab.microaggregation import gaussian_noise, mdav, microaggregate, v_mdav
    from pplab.recommenders import communities, recommend, similarity, utilities
    from pplab.response import (
        bipartite_noise_graph,
        categorical_response,
        epsilon_to_flip,
        flip_to_epsilon,
        noise_graph,
        weighted_noise_graph,
    )
    from pplab.smooth import jaccard_certificate, smooth_k_anonymize, suppress_k_anonymize
    from pplab.theory import exact_epsilon, jaccard_bound

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
    "attacks": "audit_epsilon",
    "course": "check",
    "datasets": "block_model load_dataset",
    "ledger": "claims",
    "metrics": "disclosure_risk is_k_anonymous is_smooth_k_anonymous jaccard_similarity k_achieved "
    "ndcg sensitive_attribute_imprecision sensitive_attribute_risk",
    "microaggregation": "gaussian_noise mdav microaggregate v_mdav",
    "plots": "",
    "recommenders": "communities recommend similarity utilities",
    "response": "bipartite_noise_graph categorical_response epsilon_to_flip flip_to_epsilon "
    "noise_graph weighted_noise_graph",
    "smooth": "jaccard_certificate smooth_k_anonymize suppress_k_anonymize",
    "theory": "exact_epsilon jaccard_bound",
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
