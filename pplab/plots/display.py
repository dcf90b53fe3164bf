"""Show a figure with its alternative text."""

from __future__ import annotations

import base64
import html
import io
from typing import TYPE_CHECKING

from pplab.plots.style import SETTINGS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["show"]


def show(figure: Figure, *, alt: str) -> None:
    """Display a figure with its alternative text, and close it.

    Parameters
    ----------
    figure : matplotlib Figure
    alt : str
        What the figure says, with two of its numbers; a screen reader reads it, and a viewer
        that shows no pictures prints it.

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
    from IPython import get_ipython
    from IPython.display import display

    if len(alt.split()) < 5:
        raise ValueError(
            f"alt must tell the figure's message with two numbers, got {alt!r}; write a sentence"
        )
    if get_ipython() is None:  # a script or a test: nobody sees a picture
        plt.close(figure)
        print(f"Figure: {alt}")
        return
    picture = base64.b64encode(_png(figure)).decode()
    plt.close(figure)
    text = html.escape(alt, quote=True)
    tag = f'<img alt="{text}" style="max-width:100%" src="data:image/png;base64,{picture}">'
    bundle = {"image/png": picture, "text/html": tag, "text/plain": f"Figure: {alt}"}
    display(bundle, metadata={"image/png": {"alt": alt}}, raw=True)


def _png(figure: Figure) -> bytes:
    """The figure as a small PNG that names no program version."""
    import matplotlib as mpl
    from PIL import Image

    drawn, packed = io.BytesIO(), io.BytesIO()
    with mpl.rc_context(SETTINGS):
        figure.savefig(drawn, format="png", facecolor="white", metadata={"Software": None})
    Image.open(drawn).convert("RGB").quantize(64).save(packed, format="png", optimize=True)
    return packed.getvalue()
