"""The house style: alternative texts, colours that differ in grey, small and stable pictures."""

from __future__ import annotations

import base64
import io
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from PIL import Image
from scipy import sparse

from pplab import plots


@pytest.fixture(autouse=True)
def _own_canvas() -> Any:
    plt.switch_backend("agg")
    yield
    plt.close("all")


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[tuple[dict[str, str], dict[str, Any]]]:
    """What `show` hands to the notebook."""
    caught: list[tuple[dict[str, str], dict[str, Any]]] = []

    def display(bundle: dict[str, str], *, metadata: dict[str, Any], raw: bool) -> None:
        assert raw
        caught.append((bundle, metadata))

    monkeypatch.setattr("pplab.plots.display.display", display)
    monkeypatch.setattr("pplab.plots.display.get_ipython", object)
    return caught


ALT = 'Of 8 noise edges 4 "remove" an edge & 4 < 5 add one.'


def test_a_figure_carries_its_text_in_every_form(shown: list[Any]) -> None:
    figure, axes = plots.new_figure()
    axes.plot([1, 2])
    plots.show(figure, alt=ALT)
    [(bundle, metadata)] = shown
    assert metadata == {"image/png": {"alt": ALT}}
    assert bundle["text/plain"] == f"Figure: {ALT}"
    assert "&quot;remove&quot; an edge &amp; 4 &lt; 5" in bundle["text/html"]
    assert bundle["image/png"] in bundle["text/html"]
    assert not plt.get_fignums(), "a shown figure is closed"


@pytest.mark.parametrize("alt", ["", "a figure", "plot of p"])
def test_a_text_that_says_nothing_is_refused(alt: str, shown: list[Any]) -> None:
    figure, _ = plots.new_figure()
    with pytest.raises(ValueError, match="alt must tell the figure's message"):
        plots.show(figure, alt=alt)
    assert shown == []


def _picture(shown: list[Any]) -> bytes:
    figure, axes = plots.new_figure()
    plots.bars(axes, pd.Series({"a": 1.0, "b": 2.0}), label="edges")
    plots.show(figure, alt="Two bars, of heights 1 and 2.")
    return base64.b64decode(shown[-1][0]["image/png"])


def test_the_same_figure_gives_the_same_bytes_and_names_no_program(shown: list[Any]) -> None:
    first, second = _picture(shown), _picture(shown)
    assert first == second
    assert len(first) < 60_000
    assert "Software" not in Image.open(io.BytesIO(first)).info


def test_new_figures_change_no_setting_of_the_reader() -> None:
    before = dict(plt.rcParams)
    figure, _ = plots.new_figure(2, 2)
    plots.style(3)
    assert dict(plt.rcParams) == before
    plt.close(figure)


def test_series_differ_without_colour() -> None:
    looks = [plots.style(index) for index in range(6)]
    for sign in ("color", "linestyle", "marker"):
        assert len({str(look[sign]) for look in looks}) == 6
    assert plots.style(7) == plots.style(1)
    grey = [np.dot(to_rgb(colour), (0.299, 0.587, 0.114)) for colour in plots.COLOURS.values()]
    assert max(grey) < 0.75, "lines must be seen on white paper"


def test_cells_are_drawn_with_their_values_and_crosses() -> None:
    table = sparse.csr_array(np.array([[5, 0, 3], [0, 4, 0]]))
    _, axes = plots.new_figure()
    crossed = np.array([[True, False, False], [False, False, True]])
    plots.cells(axes, table, title="ratings", text="{:.0f}", crossed=crossed, numbered=True)
    assert [text.get_text() for text in axes.texts] == ["5", "0", "3", "0", "4", "0"]
    [crosses] = axes.lines
    assert crosses.get_xydata().tolist() == [[0.5, 0.5], [2.5, 1.5]]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["0", "1", "2"]
    top, bottom = axes.get_ylim()[::-1]
    assert top < bottom, "the first user is at the top"


def test_bars_are_hatched_and_labelled() -> None:
    _, axes = plots.new_figure()
    plots.bars(axes, pd.Series({"a": 0.5071, "b": 0.3}), label="share")
    assert [text.get_text() for text in axes.texts] == ["0.507", "0.3"]
    assert axes.patches[0].get_hatch() != axes.patches[1].get_hatch()
    assert axes.get_ylabel() == "share"


def test_each_curve_is_named_on_itself() -> None:
    frame = pd.DataFrame({"p": [0.1] * 3 + [0.2] * 3, "x": [1, 2, 3] * 2, "y": range(6)})
    _, axes = plots.new_figure()
    plots.curves(axes, frame, x="x", y="y", by="p")
    assert [text.get_text() for text in axes.texts] == ["0.1", "0.2"]
    assert [text.xy for text in axes.texts] == [(2, 1), (2, 4)]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x", "y")


def test_the_ends_of_an_axis_say_what_they_mean() -> None:
    _, axes = plots.new_figure()
    plots.end_labels(axes, "more private", "more accurate")
    assert [text.get_text() for text in axes.texts] == ["← more private", "more accurate →"]


def test_a_group_has_a_marker_and_an_outline_of_its_own() -> None:
    points = np.array([[0, 0], [2, 0], [2, 2], [0, 2], [1, 1], [5, 5], [6, 5], [9, 9]])
    labels = [0, 0, 0, 0, 0, 1, 1, -1]
    _, axes = plots.new_figure()
    plots.groups(axes, points, labels, means=True)
    square, segment = (patch.get_xy() for patch in axes.patches)
    assert set(map(tuple, square.tolist())) == {(0, 0), (2, 0), (2, 2), (0, 2)}  # (1, 1) is inside
    assert set(map(tuple, segment.tolist())) == {(5, 5), (6, 5)}
    outlines = [(patch.get_edgecolor(), patch.get_linestyle()) for patch in axes.patches]
    assert outlines[0][0] != outlines[1][0]
    assert outlines[0][1] != outlines[1][1]
    first, its_mean, second, _, alone = axes.lines
    assert first.get_marker() != second.get_marker()
    assert its_mean.get_xydata().tolist() == [[1, 1]]
    assert alone.get_fillstyle() == "none"
    assert alone.get_xydata().tolist() == [[9, 9]]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_groups_on_a_line_are_outlined_too(count: int) -> None:
    _, axes = plots.new_figure()
    plots.groups(axes, [[place, 1] for place in range(count)], [0] * count)
    [outline] = axes.patches
    places = {place for place, _ in outline.get_xy()}
    assert places == {0, count - 1}
