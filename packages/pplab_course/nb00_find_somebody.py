"""Exercises of notebook 00: a join that finds somebody, flips, odds."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from pplab_course.answers import Refusal, call, number, numbers
from pplab_course.exercises import close, enter, hidden

# 00-P: the same share, simulated


@enter("00-P")
def _simulation(answer: Any) -> str | None:
    for density, flip in ((0.03, 0.04), (0.3, 0.3)):
        if (hint := _simulated(answer, density, flip)) != "":
            return hint
    few = number(call(answer, 0.5, 0.5, 100, hidden(3)))
    if abs(few - Fraction(few).limit_denominator(100)) > 1e-6:
        return "Your number is not a quotient of counts of 100 cells. Draw and count; do not round."
    return ""


def _simulated(answer: Any, density: float, flip: float) -> str | None:
    size, published = 60_000, density * (1 - flip) + (1 - density) * flip
    share = density * (1 - flip) / published
    spread = math.sqrt(share * (1 - share) / (published * size))
    seeds = [hidden(seed) for seed in (91, 577, 2029)]
    got = [number(call(answer, density, flip, size, seed)) for seed in seeds]
    if all(value == 1 for value in got):
        return "All your published edges are true: do empty cells flip, too, and become edges?"
    if all(value == 0 for value in got):
        return "No published edge is true: do edges and flips use the same draws? Draw twice."
    if got[0] == got[1] == got[2]:
        return "Your function returned the same number for three seeds. Use the given seed."
    if number(call(answer, density, flip, size, seeds[0])) != got[0]:
        return "The same seed gave two numbers: make the generator in the function, from the seed."
    if all(close(value, 1 - flip, within=0.01) for value in got):
        return "Your number is 1 − p, the share of cells that stay; divide by the published edges."
    return "" if all(abs(value - share) <= 4 * spread for value in got) else None


# 00-B: somebody in a table without names

MIA, HEARD, ASKED = 23, {"Rain": 15, "Salt": 8, "Mirror": 15}, "The Letter"
_FILMS = ["Rain", "Harbour", "Two Sisters", "The Clock", "North", "Salt", "Orchard", "Last Train"]
_FILMS += ["Mirror", "Snow", ASKED, "Dust"]


def film_club() -> pd.DataFrame:
    """A made-up film club without names: who (a number) rated which film when, and how."""
    rng, rows = np.random.default_rng(8), []
    for member in range(1, 41):
        for film in sorted(rng.choice(len(_FILMS), 7, replace=False).tolist()):
            week, stars = int(rng.integers(1, 21)), int(rng.integers(1, 6))
            rows.append((member, _FILMS[film], week, stars))
    return pd.DataFrame(rows, columns=["member", "film", "week", "stars"])


@enter("00-B")
def _found(answer: Any) -> str | None:
    member, stars = numbers(answer, 2)
    club = film_club().set_index("film")
    rows = club[club["member"] == member]
    if rows.empty:
        raise Refusal(f"give first a member's number, 1 to 40, then the stars; got {member:g}.")
    if missing := [film for film in HEARD if film not in rows.index]:
        return f"That member has not seen {' and '.join(missing)}: all three films must match."
    if member != MIA:
        return "That member has seen the three films, but in other weeks. Join on film and week."
    letter = rows["stars"][ASKED]
    return "" if stars == letter else f"That is Mia. How many stars did she give to {ASKED}?"
