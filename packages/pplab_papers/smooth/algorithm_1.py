"""Algorithm 1, randomized response: its levels for an edge and a node, by looking at every output.

`privacy` decides what Sections 1, 3 and 4 and Appendices B.1 and D say of privacy, over all inputs
and outputs on 2 x 2 cells. Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for
Sparse Graphs*, arXiv 2207.06358.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from math import log, prod, tanh

import pandas as pd
import scipy

from claimbook.part import Finding, against, decided, listed, statement_rows

# At node level: how often a cell of a row of m cells becomes a fair coin.


def node_replacement(*, epsilon: float, items: int) -> float:
    """Probability p with which Algorithm 1 at node level replaces a cell by a fair coin.

    It is ``2 / (1 + e^(epsilon / m))`` in a row of m cells; a cell flips with half of it.

    Examples
    --------
    >>> round(node_replacement(epsilon=10, items=102), 3)  # adult: almost only coins
    0.951
    """
    return 2 * float(scipy.special.expit(-epsilon / items))


def node_untouched(*, epsilon: float, items: int) -> float:
    """Probability 1 - p that Algorithm 1 at node level leaves a cell alone.

    Parameters
    ----------
    epsilon, items
        As for ``node_replacement``.

    Returns
    -------
    float
        ``tanh(epsilon / (2 m))``: it falls like 1 / m, not exponentially.

    Examples
    --------
    >>> [round(m * node_untouched(epsilon=2, items=m), 3) for m in (1, 10, 1000)]
    [0.762, 0.997, 1.0]
    """
    return tanh(epsilon / (2 * items))


# The statements: one function decides one of them.


PRIVACY_USERS, PRIVACY_ITEMS = 2, 2
ODDS = (Fraction(3, 2), Fraction(3), Fraction(10))  # e^epsilon: fractions, so that all is exact
ODDS_BELOW_ONE = (Fraction(1), Fraction(11, 10), Fraction(2))  # epsilon 0, 0.095 and 0.693
CHANCES = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
WIDTHS = (10, 100, 1_000, 10_000, 100_000)
STEADY = 0.99  # a fall by a constant factor is one by at least this factor per item
OF_MECHANISMS, OF_USERS = "of mechanisms", "where users act alone"
Graph = tuple[int, ...]  # cells, row after row
Neighbours = Callable[[Graph, Graph], bool]
Laws = dict[Graph, list[Fraction]]  # probability of each output, by input


def privacy() -> pd.DataFrame:
    """Decide the paper's statements on the privacy of Algorithm 1 and on the privacy notions."""
    statements = decided(
        *(edge_level, node_level, flip_of_a_cell, p_to_one, levels_below_one),
        *(edge_level_leaks_users, node_neighbours, post_processing, local_is_node_level),
        notions_incomparable,
    )
    rows = [
        statement_rows({"node_level_is_local": node_level_is_local(of)}).assign(equivalence=of)
        for of in (OF_MECHANISMS, OF_USERS)
    ]
    return pd.concat([statements, *rows], ignore_index=True)


def _chance(published: int, given: int, replaced: Fraction) -> Fraction:
    """Probability of a published cell: a fair coin with probability p, else the cell itself."""
    return replaced / 2 + (1 - replaced) * (published == given)


def _graphs(cells: int = PRIVACY_USERS * PRIVACY_ITEMS) -> Iterator[Graph]:
    return product((0, 1), repeat=cells)


def _one_cell(one: Graph, other: Graph) -> bool:
    return sum(a != b for a, b in zip(one, other, strict=True)) == 1


def _one_row(one: Graph, other: Graph, items: int = PRIVACY_ITEMS) -> bool:
    rows = [slice(at, at + items) for at in range(0, len(one), items)]
    return sum(one[row] != other[row] for row in rows) == 1


def _laws(replaced: Fraction, cells: int = PRIVACY_USERS * PRIVACY_ITEMS) -> Laws:
    """Law of Algorithm 1 for each input."""
    return {
        given: [
            prod(
                (_chance(a, b, replaced) for a, b in zip(published, given, strict=True)),
                start=Fraction(1),
            )
            for published in _graphs(cells)
        ]
        for given in _graphs(cells)
    }


def _largest_ratio(laws: Laws, neighbours: Neighbours) -> Fraction:
    """Largest ratio of the probabilities of one output under two neighbouring inputs."""
    return max(
        Fraction(here) / there
        for one, other in product(laws, laws)
        if neighbours(one, other)
        for here, there in zip(laws[one], laws[other], strict=True)
    )


