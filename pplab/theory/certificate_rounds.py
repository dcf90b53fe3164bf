"""Rounds of better slopes and tolls, each of which gives a price at which the bound holds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pplab.anonymity.kinds import Kinds
from pplab.theory.certificate_hull import worth_hulls
from pplab.theory.certificate_lines import line_heights, next_slopes
from pplab.theory.certificate_pairs import Slopes, first_tolls, pairs_above
from pplab.theory.certificate_price import least_price
from pplab.theory.certificate_tolls import lower_tolls, pairs_and_tolls

__all__ = ["Table", "least_price_of_rounds"]

_MANY_PAIRS = 2 * 10**7  # listed pairs of kinds from which on fewer are listed
_SLACK = 1e-9  # beyond what sums of floats can be wrong by, relative
_ACCURACY = 5e-6  # of each price
_STALL = (12, 1e-4)  # so many rounds that bring less than this are the last
_GUESS = 0.8  # price for the first slopes
# Rate of slopes at first, and share of the rounds: fast steps suit graphs, slow ones tables with
# many equal rows.
_SEARCHES = ((0.1, 0.6), (0.03, 0.4))
_INERTIA = 0.5
_SLOWER, _SLOWEST = 0.8, 0.02  # times the rate after a round that gained nothing; least rate
_WIDTHS = (0.3, 0.05)  # over which the tolls of pairs are softened, at first and in the end


class _State(NamedTuple):
    """Where the search stands after some rounds."""

    slopes: np.ndarray  # per entry of the kinds
    tolls: np.ndarray  # per kind
    share: float  # of the margins in use
    rate: float  # of slopes
    price: float  # least one at which the bound held


class Table(NamedTuple):
    """A table laid out for the search, and what does not change in it."""

    kinds: Kinds
    function: np.ndarray  # number of each item's function
    by_item: np.ndarray  # entries of the kinds in the order of `Kinds.item_kinds`
    light: int  # items from here on get the slope 0
    entries: int
    k: int


def least_price_of_rounds(table: Table, rounds: int) -> float:
    """Least price that held in any of so many rounds, or until it falls too slowly.

    The rounds are shared out to searches of their own; any of them gives a price that holds.
    """
    found = [_search(table, max(1, round(part * rounds)), rate) for rate, part in _SEARCHES]
    return min(found)


def _search(table: Table, rounds: int, rate: float) -> float:
    half = np.full(len(table.kinds.items), 0.5)
    slopes = _step(table, _GUESS, np.zeros(len(half)), half, np.inf)
    tolls = first_tolls(table.kinds, _both_ways(table, slopes), table.k)
    state = _State(slopes, tolls, 0.25, rate, 1.0)
    prices = []
    for number in range(rounds):
        state = _round(table, state, number, rounds)
        prices.append(state.price)
        if number >= _STALL[0] and prices[-1 - _STALL[0]] - prices[-1] < _STALL[1]:
            break
    return state.price


def _round(table: Table, state: _State, number: int, rounds: int) -> _State:
    """List pairs, move tolls, see which price holds, move slopes."""
    kinds, k = table.kinds, table.k
    width = _WIDTHS[0] * (_WIDTHS[1] / _WIDTHS[0]) ** min(1, number / (0.9 * rounds))
    margins = state.share * (0.5 + 0.1 * kinds.degrees)
    slopes = _both_ways(table, state.slopes)
    pairs = pairs_above(kinds, slopes, state.tolls, margins)
    floors = np.maximum(state.tolls - margins, 0)
    tolls = lower_tolls(kinds, pairs, k, state.tolls, floors, width)
    rest, alike = pairs_and_tolls(kinds, pairs, k, tolls, width)
    price = _price(table, state, rest)
    if number == 0:
        moved = _step(table, price, state.slopes, 0.5 + (alike - 0.5) / 3, np.inf)
    else:
        moved = _step(table, price, state.slopes, alike, state.rate)
        moved = np.maximum(moved + _INERTIA * (moved - state.slopes), 0)
    grow = np.clip(_MANY_PAIRS / max(len(pairs.others), 1), 0.25, 2)
    rate = max(state.rate * (1.0 if price < state.price else _SLOWER), _SLOWEST)
    return _State(moved, tolls, min(1.0, state.share * grow), rate, price)


def _both_ways(table: Table, slopes: np.ndarray) -> Slopes:
    return Slopes(slopes, slopes[table.by_item], table.light)


def _step(
    table: Table, price: float, slopes: np.ndarray, alike: np.ndarray, rate: float
) -> np.ndarray:
    hulls = worth_hulls(table.k, price)
    items = table.kinds.items
    return next_slopes(items, hulls, table.function, table.light, slopes, alike, min(rate, 1e9))


def _price(table: Table, state: _State, rest: float) -> float:
    """Least price at which the bound holds with these slopes, if it is below the one known.

    The excess falls with the price at a rate from once to twice the entries, as a created entry
    is counted at most once for each kept one.
    """

    def excess(price: float) -> float:
        hulls = worth_hulls(table.k, price)
        heights = line_heights(table.kinds, hulls, table.function, state.slopes)
        return (heights + rest) * (1 + _SLACK) - price * table.entries

    high = state.price
    below = excess(high)
    if not below < 0:
        return high
    low = max(high + below / table.entries, 0.0)
    return least_price(excess, low=low, high=high, above=-below, below=below, accuracy=_ACCURACY)
