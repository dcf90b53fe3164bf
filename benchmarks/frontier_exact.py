"""Which end of the frontier is far off? Twenty rows of a table, of which the best copy is found.

Run with ``python benchmarks/frontier_exact.py`` (twenty minutes). As in `smooth_optimum`, dynamic
programming over sets of rows compares all ways to divide them, here compiled.
"""

from itertools import product

import numba
import numpy as np
import pandas as pd
from _common import options, show
from frontier import table_of

import pplab
from pplab.smooth.optimum import smooth_optimum

TABLES = ("block model", "lastfm", "movielens-100k", "adult")
COLUMNS = ["table", "chosen", "seed", "k", "copy", "best", "certificate"]


@numba.njit
def votes(rows: np.ndarray, k: int) -> np.ndarray:
    """Entries that each set of rows keeps and creates by its vote; none where it is no group."""
    people, items = rows.shape
    counts = np.full((1 << people, 2), -1)
    for one in range(1 << people):
        members = np.array([row for row in range(people) if one >> row & 1])
        if len(members) >= k:
            counts[one] = 0
            for item in range(items):
                having = rows[members, item].sum()
                if 2 * having >= len(members):
                    counts[one] += np.array([having, len(members) - having])
    return counts


@numba.njit
def best_division(counts: np.ndarray, level: float) -> np.ndarray:
    """Entries that the division with the most kept - level * created keeps and creates."""
    best, total = np.full(len(counts), -np.inf), np.zeros_like(counts)
    best[0] = 0.0
    for one in range(1, len(counts)):
        lowest = one & -one
        part = rest = one ^ lowest
        while part >= 0:  # all groups of the lowest row
            group = part | lowest
            worth = counts[group, 0] - level * counts[group, 1] + best[one ^ group]
            if counts[group, 0] >= 0 and worth > best[one]:
                best[one], total[one] = worth, counts[group] + total[one ^ group]
            part = (part - 1) & rest if part else -1
    return total[-1]


def best_jaccard(rows: np.ndarray, k: int) -> float:
    """The similarity of the best smooth copy, found by one level after the other."""
    shared = rows[:, 2 * rows.sum(axis=0) >= k]  # no group publishes the other items
    counts, level, better = votes(shared, k), -1.0, 0.0
    while better > level:
        level = better
        kept, created = best_division(counts, level)
        better = kept / (rows.sum() + created)
    return level


def sample(table: np.ndarray, how: str, seed: int, rows: int) -> np.ndarray:
    """Rows at random, or those nearest to a random one."""
    chosen = np.random.default_rng(seed).permutation(len(table))
    if how == "alike":
        shared = table @ table[chosen[0]]
        chosen = np.argsort(-shared / (table.sum(axis=1) + table[chosen[0]].sum() - shared))
    return table[chosen[:rows]]


def main() -> None:
    """Compare copy, best copy and certificate of each sample."""
    trial, outcome = options(__doc__).parse_args().trial, []
    for name in TABLES[:1] if trial else TABLES:
        table = table_of(name).toarray()
        for how, seed, k in product(("at random", "alike"), range(3), (4, 8)):
            rows = sample(table, how, seed, 10 if trial else 20).astype(int)
            copy = pplab.smooth_k_anonymize(rows, k, effort="thorough", rng=1).jaccard
            best, bound = best_jaccard(rows, k), pplab.jaccard_certificate(rows, k)
            if trial and best != float(smooth_optimum(rows, k).jaccard):
                raise AssertionError(f"{best} is not the optimum of {name}, {how}, {seed}, {k}")
            outcome.append((name, how, seed, k, copy, best, bound))
    table = pd.DataFrame(outcome, columns=COLUMNS).round(5)
    show(table, "frontier_exact", stored=not trial)


if __name__ == "__main__":
    main()
