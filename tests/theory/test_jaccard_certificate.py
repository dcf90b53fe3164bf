"""Certificates against the best copies of small tables: never below them, and met by some."""

from fractions import Fraction

import numba
import numpy as np
import pytest
from scipy.optimize import brentq, linprog

from pplab.theory.certificate_columns import column_certificate
from pplab.theory.certificate_hull import worth_hulls
from pplab.theory.certificate_inputs import upwards
from pplab.theory.certificate_nearest import nearest_certificate
from pplab.theory.certificate_rows import row_column_certificate
from pplab.theory.certificate_suppression import suppression_certificate
from pplab.theory.groupings import best_grouping
from pplab.theory.jaccard_certificate import jaccard_certificate, jaccard_certificates
from pplab.theory.smooth_optimum import smooth_optimum

SEEDS = range(2100)


def small_table(rng):
    """One of three models: sparse noise, uneven columns, templates with small changes."""
    model, rows, items = rng.integers(3), rng.integers(4, 7), rng.integers(2, 8)
    chances = rng.random(items) if model == 1 else np.full(items, rng.uniform(0.1, 0.7))
    table = rng.random((rows, items)) < chances
    if model == 2:
        table = table[rng.integers(0, 2, rows)] ^ (rng.random((rows, items)) < 0.1)
    return table.astype(np.int8), int(
        rng.integers(2, rows // 2 + 1 if rng.random() < 0.8 else rows + 1)
    )


def subsets(table):
    members = (np.arange(1 << len(table))[:, None] >> np.arange(len(table))) & 1
    return members @ table.astype(np.int64), members.sum(axis=1, keepdims=True)


def best_of_any(table, k):
    """Largest Jaccard similarity over all k-anonymous copies, smooth or not."""
    have, sizes = subsets(table)
    price, edges = Fraction(0), int(table.sum())
    while True:  # an item is published where it pays at this price of a created entry
        up, down = price.numerator, price.denominator
        pays = down * have > up * (sizes - have)
        kept, created = (have * pays).sum(axis=1), ((sizes - have) * pays).sum(axis=1)
        _, labels = best_grouping((down * kept - up * created).tolist(), len(table), k)
        groups = [sum(1 << int(u) for u in np.flatnonzero(labels == g)) for g in set(labels)]
        own, new = (int(sum(part[g] for g in groups)) for part in (kept, created))
        reached = Fraction(own, edges + new) if edges else Fraction(1)
        if not reached > price:
            return price if edges else reached
        price = reached


def best_suppression(table, k):
    have, sizes = subsets(table)
    kept = (have * (have == sizes)).sum(axis=1)
    edges = int(table.sum())
    best, _ = best_grouping(kept.tolist(), len(table), k)
    return Fraction(best, edges) if edges else Fraction(1)


@pytest.fixture(scope="module")
def gaps():
    """Certificate minus optimum, for each certificate and small table."""
    found = []
    for seed in SEEDS:
        table, k = small_table(np.random.default_rng(seed))
        optimum = smooth_optimum(table, k).jaccard
        smooth = jaccard_certificates(table, k, effort="fast")  # the rest: symmetric certificate
        gap = {name: Fraction(b) - optimum for name, b in smooth.items()}
        left = jaccard_certificates(table, k, copies="suppression")
        kept = best_suppression(table, k)
        gap |= {f"{name}, suppression": Fraction(b) - kept for name, b in left.items()}
        if seed % 3 == 0:
            free = jaccard_certificates(table, k, copies="any")
            most = best_of_any(table, k)
            gap |= {f"{name}, any": Fraction(b) - most for name, b in free.items()}
            assert kept <= optimum <= most
        found.append((seed, gap))
    return found


def test_no_certificate_is_violated(gaps):
    wrong = [(seed, name) for seed, gap in gaps for name, value in gap.items() if value < 0]
    assert wrong == []


@pytest.mark.parametrize(
    "name",
    [
        *("nearest", "columns", "row-column", "nearest, any", "columns, any"),
        *("columns, suppression", "suppression, suppression"),
    ],
)
def test_each_certificate_is_met_by_some_tables_and_not_by_all(gaps, name):
    values = [gap[name] for _, gap in gaps if name in gap]
    met = sum(value < 2e-5 for value in values) / len(values)
    assert 0.02 < met < 0.9


def test_the_copy_that_meets_both():
    """Two groups of three, in each an item that one row lacks: 16 entries, 2 created."""
    block = np.array([[1, 1, 1], [1, 1, 1], [1, 1, 0]])
    table = np.kron(np.eye(2, dtype=int), block)
    assert smooth_optimum(table, 3).jaccard == Fraction(16, 18)
    best = upwards(Fraction(16, 18))
    assert nearest_certificate(table, 3) == column_certificate(table, 3) == best
    assert best < row_column_certificate(table, 3) < best + 2e-5


def test_an_unrestricted_copy_can_beat_every_smooth_certificate():
    """Four rows that share nothing: each copy keeps all four entries or none of them."""
    table = np.eye(4, dtype=int)
    assert smooth_optimum(table, 4).jaccard == 0
    assert column_certificate(table, 4) == 0
    everything = np.ones((4, 4))
    assert table.sum() / everything.sum() == column_certificate(table, 4, copies="any") == 0.25


def test_the_certificates_by_hand():
    rng = np.random.default_rng(8)
    table = (rng.random((60, 25)) < rng.random(25)).astype(np.int64)
    table = np.vstack([table, table[:9], table[:4]])
    k = 4
    n, counts = table.sum(), table.sum(axis=0)
    away = (table[:, None] != table[None]).sum(axis=2).astype(float)
    np.fill_diagonal(away, np.inf)
    near = np.sort(away, axis=1)[:, : k - 1].mean(axis=1).sum() / 2
    assert nearest_certificate(table, k) == pytest.approx(n / (n + near), rel=1e-14)
    lasting = counts[2 * counts >= k]
    expected = lasting.sum() / (n + np.maximum(k - lasting, 0).sum())
    assert column_certificate(table, k) == pytest.approx(expected, rel=1e-14)
    often = table[:, counts >= k]
    shared = often @ often.T
    np.fill_diagonal(shared, -1)
    kept = -np.sort(-shared, axis=1)[:, k - 2]
    assert suppression_certificate(table, k) == pytest.approx(kept.sum() / n, rel=1e-14)


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6, 7, 8, 13, 20])
@pytest.mark.parametrize("price", [0.0, 0.3, 0.8, 1.0])
def test_no_group_of_any_size_is_above_the_hulls(k, price):
    hulls = worth_hulls(k, price)
    sizes = np.concatenate([np.arange(k, 9 * k), [400, 1001, 10**6]])
    for most in range(4 * k):
        part = slice(*hulls.starts[most : most + 2])
        at, worth = hulls.at[part], hulls.worth[part]
        assert at[0] == 0
        assert np.all(np.diff(worth) >= 0)
        slopes = np.diff(worth) / np.diff(at)
        assert np.all(np.diff(slopes) <= 1e-12)
        rows = most if most < 4 * k - 1 else 10**6  # the last stands for all larger counts
        some = np.unique(np.geomspace(1, 10**6, 300).astype(int))
        have = np.union1d(np.arange(1, min(rows, 9 * k) + 1), some[some <= rows])
        s, c = (each.ravel() for each in np.meshgrid(sizes, have))
        s, c = (each[(c <= s) & (2 * c >= s)] for each in (s, c))
        top = np.interp((c - 1) / (s - 1), at, worth)
        assert np.all(1 - price * (s - c) / c <= top + 1e-12)


