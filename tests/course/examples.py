"""Right and wrong answers of a notebook's exercises, held against `check` in one loop."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pplab.course.check import REGISTER, UNREADABLE, _wrong_tries, check

Right = list[tuple[str, Any]]
Wrong = list[tuple[str, Any, str]]
Secrets = list[tuple[str, str]]


def complaints(
    number: str, right: Right, wrong: Wrong, secrets: list[tuple[str, str]]
) -> list[str]:
    """Say what the exercises of a notebook judge or tell amiss.

    Parameters
    ----------
    number : str
        Of the notebook; each of its exercises must have a right answer and a wrong one.
    right, wrong : lists of (exercise, answer) and (exercise, answer, words of its hint)
    secrets : list of (exercise, answer in words)
        No hint may say them.
    """
    return [*_complaints(number, right, wrong, secrets)]


def _complaints(number: str, right: Right, wrong: Wrong, secrets: Secrets) -> Iterator[str]:
    exercises = {name for name in REGISTER if name.startswith(number)}
    for table in (right, wrong):
        if (named := {row[0] for row in table}) != exercises:
            yield f"examples only of {sorted(named)}"
    for exercise, answer in right:
        feedback = check(exercise, answer)
        rubric = 3 if exercise.endswith("O") else 0  # lines
        if not feedback or feedback.message.count("\n") != rubric:
            yield f"right, but {feedback}"
    told = [(name, hint) for name in exercises for hint in REGISTER[name].hints]
    for exercise, answer, words in wrong:
        _wrong_tries.clear()
        for _ in range(2):  # also when the mistake is made again
            feedback = check(exercise, answer)
            if "not yet" in feedback.message:  # a refusal may repeat what was given
                told.append((exercise, feedback.message))
            if feedback or words not in feedback.message or UNREADABLE in feedback.message:
                yield f"{words!r} is not in: {feedback}"
    for exercise, answer in secrets:
        whole = re.compile(rf"(?<!\w){re.escape(answer)}(?!\w)")
        said = [words for name, words in told if name == exercise and whole.search(words)]
        yield from (f"{exercise} gives {answer} away: {words}" for words in said)
