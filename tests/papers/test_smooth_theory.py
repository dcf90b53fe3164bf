"""The theory of smooth anonymity: each claim finds its rows, each answer could be the other."""

import math
from fractions import Fraction

import numpy as np
import pytest

from pplab.datasets.blocks import block_model
from pplab.datasets.load import load_dataset
from pplab.papers import smooth
from pplab.papers.smooth import approximation, copies, jaccard_bound, lemmas, separation
from pplab.papers.smooth.approximation import (
    Instance,
    Run,
    instances_with_optimum,
    members_of,
    merging_counterexample,
)
from pplab.papers.smooth.jaccard_bound import (
    lemma_a1,
    lemma_a1_cases,
    lemma_a1_counterexample,
    node_replacement,
    node_untouched,
)
from pplab.papers.smooth.lemmas import (
    LI,
    LOWER_BOUNDED_MEDIAN,
    alg1_factor,
    alg2_factor,
    checked,
    compare_ties,
    definition_3_5,
    distance_constant,
    distances_add_up,
    graph_rows,
    largest_a,
    least_jaccard,
    lemma_5_2,
    lemma_5_3,
    majority_row_hamming,
    majority_row_jaccard,
    meets_majority_rule,
    suppression_is_smooth,
)
from pplab.papers.smooth.separation import Tried
from pplab.response.noise_graph import FairCoin
from pplab.smooth.algorithms import Alg2Steps
from pplab.smooth.optimum import groupings, majority_jaccard
from pplab.theory.exact import exact_epsilon
from tests.papers.parts import complaints, frame_of

NAMES = (
    *("privacy", "bound", "lower_bound", "separation", "lemmas", "constants", "approximation"),
    *("sizes_stochastic", "sizes_adult", "sizes_playstore", "sizes_dblp", "sizes_stanford"),
)
PARTS = {part.name: part for part in smooth.PARTS if part.name in NAMES}
FEW = {
    "draws": 20,
    "block_draws": 10,
    "instances": 30,
    "merges": 40,
    "facility_instances": 10,
    "repetitions": 5,
}
REFUTED = {
    "section-4:p-to-one",
    "appendix-B.1:epsilon-at-least-one",
    "theorem-4.1:tail",
    "lemma-A.1:as-needed",
    "figure-2:above-10",
    "theorem-4.3:as-proved",
    "theorem-4.3:randomized-response-optimal",
    "theorem-4.4:own-instance",
    "theorem-4.4:own-instance-any-k",
    "theorem-4.4:separation-any-q",
    "theorem-4.4:proof-exp",
    "theorem-4.4:proof-binomial",
    "definition-3.5:as-printed",
    "definition-3.5:ties",
    "lemma-5.3:printed",
    "lemma-5.2:symmetric-difference",
    "section-5:majority-optimal-jaccard",
    "section-5:leak",
    "theorem-5.5:as-printed",
    "theorem-5.1:rests",
    "theorem-5.5:line-3",
}


@pytest.fixture(scope="module")
def frames():
    """Every part, once, with few repetitions."""
    graph = block_model(block_size=20, blocks=5, inside=0.3, outside=0.01, rng=1)
    data = {(name, None): load_dataset(name, source="standin") for name in ("adult", "playstore")}
    data |= {("dblp-2010", None): graph, ("cnr-2000", None): graph}
    return {name: frame_of(part, data, FEW) for name, part in PARTS.items()}


def test_every_claim_is_judged_and_every_statement_has_one(frames):
    assert [said for name in NAMES for said in complaints(PARTS[name], frames[name])] == []


def test_statements_come_out_as_known(frames):
    refuted = {
        row.statement
        for frame in frames.values()
        if "statement" in frame.columns
        for row in frame[frame["value"] == 0].dropna(subset="statement").itertuples()
    }
    assert refuted == REFUTED


def test_seeds_decide_what_is_drawn():
    one, other, again = (copies.sizes_stochastic(rng=seed, repetitions=2) for seed in (1, 2, 1))
    assert one.equals(again)
    assert not one.equals(other)


def test_another_coin_is_another_level(monkeypatch):
    half = Fraction(1, 2)  # a cell stays with 3/4 and flips with 1/4
    assert lemmas._largest_ratio(half, lemmas._one_cell) == 3
    assert lemmas._largest_ratio(half, lemmas._one_row) == 9

    def unfair(told, given, replaced):
        return replaced / 3 + (1 - replaced) * (told == given)

    monkeypatch.setattr(lemmas, "_chance", unfair)
    for check in (lemmas._edge_level, lemmas._node_level, lemmas._flip):
        assert not check()[0]


