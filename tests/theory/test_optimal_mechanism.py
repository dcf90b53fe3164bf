"""The best mechanism on a few cells against Theorem 4.3 and randomized response."""

import math

import numpy as np
import pytest

from pplab.theory import edge_level, optimal_jaccard, response_probabilities, worst_case_jaccard
from pplab.theory.jaccard_law import jaccard_by_enumeration
from pplab.theory.optimal_mechanism import Orbits, optimal_mechanism, similarities
from pplab_papers.smooth import theorem_4_3

LN3 = math.log(3)


@pytest.mark.parametrize("cells", [1, 2, 4, 6])
def test_without_edges_the_sharper_form_is_met(cells):
    bound = theorem_4_3.largest_jaccard(epsilon=LN3, cells=cells, edges=0)
    assert bound == pytest.approx(3 / (3 + cells))
    assert optimal_jaccard(cells, LN3, edges=[0, 1]) == pytest.approx(bound, abs=1e-6)
    assert optimal_jaccard(cells, LN3) == pytest.approx(bound, abs=1e-6)  # on all graphs too


def all_pairs(cells):
    """Every pair of graphs a variable of its own: the same program without its symmetry."""
    edges, _, similarity = similarities(cells)
    number = len(edges)
    places = np.arange(number**2).reshape(number, number)
    ends = [(g, g ^ (1 << c)) for g in range(number) for c in range(cells) if not g >> c & 1]
    return Orbits(
        inputs=np.repeat(np.arange(number), number),
        edges=np.repeat(edges, number),
        similarity=similarity.ravel(),
        outputs=np.ones(number**2),
        neighbours=np.concatenate([np.stack([places[a], places[b]], axis=1) for a, b in ends]),
        places=places,
    )


@pytest.mark.parametrize(("cells", "epsilon"), [(1, 0.0), (2, 0.4), (3, LN3)])
def test_symmetry_loses_nothing(cells, epsilon, monkeypatch):
    asked = (None, [1], [cells - 1, cells])
    results = [optimal_jaccard(cells, epsilon, edges=edges) for edges in asked]
    monkeypatch.setattr("pplab.theory.optimal_mechanism.orbits", all_pairs)
    full = [optimal_jaccard(cells, epsilon, edges=edges) for edges in asked]
    assert results == pytest.approx(full, abs=1e-6)


@pytest.mark.parametrize(("cells", "epsilon"), [(3, LN3), (4, 6.0), (4, 60.0)])
def test_the_mechanism_is_private_and_as_good_as_said(cells, epsilon):
    result = optimal_mechanism(cells, epsilon)
    assert edge_level(result.probabilities) == pytest.approx(epsilon, abs=1e-6)
    assert worst_case_jaccard(result.probabilities) == pytest.approx(result.jaccard)
    assert result.probabilities.sum(axis=1) == pytest.approx(np.ones(2**cells))
    bound = theorem_4_3.largest_jaccard(epsilon=epsilon, cells=cells, edges=0)
    assert result.jaccard == pytest.approx(bound, abs=1e-6)


def test_similarities_are_those_of_the_copies():
    table = response_probabilities(5, LN3)
    assert edge_level(table) == pytest.approx(LN3)
    for edges in range(6):
        law = jaccard_by_enumeration(edges=edges, cells=5, flip_probability=0.25)
        mean = float(sum(j * share for j, share in law.items()))
        assert worst_case_jaccard(table, edges=[edges]) == pytest.approx(mean)
