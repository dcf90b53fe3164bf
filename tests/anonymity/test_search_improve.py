"""What annealing does from outside: it stops, it can be stopped, it repeats itself."""

import itertools

import numba
import numpy as np
import pytest
from scipy import sparse

from pplab.metrics.anonymity import is_k_anonymous, is_smooth_k_anonymous
from pplab.smooth import greedy, pairing
from pplab.smooth import greedy as improve
from pplab.smooth._greedy import anneal
from pplab.smooth.anonymize import smooth_k_anonymize, suppress_k_anonymize
from pplab.smooth.greedy import Budget, greedy_labels
from tests.anonymity.search_cases import KEEPS, random_table


def table_of(seed, rows=120, items=30):
    rng = np.random.default_rng(seed)
    few = rng.random((10, items)) < 0.3
    noise = rng.random((rows, items)) < 0.1
    return (few[rng.integers(0, 10, rows)] ^ noise).astype(np.int8)


@pytest.fixture
def stopped(monkeypatch):
    """Annealing that somebody interrupts at its third call; what was seen until then."""
    states = []

    def stop(state, search, seed, *, temperature, proposals):
        if len(states) == 2:
            raise KeyboardInterrupt
        anneal(state, search, seed, temperature=temperature, proposals=proposals)
        states.append(state.group_of.copy())

    monkeypatch.setattr(improve, "anneal", stop)
    return states


def test_an_interruption_returns_the_best_so_far(stopped, capfd):
    table = table_of(1)
    found = smooth_k_anonymize(table, 4, rng=1)
    assert len(stopped) == 2
    told = "".join(capfd.readouterr())
    assert "interrupted after 3%: the best groups so far are returned" in told
    assert np.bincount(found.labels).min() >= 4
    assert is_smooth_k_anonymous(table, found.biadjacency, 4)
    start = smooth_k_anonymize(table, 4, rng=1, seconds=1e-9)
    assert found.jaccard >= start.jaccard


def test_an_interruption_ends_the_search_before_pairs_are_matched(stopped, monkeypatch):
    monkeypatch.setattr(greedy, "better_pairs", None)  # to call it would fail
    found = suppress_k_anonymize(table_of(1), 2, effort="thorough", rng=1)
    assert len(stopped) == 2
    assert is_k_anonymous(found.biadjacency, 2)


def test_an_interruption_while_pairs_are_matched_keeps_the_groups(monkeypatch, capfd):
    def stop(*_, **__):
        raise KeyboardInterrupt

    table = table_of(1)
    with monkeypatch.context() as patch:
        patch.setattr(pairing, "paired_by_regions", stop)
        found = smooth_k_anonymize(table, 2, effort="thorough", rng=1)
    assert "interrupted while rows were paired" in "".join(capfd.readouterr())
    assert is_smooth_k_anonymous(table, found.biadjacency, 2)
    assert found.jaccard > smooth_k_anonymize(table, 2, rng=1, seconds=1e-9).jaccard


def test_an_interruption_before_the_first_step_keeps_the_first_groups(monkeypatch, capfd):
    def stop(*_, **__):
        raise KeyboardInterrupt

    table = table_of(1)
    start = smooth_k_anonymize(table, 4, rng=1, seconds=1e-9)
    monkeypatch.setattr(improve, "alike_kinds", stop)
    found = smooth_k_anonymize(table, 4, rng=1)
    assert "interrupted after 0%" in "".join(capfd.readouterr())
    assert np.array_equal(found.labels, start.labels)


def test_the_best_is_kept_and_not_the_last(monkeypatch):
    """At a great heat each step spoils the groups: those before it are returned."""
    table = sparse.csr_array(table_of(3))
    first = greedy_labels(table, 4, keep="half", seconds=1e-9, rng=1)

    def boil(state, search, seed, **_):
        anneal(state, search, seed, temperature=1e9, proposals=5000)

    monkeypatch.setattr(improve, "anneal", boil)
    assert np.array_equal(greedy_labels(table, 4, keep="half", rng=1), first)


@pytest.mark.parametrize("keep", KEEPS)
def test_a_seed_decides_and_threads_do_not(keep):
    table = sparse.csr_array(table_of(4))
    before = numba.get_num_threads()
    try:
        found = []
        for threads in [1, min(2, numba.config.NUMBA_NUM_THREADS)]:
            numba.set_num_threads(threads)
            found.append(greedy_labels(table, 3, keep=keep, rng=5))
    finally:
        numba.set_num_threads(before)
    assert np.array_equal(*found)
    again = greedy_labels(table, 3, keep=keep, rng=np.random.default_rng(5))
    assert np.array_equal(again, found[0])
    others = [greedy_labels(table, 3, keep=keep, rng=seed) for seed in range(3)]
    assert not all(np.array_equal(other, found[0]) for other in others)


def test_seconds_end_the_search(monkeypatch):
    """A clock that ticks once a second: it is asked at the beginning and after each step."""
    clock, steps, seconds = itertools.count(), [], 9.5

    def count(*_, temperature, **__):
        steps.append(temperature)

    monkeypatch.setattr(improve.time, "monotonic", lambda: float(next(clock)))
    monkeypatch.setattr(improve, "anneal", count)
    budget = Budget(10**9, seconds, began=0.0)
    table, labels = sparse.csr_array(table_of(5)), np.repeat(np.arange(30), 4)
    options = {"keep": "half", "entries": table.nnz, "seed": 1, "quiet": True}
    found = improve.improve(table, labels, 4, budget=budget, **options)
    assert np.array_equal(found, labels)
    assert len(steps) == int(np.ceil(seconds))
    assert steps == sorted(steps, reverse=True)
    assert steps[0] == improve._HOT
    assert steps[-1] > improve._COLD


def test_a_budget_of_proposals_needs_no_clock(monkeypatch):
    def asked():
        raise AssertionError("the result must not depend on the time")

    counted = []

    def count(*_, proposals, **__):
        counted.append(proposals)

    monkeypatch.setattr(improve, "anneal", count)
    budget = Budget(6400, None, began=0.0)
    monkeypatch.setattr(improve.time, "monotonic", asked)
    table, labels = sparse.csr_array(table_of(5)), np.repeat(np.arange(30), 4)
    options = {"keep": "half", "entries": table.nnz, "seed": 1, "quiet": True}
    improve.improve(table, labels, 4, budget=budget, **options)
    assert sum(counted) == 6400
    assert Budget(0).share(0) == 1


def test_more_effort_keeps_more():
    found = []
    for seed in range(4):
        table = random_table(np.random.default_rng(seed), 60, 20)
        start = smooth_k_anonymize(table, 4, seconds=1e-9, rng=seed).jaccard
        fast = smooth_k_anonymize(table, 4, rng=seed).jaccard
        thorough = smooth_k_anonymize(table, 4, effort="thorough", rng=seed).jaccard
        assert start < fast
        found.append((fast, thorough))
    fast, thorough = np.mean(found, axis=0)  # a single table may be unlucky
    assert fast < thorough
