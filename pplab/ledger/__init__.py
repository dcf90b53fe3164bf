"""The claims ledger: published numbers and statements, rules, measurements, verdicts."""

from pplab.ledger.ledger import claims, judged_claims, rerun_command
from pplab.ledger.published import Claim, published_claims
from pplab.ledger.results import Result, read_result, results_folder
from pplab.ledger.verdicts import VERDICTS, Judgement, judge

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
    "rerun_command",
    "results_folder",
]
