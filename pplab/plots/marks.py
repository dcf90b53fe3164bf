"""Draw a table of values as markers: a place for each row, side by side a marker per column."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pplab.plots.style import style

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["marks"]

_WIDTH = 0.6  # of a row's place, which is 1 wide


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
        axes.axvline(place + 0.5, color="#DDDDDD", linewidth=0.8, zorder=0)
    if legend:
        axes.legend(title=legend, loc="upper left", frameon=False)
