"""How similar a smooth k-anonymous copy can be, enclosed from both sides, for k up to 64.

Run with ``make bench`` (a trial) or ``python benchmarks/frontier.py`` (an hour; sizes that are in
the stored results already are left as they are, ``--again adult`` runs a table anew). The best copy
keeps at least what ours keeps, and at most what its certificate allows. Beside both stands the
epsilon at which randomized response keeps as much on average. Equal similarity is not equal
protection: k-anonymity bounds how few people look alike, epsilon how much one entry tells.
"""

import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from _common import options, put
from scipy import sparse

import pplab
from pplab.datasets.blocks import block_model
from pplab.theory.jaccard_law import epsilon_for_jaccard
from pplab_papers.smooth import paper
from smoothbound.certificates import jaccard_certificates

SIZES = (2, 4, 8, 16, 32, 64)
TABLES = ("block model", "lastfm", "movielens-100k", "adult", "cnr-2000", "dblp-2010")
# A thorough run takes minutes on these: there, copies of other sizes than 8 are fast ones, and on
# the graphs certificates, too.
LARGE, GRAPHS = TABLES[3:], TABLES[4:]
OUT = Path(__file__).parent / "results" / "frontier.csv"
DOCS = Path(__file__).parents[1] / "docs" / "frontier.md"
MARKS = ("<!-- table of benchmarks/frontier.py -->", "<!-- end of table -->")


def table_of(name: str) -> sparse.csr_array:
    """Rows and items of a table; what is stored counts as one: a rating, a number of plays."""
    if name == "block model":
        return block_model(**paper.BLOCK_MODEL, rng=0).biadjacency
    data = pplab.load_dataset(name, source="real")  # a stand-in has another frontier
    for table in (data.biadjacency, data.preferences, data.ratings):
        if table is not None:
            return sparse.csr_array((np.ones(table.nnz), table.indices, table.indptr), table.shape)
    raise ValueError(f"{name} has no table of rows and items")


def measured(
    table: sparse.csr_array, k: int, *, copies: str = "fast", certificates: str = "thorough"
) -> dict[str, Any]:
    """Make one copy and the certificates of one k, each with an effort of its own."""
    began = time.perf_counter()
    copy = pplab.smooth_k_anonymize(table, k, effort=copies, rng=1)
    between = time.perf_counter()
    bounds = jaccard_certificates(table, k, effort=certificates)
    row: dict[str, Any] = {
        "rows": table.shape[0],
        "items": table.shape[1],
        "density": table.nnz / (table.shape[0] * table.shape[1]),
        "k": k,
        "kept": copy.jaccard,
        "bound": min(bounds.values()),
        "sharpest": min(bounds, key=lambda name: bounds[name]),
        "effort": copies,
        "seconds of the copy": between - began,
        "seconds of the certificate": time.perf_counter() - between,
    }
    print(row, flush=True)
    return row


def with_prices(outcome: pd.DataFrame) -> pd.DataFrame:
    """Rows of one table by k, with the share that is reached and the epsilon of either end.

    A copy for a larger k is one for a smaller k, too: a copy is lent to smaller sizes, a bound to
    larger ones. Both ends are rounded outwards, to five decimals; what has no more already stays
    (a product such as .694 times 100,000 may be a little less than 69,400).
    """
    outcome = outcome.sort_values("k", ignore_index=True)
    kept, bound = ((10**5 * outcome[end]).round(6) for end in ("kept", "bound"))
    kept, bound = np.floor(kept[::-1].cummax()[::-1]) / 10**5, np.ceil(bound.cummin()) / 10**5
    result = outcome.assign(kept=kept, bound=bound, ratio=kept / bound)
    for end, column in (("kept", "least epsilon"), ("bound", "most epsilon")):
        ends = zip(result[end], result["density"], strict=True)
        result[column] = [
            epsilon_for_jaccard(jaccard, density=density) if 0 < jaccard < 1 else None
            for jaccard, density in ends
        ]
    return result


def page_table(stored: pd.DataFrame) -> str:
    """The table of docs/frontier.md: both ends at k = 8."""
    lines = [
        "| table | rows | items | density | J*(8) | open | ε of equal J |",
        "|---|---:|---:|---:|---|---:|---|",
    ]
    for row in stored[stored["k"] == 8].to_dict("records"):
        lines.append(
            f"| {row['table']} | {row['rows']:,} | {row['items']:,} "
            f"| {row['density']:.2g} | {row['kept']:.5f} to {row['bound']:.5f} "
            f"| {1 - row['ratio']:.1%} | {row['least epsilon']:.2f} to {row['most epsilon']:.2f} |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--again", nargs="*", default=[], choices=TABLES, help="tables to run anew")
    arguments = parser.parse_args()
    if arguments.trial:
        table = table_of("block model")[:128]
        print(with_prices(pd.DataFrame([measured(table, k) for k in SIZES])).round(4).to_string())
        return
    for name in TABLES:
        stored = pd.read_csv(OUT) if OUT.exists() else pd.DataFrame(columns=["table", "k"])
        there = stored[(stored["table"] == name) & (name not in arguments.again)]
        expected = [k for k in SIZES if k not in set(there["k"])]
        if not expected:
            continue
        print(name, flush=True)
        table = table_of(name)
        rows: list[dict[str, Any]] = []
        for k in expected:
            copies, certificates = (
                "fast" if k != 8 and name in some else "thorough" for some in (LARGE, GRAPHS)
            )
            made = measured(table, k, copies=copies, certificates=certificates)
            rows.append({"table": name} | made)
        result = with_prices(pd.concat([each for each in (there, pd.DataFrame(rows)) if len(each)]))
        parts = [stored[stored["table"] != name], result]
        stored = pd.concat([each for each in parts if len(each)])
        stored = stored.round(dict.fromkeys(stored.columns.drop("density"), 5))
        stored.to_csv(OUT, index=False)
        DOCS.write_text(put(DOCS.read_text(), MARKS, page_table(stored)))


if __name__ == "__main__":
    main()
