"""How similar a smooth k-anonymous copy can be, enclosed from both sides, for k = 2 to 64.

Run with ``make bench`` (a trial) or ``python benchmarks/frontier.py`` (an hour; tables that are in
the stored results already are left as they are, ``--again adult`` runs one anew). The best copy
keeps at least what ours keeps, and at most what its certificate allows. Beside both stands the
epsilon at which randomized response keeps as much on average. Equal similarity is not equal
protection: k-anonymity bounds how few people look alike, epsilon how much one entry tells.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import pandas as pd
from scipy import sparse

import pplab
from pplab.datasets.blocks import block_model
from pplab.papers.smooth import paper
from pplab.smooth.certificates import jaccard_certificates
from pplab.theory.jaccard_law import epsilon_for_jaccard

SIZES = (2, 4, 8, 16, 32, 64)
# Effort of the copies: what the larger tables gain by more is below a hundredth.
TABLES = {
    "block model": "thorough",
    "movielens-100k": "thorough",
    "lastfm": "thorough",
    "adult": "fast",
    "cnr-2000": "fast",
    "dblp-2010": "fast",
}
OUT = Path(__file__).parent / "results" / "frontier.csv"


def table_of(name: str) -> sparse.csr_array:
    """Rows and items of a table; ratings count as ones."""
    if name == "block model":
        return block_model(**paper.BLOCK_MODEL, rng=0).biadjacency
    return pplab.load_dataset(name).biadjacency


def frontier(table: sparse.csr_array, effort: str) -> pd.DataFrame:
    """Copies and certificates of one table, one row for each k."""
    density = table.nnz / (table.shape[0] * table.shape[1])
    rows: list[dict[str, Any]] = []
    least = 1.0
    for k in SIZES:
        began = time.perf_counter()
        copy = pplab.smooth_k_anonymize(table, k, effort=effort, rng=1)
        between = time.perf_counter()
        bounds = jaccard_certificates(table, k)
        least = min(least, *bounds.values())
        row: dict[str, Any] = {
            "rows": table.shape[0],
            "items": table.shape[1],
            "density": density,
            "k": k,
            "kept": copy.jaccard,
            "bound": least,
            "ratio": copy.jaccard / least,
            "sharpest": min(bounds, key=lambda name: bounds[name]),
            "effort": effort,
            "seconds of the copy": between - began,
            "seconds of the certificate": time.perf_counter() - between,
        }
        for name, jaccard in (("least epsilon", copy.jaccard), ("most epsilon", least)):
            row[name] = epsilon_for_jaccard(jaccard, density=density) if 0 < jaccard < 1 else None
        rows.append(row)
        print(row, flush=True)
    # A copy for a larger k is one for a smaller k, too.
    result = pd.DataFrame(rows)
    result["kept"] = result["kept"][::-1].cummax()[::-1]
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--again", nargs="*", default=[], choices=TABLES, help="tables to run anew")
    parser.add_argument("--trial", action="store_true", help="a small table; nothing is stored")
    arguments = parser.parse_args()
    if arguments.trial:
        print(frontier(table_of("block model")[:128], "fast").round(4).to_string())
        return
    for name, effort in TABLES.items():
        stored = pd.read_csv(OUT) if OUT.exists() else pd.DataFrame(columns=["table"])
        if name in set(stored["table"]) and name not in arguments.again:
            continue
        print(name, flush=True)
        found = frontier(table_of(name), effort)
        found.insert(0, "table", name)
        parts = [stored[stored["table"] != name], found]
        pd.concat([each for each in parts if len(each)]).round(5).to_csv(OUT, index=False)


if __name__ == "__main__":
    main()
