"""An attacker with a few ratings: the search by brute force, 1/k, ties, knowledge that grows."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from pplab.anonymity.groups import random_groups
from pplab.attacks.background_knowledge import reidentification_curve, reidentify
from pplab.attacks.matching import Searcher

SCALE = (1, 5)


def world(users, items, seed, filled=0.7):
    rng = np.random.default_rng(seed)
    table = rng.integers(1, 6, (users, items)).astype(float)
    table[rng.random((users, items)) >= filled] = np.nan
    table[0, 0] = 3.0  # one rating at least
    return table


def completed(table):
    return np.where(np.isnan(table), 3.0, table)


def averaged(full, labels):
    means = {group: full[labels == group].mean(axis=0) for group in np.unique(labels)}
    return np.array([means[group] for group in labels])


def by_hand(table, protected, user, items, eccentricity=0.0, weights=None):
    """Success, abstained, candidates, error over the other ratings; row by row."""
    weights = np.ones(table.shape[1]) if weights is None else weights
    scores = np.array(
        [sum(weights[i] * (row[i] - table[user, i]) ** 2 for i in items) for row in protected]
    )
    best = np.flatnonzero(np.isclose(scores, scores.min(), rtol=1e-9, atol=1e-9))
    distinct = np.unique(protected, axis=0, return_inverse=True)[1].ravel()
    kinds = {distinct[row]: scores[row] for row in range(len(scores))}
    ranked = sorted(kinds.values())
    if len(ranked) < 2:
        stands_out = 0.0
    else:
        spread = scores.std()
        stands_out = (ranked[1] - ranked[0]) / spread if spread > 0 else 0.0
    named = eccentricity == 0 or stands_out >= eccentricity
    others = [i for i in np.flatnonzero(~np.isnan(table[user])) if i not in set(items)]
    guess = protected[best].mean(axis=0)
    error = np.mean(np.abs(guess[others] - table[user, others])) if others else np.nan
    return named * (user in best) / len(best), not named, len(best), error


def all_known(table, user):
    return np.flatnonzero(~np.isnan(table[user]))


@pytest.mark.parametrize("kind", ["full", "groups", "noise"])
@pytest.mark.parametrize("eccentricity", [0.0, 0.3, 2.0])
@pytest.mark.parametrize("weighting", ["none", "rarity"])
def test_all_ratings_known_is_the_search_by_hand(kind, eccentricity, weighting):
    table = world(14, 5, seed=3)
    protected = release(kind, completed(table))
    found = reidentify(
        table,
        protected,
        known=99,
        rating_range=SCALE,
        eccentricity=eccentricity,
        weighting=weighting,
        rng=1,
    )
    support = np.maximum((~np.isnan(table)).sum(axis=0), 2)
    weights = 1 / np.log(support) if weighting == "rarity" else None
    for user in range(14):
        success, abstained, candidates, _ = by_hand(
            table, protected, user, all_known(table, user), eccentricity, weights
        )
        assert found.success[user] == pytest.approx(success)
        assert found.abstained[user] == abstained
        assert found.candidates[user] == candidates
        assert found.wrong[user] == pytest.approx(1 - success - abstained)
    assert np.isnan(found.error).all()  # nothing is left to predict


def release(kind, full, k=3, seed=8):
    if kind == "groups":
        return averaged(full, random_groups(full, k, rng=seed))
    if kind == "noise":
        return full + np.random.default_rng(seed).normal(0, 1, full.shape)
    return full


@pytest.mark.parametrize("kind", ["full", "groups", "noise"])
def test_one_known_of_two_is_one_of_the_two_searches(kind):
    """Many draws of one rating of two: their mean lies between the two searches by hand."""
    table = world(12, 2, seed=5, filled=1.1)
    protected = release(kind, completed(table))
    found = reidentify(table, protected, known=1, rating_range=SCALE, draws=60, rng=2)
    for user in range(12):
        pair = [by_hand(table, protected, user, [item]) for item in (0, 1)]
        for name, place in (("success", 0), ("candidates", 2), ("error", 3)):
            low, high = sorted(one[place] for one in pair)
            # 60 draws: the first item comes between 10 and 50 times, except once in 10^7
            part = (high - low) / 6 - 1e-9
            assert low + part <= getattr(found, name)[user] <= high - part


@settings(deadline=None)
@given(
    st.integers(4, 20),
    st.integers(1, 6),
    st.integers(2, 4),
    st.integers(0, 2**32),
    st.sampled_from([0.0, 0.5, 2.0]),
    st.sampled_from([0.0, 1.5]),
)
def test_k_equal_rows_bound_the_risk_of_everyone_by_1_over_k(
    users, items, k, seed, error, eccentricity
):
    table = world(users, items, seed)
    protected = release("groups", completed(table), k, seed % 1000)
    for count in (1, 3, 50):
        found = reidentify(
            table,
            protected,
            known=count,
            rating_range=SCALE,
            error=error,
            eccentricity=eccentricity,
            draws=2,
            rng=seed,
        )
        assert (found.success <= 1 / k + 1e-12).all()
        assert (found.candidates >= k).all()
        total = found.success + found.wrong + found.abstained
        assert total == pytest.approx(1)


def test_without_groups_the_bound_fails():
    table = world(20, 8, seed=1)
    assert reidentify(table, completed(table), known=8, rating_range=SCALE, rng=1).risk > 0.5


def test_the_attacker_of_k_equal_rows_still_learns():
    """Two kinds of people, groups of 10 within a kind: 1/k holds, and the rest is told."""
    rng = np.random.default_rng(2)
    taste = np.repeat([[5.0, 1.0], [1.0, 5.0]], 50, axis=0)
    table = np.repeat(taste, 10, axis=1)
    noisy = rng.random(table.shape) < 0.1
    table[noisy] = 3.0
    protected = averaged(table, np.arange(100) // 10)
    curve = reidentification_curve(table, protected, known=(1, 4), rating_range=SCALE, rng=1)
    assert (curve.risk <= 0.1).all()
    assert curve.error.iloc[1] < curve.item_error.iloc[1] / 3


def test_candidates_fall_as_knowledge_grows_on_the_full_table():
    """On the original rows the own row is at distance 0, so each rating can only rule rows out."""
    table = world(60, 12, seed=6, filled=1.1)
    curve = reidentification_curve(
        table, table, known=range(1, 13), rating_range=SCALE, draws=3, rng=4
    )
    assert all(more <= less for less, more in pairwise(curve.candidates))
    assert all(more >= less for less, more in pairwise(curve.risk))
    assert curve.risk.iloc[-1] == 1
    assert ((curve.low <= curve.risk) & (curve.risk <= curve.high)).all()


def test_knowledge_is_nested_and_the_curve_is_the_single_attacks():
    table = world(15, 9, seed=7)
    protected = release("noise", completed(table))
    counts = (1, 2, 5)
    curve = reidentification_curve(table, protected, known=counts, rating_range=SCALE, rng=9)
    for line, count in zip(curve.itertuples(), counts, strict=True):
        found = reidentify(table, protected, known=count, rating_range=SCALE, rng=9)
        assert line.risk == found.risk
        assert line.candidates == found.candidates.mean()
        hidden = np.nan_to_num(found.error) @ found.others / found.others.sum()
        assert line.error == pytest.approx(hidden)
        assert (
            found.others.tolist() == np.maximum((~np.isnan(table)).sum(axis=1) - count, 0).tolist()
        )


def test_a_sample_attacks_the_same_way_as_all():
    table = world(30, 9, seed=8)
    protected = release("noise", completed(table))
    attack = {"known": 2, "rating_range": SCALE, "error": 0.5, "draws": 2, "rng": 3}
    everyone = reidentify(table, protected, **attack)
    some = reidentify(table, protected, users=11, **attack)
    assert len(some.users) == len(set(some.users.tolist())) == 11
    np.testing.assert_array_equal(some.success, everyone.success[some.users])
    np.testing.assert_array_equal(some.error, everyone.error[some.users])


def test_the_same_seed_gives_the_same_attack_and_another_one_another():
    table = world(30, 9, seed=8)
    protected = release("noise", completed(table))
    first, again, other = (
        reidentify(table, protected, known=2, rating_range=SCALE, rng=seed).success
        for seed in (1, np.random.default_rng(1), 2)
    )
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


def test_ties_are_expectations():
    table = [[5.0], [5.0], [1.0], [3.0]]
    found = reidentify(table, table, known=1, rating_range=SCALE, rng=1)
    assert found.success.tolist() == [0.5, 0.5, 1.0, 1.0]
    assert found.candidates.tolist() == [2, 2, 1, 1]
    assert found.wrong.tolist() == [0.5, 0.5, 0.0, 0.0]


def test_a_tie_that_floating_point_would_break_stays_a_tie():
    """4 lies a third from 11/3 and from 13/3, though not in binary fractions."""
    found = reidentify([[4.0], [4.0]], [[11 / 3], [13 / 3]], known=1, rating_range=SCALE, rng=1)
    assert found.success.tolist() == [0.5, 0.5]


def test_abstaining_is_counted_apart():
    """4 is as far from 3 as from 5: no answer. 1 is at one row: an answer, right or wrong."""
    table, protected = [[4.0], [4.0], [1.0], [1.0]], [[3.0], [5.0], [1.0], [5.0]]
    attack = {"known": 1, "rating_range": SCALE, "rng": 1}
    found = reidentify(table, protected, eccentricity=0.1, **attack)
    assert found.abstained.tolist() == [1, 1, 0, 0]
    assert found.success.tolist() == [0, 0, 1, 0]
    assert found.wrong.tolist() == [0, 0, 0, 1]
    always = reidentify(table, protected, **attack)
    assert always.abstained.tolist() == [0, 0, 0, 0]
    assert always.success.tolist() == pytest.approx([1 / 3, 1 / 3, 1, 0])  # 3, 5 and 5 fit
    assert found.candidates.tolist() == [3, 3, 1, 1]


def test_equal_rows_are_one_to_the_attacker_who_asks_for_a_gap():
    """The second best row is a distinct one: among equal rows he guesses."""
    table = [[5.0], [5.0], [1.0], [3.0]]
    found = reidentify(table, table, known=1, rating_range=SCALE, eccentricity=0.1, rng=1)
    assert found.abstained.tolist() == [0, 0, 0, 0]
    assert found.success.tolist() == [0.5, 0.5, 1, 1]


def test_one_row_for_all_never_stands_out():
    found = reidentify(
        [[5.0], [1.0]], [[3.0], [3.0]], known=1, rating_range=SCALE, eccentricity=0.1, rng=1
    )
    assert found.abstained.tolist() == [1, 1]


def test_a_user_without_ratings_fits_every_row():
    table = np.array([[np.nan, np.nan], [5.0, 1.0], [4.0, 2.0], [1.0, 2.0]])
    found = reidentify(table, completed(table), known=2, rating_range=SCALE, rng=1)
    assert found.success[0] == 0.25
    assert found.candidates[0] == 4
    assert np.isnan(found.error[0])
    curve = reidentification_curve(table, completed(table), known=(2,), rating_range=SCALE, rng=1)
    assert np.isnan(curve.error[0])


def test_wrong_knowledge_finds_fewer():
    table = world(80, 10, seed=9, filled=1.1)
    risks = [
        reidentify(table, table, known=4, rating_range=SCALE, error=error, rng=1).risk
        for error in (0.0, 1.0, 3.0)
    ]
    assert risks[0] > risks[1] + 0.1
    assert risks[1] > risks[2] + 0.1


def test_rare_items_weigh_more():
    """Row 0 misses on the common item, row 1 on the rare one: the weights decide."""
    columns = Searcher(np.array([[4.0, 3.0], [3.0, 4.0]]), np.array([1.0, 2.0]))
    (match,) = columns.matches(np.array([0, 1]), np.array([3.0, 3.0]), (2,), eccentric=False)
    assert match.rows.tolist() == [0]


def test_blocks_do_not_change_a_prediction(monkeypatch):
    table = world(40, 30, seed=10)
    attack = {"known": 1, "rating_range": SCALE, "rng": 3}
    whole = reidentify(table, completed(table), **attack)
    monkeypatch.setattr("pplab.attacks.matching._BLOCK", 7)
    np.testing.assert_allclose(reidentify(table, completed(table), **attack).error, whole.error)


def test_ratings_may_be_sparse():
    table = world(12, 6, seed=11)
    stored = sparse.csr_array(np.nan_to_num(table))
    dense, thin = (
        reidentify(data, completed(table), known=2, rating_range=SCALE, rng=1)
        for data in (table, stored)
    )
    np.testing.assert_array_equal(dense.success, thin.success)


TABLE = [[5, 1], [2, 4]]


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ({"known": 0}, ValueError, "known must be an integer at least 1, got 0"),
        ({"known": 1.5}, TypeError, "known must be an integer"),
        ({"users": 3}, ValueError, "users must be an integer between 1 and 2, got 3"),
        ({"users": 0}, ValueError, "users must be an integer between 1 and 2, got 0"),
        ({"draws": 0}, ValueError, "draws must be an integer at least 1, got 0"),
        ({"error": -1}, ValueError, r"error must lie in \[0, .*, got -1"),
        ({"error": np.nan}, ValueError, r"error must lie in \[0, .*, got nan"),
        ({"eccentricity": np.inf}, ValueError, r"eccentricity must lie in \[0, .*, got inf"),
        ({"weighting": "rare"}, ValueError, "weighting must be one of 'none', 'rarity'"),
        ({"rating_range": (5, 1)}, ValueError, "rating_range must be two finite numbers"),
        ({"ratings": [[6, 1], [2, 4]]}, ValueError, "ratings must hold ratings from 1 to 5"),
        ({"ratings": [[0, 0], [0, 0]]}, ValueError, "ratings must hold at least one rating"),
        ({"protected": [[5, 1]]}, ValueError, "ratings and protected must have the same shape"),
        ({"protected": [[5, np.nan], [1, 1]]}, ValueError, "protected must be complete, got 1"),
        ({"rng": -1}, TypeError, "rng must be a non-negative integer seed"),
    ],
)
def test_bad_input_is_told(arguments, error, sentence):
    right = {"ratings": TABLE, "protected": TABLE, "known": 1, "rating_range": SCALE} | arguments
    ratings, protected = right.pop("ratings"), right.pop("protected")
    with pytest.raises(error, match=sentence):
        reidentify(ratings, protected, **right)


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ({"known": ()}, TypeError, r"known must list numbers of ratings, got \(\)"),
        ({"known": 3}, TypeError, "known must list numbers of ratings, got 3"),
        ({"known": (2, 1)}, ValueError, r"known must ascend, got \(2, 1\)"),
        ({"known": (2, 2)}, ValueError, "known must ascend"),
        ({"known": (0, 1)}, ValueError, "known must be an integer at least 1, got 0"),
        ({"alpha": 0}, ValueError, r"alpha must lie in \(0, 1\), got 0"),
    ],
)
def test_a_bad_curve_is_told(arguments, error, sentence):
    with pytest.raises(error, match=sentence):
        reidentification_curve(TABLE, TABLE, rating_range=SCALE, **arguments)
