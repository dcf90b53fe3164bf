"""Draw tables: each function takes axes and a table, and writes labels beside what they name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pplab.plots.style import hatch, style

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["bars", "cells", "curves", "end_labels"]


def cells(
    axes: Axes,
    table: Any,
    *,
    title: str,
    text: str = "",
    crossed: np.ndarray | None = None,
    numbered: bool = False,
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
    numbered : bool, default False
        Whether rows and columns are numbered, from 0.
    """
    from matplotlib.colors import LinearSegmentedColormap

    dense = np.asarray(table.toarray() if hasattr(table, "toarray") else table, dtype=float)
    shades = LinearSegmentedColormap.from_list("cells", ["white", "#8FA3B5"])
    top = max(1.0, float(dense.max()))
    axes.pcolormesh(dense, cmap=shades, vmin=0, vmax=top, edgecolors="#BBBBBB", linewidth=0.5)
    axes.set(title=title, xlabel="items", ylabel="users", aspect="equal", xticks=[], yticks=[])
    axes.invert_yaxis()
    if numbered:
        axes.set_xticks(np.arange(dense.shape[1]) + 0.5, map(str, range(dense.shape[1])))
        axes.set_yticks(np.arange(dense.shape[0]) + 0.5, map(str, range(dense.shape[0])))
    if crossed is not None:
        rows, columns = np.nonzero(crossed)
        axes.plot(columns + 0.5, rows + 0.5, "x", color="black", markersize=5)
    if text:
        for (row, column), value in np.ndenumerate(dense):
            axes.text(column + 0.5, row + 0.5, text.format(value), ha="center", va="center")


def bars(axes: Axes, heights: pd.Series, *, label: str) -> None:
    """Draw one bar per entry, each with its own hatch, its value written above."""
    for place, (name, value) in enumerate(heights.items()):
        look = {"color": style(place)["color"], "hatch": hatch(place)}
        axes.bar(str(name), value, edgecolor="black", **look)
        axes.text(place, value, f"{value:.3g}", ha="center", va="bottom")
    axes.set_ylabel(label)
    axes.margins(y=0.15)


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
    for place, (name, group) in enumerate(frame.groupby(by)):
        axes.plot(group[x], group[y], **style(place), markevery=(3 * place, len(group) // 5 + 1))
        middle = group.iloc[len(group) // 2]
        label = {"facecolor": "white", "edgecolor": style(place)["color"], "pad": 2}
        axes.annotate(f"{name:g}", (middle[x], middle[y]), ha="center", fontsize=9, bbox=label)
    axes.set(xlabel=x, ylabel=y)


def end_labels(axes: Axes, low: str, high: str) -> None:
    """Say below the horizontal axis what its two ends mean."""
    for place, text, side in ((0.0, f"← {low}", "left"), (1.0, f"{high} →", "right")):
        axes.annotate(
            text,
            (place, 0),
            xycoords="axes fraction",
            xytext=(0, -34),
            textcoords="offset points",
            ha=side,
            va="top",
            fontsize=9,
            color="#444444",
        )
