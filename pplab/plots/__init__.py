"""Figures: colour-blind safe, readable in grey, labelled directly, with alternative text."""

from pplab import checks
from pplab.plots.curves import bands as bands
from pplab.plots.curves import level_curves as level_curves
from pplab.plots.curves import over_k as over_k
from pplab.plots.curves import risk_axis as risk_axis
from pplab.plots.curves import risk_path as risk_path
from pplab.plots.curves import tail_bars as tail_bars
from pplab.plots.draw import bars as bars
from pplab.plots.draw import cells as cells
from pplab.plots.draw import copied as copied
from pplab.plots.draw import curves as curves
from pplab.plots.draw import end_labels as end_labels
from pplab.plots.draw import groups as groups
from pplab.plots.draw import marks as marks
from pplab.plots.draw import network as network
from pplab.plots.draw import paired_bars as paired_bars
from pplab.plots.draw import split_bars as split_bars
from pplab.plots.draw import z_scores as z_scores
from pplab.plots.style import COLOURS as COLOURS
from pplab.plots.style import SHADES as SHADES
from pplab.plots.style import new_figure as new_figure
from pplab.plots.style import show as show
from pplab.plots.style import style as style

__all__ = checks.exported(globals())  # noqa: PLE0605
