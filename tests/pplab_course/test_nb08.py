"""Notebook 08: hidden fractions tell mistakes apart, settings are judged by exact chances."""

import math

from pplab.theory.jaccard_bound import jaccard_bound


def gap(a, b, x):
    return x * (a + b) / (b * (b - x)), a + b <= 2 * b * (b - x)


def by_subtraction(a, b, x):
    difference = (a + x) / (b - x) - a / b
    return [difference, difference <= 2 * x]


def form(name):
    """The library's bound of this form."""
    return lambda density, cells, epsilon, delta: jaccard_bound(
        density=density, cells=cells, epsilon=epsilon, delta=delta, form=name
    )


def tail(share, over=1, looks=2, log=math.log):
    """A bound whose tail is a share of x for so many looks, over a power of b."""

    def bound(density, cells, epsilon, delta):
        flip = 1 / (1 + math.exp(epsilon))
        b = density + flip * (1 - density)
        x = math.sqrt(log(looks / delta) / 2 / cells)
        return density * (1 - flip) / b + share * x / b**over

    return bound


one_look = tail(1, looks=1)


def answered(second):
    """The right gap, and something in place of True or False."""
    return lambda a, b, x: (gap(a, b, x)[0], second)
