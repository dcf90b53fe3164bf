"""Counts of a graph with a promise for an edge or for a node, and the choice of an item."""

from pplab import checks
from pplab.counts.choice import TopItem as TopItem
from pplab.counts.mechanism import NoisyCount as NoisyCount
from pplab.counts.projection import capped_triangles as capped_triangles
from pplab.counts.projection import project_degrees as project_degrees
from pplab.counts.statistics import local_sensitivity as local_sensitivity

__all__ = checks.exported(globals())  # noqa: PLE0605
