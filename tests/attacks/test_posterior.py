"""Posteriors of edges against Bayes' rule by enumeration."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import sparse

from pplab.attacks import edge_posterior
from pplab.attacks.posterior import posterior_of_looks
from pplab.response import BipartiteNoiseGraph, bipartite_noise_graph

SHAPE = (2, 2)
CELLS = list(product(range(2), repeat=2))


def bayes(published, p, prior):
    """Posterior of each cell by adding up all 16 graphs."""
    mechanism = BipartiteNoiseGraph(p)
    key = tuple(map(tuple, np.asarray(published).tolist()))
    total, with_edge = Fraction(0), dict.fromkeys(CELLS, Fraction(0))
    for bits in product((0, 1), repeat=4):
        graph = np.array(bits).reshape(SHAPE)
        weight = mechanism.distribution(graph)[key]
        for cell in CELLS:
            weight *= prior[cell] if graph[cell] else 1 - prior[cell]
        total += weight
        for cell in CELLS:
            with_edge[cell] += weight * int(graph[cell])
    return {cell: float(with_edge[cell] / total) for cell in CELLS}


@pytest.mark.parametrize("published", [[[0, 0], [0, 0]], [[1, 0], [0, 1]], [[1, 1], [1, 1]]])
@pytest.mark.parametrize("p", [Fraction(1, 10), Fraction(2, 5)])
def test_a_number_as_prior_meets_bayes_by_enumeration(published, p):
    expected = bayes(published, p, dict.fromkeys(CELLS, Fraction(1, 5)))
    found = edge_posterior(published, flip_probability=p, prior=0.2)
    for cell in CELLS:
        assert found.at(*cell) == pytest.approx(expected[cell])
        wanted = found.stored if published[cell[0]][cell[1]] else found.absent
        assert wanted == pytest.approx(expected[cell])


@pytest.mark.parametrize("form", [np.array, sparse.csr_array, sparse.coo_array])
def test_a_matrix_as_prior_meets_bayes_by_enumeration(form):
    prior = [[Fraction(1, 2), Fraction(1, 10)], [Fraction(0), Fraction(1)]]
    published = [[1, 0], [1, 0]]
    expected = bayes(published, Fraction(1, 4), {c: prior[c[0]][c[1]] for c in CELLS})
    found = edge_posterior(
        published, flip_probability=0.25, prior=form(np.array(prior, dtype=float))
    )
    rows, columns = np.array(CELLS).T
    assert found.at(rows, columns) == pytest.approx([expected[cell] for cell in CELLS])
    assert found.stored.nnz == 1  # the published cell with prior 0 stays impossible
    assert found.absent.nnz == 2


def test_wrong_posteriors_would_be_noticed():
    expected = bayes([[1, 0], [0, 1]], Fraction(1, 10), dict.fromkeys(CELLS, Fraction(1, 5)))
    for p, prior in ((0.12, 0.2), (0.1, 0.24)):
        found = edge_posterior([[1, 0], [0, 1]], flip_probability=p, prior=prior)
        assert found.stored != pytest.approx(expected[0, 0], rel=0.02)


def test_posteriors_are_calibrated():
    """Of the published cells with posterior q, a share q are true edges."""
    rng = np.random.default_rng(1)
    truth = sparse.csr_array((rng.random((400, 500)) < 0.02).astype(int))
    published = bipartite_noise_graph(truth, flip_probability=0.05, rng=2)
    found = edge_posterior(published, flip_probability=0.05, prior=0.02)
    kept = int((truth * published).sum())
    for edges, cells, posterior in (
        (kept, published.nnz, found.stored),
        (truth.nnz - kept, 200_000 - published.nnz, found.absent),
    ):
        assert abs(edges - cells * posterior) < 5 * np.sqrt(cells * posterior * (1 - posterior))


def test_noise_without_end_teaches_nothing_and_no_noise_all():
    even = edge_posterior([[1, 0]], flip_probability=0.5, prior=0.3)
    assert even.stored == pytest.approx(0.3)
    assert even.absent == pytest.approx(0.3)
    clear = edge_posterior([[1, 0]], flip_probability=0.0, prior=0.3)
    assert (clear.stored, clear.absent) == (1.0, 0.0)


@pytest.mark.parametrize("prior", [0.0, 1.0])
def test_certainty_stays_certain(prior):
    found = edge_posterior([[1, 0]], flip_probability=1e-300, prior=prior)
    assert found.stored == found.absent == prior


def test_many_looks_do_not_overflow():
    assert posterior_of_looks(0.5, 10_000, 10_000, flip_probability=0.01) == 1
    assert posterior_of_looks(0.5, 0, 10_000, flip_probability=0.01) == 0


def test_a_large_release_is_not_densified():
    """200,000 x 200,000 cells: a dense table would need 320 GB."""
    size = 200_000
    release = sparse.csr_array(([1, 1], ([0, 7], [3, 9])), shape=(size, size))
    found = edge_posterior(release, flip_probability=0.1, prior=0.001)
    assert found.at([7, 8], [9, 9]) == pytest.approx([found.stored, found.absent])
    prior = sparse.csr_array(([0.5], ([0], [3])), shape=(size, size))
    found = edge_posterior(release, flip_probability=0.1, prior=prior)
    assert found.at([0, 7, 8], [3, 9, 9]) == pytest.approx([0.9, 0, 0])


@pytest.mark.parametrize(
    ("p", "prior", "sentence"),
    [
        (0.6, 0.1, "flip_probability must lie in"),
        (0.1, 1.1, "prior must lie in"),
        (0.1, float("nan"), "prior must lie in"),
        (0.1, True, "prior must be a number"),
        (0.1, [[0.1, 0.2]], "same shape"),
        (0.1, [[0.1, 0.2], [0.3, -0.1]], "prior must lie in"),
    ],
)
def test_bad_arguments_are_refused_in_a_sentence(p, prior, sentence):
    with pytest.raises((TypeError, ValueError), match=sentence):
        edge_posterior([[1, 0], [0, 1]], flip_probability=p, prior=prior)
