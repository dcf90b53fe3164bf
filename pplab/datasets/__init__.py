"""Data: what there is, where it lies, how it is read, and what stands in for it."""

from pplab.datasets.blocks import block_model
from pplab.datasets.catalog import catalog
from pplab.datasets.dataset import Dataset, align
from pplab.datasets.loading import load_dataset
from pplab.datasets.store import DataFileError

__all__ = [
    "DataFileError",
    "Dataset",
    "align",
    "block_model",
    "catalog",
    "load_dataset",
]
