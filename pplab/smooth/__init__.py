"""Smooth k-anonymity and suppression: search, algorithms, certificates, chunks and files."""

from pplab.smooth._rows import nearest_rows
from pplab.smooth.anonymize import smooth_k_anonymize, suppress_k_anonymize
from pplab.smooth.certificates import jaccard_certificate, jaccard_certificates
from pplab.smooth.facility import exact_facilities
from pplab.smooth.groups import publish_votes
from pplab.smooth.mondrian import mondrian
from pplab.smooth.recipe import paper_recipe

__all__ = [
    "exact_facilities",
    "jaccard_certificate",
    "jaccard_certificates",
    "mondrian",
    "nearest_rows",
    "paper_recipe",
    "publish_votes",
    "smooth_k_anonymize",
    "suppress_k_anonymize",
]
