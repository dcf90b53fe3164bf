"""Figures: colour-blind safe, readable in grey, labelled directly, with alternative text."""

from pplab.plots.curves import bands, level_curves, over_k, risk_axis, risk_path, tail_bars
from pplab.plots.draw import (
    bars,
    cells,
    copied,
    curves,
    end_labels,
    groups,
    marks,
    network,
    paired_bars,
    split_bars,
    z_scores,
)
from pplab.plots.style import COLOURS, SHADES, new_figure, show, style

__all__ = [
    "COLOURS",
    "SHADES",
    "bands",
    "bars",
    "cells",
    "copied",
    "curves",
    "end_labels",
    "groups",
    "level_curves",
    "marks",
    "network",
    "new_figure",
    "over_k",
    "paired_bars",
    "risk_axis",
    "risk_path",
    "show",
    "split_bars",
    "style",
    "tail_bars",
    "z_scores",
]
