"""What a release keeps and what it gives away."""

from pplab.intervals import mean_interval
from pplab.metrics.anonymity import is_k_anonymous, is_smooth_k_anonymous
from pplab.metrics.error import (
    jaccard_similarity,
    sum_of_squared_errors,
    within_group_sse,
)
from pplab.metrics.ranking import ideal_dcg, ndcg
from pplab.metrics.risk import (
    disclosure_risk,
    k_achieved,
    sensitive_attribute_imprecision,
    sensitive_attribute_risk,
)

__all__ = [
    "disclosure_risk",
    "ideal_dcg",
    "is_k_anonymous",
    "is_smooth_k_anonymous",
    "jaccard_similarity",
    "k_achieved",
    "mean_interval",
    "ndcg",
    "sensitive_attribute_imprecision",
    "sensitive_attribute_risk",
    "sum_of_squared_errors",
    "within_group_sse",
]
