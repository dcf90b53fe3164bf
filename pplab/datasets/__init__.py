"""Data: what there is, where it lies, how it is read, and what stands in for it."""

from pplab import checks
from pplab.datasets.blocks import block_model as block_model
from pplab.datasets.catalog import Dataset as Dataset
from pplab.datasets.catalog import align as align
from pplab.datasets.catalog import catalog as catalog
from pplab.datasets.load import load_dataset as load_dataset
from pplab.datasets.splits import holdout_cells as holdout_cells
from pplab.datasets.splits import holdout_users as holdout_users
from pplab.datasets.store import DataFileError as DataFileError

__all__ = checks.exported(globals())  # noqa: PLE0605
