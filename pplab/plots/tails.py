"""Draw the law of a value, the part beyond a bound hatched, and bounds as lines with names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from pplab.plots.style import COLOURS, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["tail_bars"]

_LIGHT = "#C7D3DD"


def tail_bars(
    axes: Axes, ticks: Any, shares: Any, *, bound: float, lines: Mapping[str, float] | None = None
) -> None:
    """Draw bars between ticks; bars beyond the bound are hatched.

    Parameters
    ----------
    axes : matplotlib Axes
    ticks : array, shape (bars + 1,)
        Ends of the bars, growing; the bound is one of them or lies outside.
    shares : array, shape (bars,)
        Probability of each bar.
    bound : float
        Bars above it are hatched.
    lines : mapping of name to float, optional
        Places of vertical lines, each named at its top. A place further off than half the width of
        the bars is named at the border, with an arrow.
    """
    ends, heights = np.asarray(ticks, dtype=float), np.asarray(shares, dtype=float)
    middles, width = (ends[:-1] + ends[1:]) / 2, ends[-1] - ends[0]
    for beyond, colour, hatch in ((False, _LIGHT, ""), (True, COLOURS["red"], "////")):
        part = (middles > bound) == beyond
        look: dict[str, Any] = {
            "color": colour,
            "hatch": hatch,
            "edgecolor": "black",
            "linewidth": 0.6,
        }
        axes.bar(middles[part], heights[part], np.diff(ends)[part], **look)
    places = dict(lines or {})
    near = [value for value in places.values() if _near(value, ends)]
    axes.set_xlim(
        min([ends[0], *near]) - width / 20,
        max([ends[-1], *near]) + width / 20,
    )
    axes.locator_params(axis="x", nbins=4)  # long numbers side by side
    top = float(heights.max())
    axes.set_ylim(0, top * (1.12 + 0.16 * len(places)))
    for row, (name, value) in enumerate(places.items()):
        _line(axes, name, value, top * (1.08 + 0.16 * row), row, seen=_near(value, ends))


def _near(value: float, ends: np.ndarray) -> bool:
    reach = (ends[-1] - ends[0]) / 2
    return bool(ends[0] - reach <= value <= ends[-1] + reach)


def _line(axes: Axes, name: str, value: float, height: float, place: int, *, seen: bool) -> None:
    """A vertical line with its name, or the name and an arrow at the border."""
    low, high = axes.get_xlim()
    look = style(place)
    if seen:
        axes.plot([value, value], [0, height], color="black", linestyle=look["linestyle"])
        side = "right" if value > (low + high) / 2 else "left"
        shift = -4 if side == "right" else 4
        axes.annotate(
            name, (value, height), (shift, 0), textcoords="offset points", ha=side, va="center"
        )
        return
    right = value > high
    text = f"{name}: {value:.3g} →" if right else f"← {name}: {value:.3g}"
    axes.text(high if right else low, height, text, ha="right" if right else "left", va="center")
