"""Sliders that say which end is which, and their static twins.

`explore` and `twin` call one function, ``draw(axes, **values)``: it draws one state on the given
axes and returns the row of numbers that the picture shows.
"""

from __future__ import annotations

import html
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pplab.plots.style import new_figure, show

if TYPE_CHECKING:
    import ipywidgets
    import pandas as pd


_Draw = Callable[..., dict[str, Any]]
_Say = Callable[[dict[str, Any]], str]


@dataclass(frozen=True)
class Control:
    """A slider over listed values, or a menu of names.

    Parameters
    ----------
    label : str
        What moves, with its symbol: "flip probability p".
    values : sequence
        The steps, from left to right; an arrow key moves by one. Text makes a menu.
    start : value
        Where the slider stands first.
    low, high : str, optional
        What the left and the right end mean: "more accurate", "more private". A menu has no ends.
    show : callable, optional
        How a value is written beside the slider.
    buttons : bool, default False
        Whether two buttons beside it, previous and next, move it by one step: for a story told
        step by step.

    Examples
    --------
    >>> Control("flip probability p", (0.01, 0.1), 0.1, "more accurate", "more private").start
    0.1
    """

    label: str
    values: Sequence[Any]
    start: Any
    low: str = ""
    high: str = ""
    show: Callable[[Any], str] = "{:g}".format
    buttons: bool = False

    def __post_init__(self) -> None:
        if self.start not in self.values:
            raise ValueError(f"start must be one of {list(self.values)}, got {self.start!r}")

    def slider(self) -> ipywidgets.SelectionSlider | ipywidgets.Dropdown:
        """The slider or the menu alone: focus it with Tab, move it with the arrow keys."""
        import ipywidgets

        common: dict[str, Any] = {"value": self.start, "description": self.label}
        common["style"] = {"description_width": "11em"}
        if all(isinstance(value, str) for value in self.values):
            return ipywidgets.Dropdown(options=list(self.values), **common)
        common |= {"layout": {"width": "36em"}, "continuous_update": False}
        options = [(self.show(value), value) for value in self.values]
        return ipywidgets.SelectionSlider(options=options, **common)


def explore(
    draw: _Draw, *, say: _Say, width: float = 6.4, height: float = 3.4, **controls: Control
) -> Any:
    """Show sliders, the figure that they move, and a line of text that restates it.

    Parameters
    ----------
    draw : callable
        ``draw(axes, **values)`` draws one state and returns its numbers as a dict.
    say : callable
        Turns these numbers into one sentence: the alt text of the figure, and the line below it
        that a screen reader announces after each move.
    width, height : float
        Size of the figure in inches.
    **controls : Control
        One per keyword of ``draw``; at most three.

    Returns
    -------
    ipywidgets.VBox
        In reading order: sliders with their end labels, figure, sentence.

    Raises
    ------
    ValueError
        If there are no controls or more than three.

    Examples
    --------
    >>> import contextlib, io
    >>> def draw(axes, p):
    ...     axes.bar(["kept", "flipped"], [1 - p, p])
    ...     return {"p": p}
    >>> control = Control("flip probability p", (0.1, 0.2), 0.1, "more accurate", "more private")
    >>> say = "On average {p:.0%} of all cells flip.".format_map
    >>> with contextlib.redirect_stdout(io.StringIO()):  # outside a notebook it prints
    ...     box = explore(draw, say=say, p=control)
    >>> row, output, line = box.children
    >>> line.value
    '<p role="status" aria-live="polite">On average 10% of all cells flip.</p>'
    """
    import ipywidgets

    if not 1 <= len(controls) <= 3:
        raise ValueError(
            f"explore takes one to three controls, got {len(controls)}: ask one question"
        )
    sliders = {name: control.slider() for name, control in controls.items()}

    def redraw(**values: Any) -> None:
        figure, axes = new_figure(width=width, height=height)
        sentence = say(draw(axes, **values))
        show(figure, alt=sentence)
        line.value = f'<p role="status" aria-live="polite">{html.escape(sentence)}</p>'

    line = ipywidgets.HTML()
    output = ipywidgets.interactive_output(redraw, sliders)
    rows = [_labelled(slider, controls[name]) for name, slider in sliders.items()]
    return ipywidgets.VBox([*rows, output, line])


