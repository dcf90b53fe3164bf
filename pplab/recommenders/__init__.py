"""Recommendations and predictions, with and without protection."""

from pplab.recommenders.clusters import cluster_averages, error_parts, indicator
from pplab.recommenders.communities import communities, modularity
from pplab.recommenders.neighbours import predict_from_nearest
from pplab.recommenders.private import (
    ItemCovariance,
    NoisyCovariance,
    NoisyFactorisation,
    gaussian_level,
    noise_for,
)
from pplab.recommenders.recommend import recommend
from pplab.recommenders.similarity import similarity, similarity_times
from pplab.recommenders.utilities import utilities, utility_sensitivity

__all__ = [
    "ItemCovariance",
    "NoisyCovariance",
    "NoisyFactorisation",
    "cluster_averages",
    "communities",
    "error_parts",
    "gaussian_level",
    "indicator",
    "modularity",
    "noise_for",
    "predict_from_nearest",
    "recommend",
    "similarity",
    "similarity_times",
    "utilities",
    "utility_sensitivity",
]
