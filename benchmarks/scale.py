"""Smooth k-anonymity of 0.5 to 5 million made rows x 100,000 items on two workers of dask.

Run with ``make bench`` (a trial) or ``python benchmarks/scale.py``. Edges are made file by file by
the workers, never in one process; the run reads and writes files alone, and what it wrote is
checked against what it read by ``verify_parquet`` afterwards. Each size runs in a process of its
own with a cluster of its own, so that peaks of memory can be read off: of the larger worker before
and after, and of the process that only hands out tasks. Wall time depends on what else the machine
does ("load" is the number of jobs that wait for a core at the start, of others where above 0);
processor time of the two workers hardly does. ``docs/scale.md`` has its tables from here, with what
1e9 rows would take; ``--docs`` writes them anew without measuring.
"""

import argparse
import itertools
import json
import os
import re
import resource
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
from _common import child, options, put, workers

from smoothbound.chunks import CHUNK_ROWS
from smoothbound.parquet import make_edges, smooth_k_anonymize_parquet, verify_parquet

SIZES = (500_000, 1_000_000, 2_000_000, 5_000_000)
ITEMS, K, FILE_ROWS, WORKERS = 100_000, 8, 250_000, 2
METHODS = ("greedy", "paper")
MEMORY = "4GB"  # of a worker; dask ends one that takes more
OUT = Path(__file__).parent / "results" / "scale.csv"
DOCS = Path(__file__).parents[1] / "docs" / "scale.md"
MARKS = ("<!-- tables of benchmarks/scale.py -->", "<!-- end of tables -->")
FLAGS = ("every row once", "groups large enough", "votes right")  # of verify_parquet
LEDGER = Path(__file__).parents[1] / "data" / "results" / "smooth"
CHUNKING = (("dblp-2010", LEDGER / "chunks_dblp.json"), ("cnr-2000", LEDGER / "chunks_cnr.json"))
CHUNKING_MARKS = ("<!-- table of the parts chunks_dblp and chunks_cnr -->", "<!-- end of table -->")
# What a larger run would have: rows, and hours until it is done.
WANTED, HOURS = 1_000_000_000, 24
KEY_BYTES, KEYS_IN_CHUNK, FILE_ROWS_WANTED = 80, 400, 2_500_000


def used() -> tuple[float, float]:
    """Peak memory (MB) and processor seconds of the process in which this is called."""
    result = resource.getrusage(resource.RUSAGE_SELF)  # its peak counts a forking parent as well
    peak = re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text())
    assert peak, "the peak of memory is read off as Linux tells it"
    return int(peak[1]) / 1024, result.ru_utime + result.ru_stime


def megabytes(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.rglob("*.parquet")) / 2**20


