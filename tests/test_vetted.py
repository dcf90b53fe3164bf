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
from pplab.response import BipartiteNoiseGraph
from tests.helpers import ALPHA, count_fits, outcomes_fit
from tests.recommenders.social_twins import MEASURES

pytest.importorskip("opendp.prelude")

PATH = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])  # 0 and 2 have one friend in common
PAW = np.array(
    [[0, 1, 1, 0, 0], [1, 0, 1, 0, 0], [1, 1, 0, 1, 0], [0, 0, 1, 0, 1], [0, 0, 0, 1, 0]]
)
LEVELS = (1e-3, 0.1, 0.3, 1 / 3, 1.0, math.e, 7.77, 50.0, 1e9)
METHODS = {"cluster": np.zeros(3, dtype=int), "nou": None, "noe": None}


def released(method, sampler, *, items=30_000, epsilon=0.3, **more):
    """Noise in the utilities of user 0, who hears of user 2 alone, with similarity 1."""
    likes = sparse.csr_array(np.outer([0, 0, 0.25], np.ones(items)))
    found = recommend(
        *(PATH, likes),
        **{"epsilon": epsilon, "measure": "cn", "top_n": items, "method": method, "users": [0]}
        | {"clusters": METHODS[method], "sampler": sampler, "return_utilities": True}
        | more,
    )
    truth = 0.25 / 3 if method == "cluster" else 0.25
    return found, found.utilities[0] - truth


@pytest.mark.parametrize("method", METHODS)
def test_both_samplers_have_the_law_of_laplace_and_no_other_scale(method):
    scale = 1 / 0.3 / (3 if method == "cluster" else 1)
    for sampler, seed in (("vetted", None), ("teaching", 1)):
        found, noise = released(method, sampler, rng=seed)

        def fits(times, noise=noise):  # Kolmogorov-Smirnov, two-sided
            return stats.kstest(noise, stats.laplace(scale=scale * times).cdf).pvalue >= ALPHA

        assert fits(1)
        # distances of .033 and .041, where .016 is allowed: missed once in 10^8 runs
        assert not fits(1.2)
        assert not fits(0.8)
        assert (found.vetted is None) == (sampler == "teaching")
    assert released(method, "vetted", items=50)[1][0] != released(method, "vetted", items=50)[1][0]


def test_flips_have_the_exact_law_in_every_place(monkeypatch):
    monkeypatch.setattr(vetted, "_FLIPS_AT_ONCE", 64)  # many pieces, each with a first and a last
    row, copies = np.array([1, 0, 0, 1]), 20_000
    table = sparse.csr_array(np.tile(row, (copies, 1)))
    published = bipartite_noise_graph(table, flip_probability=0.2, sampler="vetted")
    assert (published.dtype, published.shape, set(published.data)) == (np.int8, table.shape, {1})
    flips = published.toarray() ^ row
    counts = np.bincount(flips @ [8, 4, 2, 1], minlength=16)
    for p in (0.2, 0.22):  # the second is missed once in 10^8 runs
        law = [p ** bin(n).count("1") * (1 - p) ** (4 - bin(n).count("1")) for n in range(16)]
        assert outcomes_fit(counts, law) == (p == 0.2)
    for place in ((0, 0), (15, 3)):  # the first and the last cell of the pieces
        there = flips[place[0] :: 16, place[1]]
        assert count_fits(there.sum(), len(there), 0.2)
    odd = bipartite_noise_graph([[1, 0, 1]] * 33, flip_probability=0.5, sampler="vetted")
    assert odd.shape == (33, 3)
    assert 0 < odd.nnz < 99


def test_opendp_states_no_more_than_was_asked_and_hardly_less():
    for epsilon in LEVELS:
        for sensitivity in (1, 3, 2**20, 2**46 - 12345):
            if epsilon < sensitivity / 2.0**58:
                continue
            noise = vetted.GridLaplace(epsilon=epsilon, sensitivity=sensitivity, grid=0.5)
            assert noise.measurement.check(sensitivity, epsilon)
            assert not noise.measurement.check(sensitivity, epsilon * (1 - 1e-12))
            told = noise.statement
            assert told.stated_epsilon == noise.measurement.map(sensitivity)
            assert told.stated_epsilon <= told.epsilon == epsilon
            assert told.scale == pytest.approx(sensitivity / epsilon / 2)
    asked = Fraction(1, 10)  # the nearest float is above
    told = released("noe", "vetted", items=1, epsilon=asked)[0].vetted
    assert told.stated_epsilon <= told.epsilon < asked < float(asked)
    for p in (1e-300, 1e-6, 0.01, 0.1, 0.3, 0.4999, 0.5):
        mechanism = BipartiteNoiseGraph(p, sampler="vetted")
        flips, odds = mechanism._vetted_flips(), (1 - Fraction(p)) / Fraction(p)
        told = mechanism.vetted
        assert flips.measurement.check(1, 2**21 * told.stated_epsilon)
        assert p == 0.5 or not flips.measurement.check(1, 2**21 * told.stated_epsilon * (1 - 1e-12))
        with localcontext() as context:
            context.prec = 60
            true = (Decimal(odds.numerator) / Decimal(odds.denominator)).ln()
        assert true <= Decimal(told.stated_epsilon)
        assert told.epsilon == mechanism.epsilon == pytest.approx(told.stated_epsilon, rel=1e-12)


