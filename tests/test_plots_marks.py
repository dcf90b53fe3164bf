"""Markers side by side: every entry of the table is drawn at its row, apart from the others."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from pplab import plots

TABLE = pd.DataFrame({"cn": [0.1, 0.8], "katz": [0.2, 0.7]}, index=["random", "clusters"])


@pytest.fixture
def axes() -> Any:
    plt.switch_backend("agg")
    figure, axes = plots.new_figure()
    yield axes
    plt.close(figure)


def test_every_entry_has_a_marker_at_its_row(axes: Any) -> None:
    plots.marks(axes, TABLE, legend="measure")
    assert [label.get_text() for label in axes.get_xticklabels()] == ["random", "clusters"]
    first, second = axes.lines[:2]
    assert first.get_ydata().tolist() == [0.1, 0.8]
    assert second.get_ydata().tolist() == [0.2, 0.7]
    assert first.get_xdata().round().tolist() == [0, 1]
    assert (second.get_xdata() - first.get_xdata() > 0.2).all()
    assert first.get_marker() != second.get_marker()
    assert {first.get_linestyle(), second.get_linestyle()} == {"None"}


def test_the_legend_names_the_columns_and_can_be_left_out(axes: Any) -> None:
    plots.marks(axes, TABLE)
    assert axes.get_legend() is None
    plots.marks(axes, TABLE, legend="measure")
    legend = axes.get_legend()
    assert legend.get_title().get_text() == "measure"
    assert {text.get_text() for text in legend.get_texts()} == {"cn", "katz"}
