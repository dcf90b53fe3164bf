"""Draw groups of points in the plane or on a line: a marker and an outline for each group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pplab.plots.style import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["groups"]


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
        outline = Polygon(
            _hull(members),
            facecolor=to_rgba(look["color"], 0.12),
            edgecolor=look["color"],
            linestyle=look["linestyle"],
            linewidth=1.3,
            joinstyle="round",
        )
        axes.add_patch(outline)
        line = {"color": look["color"], "linestyle": "none", "markersize": markersize}
        axes.plot(*members.T, marker=look["marker"], **line)
        if means:
            axes.plot(*members.mean(axis=0), "+", color="black", markersize=markersize + 4)
    alone = cloud[group_of < 0]
    axes.plot(*alone.T, "o", color="#444444", fillstyle="none", markersize=markersize)


def _hull(members: np.ndarray) -> np.ndarray:
    """Corners of the convex hull, in order; of points on a line its two ends."""
    rows = sorted(map(tuple, members.tolist()))
    corners: list[tuple[float, float]] = []
    for side in (rows, rows[::-1]):
        half: list[tuple[float, float]] = []
        for point in side:
            while len(half) > 1 and _turn(half[-2], half[-1], point) <= 0:
                half.pop()
            half.append(point)
        corners += half[:-1] or half
    return np.array(corners)


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