@pytest.mark.parametrize("measure", MEASURES)
def test_an_edge_moves_the_whole_numbers_by_the_sensitivity_and_no_more(measure):
    rng, users = np.random.default_rng(5), len(PAW)
    whole, noise = vetted.laplace_on_utilities(similarity(PAW, measure=measure), 1.0)
    bits = noise.statement.grid * 2**20  # what one step of a similarity is worth
    near = similarity(PAW, measure=measure).toarray()
    assert np.abs(whole.toarray() * bits - near).max() <= bits / 2 * (1 + 1e-9)
    assert 2**25 - users <= whole.sum(axis=0).max() <= 2**26 + users
    sensitivity, most = whole.sum(axis=0).max() * 2**20, 0
    assert noise.measurement.map(int(sensitivity)) == noise.statement.stated_epsilon
    for cell in np.ndindex(users, 2):
        for one, other in ((0.0, 1.0), (0.3, 0.8), (1.0, rng.random())):
            tables, likes = [], rng.random((users, 2))
            for weight in (one, other):
                likes[cell] = weight
                tables.append((whole @ vetted.in_parts(sparse.csr_array(likes))).toarray())
            moved = np.abs(tables[0] - tables[1]).sum()
            assert moved <= sensitivity
            most = max(most, moved)
    assert most == sensitivity


def test_a_user_who_is_asked_for_twice_gets_one_draw():
    found = released("nou", "vetted", items=20, users=[0, 2, 0])[0]
    assert np.array_equal(found.items[0], found.items[2])
    assert np.array_equal(found.utilities[0], found.utilities[2])
    assert not np.array_equal(found.utilities[0], found.utilities[1])


def test_what_the_vetted_sampler_does_not_take_is_refused():
    many = sparse.csr_array((2**14, 2**14), dtype=np.int8)
    wide = sparse.csr_array((2**16, 2**16), dtype=np.int8)
    for change, sentence in (
        ({"sampler": "openssl"}, "sampler must be one of 'teaching', 'vetted', got 'openssl'"),
        ({"sampler": None}, "sampler must be one of"),
        ({"rng": 1}, "rng must be None with sampler 'vetted', got int; a seed is a key"),
        ({"rng": np.random.default_rng(1)}, "rng must be None .*, got Generator"),
        ({"method": "exact"}, "sampler must be 'teaching' .* got 'vetted' with 'exact'"),
        ({"method": "lrm"}, "sampler must be 'teaching'"),
        ({"epsilon": math.inf}, r"epsilon must lie in .* with sampler 'vetted', got inf"),
        ({"epsilon": 1e-30}, r"epsilon must lie in \[3.6e-12, inf\) .*, got 1e-30"),
        ({"epsilon": 1e-4, "method": "nou"}, r"epsilon must lie in \[0.00012, inf\)"),
        ({"social": many, "preferences": many}, "at most 134,217,728 numbers, got 268,435,456"),
        ({"social": many, "preferences": many, "method": "nou"}, "must draw at most"),
    ):
        arguments = {"social": PATH, "preferences": [[1, 0]] * 3, "epsilon": 1.0, "top_n": 1}
        arguments |= {"measure": "cn", "method": "noe", "sampler": "vetted"} | change
        with pytest.raises(ValueError, match=sentence):
            recommend(**arguments)
    for change, sentence in (
        ({"sampler": "opendp"}, "sampler must be one of"),
        ({"rng": 0}, "a seed is a key"),
        ({"flip_probability": 0}, r"must lie in \[1e-300, 1/2\] with sampler 'vetted', got 0"),
        ({"flip_probability": 1e-310}, "must lie in"),
        ({"biadjacency": wide}, "at most 2,147,483,648 numbers, got 4,294,967,296 cells"),
    ):
        arguments = {"biadjacency": [[1, 0]], "flip_probability": 0.1, "sampler": "vetted"}
        with pytest.raises(ValueError, match=sentence):
            bipartite_noise_graph(**(arguments | change))


def test_a_missing_or_old_opendp_is_named_with_its_extra(monkeypatch):
    ways = (
        lambda: released("cluster", "vetted", items=2),
        lambda: bipartite_noise_graph([[1]], flip_probability=0.1, sampler="vetted"),
        lambda: BipartiteNoiseGraph(0.1, sampler="vetted").vetted,
    )
    monkeypatch.setitem(sys.modules, "opendp.prelude", None)
    for way in ways:
        with pytest.raises(
            ModuleNotFoundError, match=r"opendp must .*'vetted': pip install 'pplab"
        ):
            way()
    assert bipartite_noise_graph([[1]], flip_probability=0.0).nnz == 1  # teaching needs none
    monkeypatch.undo()
    monkeypatch.setattr(importlib.metadata, "version", lambda _: "0.14.1")
    for way in ways:
        with pytest.raises(ImportError, match=r"opendp must be 0.16 or newer, got 0.14.1"):
            way()
