"""Figures: colour-blind safe, readable in grey, labelled directly, with alternative text."""

<<<<<<< HEAD
from pplab.plots.curves import below_certificate, level_curves, risk_axis, risk_path, tail_bars
from pplab.plots.draw import (
    bars,
    cells,
=======
from pplab.plots.curves import level_curves, over_k, risk_axis, risk_path, tail_bars
from pplab.plots.draw import (
    bars,
    cells,
    copied,
>>>>>>> origin/next
    curves,
    end_labels,
    groups,
    marks,
    network,
<<<<<<< HEAD
    paired_bars,
    z_scores,
=======
    split_bars,
>>>>>>> origin/next
)
from pplab.plots.style import COLOURS, new_figure, show, style

__all__ = [
    "COLOURS",
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
<<<<<<< HEAD
    "paired_bars",
=======
    "over_k",
>>>>>>> origin/next
    "risk_axis",
    "risk_path",
    "show",
    "split_bars",
    "style",
    "tail_bars",
    "z_scores",
]
