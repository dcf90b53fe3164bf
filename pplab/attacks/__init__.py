"""Attacks: auditor and zoo, linkage, Sybils, insiders, votes, and what group means give away."""

from pplab.attacks.auditor import audit_epsilon
from pplab.attacks.group_means import last_member
from pplab.intervals import log_ratio_bound

__all__ = ["audit_epsilon", "last_member", "log_ratio_bound"]