def _labelled(slider: Any, control: Control) -> Any:
    """The slider, its buttons, and below its track what the two ends mean; a menu as it is."""
    import ipywidgets

    if isinstance(slider, ipywidgets.Dropdown):
        return slider
    ends = [ipywidgets.Label(f"← {control.low}"), ipywidgets.Label(f"{control.high} →")]
    below = {"width": "21em", "margin": "-0.6em 0 0 11em", "justify_content": "space-between"}
    row = ipywidgets.HBox([slider, *_buttons(slider)]) if control.buttons else slider
    return ipywidgets.VBox([row, ipywidgets.HBox(ends, layout=below)])


def _buttons(slider: ipywidgets.SelectionSlider) -> list[ipywidgets.Button]:
    """Two buttons that move a slider by one step; at its ends they stay, and keep the focus."""

    import ipywidgets

    def button(text: str, by: int) -> ipywidgets.Button:
        made = ipywidgets.Button(description=text, layout={"width": "7em"})

        def move(_: ipywidgets.Button) -> None:
            slider.index = min(max(slider.index + by, 0), len(slider.options) - 1)

        made.on_click(move)
        return made

    return [button("← previous", -1), button("next →", 1)]


# The static twin of a widget: the same states as a grid, for GitHub, HTML and print.


_Caption = Callable[["pd.DataFrame"], str]
_WIDTH = 9.0  # inches of the whole grid


def twin(
    draw: _Draw, *, alt: str | _Caption, height: float = 2.6, **values: Sequence[Any]
) -> pd.DataFrame:
    """Draw the same states as a grid, one panel each, with their numbers; all of it folded.

    The fold keeps the question open that the sliders ask.

    Parameters
    ----------
    draw : callable
        The function that the sliders call.
    alt : str or callable
        Alternative text of the whole grid, or what makes it from the table of numbers.
    height : float
        Inches of each row of the grid.
    **values : sequence
        The values of each keyword of ``draw``; with two keywords, the first one runs over rows.

    Returns
    -------
    DataFrame
        One row of numbers per panel, as ``draw`` returned them.

    Raises
    ------
    ValueError
        If there are no keywords or more than two.

    Examples
    --------
    >>> def draw(axes, p):
    ...     axes.bar(["kept", "flipped"], [1 - p, p])
    ...     return {"p": p, "kept": 1 - p}
    >>> table = twin(draw, alt="At p = 0.1 and 0.2 most cells are kept.", p=(0.1, 0.2))
    Figure: At p = 0.1 and 0.2 most cells are kept.
    >>> list(table["kept"])
    [0.9, 0.8]
    """
    import pandas as pd

    if not 1 <= len(values) <= 2:
        raise ValueError(
            f"twin takes one or two keywords, got {len(values)}: a page has two directions"
        )
    sequences = list(values.values())
    shape = (1, len(sequences[0])) if len(sequences) == 1 else tuple(map(len, sequences))
    if len(sequences) == 1 and len(sequences[0]) > 3:  # six states read better in two rows
        shape = (2, -(-len(sequences[0]) // 2))
    figure, grid = new_figure(*shape, width=_WIDTH, height=height * shape[0])
    panels = np.ravel(grid)  # of a lone panel, too
    states = zip(panels, itertools.product(*sequences), strict=False)
    rows = [draw(axes, **dict(zip(values, state, strict=True))) for axes, state in states]
    for axes in panels[len(rows) :]:
        axes.set_visible(False)
    table = pd.DataFrame(rows)
    show(figure, alt=alt if isinstance(alt, str) else alt(table), folded=table)
    return table
