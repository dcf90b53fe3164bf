"""Notebook 07: an exact mean by hand, mechanisms that know two edges, a label's least level."""

import math
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
from scipy.stats import binom

from pplab.theory.optimal_mechanism import optimal_mechanism, response_probabilities
from pplab_course.exercises import check

LN3 = math.log(3)
RESPONSE = response_probabilities(4, LN3)


def mean(edges, cells, p, *, empty=1, turned=False):
    """The mean of J from the two counts; `empty` is the J of two empty graphs."""
    total, p = 0, 1 - p if turned else p
    for kept, invented in product(range(edges + 1), range(cells - edges + 1)):
        chance = comb(edges, kept) * (1 - p) ** kept * p ** (edges - kept)
        rest = cells - edges - invented
        chance *= comb(cells - edges, invented) * p**invented * (1 - p) ** rest
        total += chance * (Fraction(kept, edges + invented) if edges + invented else empty)
    return total


def by_scipy(edges, cells, p):
    """The same from two binomial laws, which take no fractions."""
    kept, invented = np.arange(edges + 1), np.arange(cells - edges + 1)
    chances = np.outer(binom.pmf(kept, edges, 1 - p), binom.pmf(invented, cells - edges, p))
    published = edges + np.maximum(invented, 1 - edges)  # J is 1 where both are empty
    similar = (kept[:, None] + (edges + invented == 0)) / published
    return float((chances * similar).sum())


def mixed(share, output=0):
    """Randomized response whose output is now and then replaced by one graph, the empty one."""
    table = (1 - share) * RESPONSE
    table[:, output] += share
    return table


def by_heart(truth, first=0b0011):
    """Two edges always; cell 2 is told truly with this probability."""
    table = np.zeros((16, 16))
    for graph in range(16):
        table[graph, first] = 1 - truth if graph & 4 else truth
        table[graph, first | 4] = truth if graph & 4 else 1 - truth
    return table


NEGATIVE = RESPONSE.copy()
NEGATIVE[3, :2] = -0.1, RESPONSE[3, :2].sum() + 0.1
LABEL = (9.93, 20_537, "edge")

RIGHT = {
    "07-R": ["larger", "Larger", "more"],
    "07-C": [math.log(1 / 3.14e-5), 10.37, 10.4, np.float64(10.3687)],
    "07-P": [mean, lambda *graph: float(mean(*graph)), by_scipy],
    "07-B": [by_heart(0.75), by_heart(0.7).tolist(), by_heart(0.75, 0b1001)],
    "07-D": [
        LABEL,
        [math.log(0.3 / 0.7 / 2.09e-5), 20_506, "Edge"],
        (9.929, math.exp(9.929), "one edge"),
    ],
    "07-O": [mixed(0.15), mixed(0.05).tolist(), optimal_mechanism(4, LN3).probabilities],
}

WRONG = {
    "07-R": ["same", "smaller", ("twice", "not yet")],
    "07-C": [
        *(4.50, 31_847, -10.37, 9.675, 11.06),
        (10.3, "right but for"),
        (10, "right but for rounding"),
    ],
    "07-P": [
        (lambda e, c, p: (1 - p) * e / (e + p * (c - e)), "a quotient of two means"),
        (lambda *graph: mean(*graph, empty=0), "Without an edge"),
        (lambda *graph: mean(*graph, turned=True), "you exchanged p and"),
        (lambda e, *_: 1 / (e - e), "ZeroDivisionError"),
    ],
    "07-B": [
        (RESPONSE, "the best pair of neighbours keeps 0.633"),
        (np.eye(16), "Not private enough"),
        (by_heart(0.8), "4 : 1"),
        (by_heart(0.52), "is not above 0.85"),
        (by_heart(0.75).T, "transpose the table"),
        (by_heart(0.75)[:8], "got shape (8, 16)"),
    ],
    "07-D": [
        ((4.31, 20_506, "edge"), "natural logarithm"),
        ((5, 148, "edge"), "less than 0.3"),
        ((10.8, 49_000, "edge"), "more than was asked"),
        ((9.93, 9.93, "edge"), "do not belong"),
        ((9.93, 20_506, "author"), "flipped by itself"),
        ((9.93, 20_506, "link"), "one of the words"),
        (9.93, "three things"),
        ((9.92, 20_330, "edge"), "Rounded down"),
        ((20_506, 9.93, "edge"), "comes first"),
        ((9.93, 20_400, "edge"), "right but for rounding"),
        (("9.93", 20_506, "edge"), "takes a number"),
    ],
    "07-O": [
        (mixed(0.1, output=15), "the worst graph does"),
        (RESPONSE, "graphs with 0 of 4"),
        (mixed(0.6), "graphs with 1 of 4"),
        (mixed(0.0001), "is asked for"),
        (response_probabilities(4, 2.0), "Not private enough"),
        (response_probabilities(3, LN3), "got shape (8, 8)"),
        (mixed(0.15).round(6), "row 1 sums to 0.999999, not to 1: do not round"),
        (mixed(0.15).T, "transpose the table"),
        (NEGATIVE, "row 3 holds -0.1"),
    ],
}

# A hint must not hold the answer: the exercise and the answer in words.
SECRETS = {"07-R": "larger", "07-C": "10.37", "07-D": "20,506"}


def test_the_second_try_at_a_label_casts_no_doubt_on_a_unit_that_is_right():
    texts = [check("07-D", (5, 148, "edge")).message for _ in range(3)]
    assert not any("unit" in each for each in texts)
