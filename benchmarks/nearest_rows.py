"""The k nearest rows of sparse binary tables against scipy's A Aᵀ with argpartition.

Run with ``python benchmarks/nearest_rows.py``; dblp-2010, cnr-2000 and adult are read from
PPLAB_DATA. The other way multiplies blocks of rows with the transpose and takes the k nearest of
each full row of distances; it is timed on evenly spread blocks and scaled up. Ratios hold within
one run; times depend on the machine.
"""

import time
from statistics import median

import numba
import numpy as np
import pandas as pd
from _common import options, show
from scipy import sparse

from pplab import load_dataset
from pplab.smooth import nearest_rows

BLOCK = 64


def textbook_block(table: sparse.csr_array, columns: sparse.csr_array, rows: slice, k: int) -> None:
    """Nearest k of a block of rows: all distances, then a partition of each row."""
    degrees = np.diff(table.indptr).astype(np.int32)
    shared = (table[rows] @ columns).toarray()
    away = degrees[rows, None] + degrees - 2 * shared
    away[np.arange(len(away)), np.arange(rows.start, rows.stop)] = np.iinfo(np.int32).max
    np.argpartition(away, k, axis=1)[:, :k]


def textbook_seconds(table: sparse.csr_array, k: int, blocks: int) -> float:
    """Seconds for the whole table, scaled up from some blocks."""
    wide = table.astype(np.int32)
    columns = wide.T.tocsr()
    starts = np.linspace(0, table.shape[0] - BLOCK, blocks).astype(int)
    start = time.perf_counter()
    for first in starts:
        textbook_block(wide, columns, slice(first, first + BLOCK), k)
    return (time.perf_counter() - start) * table.shape[0] / (BLOCK * blocks)


def our_seconds(table: sparse.csr_array, k: int, threads: int, repeats: int) -> float:
    before, times = numba.get_num_threads(), []
    numba.set_num_threads(min(threads, before))
    for _ in range(repeats):
        start = time.perf_counter()
        nearest_rows(table, k)
        times.append(time.perf_counter() - start)
    numba.set_num_threads(before)
    return median(times)


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--blocks", type=int, default=20)
    parser.add_argument("--data", nargs="+", default=["adult", "dblp-2010", "cnr-2000"])
    parser.add_argument("--k", nargs="+", type=int, default=[8, 16, 64])
    arguments = parser.parse_args()
    if arguments.trial:
        arguments.data, arguments.k, arguments.blocks, arguments.repeats = ["adult"], [8], 1, 1
    nearest_rows(np.eye(3, dtype=np.int8), 1)  # compiled code is made, or read from its cache
    rows = []
    for data in arguments.data:
        result = load_dataset(data)
        table = sparse.csr_array(result.biadjacency)
        for k in arguments.k:
            ways = {
                f"pplab, {threads} thread{'s' * (threads > 1)}": our_seconds(
                    table, k, threads, arguments.repeats
                )
                for threads in (2, 1)
            }
            ways["A Aᵀ and argpartition"] = textbook_seconds(table, k, arguments.blocks)
            for way, seconds in ways.items():
                ratio = seconds / ways["pplab, 2 threads"]
                entry = {"data": data, "source": result.source, "k": k, "way": way}
                rows.append({**entry, "seconds": seconds, "times ours": ratio})
                print(f"{data:<10} k = {k:<3} {way:<36} {seconds:9.3f} s  {ratio:7.1f}", flush=True)
    show(pd.DataFrame(rows).round(3), "nearest_rows", stored=not arguments.trial)


if __name__ == "__main__":
    main()
