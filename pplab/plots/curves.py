"""Curves, paths and bars: against ε, against k, against risk, beyond a bound.

`level_curves` has levels of ε as steps, not a scale, with no noise as the last one; `risk_path`
draws what a release costs against how easily it is linked; `tail_bars` hatches what lies beyond a
bound; `over_k` has sizes of crowds on a scale of factors; `advantage_plane` and `score_lines` have
what attackers gain.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from pplab.plots.draw import end_labels
from pplab.plots.style import COLOURS, SHADES, style

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


_FAMILIES = ("noise graph", "cluster averages", "smooth k-anonymity", "microaggregation")
_LINE = 13.0  # points between two names
_BESIDE = 0.12  # of the way to the next level: from mark to mark
_SIGNS = {"o": "●", "s": "■", "^": "▲", "D": "◆", "v": "▼", "P": "✚"}  # markers as text


def level_curves(
    axes: Axes, frame: pd.DataFrame, *, by: str, value: str = "value", named: bool = True
) -> None:
    """Draw a curve with intervals for each value of a column, its name at its right end.

    Marks of one level stand side by side, so that equal curves are seen.

    Parameters
    ----------
    axes : matplotlib Axes
    frame : DataFrame
        Columns epsilon (inf: no noise), se and those that `by` and `value` name.
    by : str
        Column that tells the curves apart; they come in the order of their first row.
    value : str
        Column of the heights.
    named : bool, default True
        Whether names stand at the right ends.
    """
    steps, count = sorted(frame["epsilon"].unique()), frame[by].nunique()
    ends: list[tuple[float, str, dict[str, Any]]] = []
    for place, (name, group) in enumerate(frame.groupby(by, sort=False)):
        curve, look = group.sort_values("epsilon"), style(place)
        offset = _BESIDE * (place - (count - 1) / 2)
        at = [steps.index(level) + offset for level in curve["epsilon"]]
        axes.errorbar(at, curve[value], yerr=2 * curve["se"], capsize=3, label=name, **look)
        ends.append((float(curve[value].iloc[-1]), str(name), look))
    axes.set_xticks(range(len(steps)), ["∞" if level == inf else f"{level:g}" for level in steps])
    axes.set_xlabel(f"ε  (← more private, {'no noise' if inf in steps else 'more accurate'} →)")
    if named:
        axes.margins(x=0.06)
        _name(axes, ends, len(steps) - 1)


def _name(axes: Axes, ends: list[tuple[float, str, dict[str, Any]]], last: int) -> None:
    """Write the names beside the ends, each after its mark, spread so that none hides another."""
    middle = sum(value for value, _, _ in ends) / len(ends)
    for place, (_, name, look) in enumerate(sorted(ends, key=lambda end: end[:2])):
        shift = (place - (len(ends) - 1) / 2) * _LINE
        options: dict[str, Any] = {"textcoords": "offset points", "annotation_clip": False}
        mark = {"color": look["color"], "fontsize": 7}
        sign = _SIGNS[look["marker"]]
        axes.annotate(sign, (last, middle), (18, shift), va="center", **mark, **options)
        axes.annotate(name, (last, middle), (28, shift), va="center", fontsize=9, **options)


# The cost of a release against how easily it is linked: a path for each method.


_SMALLEST = 0.1  # per cent: below it the axis is linear, so that a risk of 0 has a place


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
    axes.set_xticks((0, 0.1, 1, 10, 100))
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
    spots = ordered.set_index("parameter")[["dr", y]]
    side, end = ((3, 6), "left") if place else ((-2, -16), "right")
    for parameter, name in (names or {}).items():
        at = tuple(spots.loc[parameter])
        axes.annotate(name, at, side, textcoords="offset points", ha=end, fontsize=9)
    if marked is not None:
        look |= {"markersize": 11, "markeredgecolor": "black", "alpha": 1.0}
        axes.plot(*spots.loc[marked], **look)


# The law of a value, the part beyond a bound hatched, and bounds as lines with names.


def tail_bars(
    axes: Axes, law: Any, *, bound: float, lines: Mapping[str, float] | None = None
) -> None:
    """Draw a distribution as about twenty bars; bars beyond the bound are hatched.

    Parameters
    ----------
    axes : matplotlib Axes
    law : JaccardDistribution
        Or what else has ``above(value)``, a probability, and ``quantile(delta)``.
    bound : float
        Bars above it are hatched; none contains it.
    lines : mapping of name to float, optional
        Places of vertical lines, each named at its top. A place further off than half the width of
        the bars is named at the border, with an arrow.
    """
    low, high = law.quantile(0.9999), law.quantile(0.0001)
    step = (high - low) / 20
    steps = np.arange(np.floor((low - bound) / step), np.ceil((high - bound) / step) + 1)
    ends = bound + step * steps
    heights = -np.diff([law.above(end) for end in ends])
    middles, width = (ends[:-1] + ends[1:]) / 2, ends[-1] - ends[0]
    for beyond, colour, hatch in ((False, SHADES["mist"], ""), (True, COLOURS["red"], "////")):
        part = (middles > bound) == beyond
        look: dict[str, Any] = {"color": colour, "hatch": hatch, "linewidth": 0.6}
        axes.bar(middles[part], heights[part], step, edgecolor="black", **look)
    places = dict(lines or {})
    near = [value for value in places.values() if _near(value, ends)]
    axes.set_xlim(min([ends[0], *near]) - width / 20, max([ends[-1], *near]) + width / 20)
    axes.locator_params(axis="x", nbins=4)  # long numbers side by side
    top = float(heights.max())
    axes.set(ylim=(0, top * (1.12 + 0.16 * len(places))), ylabel="probability", yticks=[])
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
        side, shift = ("right", -4) if value > (low + high) / 2 else ("left", 4)
        placement: dict[str, Any] = {"textcoords": "offset points", "ha": side, "va": "center"}
        axes.annotate(name, (value, height), (shift, 0), **placement)
        return
    right = value > high
    text = f"{name}: {value:.3g} →" if right else f"← {name}: {value:.3g}"
    axes.text(high if right else low, height, text, ha="right" if right else "left", va="center")


# Curves over the size of crowds.


def over_k(
    axes: Axes,
    frame: pd.DataFrame,
    *,
    label: str,
    spread: pd.DataFrame | None = None,
    printed: tuple[int, pd.Series] | None = None,
) -> None:
    """Draw each column over k, with bars where a spread is given and a star where one is printed.

    Parameters
    ----------
    axes : matplotlib Axes
    frame : DataFrame
        A row for each k, a column for each method; missing values leave no point.
    label : str
        Of the vertical axis.
    spread : DataFrame, optional
        Half the height of a bar, as `frame`.
    printed : tuple of k and Series, optional
        Printed values at one k, by method.
    """
    for place, (name, values) in enumerate(frame.items()):
        points, look = values.dropna(), style(place)
        shifted = points.index * (1 + 0.05 * place * (spread is not None))  # beside each other
        half = None if spread is None else spread[name].dropna()
        axes.errorbar(shifted, points, half, capsize=3, label=str(name), **look)
        if printed is not None and name in printed[1]:
            star = look | {"marker": "*", "markersize": 9, "markeredgecolor": "black"}
            aside = printed[0] * 1.16 ** (place + 1)  # beside its k, and the other stars
            printed_style = {"linestyle": "none", "label": f"{name}, printed"}
            axes.plot(aside, printed[1][name], **star | printed_style)
    axes.set(xscale="log", xlabel="k (← accurate, hard to link →)", ylabel=label)
    axes.set_xticks(frame.index, [f"{k}" for k in frame.index])
    axes.minorticks_off()


def bands(axes: Axes, frame: pd.DataFrame, *, low: str, high: str, label: str) -> None:
    """Draw for each table the band between two ends over k, and its lower end as a line.

    Parameters
    ----------
    axes : matplotlib Axes
    frame : DataFrame
        Columns table, k and the two ends.
    low, high : str
        Columns of the ends.
    label : str
        Of the vertical axis.
    """
    for place, (name, part) in enumerate(frame.groupby("table", sort=False)):
        look = style(place)
        axes.fill_between(part["k"], part[low], part[high], color=look["color"], alpha=0.25)
        axes.vlines(part["k"], part[low], part[high], color=look["color"])
        axes.plot(part["k"], part[low], label=str(name), **look)
    ticks = sorted(set(frame["k"]))
    axes.set(xscale="log", xlabel="k", ylabel=label)
    axes.set_xticks(ticks, [f"{k}" for k in ticks])
    axes.minorticks_off()


def advantage_plane(axes: Axes, frame: pd.DataFrame, *, attacker: str) -> None:
    """Usefulness against advantage for one attacker: curves of families, limits as short bars.

    Parameters
    ----------
    axes : Axes
    frame : DataFrame
        As the yardstick stores it: quantity, family, strength, attacker, at, value,
        low, high and limit.
    attacker : str
        Whose advantage is drawn; a family that it cannot attack has no points.
    """
    rows = frame[frame["at"] == "strength"].set_index(["family", "strength"])
    recall = rows.loc[rows["quantity"] == "recall", "value"].rename("recall")
    gained = rows[(rows["quantity"] == "advantage") & (rows["attacker"] == attacker)]
    gained = gained[["value", "low", "high", "limit"]]
    for place, family in enumerate(_FAMILIES):
        points = gained[gained.index.get_level_values("family") == family]
        points = points.join(recall).sort_values("recall")
        errors = [points["value"] - points["low"], points["high"] - points["value"]]
        spread, look = np.clip(np.array(errors), 0, None), style(place)
        axes.errorbar(points["recall"], points["value"], yerr=spread, label=family, **look)
        bar = {"marker": "_", "color": look["color"], "s": 220, "zorder": 5}
        axes.scatter(points["recall"], points["limit"], **bar)
    axes.scatter([], [], label="limit of ε", marker="_", color="black", s=220)
    axes.set(title=attacker, xlabel="recall at 20", ylabel="advantage", ylim=(-0.25, 1.05))
    axes.axhline(0, color="black", linewidth=0.8)
    figure: Any = axes.get_figure(root=True)
    if not figure.legends:  # one for all panels
        figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=3)


def score_lines(axes: Axes, scores: pd.DataFrame, *, title: str) -> None:
    """Advantage of each attacker with its interval, best on top; no attacker passes the limit.

    Parameters
    ----------
    axes : Axes
    scores : DataFrame
        As ``Arena.table`` gives it: attacker, given, value, low, high and limit, best first. Those
        that were given to it stand out.
    title : str
        Family and strength.
    """
    for place, row in enumerate(scores.iloc[::-1].itertuples()):
        look = style(int(row.given)) | {"linestyle": "none", "markeredgecolor": "black"}
        spread = [[row.value - row.low], [row.high - row.value]]
        axes.errorbar(row.value, place, xerr=spread, capsize=3, **look)
    axes.axvline(0, color="black", linewidth=0.8)
    if (limit := scores["limit"].iloc[0]) < 1:
        axes.axvline(limit, color="black", linestyle="--")
    axes.set_yticks(range(len(scores)), scores["attacker"].iloc[::-1])
    left = min(axes.get_xlim()[0], scores["low"].min() - 0.05)  # panels may share their axis
    axes.set(title=title, xlabel="advantage (dashed: the limit of ε)", xlim=(left, 1.05))
    axes.margins(y=0.15)
