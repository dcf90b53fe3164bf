"""Noise by OpenDP: its law, its own privacy relation, and what is refused."""

import importlib.metadata
import math
import sys
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse, stats

import pplab.vetted as vetted
from pplab import bipartite_noise_graph, recommend
from pplab.recommenders import similarity
from pplab.recommenders.similarity import MEASURES
from pplab.response import BipartiteNoiseGraph
from tests.helpers import ALPHA, count_fits, outcomes_fit

pytest.importorskip("opendp.prelude")

PATH = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])  # 0 and 2 have one friend in common
PAW = np.eye(5, k=1) + np.eye(5, k=-1)
PAW[[0, 2], [2, 0]] = 1  # a triangle with a tail of two
METHODS = {"cluster": np.zeros(3, dtype=int), "nou": None, "noe": None}


def released(method, sampler, *, items=30_000, epsilon=0.3, alike=3, **more):
    """Noise in the utilities of user 0, who hears of user 2 alone, with similarity 1.

    In clusters user 2 is one of so many.
    """
    likes = sparse.csr_array(np.outer([0, 0, 0.25], np.ones(items)))
    result = recommend(
        *(PATH, likes),
        **{"epsilon": epsilon, "measure": "cn", "top_n": items, "method": method, "users": [0]}
        | {"clusters": METHODS[method], "sampler": sampler, "return_utilities": True}
        | more,
    )
    truth = 0.25 / alike if method == "cluster" else 0.25
    return result, result.utilities[0] - truth


@pytest.mark.parametrize(
    ("method", "clusters", "alike"),
    [("cluster", [0, 0, 0], 3), ("cluster", [0, 0, 1], 1), ("nou", None, 1), ("noe", None, 1)],
)
def test_both_samplers_have_the_law_of_laplace_and_no_other_scale(method, clusters, alike):
    scale = 1 / 0.3 / alike
    for sampler, seed in (("vetted", None), ("teaching", 1)):
        result, noise = released(method, sampler, rng=seed, clusters=clusters, alike=alike)

        def fits(times, noise=noise):  # Kolmogorov-Smirnov, two-sided
            return stats.kstest(noise, stats.laplace(scale=scale * times).cdf).pvalue >= ALPHA

        # distances of .041 and .033, where .016 is allowed: missed once in 10^8 runs
        assert [fits(times) for times in (0.8, 1, 1.2)] == [False, True, False]
        assert (result.vetted is None) == (sampler == "teaching")
    assert released(method, "vetted", items=50)[1][0] != released(method, "vetted", items=50)[1][0]


def test_flips_have_the_exact_law_in_every_place(monkeypatch):
    monkeypatch.setattr(vetted, "_FLIPS_AT_ONCE", 64)  # many pieces, each with a first and a last
    row, copies = np.array([1, 0, 0, 1]), 20_000
    table = sparse.csr_array(np.tile(row, (copies, 1)))
    published = bipartite_noise_graph(table, flip_probability=0.2, sampler="vetted")
    assert (published.dtype, published.shape, set(published.data)) == (np.int32, table.shape, {1})
    flips = published.toarray() ^ row
    counts = np.bincount(flips @ [8, 4, 2, 1], minlength=16)
    for p in (0.2, 0.22):  # the second is missed once in 10^8 runs
        law = [p ** bin(n).count("1") * (1 - p) ** (4 - bin(n).count("1")) for n in range(16)]
        assert outcomes_fit(counts, law) == (p == 0.2)
    for there in (flips[0::16, 0], flips[15::16, 3]):  # the first and last cells of the pieces
        assert count_fits(there.sum(), len(there), 0.2)
    odd = bipartite_noise_graph([[1, 0, 1]] * 33, flip_probability=0.5, sampler="vetted")
    assert odd.shape == (33, 3)
    assert 0 < odd.nnz < 99


