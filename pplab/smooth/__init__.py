"""Smooth k-anonymity and suppression: the paper's recipe and algorithms, Mondrian, the optimum."""

from pplab.smooth.algorithms import alg2_steps
from pplab.smooth.anonymize import smooth_k_anonymize, suppress_k_anonymize
from pplab.smooth.optimum import groupings, smooth_optimum
from pplab.smooth.recipe import paper_recipe
from pplab.smooth.rows import nearest_rows
from pplab.smooth.vote import publish_votes

__all__ = [
    "alg2_steps",
    "groupings",
    "nearest_rows",
    "paper_recipe",
    "publish_votes",
    "smooth_k_anonymize",
    "smooth_optimum",
    "suppress_k_anonymize",
]
