"""Curves, paths and bars: against ε, against risk, beyond a bound, below a ceiling.

`level_curves` has levels of ε as steps, not a scale, with no noise as the last one; `risk_path`
draws what a release costs against how easily it is linked; `tail_bars` hatches what lies beyond a
bound; `below_certificate` shades what nobody can reach.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from pplab.plots.draw import end_labels
from pplab.plots.style import COLOURS, style

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


_FAMILIES = ("noise graph", "cluster averages", "smooth k-anonymity", "microaggregation")
_LINE = 13.0  # points between two names


def level_curves(axes: Axes, frame: pd.DataFrame, *, by: str, named: bool = True) -> None:
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


# What a release costs against how easily it is linked: a path for each method.


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


# The law of a value, the part beyond a bound hatched, and bounds as lines with names.


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
        look: dict[str, Any] = {"color": colour, "hatch": hatch, "linewidth": 0.6}
        axes.bar(middles[part], heights[part], np.diff(ends)[part], edgecolor="black", **look)
    places = dict(lines or {})
    near = [value for value in places.values() if _near(value, ends)]
    axes.set_xlim(min([ends[0], *near]) - width / 20, max([ends[-1], *near]) + width / 20)
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


# Curves below a ceiling that none of them can pass.


_ROOM = 1.9  # steps to the right of the last one, for the names
_APART = 0.08  # least distance of two names, of the height


def below_certificate(
    axes: Axes, frame: pd.DataFrame, *, at: float, between: tuple[float, float] = (-4, 104)
) -> None:
    """Draw each column over the steps of the index; shade what lies above the last column.

    Parameters
    ----------
    axes : matplotlib Axes
    frame : DataFrame
        Values in per cent; columns by name, the ceiling last. The index names the steps, which
        stand at equal distances. Missing values leave a gap.
    at : number
        Step to mark by a vertical line.
    between : pair of float
        Ends of the vertical axis.
    """
    places = np.arange(len(frame))
    ceiling = frame.iloc[:, -1].to_numpy(dtype=float)
    axes.fill_between(places, ceiling, min(between[1], 100), color="#EEEEEE", zorder=0)
    axes.axvline(list(frame.index).index(at), color="#BBBBBB", zorder=0)
    names, heights = list(frame), []
    for place, name in enumerate(names):
        values = frame[name].to_numpy(dtype=float)
        axes.plot(places, values, **style(place if name != names[-1] else 4))
        heights.append(values[~np.isnan(values)][-1])
    apart = _APART * (between[1] - between[0])
    for name, height in _spread(dict(zip(names, heights, strict=True)), apart).items():
        axes.annotate(name, (places[-1] + 0.15, height), va="center", fontsize=8)
    axes.set_xticks(places, [f"{step:g}" for step in frame.index])
    axes.set(xlim=(-0.3, places[-1] + _ROOM), ylim=between)
    axes.set_xlabel(str(frame.index.name or ""))


def _spread(heights: dict[str, float], apart: float) -> dict[str, float]:
    """Push names upwards until none covers the one below.

    Examples
    --------
    >>> _spread({"a": 10.0, "b": 9.0, "c": 40.0}, 5)
    {'b': 9.0, 'a': 14.0, 'c': 40.0}
    """
    found: dict[str, float] = {}
    for name, height in sorted(heights.items(), key=lambda pair: pair[1]):
        found[name] = max(height, max(found.values(), default=-np.inf) + apart)
    return found


def advantage_plane(axes: Axes, frame: pd.DataFrame, *, attacker: str) -> None:
    """Usefulness against advantage for one attacker: a curve per family, limits as crosses.

    Parameters
    ----------
    axes : Axes
    frame : DataFrame
        As the yardstick stores it: quantity, family, strength, attacker, at, value,
        low, high and limit.
    attacker : str
        Whose advantage is drawn; a family that it cannot attack is left out.
    """
    rows = frame[frame["at"] == "strength"].set_index(["family", "strength"])
    recall = rows.loc[rows["quantity"] == "recall", "value"].rename("recall")
    gained = rows[(rows["quantity"] == "advantage") & (rows["attacker"] == attacker)]
    gained = gained[["value", "low", "high", "limit"]]
    for place, family in enumerate(_FAMILIES):
        if family not in gained.index:
            continue
        points = gained.loc[[family]].join(recall).sort_values("recall")
        look = style(place)
        errors = [points["value"] - points["low"], points["high"] - points["value"]]
        spread = np.clip(np.array(errors), 0, None)
        axes.errorbar(points["recall"], points["value"], yerr=spread, label=family, **look)
        axes.scatter(points["recall"], points["limit"], marker="x", color=look["color"], s=25)
    axes.set(title=attacker, xlabel="recall at 20", ylabel="advantage", ylim=(-0.12, 1.05))
    axes.axhline(0, color="black", linewidth=0.8)