def measure(method: str, rows: int, folder: Path) -> dict[str, float]:
    """Make edges, anonymize them and check the result, on two workers."""
    load, files = os.getloadavg()[0], max(rows // FILE_ROWS, WORKERS)
    source, target = folder / "edges", folder / "published"
    with workers(WORKERS, folder / "dask", memory=MEMORY) as client:
        make_edges(source, rows=rows, items=ITEMS, files=files, client=client)
        make_edges(folder / "few", rows=5000, items=1000, files=WORKERS, client=client)
    with workers(WORKERS, folder / "dask", memory=MEMORY) as client:
        options = {"client": client, "method": method, "rng": 1}
        # A small run first: compiled code is read from its cache, or made.
        smooth_k_anonymize_parquet(folder / "few", folder / "few out", K, **options)
        before = [*client.run(used).values()]
        start = time.perf_counter()
        result = smooth_k_anonymize_parquet(source, target, K, rows=rows, **options)
        seconds = time.perf_counter() - start
        after, mine = [*client.run(used).values()], used()[0]
        start = time.perf_counter()
        checked = verify_parquet(target, client=client)
        verified = time.perf_counter() - start
    spent = json.loads((target / "manifest.json").read_text())["spent"]
    cpu = sum(end[1] - begun[1] for end, begun in zip(after, before, strict=True))
    return {
        "rows": rows,
        "items": ITEMS,
        "entries": result.entries,
        "files": files,
        "chunks": result.chunks,
        "k": K,
        "method": method,
        "load": load,
        "seconds": seconds,
        "shuffle seconds": spent["seconds"]["shuffle"],
        "chunk seconds": spent["seconds"]["chunks"],
        "rows per second": rows / seconds,
        "cpu seconds": cpu,
        "rows per cpu second": rows / cpu,
        "worker MB before": max(row[0] for row in before),
        "worker MB": max(row[0] for row in after),
        "client MB": mine,
        "source MB": megabytes(source),
        "scratch MB": spent["scratch_bytes"] / 2**20,
        "published MB": megabytes(target),
        "jaccard": result.jaccard,
        "smallest group": result.smallest_group,
        "verify seconds": verified,
        "every row once": checked.every_row_once,
        "groups large enough": checked.groups_large_enough,
        "votes right": checked.votes_right,
    }


def growth(table: pd.DataFrame, column: str) -> float:
    """Exponent with which a column grows with the rows, a line through the logarithms."""
    return float(np.polyfit(np.log(table["rows"]), np.log(table[column]), 1)[0])


def larger(table: pd.DataFrame) -> dict[str, float]:
    """Costs of WANTED rows if everything grows as from the smallest to the largest run."""
    last = table.iloc[-1]
    times = WANTED / last["rows"]
    hours = last["cpu seconds"] * times ** max(growth(table, "cpu seconds"), 1.0) / 3600
    chunks, files = WANTED / CHUNK_ROWS, WANTED / FILE_ROWS_WANTED
    of_file = (last["worker MB"] - last["worker MB before"]) * FILE_ROWS_WANTED / FILE_ROWS
    return {
        "cpu hours": hours,
        "cores": hours / HOURS,
        "worker GB": last["worker MB"] / 1024,
        "worker GB, large files": (last["worker MB before"] + of_file) / 1024,
        "source GB": last["source MB"] * times / 1024,
        "scratch GB": last["scratch MB"] * times / 1024,
        "published GB": last["published MB"] * times / 1024,
        "chunks": chunks,
        "files": files,
        "pieces": chunks * files,
        "client GB": chunks * KEYS_IN_CHUNK * KEY_BYTES * 3 / 2**30,
    }


def tables_of(table: pd.DataFrame) -> str:
    """The table of docs/scale.md: what WANTED rows would take, by the largest run of each."""
    runs = {name: rows for name in METHODS if len(rows := table[table["method"] == name])}
    lines = [
        f"| {WANTED:,} rows of this kind would take | {' | '.join(runs)} |",
        "|---|" + "---:|" * len(runs),
    ]
    result = [_wanted(larger(rows)) for rows in runs.values()]
    lines += [f"| {name} | {' | '.join(each[name] for each in result)} |" for name in result[0]]
    return "\n".join(lines)


def _wanted(result: dict[str, float]) -> dict[str, str]:
    disk = (f"{result[f'{name} GB']:,.0f}" for name in ("source", "scratch", "published"))
    return {
        "processor time": f"{result['cpu hours']:,.0f} hours",
        f"cores, at least, to be done within {HOURS} hours": f"{result['cores']:,.1f}",
        f"memory of a worker, files of {FILE_ROWS:,} rows": f"{result['worker GB']:.1f} GB",
        f"memory of a worker, files of {FILE_ROWS_WANTED:,} rows, at most": (
            f"{result['worker GB, large files']:.1f} GB"
        ),
        "memory of the client for keys": f"{result['client GB']:.1f} GB",
        "disk: source, on the way, published": f"{', '.join(disk)} GB",
        f"chunks x files of {FILE_ROWS_WANTED:,} rows = pieces to read": (
            f"{result['chunks']:,.0f} x {result['files']:,.0f} = {result['pieces']:,.0f}"
        ),
    }


def chunking_of() -> str:
    """The table of what chunks cost, from the ledger's stored results."""
    lines = ["| data | way | J (%) | of the unchunked J |", "|---|---|---:|---:|"]
    for name, file in CHUNKING:
        if not file.exists():
            continue  # the part was not run yet; a test asks for both
        rows = [row for row in json.loads(file.read_text())["rows"] if "quantity" in row]
        kept = [row for row in rows if row["quantity"] == "jaccard"]
        lines += [
            f"| {name} | {row['way']} | {row['value']:.2f} "
            f"| {row['value'] / kept[0]['value']:.3f} |"
            for row in kept
        ]
    return "\n".join(lines)


def write_docs() -> None:
    text = put(DOCS.read_text(), MARKS, tables_of(pd.read_csv(OUT)))
    DOCS.write_text(put(text, CHUNKING_MARKS, chunking_of()))


def keep(out: Path, row: dict[str, float]) -> None:
    """Put one measurement into the stored ones, in place of that of the same size and method."""
    table = pd.DataFrame([row]).round(3)
    if out.exists():
        stored = pd.read_csv(out)
        same = (stored["method"] == row["method"]) & (stored["rows"] == row["rows"])
        table = pd.concat([stored[~same], table])
    out.parent.mkdir(exist_ok=True)
    table.sort_values(["method", "rows"]).to_csv(out, index=False)


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=SIZES, help="sizes to measure")
    parser.add_argument("--methods", nargs="+", default=METHODS, choices=METHODS)
    parser.add_argument("--folder", type=Path, help="where files may lie, instead of a new folder")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--docs", action="store_true", help="only write the tables of the docs")
    parser.add_argument("--one", nargs=2, metavar=("METHOD", "ROWS"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.trial:
        print(json.dumps(_child("paper", 20_000, arguments.folder)))
        return
    if arguments.one:
        method, rows = arguments.one
        print(json.dumps(measure(method, int(rows), arguments.folder)))
        return
    if not arguments.docs:
        for method, rows in itertools.product(arguments.methods, arguments.rows):
            result = _child(method, rows, arguments.folder)
            keep(arguments.out, result)
            print(json.dumps(result), flush=True)
    if arguments.out == OUT:
        write_docs()


def _child(method: str, rows: int, folder: Path | None) -> dict[str, float]:
    with tempfile.TemporaryDirectory(dir=folder) as own:
        return child(__file__, "--one", method, rows, "--folder", own)


if __name__ == "__main__":
    main()
