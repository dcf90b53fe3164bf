"""Algorithm 1's two levels, by looking at every input and every output of a table of 2 x 2."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import log, prod

import pandas as pd

from pplab.experiments.finding import Finding, listed, statement_rows
from pplab.experiments.smooth import paper
from pplab.theory.node_level import node_replacement, node_untouched

__all__ = ["privacy"]

USERS, ITEMS = 2, 2
ODDS = (Fraction(3, 2), Fraction(3), Fraction(10))  # e^epsilon: fractions, so that all is exact
ODDS_BELOW_ONE = (Fraction(1), Fraction(11, 10), Fraction(2))  # epsilon 0, 0.095 and 0.693
WIDTHS = (10, 100, 1_000, 10_000, 100_000)
STEADY = 0.99  # a fall by a constant factor is one by at least this factor per item
RANDOM = 0.45  # a flip probability above this is called close to 1/2

Graph = tuple[int, ...]  # cells, row after row
Neighbours = Callable[[Graph, Graph], bool]


def privacy() -> pd.DataFrame:
    """Decide what Section 4 and Appendix B.1 say on the privacy of Algorithm 1.

    Returns
    -------
    DataFrame
        Columns statement, value (1.0 true, 0.0 false) and witness.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Algorithm 1, Section 4 and Appendix B.1, arXiv 2207.06358.
    """
    return statement_rows(
        {
            "algorithm-1:edge-level": _edge_level(),
            "algorithm-1:node-level": _node_level(),
            "algorithm-1:flip": _flip(),
            "section-4:p-to-one": _p_to_one(),
            "appendix-B.1:epsilon-at-least-one": _least_epsilon(),
            "section-4:node-dp-random": _close_to_random(),
        }
    )


def _chance(told: int, given: int, replaced: Fraction) -> Fraction:
    """Probability of a published cell: a fair coin with probability p, else the cell itself."""
    return replaced / 2 + (1 - replaced) * (told == given)


def _graphs() -> Iterator[Graph]:
    return product((0, 1), repeat=USERS * ITEMS)


def _one_cell(one: Graph, other: Graph) -> bool:
    return sum(a != b for a, b in zip(one, other, strict=True)) == 1


def _one_row(one: Graph, other: Graph) -> bool:
    rows = [(one[at : at + ITEMS], other[at : at + ITEMS]) for at in range(0, len(one), ITEMS)]
    return sum(a != b for a, b in rows) == 1


def _largest_ratio(replaced: Fraction, neighbours: Neighbours) -> Fraction:
    """Largest ratio of the probabilities of one output under two neighbouring inputs."""
    laws = {
        given: [
            prod(_chance(a, b, replaced) for a, b in zip(told, given, strict=True))
            for told in _graphs()
        ]
        for given in _graphs()
    }
    return max(
        Fraction(here) / there
        for one, other in product(laws, laws)
        if neighbours(one, other)
        for here, there in zip(laws[one], laws[other], strict=True)
    )


def _levels(ratios: list[Fraction]) -> str:
    return listed(f"{log(ratio):.4g}" for ratio in ratios)


def _edge_level() -> Finding:
    found = [_largest_ratio(2 / (1 + odds), _one_cell) for odds in ODDS]
    return found == list(ODDS), (
        f"Largest log ratios {_levels(found)} at the levels {_levels(list(ODDS))}, "
        f"in fractions, over all inputs and outputs on {USERS} x {ITEMS} cells."
    )


def _node_level() -> Finding:
    # odds stand for e^(epsilon / m), so that e^epsilon is their m-th power
    found = [_largest_ratio(2 / (1 + odds), _one_row) for odds in ODDS]
    wanted = [odds**ITEMS for odds in ODDS]
    return found == wanted, (
        f"Largest log ratios {_levels(found)} at the levels {_levels(wanted)}, "
        f"in fractions, over all rows of {ITEMS} cells that replace one another."
    )


def _flip() -> Finding:
    cells = list(product(ODDS, (0, 1)))
    found = [_chance(1 - given, given, 2 / (1 + odds)) for odds, given in cells]
    wanted = [1 / (1 + odds) for odds, _ in cells]
    return found == wanted, (
        f"A cell of 0 and a cell of 1 flip with {listed(str(flip) for flip in found[::2])} at "
        f"e^epsilon of {listed(str(odds) for odds in ODDS)}."
    )


def _p_to_one() -> Finding:
    left = [node_untouched(epsilon=1.0, items=items) for items in WIDTHS]
    falls = [
        node_untouched(epsilon=1.0, items=items + 1) / alone
        for items, alone in zip(WIDTHS, left, strict=True)
    ]
    told = listed(f"{items * alone:.4g}" for items, alone in zip(WIDTHS, left, strict=True))
    return max(falls) <= STEADY, (
        f"At epsilon = 1, m (1 - p) is {told} for m from 10 to 10^5; one item more multiplies "
        f"1 - p by {falls[-1]:.6f} at the end: it falls like 1 / m."
    )


def _least_epsilon() -> Finding:
    found = [_largest_ratio(2 / (1 + odds), _one_cell) for odds in ODDS_BELOW_ONE]
    return found != list(ODDS_BELOW_ONE), (
        f"Largest log ratios {_levels(found)} at the levels {_levels(list(ODDS_BELOW_ONE))}, "
        "all below 1."
    )


def _close_to_random() -> Finding:
    items = paper.TABLE_2["adult"][1]
    flip = node_replacement(epsilon=paper.NODE_EPSILON, items=items) / 2
    return flip > RANDOM, (
        f"With {items} columns and epsilon = {paper.NODE_EPSILON:g} a cell flips with probability "
        f"{flip:.4f}, where a fair coin has 0.5."
    )
