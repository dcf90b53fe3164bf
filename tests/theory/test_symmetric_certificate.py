"""The symmetric certificate: never below the best copy, and what its parts promise."""

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import brentq, linprog, minimize_scalar

from pplab.smooth import _certificates as certificate_rounds
from pplab.smooth import certificates as certificate_symmetric
from pplab.smooth._certificates import (
    Slopes,
    first_tolls,
    least_price,
    line_heights,
    lower_tolls,
    next_slopes,
    pairs_above,
    pairs_and_tolls,
    worth_hulls,
)
from pplab.smooth._rows import kinds_of_rows
from pplab.smooth.certificates import jaccard_certificates


def certificate(table, k):
    return jaccard_certificates(table, k)["symmetric"]


def some_table(seed):
    """Rows of which many are equal, and slopes and tolls without any order."""
    rng = np.random.default_rng(seed)
    table = (rng.random((30, 12)) < rng.random(12)).astype(np.int8)
    table = np.vstack([table, table[rng.integers(0, 30, 25)]])
    kinds = kinds_of_rows(sparse.csr_array(table))
    light = int(rng.integers(8, 13))
    values = rng.random(len(kinds.items)) * (kinds.items < light)
    slopes = Slopes(values, values[np.argsort(kinds.items, kind="stable")], light)
    return table, kinds, slopes, rng


def row_by_row(table, kinds, slopes):
    """Worth of each pair of rows, with slopes as rows x items in the numbering of the kinds."""
    dense, has = np.zeros(table.shape), np.zeros(table.shape)
    for row, kind in enumerate(kinds.kind_of):
        part = slice(*kinds.starts[kind : kind + 2])
        dense[row, kinds.items[part]], has[row, kinds.items[part]] = slopes.of_kinds[part], 1
    worths = dense @ has.T + has @ dense.T
    np.fill_diagonal(worths, 0)
    return worths


@pytest.mark.parametrize("seed", range(6))
def test_kinds_count_as_their_rows_do(seed):
    """The bound by kinds against the formula of the proof, row by row and pair by pair."""
    table, kinds, slopes, rng = some_table(seed)
    k = int(rng.integers(2, 9))
    tolls = rng.random(len(kinds.degrees)) * 4
    worths = row_by_row(table, kinds, slopes)
    own = tolls[kinds.kind_of]
    beyond = np.maximum(np.triu(worths - own[:, None] - own, 1), 0)
    pairs = pairs_above(kinds, slopes, tolls, np.zeros(len(tolls)))
    found, _ = pairs_and_tolls(kinds, pairs, k, tolls, 0.1)
    assert found == pytest.approx(own.sum() + beyond.sum() / (k - 1), rel=1e-12)
    assert beyond.sum() > 0


@pytest.mark.parametrize("seed", range(6))
def test_pairs_that_are_not_listed_add_nothing(seed):
    """Tolls fall as far as margins let them; the sum over listed pairs is that over all."""
    table, kinds, slopes, rng = some_table(seed)
    k = int(rng.integers(2, 9))
    tolls = rng.random(len(kinds.degrees)) * 5
    margins = rng.random(len(tolls))
    pairs = pairs_above(kinds, slopes, tolls, margins)
    floors = np.maximum(tolls - margins, 0)
    lower = lower_tolls(kinds, pairs, k, tolls, floors, 0.2)
    assert np.all(lower >= floors)
    assert np.any(lower < tolls)
    found, _ = pairs_and_tolls(kinds, pairs, k, lower, 0.2)
    worths = row_by_row(table, kinds, slopes)
    own = lower[kinds.kind_of]
    beyond = np.maximum(np.triu(worths - own[:, None] - own, 1), 0)
    assert found == pytest.approx(own.sum() + beyond.sum() / (k - 1), rel=1e-12)
    everything = pairs_above(kinds, slopes, tolls, np.full(len(tolls), 20.0))
    assert 0 < len(pairs.others) < len(everything.others)


@pytest.mark.parametrize("seed", range(2))
def test_first_tolls_are_half_of_the_last_wanted_worth(seed):
    table, kinds, slopes, _ = some_table(seed)
    worths = row_by_row(table, kinds, slopes)
    np.fill_diagonal(worths, -1)
    for k in (2, 4, 9):
        expected = -np.sort(-worths, axis=1)[:, k - 2] / 2
        found = first_tolls(kinds, slopes, k)[kinds.kind_of]
        np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_a_step_of_a_slope_is_proximal():
    rng = np.random.default_rng(6)
    hulls = worth_hulls(5, 0.6)
    for _ in range(60):
        function = np.array([rng.integers(1, 20)])
        slope, alike, rate = rng.random() * 2, rng.random(), rng.random() * 3 + 0.05
        part = slice(*hulls.starts[function[0] : function[0] + 2])
        at, worth = hulls.at[part], hulls.worth[part]

        def cost(a, at=at, worth=worth, alike=alike, slope=slope, rate=rate):
            return (worth - a * at).max() + a * alike + (a - slope) ** 2 / (2 * rate)

        items = np.zeros(1, dtype=np.int32)
        start = np.array([slope]), np.array([alike])
        found = next_slopes(items, hulls, function, 1, *start, rate)[0]
        best = minimize_scalar(cost, bounds=(0, 8), method="bounded", options={"xatol": 1e-10})
        assert found >= 0
        assert cost(found) <= best.fun + 1e-9
        assert next_slopes(items, hulls, function, 0, *start, rate)[0] == 0