def test_fall_by_a_factor_would_be_seen(monkeypatch):
    monkeypatch.setattr(lemmas, "WIDTHS", (10, 100))
    assert not lemmas._p_to_one()[0]
    monkeypatch.setattr(lemmas, "node_untouched", lambda items, **_level: 0.5**items)
    assert lemmas._p_to_one()[0]


def test_bounds_can_hold_and_fail(monkeypatch):
    assert not jaccard_bound._form("printed")[0]
    monkeypatch.setattr(jaccard_bound, "DENSITIES", (0.5, 1.0))
    monkeypatch.setattr(jaccard_bound, "LARGE", (0.5, 10**8, 3.0, 0.05))
    assert jaccard_bound._form("printed")[0]
    monkeypatch.setattr(jaccard_bound, "violation_probability", lambda **_setting: 1.0)
    assert not jaccard_bound._chernoff()[0]


def test_words_on_figure_2_depend_on_the_density_and_the_size(monkeypatch):
    assert not jaccard_bound._above_ten()[0]
    monkeypatch.setattr(jaccard_bound, "DENSITY", 1e-5)
    assert jaccard_bound._above_ten()[0]
    assert jaccard_bound._limit()[0]
    monkeypatch.setattr(jaccard_bound, "LOG_COLUMNS", (100.0, 400.0, 900.0))
    assert not jaccard_bound._limit()[0]


def test_better_mechanisms_would_break_the_lower_bounds(monkeypatch):
    assert jaccard_bound._statement()[0]
    monkeypatch.setattr(jaccard_bound, "optimal_jaccard", lambda *_args, **_options: 0.99)
    for check in (jaccard_bound._statement, jaccard_bound._sharper, jaccard_bound._met):
        assert not check()[0]


def test_draws_above_the_bound_refute_when_there_are_enough():
    within = Tried([10] * 200, 10.0, 8)
    once = Tried([10] * 199 + [11], 10.0, 8)
    often = Tried([10] * 190 + [11] * 10, 10.0, 8)
    assert [tried.refutes for tried in (within, once, often)] == [False, False, True]
    assert [tried.exceeded for tried in (within, once, often)] == [0, 1, 10]


def test_blocks_are_held_against_their_own_formula(monkeypatch):
    found = separation._blocks(np.random.default_rng(1), 10)
    assert all(holds for holds, _ in found.values())
    monkeypatch.setitem(separation.OWN, "inside", 0.79)
    found = separation._blocks(np.random.default_rng(1), 10)
    assert not found["theorem-4.4:blocks:kept"][0]
    assert not found["theorem-4.4:blocks:created"][0]
    # blocks with a majority keep their edges
    monkeypatch.setitem(separation.WITHOUT_MAJORITY, "inside", 0.8)
    assert separation._any_q(np.random.default_rng(1))[0]


def test_reading_the_votes_would_be_seen(monkeypatch):
    assert not lemmas._leak()[0]
    monkeypatch.setattr(lemmas, "pivotal_cells", lambda *_args, **_options: [-1])
    assert lemmas._leak()[0]


@pytest.fixture(scope="module")
def instances():
    return list(instances_with_optimum(np.random.default_rng(5), 12))


def test_median_of_alg1_is_the_cheapest(instances):
    """Over all groupings, as the witness says "exact"."""
    for one in instances:
        away = (one.graph[:, None] != one.graph).sum(axis=2)
        labels = approximation.alg1_labels(one.graph, one.k)
        members = members_of(labels)
        every = groupings(len(away), one.k)
        least = min(sum(away[group].sum(axis=0).min() for group in found) for found in every)
        assert sum(away[group].sum(axis=0).min() for group in members) == least


def test_one_large_group_is_not_good_enough(instances, monkeypatch):
    assert approximation._alg1(instances)[0]
    monkeypatch.setattr(
        approximation, "alg1_labels", lambda graph, _k: np.zeros(len(graph), dtype=np.int64)
    )
    assert not approximation._alg1(instances)[0]


def test_merging_near_clusters_is_what_saves_the_groups():
    generator = np.random.default_rng(3)
    near = approximation._on_counterexample("near", generator, 2)
    assert set(near) == {Fraction(20, 21)}
    printed = approximation._on_counterexample("printed", generator, 40)
    assert min(printed) == 0
    assert max(printed) <= Fraction(20, 21)


