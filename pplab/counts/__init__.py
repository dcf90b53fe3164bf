"""Counts of a graph with a promise for an edge or for a node, and the choice of an item."""

from pplab.counts.choice import TopItem
from pplab.counts.local import LocalTriangles
from pplab.counts.mechanism import NoisyCount
from pplab.counts.projection import capped_triangles, project_degrees
from pplab.counts.statistics import local_sensitivity, smooth_sensitivity

__all__ = [
    "LocalTriangles",
    "NoisyCount",
    "TopItem",
    "capped_triangles",
    "local_sensitivity",
    "project_degrees",
    "smooth_sensitivity",
]
