"""How often the search meets the optimum of small tables, known by trying all groupings."""

import numpy as np

from pplab.smooth.anonymize import smooth_k_anonymize, suppress_k_anonymize
from pplab.smooth.optimum import best_grouping, majority_jaccard, smooth_optimum
from tests.anonymity.search_cases import random_table

CASES = 150


def small_case(seed):
    rng = np.random.default_rng([7, seed])
    rows = int(rng.integers(4, 10))
    table = random_table(rng, rows, int(rng.integers(3, 12)))
    table[0, 0] |= not table.any()
    return table, int(rng.integers(2, min(5, rows) + 1))


def most_kept(table, k):
    """Entries that the best groups keep if only what all rows of a group have is published."""
    values = [0] * (1 << len(table))
    for group in range(1, len(values)):
        rows = [row for row in range(len(table)) if group >> row & 1]
        values[group] = len(rows) * int(table[rows].all(axis=0).sum())
    return best_grouping(values, len(table), k)[0]


def test_the_best_smooth_copy_is_found_nearly_always():
    met = 0
    for seed in range(CASES):
        table, k = small_case(seed)
        found = smooth_k_anonymize(table, k, effort="thorough", rng=seed)
        reached, best = majority_jaccard(table, found.labels), smooth_optimum(table, k).jaccard
        assert reached <= best
        assert abs(found.jaccard - reached) < 1e-12
        met += reached == best
    assert met >= 0.9 * CASES, met


def test_the_best_suppressed_copy_is_found_nearly_always():
    met = 0
    for seed in range(CASES // 5):
        table, k = small_case(seed)
        found = suppress_k_anonymize(table, k, effort="thorough", rng=seed)
        best = most_kept(table, k)
        assert found.biadjacency.nnz <= best
        met += found.biadjacency.nnz == best
    assert met >= 0.9 * CASES / 5, met
