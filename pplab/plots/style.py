"""The house style: Okabe and Ito's colours, each with its own dash, marker and hatch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["COLOURS", "SETTINGS", "hatch", "new_figure", "style"]

COLOURS = {
    "blue": "#0072B2",
    "orange": "#E69F00",
    "green": "#009E73",
    "red": "#D55E00",
    "sky": "#56B4E9",
    "pink": "#CC79A7",
    "grey": "#767676",
}
_ORDER = ["blue", "red", "green", "orange", "pink", "sky"]
_DASHES: list[Any] = ["-", (0, (6, 2)), (0, (2, 2)), (0, (8, 2, 2, 2)), (0, (1, 1)), (0, (4, 4))]
_MARKERS = ["o", "s", "^", "D", "v", "P"]
_HATCHES = ["", "///", "...", "xxx", "\\\\\\", "ooo"]
# Own settings, no named style of matplotlib: those were renamed before.
SETTINGS: Any = {
    "figure.dpi": 100,
    "figure.constrained_layout.use": True,
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "lines.linewidth": 2.0,
    "lines.markersize": 6,
    "hatch.linewidth": 0.8,
}


def style(index: int) -> dict[str, Any]:
    """Colour, dash and marker of the index-th series, the same throughout the laboratory."""
    place = index % len(_ORDER)
    return {
        "color": COLOURS[_ORDER[place]],
        "linestyle": _DASHES[place],
        "marker": _MARKERS[place],
    }


def hatch(index: int) -> str:
    """Hatch of the index-th area."""
    return _HATCHES[index % len(_HATCHES)]


def new_figure(
    rows: int = 1, columns: int = 1, *, width: float = 6.4, height: float = 3.4
) -> tuple[Figure, Any]:
    """Open a figure in the house style; sizes in inches."""
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    with mpl.rc_context(SETTINGS):
        return plt.subplots(rows, columns, figsize=(width, height), layout="constrained")
