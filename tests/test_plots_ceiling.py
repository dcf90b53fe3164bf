"""Curves below a ceiling."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from pplab.plots import below_certificate, new_figure


@pytest.fixture(autouse=True)
def _closed() -> None:
    plt.switch_backend("agg")
    plt.close("all")


STEPS = pd.Index([2, 8, 64], name="k")
FRAME = pd.DataFrame(
    {"recipe": [50.0, 20, 1], "ours": [70, np.nan, 8], "certificate": [71, 50, 13]}, index=STEPS
)


def test_each_column_is_a_curve_over_steps_at_equal_distances() -> None:
    _, axes = new_figure()
    below_certificate(axes, FRAME, at=8)
    curves = axes.get_lines()[1:]
    for line, name in zip(curves, FRAME, strict=True):
        assert line.get_xdata().tolist() == [0, 1, 2]
        np.testing.assert_array_equal(line.get_ydata(), FRAME[name])
    assert axes.get_lines()[0].get_xdata() == [1, 1]
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["2", "8", "64"]
    assert axes.get_xlabel() == "k"


def test_names_stand_at_the_last_points_and_do_not_cover_each_other() -> None:
    _, axes = new_figure()
    below_certificate(axes, FRAME, at=2)
    heights = {text.get_text(): text.xy[1] for text in axes.texts}
    assert set(heights) == set(FRAME)
    assert heights["recipe"] == 1
    assert (np.diff(sorted(heights.values())) > 5).all()


def test_what_nobody_reaches_is_shaded() -> None:
    _, axes = new_figure()
    below_certificate(axes, FRAME, at=2)
    [shade] = axes.collections
    box = shade.get_paths()[0].get_extents()
    assert (box.ymin, box.ymax) == (13, 100)


def test_a_step_that_is_not_there_is_refused() -> None:
    _, axes = new_figure()
    with pytest.raises(ValueError, match="not in list"):
        below_certificate(axes, FRAME, at=3)
