"""Attacks: the auditor with its zoo, Sybils, and what group means give away."""

from pplab.attacks.auditor import Audit, Event, audit_epsilon
from pplab.attacks.group_means import (
    InsiderIntervals,
    TwoReleases,
    compare_releases,
    departed_member,
    insider_intervals,
    last_member,
    newcomer,
)
from pplab.attacks.homogeneity import (
    GroupInference,
    Homogeneity,
    RevealedByMean,
    group_inference,
    homogeneous_cells,
    revealed_by_mean,
)
from pplab.attacks.reidentification import reidentification_curve
from pplab.attacks.sybil import (
    MembershipAdvantage,
    SybilAttack,
    SybilSuccess,
    draw_victims,
    lonely_friends,
    membership_advantage,
    sybil_attack,
    sybil_success,
)
from pplab.attacks.votes import pivotal_cells, pivotal_counts, votes_needed
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
    "pivotal_cells",
    "pivotal_counts",
    "reidentification_curve",
    "revealed_by_mean",
    "sybil_attack",
    "sybil_success",
    "votes_needed",
]
