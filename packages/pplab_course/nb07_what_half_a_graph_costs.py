"""Exercises of notebook 07: levels, the exact mean, a label, mechanisms on four cells."""

import math
import re
from fractions import Fraction
from typing import Any

import numpy as np

from pplab.theory import optimal_mechanism as optimal
from pplab.theory.jaccard_law import jaccard_by_enumeration
from pplab_course.answers import Refusal, array, call, number, parts, slug
from pplab_course.exercises import close, enter, exactly, hidden, right
from pplab_papers.smooth.theorem_4_3 import largest_jaccard

# 07-P: the exact mean, on graphs with and without edges


def _graphs() -> list[tuple[int, int, Fraction]]:
    """Edges, cells and p: drawn ones, then a full graph and an empty one."""
    rng = np.random.default_rng(hidden(607))
    graphs = [(int(rng.integers(1, 4)), int(rng.integers(5, 9))) for _ in range(4)]
    flips = [Fraction(int(rng.integers(1, 10)), 20) for _ in graphs]
    ends = [(4, 4, Fraction(1, 3)), (0, 4, Fraction(1, 5))]
    return [(*graph, flip) for graph, flip in zip(graphs, flips, strict=True)] + ends


@enter("07-P")
def _mean(answer: Any) -> str | None:
    """Run mean_jaccard(edges, cells, p) on hidden graphs; "" when all its answers are right.

    Examples
    --------
    >>> from pplab.theory import expected_jaccard
    >>> _mean(lambda edges, cells, p: (1 - p) * edges / (edges + p * (cells - edges)))
    'You took the quotient of two means; the mean of a quotient is another number.'
    """
    for edges, cells, p in _graphs():
        value = number(call(answer, edges, cells, float(p)))
        if close(value, _mean_of(edges, cells, p), within=1e-9):
            continue
        if edges == 0:
            return "For a graph without edges, J is 1 if the copy is empty, too, and 0 otherwise."
        if close(value, float((1 - p) * edges / (edges + p * (cells - edges))), within=1e-9):
            return "You took the quotient of two means; the mean of a quotient is another number."
        if close(value, _mean_of(edges, cells, 1 - p), within=1e-9):
            return "You exchanged p and 1 − p: kept edges did not flip, and invented edges did."
        return exactly(value, _mean_of(edges, cells, p), within=0)
    return ""


def _mean_of(edges: int, cells: int, p: Fraction) -> float:
    law = jaccard_by_enumeration(edges=edges, cells=cells, flip_probability=p)
    return float(sum(similarity * share for similarity, share in law.items()))


# 07-D: the smallest level, and its label

DENSITY, TARGET = 2.09e-5, 0.3  # the density of com-dblp
ODDS = TARGET / (1 - TARGET) / DENSITY


UNITS = ("edge", "author", "graph")


@enter("07-D")
def _label(answer: Any) -> str | None:
    form = "this exercise takes three things: (ε, odds, unit); a label needs them all."
    epsilon, odds, unit = parts(answer, 3, form)
    epsilon, odds = number(epsilon), number(odds)
    unit = re.sub("^(one|an)-|s$", "", slug(unit))
    if close(epsilon, math.log10(ODDS), within=0.01):
        return "You took the logarithm to base 10, but this course uses the natural logarithm."
    if close(epsilon, ODDS, within=0.03):
        return "ε comes first, then its odds."
    if epsilon < math.log(ODDS) - 0.01:
        return f"At ε = {epsilon:.3g} the mean J is below {TARGET}."
    if epsilon < math.log(ODDS) * (1 - 1e-9):
        return f"With ε rounded down, the mean J is just below {TARGET}: round ε up."
    if epsilon > math.log(ODDS) + 0.02:
        return "That ε gives a larger J than was asked for, and costs more than necessary."
    if right(odds, math.exp(epsilon)) is None:
        return "The odds do not belong to this ε: they are e^ε, as a number."
    if unit not in UNITS:
        raise Refusal(f"the unit is one of the words {', '.join(UNITS)}.")
    if unit != "edge":
        return "Each cell is flipped independently. How many cells differ between two neighbours?"
    return ""


# 07-B, 07-O: mechanisms on four cells

LN3, MORE, BOTH = math.log(3), 0.01, 0.85
GRAPHS = 16


def _table(answer: Any) -> np.ndarray:
    """A table of 16 x 16 probabilities, or a sentence that says which row is none."""
    table = array(answer, "a table of numbers, please: 16 rows, one for each graph on 4 cells.")
    if table.shape != (GRAPHS, GRAPHS):
        raise Refusal(
            "this exercise takes a table of 16 rows, one for each graph on 4 cells, and 16 "
            f"columns, one for each output; got shape {table.shape}."
        )
    for row, chances in enumerate(table):
        if not (chances >= 0).all():
            raise Refusal(f"row {row} holds {chances.min():.3g}; probabilities are at least 0.")
        if abs(chances.sum() - 1) < 1e-6:
            continue
        sums = f"row {row} sums to {chances.sum():.7g}"
        if (np.abs(table.sum(axis=0) - 1) < 1e-6).all():
            turned = "transpose the table (.T), since a row belongs to one graph"
            raise Refusal(f"{sums}, and each column to 1: {turned}.")
        raise Refusal(f"{sums}, not to 1: do not round, or divide each row by its sum.")
    return table


def _too_much(table: np.ndarray) -> str:
    """Feedback on a table that is not private at odds 3 : 1, else nothing."""
    level = optimal.edge_level(table)
    if level <= LN3 + 1e-5:
        return ""
    return f"Not private enough: the worst odds are {math.exp(level):.3g} : 1, above 3 : 1."


@enter("07-B")
def _by_heart(answer: Any) -> str | None:
    table = _table(answer)
    if complaint := _too_much(table):
        return complaint
    edges, _, similarity = optimal.similarities(4)
    means = (table * similarity).sum(axis=1)
    twos = [graph for graph in range(GRAPHS) if edges[graph] == 2]
    pairs = [(graph, graph | 1 << cell) for graph in twos for cell in range(4)]
    least = max(min(means[one], means[other]) for one, other in pairs if one != other)
    if least > BOTH:
        return ""
    if least > largest_jaccard(epsilon=LN3, cells=4, edges=2):
        return f"Your mean J is more than the theorem allows, but {least:.3f} is not above {BOTH}."
    return f"Private, but the best pair of neighbours has a mean J of only {least:.3f}."


@enter("07-O")
def _better(answer: Any) -> str | None:
    table = _table(answer)
    if complaint := _too_much(table):
        return complaint
    least = optimal.worst_case_jaccard(table)
    gain = least - optimal.worst_case_jaccard(optimal.response_probabilities(4, LN3))
    if gain >= MORE - 1e-6:
        return ""
    if gain > 1e-6:
        return f"Private and better, but only by {gain:.2g}; the task asks for {MORE} or more."
    worst = min(range(5), key=lambda edges: optimal.worst_case_jaccard(table, edges=[edges]))
    return (
        f"Private, but graphs with {worst} of 4 edges have a mean J of only {least:.2f}. The mean "
        "over all graphs does not count here, only the worst graph."
    )
