"""The house style, and how a figure is shown.

Okabe and Ito's colours, each with its own dash, marker and hatch; a shown figure carries its
alternative text, and the same figure has the same bytes. In a grid of panels a label that all
repeat stands once, at the edge.
"""

from __future__ import annotations

import base64
import html
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


COLOURS = {
    "blue": "#0072B2",
    "orange": "#E69F00",
    "green": "#009E73",
    "red": "#D55E00",
    "sky": "#56B4E9",
    "pink": "#CC79A7",
    "grey": "#767676",
}
# For areas and for what stands behind.
SHADES = {
    "ink": "#444444",
    "navy": "#123A5A",
    "slate": "#8FA3B5",
    "silver": "#BBBBBB",
    "mist": "#C7D3DD",
    "pale": "#DDDDDD",
    "light blue": "#9FC9E3",
    "light orange": "#F4D9A0",
    "light pink": "#F0C9DD",
}
_ORDER = ["blue", "red", "green", "orange", "pink", "sky"]
_DASHES: list[Any] = ["-", (0, (6, 2)), (0, (2, 2)), (0, (8, 2, 2, 2)), (0, (1, 1)), (0, (4, 4))]
_MARKERS = ["o", "s", "^", "D", "v", "P"]
_HATCHES = ["", "///", "...", "xxx", "\\\\\\", "ooo"]
_SHOWN = 100  # dots per inch of what is shown
_FOLD = "<details><summary>The states side by side: open this when you have an answer</summary>"
_SETTINGS = Path(__file__).with_name("house.mplstyle")


def style(index: int) -> dict[str, Any]:
    """Colour, dash and marker of the index-th series, the same throughout the laboratory."""
    place = index % len(_ORDER)
    return {"color": COLOURS[_ORDER[place]], "linestyle": _DASHES[place], "marker": _MARKERS[place]}


def hatch(index: int) -> str:
    """Hatch of the index-th area."""
    return _HATCHES[index % len(_HATCHES)]


def new_figure(
    rows: int = 1, columns: int = 1, *, width: float = 6.4, height: float = 3.4
) -> tuple[Figure, Any]:
    """Open a figure in the house style; sizes in inches."""
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    with mpl.rc_context(fname=_SETTINGS):
        made = plt.subplots(rows, columns, figsize=(width, height), layout="constrained")
        draws = mpl.is_interactive()  # which the first figure of a notebook sets
    mpl.interactive(draws)
    return made


def show(figure: Figure, *, alt: str, folded: pd.DataFrame | None = None) -> None:
    """Display a figure with its alternative text, and close it.

    Parameters
    ----------
    figure : matplotlib Figure
    alt : str
        What the figure says, with two of its numbers; a screen reader reads it, and a viewer
        that shows no pictures prints it.
    folded : DataFrame, optional
        The numbers of the figure, below it; both are folded then, so that they do not answer the
        question that is asked above.

    Raises
    ------
    ValueError
        If the text is too short to say anything.

    Examples
    --------
    >>> from pplab.plots import new_figure
    >>> figure, axes = new_figure()
    >>> show(figure, alt="Of 8 noise edges 4 remove an edge.")  # in a notebook: the picture
    Figure: Of 8 noise edges 4 remove an edge.
    """
    import matplotlib.pyplot as plt
    import pandas as pd
    from IPython import get_ipython
    from IPython.display import display

    if len(alt.split()) < 5:
        raise ValueError(
            f"alt must give the figure's message with two numbers, got {alt!r}; write a sentence"
        )
    if get_ipython() is None:  # a script or a test: nobody sees a picture
        plt.close(figure)
        print(f"Figure: {alt}")
        return
    if len(figure.axes) > 1:
        _label_once(figure)
        figure.draw_without_rendering()  # the layout of square tables settles in two passes
    picture, width = base64.b64encode(_png(figure)).decode(), round(_SHOWN * figure.get_figwidth())
    plt.close(figure)
    tag = f'<img alt="{html.escape(alt, quote=True)}" width="{width}" style="max-width:100%"'
    tag += f' src="data:image/png;base64,{picture}">'
    plain = f"Figure: {alt}"
    if folded is not None:
        numbers = folded.map(_short)
        with pd.option_context("display.max_colwidth", None):
            tag = f"{_FOLD}{tag}{numbers.to_html(index=False, border=0)}</details>"
        plain += f"\n{numbers.to_string(index=False)}"
    bundle = {"image/png": picture, "text/html": tag, "text/plain": plain}
    display(bundle, metadata={"image/png": {"alt": alt, "width": width}}, raw=True)


def _short(value: Any) -> Any:
    """A float with four significant digits and no exponent; anything else as it is."""
    import numpy as np

    if not isinstance(value, float):
        return value
    return np.format_float_positional(value + 0, precision=4, fractional=False, trim="-")


def _label_once(figure: Figure) -> None:
    """Drop labels and ticks of a panel that the panel to its left, or below it, repeats."""
    panels = {}
    for axes in figure.axes:
        if axes.axison and axes.get_visible() and (spot := axes.get_subplotspec()):
            panels[spot.rowspan.start, spot.colspan.start] = axes
    # Top to bottom and right to left: what a panel is compared with has its labels still.
    for row, column in sorted(panels, key=lambda place: (place[0], -place[1])):
        for name, neighbour in (("yaxis", (row, column - 1)), ("xaxis", (row + 1, column))):
            axis = getattr(panels[row, column], name)
            other = getattr(panels.get(neighbour), name, None)
            if other is None or axis.get_label_text() != other.get_label_text():
                continue
            if _scale(axis) == _scale(other):
                axis.set_tick_params(labelleft=False, labelbottom=False)
            axis.set_label_text("")


def _scale(axis: Any) -> tuple[list[float], list[str]]:
    """Limits and texts of an axis."""
    return list(axis.get_view_interval()), [tick.get_text() for tick in axis.get_ticklabels()]


def _png(figure: Figure) -> bytes:
    """The figure as a small PNG that names no program version."""
    import matplotlib as mpl
    from PIL import Image

    picture, packed = io.BytesIO(), io.BytesIO()
    with mpl.rc_context(fname=_SETTINGS):
        figure.savefig(picture, format="png", facecolor="white", metadata={"Software": None})
    # MAXCOVERAGE keeps the colour of a small mark, which the default merges with one like it.
    few = Image.open(picture).convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE)
    few.save(packed, format="png", optimize=True)
    return packed.getvalue()
