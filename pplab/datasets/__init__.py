"""Data: what there is, where it lies, how it is read, and what stands in for it."""

from pplab.datasets.blocks import block_model
from pplab.datasets.catalog import Dataset, align, catalog
from pplab.datasets.load import load_dataset
from pplab.datasets.splits import holdout_cells, holdout_users
from pplab.datasets.store import DataFileError

__all__ = [
    "DataFileError",
    "Dataset",
    "align",
    "block_model",
    "catalog",
    "holdout_cells",
    "holdout_users",
    "load_dataset",
]
