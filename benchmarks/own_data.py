"""A file of 25 million made ratings read into a Table, against pandas.read_csv of the same file;
and ten million released edges written with their labels, against the matrix and pandas.

Run with ``make bench`` (a trial) or ``python benchmarks/own_data.py``. The file has four columns,
as MovieLens has them; ids are whole numbers or text. pandas reads all columns, which is what one
would do first. Each way runs in a process of its own, whose peak of memory is read off; imports are
not timed. Ratios hold within one run; times depend on the machine.
"""

import tempfile
from pathlib import Path
from statistics import median

import numpy as np
import pandas as pd
from _common import child, options, show

USERS, ITEMS, FLIP = 160_000, 60_000, 0.001
CHILD = """
import json, re, sys, time
from pathlib import Path
import numpy as np, pandas as pd, scipy.sparse, pplab
from pplab.own_data import read_table
from pplab.response import bipartite_noise_graph

way, file, users, items, flip, out = sys.argv[1:]
names = {"user": "userId", "item": "movieId"}
if way.startswith("write"):
    likes = read_table(file, **names, value="rating", listed="public").keep()
    small = pplab.table(np.eye(4))
    bipartite_noise_graph(small, flip_probability=0.1, rng=1).to_csv(out)
    matrix, ids = likes.matrix, (np.array(likes.users), np.array(likes.items))
start = time.perf_counter()
if way == "read pandas":
    lines = len(pd.read_csv(file))
elif way == "read pplab":
    lines = read_table(file, **names, value="rating").matrix.nnz
elif way == "write pplab":
    release = bipartite_noise_graph(likes, flip_probability=float(flip), rng=1)
    release.to_csv(out)
    lines = release.matrix.nnz
else:
    release = bipartite_noise_graph(matrix, flip_probability=float(flip), rng=1)
    rows = np.repeat(np.arange(release.shape[0]), np.diff(release.indptr))
    frame = pd.DataFrame({"userId": ids[0][rows], "movieId": ids[1][release.indices]})
    frame.to_csv(out, index=False)
    lines = len(frame)
seconds = time.perf_counter() - start
peak = int(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1]) / 1024
print(json.dumps({"seconds": seconds, "peak MB": peak, "lines": lines}))
"""


def write_ratings(file: Path, lines: int, users: int, items: int, *, text: bool) -> None:
    """A file of so many different entries, in no order."""
    rng = np.random.default_rng(1)
    keys = np.unique(rng.integers(0, users * items, int(1.1 * lines)))
    keys = rng.permutation(keys)[:lines]
    ends = {"userId": keys // items + 1, "movieId": 3 * (keys % items) + 1}
    if text:
        ends = {name: np.char.add(name[0], ids.astype(str)) for name, ids in ends.items()}
    stars, times = rng.integers(1, 11, lines) / 2, rng.integers(9e8, 16e8, lines)
    pd.DataFrame({**ends, "rating": stars, "timestamp": times}).to_csv(file, index=False)


def timed(way: str, file: Path, users: int, items: int, flip: float, repeats: int) -> dict:
    result = []
    for _ in range(repeats):
        out = file.with_name("release.csv")
        asked = (way, file, users, items, flip, out)
        result.append(child("-c", CHILD, *asked))
    return {name: median(row[name] for row in result) for name in result[0]}


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--lines", type=int, default=25_000_000)
    parser.add_argument(
        "--repeats", type=int, default=3, help="runs of each way; the median counts"
    )
    arguments = parser.parse_args()
    lines, users, items, flip = arguments.lines, USERS, ITEMS, FLIP
    if arguments.trial:
        lines, users, items = 200_000, 4000, 2000
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "ratings.csv"
        for ids in ("whole numbers", "text"):
            few = lines if ids == "whole numbers" else lines // 5
            write_ratings(file, few, users, items, text=ids == "text")
            for way in ("read pandas", "read pplab"):
                row = {"way": way, "ids": ids, "lines of the file": few}
                rows.append(row | timed(way, file, users, items, flip, arguments.repeats))
        write_ratings(file, few, users, items, text=False)
        for way in ("write matrix and pandas", "write pplab"):
            row = {"way": way, "ids": "whole numbers", "lines of the file": few}
            rows.append(row | timed(way, file, users, items, flip / 2, arguments.repeats))
    table = pd.DataFrame(rows)
    for kind in ("seconds", "peak MB"):
        first = table[kind].to_numpy()[::2].repeat(2)
        table[f"times pandas by {kind}"] = table[kind] / first
    show(table.round(3), "own_data", stored=not arguments.trial)


if __name__ == "__main__":
    main()
