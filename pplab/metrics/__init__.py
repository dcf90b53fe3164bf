"""Measures of how much a release keeps, and of how much it gives away."""

from pplab import checks
from pplab.metrics.anonymity import is_k_anonymous as is_k_anonymous
from pplab.metrics.anonymity import is_smooth_k_anonymous as is_smooth_k_anonymous
from pplab.metrics.diversity import l_diversity as l_diversity
from pplab.metrics.diversity import t_closeness as t_closeness
from pplab.metrics.error import jaccard_similarity as jaccard_similarity
from pplab.metrics.error import within_group_sse as within_group_sse
from pplab.metrics.ranking import ndcg as ndcg
from pplab.metrics.risk import disclosure_risk as disclosure_risk
from pplab.metrics.risk import k_achieved as k_achieved
from pplab.metrics.risk import sensitive_attribute_imprecision as sensitive_attribute_imprecision
from pplab.metrics.risk import sensitive_attribute_risk as sensitive_attribute_risk

__all__ = checks.exported(globals())  # noqa: PLE0605