def test_a_vote_that_loses_everything_breaks_the_promise():
    made = merging_counterexample()
    graph = made.biadjacency.toarray()
    instance = Instance(graph, made.k, made.grouped_jaccard)

    def promise_kept(labels):
        steps = Alg2Steps(None, None, None, (), labels, labels, labels)
        return approximation._near_small([Run(instance, made.a, steps)])[0]

    assert promise_kept(made.groups)
    assert not promise_kept(made.crossed)


def test_sizes_of_clusters_are_looked_at():
    instance = Instance(np.ones((8, 2), dtype=np.int8), 3, Fraction(1))
    one, two, odd = np.zeros(8, int), np.repeat([0, 1], 4), np.repeat([0, 1], [2, 6])

    def run(thinned, merged):
        steps = Alg2Steps(None, None, None, (), thinned, thinned, merged)
        return approximation._cluster_sizes([Run(instance, Fraction(1, 2), steps)])

    assert run(two, two)[0]
    assert run(one, one)[0]  # 8 of k = 3, as facility location left them
    assert not run(two, one)[0]
    assert not run(odd, odd)[0]


def test_shares_inside_and_outside_blocks():
    model = block_model(block_size=3, blocks=2, inside=1.0, outside=0.0, rng=1)
    assert copies._block_counts(model) == {
        "entries": 18,
        "density": 0.5,
        "inside": 1.0,
        "outside": 0.0,
    }


# Constants of Theorems 5.4 and 5.5, and the instance on which the latter fails.


A = Fraction("0.004")


def test_constants_and_thresholds_are_those_printed():
    assert distance_constant(LOWER_BOUNDED_MEDIAN) == Fraction("165.2")
    for li in (LI, 1.488, np.float64(1.488)):  # a float counts as it prints
        assert distance_constant(li) == Fraction("2.976")
    assert round(float(least_jaccard(distance_constant(LOWER_BOUNDED_MEDIAN))), 3) == 0.994
    assert alg1_factor(Fraction("0.994")) > 0 > alg1_factor(Fraction("0.9939"))
    second = least_jaccard(distance_constant(LI, a=A))
    assert Fraction("0.7499") < second < Fraction("0.75")
    assert alg2_factor(second, a=A) == 0
    assert alg2_factor(Fraction("0.75"), a=A) > 0 > alg2_factor(Fraction("0.7499"), a=A)
    most = largest_a(Fraction(3, 4))
    assert most == Fraction(24, 5976)  # 0.004, with its digits cut
    assert alg2_factor(Fraction(3, 4), a=most) == 0 > alg2_factor(Fraction(3, 4), a=0.005)
    assert (largest_a(Fraction("0.7")), largest_a(1)) == (0, 1)
    # exact solvers promise more; a perfect copy
    assert alg1_factor(Fraction(4, 5), approximation=1) == Fraction(1, 2)
    assert alg2_factor(Fraction(4, 5), a=Fraction(1, 3), approximation=1) == 0
    assert alg2_factor(0.9, a=0.1, approximation=1) > alg2_factor(0.9, a=0.1)
    assert alg1_factor(1) == 1
    assert alg2_factor(1, a=Fraction(1, 2)) == Fraction(1, 32)
    assert alg2_factor(1, a=0) == 0


