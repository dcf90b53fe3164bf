"""The house style: alternative texts, colours that differ in grey, small and stable pictures."""

import base64
import io
import re
from math import inf

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import same_color, to_rgb
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook
from PIL import Image
from scipy import sparse

from pplab import plots
from pplab.plots.curves import advantage_plane, score_lines
from tests.helpers import ROOT


@pytest.fixture(autouse=True)
def _own_canvas():
    plt.switch_backend("agg")
    yield
    plt.close("all")


@pytest.fixture
def axes():
    return plots.new_figure()[1]


def words(axes):
    return [text.get_text() for text in axes.texts]


def ticks(axes):
    return [label.get_text() for label in axes.get_xticklabels()]


@pytest.fixture
def shown(monkeypatch):
    """Output that `show` hands to the notebook."""
    caught = []

    def display(bundle, *, metadata, raw):
        assert raw
        caught.append((bundle, metadata))

    monkeypatch.setattr("IPython.display.display", display)
    monkeypatch.setattr("IPython.get_ipython", object)
    return caught


def test_a_figure_carries_its_text_in_every_form(shown):
    alt = 'Of 8 noise edges 4 "remove" an edge & 4 < 5 add one.'
    figure, axes = plots.new_figure()
    axes.plot([1, 2])
    plots.show(figure, alt=alt)
    [(bundle, metadata)] = shown
    assert metadata == {"image/png": {"alt": alt, "width": 640}}
    assert 'width="640"' in bundle["text/html"]
    assert Image.open(io.BytesIO(base64.b64decode(bundle["image/png"]))).width == 1280  # sharp
    assert bundle["text/plain"] == f"Figure: {alt}"
    assert "&quot;remove&quot; an edge &amp; 4 &lt; 5" in bundle["text/html"]
    assert bundle["image/png"] in bundle["text/html"]
    assert not plt.get_fignums(), "a shown figure is closed"


def test_figure_and_numbers_that_answer_a_question_are_folded(shown):
    figure, axes = plots.new_figure()
    axes.plot([1, 2])
    text = "from <here>" + 20 * " on"
    numbers = pd.DataFrame({"p": [0.1, 5e-5], "k": [3, 4], "J": [2 / 3, 98765.4], "said": text})
    plots.show(figure, alt="J is 0.67 at k = 3.", folded=numbers)
    [(bundle, _)] = shown
    assert re.match("<details><summary>[^<]+</summary><img [^>]+><table", bundle["text/html"])
    assert bundle["text/html"].endswith("</table></details>")
    cells = re.findall("<td>([^<]*)</td>", bundle["text/html"])
    assert cells[:3] == ["0.1", "3", "0.6667"]
    assert cells[4:7] == ["0.00005", "4", "98770"]
    assert cells[3] == text.replace("<", "&lt;").replace(">", "&gt;")
    assert "0.6667" in bundle["text/plain"]


def test_the_same_figure_gives_the_same_bytes_and_names_no_program(shown):
    for _ in range(2):
        figure, axes = plots.new_figure()
        plots.bars(axes, pd.Series({"a": 1.0, "b": 2.0}), label="edges")
        plots.show(figure, alt="Two bars, of heights 1 and 2.")
    first, second = (base64.b64decode(bundle["image/png"]) for bundle, _ in shown)
    assert first == second
    assert len(first) < 60_000
    assert "Software" not in Image.open(io.BytesIO(first)).info


def test_a_label_that_panels_repeat_stands_once(shown):
    figure, panels = plots.new_figure(2, 2)
    for place, axes in enumerate(panels.flat):
        axes.set(xlabel="p", ylabel="share", ylim=(0, 1 + (place == 3)))
    panels[0, 0].set_xlabel("another")
    plots.show(figure, alt="Four panels, three of them from 0 to 1.")
    assert shown
    labels = [(axes.get_xlabel(), axes.get_ylabel()) for axes in panels.flat]
    assert labels == [("another", "share"), ("", ""), ("p", "share"), ("p", "")]
    texts = [axes.yaxis.get_tick_params()["labelleft"] for axes in panels.flat]
    assert texts == [True, False, True, True]  # the last has a scale of its own


