"""Estimators: unbiased with the stated variance, checked by exact enumeration and by samples."""

from fractions import Fraction

import numpy as np
import pytest

from pplab import bipartite_noise_graph
from pplab.response import (
    BipartiteNoiseGraph,
    NoiseGraph,
    estimate_degrees,
    estimate_density,
    estimate_edges,
)

GRAPH = np.array([[1, 0, 1], [0, 0, 1]])
TRIANGLE_AND_ONE = np.array([[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0]])


def moments(law, estimate):
    values = [(estimate(np.array(out)), float(q)) for out, q in law.items()]
    mean = sum(v * q for v, q in values)
    return mean, sum((v - mean) ** 2 * q for v, q in values)


@pytest.mark.parametrize("p", [Fraction(1, 10), Fraction(2, 5)])
def test_edges_are_unbiased_with_the_stated_variance(p):
    law = BipartiteNoiseGraph(p).distribution(GRAPH)
    mean, variance = moments(law, lambda g: estimate_edges(g, flip_probability=p).value)
    assert mean == pytest.approx(3)
    assert variance == pytest.approx(estimate_edges(GRAPH, flip_probability=p).variance)


def test_unipartite_edges_and_degrees_are_unbiased():
    p = Fraction(1, 5)
    law = NoiseGraph(p).distribution(TRIANGLE_AND_ONE)
    options = {"flip_probability": p, "unipartite": True}
    mean, variance = moments(law, lambda g: estimate_edges(g, **options).value)
    assert mean == pytest.approx(3)
    assert variance == pytest.approx(estimate_edges(TRIANGLE_AND_ONE, **options).variance)
    for node, degree in enumerate((2, 2, 2, 0)):
        mean, variance = moments(law, lambda g, v=node: estimate_degrees(g, **options).value[v])
        assert mean == pytest.approx(degree)
        assert variance == pytest.approx(estimate_degrees(TRIANGLE_AND_ONE, **options).variance)


@pytest.mark.parametrize(("axis", "degrees"), [("users", [2, 1]), ("items", [1, 0, 2])])
def test_degrees_of_both_sides_are_unbiased(axis, degrees):
    p = Fraction(1, 4)
    law = BipartiteNoiseGraph(p).distribution(GRAPH)
    for place, degree in enumerate(degrees):

        def estimate(g, v=place):
            return estimate_degrees(g, flip_probability=p, axis=axis).value[v]

        assert moments(law, estimate)[0] == pytest.approx(degree)


def test_density_is_edges_over_cells():
    noisy = bipartite_noise_graph(GRAPH, flip_probability=0.2, rng=1)
    edges = estimate_edges(noisy, flip_probability=0.2)
    density = estimate_density(noisy, flip_probability=0.2)
    assert density.value == pytest.approx(edges.value / 6)
    assert density.standard_deviation == pytest.approx(edges.standard_deviation / 6)
    assert density.bias == edges.bias == 0


def test_wrong_p_biases_the_estimate():
    """The check can fail: another p does not give the true count."""
    law = BipartiteNoiseGraph(Fraction(1, 10)).distribution([[1, 0, 0], [0, 0, 0]])
    mean, _ = moments(law, lambda g: estimate_edges(g, flip_probability=0.2).value)
    assert mean < 0.5  # the true count is 1


@pytest.mark.parametrize("estimate", [estimate_edges, estimate_degrees, estimate_density])
def test_pure_noise_is_refused(estimate):
    with pytest.raises(ValueError, match="below 1/2 here"):
        estimate(GRAPH, flip_probability=0.5)


def test_unknown_axis_is_refused():
    with pytest.raises(ValueError, match="axis must be one of"):
        estimate_degrees(GRAPH, flip_probability=0.1, axis="rows")
