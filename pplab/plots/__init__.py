"""Figures: colour-blind safe, readable in grey, labelled directly, with alternative text."""

from pplab.plots.ceiling import below_certificate
from pplab.plots.display import show
from pplab.plots.draw import bars, cells, curves, end_labels
from pplab.plots.levels import level_curves
from pplab.plots.marks import marks
from pplab.plots.network import network
from pplab.plots.plane import groups
from pplab.plots.planes import risk_axis, risk_path
from pplab.plots.style import COLOURS, new_figure, style
from pplab.plots.tails import tail_bars

__all__ = [
    "COLOURS",
    "bars",
    "below_certificate",
    "cells",
    "curves",
    "end_labels",
    "groups",
    "level_curves",
    "marks",
    "network",
    "new_figure",
    "risk_axis",
    "risk_path",
    "show",
    "style",
    "tail_bars",
]
