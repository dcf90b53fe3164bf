"""Watch a study: was its rule fixed before the run, and does it mean "always"?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pplab.exercises.answers import call
from pplab.exercises.core import Refusal

__all__ = ["watched_study"]

Pairs = list[tuple[float, float]]  # (classic, changed): two errors at each k

WINS: Pairs = [(10.0, 9.0), (8.0, 7.5), (12.0, 11.0)]
ONE_LOSS: Pairs = [(10.0, 4.0), (8.0, 8.5), (12.0, 7.0), (9.0, 5.0)]
ONE_TIE: Pairs = [(10.0, 9.0), (8.0, 8.0), (12.0, 11.0)]
RARE_LOSS: Pairs = [(20.0, 19.99)] * 60 + [(20.0, 20.01)]  # a large majority is not "always"
LOSSES: Pairs = [(9.0, 10.0), (7.5, 8.0), (11.0, 12.0)]
CASES = {
    "wins": WINS,
    "loss": ONE_LOSS,
    "rare loss": RARE_LOSS,
    "tie": ONE_TIE,
    "all": LOSSES,
    "narrow": [(20.0, 19.99), (30.0, 29.98)],
}


class _Study:
    """Remembers in which order the rule was fixed and the numbers were asked for."""

    def __init__(self, pairs: Pairs) -> None:
        self.pairs, self.calls = pairs, list[str]()
        self.rules: list[Callable[[Pairs], Any]] = []

    def fix_rule(self, rule: Any) -> None:
        if not callable(rule):
            raise Refusal("fix_rule wants a function of the pairs (classic, changed), as a rule.")
        self.calls.append("rule")
        self.rules.append(rule)

    def run(self) -> Pairs:
        self.calls.append("run")
        return list(self.pairs)


def watched_study(answer: Callable[..., Any]) -> str | None:
    """Let a study decide six cases; "" when it is fair and exact, else what a reader objects."""
    verdicts = {}
    for name, pairs in CASES.items():
        study = _Study(pairs)
        given = call(answer, study.fix_rule, study.run)
        if complaint := _order(study):
            return complaint
        if not isinstance(given, (bool, np.bool_)):
            raise Refusal(f"the study must end in True or False, got {given!r}.")
        if bool(call(study.rules[0], list(pairs))) != given:
            return "The verdict is not the one of the fixed rule: give back rule(run())."
        verdicts[name] = bool(given)
    return _meaning(verdicts)


def _order(study: _Study) -> str:
    if "rule" not in study.calls:
        return "No rule was fixed: hand one to fix_rule before you look at any number."
    if "run" not in study.calls:
        return "Nothing was run: run() gives the pairs that the rule is to judge."
    if study.calls[0] == "run":
        return "The rule came after the run: whoever has seen the numbers can fit a rule to them."
    if len(study.rules) > 1:
        return "Two rules were fixed: which one counts if they disagree?"
    return ""


def _meaning(verdicts: dict[str, bool]) -> str | None:
    if verdicts["all"] and not verdicts["wins"]:
        return "Smaller is better: the changed rule wins where its error is below the classic one."
    if verdicts["loss"]:
        return "One k out of four loses and you say always: a mean forgets it, signs do not."
    if verdicts["rare loss"]:
        return "One k out of many loses, and by little: 'always' allows no exception at all."
    if verdicts["tie"]:
        return "Two equal errors: better means smaller, so a tie speaks against 'always better'."
    if not any(verdicts.values()):
        return "This rule is never satisfied: a claim needs a fair chance to hold."
    if verdicts["wins"] and not verdicts["narrow"]:
        return "A narrow win is a win: the claim says better, not better by much."
    return "" if verdicts["wins"] else None
