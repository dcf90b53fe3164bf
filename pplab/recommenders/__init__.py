"""Recommendations and predictions, with and without protection."""

from pplab.recommenders.neighbours import (
    HiddenCells,
    Predictions,
    holdout_cells,
    holdout_users,
    predict_from_nearest,
)

__all__ = [
    "HiddenCells",
    "Predictions",
    "holdout_cells",
    "holdout_users",
    "predict_from_nearest",
]
