"""The house style: alternative texts, colours that differ in grey, small and stable pictures."""

import base64
import io
import re
from math import inf

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import Collection
from matplotlib.colors import same_color, to_hex, to_rgb
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Polygon
from matplotlib.ticker import AutoLocator
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook
from PIL import Image
from scipy import sparse  # noqa: F401 (of plots.txt)

from pplab import plots
from pplab.plots.curves import advantage_plane, score_lines  # noqa: F401 (of plots.txt)
from tests.helpers import ROOT


@pytest.fixture(autouse=True)
def _own_canvas():
    plt.switch_backend("agg")
    yield
    plt.close("all")


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


class Uniform:
    """The law of a number between 0 and 4, each as likely as the others."""

    def above(self, value):
        return float(np.clip(1 - value / 4, 0, 1))

    def quantile(self, delta):
        return 4 * (1 - delta)


def test_what_lies_beyond_the_bound_is_hatched():
    for bound, beyond in ((2.0, 0.5), (3.1, 0.225), (-1.0, 1), (9.0, 0)):
        axes = plots.new_figure()[1]
        plots.tail_bars(axes, Uniform(), bound=bound)
        hatched = [bar.get_height() for bar in axes.patches if bar.get_hatch()]
        assert sum(hatched) == pytest.approx(beyond, abs=0.001)
        assert sum(bar.get_height() for bar in axes.patches) == pytest.approx(1, abs=0.001)
        assert not axes.texts


LEVELS = pd.DataFrame(
    [("b", inf, 0.9), ("b", 0.1, 0.5), ("a", 0.1, 0.4), ("a", inf, 0.9), ("b", 1.0, 0.8)],
    columns=["data", "epsilon", "value"],
).assign(se=0.01)
POINTS = [[0, 0], [2, 0], [2, 2], [0, 2], [1, 1], [5, 5], [6, 5], [9, 9]]
SCORES = pd.DataFrame({"attacker": ["a", "b"], "value": [0.5, -0.1], "given": [False, True]})
SCORES = SCORES.assign(low=[0.4, -0.2], high=[0.7, 0.1], limit=0.75)
PARTS = pd.DataFrame({"kept": [70.0, 20], "open": [2.0, 50], "lost": [28.0, 30]}, ["a", "b"])
OVER_K = pd.DataFrame({"one": [9.0, 5, 2], "other": [8, np.nan, 1]}, index=[2, 8, 64])
BANDS = pd.DataFrame({"table": ["a", "a", "b"], "k": [2, 8, 8], "kept": [0.9, 0.7, 0.4]})
RISKS = pd.DataFrame({"parameter": [9.0, 2.0], "dr": [0.0, 40.0], "sse": [120.0, 65.0]})


# What each function draws, as text: plots.txt has a call, and below it what the axes then hold.
# After a change that CHANGELOG lists: `.venv/bin/python -m tests.test_plots`.


def rounded(values):
    return [float(f"{value:.4g}") + 0.0 for value in np.ravel(values).astype(float)]


NAMES = {to_hex(colour): name for name, colour in plots.COLOURS.items()}


def look(part):
    """Colour, hatch, marker and kind of line, as far as something has them."""
    color = part.get_color() if isinstance(part, Line2D) else part.get_facecolor()
    named = to_hex(color) if np.ndim(color) < 2 else to_hex(color[0]) if len(color) else ""
    more = [part.get_hatch()] if isinstance(part, Patch | Collection) else []
    if isinstance(part, Line2D):
        more = [part.get_marker(), str(part.get_linestyle()), part.get_fillstyle()]
        more += rounded([part.get_markersize(), part.get_linewidth()])
    return " ".join(str(each) for each in (NAMES.get(named, named), *more) if each)


def seen(axes):
    """All that was drawn, a line for each thing."""
    yield f"title {axes.get_title()!r}"
    for side, axis in enumerate((axes.xaxis, axes.yaxis)):
        yield f"{'xy'[side]} {axis.get_label_text()!r} {rounded(axis.get_view_interval())}"
        if not isinstance(axis.get_major_locator(), AutoLocator):  # where each stands, from 0 to 1
            texts = [label.get_text() for label in axis.get_ticklabels()]
            places = np.tile(axis.get_ticklocs(), (2, 1)).T
            shares = (axes.transScale + axes.transLimits).transform(places)[:, side]
            yield f"ticks {texts} {rounded(shares)}"
    for text in axes.texts:
        place = rounded(getattr(text, "xy", text.get_position()))
        yield f"text {text.get_text()!r} {to_hex(text.get_color())} {place}"
    for line in axes.lines:
        yield f"line {look(line)} {rounded(line.get_xdata())} {rounded(line.get_ydata())}"
    for patch in axes.patches:
        box = patch.get_xy() if isinstance(patch, Polygon) else patch.get_bbox().extents
        yield f"patch {look(patch)} {rounded(box)}"
    for drawn in axes.collections:
        paths = [path.vertices for path in drawn.get_paths()]
        yield f"marks {look(drawn)} {[rounded(path) for path in paths]}"
    for image in axes.get_images():
        yield f"image {rounded(image.get_array())}"
    yield f"named {axes.get_legend_handles_labels()[1]}"
    if legend := axes.get_legend():
        yield f"legend {[text.get_text() for text in (legend.get_title(), *legend.get_texts())]}"


RECORD = ROOT / "tests/plots.txt"
CALLS = re.findall(r"^\S.*", RECORD.read_text(encoding="utf-8"), re.MULTILINE)


def described(call):
    figure, axes = plots.new_figure()
    eval(call, {**globals(), "axes": axes})
    lines = [f"    {line}\n" for line in seen(axes)]
    plt.close(figure)
    return f"{call}\n{''.join(lines)}"


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call[:60])
def test_a_call_draws_what_is_recorded(call):
    assert described(call) in RECORD.read_text(encoding="utf-8")


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
    files = [*ROOT.glob("pplab*/**/*.py"), *ROOT.glob("notebooks/src/*.py")]
    files.append(ROOT / "docs/picture.py")
    colour = re.compile("#[0-9A-Fa-f]{6}\\b")
    match = [file.name for file in files if colour.search(file.read_text("utf-8"))]
    assert match == ["style.py"]


if __name__ == "__main__":
    plt.switch_backend("agg")
    RECORD.write_text("".join(map(described, CALLS)), encoding="utf-8")