def test_opendp_states_no_more_than_was_asked_and_hardly_less():
    for epsilon in (1e-3, 0.1, 0.3, 1 / 3, 1.0, math.e, 7.77, 50.0, 1e9):
        for steps in (1, 3, 2**20, 2**46 - 12345):
            noise = vetted.GridLaplace(epsilon, steps=steps, grid=0.5)
            assert noise.measurement.check(steps, epsilon)
            assert not noise.measurement.check(steps, epsilon * (1 - 1e-12))
            result = noise.statement
            assert result.stated_epsilon == noise.measurement.map(steps)
            assert result.stated_epsilon <= result.epsilon == epsilon
    asked = Fraction(1, 10)  # the nearest float is above
    result = released("noe", "vetted", items=1, epsilon=asked)[0].vetted
    assert result.stated_epsilon <= result.epsilon < asked < float(asked)
    for p in (1e-300, 1e-6, 0.01, 0.1, 0.3, 0.4999, 0.5):
        mechanism = BipartiteNoiseGraph(p, sampler="vetted")
        flips, odds = vetted.GridFlips(p, mechanism.epsilon), (1 - Fraction(p)) / Fraction(p)
        result = mechanism.vetted
        assert flips.measurement.check(1, 2**21 * result.stated_epsilon)
        assert p == 0.5 or not flips.measurement.check(
            1, 2**21 * result.stated_epsilon * (1 - 1e-12)
        )
        with localcontext() as context:
            context.prec = 60
            true = (Decimal(odds.numerator) / Decimal(odds.denominator)).ln()
        assert true <= Decimal(result.stated_epsilon)
        stated = pytest.approx(result.stated_epsilon, rel=1e-12)
        assert result.epsilon == mechanism.epsilon == stated


@pytest.mark.parametrize("measure", MEASURES)
def test_an_edge_moves_the_utilities_by_the_stated_steps_and_no_more(measure):
    rng, users, exact = np.random.default_rng(5), len(PAW), similarity(PAW, measure=measure)
    near, noise = vetted.laplace_on_utilities(exact, 1.0)
    grid, most = noise.statement.grid, 0
    assert np.abs((near - exact).toarray()).max() <= grid * 2**19  # half a step of a similarity
    steps = near.sum(axis=0).max() / grid
    assert 2**45 <= steps <= 2**46 + users * 2**20
    assert noise.measurement.map(int(steps)) == noise.statement.stated_epsilon
    for cell in np.ndindex(users, 2):
        for pair in ((0.0, 1.0), (0.3, 0.8), (1.0, rng.random())):
            tables, likes = [], rng.random((users, 2))
            for weight in pair:
                likes[cell] = weight
                table = (near @ vetted.on_grid(sparse.csr_array(likes))).toarray() / grid
                assert np.array_equal(table, np.rint(table))  # whole steps: nothing is rounded
                tables.append(table)
            moved = np.abs(tables[0] - tables[1]).sum()
            assert moved <= steps
            most = max(most, moved)
    assert most == steps


def test_a_user_who_is_asked_for_twice_gets_one_draw():
    result = released("nou", "vetted", items=20, users=[0, 2, 0])[0]
    assert np.array_equal(result.items[0], result.items[2])
    assert np.array_equal(result.utilities[0], result.utilities[2])


def test_a_missing_or_old_opendp_is_named_with_its_extra(monkeypatch):
    ways = (
        lambda: released("cluster", "vetted", items=2),
        lambda: bipartite_noise_graph([[1]], flip_probability=0.1, sampler="vetted"),
        lambda: BipartiteNoiseGraph(0.1, sampler="vetted").vetted,
    )
    monkeypatch.setitem(sys.modules, "opendp.prelude", None)
    for way in ways:
        with pytest.raises(ModuleNotFoundError, match=r"opendp must .* the extra 'vetted': pip"):
            way()
    assert bipartite_noise_graph([[1]], flip_probability=0.0).nnz == 1  # teaching needs none
    monkeypatch.undo()
    monkeypatch.setattr(importlib.metadata, "version", lambda _: "0.14.1")
    for way in ways:
        with pytest.raises(ImportError, match=r"opendp must be 0.16 or newer, got 0.14.1"):
            way()
