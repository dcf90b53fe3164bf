"""The claims ledger: published numbers and statements, rules, measurements, verdicts."""

from pplab.ledger.results import Result, read_result, results_folder
from pplab.ledger.rules import Claim, published_claims
from pplab.ledger.verdicts import VERDICTS, Judgement
from pplab.ledger.views import claims, judged_claims

__all__ = [
    "VERDICTS",
    "Claim",
    "Judgement",
    "Result",
    "claims",
    "judged_claims",
    "published_claims",
    "read_result",
    "results_folder",
]
