"""The weighted mechanism protects no edge, whatever the norm; the repair does."""

import math
from fractions import Fraction

import pytest

from pplab.papers.noise_graphs.theorems import OnLevels, unused_level_leak, weighted_refutation
from pplab.response.ratings import NORMS, WeightedNoiseGraph
from pplab.theory.composition import PostProcessed
from pplab.theory.exact import compare_inputs

LEVELS = (1, 2, 3, 4, 5)


@pytest.mark.parametrize("p", [Fraction(1, 100), Fraction(1, 2)])
def test_every_norm_has_the_same_worst_output(p):
    found = weighted_refutation(flip_probability=p)
    assert set(found) == set(NORMS)
    assert len(found) == 4
    for norm, worst in found.items():
        assert worst.odds == math.inf, norm
        assert worst.output == ((None,),)
        assert worst.pair[0] == ((None,),)


def test_noise_drawn_from_the_data_tells_which_ratings_occur():
    p = Fraction(1, 4)
    found = unused_level_leak(flip_probability=p)
    assert (found.odds, found.output) == (math.inf, 3)
    assert found.pair[0] == ((4, 3, None),)

    for weights in ("uniform", [3], [1, 4]):  # public ones tell nothing in an empty cell
        mechanism = OnLevels(WeightedNoiseGraph(p, 5, noise_weights=weights), LEVELS)
        last = PostProcessed(mechanism, lambda rows: rows[0][-1])
        assert compare_inputs(last, found.pair).odds == 1