def _ratios(odds: Iterable[Fraction], neighbours: Neighbours, numerator: int = 2) -> list[Fraction]:
    return [_largest_ratio(_laws(numerator / (1 + level)), neighbours) for level in odds]


def _levels(ratios: Iterable[Fraction]) -> str:
    return listed(f"{log(ratio):.4g}" for ratio in ratios)


def edge_level() -> Finding:
    """Algorithm 1 has exactly its edge level."""

    def exact(numerator: int) -> tuple[bool, str]:
        ratios = _ratios(ODDS, _one_cell, numerator)
        return ratios == list(ODDS), (
            f"Largest log ratios {_levels(ratios)} at the levels {_levels(ODDS)}, "
            f"in fractions, over all inputs and outputs on {PRIVACY_USERS} x {PRIVACY_ITEMS} cells."
        )

    return against(exact, right=2, wrong=1)


def node_level() -> Finding:
    """Algorithm 1 has exactly its node level."""
    # odds stand for e^(epsilon / m), so that e^epsilon is their m-th power
    ratios = _ratios(ODDS, _one_row)

    def exact(power: int) -> tuple[bool, str]:
        wanted = [odds**power for odds in ODDS]
        return ratios == wanted, (
            f"Largest log ratios {_levels(ratios)} at the levels {_levels(wanted)}, "
            f"in fractions, over all rows of {PRIVACY_ITEMS} cells that replace one another."
        )

    return against(exact, right=PRIVACY_ITEMS, wrong=1)


def edge_level_leaks_users() -> Finding:
    """A whole row has a larger level than the edge."""

    def larger(items: int) -> tuple[bool, str]:
        ratios = _ratios(ODDS, partial(_one_row, items=items))
        return all(ratio > odds for ratio, odds in zip(ratios, ODDS, strict=True)), (
            f"At the edge levels {_levels(ODDS)} a user of {items} items has {_levels(ratios)}."
        )

    return against(larger, right=PRIVACY_ITEMS, wrong=1)


def flip_of_a_cell() -> Finding:
    """A fair coin with probability p flips a cell with probability 1 / (1 + e^epsilon)."""
    cells = list(product(ODDS, (0, 1)))
    flips = [_chance(1 - given, given, 2 / (1 + odds)) for odds, given in cells]
    wanted = [1 / (1 + odds) for odds, _ in cells]
    return flips == wanted, (
        f"A cell of 0 and a cell of 1 flip with {listed(str(flip) for flip in flips[::2])} at "
        f"e^epsilon of {listed(str(odds) for odds in ODDS)}."
    )


def p_to_one() -> Finding:
    """1 - p falls by a constant factor per item."""
    left = [node_untouched(epsilon=1.0, items=items) for items in WIDTHS]
    falls = [
        node_untouched(epsilon=1.0, items=items + 1) / alone
        for items, alone in zip(WIDTHS, left, strict=True)
    ]
    text = listed(f"{items * alone:.4g}" for items, alone in zip(WIDTHS, left, strict=True))
    return max(falls) <= STEADY, (
        f"At epsilon = 1, m (1 - p) is {text} for m from 10 to 10^5; one item more multiplies "
        f"1 - p by {falls[-1]:.6f} at the end: it falls like 1 / m."
    )


def levels_below_one() -> Finding:
    """The level is exact at epsilon below 1 as well."""

    def exact(numerator: int) -> tuple[bool, str]:
        ratios = _ratios(ODDS_BELOW_ONE, _one_cell, numerator)
        return ratios == list(ODDS_BELOW_ONE), (
            f"Largest log ratios {_levels(ratios)} at the levels {_levels(ODDS_BELOW_ONE)}."
        )

    return against(exact, right=2, wrong=1)


def node_neighbours() -> Finding:
    """Definition 3.2's condition is that all other rows are equal."""
    rows = (slice(0, PRIVACY_ITEMS), slice(PRIVACY_ITEMS, None))

    def apart(one: Sequence[int], other: Sequence[int]) -> int:
        return sum(a != b for a, b in zip(one, other, strict=True))

    def others_equal(one: Graph, other: Graph) -> bool:
        return any(one[row] == other[row] for row in rows)

    def agree(meant: Neighbours) -> tuple[bool, str]:
        pairs = list(product(_graphs(), repeat=2))
        wrong = sum(
            any(apart(one, other) == apart(one[row], other[row]) for row in rows)
            != meant(one, other)
            for one, other in pairs
        )
        return not wrong, f"The two differ on {wrong} of {len(pairs)} pairs of graphs."

    return against(agree, right=others_equal, wrong=_one_cell)