def test_square_tables_stand_whole_in_their_figure(shown):
    figure, panels = plots.new_figure(1, 3, width=9.5, height=3.4)
    for axes in panels:
        plots.cells(axes, np.eye(6), title="T")
        axes.set(xticks=np.arange(6), yticks=np.arange(6))
    plots.show(figure, alt="Three tables of 6 by 6 cells.")
    assert shown
    for axes in panels:
        box = axes.get_tightbbox()
        assert figure.bbox.y0 <= box.y0 < box.y1 <= figure.bbox.y1


def test_series_differ_without_colour_and_settings_stay_the_readers():
    before = dict(plt.rcParams)
    plots.new_figure(2, 2)
    looks = [plots.style(index) for index in range(6)]
    assert dict(plt.rcParams) == before
    for sign in ("color", "linestyle", "marker"):
        assert len({str(look[sign]) for look in looks}) == 6
    assert plots.style(7) == plots.style(1)
    grey = [np.dot(to_rgb(colour), (0.299, 0.587, 0.114)) for colour in plots.COLOURS.values()]
    assert max(grey) < 0.75, "lines must be seen on white paper"


def test_cells_are_drawn_with_their_values_and_crosses(axes):
    table = sparse.csr_array(np.array([[5, 0, 3], [0, 4, 0]]))
    crossed = np.array([[True, False, False], [False, False, True]])
    plots.cells(axes, table, title="ratings", text="{:.0f}", crossed=crossed)
    assert words(axes) == ["5", "0", "3", "0", "4", "0"]
    [crosses] = axes.lines
    assert crosses.get_xydata().tolist() == [[0.5, 0.5], [2.5, 1.5]]
    top, bottom = axes.get_ylim()[::-1]
    assert top < bottom, "the first user is at the top"


def test_bars_are_hatched_and_labelled(axes):
    plots.bars(axes, pd.Series({"a": 0.5071, "b": 0.3}), label="share")
    assert words(axes) == ["0.507", "0.3"]
    assert axes.patches[0].get_hatch() != axes.patches[1].get_hatch()
    assert axes.get_ylabel() == "share"


def test_each_curve_is_named_on_itself_and_ends_say_what_they_mean(axes):
    frame = pd.DataFrame({"p": [0.1] * 3 + [0.2] * 3, "x": [1, 2, 3] * 2, "y": range(6)})
    plots.curves(axes, frame, x="x", y="y", by="p")
    assert [(text.get_text(), text.xy) for text in axes.texts] == [("0.1", (2, 1)), ("0.2", (2, 4))]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x", "y")
    plots.end_labels(axes, "more private", "more accurate")
    assert axes.get_xlabel() == "x\n← more private · more accurate →"


def test_a_group_has_a_marker_and_an_outline_of_its_own(axes):
    points = np.array([[0, 0], [2, 0], [2, 2], [0, 2], [1, 1], [5, 5], [6, 5], [9, 9]])
    plots.groups(axes, points, [0, 0, 0, 0, 0, 1, 1, -1], means=True)
    square, segment = (patch.get_xy() for patch in axes.patches)
    assert set(map(tuple, square.tolist())) == {(0, 0), (2, 0), (2, 2), (0, 2)}  # (1, 1) is inside
    assert set(map(tuple, segment.tolist())) == {(5, 5), (6, 5)}
    first, its_mean, second, _, alone = axes.lines
    assert first.get_marker() != second.get_marker()
    assert its_mean.get_xydata().tolist() == [[1, 1]]
    assert alone.get_fillstyle() == "none"
    assert alone.get_xydata().tolist() == [[9, 9]]
    for count in (1, 2, 3):  # on a line
        _, axes = plots.new_figure()
        plots.groups(axes, [[place, 1] for place in range(count)], [0] * count)
        [outline] = axes.patches
        assert {place for place, _ in outline.get_xy()} == {0, count - 1}


def test_a_bar_is_split_and_its_wide_parts_are_written(axes):
    table = pd.DataFrame({"kept": [70.0, 20], "open": [2.0, 50], "lost": [28.0, 30]}, ["a", "b"])
    plots.split_bars(axes, table, label="J, %")
    assert words(axes) == ["70", "20", "50", "28", "30"]  # 2 has no room
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b"]
    parts = axes.patches
    assert [part.get_x() for part in parts] == [0, 0, 70, 20, 72, 70]
    assert len({(part.get_facecolor(), part.get_hatch()) for part in parts}) == 3
    assert [text.get_text() for text in axes.get_legend().get_texts()] == list(table)


