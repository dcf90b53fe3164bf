"""Attacks: auditor and zoo, linkage, Sybils, insiders, votes, group means, structured beliefs."""

from pplab.attacks.auditor import audit_epsilon
from pplab.attacks.group_means import compare_releases, insider_intervals, last_member
from pplab.attacks.homogeneity import group_inference, homogeneous_cells
from pplab.attacks.person import audit_person
from pplab.attacks.posterior import posterior_odds
from pplab.attacks.reidentification import reidentification_curve
from pplab.attacks.votes import pivotal_cells, pivotal_counts
from pplab.intervals import log_ratio_bound

__all__ = [
    "audit_epsilon",
    "audit_person",
    "compare_releases",
    "group_inference",
    "homogeneous_cells",
    "insider_intervals",
    "last_member",
    "log_ratio_bound",
    "pivotal_cells",
    "pivotal_counts",
    "posterior_odds",
    "reidentification_curve",
]
