"""Smooth k-anonymity and suppression: the paper's recipe and algorithms, Mondrian, the optimum."""

from pplab.deprecated import moved_from
from pplab.smooth.algorithms import ALG2_STEPS, alg2_steps
from pplab.smooth.anonymize import smooth_k_anonymize, suppress_k_anonymize
from pplab.smooth.facility import exact_facilities
from pplab.smooth.groups import publish_votes
from pplab.smooth.optimum import groupings, smooth_optimum
from pplab.smooth.recipe import paper_recipe
from pplab.smooth.rows import nearest_rows

__all__ = [
    "ALG2_STEPS",
    "alg2_steps",
    "exact_facilities",
    "groupings",
    "nearest_rows",
    "paper_recipe",
    "publish_votes",
    "smooth_k_anonymize",
    "smooth_optimum",
    "suppress_k_anonymize",
]

__getattr__ = moved_from(__name__)
