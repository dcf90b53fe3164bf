"""Draw a value against levels of ε that are steps, not a scale, with no noise as the last one."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from pplab.plots.style import style

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["level_curves"]

_LINE = 13.0  # points between two names


def level_curves(
    axes: Axes,
    frame: pd.DataFrame,
    *,
    by: str,
    named: bool = True,
) -> None:
    """Draw a curve with intervals for each value of a column, its name at its right end.

    Parameters
    ----------
    axes : matplotlib Axes
    frame : DataFrame
        Columns epsilon (inf: no noise), value, se and the one that `by` names.
    by : str
        Column that tells the curves apart; they come in the order of their first row.
    named : bool, default True
        Whether names stand at the right ends.
    """
    steps = sorted(frame["epsilon"].unique())
    ends: list[tuple[float, str, Any]] = []
    for place, (name, group) in enumerate(frame.groupby(by, sort=False)):
        curve, look = group.sort_values("epsilon"), style(place)
        at = [steps.index(level) for level in curve["epsilon"]]
        axes.errorbar(at, curve["value"], yerr=2 * curve["se"], capsize=3, **look)
        ends.append((float(curve["value"].iloc[-1]), str(name), look["color"]))
    axes.set_xticks(range(len(steps)), ["∞" if level == inf else f"{level:g}" for level in steps])
    axes.set_xlabel("ε  (← more private, no noise →)")
    if named:
        axes.margins(x=0.06)
        _name(axes, ends, len(steps) - 1)


def _name(axes: Axes, ends: list[tuple[float, str, Any]], last: int) -> None:
    """Write the names beside the ends, spread around their middle so that none hides another."""
    middle = sum(value for value, _, _ in ends) / len(ends)
    for place, (_, name, colour) in enumerate(sorted(ends)):
        shift = (place - (len(ends) - 1) / 2) * _LINE
        axes.annotate(
            name,
            (last, middle),
            xytext=(12, shift),
            textcoords="offset points",
            va="center",
            color=colour,
            fontsize=9,
            annotation_clip=False,
        )
