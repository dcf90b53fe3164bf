"""The estimator is unbiased with the stated variance, by exact enumeration."""

from fractions import Fraction

import numpy as np
import pytest

from pplab.response.estimators import estimate_edges
from pplab.response.noise_graph import BipartiteNoiseGraph

GRAPH = np.array([[1, 0, 1], [0, 0, 1]])


def moments(law, estimate):
    values = [(estimate(np.array(out)), float(q)) for out, q in law.items()]
    mean = sum(v * q for v, q in values)
    return mean, sum((v - mean) ** 2 * q for v, q in values)


@pytest.mark.parametrize("p", [Fraction(1, 10), Fraction(2, 5)])
def test_edges_are_unbiased_with_the_stated_variance(p):
    law = BipartiteNoiseGraph(p).distribution(GRAPH)
    mean, variance = moments(law, lambda g: estimate_edges(g, flip_probability=p).value)
    assert mean == pytest.approx(3)
    found = estimate_edges(GRAPH, flip_probability=p)
    assert (variance, 0) == (pytest.approx(found.variance), found.bias)
