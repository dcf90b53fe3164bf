"""Figures: colour-blind safe, readable in grey, labelled directly, with alternative text."""

from pplab.plots.display import show
from pplab.plots.draw import bars, cells, curves, end_labels
from pplab.plots.style import COLOURS, new_figure, style

__all__ = ["COLOURS", "bars", "cells", "curves", "end_labels", "new_figure", "show", "style"]
