"""Sliders that say which end is which, and the grid that shows the same without them.

Both call one function, ``draw(axes, **values)``: it draws one state on the given axes and
returns the row of numbers that the picture shows.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import ipywidgets
import pandas as pd

from pplab.plots import new_figure, show

__all__ = ["Control", "explore", "twin"]

Draw = Callable[..., dict[str, Any]]
Say = Callable[[dict[str, Any]], str]
Caption = Callable[[pd.DataFrame], str]


@dataclass(frozen=True)
class Control:
    """A slider over listed values.

    Parameters
    ----------
    label : str
        What moves, with its symbol: "flip probability p".
    values : sequence
        The steps, from left to right; an arrow key moves by one.
    start : value
        Where the slider stands first.
    low, high : str
        What the left and the right end mean: "more accurate", "more private".
    show : callable, optional
        How a value is written beside the slider.

    Examples
    --------
    >>> Control("flip probability p", (0.01, 0.1), 0.1, "more accurate", "more private").start
    0.1
    """

    label: str
    values: Sequence[Any]
    start: Any
    low: str
    high: str
    show: Callable[[Any], str] = "{:g}".format

    def __post_init__(self) -> None:
        if self.start not in self.values:
            raise ValueError(f"start must be one of {list(self.values)}, got {self.start!r}")

    def slider(self) -> ipywidgets.SelectionSlider:
        """The slider alone: focus it with Tab, move it with the arrow keys."""
        return ipywidgets.SelectionSlider(
            options=[(self.show(value), value) for value in self.values],
            value=self.start,
            description=self.label,
            style={"description_width": "11em"},
            layout={"width": "36em"},
            continuous_update=False,
        )


def explore(
    draw: Draw, *, say: Say, width: float = 6.4, height: float = 3.4, **controls: Control
) -> Any:
    """Show sliders, the figure that they move, and a line of text that restates it.

    Parameters
    ----------
    draw : callable
        ``draw(axes, **values)`` draws one state and returns its numbers as a dict.
    say : callable
        Turns these numbers into one sentence: printed below the figure and its alt text.
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
    >>> with contextlib.redirect_stdout(io.StringIO()) as said:  # outside a notebook it prints
    ...     box = explore(draw, say=say, p=control)
    >>> said.getvalue().splitlines()[-1]
    'On average 10% of all cells flip.'
    >>> len(box.children)  # the slider's row, the output
    2
    """
    if not 1 <= len(controls) <= 3:
        raise ValueError(
            f"explore takes one to three controls, got {len(controls)}: ask one question"
        )
    sliders = {name: control.slider() for name, control in controls.items()}

    def redraw(**values: Any) -> None:
        figure, axes = new_figure(width=width, height=height)
        sentence = say(draw(axes, **values))
        show(figure, alt=sentence)
        print(sentence)

    output = ipywidgets.interactive_output(redraw, sliders)
    rows = [_labelled(slider, controls[name]) for name, slider in sliders.items()]
    return ipywidgets.VBox([*rows, output])


def twin(
    draw: Draw,
    *,
    alt: str | Caption,
    width: float = 9.0,
    height: float = 2.6,
    **values: Sequence[Any],
) -> pd.DataFrame:
    """Draw the same states as a grid, one panel each, and give their numbers as a table.

    Parameters
    ----------
    draw : callable
        The function that the sliders call.
    alt : str or callable
        Alternative text of the whole grid, or what makes it from the table of numbers.
    width, height : float
        Inches of the whole grid, and of each of its rows.
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
    if not 1 <= len(values) <= 2:
        raise ValueError(
            f"twin takes one or two keywords, got {len(values)}: a page has two directions"
        )
    sequences = list(values.values())
    shape = (1, len(sequences[0])) if len(sequences) == 1 else tuple(map(len, sequences))
    if len(sequences) == 1 and len(sequences[0]) > 3:  # six states read better in two rows
        shape = (2, -(-len(sequences[0]) // 2))
    figure, grid = new_figure(*shape, width=width, height=height * shape[0])
    rows = [
        draw(axes, **dict(zip(values, state, strict=True)))
        for axes, state in zip(_flat(grid), itertools.product(*sequences), strict=False)
    ]
    for axes in _flat(grid)[len(rows) :]:
        axes.set_visible(False)
    table = pd.DataFrame(rows)
    show(figure, alt=alt if isinstance(alt, str) else alt(table))
    return table


def _labelled(slider: ipywidgets.SelectionSlider, control: Control) -> ipywidgets.VBox:
    """The slider, and below its track what the two ends mean."""
    ends = [ipywidgets.Label(f"← {control.low}"), ipywidgets.Label(f"{control.high} →")]
    below = {"width": "21em", "margin": "-0.6em 0 0 11em", "justify_content": "space-between"}
    return ipywidgets.VBox([slider, ipywidgets.HBox(ends, layout=below)])


def _flat(grid: Any) -> list[Any]:
    return list(grid.ravel()) if hasattr(grid, "ravel") else [grid]
