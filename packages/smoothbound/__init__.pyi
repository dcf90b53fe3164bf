# The public names, read by type checkers and, when one is first asked for, by `__init__.py`.

from .certificates import jaccard_certificate as jaccard_certificate
from .certificates import jaccard_certificates as jaccard_certificates
from .chunks import smooth_k_anonymize_chunks as smooth_k_anonymize_chunks
from .parquet import make_edges as make_edges
from .parquet import smooth_k_anonymize_parquet as smooth_k_anonymize_parquet
from .parquet import verify_parquet as verify_parquet
