"""Randomized response on graphs: levels, mechanisms and fuzzy weights."""

from pplab import checks
from pplab.response.categorical import CategoricalResponse as CategoricalResponse
from pplab.response.categorical import DesignMatrix as DesignMatrix
from pplab.response.categorical import TwoStageResponse as TwoStageResponse
from pplab.response.categorical import categorical_response as categorical_response
from pplab.response.levels import epsilon_to_flip as epsilon_to_flip
from pplab.response.levels import flip_to_epsilon as flip_to_epsilon
from pplab.response.noise_graph import BipartiteNoiseGraph as BipartiteNoiseGraph
from pplab.response.noise_graph import FairCoin as FairCoin
from pplab.response.noise_graph import NoiseGraph as NoiseGraph
from pplab.response.noise_graph import bipartite_noise_graph as bipartite_noise_graph
from pplab.response.noise_graph import noise_graph as noise_graph
from pplab.response.ratings import WeightedNoiseGraph as WeightedNoiseGraph
from pplab.response.ratings import fuzzy_xor as fuzzy_xor
from pplab.response.ratings import weighted_noise_graph as weighted_noise_graph

__all__ = checks.exported(globals())  # noqa: PLE0605
