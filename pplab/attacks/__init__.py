"""Attacks: the statistical auditor with its zoo, posteriors of edges, reconstruction of likes."""

from pplab.attacks.audit import Audit
from pplab.attacks.auditor import audit_epsilon
from pplab.attacks.bounds import binomial_lower, binomial_upper, log_ratio_bound
from pplab.attacks.posterior import EdgePosterior, edge_posterior
from pplab.attacks.reconstruction import Reconstruction, reconstruct_likes, reconstruction_error
from pplab.attacks.scores import Event

__all__ = [
    "Audit",
    "EdgePosterior",
    "Event",
    "Reconstruction",
    "audit_epsilon",
    "binomial_lower",
    "binomial_upper",
    "edge_posterior",
    "log_ratio_bound",
    "reconstruct_likes",
    "reconstruction_error",
]
