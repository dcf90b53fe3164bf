"""Instant checks of the exercises in the notebooks: `check("02-C", answer)`."""

# Importing a notebook's module enters its exercises into the register.
from pplab.exercises import (
    jaccard_bound,
    microaggregation,
    microaggregation_experiments,
    noise_graphs,
    noise_graphs_experiments,
    privacy_by_counting,
    smooth_anonymity,
    smooth_anonymity_experiments,
    social_recommendation,
    social_recommendation_experiments,
    start_here,
)
from pplab.exercises.core import Feedback, check

__all__ = ["Feedback", "check"]