POINTS = [(1, 0.5, 0.1), (0, 0.5, 0), (0, 0.5, 0.5), (-1, 1, 0.1), (0, 2, 1)]
READ = {"users": 3, "items": 2, "k": 2, "read_on": "original"}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: alg1_factor(0), "jaccard"),
        (lambda: alg1_factor(1.1), "jaccard"),
        (lambda: alg1_factor(float("nan")), "jaccard"),
        (lambda: alg2_factor(0.9, a=1), "a must lie"),
        (lambda: alg2_factor(0.9, a=float("nan")), "a must lie"),
        (lambda: distance_constant(0), "approximation"),
        (lambda: least_jaccard(-1), "constant"),
        (lambda: lemma_5_2(form="loose"), "form must be one of"),
        (lambda: lemma_5_3(form="loose"), "form must be one of"),
        (lambda: compare_ties(users=0, items=4, k=2), "rows must be"),
        (lambda: compare_ties(users=4, items=4, k=2), r"at most 2\^10"),
        (lambda: definition_3_5(**READ | {"items": 3}), r"at most 2\^16"),
        (lambda: definition_3_5(**READ | {"k": 4}), "k must be"),
        (lambda: definition_3_5(**READ | {"read_on": "both"}), "read_on must be"),
        (lambda: majority_row_jaccard(rows="some"), "rows must be one of"),
        (lambda: distances_add_up(times=0), "times must be"),
        (lambda: lemma_a1(0, 1, 0.5, wording="true"), "wording must be one of"),
        (lambda: node_replacement(epsilon=1.0, items=0), "items must be an integer"),
        *((lambda at=at: lemma_a1(*at, wording="needed"), "the lemma needs") for at in POINTS),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_merging_across_groups_loses_everything():
    found = merging_counterexample()
    assert found.biadjacency.shape == (18, 69)
    assert found.grouped_jaccard == Fraction(20, 21)
    assert found.crossed_jaccard == 0
    assert alg2_factor(found.grouped_jaccard, a=found.a) > 0  # the theorem promises more than 0
    dropped = majority_jaccard(found.biadjacency, found.crossed, ties="more-than-half")
    assert dropped == 0
    for merged in (found.groups, found.crossed):  # both are merges of the pairs to size k
        assert (np.bincount(merged) == found.k).all()
        assert all(len(set(merged[found.pairs == pair])) == 1 for pair in range(9))


def test_facility_location_opens_one_facility_per_pair():
    """A pair without one of its own pays at least 4, a facility costs 0.064: nine are best."""
    found = merging_counterexample()
    costs = found.opening_costs()
    assert costs == pytest.approx(np.full(18, 8 * 0.008 / 0.996))
    table = found.biadjacency.toarray().astype(int)
    away = (table[:, None, :] != table[None, :, :]).sum(axis=2)
    same = found.pairs[:, None] == found.pairs
    assert (away[same] == 0).all()
    assert 2 * away[~same].min() == 4 > costs.max()
    sizes = np.bincount(found.pairs)
    assert sizes.min() == 2 >= found.a * found.k  # step 4 removes none


# Lemmas 5.2 and 5.3, the majority rule and votes, on every small case.


PAIRS = 64 * 64


def test_lemma_5_2_holds_twice_over():
    printed, tight = lemma_5_2(form="printed"), lemma_5_2(form="tight")
    for found in (printed, tight):
        assert found.holds
        assert found.cases + found.left_out == PAIRS
        assert found.left_out == 63  # an empty original with a copy that is not
    # equality: the copy holds all of E (3^6 nested pairs), less the 63 that were left out
    assert tight.tight == 3**6 - 63
    assert printed.tight == 64  # only where nothing changes


def test_lemma_5_3_is_false_as_printed_and_true_repaired():
    printed, repaired = lemma_5_3(form="printed"), lemma_5_3(form="repaired")
    assert not printed.holds
    original, copy = np.array(printed.counterexample)
    assert original.sum() > 0 == copy.sum()  # distance |E|, promise 1/2, similarity 0
    assert repaired.holds
    assert repaired.tight == 3**6  # the copy is a part of E
    assert repaired.failures == 0 < printed.failures < printed.cases


def test_distances_add_up_to_the_symmetric_difference_once():
    assert distances_add_up(times=1).holds
    twice = distances_add_up(times=2)
    assert twice.failures == PAIRS - 64  # true only where nothing changes


def test_all_small_graphs_are_checked_once():
    found = checked(iter([("a", 1, 1), None, ("b", 2, 1), ("c", 3, 1)]))
    assert (found.cases, found.failures, found.tight, found.left_out) == (3, 2, 1, 1)
    assert found.counterexample == "b"
    assert not checked([]).holds  # nothing looked at
    assert len({graph_rows(bits, 2, 3) for bits in range(64)}) == 64
    assert graph_rows(0b100000, 2, 3) == ((0, 0, 0), (0, 0, 1))


@pytest.mark.parametrize(("users", "items", "k"), [(3, 2, 2), (3, 2, 3), (4, 2, 2)])
def test_the_rule_is_vacuous_on_the_published_graph_and_not_on_the_original(users, items, k):
    assert definition_3_5(users=users, items=items, k=k, read_on="published").holds
    original = definition_3_5(users=users, items=items, k=k, read_on="original")
    assert 0 < original.failures < original.cases
    graph, copy = original.counterexample
    assert not meets_majority_rule(graph, copy, read_on="original")