def test_a_copy_shows_what_is_kept_lost_and_created(axes):
    original, published = (sparse.csr_array(each) for each in ([[1, 1, 0, 0]], [[1, 0, 1, 0]]))
    plots.copied(axes, original, published, title="k = 2")
    assert axes.get_images()[0].get_array().tolist() == [[1, 2, 3, 0]]
    assert axes.get_xlabel() == "dark: kept, grey: lost, orange: created"


def test_curves_over_k_have_bars_and_stars(axes):
    frame = pd.DataFrame({"one": [9.0, 5, 2], "other": [8, np.nan, 1]}, index=[2, 8, 64])
    plots.over_k(axes, frame, label="J, %", printed=(8, pd.Series({"one": 6.0})))
    heights = [line.get_ydata() for line in axes.get_lines()]
    assert [9, 5, 2] in [list(each) for each in heights]
    assert [6] in [list(each) for each in heights]  # the star
    assert ticks(axes) == ["2", "8", "64"]
    assert axes.get_legend_handles_labels()[1] == ["one, printed", "one", "other"]
    plots.over_k(axes, frame, label="J, %", spread=frame / 10)
    bars = axes.collections[-1].get_segments()  # of the last curve, its own points only
    assert [np.ptp(bar[:, 1]) for bar in bars] == pytest.approx([1.6, 0.2])


def test_bands_have_both_ends_and_a_line_at_the_lower_one(axes):
    frame = pd.DataFrame({"table": ["a", "a", "b"], "k": [2, 8, 8]})
    frame = frame.assign(kept=[0.9, 0.7, 0.4], bound=[0.95, 0.8, 0.5])
    plots.bands(axes, frame, low="kept", high="bound", label="J*(k)")
    assert [list(line.get_ydata()) for line in axes.get_lines()] == [[0.9, 0.7], [0.4]]
    segments = [each for drawn in axes.collections[1::2] for each in drawn.get_segments()]
    assert [tuple(each[:, 1]) for each in segments] == [(0.9, 0.95), (0.7, 0.8), (0.4, 0.5)]
    assert ticks(axes) == ["2", "8"]
    assert axes.get_legend_handles_labels()[1] == ["a", "b"]


def test_limits_have_the_colour_of_their_family_and_panels_share_a_legend():
    row = {"family": "noise graph", "at": "strength", "limit": np.nan, "attacker": ""}
    rows = [row | {"strength": s, "quantity": "recall", "value": s / 10} for s in (1, 2)]
    gained = row | {"attacker": "link", "quantity": "advantage", "low": 0.1, "high": 0.3}
    rows += [gained | {"strength": s, "value": 0.2, "limit": s / 4} for s in (1, 2)]
    figure, panels = plots.new_figure(1, 2)
    for panel in panels:
        advantage_plane(panel, pd.DataFrame(rows), attacker="link")
        [bars] = [drawn for drawn in panel.collections if len(drawn.get_offsets()) == 2]
        assert bars.get_offsets().tolist() == [[0.1, 0.25], [0.2, 0.5]]
        assert same_color(bars.get_edgecolor(), panel.lines[0].get_color())
        assert bars.get_sizes()[0] > panel.lines[0].get_markersize() ** 2
    [legend] = figure.legends
    named = [text.get_text() for text in legend.get_texts()]
    assert {"noise graph", "microaggregation", "limit of ε"} < set(named)
    assert len(named) == 5


def test_the_best_attacker_is_on_top_and_a_given_one_stands_out(axes):
    frame = pd.DataFrame({"attacker": ["a", "b"], "value": [0.5, -0.1], "given": [False, True]})
    frame = frame.assign(low=frame["value"] - 0.1, high=frame["value"] + 0.2, limit=0.75)
    score_lines(axes, frame, title="flips, 2")
    assert [label.get_text() for label in axes.get_yticklabels()] == ["b", "a"]
    arguments, other = (container.lines[0] for container in axes.containers)
    assert (arguments.get_xdata()[0], other.get_xdata()[0]) == (-0.1, 0.5)
    assert arguments.get_marker() != other.get_marker()
    [bar] = axes.containers[0].lines[2]
    assert bar.get_segments()[0][:, 0].tolist() == pytest.approx([-0.2, 0.1])
    assert [0.75, 0.75] in [list(line.get_xdata()) for line in axes.get_lines()]


