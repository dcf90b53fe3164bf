"""Attacks: the auditor with its zoo, Sybils, and what group means give away."""

from pplab.attacks.audit import Audit
from pplab.attacks.auditor import audit_epsilon
from pplab.attacks.background_knowledge import reidentification_curve
from pplab.attacks.homogeneity import (
    Homogeneity,
    RevealedByMean,
    homogeneous_cells,
    revealed_by_mean,
)
from pplab.attacks.inference import GroupInference, group_inference
from pplab.attacks.insiders import InsiderIntervals, insider_intervals, last_member
from pplab.attacks.scores import Event
from pplab.attacks.sybil import SybilAttack, draw_victims, lonely_friends, sybil_attack
from pplab.attacks.sybil_membership import MembershipAdvantage, membership_advantage
from pplab.attacks.sybil_success import SybilSuccess, sybil_success
from pplab.attacks.two_releases import TwoReleases, compare_releases, departed_member, newcomer
from pplab.intervals import log_ratio_bound

__all__ = [
    "Audit",
    "Event",
    "GroupInference",
    "Homogeneity",
    "InsiderIntervals",
    "MembershipAdvantage",
    "RevealedByMean",
    "SybilAttack",
    "SybilSuccess",
    "TwoReleases",
    "audit_epsilon",
    "compare_releases",
    "departed_member",
    "draw_victims",
    "group_inference",
    "homogeneous_cells",
    "insider_intervals",
    "last_member",
    "log_ratio_bound",
    "lonely_friends",
    "membership_advantage",
    "newcomer",
    "reidentification_curve",
    "revealed_by_mean",
    "sybil_attack",
    "sybil_success",
]
