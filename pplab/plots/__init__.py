"""Figures: colour-blind safe, readable in grey, labelled directly, with alternative text."""

from pplab.plots.curves import below_certificate, level_curves, risk_axis, risk_path, tail_bars
from pplab.plots.draw import (
    bars,
    cells,
    curves,
    end_labels,
    groups,
    marks,
    network,
    paired_bars,
    z_scores,
)
from pplab.plots.style import COLOURS, new_figure, show, style

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
    "paired_bars",
    "risk_axis",
    "risk_path",
    "show",
    "style",
    "tail_bars",
    "z_scores",
]