def test_levels_are_steps_and_no_noise_is_the_last(axes):
    rows = [("b", inf, 0.9), ("b", 0.1, 0.5), ("a", 0.1, 0.4), ("a", inf, 0.9), ("b", 1.0, 0.8)]
    frame = pd.DataFrame(rows, columns=["data", "epsilon", "value"]).assign(se=0.01)
    plots.level_curves(axes, frame, by="data")
    assert ticks(axes) == ["0.1", "1", "∞"]
    first, second = (container.lines[0] for container in axes.containers)
    assert [round(place) for place in first.get_xdata()] == [0, 1, 2]
    assert first.get_ydata().tolist() == [0.5, 0.8, 0.9]
    assert [round(place) for place in second.get_xdata()] == [0, 2]  # not measured, not drawn
    assert second.get_xdata()[0] - first.get_xdata()[0] > 0.1  # equal curves stand side by side
    [bars] = axes.containers[0].lines[2]  # two standard errors
    assert bars.get_segments()[0][:, 1].tolist() == pytest.approx([0.48, 0.52])
    named = {text.get_text(): text for text in axes.texts}
    assert set(named) == {"a", "b", "●", "■"}  # black beside a mark of the curve
    assert (named["a"].get_color(), named["■"].get_color()) == ("black", second.get_color())


def test_every_entry_has_a_marker_at_its_row(axes):
    table = pd.DataFrame({"cn": [0.1, 0.8], "katz": [0.2, 0.7]}, index=["random", "clusters"])
    plots.marks(axes, table, legend="measure")
    legend = axes.get_legend()
    assert legend.get_title().get_text() == "measure"
    assert {text.get_text() for text in legend.get_texts()} == {"cn", "katz"}
    assert ticks(axes) == ["random", "clusters"]
    first, second = axes.lines[:2]
    assert first.get_ydata().tolist() == [0.1, 0.8]
    assert second.get_ydata().tolist() == [0.2, 0.7]
    assert first.get_xdata().round().tolist() == [0, 1]
    assert (second.get_xdata() - first.get_xdata() > 0.2).all()


def test_users_lines_and_roles(axes):
    places, friends = np.array([[0.0, 0], [1, 0], [2, 0.5], [2, -0.5]]), [(0, 1), (1, 2), (2, 3)]
    roles = {0: "fake", 1: "victim", 3: "fake"}
    plots.network(axes, places, friends, dashed=[(0, 3)], roles=roles)
    lines = [line for line in axes.lines if line.get_marker() == ""]
    ends = [{tuple(point) for point in np.column_stack(line.get_data())} for line in lines]
    expected = [{tuple(places[one]), tuple(places[other])} for one, other in [*friends, (0, 3)]]
    assert ends == expected
    assert [line.is_dashed() for line in lines] == [False, False, False, True]
    nodes = [line for line in axes.lines if line.get_markeredgecolor() == "black"]
    shapes = [line.get_marker() for line in nodes if line not in lines]
    assert len(shapes) == len(places)
    assert shapes[0] == shapes[3]
    assert len(set(shapes[:3])) == 3
    assert sorted(words(axes)) == sorted(["0", "1", "2", "3", "fake", "fake", "victim"])


def test_the_axis_shows_every_risk_and_names_its_ends(axes):
    plots.risk_axis(axes, ends=True)
    low, high = axes.get_xlim()
    assert low < 0
    assert high > 100
    assert ticks(axes) == ["0", "0.1", "1", "10", "100"]
    assert axes.get_xlabel() == "disclosure risk, %\n← hard to link · easy to link →"
    places = axes.transData.transform([(risk, 1) for risk in (0, 0.1, 1, 10, 100)])[:, 0]
    assert (places[1:] - places[:-1] > 20).all()  # also the ticks 0 and 0.1 stand apart


def test_a_path_goes_from_the_smallest_parameter_to_the_largest(axes):
    points = pd.DataFrame({"parameter": [9.0, 2.0], "dr": [0.0, 40.0], "sse": [120.0, 65.0]})
    plots.risk_path(axes, points, y="sse", place=0, names={2: "MDAV, k = 2"})
    [line] = axes.lines
    assert line.get_xdata().tolist() == [40, 0]
    assert line.get_ydata().tolist() == [65, 120]
    [text] = axes.texts
    assert (text.get_text(), text.xy) == ("MDAV, k = 2", (40, 65))
    axes = plots.new_figure()[1]
    plots.risk_path(axes, points, y="sse", place=1, marked=9)
    path, spot = axes.lines  # the marked release stands out
    assert (spot.get_xdata()[0], spot.get_ydata()[0]) == (0, 120)
    assert spot.get_markersize() > 2 * path.get_markersize()


