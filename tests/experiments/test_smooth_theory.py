"""The theory of smooth anonymity: each claim finds its rows, each answer could be the other."""

import importlib
from fractions import Fraction

import numpy as np
import pytest

from pplab.datasets.blocks import block_model
from pplab.datasets.load import load_dataset
from pplab.papers import smooth
from pplab.papers.smooth.approximation import (
    Instance,
    Run,
    instances_with_optimum,
    members_of,
    merging_counterexample,
)
from pplab.papers.smooth.separation import Tried
from pplab.smooth.algorithms import Alg2Steps
from pplab.smooth.optimum import groupings
from tests.experiments.parts import complaints, frame_of

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


def module(name):
    """A part's module: the package holds its function by the same name."""
    return importlib.import_module(f"pplab.experiments.smooth.{name}")


privacy, bound, figure_2, lower_bound, separation, lemmas, approximation, sizes = map(
    module,
    (
        *("privacy", "bound", "figure_2", "lower_bound", "separation", "lemmas"),
        *("approximation", "sizes"),
    ),
)


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
        for row in frame.dropna(subset="statement").itertuples()
        if row.value == 0
    }
    assert refuted == REFUTED


def test_seeds_decide_what_is_drawn():
    one, other, again = (sizes.sizes_stochastic(rng=seed, repetitions=2) for seed in (1, 2, 1))
    assert one.equals(again)
    assert not one.equals(other)


def test_largest_ratio_is_that_of_the_coin():
    half = Fraction(1, 2)  # a cell stays with 3/4 and flips with 1/4
    assert privacy._largest_ratio(half, privacy._one_cell) == 3
    assert privacy._largest_ratio(half, privacy._one_row) == 9


def test_another_coin_is_another_level(monkeypatch):
    def unfair(told, given, replaced):
        return replaced / 3 + (1 - replaced) * (told == given)

    monkeypatch.setattr(privacy, "_chance", unfair)
    assert not privacy._edge_level()[0]
    assert not privacy._node_level()[0]
    assert not privacy._flip()[0]


def test_fall_by_a_factor_would_be_seen(monkeypatch):
    monkeypatch.setattr(privacy, "WIDTHS", (10, 100))
    assert not privacy._p_to_one()[0]
    monkeypatch.setattr(privacy, "node_untouched", lambda items, **_level: 0.5**items)
    assert privacy._p_to_one()[0]


def test_bounds_can_hold_and_fail(monkeypatch):
    assert not bound._form("printed")[0]
    monkeypatch.setattr(bound, "DENSITIES", (0.5, 1.0))
    monkeypatch.setattr(bound, "LARGE", (0.5, 10**8, 3.0, 0.05))
    assert bound._form("printed")[0]
    monkeypatch.setattr(bound, "violation_probability", lambda **_setting: 1.0)
    assert not bound._chernoff()[0]


def test_words_on_figure_2_depend_on_the_density(monkeypatch):
    assert not figure_2._above_ten()[0]
    monkeypatch.setattr(figure_2, "DENSITY", 1e-5)
    assert figure_2._above_ten()[0]


def test_limit_is_not_seen_where_the_similarity_rises(monkeypatch):
    assert figure_2._limit()[0]
    monkeypatch.setattr(figure_2, "LOG_COLUMNS", (100.0, 400.0, 900.0))
    assert not figure_2._limit()[0]


def test_better_mechanisms_would_break_the_lower_bounds(monkeypatch):
    assert lower_bound._statement()[0]
    monkeypatch.setattr(lower_bound, "optimal_jaccard", lambda *_args, **_options: 0.99)
    assert not lower_bound._statement()[0]
    assert not lower_bound._sharper()[0]
    assert not lower_bound._met()[0]


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


def test_blocks_with_a_majority_keep_their_edges(monkeypatch):
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
    assert sizes._block_counts(model) == {
        "entries": 18,
        "density": 0.5,
        "inside": 1.0,
        "outside": 0.0,
    }