def test_lines_stay_above_the_functions():
    _, kinds, slopes, _ = some_table(4)
    hulls = worth_hulls(4, 0.7)
    function = np.arange(12) + 2
    total = 0.0
    for kind, members in enumerate(np.diff(kinds.member_starts)):
        for place in range(*kinds.starts[kind : kind + 2]):
            number = function[kinds.items[place]]
            part = slice(*hulls.starts[number : number + 2])
            t = np.linspace(0, 1, 2001)
            value = np.interp(t, hulls.at[part], hulls.worth[part]) - slopes.of_kinds[place] * t
            total += members * value.max()
    found = line_heights(kinds, hulls, function, slopes.of_kinds)
    assert total - 1e-12 < found < total * (1 + 1e-3)


def test_a_price_is_enclosed_from_above():
    for power in (1, 3, 9):
        tried = []

        def excess(price, power=power, tried=tried):
            tried.append(0.4**power - price**power)
            return tried[-1]

        found = least_price(excess, low=0.0, high=1.0, above=1.0, below=-1.0, accuracy=1e-6)
        assert 0.4 < found < 0.4 + 1e-6
        assert max(tried) >= 0
    closest = least_price(
        lambda price: 0.3 - price, low=0.0, high=1.0, above=1.0, below=-1.0, accuracy=1e-30
    )
    assert closest == pytest.approx(0.3, rel=1e-14)
    never = least_price(lambda price: 1 - price, low=0.2, high=0.7, above=1, below=-1, accuracy=0.1)
    assert never == 0.7


def by_linear_programming(table, k):
    """Price at which the best mutual company, entry by entry, is worth J N."""
    rows, items = np.nonzero(table)
    first, second = np.triu_indices(len(table), 1)
    pairs, counts = len(first), table.sum(axis=0)
    joins = np.zeros((len(rows), pairs))  # share of others that have the item, from each pair
    for entry, (row, item) in enumerate(zip(rows, items, strict=True)):
        joins[entry, (first == row) & (table[second, item] == 1)] = 1
        joins[entry, (second == row) & (table[first, item] == 1)] = 1
    sums = np.array([(first == row) | (second == row) for row in range(len(table))], dtype=float)

    def excess(price):
        hulls = worth_hulls(k, price)
        lines, rights = [], []
        for entry, item in enumerate(items):
            which = min(counts[item], 4 * k - 1)
            part = slice(*hulls.starts[which : which + 2])
            at, worth = hulls.at[part], hulls.worth[part]
            slopes = np.append(np.diff(worth) / np.diff(at), 0.0)
            for t, height, slope in zip(at, worth, slopes, strict=True):
                lines.append(
                    np.concatenate([-slope * joins[entry], np.arange(len(items)) == entry])
                )
                rights.append(height - slope * t)
        whole = np.hstack([sums, np.zeros((len(table), len(items)))])
        cost = np.concatenate([np.zeros(pairs), -np.ones(len(items))])
        limits = [(0, 1 / (k - 1))] * pairs + [(0, None)] * len(items)
        ones = np.ones(len(table))
        solved = linprog(cost, np.array(lines), rights, whole, ones, limits)
        return -solved.fun - price * table.sum()

    return brentq(excess, 0.01, 1.0, xtol=1e-6)


@pytest.mark.parametrize(("seed", "k"), [(0, 2), (1, 3), (2, 4)])
def test_it_comes_close_to_the_best_of_its_kind(seed, k):
    """Against the linear program of which every choice of slopes and tolls bounds the value."""
    table = (np.random.default_rng(seed).random((14, 10)) < 0.35).astype(int)
    exact = by_linear_programming(table, k)
    found = jaccard_certificates(table, k)
    assert exact - 1e-5 < found["symmetric"] < exact + 0.02
    assert found["symmetric"] < found["row-column"] + 1e-3


def test_without_any_slope_only_the_columns_count(monkeypatch):
    """Nothing is read: each entry is worth what its function has at 1, as if all were alike."""
    monkeypatch.setattr(certificate_symmetric, "_MOST_READ", 0)
    table = (np.random.default_rng(7).random((12, 9)) < 0.4).astype(int)
    counts, k = table.sum(axis=0), 8
    enough = counts[2 * counts >= k]
    losses = np.maximum(k - enough, 0).sum()
    expected = enough.sum() / (table.sum() + losses)  # entries of the items that can be published
    assert certificate(table, k) == pytest.approx(expected, abs=2e-5)


def test_fewer_pairs_are_listed_where_there_are_many(monkeypatch):
    table = (np.random.default_rng(8).random((200, 40)) < 0.2).astype(int)
    monkeypatch.setattr(certificate_symmetric, "_ROUNDS", 12)
    free = certificate(table, 4)
    lengths = []

    def watched(*arguments):
        pairs = pairs_above(*arguments)
        lengths.append(len(pairs.others))
        return pairs

    monkeypatch.setattr(certificate_rounds, "pairs_above", watched)
    certificate(table, 4)
    wide = lengths[-1]
    monkeypatch.setattr(certificate_rounds, "_MANY_PAIRS", 2000)
    few = certificate(table, 4)
    assert lengths[-1] < wide / 2
    assert free == pytest.approx(few, abs=0.02)


def test_more_rounds_gain_something(monkeypatch):
    table = (np.random.default_rng(9).random((60, 30)) < 0.3).astype(int)
    many = certificate(table, 5)
    monkeypatch.setattr(certificate_symmetric, "_ROUNDS", 1)
    assert many < certificate(table, 5) <= 1
