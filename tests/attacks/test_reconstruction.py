"""Likes from repeated releases: the error meets the binomial formula, and falls with the looks."""

from itertools import product

import numpy as np
import pytest
from scipy import sparse

from pplab.attacks import reconstruct_likes, reconstruction_error
from pplab.response import bipartite_noise_graph
from tests.helpers import count_fits

SHAPE = (40, 500)
CELLS = SHAPE[0] * SHAPE[1]


def releases_of(truth, p, looks, seed=1):
    streams = np.random.default_rng(seed).spawn(looks)
    return [bipartite_noise_graph(truth, flip_probability=p, rng=s) for s in streams]


def world(prior, seed=3):
    draws = np.random.default_rng(seed).random(SHAPE) < prior
    return sparse.csr_array(draws.astype(np.int8))


def mistakes(looks, p, prior):
    truth = world(prior)
    found = reconstruct_likes(releases_of(truth, p, looks), flip_probability=p, prior=prior)
    return int((found.likes != truth).sum()), found


@pytest.mark.parametrize(
    ("looks", "p", "prior"),
    [(1, 0.25, 0.5), (4, 0.25, 0.5), (9, 0.25, 0.5), (3, 0.1, 0.05), (8, 0.4, 0.05)],
)
def test_the_share_of_mistakes_is_the_exact_one(looks, p, prior):
    wrong, found = mistakes(looks, p, prior)
    assert count_fits(wrong, CELLS, found.expected_error)
    assert found.expected_error == reconstruction_error(looks, flip_probability=p, prior=prior)


@pytest.mark.parametrize("fault", [1.2, 1 / 1.2])
def test_a_wrong_error_formula_would_be_noticed(fault):
    wrong, found = mistakes(9, 0.25, 0.5)
    assert not count_fits(wrong, CELLS, found.expected_error * fault)


@pytest.mark.parametrize("prior", [0.5, 0.1, 0.01])
def test_the_formula_is_the_best_error_by_enumeration(prior):
    """No rule can beat the posterior: add up the smaller joint probability of all looks."""
    p, looks = 0.2, 5
    best = 0.0
    for seen in product((0, 1), repeat=looks):
        ones = sum(seen)
        like = prior * (1 - p) ** ones * p ** (looks - ones)
        none = (1 - prior) * p**ones * (1 - p) ** (looks - ones)
        best += min(like, none)
    found = reconstruction_error(looks, flip_probability=p, prior=prior)
    assert found == pytest.approx(best)


def test_more_releases_leave_fewer_mistakes():
    errors = reconstruction_error([1, 5, 25, 125], flip_probability=0.3, prior=0.05)
    assert (np.diff(errors) < 0).all()
    assert errors[-1] < 1e-5
    assert errors[0] == pytest.approx(0.05)  # one look is not enough to call anything a like


def test_posterior_of_each_count():
    looks = [[[1, 1, 0]], [[1, 0, 0]]]
    found = reconstruct_likes(looks, flip_probability=0.25, prior=0.5)
    assert found.posterior.toarray()[0, :2] == pytest.approx([0.9, 0.5])
    assert found.unseen == pytest.approx(0.1)
    assert found.threshold == 2  # a tie is no like
    assert found.likes.nnz == 1


def test_a_sparse_prior_asks_for_more_looks():
    thresholds = [
        reconstruct_likes([[[1, 0]]] * 6, flip_probability=0.25, prior=prior).threshold
        for prior in (0.5, 0.1, 1e-9)
    ]
    assert thresholds[0] == 4
    assert thresholds[0] < thresholds[1] < thresholds[2]
    assert thresholds[2] == 7  # six looks are too few for any like


def test_a_large_graph_stays_sparse():
    release = sparse.csr_array(([1], ([5], [6])), shape=(200_000, 200_000))
    found = reconstruct_likes([release] * 3, flip_probability=0.1, prior=0.3)
    assert found.likes.nnz == 1
    assert found.posterior.nnz == 1


@pytest.mark.parametrize(
    ("looks", "p", "prior", "sentence"),
    [
        ([], 0.1, 0.1, "number of releases must be"),
        ([[[1, 0]], [[1]]], 0.1, 0.1, "same shape"),
        ([[[1, 0]]], 0.5, 0.1, "below 1/2"),
        ([[[1, 0]]], 0.1, 1.5, "prior must lie in"),
        ([[[1, 0]]], 0.1, 0.95, "lower the prior or add releases"),
    ],
)
def test_bad_arguments_are_refused_in_a_sentence(looks, p, prior, sentence):
    with pytest.raises(ValueError, match=sentence):
        reconstruct_likes(looks, flip_probability=p, prior=prior)
