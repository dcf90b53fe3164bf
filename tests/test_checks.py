"""Numbers of every kind at the doors: refused in one short sentence that names the argument."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

import pplab
from pplab.checks import check_integer, check_levels, check_positive, check_rating_range, shown
from pplab.response import BipartiteNoiseGraph

FRIENDS = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
RATINGS = [[5, 3], [1, 2], [4, 4]]
HUGE = (10**400, -(10**5000), Fraction(10**400))
TINY = Fraction(1, 10**400)  # not 0, and 0.0 as a float


def recommended(**setting):
    """A recommendation that takes an epsilon or a number of items."""
    setting = {"epsilon": 1.0, "top_n": 1} | setting
    return pplab.recommend(FRIENDS, FRIENDS, measure="cn", method="nou", rng=1, **setting)


DOORS = {
    "categorical epsilon": (partial(pplab.categorical_response, RATINGS, levels=5), "epsilon"),
    "epsilon of a flip": (pplab.epsilon_to_flip, ""),
    "recommend epsilon": (recommended, "epsilon"),
    "jaccard_bound epsilon": (
        partial(pplab.jaccard_bound, density=0.1, cells=1000, delta=0.05, form="exact"),
        "epsilon",
    ),
    "flip": (partial(pplab.bipartite_noise_graph, RATINGS), "flip_probability"),
    "top_rating": (
        partial(pplab.weighted_noise_graph, RATINGS, flip_probability=0.1, noise_weights="uniform"),
        "top_rating",
    ),
    "sigma": (partial(pplab.gaussian_noise, RATINGS, rating_range=(1, 5)), "sigma"),
    "gain": (partial(pplab.v_mdav, RATINGS, 2), "gain"),
    "seconds": (partial(pplab.smooth_k_anonymize, [[1], [1]], 2), "seconds"),
}


def complaint(door, argument, value):
    """What is wrong with the answer to a bad value; nothing where it is refused as it should be."""
    given = {argument: value} if argument else {}
    try:
        door(*(() if argument else (value,)), **given)
    except (TypeError, ValueError) as refusal:
        sentence = str(refusal)
        if (argument or "epsilon") in sentence and "got" in sentence and len(sentence) < 300:
            return []
        return [f"says {sentence[:300]!r}"]
    except Exception as other:
        return [f"{type(other).__name__}: {other}"]
    return ["answers"]


def test_numbers_that_no_float_holds_are_refused():
    found = [
        f"{name}={shown(value)} {said}"
        for name, (door, argument) in DOORS.items()
        for value in (*HUGE, TINY, np.longdouble("1e4000"), Decimal("0.5"), None, "1", True, 1j)
        for said in complaint(door, argument, value)
        if not (name == "seconds" and value is None)  # no limit in seconds
    ]
    assert found == []


def test_counts_that_no_memory_holds_are_refused():
    doors = {
        "levels": partial(pplab.categorical_response, RATINGS, epsilon=1.0),
        "shape": partial(pplab.exact_epsilon, BipartiteNoiseGraph(0.25), unit="edge"),
        "k": partial(pplab.mdav, RATINGS),
    }
    found = [
        f"{argument}={shown(value)} {said}"
        for argument, door in doors.items()
        for value in (2**31, 2**63, 10**400, 10**5000, np.uint64(2**63))
        for given in ([value, (value, 2)] if argument == "shape" else [value])
        for said in complaint(door, argument, given)
    ]
    assert found == []


def test_a_list_of_levels_is_finite_and_lists_none_twice():
    assert check_levels((3, 1.0, 2.5)) == (1, 2.5, 3)
    assert check_levels(np.array([2, 1])) == (1, 2)
    for levels in ([Fraction(1, 3), 1 / 3], [1, True], [10**30], [], np.array(3), [np.inf], "12"):
        with pytest.raises((TypeError, ValueError), match="levels must be"):
            check_levels(levels)


def test_a_number_of_numpy_is_a_number():
    assert check_integer("k", np.int8(3), minimum=2) == 3
    assert type(check_integer("k", np.int8(3), minimum=2)) is int
    assert check_positive("gain", np.float32(0.5)) == 0.5
    with pytest.raises(TypeError, match="rating_range must be a pair"):
        check_rating_range(np.array(2))


def test_what_cannot_be_shown_is_named():
    class Silent:
        def __repr__(self):
            raise RuntimeError("no words")

    assert shown(np.float64(0.5)) == "0.5"
    assert shown("a\nb" * 1000).count("\n") == 0
    assert "Silent" in shown(Silent())
    for value in (10**5000, [10**5000], [[0] * 10**6], {"a": "b" * 10**6}, np.zeros(10**6)):
        assert len(shown(value)) <= 80