def test_one_row_and_its_best_company_by_linear_programming():
    """The bound per row, maximised over all companies, against the one from slopes."""
    rng = np.random.default_rng(2)
    table = (rng.random((14, 9)) < 0.4).astype(int)
    k, entries = 3, table.sum()

    def excess(price):
        hulls = worth_hulls(k, price)
        total = 0.0
        for row in np.flatnonzero(table.any(axis=1)):
            items = np.flatnonzero(table[row])
            others = np.delete(table, row, axis=0)[:, items]
            cost = np.concatenate([np.zeros(len(others)), -np.ones(len(items))])
            lines, rights = [], []
            for place, item in enumerate(items):
                which = min(table[:, item].sum(), 4 * k - 1)
                part = slice(*hulls.starts[which : which + 2])
                at, worth = hulls.at[part], hulls.worth[part]
                slopes = np.append(np.diff(worth) / np.diff(at), 0.0)
                for t, height, slope in zip(at, worth, slopes, strict=True):
                    own = np.eye(len(items))[place]
                    lines.append(np.concatenate([-slope * others[:, place], own]))
                    rights.append(height - slope * t)
            limits = [(0, 1 / (k - 1))] * len(others) + [(0, None)] * len(items)
            one = np.concatenate([np.ones(len(others)), np.zeros(len(items))])[None]
            solved = linprog(cost, lines, rights, one, [1.0], limits)
            total -= solved.fun
        return total - price * entries

    exact = brentq(excess, 0.01, 1.0)
    found = row_column_certificate(table, k)
    assert exact - 1e-9 < found < exact + 0.02


