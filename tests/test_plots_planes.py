"""Risk against cost: points stand where they belong, a risk of 0 too, and one can be marked."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from pplab import plots

POINTS = pd.DataFrame({"parameter": [9.0, 2.0], "dr": [0.0, 40.0], "sse": [120.0, 65.0]})


@pytest.fixture
def axes() -> Any:
    plt.switch_backend("agg")
    figure, axes = plots.new_figure()
    yield axes
    plt.close(figure)


def test_the_axis_shows_every_risk_and_names_its_ends(axes: Any) -> None:
    plots.risk_axis(axes, ends=True)
    low, high = axes.get_xlim()
    assert low < 0
    assert high > 100
    assert [label.get_text() for label in axes.get_xticklabels()] == ["0", "0.1", "1", "10", "100"]
    assert "hard to link" in axes.texts[0].get_text()
    assert "easy to link" in axes.texts[1].get_text()
    assert axes.get_xlabel() == "disclosure risk, %"
    places = axes.transData.transform([(risk, 1) for risk in (0, 0.1, 1, 10, 100)])[:, 0]
    assert (places[1:] - places[:-1] > 20).all()  # also the ticks 0 and 0.1 stand apart


def test_a_path_goes_from_the_smallest_parameter_to_the_largest(axes: Any) -> None:
    plots.risk_path(axes, POINTS, y="sse", place=0, names={2: "MDAV, k = 2"})
    [line] = axes.lines
    assert line.get_xdata().tolist() == [40, 0]
    assert line.get_ydata().tolist() == [65, 120]
    [text] = axes.texts
    assert (text.get_text(), text.xy) == ("MDAV, k = 2", (40, 65))


def test_a_marked_release_stands_out_and_the_others_step_back(axes: Any) -> None:
    plots.risk_path(axes, POINTS, y="sse", place=1, marked=9)
    path, spot = axes.lines
    assert path.get_alpha() < 0.5
    assert (spot.get_xdata()[0], spot.get_ydata()[0]) == (0, 120)
    assert spot.get_markersize() > 2 * path.get_markersize()
    assert spot.get_color() == path.get_color()


def test_a_parameter_that_was_not_run_is_refused(axes: Any) -> None:
    with pytest.raises(KeyError):
        plots.risk_path(axes, POINTS, y="sse", place=0, marked=3)
