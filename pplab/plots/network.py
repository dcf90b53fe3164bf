"""Draw a small social graph: places given, numbers in the nodes, roles by shape and by word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pplab.plots.plane import groups
from pplab.plots.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["network"]

_PLAIN = ("o", "white", 1.2)  # marker, fill, width of its outline
_ROLES = [("s", "#F4D9A0", 2.4), ("D", "#9FC9E3", 2.4), ("h", "#DDDDDD", 1.8), ("^", "#F0C9DD", 2)]


def network(
    axes: Axes,
    places: Any,
    friends: Iterable[Sequence[int]],
    *,
    roles: Mapping[int, str] | None = None,
    dashed: Iterable[Sequence[int]] = (),
    clusters: Any = None,
    size: float = 19,
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
    clusters : int array, shape (users,), optional
        Cluster of each user: its members get a common outline, with a dash of its own.
    size : float, default 19
        Size of the nodes, in points.
    """
    points, named = np.asarray(places, dtype=float), dict(roles or {})
    words = list(dict.fromkeys(named.values()))
    if clusters is not None:
        groups(axes, points, clusters, markersize=size + 9)
    for pairs, dash in ((friends, "-"), (dashed, (0, (4, 3)))):
        for one, other in pairs:
            ends = points[[one, other]]
            axes.plot(*ends.T, color=COLOURS["grey"], linestyle=dash, linewidth=1.6, marker="")
    for user, (x, y) in enumerate(points.tolist()):
        look = _ROLES[words.index(named[user]) % len(_ROLES)] if user in named else _PLAIN
        marker, fill, width = look
        axes.plot(
            x,
            y,
            marker=marker,
            markersize=size,
            markerfacecolor=fill,
            markeredgecolor="black",
            markeredgewidth=width,
        )
        axes.annotate(str(user), (x, y), ha="center", va="center_baseline", fontsize=10, zorder=5)
        if user in named:
            below = (0, -size - 2)
            axes.annotate(
                named[user], (x, y), below, textcoords="offset points", ha="center", fontsize=9
            )
    axes.set(xticks=[], yticks=[], aspect="equal")
    axes.margins(0.12, 0.2)
    for side in axes.spines.values():
        side.set_visible(False)
