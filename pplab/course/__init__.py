"""Instant checks of the exercises in the notebooks: `check("02-C", answer)`."""

# Importing a notebook's module enters its exercises into the register.
from pplab.course import (  # noqa: F401
    nb00_start_here,
    nb01_privacy_by_counting,
    nb02_noise_graphs,
    nb03_noise_graphs_experiments,
    nb04_social_recommendation,
    nb05_social_recommendation_experiments,
    nb06_jaccard_bound,
    nb07_smooth_anonymity,
    nb08_smooth_anonymity_experiments,
    nb09_microaggregation,
    nb10_microaggregation_what_means_give_away,
    nb11_microaggregation_experiments,
    nb12_one_yardstick,
    nb13_reading_the_ledger,
)
from pplab.course.check import Feedback, check
from pplab.course.nb00_start_here import MEANINGS
from pplab.course.nb04_social_recommendation import last_year
from pplab.course.nb07_smooth_anonymity import nine_voters, shelf_of_six
from pplab.course.nb10_microaggregation_what_means_give_away import reading_club

__all__ = [
    "MEANINGS",
    "Feedback",
    "check",
    "last_year",
    "nine_voters",
    "reading_club",
    "shelf_of_six",
]