@pytest.mark.parametrize("seed", range(6))
def test_shared_items_of_rows_with_heavy_columns(seed):
    """Columns of all weights and many copies, where reading stops early."""
    rng = np.random.default_rng(seed)
    chances = rng.random(80) ** rng.integers(1, 6)
    table = (rng.random((300, 80)) < chances).astype(np.int64)
    if seed % 2:
        table = table[rng.integers(0, 20, 300)] ^ (rng.random(table.shape) < 0.01)
    k = int(rng.integers(2, 20))
    often = table[:, table.sum(axis=0) >= k]
    shared = often @ often.T
    np.fill_diagonal(shared, -1)
    kept = int((-np.sort(-shared, axis=1))[:, k - 2].sum())
    assert suppression_certificate(table, k) == upwards(Fraction(kept, int(table.sum())))


def test_order_of_rows_and_columns_and_threads_do_not_matter():
    rng = np.random.default_rng(3)
    table = (rng.random((4500, 40)) < rng.random(40) / 4).astype(np.int8)  # more than one job
    found = jaccard_certificates(table, 5, copies="suppression")
    turned = table[rng.permutation(4500)][:, rng.permutation(40)]
    assert jaccard_certificates(turned, 5, copies="suppression") == found
    numba.set_num_threads(1)
    alone = jaccard_certificates(table, 5, copies="suppression")
    numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    assert alone == found


def test_rows_and_columns_in_any_order_and_with_one_thread():
    rng = np.random.default_rng(4)
    table = (rng.random((4200, 60)) < rng.random(60) / 10).astype(np.int8)  # more than one job
    found = row_column_certificate(table, 3, accuracy=1e-3)
    turned = table[rng.permutation(4200)][:, rng.permutation(60)]
    assert row_column_certificate(turned, 3, accuracy=1e-3) == pytest.approx(found, abs=2e-3)
    numba.set_num_threads(1)
    alone = row_column_certificate(table, 3, accuracy=1e-3)
    numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    assert alone == found


def test_the_door_gives_the_least():
    table = (np.random.default_rng(5).random((40, 12)) < 0.2).astype(int)
    for copies in ("smooth", "any", "suppression"):
        found = jaccard_certificates(table, 3, copies=copies)
        assert jaccard_certificate(table, 3, copies=copies) == min(found.values())
    assert jaccard_certificate(table, 3, copies="suppression") < jaccard_certificate(table, 3)
    assert jaccard_certificate(table, 3) <= jaccard_certificate(table, 3, copies="any") < 1


@pytest.mark.parametrize("copies", ["smooth", "any", "suppression"])
def test_tables_of_copies_and_without_entries_can_be_kept(copies):
    assert jaccard_certificate(np.tile([1, 0, 1], (5, 1)), 5, copies=copies) == 1
    assert jaccard_certificate(np.zeros((4, 2)), 2, copies=copies) == 1


def test_a_table_of_rare_items_keeps_nothing():
    assert jaccard_certificate(np.eye(6), 3) == 0
    assert jaccard_certificate(np.eye(6), 3, copies="suppression") == 0


def test_fractions_are_rounded_upwards():
    for top in range(1, 200):
        exact = Fraction(top, 201)
        assert 0 <= Fraction(upwards(exact)) - exact < Fraction(1, 2**52)


@pytest.mark.parametrize(
    "certificate",
    [
        *(jaccard_certificate, nearest_certificate, column_certificate),
        *(row_column_certificate, suppression_certificate),
    ],
)
@pytest.mark.parametrize(
    ("table", "k", "error", "message"),
    [
        (np.ones((4, 2)), 1, ValueError, "k must be"),
        (np.ones((4, 2)), 5, ValueError, "k must be"),
        (np.ones((4, 2)), 2.5, TypeError, "k must be"),
        (np.full((4, 2), 3), 2, ValueError, "must store ones only"),
        (np.ones((0, 2)), 2, ValueError, "biadjacency"),
        ([[1, np.nan], [1, 1]], 2, ValueError, "biadjacency"),
    ],
)
def test_bad_arguments_are_refused(certificate, table, k, error, message):
    with pytest.raises(error, match=message):
        certificate(table, k)


@pytest.mark.parametrize("certificate", [jaccard_certificate, column_certificate])
def test_unknown_copies_are_refused(certificate):
    with pytest.raises(ValueError, match="copies must be one of"):
        certificate(np.ones((4, 2)), 2, copies="half")


@pytest.mark.parametrize("accuracy", [0, -1e-3, np.nan])
def test_an_accuracy_is_positive(accuracy):
    with pytest.raises(ValueError, match="accuracy must be positive"):
        row_column_certificate(np.ones((4, 2)), 2, accuracy=accuracy)
