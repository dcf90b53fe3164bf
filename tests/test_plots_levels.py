"""Curves over levels: steps in order, no noise last, names that do not hide each other."""

from __future__ import annotations

from math import inf
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from pplab import plots

ROWS = [("b", inf, 0.9), ("b", 0.1, 0.5), ("a", 0.1, 0.4), ("a", inf, 0.9), ("b", 1.0, 0.8)]
TABLE = pd.DataFrame(ROWS, columns=["data", "epsilon", "value"]).assign(se=0.01)


@pytest.fixture
def axes() -> Any:
    plt.switch_backend("agg")
    figure, axes = plots.new_figure()
    yield axes
    plt.close(figure)


def test_levels_are_steps_and_no_noise_is_the_last(axes: Any) -> None:
    plots.level_curves(axes, TABLE, by="data")
    assert [label.get_text() for label in axes.get_xticklabels()] == ["0.1", "1", "∞"]
    first, second = (container.lines[0] for container in axes.containers)
    assert first.get_xdata().tolist() == [0, 1, 2]
    assert first.get_ydata().tolist() == [0.5, 0.8, 0.9]
    assert second.get_xdata().tolist() == [0, 2]  # a level that was not measured is skipped
    assert first.get_linestyle() != second.get_linestyle()
    assert first.get_marker() != second.get_marker()


def test_intervals_are_two_standard_errors(axes: Any) -> None:
    plots.level_curves(axes, TABLE, by="data")
    [bars] = axes.containers[0].lines[2]
    low, high = bars.get_segments()[0][:, 1]
    assert (low, high) == pytest.approx((0.48, 0.52))


def test_names_stand_apart_though_the_curves_meet(axes: Any) -> None:
    plots.level_curves(axes, TABLE, by="data")
    assert {text.get_text() for text in axes.texts} == {"a", "b"}
    low, high = sorted(text.xyann[1] for text in axes.texts)
    assert high - low >= 10  # points


def test_levels_can_be_given_and_names_left_out(axes: Any) -> None:
    plots.level_curves(axes, TABLE, by="data", levels=(0.01, 0.1, 1.0, inf), named=False)
    assert axes.get_xticklabels()[0].get_text() == "0.01"
    assert axes.containers[0].lines[0].get_xdata().tolist() == [1, 2, 3]
    assert list(axes.texts) == []