def test_the_rule_excludes_as_many_copies_as_can_be_counted_by_hand():
    """3 users, one class: a published item needs two of three; half of the 8 columns have that."""
    found = definition_3_5(users=3, items=2, k=2, read_on="original")
    assert found.cases == 64 * 4
    allowed_per_item = 8 + 4  # unpublished: any column; published: one with two or three ones
    assert found.cases - found.failures == allowed_per_item**2


@pytest.mark.parametrize(("users", "k"), [(3, 2), (3, 3), (4, 2)])
def test_every_suppression_is_smooth(users, k):
    found = suppression_is_smooth(users=users, items=2, k=k)
    assert found.holds
    assert found.left_out > 0


@pytest.mark.parametrize(("users", "items", "k"), [(2, 3, 2), (4, 2, 2), (4, 2, 4)])
def test_keeping_ties_is_never_worse_and_sometimes_better(users, items, k):
    found = compare_ties(users=users, items=items, k=k)
    assert found.dropped_better == 0 < found.kept_better
    assert found.kept_better + found.equal == 2 ** (users * items)
    _, kept, dropped = found.example
    assert kept > dropped
    assert compare_ties(users=3, items=2, k=2).kept_better == 0  # odd groups have no ties


def test_the_majority_row_is_nearest_but_not_most_similar():
    assert majority_row_hamming().holds
    everything = majority_row_jaccard(rows="all")
    assert not everything.holds
    group, row = everything.counterexample
    cells = [(a, b) for own in group for a, b in zip(own, row, strict=True)]
    better = Fraction(sum(a & b for a, b in cells), sum(a | b for a, b in cells))
    votes = tuple(int(2 * sum(column) >= 3) for column in zip(*group, strict=True))
    pairs = [(a, b) for own in group for a, b in zip(own, votes, strict=True)]
    assert better > Fraction(sum(a & b for a, b in pairs), sum(a | b for a, b in pairs))
    assert majority_row_jaccard(rows="allowed").holds


# Lemma A.1 in fractions: printed, needed, repaired.


def test_as_printed_it_is_true_and_empty():
    for case in lemma_a1_cases(14, wording="printed"):
        assert case.holds
        assert case.left <= case.a / case.b


def test_as_needed_it_is_false():
    found = lemma_a1_counterexample(wording="needed", largest_denominator=6)
    assert (found.a, found.b, found.x) == (Fraction(1, 2), 1, Fraction(1, 2))
    within = lemma_a1_counterexample(wording="needed", largest_denominator=6, on_condition=True)
    assert 2 * within.x <= within.b - within.a
    assert within.left > within.right
    for case in lemma_a1_cases(12, wording="needed"):
        assert case.holds == (case.a + case.b <= 2 * case.b * (case.b - case.x))
        assert not (case.b <= Fraction(1, 2) and case.holds)


def test_repaired_it_holds_exactly_on_its_condition():
    cases = list(lemma_a1_cases(14, wording="repaired"))
    assert all(case.holds == case.covered for case in cases)
    assert {case.covered for case in cases} == {True, False}
    assert lemma_a1_counterexample(wording="repaired", largest_denominator=14) is None


# Algorithm 1 at edge and node level, by enumeration of all tables of 2 x 2 cells.


@pytest.mark.parametrize("odds", [Fraction(3, 2), Fraction(10)])
def test_a_user_has_m_times_the_level_of_a_cell(odds):
    """p = 2 / (1 + e^(epsilon / m)) at epsilon = 2 ln(odds), with m = 2 items."""
    mechanism = FairCoin(replacement_probability=2 / (1 + odds))
    assert exact_epsilon(mechanism, shape=(2, 2), unit="user").odds == odds**2
    assert exact_epsilon(mechanism, shape=(2, 2), unit="edge").odds == odds
    p = node_replacement(epsilon=2 * math.log(odds), items=2)
    assert p == pytest.approx(float(2 / (1 + odds)))


def test_p_tends_to_one_like_one_over_m():
    for m in (1, 10, 10**3, 10**6):
        gap = node_untouched(epsilon=2.0, items=m)
        assert gap == pytest.approx(1 - node_replacement(epsilon=2.0, items=m), abs=1e-15)
    assert 10**6 * node_untouched(epsilon=2.0, items=10**6) == pytest.approx(1)
    assert node_replacement(epsilon=10, items=102) / 2 > 0.45
