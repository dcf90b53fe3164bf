"""The claims ledger: published numbers and statements, rules, measurements, verdicts."""

from pplab.ledger.results import Result, read_result, results_folder
from pplab.ledger.rules import VERDICTS, Claim, Judgement, judge, published_claims
from pplab.ledger.views import claims, judged_claims

__all__ = [
    "VERDICTS",
    "Claim",
    "Judgement",
    "Result",
    "claims",
    "judge",
    "judged_claims",
    "published_claims",
    "read_result",
    "results_folder",
]
