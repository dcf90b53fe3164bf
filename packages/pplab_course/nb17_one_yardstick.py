"""Exercises of notebook 17: what composes, odds, one bit, a pivot, a label, an attacker."""

from functools import cache, partial
from typing import Any

import numpy as np
import pandas as pd

from pplab.attacks.arena import RIVALS, arena
from pplab.attacks.protocol import CLUSTERS, MEANS, NOISE, SMOOTH
from pplab_course.answers import Refusal, call, fields, number, numbers, parts, stored, text
from pplab_course.exercises import enter, hidden, recognised

# 17-P: one bit behind a flip

SHARES, FLIPS, TRIALS, NEAR = (0.5, 0.2, 0.8), (0.2, 0.05, 0.4), 40_000, 0.02


@enter("17-P")
def _simulated(answer: Any) -> str | None:
    """Run a simulation at three shares and flip probabilities, with three seeds each."""
    runs = []
    for share, flip in zip(SHARES, FLIPS, strict=True):
        seeds = [hidden(seed) for seed in (7, 8, 9, 7)]
        got = [number(call(answer, share, flip, TRIALS, seed)) for seed in seeds]
        if len(set(got)) == 1:
            return "Three seeds gave the same number: draw people and flips from the given seed."
        if got[0] != got[3]:
            return "One seed gave two numbers: make the generator in the function, from the seed."
        runs.append(sum(got[:3]) / 3)
    has, flips = np.array(SHARES), np.array(FLIPS)
    yes, no = has * (1 - flips) + (1 - has) * flips, has * flips + (1 - has) * (1 - flips)
    once = 1 - np.minimum(flips / has, 1) - np.maximum(flips - has, 0) / (1 - has)
    hints = (
        (1 - 2 * flips, ""),
        (1 - flips, "Your number says how often the attacker is right: subtract the false alarms."),
        (flips, "You gave the share of wrong answers. How much more often does a like get a yes?"),
        (2 * flips - 1, "The sign is wrong: start with the share of yes among those who like it."),
        (
            1 / 2 - flips,
            "Your number is half of the advantage: if the attacker is always right, it is 1.",
        ),
        (
            has * (1 - flips) / yes - has * flips / no,
            "You took the share with the like, given yes: take the share of yes, given the like.",
        ),
        (once, "Your likes and flips are the same draws: draw twice from one generator."),
    )
    hint = recognised(runs, hints, within=NEAR)
    if hint == "":
        few = [number(call(answer, 0.01, 0.2, 10_000, hidden(seed))) for seed in range(24)]
        if np.std(few) < 0.02:  # a hundred likes vary by 0.04
            return "Draw who has the like: where few have it, your result varies too little."
    return hint


# 17-B: a vote of four


@enter("17-B")
def _pivot(answer: Any) -> str | None:
    if isinstance(answer, (list, tuple, np.ndarray, pd.Series)):  # True and False mean 1 and 0
        answer = [int(bit) if isinstance(bit, (bool, np.bool_)) else bit for bit in answer]
    bits = numbers(answer, 4)
    if set(bits) - {0.0, 1.0}:
        raise Refusal("each of the four numbers is 0 or 1.")
    others = sum(bits[:3])
    if others == 0:
        return "No insider has the item: whatever the fourth bit is, the vote drops it."
    if others == 3:
        return "All three insiders have the item, so the fourth vote changes nothing."
    if others == 2:
        return "Two votes of four already keep the item. Make the fourth vote decide."
    return ""


# 17-D: a release for a named threat, with its label

