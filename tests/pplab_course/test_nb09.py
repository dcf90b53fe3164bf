"""Notebook 09: right and wrong answers, and the search behind the smooth sensitivity."""

import math

import numpy as np

from pplab.tradeoff import gaussian_epsilon, gaussian_mu
from pplab_course.nb09_counts_of_a_graph import _cases, _searched


def ring(nodes):
    table = np.eye(nodes, k=1, dtype=int)
    table[0, -1] = 1
    return table + table.T


def without(table, i, j):
    other = table.copy()
    other[i, j] = other[j, i] = 0
    return other


LEAST = 10 / gaussian_mu(1.0, 1e-6)
CHORDED = ring(5)
CHORDED[0, 2] = CHORDED[2, 0] = 1
PLAN = {
    "counts": ["edges", "triangles", "degrees"],
    "theta": 30,
    "epsilon": [0.1, 0.5, 0.4],
    "total": 1,
    "why": "the site lets nobody trust more than thirty people",
}


def cut(a, b, s, n):
    return min(a + (s + min(s, b)) // 2, n - 2)


def by_single_steps(a, b, s, n):
    ready = min(s, b)
    return min(n - 2, a + ready + max(0, s - ready) // 2)


def test_the_search_agrees_with_the_formula_and_the_hint_with_the_accounts():
    assert all(_searched(*case) == cut(*case) for case in _cases())
    assert len(_cases()) > 100
    assert math.isclose(gaussian_epsilon(1e-6, mu=10 / LEAST), 1.0, rel_tol=1e-6)
