"""Recommendations and predictions, with and without protection."""

from pplab import checks
from pplab.recommenders.clusters import cluster_averages as cluster_averages
from pplab.recommenders.clusters import error_parts as error_parts
from pplab.recommenders.clusters import indicator as indicator
from pplab.recommenders.communities import communities as communities
from pplab.recommenders.communities import modularity as modularity
from pplab.recommenders.neighbours import predict_from_nearest as predict_from_nearest
from pplab.recommenders.private import ItemCovariance as ItemCovariance
from pplab.recommenders.private import NoisyCovariance as NoisyCovariance
from pplab.recommenders.private import NoisyFactorisation as NoisyFactorisation
from pplab.recommenders.private import gaussian_level as gaussian_level
from pplab.recommenders.private import noise_for as noise_for
from pplab.recommenders.recommend import recommend as recommend
from pplab.recommenders.similarity import similarity as similarity
from pplab.recommenders.similarity import similarity_times as similarity_times
from pplab.recommenders.utilities import utilities as utilities
from pplab.recommenders.utilities import utility_sensitivity as utility_sensitivity

__all__ = checks.exported(globals())  # noqa: PLE0605