MOST = 0.3  # advantage of insiders that the memo allows
MENU = {  # for each line of the label what can be chosen, and what is right for which family
    "unit": {"one like": {NOISE, CLUSTERS}, "a row": {SMOOTH, MEANS}},
    "trusted": {"nobody": {NOISE}, "a server": {CLUSTERS, SMOOTH, MEANS}},
    "insiders": {
        "what ε allows": {NOISE, CLUSTERS},
        "a deciding vote": {SMOOTH},
        "everything": {MEANS},
    },
    "second release": {"levels add up": {NOISE, CLUSTERS}, "no promise": {SMOOTH, MEANS}},
}
LABEL = ("family", "strength", *MENU, "memo")
SLIPS = {
    "unit": "What is protected in this release, one like or a whole row?",
    "trusted": "Could people make this release at home, or must somebody see the whole table?",
    "insiders": "You named the threat: what do the other members learn about the last member?",
    "second release": "Does this family have a level that can be added up?",
}


@enter("17-D")
def _memo(answer: Any) -> str | None:
    answer = fields(answer, LABEL, f"give a dict with {', '.join(LABEL)}.")
    table = _insiders()
    words = {name: text(answer[name]).lower() for name in LABEL if name != "strength"}
    for name, choices in MENU.items():
        if words[name] not in choices:
            raise Refusal(f"{name} is one of: {', '.join(choices)}; word for word.")
    row = (words["family"], number(answer["strength"]))
    if row not in table.index:
        raise Refusal("family and strength must be those of a row of the table, word for word.")
    best = table.loc[table["high"] <= MOST, "recall"].max()
    if table.loc[row, "high"] > MOST:
        if table.loc[row, "recall"] > best:
            return "You chose by usefulness alone. Say how much insiders may gain."
        return "The insiders gain more than the limit allows: see the upper end of the interval."
    if table.loc[row, "recall"] < best:
        return "Your row stays within the limit, but another row does so with better recall."
    wrong = [name for name, choices in MENU.items() if row[0] not in choices[words[name]]]
    return f"The row is right. Look again at {wrong[0]}. {SLIPS[wrong[0]]}" if wrong else ""


def _insiders() -> pd.DataFrame:
    """Recall, and the upper end of the insiders' advantage, by family and strength."""
    rows = stored("yardstick", "lastfm", missing="the comparison was not run yet")
    rows = rows.query("at == 'strength'").set_index(["family", "strength"])
    insiders = rows[(rows["quantity"] == "advantage") & (rows["attacker"] == "insiders")]
    recall = rows.loc[rows["quantity"] == "recall", "value"]
    return insiders[["high"]].join(recall.rename("recall")).sort_index()


# 17-O: an attacker of one's own, in the arena

STRENGTHS, LEAD = {NOISE: 2, CLUSTERS: 1, SMOOTH: 5, MEANS: 5}, 0.05
TOLD = {
    NOISE: "Here the outsider is already at the limit of ε, which no attacker exceeds.",
    SMOOTH: "One more vote can only turn a published 0 into 1, so reading the cell is best.",
}
_arena = cache(lambda family: arena(family, STRENGTHS[family], hidden(2047)))


@enter("17-O")
def _attacker(answer: Any) -> str | None:
    form = f"give a pair: one of {', '.join(STRENGTHS)}, and your function."
    family, attack = parts(answer, 2, form)
    if (name := text(family).lower()) not in STRENGTHS or not callable(attack):
        raise Refusal(form)
    if any(attack is rival for rival in RIVALS.values()):
        return "You handed in one of the rivals: write an attacker of your own."
    try:
        score = _arena(name).score(partial(call, attack))
    except Refusal as refusal:
        if name != NOISE or "NoneType" not in str(refusal):
            raise
        raise Refusal("a noise graph has no groups: there `seen.labels` is None.") from refusal
    except (TypeError, ValueError) as error:
        raise Refusal(f"{error}.") from error
    if score.lead >= LEAD:
        return ""
    lead = f"Its lead over the outsider is {score.lead:.3f}; the task asks for {LEAD}."
    if score.advantage < -LEAD:
        return f"Your attacker says yes instead of no: its advantage is {score.advantage:.3f}."
    if score.interval[0] <= 0:
        return f"Your attacker's advantage is {score.advantage:.3f}, like that of a guess. {lead}"
    return f"{lead} {TOLD.get(name, '')}"
