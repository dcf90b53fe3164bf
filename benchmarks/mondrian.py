"""Mondrian on the eight categorical attributes of Adult, k = 8, against anonypy.

Run with ``make bench`` (a trial) or ``python benchmarks/mondrian.py``. anonypy, a packaged Mondrian
in Python, lives in an environment of its own under build/, which is made the first time. Each way
gets the same table in memory and gives the groups; reading and publishing are not timed. Both use
one thread, so that processor time compares them also where the machine is busy. The groups differ:
anonypy halves the levels of an attribute in the order in which a group has them, whatever the
number of rows. "kept" is the share of the entries that every member of a group has. Ratios hold
within one run; times depend on the machine.
"""

import json
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from statistics import median

import numpy as np
import pandas as pd
from _common import options, show

from pplab.datasets import load_dataset
from pplab.smooth.mondrian import mondrian

K = 8
ANONYPY = "anonypy==0.2.1"
HOME = Path(__file__).parents[1] / "build" / "bench-anonypy"
# Runs in the environment of anonypy: table and k in, groups and times out.
CHILD = """
import json, sys, time
import pandas as pd
from anonypy.mondrian import Mondrian

file, k, repeats, out = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
table = pd.read_csv(file, dtype="category", keep_default_na=False)
found = {"seconds": [], "cpu seconds": []}
for _ in range(repeats):
    start, worked = time.perf_counter(), time.process_time()
    groups = Mondrian(table, list(table.columns)).partition(k)
    found["seconds"].append(time.perf_counter() - start)
    found["cpu seconds"].append(time.process_time() - worked)
labels = pd.Series(-1, index=table.index)
for number, rows in enumerate(groups):
    labels[rows] = number
labels.to_csv(out, index=False, header=False)
print(json.dumps(found))
"""


def environment() -> Path | None:
    """Python of the environment with anonypy; None where the package cannot be had."""
    python = HOME / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    asks = [str(python), "-c", "import anonypy, pandas"]
    if python.exists() and subprocess.run(asks, capture_output=True, check=False).returncode == 0:
        return python
    print(f"{ANONYPY} gets an environment of its own in {HOME.relative_to(HOME.parents[1])}")
    venv.create(HOME, with_pip=True, clear=True)
    # the pandas of this environment: otherwise two versions of it would be compared as well
    expected = [ANONYPY, f"pandas=={pd.__version__}", f"numpy=={np.__version__}"]
    quiet = ["--quiet", "--disable-pip-version-check"]
    command = [str(python), "-m", "pip", "install", *quiet, *expected]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    if process.returncode:
        print((process.stderr.strip().splitlines() or ["pip gave no reason"])[-1])
        return None
    return python


def peer_run(
    python: Path, table: pd.DataFrame, repeats: int
) -> tuple[dict[str, float], np.ndarray]:
    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder) / "table.csv", Path(folder) / "labels.csv"
        table.to_csv(file, index=False)
        command = [str(python), "-c", CHILD, str(file), str(K), str(repeats), str(out)]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        labels = pd.read_csv(out, header=None)[0].to_numpy()
    return {name: median(values) for name, values in json.loads(text).items()}, labels


def ours(table: pd.DataFrame, repeats: int, cut: str) -> tuple[dict[str, float], np.ndarray]:
    mondrian(table, K, cut=cut)  # compiled code is made, or read from its cache
    times = []
    for _ in range(repeats):
        start, worked = time.perf_counter(), time.process_time()
        labels = mondrian(table, K, cut=cut)
        times.append((time.perf_counter() - start, time.process_time() - worked))
    wall, worked = zip(*times, strict=True)
    return {"seconds": median(wall), "cpu seconds": median(worked)}, labels


def kept(table: pd.DataFrame, labels: np.ndarray) -> float:
    """Share of the values that all members of their group share."""
    same = table.groupby(labels).transform("nunique") == 1
    return float(same.to_numpy().mean())


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--repeats", type=int, default=7, help="runs of ours; the median counts")
    parser.add_argument("--their-repeats", type=int, default=3, help="the same for anonypy")
    arguments = parser.parse_args()
    python = None if arguments.trial else environment()
    if python is None and not arguments.trial:
        print(f"{ANONYPY} cannot be installed here (see above); there is nothing to compare with.")
        return
    adult = load_dataset("adult")
    result = {
        f"pplab, {cut}": ours(adult.users, arguments.repeats, cut) for cut in ("balanced", "median")
    }
    if python is not None:
        result[ANONYPY.replace("==", " ")] = peer_run(python, adult.users, arguments.their_repeats)
    rows = []
    for way, (times, labels) in result.items():
        sizes = np.bincount(labels)
        row = {"way": way, "source": adult.source, "rows": len(labels), "k": K, **times}
        row |= {"groups": len(sizes), "smallest group": sizes.min()}
        rows.append(row | {"kept": kept(adult.users, labels)})
    table = pd.DataFrame(rows)
    for kind in ("seconds", "cpu seconds"):
        table[f"times ours by {kind}"] = table[kind] / table[kind].iloc[0]
    show(table.round(4), "mondrian", stored=adult.source == "real" and python is not None)


if __name__ == "__main__":
    main()
