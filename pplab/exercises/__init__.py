"""Instant checks of the exercises in the notebooks: `check("02-C", answer)`."""

# Importing a notebook's module enters its exercises into the register.
from pplab.exercises import jaccard_bound as _jaccard_bound
from pplab.exercises import microaggregation as _microaggregation
from pplab.exercises import microaggregation_experiments as _microaggregation_experiments
from pplab.exercises import noise_graphs as _noise_graphs
from pplab.exercises import noise_graphs_experiments as _noise_graphs_experiments
from pplab.exercises import privacy_by_counting as _privacy_by_counting
from pplab.exercises import smooth_anonymity as _smooth_anonymity
from pplab.exercises import smooth_anonymity_experiments as _smooth_anonymity_experiments
from pplab.exercises import social_recommendation as _social_recommendation
from pplab.exercises import (
    social_recommendation_experiments as _social_recommendation_experiments,
)
from pplab.exercises import start_here as _start_here
from pplab.exercises.core import Feedback, check

__all__ = ["Feedback", "check"]

del _microaggregation, _microaggregation_experiments, _noise_graphs, _noise_graphs_experiments
del _privacy_by_counting, _social_recommendation, _social_recommendation_experiments, _start_here
del _jaccard_bound
del _smooth_anonymity, _smooth_anonymity_experiments
