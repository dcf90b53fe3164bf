"""k-anonymity: groups of users, what a group publishes, and the noise it is compared with."""

from pplab.anonymity.completion import complete
from pplab.anonymity.groups import degree_groups, pool_groups, random_groups
from pplab.anonymity.mdav import mdav
from pplab.anonymity.microaggregation import Microaggregated, group_means, microaggregate
from pplab.anonymity.noise import Noisy, gaussian_noise
from pplab.anonymity.optimal import optimal_microaggregation, optimal_microaggregation_1d
from pplab.anonymity.standardise import Standardised, standardise
from pplab.anonymity.v_mdav import v_mdav

__all__ = [
    "Microaggregated",
    "Noisy",
    "Standardised",
    "complete",
    "degree_groups",
    "gaussian_noise",
    "group_means",
    "mdav",
    "microaggregate",
    "optimal_microaggregation",
    "optimal_microaggregation_1d",
    "pool_groups",
    "random_groups",
    "standardise",
    "v_mdav",
]
