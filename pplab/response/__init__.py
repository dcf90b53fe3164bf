"""Randomized response on graphs: levels, mechanisms and fuzzy weights."""

from pplab.response.categorical import (
    CategoricalResponse,
    DesignMatrix,
    TwoStageResponse,
    categorical_response,
)
from pplab.response.levels import epsilon_to_flip, flip_to_epsilon
from pplab.response.noise_graph import (
    BipartiteNoiseGraph,
    FairCoin,
    NoiseGraph,
    bipartite_noise_graph,
    noise_graph,
)
from pplab.response.ratings import WeightedNoiseGraph, fuzzy_xor, weighted_noise_graph

__all__ = [
    "BipartiteNoiseGraph",
    "CategoricalResponse",
    "DesignMatrix",
    "FairCoin",
    "NoiseGraph",
    "TwoStageResponse",
    "WeightedNoiseGraph",
    "bipartite_noise_graph",
    "categorical_response",
    "epsilon_to_flip",
    "flip_to_epsilon",
    "fuzzy_xor",
    "noise_graph",
    "weighted_noise_graph",
]
