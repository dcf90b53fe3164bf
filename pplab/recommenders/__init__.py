"""Recommendations and predictions, with and without protection."""

from pplab.recommenders.clusters import (
    ErrorParts,
    cluster_averages,
    cluster_top_items,
    error_parts,
    indicator,
)
from pplab.recommenders.communities import communities, modularity
from pplab.recommenders.neighbours import Predictions, predict_from_nearest
from pplab.recommenders.private import (
    ItemCovariance,
    ItemModel,
    NoisyCovariance,
    NoisyFactorisation,
    gaussian_level,
    noise_for,
)
from pplab.recommenders.recommend import Recommendations, recommend
from pplab.recommenders.similarity import similarity, similarity_times
from pplab.recommenders.top_items import top_items
from pplab.recommenders.utilities import utilities, utility_sensitivity

__all__ = [
    "ErrorParts",
    "ItemCovariance",
    "ItemModel",
    "NoisyCovariance",
    "NoisyFactorisation",
    "Predictions",
    "Recommendations",
    "cluster_averages",
    "cluster_top_items",
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
    "top_items",
    "utilities",
    "utility_sensitivity",
]
