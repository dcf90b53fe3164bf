"""Certificates against the best copies of small tables: never below them, and met by some."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import brentq, linprog

from pplab.smooth import rows
from pplab.smooth.optimum import best_grouping, smooth_optimum
from pplab.smooth.rows import distinct_rows
from pplab_papers.smooth.theorem_4_4 import largest_k_anonymous_subgraph
from smoothbound import _blocks, _certificates, certificates, hulls, proof, symmetric
from smoothbound.certificates import jaccard_certificate, jaccard_certificates
from smoothbound.chunks import one_thread
from smoothbound.hulls import value_hulls
from tests.smoothbound.cases import heavy_table

PATHS = ("all items", "few items", "equal rows")  # of the symmetric certificate's search


def small_table(rng, path):
    """Sparse noise, uneven columns, or templates with changes, of 4 to 9 rows."""
    model, rows, items = rng.integers(3), 4 + min(rng.geometric(0.4) - 1, 5), rng.integers(2, 9)
    chances = rng.random(items) if model == 1 else np.full(items, rng.uniform(0.1, 0.7))
    table = rng.random((rows, items)) < chances
    if model == 2:
        table = table[rng.integers(0, 2, rows)] ^ (rng.random((rows, items)) < 0.1)
    if path == "equal rows":
        table = table[rng.integers(0, 2 * rows // 3, rows)]
    return table.astype(np.int8), int(rng.integers(2, min(rows, 5) + 1))


def best_of_any(table, k):
    """Largest Jaccard similarity over all k-anonymous copies, smooth or not."""
    members = (np.arange(1 << len(table))[:, None] >> np.arange(len(table))) & 1
    have, sizes = members @ table.astype(np.int64), members.sum(axis=1, keepdims=True)
    ratio, edges = Fraction(0), int(table.sum())
    while True:  # an item is published where it pays at this ratio of a created entry
        up, down = ratio.numerator, ratio.denominator
        pays = down * have > up * (sizes - have)
        kept, created = (have * pays).sum(axis=1), ((sizes - have) * pays).sum(axis=1)
        _, labels = best_grouping((down * kept - up * created).tolist(), len(table), k)
        groups = [sum(1 << int(u) for u in np.flatnonzero(labels == g)) for g in set(labels)]
        own, new = (int(sum(part[g] for g in groups)) for part in (kept, created))
        reached = Fraction(own, edges + new) if edges else Fraction(1)
        if not reached > ratio:
            return ratio if edges else reached
        ratio = reached


@pytest.fixture(scope="module")
def gaps():
    """Each certificate minus the best copy of its kind, by name."""
    results = {}
    for seed in range(120):
        rng, path = np.random.default_rng(seed), PATHS[seed % 3]
        table, k = small_table(rng, path)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(symmetric, "_STEPS", (12, 12))
            if path == "few items":  # reading of pairs stops at some item
                patch.setattr(_certificates, "_MOST_READ", int(rng.integers(0, 60)))
            smooth = jaccard_certificates(table, k)
        optimum, edges = smooth_optimum(table, k).jaccard, int(table.sum())
        left = largest_k_anonymous_subgraph(table, k)
        kept = Fraction(left, edges) if edges else Fraction(1)
        most = best_of_any(table, k)
        assert kept <= optimum <= most
        smooth[f"symmetric, {path}"] = smooth.pop("symmetric")
        for copies, best, bounds in (
            ("smooth", optimum, smooth),
            ("suppression", kept, jaccard_certificates(table, k, copies="suppression")),
            ("any", most, jaccard_certificates(table, k, copies="any")),
        ):
            for name, bound in bounds.items():
                results.setdefault(f"{name}, {copies}", []).append((seed, Fraction(bound) - best))
    return results


def test_no_certificate_is_violated_and_each_is_met_by_some_tables_and_not_by_all(gaps):
    assert len(gaps) == 3 + 3 + 3 + 2
    wrong = {name: [seed for seed, gap in each if gap < 0] for name, each in gaps.items()}
    assert {name: seeds for name, seeds in wrong.items() if seeds} == {}
    met = {name: np.mean([gap < 2e-5 for _, gap in each]) for name, each in gaps.items()}
    assert {name: share for name, share in met.items() if not 0 < share < 0.95} == {}


def test_an_unrestricted_copy_can_beat_every_smooth_certificate():
    """Four rows that share nothing: each copy keeps all four entries or none of them."""
    table = np.eye(4, dtype=int)
    assert smooth_optimum(table, 4).jaccard == jaccard_certificate(table, 4) == 0
    free = jaccard_certificates(table, 4, copies="any")
    assert table.sum() / np.ones((4, 4)).sum() == free["columns"] == 0.25


def test_the_certificates_by_hand():
    rng = np.random.default_rng(8)
    table = (rng.random((60, 25)) < rng.random(25)).astype(np.int64)
    table = np.vstack([table, table[:9], table[:4]])
    k = 4
    n, counts = table.sum(), table.sum(axis=0)
    away = (table[:, None] != table[None]).sum(axis=2).astype(float)
    np.fill_diagonal(away, np.inf)
    near = np.sort(away, axis=1)[:, : k - 1].mean(axis=1).sum() / 2
    result = jaccard_certificates(table, k, copies="suppression")
    assert result["nearest"] == pytest.approx(n / (n + near), rel=1e-14)
    lasting = counts[2 * counts >= k]
    expected = lasting.sum() / (n + np.maximum(k - lasting, 0).sum())
    smooth = jaccard_certificates(table, k, effort="fast")
    assert smooth["nearest"] == result["nearest"]
    assert smooth["columns"] == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("k", [2, 3, 4, 5, 7, 8, 13])
@pytest.mark.parametrize("ratio", [0.0, 0.3, 1.0])
def test_no_group_of_any_size_is_above_the_hulls(k, ratio):
    hulls = value_hulls(k, ratio)
    sizes = np.concatenate([np.arange(k, 9 * k), [400, 1001, 10**6]])
    for most in range(4 * k):
        part = slice(*hulls.starts[most : most + 2])
        at, value = hulls.at[part], hulls.value[part]
        assert at[0] == 0
        assert np.all(np.diff(value) >= 0)
        slopes = np.diff(value) / np.diff(at)
        assert np.all(np.diff(slopes) <= 1e-12)
        rows = most if most < 4 * k - 1 else 10**6  # the last stands for all larger counts
        some = np.unique(np.geomspace(1, 10**6, 300).astype(int))
        have = np.union1d(np.arange(1, min(rows, 9 * k) + 1), some[some <= rows])
        s, c = (each.ravel() for each in np.meshgrid(sizes, have))
        s, c = (each[(c <= s) & (2 * c >= s)] for each in (s, c))
        top = np.interp((c - 1) / (s - 1), at, value)
        assert np.all(1 - ratio * (s - c) / c <= top + 1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_shared_items_of_rows_with_heavy_columns(seed):
    """Columns of all weights and many copies, where reading stops early."""
    table, rng = heavy_table(seed, 300, 80)
    k = int(rng.integers(2, 20))
    often = table[:, table.sum(axis=0) >= k].astype(np.int64)
    shared = often @ often.T
    np.fill_diagonal(shared, -1)
    kept = int((-np.sort(-shared, axis=1))[:, k - 2].sum())
    result = jaccard_certificates(table, k, copies="suppression")["suppression"]
    assert result == certificates.upwards(Fraction(kept, int(table.sum())))


@pytest.mark.parametrize("copies", ["smooth", "suppression"])
def test_rows_and_columns_in_any_order_and_with_one_thread(copies, monkeypatch):
    monkeypatch.setattr(certificates, "_CLOSENESS", 1e-3)
    monkeypatch.setattr(symmetric, "_STEPS", (12, 12))
    rng = np.random.default_rng(4)
    for module in (certificates, _certificates, rows, proof):  # many jobs
        monkeypatch.setattr(module, "_BLOCK", 64)
    monkeypatch.setattr(_certificates, "_PAIR_BLOCK", 64)
    monkeypatch.setattr(_certificates, "_DUAL_BLOCK", 64)
    monkeypatch.setattr(_blocks, "_BATCH", 4)
    table = (rng.random((500, 60)) < rng.random(60) / 10).astype(np.int8)
    result = jaccard_certificates(table, 3, copies=copies)
    turned = table[rng.permutation(500)][:, rng.permutation(60)]
    again = jaccard_certificates(turned, 3, copies=copies)
    exact = ("nearest", "columns", "suppression")
    assert all(again[name] == result[name] for name in exact if name in result)
    assert again == pytest.approx(result, abs=2e-3)
    with one_thread():
        alone = jaccard_certificates(table, 3, copies=copies)
    assert alone == result


def test_the_door_gives_the_least_and_effort_says_what_is_computed():
    table = (np.random.default_rng(5).random((40, 12)) < 0.3).astype(int)
    fast, thorough = (jaccard_certificates(table, 3, effort=e) for e in ("fast", "thorough"))
    assert set(thorough) - set(fast) == {"symmetric"}
    assert thorough | fast == thorough
    assert jaccard_certificate(table, 3) == min(thorough.values())
    left, free = (jaccard_certificates(table, 3, copies=c) for c in ("suppression", "any"))
    assert set(left) == {"nearest", "columns", "suppression"}
    assert set(free) == {"nearest", "columns"}
    assert min(left.values()) < min(fast.values()) <= min(free.values()) < 1
    assert thorough["symmetric"] < min(fast.values())


@pytest.mark.parametrize("copies", ["smooth", "any", "suppression"])
def test_tables_of_copies_and_without_entries_can_be_kept_and_rare_items_cannot(copies):
    for table, k in ((np.tile([1, 0, 1], (5, 1)), 5), (np.zeros((4, 2)), 2)):
        assert set(jaccard_certificates(table, k, copies=copies).values()) == {1}
    if copies != "any":
        assert jaccard_certificates(np.eye(6), 3, copies=copies)["columns"] == 0


def test_fractions_are_rounded_upwards():
    for top in range(1, 200):
        exact = Fraction(top, 201)
        assert 0 <= Fraction(certificates.upwards(exact)) - exact < Fraction(1, 2**52)


# The symmetric certificate: never below the best copy, and what its parts promise.


def some_table(seed):
    """Rows of which many are equal, and slopes and dual variables without any order."""
    rng = np.random.default_rng(seed)
    table = (rng.random((30, 12)) < rng.random(12)).astype(np.int8)
    table = np.vstack([table, table[rng.integers(0, 30, 25)]])
    distinct = distinct_rows(sparse.csr_array(table))
    light = int(rng.integers(8, 13))
    values = rng.random(len(distinct.items)) * (distinct.items < light)
    layout = _certificates.laid_out(sparse.csr_array(table), distinct, 2)._replace(light=light)
    slopes = _certificates.Slopes(values, values[layout.by_item])
    return table, layout, slopes, rng


def some_blocks(distinct, rng):
    """Random blocks with random positive semidefinite matrices, and these row by row."""
    labels = rng.integers(0, 8, len(distinct.degrees))
    labels = np.unique(labels, return_inverse=True)[1]
    factors = rng.standard_normal((len(labels), 3)) * 0.6
    blocks = _blocks.blocks_of(labels)
    members = [blocks.members[slice(*blocks.starts[b : b + 2])] for b in range(labels.max() + 1)]
    z = np.concatenate([(factors[m] @ factors[m].T).ravel() for m in members])
    together = labels[:, None] == labels
    return blocks._replace(z=z), (factors @ factors.T * together)[
        np.ix_(distinct.pattern_of, distinct.pattern_of)
    ]


def row_by_row(table, distinct, slopes):
    """Worth of each pair of rows, with slopes as rows x items in the numbering of the patterns."""
    dense, has = np.zeros(table.shape), np.zeros(table.shape)
    for row, pattern in enumerate(distinct.pattern_of):
        part = slice(*distinct.starts[pattern : pattern + 2])
        dense[row, distinct.items[part]] = slopes.of_patterns[part]
        has[row, distinct.items[part]] = 1
    weights = dense @ has.T + has @ dense.T
    np.fill_diagonal(weights, 0)
    return weights


@pytest.mark.parametrize("seed", range(6))
def test_pairs_that_are_not_listed_add_nothing(seed):
    """The bound by distinct rows against the formula of the proof, row by row and pair by pair.

    Duals fall as far as margins let them; the sum over listed pairs is that over all.
    """
    table, layout, slopes, rng = some_table(seed)
    k, distinct = int(rng.integers(2, 9)), layout.distinct
    layout = layout._replace(k=k)
    duals = rng.random(len(distinct.degrees)) * 5
    margins = rng.random(len(duals))
    blocks, matrix = some_blocks(distinct, rng)
    pairs = _certificates.pairs_above(layout, slopes, blocks, duals, margins)
    again = _certificates.weighed(layout, slopes, blocks, pairs)
    np.testing.assert_allclose(again.weights, pairs.weights, rtol=1e-12)
    floors = np.maximum(duals - margins, 0)
    lower = _certificates.lower_duals(layout, pairs, duals, floors, 0.2)
    assert np.all(lower >= floors)
    assert np.any(lower < duals)
    weights = row_by_row(table, distinct, slopes) + 2 * matrix
    for chosen in (duals, lower):
        result, _ = _certificates.pairs_and_duals(layout, pairs, chosen, 0.2)
        own = chosen[distinct.pattern_of]
        beyond = np.maximum(np.triu(weights - own[:, None] - own, 1), 0)
        assert beyond.sum() > 0
        assert result == pytest.approx(own.sum() + beyond.sum() / (k - 1), rel=1e-12)
    margins = np.full(len(duals), 20.0)
    everything = _certificates.pairs_above(layout, slopes, blocks, duals, margins)
    assert 0 < len(pairs.others) < len(everything.others)


def test_a_dual_variable_does_not_leap_where_many_pairs_are_above_it():
    """A row and 299 others that pair with it alone: 298 pairs weigh 10, and one is softened."""
    table, others = sparse.csr_array(np.eye(300)), np.arange(1, 300)
    layout = _certificates.laid_out(table, distinct_rows(table), 3)
    weights = np.append(np.full(298, 10.0), 0.05)
    pairs = _certificates.Pairs(
        np.append(0, np.arange(299, 599)),
        np.append(others, np.zeros(299)).astype(np.int32),
        np.append(weights, weights),
    )
    lower = _certificates.lower_duals(layout, pairs, np.zeros(300), np.zeros(300), 0.2)
    assert lower[0] == pytest.approx(10, abs=0.1)
    assert not lower[1:].any()


@pytest.mark.parametrize("seed", range(2))
def test_first_duals_are_half_of_the_last_wanted_objective(seed):
    table, layout, slopes, _ = some_table(seed)
    weights = row_by_row(table, layout.distinct, slopes)
    np.fill_diagonal(weights, -1)
    for k in (2, 4, 9):
        expected = -np.sort(-weights, axis=1)[:, k - 2] / 2
        duals = _certificates.first_duals(layout._replace(k=k), slopes)
        result = duals[layout.distinct.pattern_of]
        np.testing.assert_allclose(result, expected, rtol=1e-12)


def test_a_ratio_is_enclosed_from_above():
    ends = {"low": 0.0, "high": 1.0, "above": 1.0, "below": -1.0}
    for power in (1, 3, 9):
        result = hulls.least_ratio(lambda ratio, p=power: 0.4**p - ratio**p, **ends, accuracy=1e-6)
        assert 0.4 < result < 0.4 + 1e-6
    closest = hulls.least_ratio(lambda ratio: 0.3 - ratio, **ends, accuracy=1e-30)
    assert closest == pytest.approx(0.3, rel=1e-14)
    never = hulls.least_ratio(lambda ratio: 1 - ratio, **ends | {"high": 0.7}, accuracy=0.1)
    assert never == 0.7


def by_linear_programming(table, k, *, mutual):
    """Price at which the best partners, of all pairs or of each row alone, are worth J N."""
    rows, items = np.nonzero(table)
    first, second = np.triu_indices(len(table), 1) if mutual else np.nonzero(1 - np.eye(len(table)))
    pairs, counts = len(first), table.sum(axis=0)
    joins = np.zeros((len(rows), pairs))  # share of others that have the item, from each pair
    for entry, (row, item) in enumerate(zip(rows, items, strict=True)):
        joins[entry, (first == row) & (table[second, item] == 1)] = 1
        joins[entry, mutual & (second == row) & (table[first, item] == 1)] = 1
    each = range(len(table))
    sums = np.array([(first == row) | (mutual & (second == row)) for row in each], dtype=float)

    def excess(ratio):
        hulls = value_hulls(k, ratio)
        lines, rights = [], []
        for entry, item in enumerate(items):
            which = min(counts[item], 4 * k - 1)
            part = slice(*hulls.starts[which : which + 2])
            at, value = hulls.at[part], hulls.value[part]
            slopes = np.append(np.diff(value) / np.diff(at), 0.0)
            own = np.arange(len(items)) == entry
            for t, height, slope in zip(at, value, slopes, strict=True):
                lines.append(np.concatenate([-slope * joins[entry], own]))
                rights.append(height - slope * t)
        whole = np.hstack([sums, np.zeros((len(table), len(items)))])
        cost = np.concatenate([np.zeros(pairs), -np.ones(len(items))])
        limits = [(0, 1 / (k - 1))] * pairs + [(0, None)] * len(items)
        solved = linprog(cost, np.array(lines), rights, whole, np.ones(len(table)), limits)
        return -solved.fun - ratio * table.sum()

    return brentq(excess, 0.01, 1.0, xtol=1e-6)


@pytest.mark.parametrize(("seed", "k"), [(0, 2), (1, 3), (2, 4)])
def test_they_come_close_to_the_best_of_their_kind(seed, k):
    """Against the linear programs of which every choice of slopes and duals bounds the value."""
    table = (np.random.default_rng(seed).random((14, 10)) < 0.35).astype(int)
    result = jaccard_certificates(table, k)
    for name, mutual in (("symmetric", True), ("row-column", False)):
        exact = by_linear_programming(table, k, mutual=mutual)
        assert result[name] < exact + 0.02
    assert exact - 1e-5 < result["row-column"]
    assert result["symmetric"] < result["row-column"] + 1e-3


# The proof: whole numbers, against fractions and all groupings.


def random_proof(table, k, rng):
    """Multipliers that nobody optimised, for a table with equal and with empty rows."""
    distinct = distinct_rows(sparse.csr_array(table))
    count, one = len(distinct.degrees), 2**proof.BITS

    def some(size):
        return rng.integers(0, 2 * one, size) * rng.integers(0, 2, size)

    cuts = np.where(distinct.degrees > 0, rng.integers(0, 4, count), 0)
    splits = [
        (rng.integers(0, cut + 1), rng.integers(0, degree))
        for degree, many in zip(distinct.degrees, cuts, strict=True)
        for cut in range(many)
    ]
    slopes = some(len(distinct.items))
    sloped = np.bincount(distinct.items, weights=slopes) > 0
    cases = [
        sloped[distinct.items[slice(*distinct.starts[p : p + 2])]]
        for p in range(count)
        for _ in range(cuts[p] + 1)
    ]
    return distinct, proof.Certificate(
        k,
        int(rng.integers(one // 4, one)),
        distinct.starts,
        distinct.items,
        distinct.multiplicities,
        slopes,
        some(count),
        rng.integers(0, 3, count),
        rng.integers(-(2**14), 2**14, (count, 2)).astype(np.int32),
        cuts,
        np.array(splits, dtype=np.int64).reshape(-1, 2),
        np.concatenate(cases) * some(sum(map(len, cases))),
    )


def cases_of(certificate, p):
    """Items of each case of a distinct row, and their slopes."""
    degree = certificate.starts[p + 1] - certificate.starts[p]
    cuts, first = certificate.cuts[p], certificate.cuts[:p].sum()
    texts = [{}]
    for case, item in certificate.splits[first : first + cuts]:
        texts.append({**texts[case], item: False})
        texts[case] = {**texts[case], item: True}
    at = ((certificate.cuts[:p] + 1) * np.diff(certificate.starts)[:p]).sum()
    slopes = certificate.case_slopes[at : at + degree * (cuts + 1)].reshape(cuts + 1, degree)
    return zip(texts, slopes.tolist(), strict=True)


def excess_in_fractions(certificate, distinct, *, far):
    """2 (k - 1) (B(J) - J N), row by row, pair by pair, group by group, as the proof has it.

    With `far`, each row has k - 1 more partners with the least dual variable, as in the evaluator.
    """
    k, unit = certificate.k, Fraction(1, 2**proof.BITS)
    ratio, rows = certificate.ratio * unit, [int(p) for p in distinct.pattern_of]
    duals = [int(dual) * unit for dual in certificate.duals]
    parts = [range(*distinct.starts[p : p + 2]) for p in range(len(distinct.degrees))]
    slopes = [
        {int(distinct.items[e]): int(certificate.slopes[e]) * unit for e in each} for each in parts
    ]
    have = [sum(item in slopes[p] for p in rows) for item in range(len(distinct.item_starts) - 1)]
    factors = [[Fraction(int(x), 2**14) for x in row] for row in certificate.factors]

    def z(p, q):
        if certificate.blocks[p] != certificate.blocks[q]:
            return Fraction(0)
        return sum(a * b for a, b in zip(factors[p], factors[q], strict=True))

    def worth(item, slope, published):
        sizes = [(s, c) for s in range(k, 9 * k) for c in range(1, min(s, have[item]) + 1)]
        some = [
            1 - ratio * Fraction(s - c, c) - slope * Fraction(c - 1, s - 1)
            for s, c in sizes
            if 2 * c >= s
        ]
        return max([*some, -slope] if published else [*some, Fraction(0)])

    def most(u):
        p, best = rows[u], []
        for text, own in cases_of(certificate, p):
            own = {
                item: 0 if text.get(place) is False else own[place] * unit
                for place, item in enumerate(slopes[p])
            }
            levels = [-duals[p] - min(duals)] * (k - 1) * far
            for v, q in enumerate(rows):
                if v != u:
                    shared = slopes[p].keys() & slopes[q].keys()
                    level = sum(slopes[q][i] - slopes[p][i] + 2 * own[i] for i in shared)
                    levels.append(level + 2 * z(p, q) - duals[p] - duals[q])
            worths = [
                worth(item, slope, text.get(place))
                for place, (item, slope) in enumerate(own.items())
                if text.get(place) is not False
            ]
            partners = sum(sorted(levels)[1 - k :])
            best.append(2 * (k - 1) * sum(worths) + partners)
        return max(best)

    total = sum(most(u) + 2 * (k - 1) * duals[p] + 2 * z(p, p) for u, p in enumerate(rows))
    return total - 2 * (k - 1) * ratio * sum(len(slopes[p]) for p in rows)


@pytest.mark.parametrize("seed", range(40))
def test_whole_numbers_are_the_fractions_rounded_upwards(seed):
    rng = np.random.default_rng(seed)
    table, k = small_table(rng, PATHS[seed % 3])
    table[rng.integers(len(table))] = 0
    distinct, certificate = random_proof(table, k, rng)
    result, one = proof.surplus(certificate), 2**proof.BITS
    assert excess_in_fractions(certificate, distinct, far=False) * one <= result
    exact = excess_in_fractions(certificate, distinct, far=True) * one
    assert 0 <= result - exact <= 2 * (k - 1) * table.sum()


def test_splitting_cases_lowers_a_certificate():
    """Without its splits, each row with the slopes of its first case, it does not hold."""
    table = sparse.csr_array(np.random.default_rng(1).random((80, 30)) < 0.15).astype(int)
    certificate = symmetric.prove(table, distinct_rows(table), 8)
    assert proof.surplus(certificate) <= 0 < certificate.cuts.sum()
    uncut = {"cuts": np.zeros_like(certificate.cuts), "splits": certificate.splits[:0]}
    whole = certificate._replace(**uncut, case_slopes=certificate.slopes)
    unit = 2 * 7 * table.nnz * 2**proof.BITS
    assert proof.surplus(whole) / unit > 1e-3


def height(hulls, function, slope, share=None):
    """Of the least line with this slope above a function at 0, or of the function at a share."""
    ends = slice(hulls.starts[function], hulls.starts[function + 1])
    if share is None:
        return (hulls.value[ends] - slope * hulls.at[ends]).max()
    return np.interp(share, hulls.at[ends], hulls.value[ends])


def test_the_cases_of_a_row_enclose_its_best_partners():
    """The search for cases told plainly: all partners are tried, and all cases are added up."""
    k, others, items = 4, 8, 4
    free, published = value_hulls(k, 0.8), value_hulls(k, 0.8, symmetric._NEVER)
    starts = np.concatenate([free.starts, free.starts[-1] + published.starts[1:]])
    both = _certificates.Hulls(
        starts, *map(np.concatenate, zip(free[1:], published[1:], strict=True))
    )
    for seed in range(60):
        rng = np.random.default_rng(seed)
        levels, has = rng.normal(0, 0.4, others), rng.random((others, items)) < 0.5
        functions = np.clip(has.sum(axis=0) + 1, 2, 4 * k - 1)

        def worth(partners, levels=levels, has=has, functions=functions):
            shares = has[list(partners)].mean(axis=0)
            each = [height(both, f + 4 * k, 0, t) for f, t in zip(functions, shares, strict=True)]
            return levels[list(partners)].mean() + np.maximum(each, 0).sum()

        best = max(map(worth, combinations(range(others), k - 1)))
        row = _certificates._Row(k, both, functions, levels, has @ (1 << np.arange(items)))
        splits, slopes = _certificates._tree(row, rng.random(items))
        cases = [functions]
        for case, item in splits:  # a case becomes: published there, or not
            cases.append(np.where(np.arange(items) == item, 0, cases[case]))
            cases[case] = np.where(np.arange(items) == item, functions + 4 * k, cases[case])
        bounds = [
            sum(height(both, f, s) for f, s in zip(case, of, strict=True))
            + np.sort(levels + has @ of)[-(k - 1) :].mean()
            for case, of in zip(cases, slopes, strict=True)
        ]
        assert best - 1e-9 <= max(bounds) <= best + _certificates._ENOUGH + 1e-9, seed


MANY = pytest.param(5000, marks=pytest.mark.verify("recomputed"))


@pytest.mark.parametrize("tables", [300, MANY])
def test_no_multipliers_prove_less_than_the_best_grouping(tables, monkeypatch):
    """Searched and random multipliers, at the optimum less one unit: their sums are above it."""
    monkeypatch.setattr(symmetric, "_STEPS", (12, 12))
    near = []
    for seed in range(tables):
        rng = np.random.default_rng([seed, tables])
        table, k = small_table(rng, PATHS[seed % 3])
        if seed % 4 == 0:
            table[rng.integers(len(table))] = 0
        best = smooth_optimum(table, k).jaccard
        if best == 0 or not table.any():
            continue
        below = -(-best.numerator * 2**proof.BITS // best.denominator) - 1
        for certificate in (
            random_proof(table, k, rng)[1],
            symmetric.prove(sparse.csr_array(table), distinct_rows(sparse.csr_array(table)), k),
        ):
            assert proof.surplus(certificate._replace(ratio=below)) > 0, (seed, k, table)
        near.append(certificate.ratio / 2**proof.BITS / float(best))
    assert 1 <= min(near) < 1 + 1e-5
    assert np.median(near) < 1.05


def test_several_sizes_give_bounds_that_fall():
    table = (np.random.default_rng(2).random((40, 14)) < 0.3).astype(int)
    result = jaccard_certificates(table, [5, 2, 3])
    assert list(result) == [2, 3, 5]
    for less, more in ((2, 3), (3, 5)):
        assert all(result[more][name] <= result[less][name] for name in result[more])
    assert result[2] == jaccard_certificates(table, 2)
    with pytest.raises(ValueError, match="k names no size"):
        jaccard_certificates(table, [])


def test_blocks_sharpen_the_certificate(monkeypatch):
    """Rows in a ring, each like its two neighbours: pairs could go half and half, groups cannot."""
    ring = np.eye(9, dtype=int) + np.roll(np.eye(9, dtype=int), 1, axis=1)
    sharp = jaccard_certificates(ring, 3)["symmetric"]
    monkeypatch.setattr(symmetric, "_Z_RATE", 0.0)
    assert sharp < jaccard_certificates(ring, 3)["symmetric"] - 0.005
    assert sharp >= smooth_optimum(ring, 3).jaccard
