"""Smooth k-anonymity and suppression: search, algorithms, certificates, chunks and files."""

from pplab.smooth._rows import nearest_rows
from pplab.smooth.anonymize import SmoothAnonymized, smooth_k_anonymize, suppress_k_anonymize
from pplab.smooth.certificates import jaccard_certificate, jaccard_certificates
from pplab.smooth.groups import (
    Published,
    cut_to_size,
    degree_groups,
    pool_groups,
    publish_votes,
    random_groups,
)
from pplab.smooth.mondrian import mondrian
from pplab.smooth.recipe import paper_recipe

__all__ = [
    "Published",
    "SmoothAnonymized",
    "cut_to_size",
    "degree_groups",
    "jaccard_certificate",
    "jaccard_certificates",
    "mondrian",
    "nearest_rows",
    "paper_recipe",
    "pool_groups",
    "publish_votes",
    "random_groups",
    "smooth_k_anonymize",
    "suppress_k_anonymize",
]
