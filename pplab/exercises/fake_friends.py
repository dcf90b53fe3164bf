"""Chains of fakes on the nine people of notebook 04: who is in reach of the last one?"""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from pplab.exercises.answers import pairs
from pplab.exercises.core import Refusal
from pplab.exercises.ten_accounts import circle, last_year
from pplab.recommenders.utilities import utilities

__all__ = ["VICTIM", "not_spying"]

VICTIM, ACCEPTED, MOST = 5, 9, 20  # the victim accepted the fake 9; accounts 10, 11, ... are yours
_FEWEST = {"gd": 1, "katz": 2}  # d - 1 and l - 1, tested against all shorter and longer chains


def not_spying(answer: Any) -> str | None:
    """Judge {"gd": edges, "katz": edges}; "" when each last fake sees the victim alone."""
    given = pairs(answer)
    if set(given) != set(_FEWEST):
        raise Refusal(
            'this exercise wants {"gd": edges, "katz": edges}, with pairs of accounts as edges.'
        )
    for measure, fewest in _FEWEST.items():
        edges = _edges(given[measure])
        if hint := _one_chain(measure, edges):
            return hint
        if max(max(pair) for pair in edges) - ACCEPTED > fewest:
            return f"{measure}: it works, but with more fakes than it takes."
    return ""


def _one_chain(measure: str, edges: list[tuple[int, int]]) -> str | None:
    watcher = max([ACCEPTED, *(user for pair in edges for user in pair)])
    social = circle([(ACCEPTED, VICTIM), *edges], users=watcher + 1)
    likes = np.zeros((watcher + 1, last_year().shape[1]), dtype=int)
    likes[:ACCEPTED] = last_year()[:ACCEPTED]
    shown = utilities(social, likes, measure=measure, users=[watcher]).toarray()[0] > 0
    wanted = likes[VICTIM] > 0
    if not shown.any():
        return f"{measure}: nothing is shown to account {watcher}: the victim is out of its reach."
    if (shown & ~wanted).any():
        return (
            f"{measure}: account {watcher} is shown what {VICTIM} does not like: the victim's "
            "friends are in reach too."
        )
    if not (shown == wanted).all():
        return f"{measure}: only a part of what {VICTIM} likes is shown."
    return None


def _edges(answer: Any) -> list[tuple[int, int]]:
    """Read pairs of accounts; only fakes can be linked at will."""
    form = "each entry wants a list of pairs of account numbers, such as [(9, 10), (9, 11)], got "
    if isinstance(answer, np.ndarray):
        answer = answer.tolist()
    if not isinstance(answer, (list, tuple, set)):
        raise Refusal(f"{form}{type(answer).__name__}.")
    edges = []
    for pair in answer:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise Refusal(f"{form}{pair!r} among them.")
        for user in pair:
            if isinstance(user, bool) or not isinstance(user, Integral):
                raise Refusal(f"{form}{pair!r} among them.")
            if int(user) < ACCEPTED:
                raise Refusal(f"{user} is a person, and only fakes (9, 10, ...) obey you.")
            if int(user) > MOST:
                raise Refusal(f"number your fakes 10, 11, ... without gaps; got {user}.")
        if pair[0] == pair[1]:
            raise Refusal(f"{pair!r} links an account with itself.")
        edges.append((int(pair[0]), int(pair[1])))
    fakes = {ACCEPTED, *(user for pair in edges for user in pair)}
    if len(fakes) != max(fakes) - ACCEPTED + 1:
        raise Refusal(f"number your fakes 10, 11, ... without gaps; got {sorted(fakes)}.")
    return edges
