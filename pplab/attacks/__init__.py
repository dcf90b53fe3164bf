"""Attacks: the auditor with its zoo, posteriors of edges, and what group means give away."""

from pplab.attacks.audit import Audit
from pplab.attacks.auditor import audit_epsilon
from pplab.attacks.background_knowledge import (
    Reidentification,
    reidentification_curve,
    reidentify,
)
from pplab.attacks.bounds import binomial_lower, binomial_upper, log_ratio_bound
from pplab.attacks.homogeneity import (
    Homogeneity,
    RevealedByMean,
    homogeneous_cells,
    revealed_by_mean,
)
from pplab.attacks.inference import GroupInference, group_inference
from pplab.attacks.insiders import InsiderIntervals, insider_intervals, last_member
from pplab.attacks.posterior import EdgePosterior, edge_posterior
from pplab.attacks.reconstruction import Reconstruction, reconstruct_likes, reconstruction_error
from pplab.attacks.scores import Event
from pplab.attacks.sybil import SybilAttack, draw_victims, lonely_friends, sybil_attack
from pplab.attacks.sybil_membership import MembershipAdvantage, membership_advantage
from pplab.attacks.sybil_success import SybilSuccess, sybil_success
from pplab.attacks.two_releases import TwoReleases, compare_releases, departed_member, newcomer

__all__ = [
    "Audit",
    "EdgePosterior",
    "Event",
    "GroupInference",
    "Homogeneity",
    "InsiderIntervals",
    "MembershipAdvantage",
    "Reconstruction",
    "Reidentification",
    "RevealedByMean",
    "SybilAttack",
    "SybilSuccess",
    "TwoReleases",
    "audit_epsilon",
    "binomial_lower",
    "binomial_upper",
    "compare_releases",
    "departed_member",
    "draw_victims",
    "edge_posterior",
    "group_inference",
    "homogeneous_cells",
    "insider_intervals",
    "last_member",
    "log_ratio_bound",
    "lonely_friends",
    "membership_advantage",
    "newcomer",
    "reconstruct_likes",
    "reconstruction_error",
    "reidentification_curve",
    "reidentify",
    "revealed_by_mean",
    "sybil_attack",
    "sybil_success",
]
