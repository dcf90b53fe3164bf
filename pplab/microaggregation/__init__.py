"""Microaggregation: MDAV, V-MDAV, the optimal groups, completion and Gaussian noise."""

from pplab.microaggregation.mdav import mdav, mdav_steps, v_mdav
from pplab.microaggregation.microaggregate import complete, group_means, microaggregate, standardise
from pplab.microaggregation.noise import gaussian_noise
from pplab.microaggregation.optimal import optimal_microaggregation, optimal_microaggregation_1d

__all__ = [
    "complete",
    "gaussian_noise",
    "group_means",
    "mdav",
    "mdav_steps",
    "microaggregate",
    "optimal_microaggregation",
    "optimal_microaggregation_1d",
    "standardise",
    "v_mdav",
]
