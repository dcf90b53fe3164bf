"""What a release keeps and what it gives away."""

from pplab.metrics.overlap import jaccard_similarity
from pplab.metrics.risk import (
    k_achieved,
    sensitive_attribute_imprecision,
    sensitive_attribute_risk,
)

__all__ = [
    "jaccard_similarity",
    "k_achieved",
    "sensitive_attribute_imprecision",
    "sensitive_attribute_risk",
]
