"""Notebook 09: right and wrong answers, and the search behind the smooth sensitivity."""

import math

import numpy as np
from scipy import sparse

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


RIGHT = {
    "09-R": ["global", "Global sensitivity", "the global one"],
    "09-C": [1996, 1996.0, (1000 - 2) * 2],
    "09-B": [
        (ring(4), without(ring(4), 0, 3)),
        (CHORDED, ring(5)),
        [sparse.csr_array(without(ring(4), 0, 1)), ring(4).tolist()],
    ],
    "09-P": [cut, by_single_steps, lambda *case: float(by_single_steps(*case))],
    "09-D": [LEAST, LEAST * 1.001, math.ceil(LEAST)],
    "09-O": [PLAN, PLAN | {"total": 1.004}, PLAN | {"epsilon": (0.3, 0.3, 0.4)}],
}

WRONG = {
    "09-R": ["local", "smooth", "all"],
    "09-C": [40, 499, 998, 2000, 1998],
    "09-B": [
        ((ring(4), ring(4)), "the same"),
        ((ring(4), without(without(ring(4), 0, 3), 0, 1)), "differ in 2 edges"),
        (([[0, 1], [1, 0]], [[0, 0], [0, 0]]), "local sensitivity is 0"),
        ((ring(5), without(ring(5), 0, 1)), "equally wide"),
        ((ring(4), ring(5)), "differ in size"),
        ((ring(7), ring(7)), "2 to 6 nodes"),
        (([[1, 0], [0, 0]], ring(3)[:2, :2]), "0 on the diagonal"),
        ("two graphs", "a pair of tables"),
    ],
    "09-P": [
        (lambda a, _, s, n: min(a + s, n - 2), "needs two changed edges"),
        (lambda a, _, s, n: min(a + s // 2, n - 2), "needs one edge only"),
        (lambda a, b, s, _: a + (s + min(s, b)) // 2, "have at most"),
        (lambda a, b, s, n: min(a + (s + min(s, b)) / 2, n - 2), "round down"),
        (lambda *_: 0, "a search finds 1."),
        (4, "a function"),
    ],
    "09-D": [
        (LEAST / 10, "enough for one count"),
        (LEAST * 10, "combine as a root"),
        (LEAST * 0.8, "more than 1"),
        (LEAST * 0.999, "round up"),
        (LEAST * 2, "use less"),
        (-1, "above 0"),
    ],
    "09-O": [
        ("edges", "a dict, please"),
        (["edges"], "a dict, please"),
        ({"counts": []}, "theta, epsilon"),
        (PLAN | {"counts": ["edges"]}, "all three counts"),
        (PLAN | {"counts": ["edges", "edges", "triangles"]}, "each once"),
        (PLAN | {"total": 0.5}, "add up to more"),
        (PLAN | {"total": 99}, "no more than their sum"),
        (PLAN | {"epsilon": 0.2}, "takes 3 numbers"),
        (PLAN | {"theta": 1}, "from 2"),
        (PLAN | {"theta": 2.5}, "whole number"),
        (PLAN | {"counts": ["edges", "triangles", "paths"]}, "got 'paths'"),
        (PLAN | {"why": "a guess"}, "without looking"),
    ],
}

SECRETS = {"09-C": "1996", "09-R": "global"}


def test_the_search_agrees_with_the_formula_and_the_hint_with_the_accounts():
    assert all(_searched(*case) == cut(*case) for case in _cases())
    assert len(_cases()) > 100
    assert math.isclose(gaussian_epsilon(1e-6, mu=10 / LEAST), 1.0, rel_tol=1e-6)
