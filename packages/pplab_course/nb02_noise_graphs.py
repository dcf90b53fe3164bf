"""Exercises of notebook 02: noise graphs, fuzzy xor, a repair with two stages."""

import math
import re
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import islice, product
from typing import Any

from pplab.response.categorical import TwoStageResponse
from pplab.response.ratings import fuzzy_xor
from pplab.theory.exact import exact_epsilon
from pplab_course.answers import Refusal, call, different_words, number, numbers, parts
from pplab_course.exercises import close, enter, right

# 02-P: where a fuzzy xor is 0

# Norms and other ways to add weights: pairs that somebody knows by heart are wrong for some.
WAYS: dict[str, Callable[..., Any]] = {
    norm: partial(fuzzy_xor, norm=norm) for norm in ("min-max", "product", "lukasiewicz")
}
WAYS |= {"|x − y|": lambda x, y: abs(x - y), "min(x, y)": min}


@enter("02-P")
def _zeros(answer: Any) -> str | None:
    for (name, xor), top in product(WAYS.items(), (5, 3, 8)):
        answers = call(answer, xor, top)
        try:
            zeros = {(int(left), int(right)) for left, right in islice(answers, 1000)}
        except (TypeError, ValueError) as error:
            raise Refusal(
                f"a list of pairs such as [(0, 1), (1, 2)], please; for {name} and L = {top} your "
                f"function gave {answers!r}."
            ) from error
        rated = product(range(top + 1), repeat=2)
        if zeros == {(r, s) for r, s in rated if xor(Fraction(r, top), Fraction(s, top)) == 0}:
            continue
        if zeros == {(rating, rating) for rating in range(top + 1)}:
            return "You gave the whole diagonal, but weights are r/L, and 3/5 ⊕ 3/5 is not 0."
        if zeros in ({(0, 0)}, {(top, top)}):
            return "One pair is missing: look at the other end of the scale."
        if zeros == {(0, 0), (1, 1)}:
            return "You returned weights, r/top and s/top: return the ratings r and s."
        if zeros == {(0, 0), (top, top)}:
            hint = f"Your pairs fit the three norms, but {name} is 0 elsewhere, too"
            return f"{hint}: try every pair with the function that you are given."
        if top != 5:
            return f"It works for L = 5 but not for L = {top}: use the argument `top`, not 5."
        return None
    return ""


# 02-B: a graph that refutes the bound n·ε


@enter("02-B")
def _refutation(answer: Any) -> str | None:
    users, items = numbers(answer, 2)
    if min(users, items) < 1 or users != int(users) or items != int(items):
        raise Refusal(f"a pair (users, items) of whole numbers from 1, please, got {answer!r}.")
    if items <= users:
        return "The bound holds there: a row has m cells, and m is at most n."
    if (users, items) != (1, 2):
        return "This graph refutes the bound, but a smaller graph does, too."
    return ""


# 02-D: a response in two stages

LEVELS, EDGES, CELLS, ODDS = 5, 80_000, 1_555_950, 19


@enter("02-D")
def _two_stages(answer: Any) -> str | None:
    if isinstance(answer, TwoStageResponse):
        answer = (float(answer.flip_probability), float(answer.rating_odds))
    flip, second = (Fraction(value).limit_denominator(10**12) for value in numbers(answer, 2))
    if not 0 < flip < Fraction(1, 2) or second < 1:
        raise Refusal(f"a pair (p, e^ε₂) with 0 < p < 1/2 and e^ε₂ at least 1, got {answer!r}.")
    mechanism = TwoStageResponse(levels=LEVELS, flip_probability=flip, rating_odds=second)
    odds = exact_epsilon(mechanism, shape=(1, 1), unit="edge").odds
    published = (1 - flip) * EDGES + flip * (CELLS - EDGES)
    if odds > ODDS * (1 + Fraction(1, 10**9)):
        hint = f"Not private enough: some output has odds of {float(odds):.6g} to 1, above 19."
        near = odds < ODDS * Fraction(101, 100)
        return hint + (" Only the rounding is wrong: round p up, never down." if near else "")
    if close(float((1 - flip) / flip * second), ODDS, within=1e-3):
        return "Adding ε₁ and ε₂ is safe but not tight: enumerate the 6 × 6 table."
    if odds < ODDS * Fraction(99, 100):
        intended, kept = math.exp(second), float((1 - flip) / flip)
        if close(kept * LEVELS * intended / (intended + LEVELS - 1), ODDS, within=0.01):
            return "Is your second number ε₂ itself? Give the odds e^ε₂ instead."
        return f"Safe, but the worst odds are only {float(odds):.4g}: you add too much noise."
    if second / (second + LEVELS - 1) < Fraction(1, 2):
        return "A rating that stays must keep its value with probability at least 1/2: raise e^ε₂."
    if published >= 300_000:
        return f"This publishes {float(published):,.0f} ratings on average; stay below 300,000."
    return ""


# 02-O: why no private response is sparse

KEPT = 0.8


@enter("02-O")
def _sparse(answer: Any) -> str | None:
    form = "a pair, please: (number of false edges, your argument in quotes)."
    edges, argument = parts(answer, 2, form)
    value, words = number(edges), different_words(argument)
    empty = CELLS - EDGES
    if value == 0:
        return "With no false edges an empty cell is never published as an edge: what is ε then?"
    if close(value, KEPT / ODDS * CELLS):
        return "An edge that stays is not a false edge: count only the empty cells."
    if close(value, empty / ODDS):
        return "Your response keeps every true edge; the task asks for 8 in 10."
    if close(value, empty / (ODDS + 1)):
        return "You took a flip, but a response may treat edges and empty cells differently."
    if close(value, (1 - KEPT) / ODDS * empty):
        return "You started from the lost edges; look at the output 'edge' instead."
    if value < KEPT / ODDS * empty * 0.99:
        return "With this number some output has odds above 19: which output, and which two inputs?"
    if right(value, KEPT / ODDS * empty) is None:
        return None
    said = re.match(r"\W*(yes|no)\b", str(argument), re.IGNORECASE)
    if words < 15 or not said:
        return (
            "The number is right. Begin with yes or no, then say why: 15 different words or more."
        )
    if said[1].lower() == "yes":
        return "The number is right. Is it at most one false edge for ten true edges, as you say?"
    return ""
