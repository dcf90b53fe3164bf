"""Past one machine: edge lists in Parquet files, in chunks, by Dask's workers (extra ``scale``)."""

from pplab.scale.parquet import make_edges, smooth_k_anonymize_parquet, verify_parquet

__all__ = ["make_edges", "smooth_k_anonymize_parquet", "verify_parquet"]
