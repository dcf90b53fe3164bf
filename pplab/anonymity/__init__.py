"""k-anonymity: groups of users, what a group publishes, and the noise it is compared with."""

from pplab.anonymity.completion import complete
from pplab.anonymity.groups import degree_groups, pool_groups, random_groups
from pplab.anonymity.mdav import mdav
from pplab.anonymity.microaggregation import Microaggregated, group_means, microaggregate
from pplab.anonymity.mondrian import mondrian
from pplab.anonymity.nearest_rows import nearest_rows
from pplab.anonymity.noise import Noisy, gaussian_noise
from pplab.anonymity.optimal import optimal_microaggregation, optimal_microaggregation_1d
from pplab.anonymity.paper_recipe import paper_recipe
from pplab.anonymity.pieces import cut_to_size
from pplab.anonymity.smooth import SmoothAnonymized, smooth_k_anonymize
from pplab.anonymity.standardise import Standardised, standardise
from pplab.anonymity.suppress import suppress_k_anonymize
from pplab.anonymity.v_mdav import v_mdav
from pplab.anonymity.votes import Published, publish_votes

__all__ = [
    "Microaggregated",
    "Noisy",
    "Published",
    "SmoothAnonymized",
    "Standardised",
    "complete",
    "cut_to_size",
    "degree_groups",
    "gaussian_noise",
    "group_means",
    "mdav",
    "microaggregate",
    "mondrian",
    "nearest_rows",
    "optimal_microaggregation",
    "optimal_microaggregation_1d",
    "paper_recipe",
    "pool_groups",
    "publish_votes",
    "random_groups",
    "smooth_k_anonymize",
    "standardise",
    "suppress_k_anonymize",
    "v_mdav",
]
