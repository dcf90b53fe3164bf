"""Measures of how much a release keeps, and of how much it gives away."""

from pplab.metrics.anonymity import is_k_anonymous, is_smooth_k_anonymous
from pplab.metrics.diversity import l_diversity, t_closeness
from pplab.metrics.error import jaccard_similarity, within_group_sse
from pplab.metrics.ranking import ndcg
from pplab.metrics.risk import (
    disclosure_risk,
    k_achieved,
    sensitive_attribute_imprecision,
    sensitive_attribute_risk,
)

__all__ = [
    "disclosure_risk",
    "is_k_anonymous",
    "is_smooth_k_anonymous",
    "jaccard_similarity",
    "k_achieved",
    "l_diversity",
    "ndcg",
    "sensitive_attribute_imprecision",
    "sensitive_attribute_risk",
    "t_closeness",
    "within_group_sse",
]
