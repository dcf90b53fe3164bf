"""Alg1 and Alg2, their steps and where merging as printed fails; and the best copy of all."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pplab.smooth import algorithms
from pplab.smooth.algorithms import alg1_labels, alg2_steps, exact_lower_bounded
from pplab.smooth.facility import FacilityPlan
from pplab.smooth.optimum import groupings, majority_counts, majority_jaccard, smooth_optimum
from pplab_papers.smooth.cases import graphs
from pplab_papers.smooth.definition_3_5 import meets_majority_rule
from pplab_papers.smooth.theorem_5_5 import merging_counterexample


@st.composite
def graphs_and_k(draw, most=7):
    """Few items, so that many rows are equal or empty."""
    users, items = draw(st.integers(2, most)), draw(st.integers(1, 4))
    row = st.lists(st.integers(0, 1), min_size=items, max_size=items)
    rows = draw(st.lists(row, min_size=users, max_size=users))
    return np.array(rows), draw(st.integers(2, users))


def alg2_labels(rows, k, **options):
    return alg2_steps(rows, k, **options).merged


def members(labels):
    return [frozenset(np.flatnonzero(labels == g).tolist()) for g in range(labels.max() + 1)]


@given(graphs_and_k())
def test_lower_bounded_median_against_all_groupings(case):
    rows, k = case
    away, _ = algorithms.hamming_distances(rows, k)
    assert np.array_equal(away, (rows[:, None] != rows[None]).sum(axis=2))
    ways = groupings(len(rows), k)
    least = min(sum(away[g].sum(axis=0).min() for g in groups) for groups in ways)
    result = exact_lower_bounded(rows, k)
    assert result.cost == least
    assert np.bincount(result.labels).min() >= k
    assert len(result.centres) == result.labels.max() + 1 <= len(rows) // k
    centre = result.centres[result.labels]
    assert away[np.arange(len(rows)), centre].sum() == result.cost
    assert algorithms._reduce_to_facilities(rows, k).cost >= least
    assert np.array_equal(alg1_labels(rows, k), result.labels)


@given(
    graphs_and_k(most=14),
    st.sampled_from(["0.004", "0.3", "0.5", "0.9"]),
    st.sampled_from(["near", "printed"]),
    st.sampled_from(["li", "exact", "greedy"]),
    st.integers(0, 5),
)
def test_every_step_keeps_what_it_promises(case, share, merging, facility, seed):
    rows, k = case
    a = Fraction(share)
    steps = alg2_steps(rows, k, a=a, merging=merging, facility=facility, rng=seed)
    # step 2: the user itself is the first of the k nearest
    nearest = np.sort(steps.distances, axis=1)[:, 1:k].sum(axis=1)
    assert steps.opening_costs == pytest.approx(float(2 * a / (1 - a)) * nearest)
    # step 4
    before, after = members(steps.located), members(steps.thinned)
    assert min(map(len, after)) >= a * k
    assert len(before) - len(after) == len(steps.removed)
    if min(map(len, before)) >= a * k:
        assert not steps.removed
    # step 5: all that was at least k and was not needed stays, or grows, or gives a piece
    sizes = np.bincount(steps.merged)
    assert sizes.min() >= k
    assert sizes.max() <= max(2 * k, *map(len, after), k)
    assert steps.groups <= len(rows) // k
    again = alg2_steps(rows, k, a=float(share), merging=merging, facility=facility, rng=seed)
    assert np.array_equal(again.merged, steps.merged)


def on_a_line(*places):
    """Rows whose Hamming distances are those of whole numbers, and a plan made by hand."""
    return np.abs(np.subtract.outer(places, places))


def plan_of(*assignment):
    return FacilityPlan(np.unique(assignment), np.array(assignment), 0.0)


def test_facilities_are_removed_one_by_one_and_their_points_go_to_the_next():
    """Of two single points the first one moves to the second, which then is large enough."""
    away = on_a_line(0, 0, 0, 8, 11)
    kept, removed = algorithms._close_small(away, plan_of(0, 0, 0, 3, 4), Fraction(2))
    assert removed == [3]
    assert kept.tolist() == [0, 0, 0, 4, 4]
    kept, removed = algorithms._close_small(away, plan_of(0, 0, 0, 3, 4), Fraction(3))
    assert removed == [3, 4]
    assert kept.tolist() == [0] * 5
    kept, removed = algorithms._close_small(away, plan_of(0, 0, 0, 3, 4), Fraction(1))
    assert (kept.tolist(), removed) == ([0, 0, 0, 3, 4], [])


def test_a_cluster_of_exactly_a_k_stays(monkeypatch):
    """0.07 * 100 is above 7 in floats; a float is read as the decimal number that it prints."""
    bounds, without_small = [], algorithms._close_small

    def noted(away, plan, least):
        bounds.append(least)
        return without_small(away, plan, least)

    monkeypatch.setattr(algorithms, "_close_small", noted)
    for share in (0.07, 0.29, 0.1, Fraction(1, 3)):
        alg2_steps(np.zeros((100, 1), dtype=int), 100, a=share, facility="greedy")
    assert bounds == [7, 29, 10, Fraction(100, 3)]
    away = on_a_line(0, 0, 0, 9, 9)
    for least, expected in ((2, []), (Fraction(22, 10), [3])):
        assert algorithms._close_small(away, plan_of(0, 0, 0, 3, 3), Fraction(least))[1] == expected


def clusters_of(*sizes):
    ends = np.cumsum(sizes)
    return [np.arange(end - size, end) for end, size in zip(ends, sizes, strict=True)]


@given(st.lists(st.integers(1, 9), min_size=1, max_size=8), st.integers(2, 6), st.integers(0, 9))
def test_near_merging_told_pair_by_pair(sizes, k, seed):
    """All means taken anew each time, with a as small as can be."""
    sizes = sizes if sum(sizes) >= k else [*sizes, k]
    rng = np.random.default_rng(seed)
    away = np.abs(np.subtract.outer(*[rng.integers(0, 50, sum(sizes))] * 2))
    left = [cluster.tolist() for cluster in clusters_of(*sizes)]
    while min(map(len, left)) < k:
        pairs = [(s, o) for s in left if len(s) < k for o in left if o is not s]
        small, other = min(pairs, key=lambda p: Fraction(away[np.ix_(*p)].mean()))
        left = [cluster for cluster in left if cluster is not small and cluster is not other]
        order = sorted(other, key=lambda u: away[small, u].sum())
        if len(small) + len(other) <= 2 * k:  # in this order, too: it decides between equals later
            left.append(small + order)
            continue
        left += [small + order[: k - len(small)], order[k - len(small) :]]
    result = algorithms.merge_near(clusters_of(*sizes), k, a=Fraction(1, 1000), away=away)
    total = [sum(away[np.ix_(c, c)].sum() for c in clusters) for clusters in (result, left)]
    assert sorted(map(len, result)) == sorted(map(len, left))
    assert total[0] == total[1]


def test_footnote_three_a_large_cluster_gives_a_piece():
    """3 users are too few for k = 5 and 20 and 3 too many together: a piece of a k = 4 moves."""
    line = np.abs(np.subtract.outer(np.arange(23), np.arange(23)))
    for merge in (
        lambda a: algorithms.merge_anyhow(clusters_of(20, 3), 5, a=a, rng=np.random.default_rng(1)),
        lambda a: algorithms.merge_near(clusters_of(20, 3), 5, a=a, away=line),
    ):
        assert sorted(map(len, merge(Fraction("0.8")))) == [7, 16]
        assert sorted(map(len, merge(Fraction("0.004")))) == [5, 18]
    near = algorithms.merge_near(clusters_of(20, 3), 5, a=Fraction(1, 5), away=line)
    assert set(near[0].tolist()) == {18, 19, 20, 21, 22}  # the two that are nearest
    # k = 10, a = 1/2: 8 and 14. A piece of 5 would leave 9; joined they are 22, above 2k.
    result = algorithms.merge_anyhow(
        clusters_of(14, 8), 10, a=Fraction(1, 2), rng=np.random.default_rng(0)
    )
    assert sorted(map(len, result)) == [10, 12]


@pytest.fixture(scope="module")
def instance():
    return merging_counterexample()


def test_theorem_5_5_fails_for_merging_as_printed(instance):
    jaccard = []
    for seed in range(60):
        steps = alg2_steps(
            instance.biadjacency, 6, a=0.004, merging="printed", facility="greedy", rng=seed
        )
        assert members(steps.located) == [{2 * pair, 2 * pair + 1} for pair in range(9)]
        jaccard.append(majority_jaccard(instance.biadjacency, steps.merged))
    assert jaccard.count(0) > 3  # nothing is left
    assert jaccard.count(Fraction(20, 21)) < 4  # one way in 280 finds the groups


def test_near_merging_finds_the_groups(instance):
    for facility in ("li", "exact", "greedy"):
        for seed in range(3):
            labels = alg2_labels(instance.biadjacency, 6, a=0.004, facility=facility, rng=seed)
            assert np.array_equal(labels, instance.groups)
    assert majority_jaccard(instance.biadjacency, labels) == Fraction(20, 21)
    assert np.array_equal(alg1_labels(instance.biadjacency, 6), instance.groups)


def test_a_search_out_of_time_is_refused(monkeypatch):
    monkeypatch.setattr(algorithms, "_SECONDS", 1e-6)
    with pytest.raises(TimeoutError, match="did not end within 1e-06 seconds"):
        exact_lower_bounded(np.random.default_rng(1).integers(0, 2, (40, 30)), 6)


# The best smooth k-anonymous copy against every copy that the definition allows.


def similarity(graph, copy):
    graph, copy = np.array(graph, dtype=bool), np.array(copy, dtype=bool)
    union = int((graph | copy).sum())
    return Fraction(int((graph & copy).sum()), union) if union else Fraction(1)


def allowed_copies(graph, k):
    """All smooth k-anonymous copies, over every graph of the size."""
    for copy in graphs(len(graph), len(graph[0])):
        enough = min(Counter(copy).values()) >= k
        if enough and meets_majority_rule(graph, copy, read_on="original"):
            yield copy


def labels_of(groups, rows):
    labels = np.empty(rows, dtype=np.int64)
    for number, group in enumerate(groups):
        labels[group] = number
    return labels


@pytest.mark.parametrize(("users", "items", "k"), [(3, 2, 2), (4, 2, 2), (2, 3, 2), (3, 3, 3)])
def test_nothing_that_the_definition_allows_is_better(users, items, k):
    some = list(graphs(users, items))
    for graph in some[:: 1 + len(some) // 25]:
        best = max(similarity(graph, copy) for copy in allowed_copies(graph, k))
        assert smooth_optimum(graph, k).jaccard == best


@pytest.mark.parametrize(("seed", "k"), [(0, 2), (1, 2), (2, 3), (3, 4)])
def test_it_is_the_best_of_all_groupings_and_reports_its_own_numbers(seed, k):
    table = (np.random.default_rng(seed).random((7, 6)) < 0.4).astype(int)
    result = smooth_optimum(table, k)
    ways = (labels_of(groups, 7) for groups in groupings(7, k))
    assert result.jaccard == max(majority_jaccard(table, labels) for labels in ways)
    assert result.jaccard == majority_jaccard(table, result.labels)
    assert (result.kept, result.created) == majority_counts(table, result.labels)
    assert result.jaccard == Fraction(result.kept, int(table.sum()) + result.created)
    assert np.bincount(result.labels).min() >= k
