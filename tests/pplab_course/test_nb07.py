"""Notebook 07: an exact mean by hand, mechanisms that know two edges, a label's least level."""

import math
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
from scipy.stats import binom

from pplab.theory.optimal_mechanism import response_probabilities
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


def test_the_second_try_at_a_label_casts_no_doubt_on_a_unit_that_is_right():
    texts = [check("07-D", (5, 148, "edge")).message for _ in range(3)]
    assert not any("unit" in each for each in texts)
