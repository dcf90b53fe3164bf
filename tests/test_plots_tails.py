"""Bars beyond a bound are hatched; lines stand at their place, or are named at the border."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest

from pplab import plots

TICKS, SHARES = np.array([0.0, 1, 2, 3, 4]), np.array([0.1, 0.4, 0.3, 0.2])


@pytest.fixture
def axes() -> Any:
    plt.switch_backend("agg")
    figure, axes = plots.new_figure()
    yield axes
    plt.close(figure)


def hatched(axes: Any) -> list[float]:
    return [bar.get_height() for bar in axes.patches if bar.get_hatch()]


@pytest.mark.parametrize(("bound", "beyond"), [(2.0, [0.3, 0.2]), (-1.0, SHARES), (9.0, [])])
def test_what_lies_beyond_the_bound_is_hatched(axes: Any, bound: float, beyond: Any) -> None:
    plots.tail_bars(axes, TICKS, SHARES, bound=bound)
    assert hatched(axes) == pytest.approx(list(beyond))
    assert sorted(bar.get_height() for bar in axes.patches) == pytest.approx(sorted(SHARES))
    assert list(axes.texts) == []


def test_near_lines_are_drawn_and_far_ones_named_at_the_border(axes: Any) -> None:
    lines = {"printed": 2.0, "corrected": 50.0, "low": -50.0, "beside": 5.5}
    plots.tail_bars(axes, TICKS, SHARES, bound=2.0, lines=lines)
    assert [line.get_xdata()[0] for line in axes.lines] == [2.0, 5.5]
    assert len({line.get_linestyle() for line in axes.lines}) == 2
    assert [text.get_text() for text in axes.texts] == [
        "printed",
        "corrected: 50 →",
        "← low: -50",
        "beside",
    ]
    low, high = axes.get_xlim()
    assert low < 0
    assert 5.5 < high < 6
    tops = [line.get_ydata()[1] for line in axes.lines]
    assert min(tops) > SHARES.max()
    assert axes.get_ylim()[1] > max(tops)
