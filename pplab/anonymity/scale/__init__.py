"""Smooth k-anonymity past one table: chunks of similar rows, in threads or on many machines."""

from pplab.anonymity.scale.chunks import smooth_k_anonymize_chunks
from pplab.anonymity.scale.parquet import SmoothFiles, smooth_k_anonymize_parquet
from pplab.anonymity.scale.verify import FilesChecked, verify_parquet

__all__ = [
    "FilesChecked",
    "SmoothFiles",
    "smooth_k_anonymize_chunks",
    "smooth_k_anonymize_parquet",
    "verify_parquet",
]
