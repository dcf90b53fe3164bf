"""Exercises of notebook 09: sensitivities, a leak, smoothness, a budget, a promise for a person."""

import itertools
import math
import re
from functools import cache
from typing import Any

import numpy as np

from pplab.counts import local_sensitivity
from pplab.counts.statistics import COUNTS
from pplab.tradeoff import gaussian_epsilon, gaussian_mu
from pplab_course.answers import Refusal, bits, call, fields, named, number, numbers, parts, text
from pplab_course.exercises import close, enter

# 09-B: two widths


@enter("09-B")
def _widths(answer: Any) -> str | None:
    form = "a pair of tables such as [[0, 1], [1, 0]], please"
    pair = parts(answer, 2, f"{form}, got {type(answer).__name__}.")
    one, other = (_graph(table, form) for table in pair)
    if one.shape != other.shape:
        raise Refusal("two graphs on the same nodes, please: the tables differ in size.")
    changed = int((one != other).sum()) // 2
    if not changed:
        return "The two graphs are the same; they must differ in one edge."
    if changed > 1:
        return f"The graphs differ in {changed} edges; neighbours differ in one edge."
    widths = [local_sensitivity(table, count="triangles") for table in (one, other)]
    if not min(widths):
        return "In one graph no two nodes have a common neighbour: its local sensitivity is 0."
    if widths[0] == widths[1]:
        return f"Both graphs get equally wide noise. Their local sensitivity is {widths[0]}."
    return ""


def _graph(table: Any, form: str) -> np.ndarray:
    cells = bits(table, f"{form}, of 0 and 1 and of 2 to 6 nodes, got {named(table)}.", most=10)
    if cells.shape[0] != cells.shape[1] or not 2 <= len(cells) <= 6:
        raise Refusal(f"{form}, square and of 2 to 6 nodes, got shape {cells.shape}.")
    if (cells != cells.T).any() or cells.diagonal().any():
        raise Refusal("give graphs: symmetric tables of 0 and 1, with 0 on the diagonal.")
    return cells


# 09-P: what a number of changed edges reaches


@enter("09-P")
def _reach(answer: Any) -> str | None:
    for a, b, s, n in _cases():
        value = number(call(answer, a, b, s, n))
        expected = _searched(a, b, s, n)
        if close(value, expected, within=1e-9):
            continue
        if value > n - 2:
            return f"Two of the {n} nodes have at most {n - 2} common neighbours."
        if close(value, min(a + s, n - 2), within=1e-9):
            return "A node that is a neighbour of neither node of the pair needs two changed edges."
        if close(value, min(a + s // 2, n - 2), within=1e-9):
            return "A node that is already a neighbour of one node of the pair needs only one edge."
        if value != int(value):
            return "Half a node is not a common neighbour: round down."
        return f"For a = {a}, b = {b}, s = {s}, n = {n} a search finds {expected}."
    return ""


def _cases() -> list[tuple[int, int, int, int]]:
    every = itertools.product((5, 6), range(5), range(5), range(12))
    return [(a, b, s, n) for n, a, b, s in every if a + b <= n - 2 and s < 2 * n]


@cache
def _searched(a: int, b: int, s: int, n: int) -> int:
    """Most common neighbours within s changes of the 2 (n - 2) cells of a pair, by trying all."""
    costs = [0] * a + [1] * b + [2] * (n - 2 - a - b)  # changes until a node is common
    choices = itertools.product((0, 1), repeat=n - 2)
    return max(sum(choice) for choice in choices if np.dot(choice, costs) <= s)


# 09-D: a hundred counts


@enter("09-D")
def _deviation(answer: Any) -> str | None:
    sigma = number(answer)
    if not sigma > 0:
        raise Refusal(f"a standard deviation above 0, please, got {sigma:g}.")
    least = 10 / gaussian_mu(1.0, 1e-6)
    if close(sigma, least / 10, within=0.01):
        return "Your noise is enough for one count, but 100 counts share one guarantee."
    if close(sigma, least * 10, within=0.01):
        return "Squares of independent deviations add up: the factor is √100, not 100."
    if sigma < least * (1 - 1e-9):
        epsilon = gaussian_epsilon(1e-6, mu=10 / sigma)
        hint = f"All 100 together have ε = {epsilon:.6g} at δ = 1e-6, which is more than 1."
        return hint + " Only the rounding is wrong: round up." * (epsilon < 1.02)
    if sigma > least * 1.03:
        return f"Your noise is enough: ε is {gaussian_epsilon(1e-6, mu=10 / sigma):.3g}. Add less."
    return ""


# 09-O: a plan for a person

_PARTS = ("counts", "theta", "epsilon", "total", "why")
_LOOKED = (
    r"^(?!.*(\b(no|not|nobody|never|without|before|public|other|another)\b|n't))"
    r".*\b(looked at|measured|computed|counted|read off)\b.*\b(data|graph|degrees?)\b"
)


@enter("09-O")
def _plan(answer: Any) -> str | None:
    form = "a dict, please: {'counts': [...], 'theta': ..., 'epsilon': [...], ...}."
    answer = fields(answer, _PARTS, form)
    requirement = "name all three counts, each once, and give an ε for each count."
    counts = parts(answer["counts"], 3, requirement)
    if len(set(counts)) != 3:
        raise Refusal(requirement)
    epsilons, total = numbers(answer["epsilon"], 3), number(answer["total"])
    if unknown := [count for count in counts if count not in COUNTS]:
        return f"Counts are named {', '.join(COUNTS)}; got {unknown[0]!r}."
    theta = number(answer["theta"])
    if not all(0 < level < math.inf for level in epsilons) or theta < 2 or theta % 1:
        return "Every ε must be above 0, and the one θ must be a whole number from 2."
    if total < sum(epsilons) - 1e-9:
        return "The three counts reveal the same person: their levels add up to more than your sum."
    if total > sum(epsilons) + 0.005:
        return "Basic composition needs no more than the sum of the three levels."
    if len(text(answer["why"]).split()) < 6:
        return "Say in a sentence how you chose θ without looking at the data."
    if re.search(_LOOKED, answer["why"], re.IGNORECASE | re.DOTALL):
        return "This θ was read off the data and reveals something: choose it without the data."
    return ""