def post_processing() -> Finding:
    """No map of the outputs to two values raises the level."""
    largest = []
    for odds in ODDS:
        laws = _laws(2 / (1 + odds), 2)
        mapped = [
            {
                given: [sum((p for p, to in zip(law, kept, strict=True) if to), Fraction(0))]
                for given, law in laws.items()
            }
            for kept in product((0, 1), repeat=4)
            if any(kept)
        ]
        largest.append(max(_largest_ratio(outcome, _one_cell) for outcome in mapped))

    def below(power: int) -> tuple[bool, str]:
        return all(ratio**power <= odds for ratio, odds in zip(largest, ODDS, strict=True)), (
            f"Largest log ratios {_levels(largest)} at the levels {_levels(ODDS)}."
        )

    return against(below, right=1, wrong=2)


def local_is_node_level() -> Finding:
    """Users who act alone, each at a level, publish a graph at that node level."""
    levels = _levels_alone()

    def kept(of_both: Callable[[list[Fraction]], Fraction]) -> tuple[bool, str]:
        failures = sum(together > of_both(alone) for together, alone in levels)
        return not failures, f"It is above it for {failures} of {len(levels)} pairs of users."

    return against(kept, right=max, wrong=min)


def _levels_alone() -> list[tuple[Fraction, list[Fraction]]]:
    """Node level of two users who act alone, and the level of each, for all pairs of channels."""
    channels = list(product(CHANCES, repeat=2))  # probability of a 1, given 0 and given 1
    levels = []
    for pair in product(channels, repeat=2):
        alone = [
            max(
                max(channel[a] / channel[1 - a], (1 - channel[a]) / (1 - channel[1 - a]))
                for a in (0, 1)
            )
            for channel in pair
        ]
        laws = {
            given: [
                prod(
                    (
                        channel[cell] if bit else 1 - channel[cell]
                        for channel, cell, bit in zip(pair, given, out, strict=True)
                    ),
                    start=Fraction(1),
                )
                for out in _graphs(2)
            ]
            for given in _graphs(2)
        }
        levels.append((_largest_ratio(laws, _one_cell), alone))
    return levels


def node_level_is_local(equivalence: str) -> Finding:
    """Node privacy is local: for users who act alone, or whatever the mechanism.

    Of users who act alone, each at the odds r, nobody can tell the parity of two cells with more
    than 1/2 + t^2 / 2, where t = (r - 1) / (r + 1): an input moves what its user sends by t, in
    total variation, and the parity of two is moved by the product.
    """
    if equivalence == OF_USERS:
        return against(_same_level, right=max, wrong=min)
    odds = Fraction(3)
    laws = {  # the first user publishes a noisy parity of both, the second a fair coin
        given: [_chance(output[0], sum(given) % 2, 2 / (1 + odds)) / 2 for output in _graphs(2)]
        for given in _graphs(2)
    }
    level = _largest_ratio(laws, _one_cell)
    told = sum(laws[0, 0][:2])  # a first cell of 0, the parity
    alone = (1 + ((odds - 1) / (odds + 1)) ** 2) / 2
    return (
        level > odds or told <= alone,
        f"At e^epsilon = {level} a published cell is the parity of two users with probability "
        f"{told}; of users who act alone nobody can tell it with more than {alone}.",
        _same_level(min)[0],
    )


def _same_level(of_both: Callable[[list[Fraction]], Fraction]) -> tuple[bool, str]:
    levels = _levels_alone()
    gaps = sum(together != of_both(alone) for together, alone in levels)
    return not gaps, (
        f"The node level is another one than the larger of both users' for {gaps} of "
        f"{len(levels)} pairs of users."
    )


def notions_incomparable() -> Finding:
    """A majority copy has no level, and Algorithm 1 publishes copies that are not k-anonymous."""
    law = _laws(Fraction(1, 2))[0, 0, 0, 0]
    loose = sum(p for output, p in zip(_graphs(), law, strict=True) if output[:2] != output[2:])

    def incomparable(least: int) -> tuple[bool, str]:
        copies = {g: [a + b >= least for a, b in zip(g[:2], g[2:], strict=True)] for g in _graphs()}
        moved = sum(
            copies[one] != copies[other]
            for one, other in product(copies, copies)
            if _one_cell(one, other)
        )
        return moved > 0 and loose > 0, (
            f"One cell changes the whole majority copy, with certainty, for {moved} pairs of "
            f"graphs; Algorithm 1 at p = 1/2 publishes two different rows with probability {loose}."
        )

    return against(incomparable, right=1, wrong=3)  # of two users none has an item three times
