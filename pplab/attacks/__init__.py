"""Attacks: auditor, linkage, Sybils, insiders, votes, group means, structured beliefs."""

from pplab import checks
from pplab.attacks.auditor import audit_epsilon as audit_epsilon
from pplab.attacks.group_means import insider_intervals as insider_intervals
from pplab.attacks.homogeneity import group_inference as group_inference
from pplab.attacks.homogeneity import homogeneous_cells as homogeneous_cells
from pplab.attacks.person import audit_person as audit_person
from pplab.attacks.posterior import posterior_odds as posterior_odds
from pplab.attacks.reidentification import reidentification_curve as reidentification_curve
from pplab.attacks.votes import pivotal_cells as pivotal_cells
from pplab.attacks.votes import pivotal_counts as pivotal_counts
from pplab.intervals import log_ratio_bound as log_ratio_bound

__all__ = checks.exported(globals())  # noqa: PLE0605
