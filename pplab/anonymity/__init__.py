"""Groups of at least k people who are published alike."""

from pplab.anonymity.groups import degree_groups, pool_groups, random_groups
from pplab.anonymity.mdav import mdav

__all__ = ["degree_groups", "mdav", "pool_groups", "random_groups"]
