"""A ledger of claims for any paper: what is published, rules, measurements, verdicts."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from claimbook.command import Command
    from claimbook.part import Part
    from claimbook.results import Result
    from claimbook.rules import Claim
    from claimbook.verdicts import VERDICTS, Judgement

__all__ = ["VERDICTS", "Claim", "Command", "Judgement", "Part", "Result"]

_HOMES = {"Claim": "rules", "Command": "command", "Part": "part", "Result": "results"}
_HOMES |= {"Judgement": "verdicts", "VERDICTS": "verdicts"}


def __getattr__(name: str) -> Any:
    """Import what a name belongs to when it is asked for: a command is to begin at once."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"claimbook.{_HOMES[name]}"), name)
