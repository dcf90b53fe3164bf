"""Smooth k-anonymity and suppression: search, algorithms, certificates, chunks and files."""

from pplab.smooth._rows import nearest_rows
from pplab.smooth.algorithms import ALG2_STEPS, alg2_steps
from pplab.smooth.anonymize import SmoothAnonymized, smooth_k_anonymize, suppress_k_anonymize
from pplab.smooth.certificates import jaccard_certificate, jaccard_certificates
from pplab.smooth.facility import exact_facilities
from pplab.smooth.groups import (
    Published,
    cut_to_size,
    degree_groups,
    pool_groups,
    publish_votes,
    random_groups,
)
from pplab.smooth.mondrian import mondrian
from pplab.smooth.optimum import groupings, smooth_optimum
from pplab.smooth.recipe import paper_recipe

__all__ = [
    "ALG2_STEPS",
    "Published",
    "SmoothAnonymized",
    "alg2_steps",
    "cut_to_size",
    "degree_groups",
    "exact_facilities",
    "groupings",
    "jaccard_certificate",
    "jaccard_certificates",
    "mondrian",
    "nearest_rows",
    "paper_recipe",
    "pool_groups",
    "publish_votes",
    "random_groups",
    "smooth_k_anonymize",
    "smooth_optimum",
    "suppress_k_anonymize",
]
