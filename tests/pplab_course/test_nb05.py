"""Notebook 05: hidden graphs that tell mistakes apart, chains of fakes, the best of partitions."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import sparse

from pplab.recommenders.clusters import error_parts
from pplab.recommenders.communities import modularity
from pplab.recommenders.similarity import similarity
from pplab.recommenders.utilities import utility_sensitivity
from pplab_course import nb05_social_recommendation as nb05
from pplab_course.exercises import check

SIMILAR, LIKES = nb05.similarities(nb05.circle([(9, 0)])), nb05.last_year()
HALVES = [0, 0, 0, 0, 0, 0, 1, 1, 1, 0]
CIRCLES = [0, 0, 1, 1, 1, 1, 2, 2, 2, 0]  # largest modularity
THIS_YEAR = [1, 0, 0, 0, 0, 0, 1, 1, 1, 0]  # the best on the likes of the notebook itself


def errors(labels):
    """Squared bias and noise variance of each row of labels, as means over users and items."""
    same = (labels[:, :, None] == labels[:, None, :]).astype(float)
    mean = same / same.sum(axis=2, keepdims=True)  # times likes: everyone's cluster average
    moved = np.matmul(SIMILAR, np.matmul(mean, LIKES) - LIKES)
    shares = np.matmul(SIMILAR, mean)
    noise = np.einsum("puv,pvv->p", shares**2, mean) / labels.shape[1]
    return (moved**2).mean(axis=(1, 2)), 2 / (3 / 2) ** 2 * noise


def total(labels):
    return float(np.add(*errors(np.asarray(labels, dtype=int)[None, :])).sum())


def partitions(users):
    """All partitions, each once: a user joins a cluster there is, or opens the next one."""
    rows = np.zeros((1, 0), dtype=np.int64)
    for _ in range(users):
        opened = rows.max(axis=1, initial=-1) + 2  # clusters to choose from
        chosen = np.concatenate([np.arange(count) for count in opened])
        rows = np.column_stack([np.repeat(rows, opened, axis=0), chosen])
    return rows


def climbed():
    """Move one account at a time as long as that helps."""
    labels = HALVES
    for _ in range(3):
        for user in range(10):
            moved = [[*labels[:user], group, *labels[user + 1 :]] for group in range(5)]
            labels = min(moved, key=total)
    return labels


def careless(social):
    common = nb05.similarities(social)
    social[:] = 0  # a student may change what it is given
    return common.sum(axis=0).max()


CHAINS = {"gd": [(10, 9)], "katz": [(10, 9), (11, 10)]}
WHY = "I would accept odds of three to one, and publish few items, those that a whole crowd likes."
PROMISE = {"preferences": 50, "epsilon": 1, "each": 0.02, "odds": math.e, "why": WHY}
PROMISE["noise"] = 2**0.5 / (115 * 0.02)
FIVE = {"epsilon": 5, "each": Fraction(1, 10), "odds": 148, "noise": 0.123}


@pytest.mark.parametrize("social", nb05.GRAPHS)
def test_the_hidden_graphs_are_judged_as_pplab_does(social):
    graph, common = sparse.csr_array(social), nb05.similarities(social)
    assert utility_sensitivity(graph, measure="cn") == common.sum(axis=0).max()
    np.testing.assert_allclose(similarity(graph, measure="cn").toarray(), common)


def test_errors_are_those_of_the_library():
    for labels in (HALVES, CIRCLES, list(range(10))):
        bias, noise = errors(np.array(labels)[None, :])
        parts = error_parts(nb05.circle([(9, 0)]), LIKES, labels, measure="cn", epsilon=1.5)
        assert bias[0] == pytest.approx((parts.approximation_rms**2).mean())
        assert noise[0] == pytest.approx((parts.perturbation**2).mean())


def test_the_least_error_and_the_largest_modularity_are_those_of_all_partitions():
    everything = partitions(10)
    assert len(np.unique(everything, axis=0)) == len(everything) == 115_975  # Bell's number
    largest = np.maximum.accumulate(everything, axis=1)
    assert (everything[:, 1:] <= largest[:, :-1] + 1).all()  # a new cluster takes the next number
    chunks = np.array_split(everything, 12)
    least = min(np.add(*errors(rows)).min() for rows in chunks)
    assert least == pytest.approx(nb05.LEAST, rel=1e-5)
    social = nb05.circle([(9, 0)])
    surplus = social - np.outer(social.sum(axis=0), social.sum(axis=0)) / social.sum()
    inside = (everything[:, :, None] == everything[:, None, :]).astype(np.int8)
    best = np.einsum("puv,uv->p", inside, surplus).max() / social.sum()
    assert modularity(social, nb05._MODULAR) == pytest.approx(best)


def test_no_other_number_of_fakes_in_the_chain_works():
    for near, far in product(range(4), repeat=2):
        arguments = {
            measure: [(10 + step, 9 + step) for step in range(count)]
            for measure, count in (("gd", near), ("katz", far))
        }
        assert bool(check("05-B", arguments)) == (arguments == CHAINS)
