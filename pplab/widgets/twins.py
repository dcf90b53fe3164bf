"""The static twin of a widget: the same states as a grid, for GitHub, HTML and print."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pplab.plots import new_figure, show
from pplab.widgets.sliders import Draw

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["twin"]

Caption = Callable[["pd.DataFrame"], str]
_WIDTH = 9.0  # inches of the whole grid


def twin(
    draw: Draw,
    *,
    alt: str | Caption,
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
    rows = [
        draw(axes, **dict(zip(values, state, strict=True)))
        for axes, state in zip(_flat(grid), itertools.product(*sequences), strict=False)
    ]
    for axes in _flat(grid)[len(rows) :]:
        axes.set_visible(False)
    table = pd.DataFrame(rows)
    show(figure, alt=alt if isinstance(alt, str) else alt(table))
    return table


def _flat(grid: Any) -> list[Any]:
    return list(grid.ravel()) if hasattr(grid, "ravel") else [grid]
