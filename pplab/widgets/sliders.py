"""Sliders that say which end is which, drawn again at each step.

They call one function, ``draw(axes, **values)``: it draws one state on the given axes and
returns the row of numbers that the picture shows. The static twin calls it too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pplab.plots import new_figure, show

if TYPE_CHECKING:
    import ipywidgets

__all__ = ["Control", "Draw", "explore"]

Draw = Callable[..., dict[str, Any]]
Say = Callable[[dict[str, Any]], str]


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
    low: str
    high: str
    show: Callable[[Any], str] = "{:g}".format
    buttons: bool = False

    def __post_init__(self) -> None:
        if self.start not in self.values:
            raise ValueError(f"start must be one of {list(self.values)}, got {self.start!r}")

    def slider(self) -> ipywidgets.SelectionSlider:
        """The slider alone: focus it with Tab, move it with the arrow keys."""
        import ipywidgets

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
        print(sentence)

    output = ipywidgets.interactive_output(redraw, sliders)
    rows = [_labelled(slider, controls[name]) for name, slider in sliders.items()]
    return ipywidgets.VBox([*rows, output])


def _labelled(slider: ipywidgets.SelectionSlider, control: Control) -> ipywidgets.VBox:
    """The slider, its buttons, and below its track what the two ends mean."""
    import ipywidgets

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
