"""Microaggregation: MDAV, V-MDAV, the optimal groups, completion and Gaussian noise."""

from pplab import checks
from pplab.microaggregation.mdav import mdav as mdav
from pplab.microaggregation.mdav import mdav_steps as mdav_steps
from pplab.microaggregation.mdav import v_mdav as v_mdav
from pplab.microaggregation.microaggregate import complete as complete
from pplab.microaggregation.microaggregate import group_means as group_means
from pplab.microaggregation.microaggregate import microaggregate as microaggregate
from pplab.microaggregation.microaggregate import standardise as standardise
from pplab.microaggregation.noise import gaussian_noise as gaussian_noise
from pplab.microaggregation.optimal import optimal_microaggregation as optimal_microaggregation
from pplab.microaggregation.optimal import (
    optimal_microaggregation_1d as optimal_microaggregation_1d,
)

__all__ = checks.exported(globals())  # noqa: PLE0605
