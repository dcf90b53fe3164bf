"""Smooth k-anonymity and suppression: the paper's recipe and algorithms, Mondrian, the optimum."""

from pplab import checks
from pplab.smooth.algorithms import alg2_steps as alg2_steps
from pplab.smooth.anonymize import smooth_k_anonymize as smooth_k_anonymize
from pplab.smooth.anonymize import suppress_k_anonymize as suppress_k_anonymize
from pplab.smooth.optimum import groupings as groupings
from pplab.smooth.optimum import smooth_optimum as smooth_optimum
from pplab.smooth.recipe import paper_recipe as paper_recipe
from pplab.smooth.rows import nearest_rows as nearest_rows
from pplab.smooth.vote import publish_votes as publish_votes

__all__ = checks.exported(globals())  # noqa: PLE0605
