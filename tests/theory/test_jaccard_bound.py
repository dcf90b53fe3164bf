"""Theorem 4.1: where the printed form fails, and that the others never do."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pplab.theory.jaccard_bound import (
    FORMS,
    chernoff_exponent,
    is_covered,
    jaccard_bound,
    violation_probability,
)
from pplab.theory.jaccard_law import jaccard_distribution

GRID = {
    "densities": [1e-4, 1e-3, 0.01, 0.5, 1.0],
    "cells": [100, 10**4, 10**5, 10**6],
    "epsilons": [0.0, 1.0, 3.0, 4.0, 5.8],
    "deltas": [1e-6, 0.05, 0.9],
}
KNOWN = [((1e-3, 10**6, 5.8, 0.05), 0.22), ((2e-5, 10**10, 9.0, 0.05), 0.40)]


@pytest.mark.parametrize(("setting", "share"), KNOWN)
def test_the_printed_form_is_exceeded_too_often(setting, share):
    named = dict(zip(("density", "cells", "epsilon", "delta"), setting, strict=True))
    assert is_covered(cells=named["cells"], epsilon=named["epsilon"], delta=named["delta"])
    assert violation_probability(**named, form="printed") == pytest.approx(share, abs=0.005)
    for form in FORMS[1:]:
        assert violation_probability(**named, form=form) <= named["delta"]


settings = st.integers(1, 10**6), st.floats(0, 12), st.floats(1e-9, 1, exclude_max=True)


@given(st.floats(1e-4, 1), *settings)
def test_forms_hold_and_keep_their_order(density, cells, epsilon, delta):
    """With or without the condition."""
    density = min(max(density, 1 / cells), 1.0)
    named = {"density": density, "cells": cells, "epsilon": epsilon, "delta": delta}
    value = {form: jaccard_bound(**named, form=form) for form in FORMS}
    near = 1e-12
    assert 0 <= value["exact"] <= value["chernoff"] + near
    assert value["chernoff"] <= value["line"] + near
    assert value["line"] <= value["corrected"] + near
    assert value["printed"] <= value["corrected"] <= 1
    for form in FORMS[1:]:
        assert violation_probability(**named, form=form) <= delta * (1 + 1e-9)


@given(st.floats(0.5, 1), *settings)
def test_on_dense_graphs_the_printed_form_holds(density, cells, epsilon, delta):
    """With half of delta to spare, and half the corrected tail is enough at any density."""
    edges = max(round(density * cells), (cells + 1) // 2)
    share = edges / cells
    named = {"density": share, "cells": cells, "epsilon": epsilon, "delta": delta}
    assert violation_probability(**named, form="printed") <= delta / 2 * (1 + 1e-9)


@pytest.mark.parametrize("similarity", [0.3, 0.4, 0.6])
def test_the_exponent_is_a_bound_on_the_law(similarity):
    law = jaccard_distribution(density=0.01, cells=10**5, epsilon=4.0)
    exponent = chernoff_exponent(similarity, edges=1000, cells=10**5, epsilon=4.0)
    if similarity < law.mean:
        assert exponent == 0
    else:  # not far above the truth either: Chernoff loses a polynomial factor
        truth = math.log(law.above(similarity)) if law.above(similarity) else -1000.0
        assert truth <= exponent <= max(truth * 0.6, -40)


@pytest.mark.parametrize("form", FORMS)
def test_large_levels_and_single_cells(form):
    one = {"density": 1.0, "cells": 1, "delta": 0.05}
    assert jaccard_bound(**one, epsilon=0.0, form=form) == 1
    assert jaccard_bound(**one, epsilon=1e300, form=form) == 1
    vast = {"density": 1e-5, "cells": 10**11, "delta": 0.05}
    assert jaccard_bound(**vast, epsilon=1e4, form=form) == 1
    assert jaccard_bound(**vast, epsilon=40.0, form=form) == 1
    assert 0.18 < jaccard_bound(**vast, epsilon=10.0, form=form) < 0.4


def test_bounds_fall_with_delta():
    setting = {"density": 0.01, "cells": 10**5, "epsilon": 3.0}
    deltas = (1e-300, 1e-6, 0.05, 0.5, 1 - 1e-12)
    for form in FORMS:
        values = [jaccard_bound(**setting, delta=delta, form=form) for delta in deltas]
        assert values == sorted(values, reverse=True)
