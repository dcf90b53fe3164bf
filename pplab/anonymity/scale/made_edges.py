"""Made edge lists of any size: each file follows from a seed and its number alone."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np

from pplab.anonymity.scale.edge_files import arrow, write_table
from pplab.anonymity.scale.tasks import run_tasks

__all__ = ["made_rows", "make_edges"]

ROWS_IN_BLOCK, ITEMS_IN_BLOCK = 200, 20
MEAN_LOG, SPREAD_LOG = 2.3, 0.7  # of the degrees: 10 in the middle, a few above 60
INSIDE = 0.9  # chance that an entry is one of the block's items
_SEED = 1
_PRIMES = np.array([2_654_435_761, 40_503, 2_246_822_519], dtype=np.uint64)


def make_edges(
    folder: str | Path,
    *,
    rows: int,
    items: int,
    files: int,
    client: object = None,
) -> int:
    """Write files of edges of a table with blocks, each by itself, and count the entries.

    Parameters
    ----------
    folder : path
        Made if it is not there; all workers see it.
    rows, items, files : int
        Rows and items of the table, and how many files hold them, in equal ranges of rows.
    client : dask.distributed.Client or None

    Returns
    -------
    int

    Examples
    --------
    >>> import tempfile
    >>> make_edges(tempfile.mkdtemp(), rows=100, items=50, files=2) > 500
    True
    """
    Path(folder).mkdir(parents=True, exist_ok=True)
    ends = np.linspace(0, rows, files + 1).astype(int).tolist()
    jobs = [(rows, items, _SEED, *limits) for limits in pairwise(ends)]
    return sum(run_tasks(_write_made, str(folder), jobs, client=client, label="made edges"))


def _write_made(folder: str, job: tuple[int, int, int, int, int]) -> int:
    rows, items = made_rows(*job)
    table = arrow().table({"row": rows, "item": items.astype(np.int32)})
    write_table(Path(folder) / f"part-{job[3]:012d}.parquet", table)
    return len(rows)


def made_rows(
    rows: int, items: int, seed: int, first: int, until: int
) -> tuple[np.ndarray, np.ndarray]:
    """Draw the edges of some rows, ascending; one row in about 2,000 has none.

    A row belongs to a block of uneven size and has as many entries as a lognormal number says:
    most are items of its block, the first ones more often, the others popular items of all.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(first, until)))
    count = until - first
    blocks = (max(rows // ROWS_IN_BLOCK, 1) * rng.random(count) ** 1.5).astype(np.uint64)
    degrees = np.floor(rng.lognormal(MEAN_LOG, SPREAD_LOG, count)).astype(np.int64)
    owner = np.repeat(np.arange(count), np.minimum(degrees, items // 2))
    place = (ITEMS_IN_BLOCK * rng.random(len(owner)) ** 2).astype(np.uint64)
    inside = blocks[owner] * _PRIMES[0] + place * _PRIMES[1] + np.uint64(seed)
    inside = (inside ^ (inside >> np.uint64(15))) * _PRIMES[2] >> np.uint64(13)
    popular = (items * rng.random(len(owner)) ** 2).astype(np.int64)
    mine = rng.random(len(owner)) < INSIDE
    item = np.where(mine, (inside % np.uint64(items)).astype(np.int64), popular)
    edges = np.unique((owner + first) * items + item)  # an item that was drawn twice is one entry
    return edges // items, edges % items
