"""Draw curves below a ceiling that none of them can pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pplab.plots.style import style

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["below_certificate"]

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
