"""Draw what a release costs against how easily it is linked: a path for each method."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pplab.plots.draw import end_labels
from pplab.plots.style import style

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["risk_axis", "risk_path"]

_SMALLEST = 0.1  # per cent: below it the axis is linear, so that a risk of 0 has a place
_TICKS = (0, 0.1, 1, 10, 100)


def risk_axis(axes: Axes, *, ends: bool = False) -> None:
    """Make the horizontal axis one of disclosure risks in per cent, from 0 to 100.

    Parameters
    ----------
    axes : matplotlib Axes
    ends : bool, default False
        Whether its two ends are named below.
    """
    from matplotlib.ticker import FuncFormatter, NullLocator

    axes.set_xscale("symlog", linthresh=_SMALLEST, linscale=1)
    axes.set_xticks(_TICKS)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set(xlim=(-0.005, 160), xlabel="disclosure risk, %")
    axes.margins(y=0.1)
    if ends:
        end_labels(axes, "hard to link", "easy to link")


def risk_path(
    axes: Axes,
    points: pd.DataFrame,
    *,
    y: str,
    place: int,
    names: Mapping[float, str] | None = None,
    marked: float | None = None,
) -> None:
    """Draw the releases of one method, joined in the order of their parameter.

    Parameters
    ----------
    axes : matplotlib Axes
        As ``risk_axis`` makes them.
    points : DataFrame
        Columns parameter (k or sigma), dr (disclosure risk in per cent) and the cost.
    y : str
        Column of the cost.
    place : int
        Which colour, dash and marker of the house style.
    names : mapping of parameter to text, optional
        What to write beside some points: below and to the left of the first method's,
        above and to the right of the others.
    marked : float, optional
        Parameter of a point to mark; the others then step back.
    """
    ordered = points.sort_values("parameter")
    look = style(place) | {"markersize": 4, "alpha": 1.0 if marked is None else 0.35}
    axes.plot(ordered["dr"], ordered[y], **look)
    for parameter, name in (names or {}).items():
        spot = ordered.set_index("parameter").loc[parameter]
        side, end = ((3, 6), "left") if place else ((-2, -16), "right")
        at = (spot["dr"], spot[y])
        axes.annotate(name, at, side, textcoords="offset points", ha=end, fontsize=9)
    if marked is not None:
        spot = ordered.set_index("parameter").loc[marked]
        look = {"color": style(place)["color"], "marker": style(place)["marker"]}
        axes.plot(spot["dr"], spot[y], markersize=11, markeredgecolor="black", **look)