class Uniform:
    """The law of a number between 0 and 4, each as likely as the others."""

    def above(self, value):
        return float(np.clip(1 - value / 4, 0, 1))

    def quantile(self, delta):
        return 4 * (1 - delta)


def test_what_lies_beyond_the_bound_is_hatched_and_lines_are_named():
    for bound, beyond in ((2.0, 0.5), (3.1, 0.225), (-1.0, 1), (9.0, 0)):
        axes = plots.new_figure()[1]
        plots.tail_bars(axes, Uniform(), bound=bound)
        hatched = [bar.get_height() for bar in axes.patches if bar.get_hatch()]
        assert sum(hatched) == pytest.approx(beyond, abs=0.001)
        assert sum(bar.get_height() for bar in axes.patches) == pytest.approx(1, abs=0.001)
        assert words(axes) == []
    lines = {"printed": 2.0, "corrected": 50.0, "low": -50.0, "beside": 5.5}
    axes = plots.new_figure()[1]
    plots.tail_bars(axes, Uniform(), bound=2.0, lines=lines)
    assert [line.get_xdata()[0] for line in axes.lines] == [2.0, 5.5]
    assert len({line.get_linestyle() for line in axes.lines}) == 2
    assert words(axes) == ["printed", "corrected: 50 →", "← low: -50", "beside"]


def test_paired_bars_cross_out_what_never_happens(axes):
    plots.paired_bars(axes, ["empty", 1, 2], [0.5, 0.25, 0.25], [0, 1, 0])
    assert len(axes.patches) == 6
    crosses = [line.get_xdata().tolist() for line in axes.lines]
    assert crosses == [[], [0.2, 2.2]]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["empty", "1", "2"]


def test_z_scores_name_the_worst_of_each_reading(axes):
    table = pd.DataFrame({0.1: [1.0, 40.0], 0.2: [-2.5, 3.0]}, index=["fits", "misses"])
    plots.z_scores(axes, table, title="One fits")
    assert [text.get_text() for text in axes.texts] == ["worst: 2.5", "worst: 40.0"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["fits", "misses"]
    low, high = axes.get_xlim()
    assert low < -200
    assert high > 200


def test_a_notebook_draws_a_figure_of_the_readers_own_after_one_of_ours():
    ours = "from pplab.plots import new_figure, show\n"
    ours += "show(new_figure()[0], alt='Of 8 noise edges 4 remove an edge.')"
    cells = [ours, "import matplotlib.pyplot as plt; plt.plot([1, 2])"]
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, timeout=120).execute()
    assert any("image/png" in output.get("data", {}) for output in notebook.cells[1].outputs)


def test_a_small_mark_keeps_its_colour_beside_large_areas(shown):
    figure, (small, large) = plots.new_figure(1, 2, width=9, height=4)
    colors = [plots.style(place)["color"] for place in range(3)]
    small.scatter([0, 1, 2], [0, 0, 0], color=colors)
    large.pcolormesh(np.random.default_rng(1).random((40, 40)), cmap="Blues")
    plots.show(figure, alt="3 marks beside a table of 1,600 cells.")
    drawn = Image.open(io.BytesIO(base64.b64decode(shown[0][0]["image/png"]))).convert("RGB")
    pixels = np.asarray(drawn, dtype=float).reshape(-1, 3)
    for color in colors:
        off = np.abs(pixels - 255 * np.array(to_rgb(color))).max(axis=1)
        assert off.min() < 16, f"no pixel has the colour {color}"


def test_colours_stand_in_one_place():
    files = [
        *ROOT.glob("pplab*/**/*.py"),
        *ROOT.glob("notebooks/src/*.py"),
        ROOT / "docs/picture.py",
    ]
    match = [
        file.name for file in files if re.search("#[0-9A-Fa-f]{6}\\b", file.read_text("utf-8"))
    ]
    assert match == ["style.py"]
