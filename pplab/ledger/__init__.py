"""The claims ledger: published numbers and statements, rules, measurements, verdicts."""

from pplab.ledger.results import read_result
from pplab.ledger.verdicts import VERDICTS
from pplab.ledger.views import claims, judged_claims

__all__ = [
    "VERDICTS",
    "claims",
    "judged_claims",
    "read_result",
]
