"""Smooth k-anonymity and suppression: search, algorithms, certificates, chunks."""

from pplab.smooth._rows import nearest_rows
from pplab.smooth.algorithms import ALG2_STEPS, alg2_steps
from pplab.smooth.anonymize import smooth_k_anonymize, suppress_k_anonymize
from pplab.smooth.certificates import jaccard_certificate
from pplab.smooth.facility import exact_facilities
from pplab.smooth.groups import publish_votes
from pplab.smooth.optimum import groupings, smooth_optimum
from pplab.smooth.recipe import paper_recipe

__all__ = [
    "ALG2_STEPS",
    "alg2_steps",
    "exact_facilities",
    "groupings",
    "jaccard_certificate",
    "nearest_rows",
    "paper_recipe",
    "publish_votes",
    "smooth_k_anonymize",
    "smooth_optimum",
    "suppress_k_anonymize",
]
