"""Tables, bars, curves, markers, groups of points and small graphs.

Each function takes axes and what to draw, and writes labels beside what they name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from pplab.plots.style import COLOURS, SHADES, hatch, style

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


def cells(
    axes: Axes, table: Any, *, title: str, text: str = "", crossed: np.ndarray | None = None
) -> None:
    """Draw a small users x items table: the darker, the larger; crossed cells are invented.

    Parameters
    ----------
    axes : matplotlib Axes
    table : array or csr_array, shape (users, items)
        Values from 0; 0 is an empty cell.
    title : str
        What the table shows.
    text : str, optional
        How to write a value into its cell, such as "{:.1f}"; nothing is written without it.
    crossed : array of bool, optional
        Cells to mark with a cross.
    """
    from matplotlib.colors import LinearSegmentedColormap

    dense = np.asarray(table.toarray() if hasattr(table, "toarray") else table, dtype=float)
    lines = SHADES["silver"]
    shades = LinearSegmentedColormap.from_list("cells", ["white", SHADES["slate"]])
    top = max(1.0, float(dense.max()))
    axes.pcolormesh(dense, cmap=shades, vmin=0, vmax=top, linewidth=0.5, edgecolors=lines)
    axes.set(title=title, xlabel="items", ylabel="users", aspect="equal", xticks=[], yticks=[])
    axes.invert_yaxis()
    if crossed is not None:
        rows, columns = np.nonzero(crossed)
        axes.plot(columns + 0.5, rows + 0.5, "x", color="black", markersize=5)
    if text:
        for (row, column), value in np.ndenumerate(dense):
            axes.text(column + 0.5, row + 0.5, text.format(value), ha="center", va="center")


def bars(axes: Axes, heights: pd.Series, *, label: str, top: float = inf) -> None:
    """Draw one bar per entry, each with its own hatch, its value written above.

    A bar taller than `top` is cut there, and an arrow beside its value says so.
    """
    from matplotlib.colors import to_rgba

    for place, (name, value) in enumerate(heights.items()):
        light = to_rgba(style(place)["color"], 0.35)  # so that what is drawn upon it is seen
        look: dict[str, Any] = {"color": light, "edgecolor": "black", "hatch": hatch(place)}
        axes.bar(str(name), min(value, top), **look)
        text = f"{value:.3g}" + " ↑" * (value > top)
        axes.text(place, min(value, top), text, ha="center", va="bottom")
    axes.set_ylabel(label)
    axes.margins(y=0.15)


def split_bars(axes: Axes, table: pd.DataFrame, *, label: str) -> None:
    """Draw each row as one bar from left to right, a part for each column, its value written in it.

    Parameters
    ----------
    axes : matplotlib Axes
    table : DataFrame
        Rows from top to bottom; parts of at least 0. Columns name the parts in a legend above.
    label : str
        What the parts are counted in.
    """
    ends = table.cumsum(axis=1)
    places, names = np.arange(len(table)), [str(name) for name in table.index]
    for column, part in enumerate(table):
        look: dict[str, Any] = {"color": _PARTS[column % len(_PARTS)], "hatch": hatch(column)}
        begin = ends[part] - table[part]
        axes.barh(places, table[part], 0.72, begin, edgecolor="black", label=str(part), **look)
        for place, (width, end) in enumerate(zip(table[part], ends[part], strict=True)):
            if width >= _READABLE * ends.to_numpy().max():
                box = {"facecolor": "white", "edgecolor": "none", "pad": 1}
                middle = (end - width / 2, place)
                axes.text(*middle, f"{width:.0f}", ha="center", va="center", fontsize=9, bbox=box)
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.set(xlabel=label, xlim=(0, ends.to_numpy().max()))
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=table.shape[1], frameon=False)


# From dark to light, and what lies outside.
_PARTS = [COLOURS["blue"], SHADES["light blue"], "white", SHADES["silver"]]
_READABLE = 0.045  # of the axis: a narrower part has no room for its value


def copied(axes: Axes, original: Any, published: Any, *, title: str) -> None:
    """Draw a large table beside its copy in one picture: kept, lost and created entries.

    Parameters
    ----------
    axes : matplotlib Axes
    original, published : csr_array of ones, shape (rows, items)
    title : str
    """
    from matplotlib.colors import ListedColormap

    before, after = (table.toarray() > 0 for table in (original, published))
    picture = np.where(before & after, 1, np.where(before, 2, np.where(after, 3, 0)))
    axes.imshow(picture, cmap=ListedColormap(_ENTRIES), vmin=0, vmax=3, interpolation="nearest")
    axes.set(title=title, xlabel=_LEGEND, ylabel="people, by items", xticks=[], yticks=[])


_LEGEND = "dark: kept, grey: lost, orange: created"
_ENTRIES = ["white", SHADES["navy"], SHADES["silver"], COLOURS["orange"]]


def paired_bars(axes: Axes, names: Sequence[Any], plain: Any, hatched: Any) -> None:
    """Draw two bars over each name, plain and hatched; a cross stands where a bar has no height.

    The axis is logarithmic: equal factors are equal distances, and small chances are seen.

    Parameters
    ----------
    axes : matplotlib Axes
    names : sequence of str or number
        Written below the pairs.
    plain, hatched : array, shape (names,)
        Probabilities: heights of the left and the right bars.
    """
    places = np.arange(len(names))
    for heights, shift, colour, lines in ((plain, -0.2, "sky", ""), (hatched, 0.2, "red", "//")):
        values = np.asarray(heights, dtype=float)
        look: dict[str, Any] = {"color": COLOURS[colour], "hatch": lines, "edgecolor": "black"}
        axes.bar(places + shift, values, 0.4, **look)
        never = places[values == 0] + shift
        axes.plot(never, 0 * never + 0.04, "kx", transform=axes.get_xaxis_transform())
    axes.set_xticks(places, [str(name) for name in names])
    axes.set(yscale="log", ylim=(5e-4, 2), ylabel="probability, log scale")


def curves(axes: Axes, frame: pd.DataFrame, *, x: str, y: str, by: str) -> None:
    """Draw y against x, a curve for each value of the column `by`, which is written on it.

    Parameters
    ----------
    axes : matplotlib Axes
    frame : DataFrame
        A tidy table, as experiments give it.
    x, y, by : str
        Names of its columns; along each curve x grows.
    """
    named = list(frame.groupby(by))
    for place, (name, group) in enumerate(named):
        axes.plot(group[x], group[y], **style(place), markevery=(3 * place, len(group) // 5 + 1))
        # no box on another
        middle = group.iloc[round((len(group) - 1) * (place + 1) / (len(named) + 1))]
        label = {"facecolor": "white", "edgecolor": style(place)["color"], "pad": 1}
        centred: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 9}
        axes.annotate(f"{name:g}", (middle[x], middle[y]), **centred, bbox=label)
    axes.set(xlabel=x, ylabel=y)


def end_labels(axes: Axes, low: str, high: str) -> None:
    """Say under the label of the horizontal axis what its two ends mean."""
    axes.set_xlabel(f"{axes.get_xlabel()}\n← {low} · {high} →")


# A table of values as markers: a place for each row, side by side a marker per column.


_WIDTH = 0.6  # of a row's place, which is 1 wide
_CHANCE = 3.0  # standard deviations


def marks(axes: Axes, table: pd.DataFrame, *, legend: str = "") -> None:
    """Draw one marker per entry; markers of a column share their shape and colour.

    Parameters
    ----------
    axes : matplotlib Axes
    table : DataFrame
        Rows are named below the axis; values are heights.
    legend : str, optional
        Title of a legend that names the columns; no legend without it.
    """
    places, count = np.arange(len(table)), table.shape[1]
    for column, name in enumerate(table):
        shift = _WIDTH * ((column + 0.5) / count - 0.5)
        look = style(column) | {"linestyle": "none"}
        axes.plot(places + shift, table[name], **look, label=str(name))
    axes.set_xticks(places, [str(name) for name in table.index])
    for place in places[:-1]:
        axes.axvline(place + 0.5, color=SHADES["pale"], linewidth=0.8, zorder=0)
    if legend:
        axes.legend(title=legend, loc="upper left", framealpha=1, edgecolor="none")


def z_scores(axes: Axes, table: pd.DataFrame, *, title: str) -> None:
    """Draw a line of markers for each row of z-scores, with a grey band for chance; label the
    worst.

    Parameters
    ----------
    axes : matplotlib Axes
        The horizontal axis is linear up to 3 standard deviations and logarithmic beyond.
    table : DataFrame
        Rows are readings.
    title : str
        The message.
    """
    axes.set_xscale("symlog", linthresh=_CHANCE, linscale=1)
    axes.axvspan(-_CHANCE, _CHANCE, color=SHADES["pale"], zorder=0)
    for place, (_, row) in enumerate(table.iterrows()):
        axes.plot(row, [place] * len(row), **style(place) | {"linestyle": "none"}, alpha=0.7)
        axes.text(400, place, f"worst: {row.abs().max():.1f}", va="center")
    ticks = (-100, -30, -10, -3, 0, 3, 10, 30, 100)
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.set_yticks(range(len(table)), [str(name) for name in table.index])
    axes.set(title=title, xlim=(-400, 3000), ylim=(len(table) - 0.5, -0.5))
    axes.set_xlabel("z-score of a printed count (grey: what chance does; log scale beyond ±3)")


# Groups of points in the plane or on a line: a marker and an outline for each group.


def groups(
    axes: Axes, points: Any, labels: Any, *, means: bool = False, markersize: float = 6
) -> None:
    """Draw points; a group has a marker, an outline and a colour, a lone point an open circle.

    Parameters
    ----------
    axes : matplotlib Axes
    points : array, shape (points, 2)
        Numbers on a line: give them a second column of equal heights.
    labels : int array, shape (points,)
        Group of each point; -1 where it has none.
    means : bool, default False
        Whether the mean of each group is marked by a plus.
    markersize : float, default 6
        Size of the points.
    """
    from matplotlib.colors import to_rgba
    from matplotlib.patches import Polygon

    cloud, group_of = np.asarray(points, dtype=float), np.asarray(labels)
    for group in range(group_of.max() + 1):
        members, look = cloud[group_of == group], style(group)
        edge = {"edgecolor": look["color"], "linestyle": look["linestyle"], "linewidth": 1.3}
        fill = to_rgba(look["color"], 0.12)
        axes.add_patch(Polygon(_hull(members), facecolor=fill, joinstyle="round", **edge))
        line = {"color": look["color"], "linestyle": "none", "markersize": markersize}
        axes.plot(*members.T, marker=look["marker"], **line)
        if means:
            axes.plot(*members.mean(axis=0), "+", color="black", markersize=markersize + 4)
    alone = cloud[group_of < 0]
    axes.plot(*alone.T, "o", color=SHADES["ink"], fillstyle="none", markersize=markersize)


def _hull(members: np.ndarray) -> np.ndarray:
    """Corners of the convex hull, in order; of points on a line its two ends."""
    from scipy.spatial import ConvexHull

    corners = members[np.lexsort(members.T[::-1])][[0, -1]]
    if np.linalg.matrix_rank(members - members[0]) == 2:
        around = members[ConvexHull(members).vertices]
        corners = np.roll(around, -int((around == corners[0]).all(axis=1).argmax()), axis=0)
    return corners


# A small social graph: places given, numbers in the nodes, roles by shape and by word.


_NODE = 19  # size in points
_PLAIN = ("o", "white", 1.2)  # marker, fill, width of its outline
_ROLES = [
    ("s", SHADES["light orange"], 2.4),
    ("D", SHADES["light blue"], 2.4),
    ("h", SHADES["pale"], 1.8),
    ("^", SHADES["light pink"], 2),
]


def network(
    axes: Axes,
    places: Any,
    friends: Iterable[Sequence[int]],
    *,
    roles: Mapping[int, str] | None = None,
    dashed: Iterable[Sequence[int]] = (),
) -> None:
    """Draw users as numbered nodes and friendships as lines.

    Parameters
    ----------
    axes : matplotlib Axes
    places : array, shape (users, 2)
        Where user 0, 1, ... stands.
    friends : pairs of int
        Friendships, drawn as full lines.
    roles : dict from int to str, optional
        Word beside a user, such as "victim"; each word has its own shape (square, diamond,
        hexagon, triangle, in the order of their first use). Other users are circles.
    dashed : pairs of int, optional
        Friendships drawn as dashed lines: those that an attacker made.
    """
    points, named = np.asarray(places, dtype=float), dict(roles or {})
    words = list(dict.fromkeys(named.values()))
    for pairs, dash in ((friends, "-"), (dashed, (0, (4, 3)))):
        for one, other in pairs:
            ends = points[[one, other]]
            axes.plot(*ends.T, color=COLOURS["grey"], linestyle=dash, linewidth=1.6, marker="")
    for user, (x, y) in enumerate(points.tolist()):
        role = _ROLES[words.index(named[user]) % len(_ROLES)] if user in named else _PLAIN
        names = ("marker", "markerfacecolor", "markeredgewidth")
        node: dict[str, Any] = dict(zip(names, role, strict=True))
        axes.plot(x, y, markersize=_NODE, markeredgecolor="black", **node)
        axes.annotate(str(user), (x, y), ha="center", va="center_baseline", fontsize=10, zorder=5)
        if user in named:
            look: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "fontsize": 9}
            axes.annotate(named[user], (x, y), (0, -_NODE - 2), **look)
    axes.set(xticks=[], yticks=[], aspect="equal")
    axes.margins(0.12, 0.2)
    axes.spines[:].set_visible(False)
